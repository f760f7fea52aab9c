//! What exploring leaves out: what could happen on a path that was followed, and is not followed.
//!
//! **Invariant:** where a path leaves something out, its leaf says so, and the exploration is not
//! complete.

use serde::Serialize;

use crate::path::Path;

/// Something that is not explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Omitted {
    /// The program has asked for interrupts, and none arrives; or not all of them can.
    Interrupts,
    /// More than so many interrupts could arrive.
    MoreInterrupts(u32),
    /// It has asked to be called when a message arrives, and none does.
    Messages,
    /// It has asked for something in a buffer, and the buffer stays as it is.
    Buffers,
    /// Tasks go round in a circle, and what else they could do after the first round is not followed.
    Rounds,
    /// Somebody has decided what an input returns.
    Mocks,
    /// An input written in Rust has noted what it returned: what it would do after having returned
    /// something else is not seen. Nor is it what an output written in Rust makes of memory that
    /// depends on inputs.
    Behaviours,
    /// A property is to be told before something is accessed that inputs decide on.
    Accesses,
    /// A property counts time, and interrupts arrive at other moments that are like one to the
    /// program alone.
    Deadlines,
}

impl std::fmt::Display for Omitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Omitted::MoreInterrupts(1) => "more than 1 interrupt",
            Omitted::MoreInterrupts(most) => return write!(f, "more than {most} interrupts"),
            Omitted::Interrupts => "interrupts",
            Omitted::Messages => "messages",
            Omitted::Buffers => "what arrives in buffers",
            Omitted::Rounds => "further rounds of actors that go round in a circle",
            Omitted::Mocks => "other values of mocked inputs",
            Omitted::Behaviours => "other states of primitives written in Rust",
            Omitted::Accesses => "what properties are told before accesses that inputs decide on",
            Omitted::Deadlines => "interrupts at other moments of a property's time",
        })
    }
}

impl Omitted {
    /// Whether it is what the bounds of an exploration leave out by themselves, so that the
    /// exploration may be complete within them.
    pub fn is_beyond_bounds(self) -> bool {
        matches!(self, Omitted::MoreInterrupts(_))
    }
}

impl Path {
    /// Notes what the world would do by itself and does not.
    pub fn note_pending(&mut self) {
        let (world, explored) = (&self.now.world, self.arrivals.most > 0);
        let interrupts = world.awaits_interrupts() && !explored;
        let messages = world.awaits_messages();
        self.omitted.extend(interrupts.then_some(Omitted::Interrupts));
        self.omitted.extend(messages.then_some(Omitted::Messages));
    }

    /// Notes what is left out of a call of the outside that has just been answered. `depends` says
    /// whether the world may be in another state now if inputs had been other ones.
    pub fn note_omitted(&mut self, import: u32, depends: bool) {
        self.note_pending();
        if self.now.world.fills_buffer(import) {
            self.omitted.insert(Omitted::Buffers);
        }
        if depends && self.now.world.is_in_rust(import) {
            self.omitted.insert(Omitted::Behaviours);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use mw_ensemble::Moment;
    use mw_vm::{Breakpoints, FuncType, Limits, Machine, Module, NoProbe, Stop, ValType, Value};
    use mw_world::{Description, Domain, Import, InputBehaviour, RegisterId, Source, State};

    use super::*;
    use crate::expr::Exprs;
    use crate::imports;
    use crate::ledger::Ledger;
    use crate::solver::Solver;

    /// A counter that never shows less than it has shown, or one that always shows anything.
    #[derive(Debug)]
    struct Counter(Option<RegisterId>);

    impl InputBehaviour for Counter {
        fn domain(&self, state: &State, _: &[Value]) -> Domain {
            let least = match self.0.and_then(|register| state.register(register)) {
                Some(Value::I32(least)) => least,
                _ => 0,
            };
            Domain::range(least.into(), 9).expect("it ends at 9")
        }

        fn accepted(&self, _: &State, _: &[Value], value: Value) -> Vec<(RegisterId, Value)> {
            self.0.map(|register| (register, value)).into_iter().collect()
        }
    }

    #[test]
    fn what_an_input_written_in_rust_remembers_is_left_out() {
        for remembers in [false, true] {
            let mut house = Description::new("house");
            let register = house.add_register("shown", Value::I32(0));
            let ty = FuncType::new([], [ValType::I32]);
            let counter = Counter(remembers.then_some(register));
            house.add_input("env", "count", ty.clone(), counter, Source::Ask);
            let import = Import { module: "env", name: "count", ty: &ty };
            let world = Arc::new(house).bind([import]).unwrap();
            let text = r#"(module (import "env" "count" (func $count (result i32)))
              (func (export "main") (drop (call $count))))"#;
            let module = Module::from_binary(&wat::parse_str(text).unwrap(), &Limits::default());
            let module = Arc::new(module.unwrap());
            let main = module.exported_func("main").unwrap();
            let mut machine = Machine::new(module, Limits::default(), Default::default()).unwrap();
            machine.call(main, &[]).unwrap();
            let stop = machine.run(100, &Breakpoints::default(), &mut NoProbe);
            assert!(matches!(stop, Stop::Import(_)));

            let mut path = Path::new(Moment::new(machine, world), vec![], &Ledger::default());
            let mut solver = Solver::new(vec![], Duration::ZERO);
            let _ = imports::call(&mut path, &mut Exprs::default(), &mut solver, 1);
            assert_eq!(path.omitted.contains(&Omitted::Behaviours), remembers);
        }
    }
}
