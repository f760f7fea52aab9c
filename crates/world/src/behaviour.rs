//! Primitives written in Rust: for what a table of data cannot say.
//!
//! A behaviour looks at the state and says what it wants; the world makes the changes. So what is
//! written in Rust is deterministic and undone exactly like everything else, as long as it keeps
//! nothing to itself: its memory is the registers it was given by [`Description::add_register`].

use std::fmt::Debug;
use std::sync::Arc;

use mw_vm::{FuncType, Value};

use crate::description::Description;
use crate::domain::Domain;
use crate::memory::GuestMemory;
use crate::primitive::{
    Act, Answers, Bearing, Compensation, Input, Output, Primitive, PrimitiveId, RegisterId, Role,
};
use crate::source::Source;
use crate::state::State;

/// What an input can return, as a function of the state.
pub trait InputBehaviour: Debug + Send + Sync {
    /// What a call with `args` can return in `state`, of the type that the primitive returns.
    fn domain(&self, state: &State, args: &[Value]) -> Domain;

    /// The registers to be set when a call has returned `value`.
    fn accepted(&self, state: &State, args: &[Value], value: Value) -> Vec<(RegisterId, Value)> {
        let _ = (state, args, value);
        Vec::new()
    }
}

/// What an output does, as a function of the state.
pub trait OutputBehaviour: Debug + Send + Sync {
    /// What a call with `args` does in `state`; an error, in words, is a failure of the program.
    fn perform(
        &self,
        state: &State,
        args: &[Value],
        memory: &dyn GuestMemory,
    ) -> Result<Performance, String>;
}

/// What an output wants done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Performance {
    /// Registers and their new values.
    pub sets: Vec<(RegisterId, Value)>,
    /// What the call returns, if it returns something; zero when left out.
    pub result: Option<Value>,
    /// The effect for people.
    pub effect: String,
}

impl Description {
    /// Adds a register and its initial value.
    pub fn add_register(&mut self, name: &str, initial: Value) -> RegisterId {
        self.registers.push((name.to_owned(), initial));
        RegisterId(self.registers.len() as u32 - 1)
    }

    /// Adds an input, over one of the same name.
    pub fn add_input(
        &mut self,
        module: &str,
        name: &str,
        ty: FuncType,
        behaviour: impl InputBehaviour + 'static,
        source: Source,
    ) -> PrimitiveId {
        let answers = Answers::Behaviour(Arc::new(behaviour));
        self.add(module, name, ty, Role::Input(Input { answers, source, brings: None }))
    }

    /// Adds an output, over one of the same name.
    pub fn add_output(
        &mut self,
        module: &str,
        name: &str,
        ty: FuncType,
        behaviour: impl OutputBehaviour + 'static,
        compensation: Compensation,
    ) -> PrimitiveId {
        let act = Act::Behaviour(Arc::new(behaviour));
        self.add(
            module,
            name,
            ty,
            Role::Output(Output {
                act,
                bearing: &[Bearing::Exact],
                omits_buffer: false,
                compensation,
            }),
        )
    }

    fn add(&mut self, module: &str, name: &str, ty: FuncType, role: Role) -> PrimitiveId {
        let (module, name, types) = (module.into(), name.into(), vec![ty]);
        self.put(Primitive { module, name, types, role })
    }

    /// Adds a primitive, over one of the same name.
    pub(crate) fn put(&mut self, primitive: Primitive) -> PrimitiveId {
        match self.find(&primitive.module, &primitive.name) {
            Some(id) => {
                self.universal.remove(&id);
                self.primitives[id.0 as usize] = primitive;
                id
            }
            None => {
                self.primitives.push(primitive);
                PrimitiveId(self.primitives.len() as u32 - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mw_vm::ValType::I32;

    use super::*;
    use crate::testing::Bench;

    /// A lift: it can be on the floor it was sent to or on one next to it.
    #[derive(Debug)]
    struct Lift {
        floor: RegisterId,
        readings: RegisterId,
    }

    impl InputBehaviour for Lift {
        fn domain(&self, state: &State, _: &[Value]) -> Domain {
            let Some(Value::I32(floor)) = state.register(self.floor) else { panic!("an i32") };
            Domain::range((floor - 1).into(), (floor + 1).into()).unwrap()
        }

        fn accepted(&self, state: &State, _: &[Value], _: Value) -> Vec<(RegisterId, Value)> {
            let Some(Value::I64(readings)) = state.register(self.readings) else { panic!("i64") };
            vec![(self.readings, Value::I64(readings + 1))]
        }
    }

    #[derive(Debug)]
    struct Send(RegisterId);

    impl OutputBehaviour for Send {
        fn perform(
            &self,
            _: &State,
            args: &[Value],
            _: &dyn GuestMemory,
        ) -> Result<Performance, String> {
            match args {
                [Value::I32(floor @ 0..=9)] => Ok(Performance {
                    sets: vec![(self.0, Value::I32(*floor))],
                    effect: format!("lift to floor {floor}"),
                    ..Performance::default()
                }),
                _ => Err("the house has floors 0 to 9".into()),
            }
        }
    }

    #[test]
    fn a_world_in_rust_is_undone_like_any_other() {
        let mut house = Description::new("house");
        let floor = house.add_register("floor", Value::I32(0));
        let readings = house.add_register("readings", Value::I64(0));
        let source = Source::Constant(Value::I32(9));
        let lift = Lift { floor, readings };
        house.add_input("env", "where", FuncType::new([], [I32]), lift, source);
        let ty = FuncType::new([I32], []);
        house.add_output("env", "send", ty, Send(floor), Compensation::Restore);

        let mut bench = Bench::new(Arc::new(house));
        let start = bench.world.state().clone();
        assert_eq!(bench.domain("where()"), "-1..1");
        let send = bench.done("send(4)");
        assert_eq!((bench.domain("where()"), bench.sample("where()")), ("3..5".into(), "5".into()));
        let read = bench.accept("where()", "4").unwrap();
        assert_eq!(bench.world.view().registers["readings"], Value::I64(1));
        assert_eq!(bench.effect("send(12)"), "abort: send(12): the house has floors 0 to 9");
        let last = bench.done("send(5)");
        for undo in [last, read, send] {
            bench.world.undo(undo);
        }
        assert_eq!(*bench.world.state(), start);
    }
}
