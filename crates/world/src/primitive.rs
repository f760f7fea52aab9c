//! Primitives: what a module can import from a world, as data.
//!
//! An *input* has a domain and a source of values, an *output* an effect and a compensation. The
//! board's table and world files both produce these; nothing after them knows the difference.

use std::sync::Arc;

use mw_vm::{FuncType, ValType, Value};
use serde::{Deserialize, Serialize, Serializer};

use crate::answer::Brings;
use crate::behaviour::{InputBehaviour, OutputBehaviour};
use crate::board;
use crate::call::Kind;
use crate::domain::{Domain, Number};
use crate::source::Source;
use crate::state::State;

/// A primitive of a world, by its position in [`crate::Description::primitives`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PrimitiveId(pub u32);

/// A primitive under one of its types: how a recorded choice names what was called, whichever
/// module it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Port {
    /// The primitive, and which of several worlds it belongs to: see [`Port::device`].
    pub primitive: PrimitiveId,
    /// The type, by its position in [`Primitive::types`].
    pub ty: u8,
}

/// Bits of a primitive's number; those above say which world of a system it belongs to.
const PRIMITIVE_BITS: u32 = 20;

impl Port {
    /// Which of the worlds of a system it belongs to. The only one is the first.
    pub fn device(self) -> u16 {
        (self.primitive.0 >> PRIMITIVE_BITS) as u16
    }

    /// The same in a world of its own.
    pub(crate) fn local(self) -> Port {
        Port { primitive: PrimitiveId(self.primitive.0 & ((1 << PRIMITIVE_BITS) - 1)), ..self }
    }

    /// The same in a world of a system.
    pub(crate) fn on(self, device: u16) -> Port {
        let primitive = self.local().primitive.0 | u32::from(device) << PRIMITIVE_BITS;
        Port { primitive: PrimitiveId(primitive), ..self }
    }
}

/// A register of a world file, by its position in [`crate::Description::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RegisterId(pub u32);

/// What a module can import.
#[derive(Clone, Debug, Serialize)]
pub struct Primitive {
    /// The module name of the import.
    pub module: String,
    /// The field name of the import.
    pub name: String,
    /// The types under which it can be imported; platforms differ.
    pub types: Vec<FuncType>,
    /// What it is.
    pub role: Role,
}

impl Primitive {
    /// The name for people: the module is left out when it is the usual `env`.
    pub fn full_name(&self) -> String {
        match self.module.as_str() {
            "env" => self.name.clone(),
            module => format!("{module}.{}", self.name),
        }
    }
}

/// What a primitive is.
#[derive(Clone, Debug, Serialize)]
pub enum Role {
    /// It returns something that only the outside knows: every call is a choice.
    Input(Input),
    /// It acts on the outside. A result, if any, follows from the world's state: it is no choice.
    Output(Output),
    /// It ends the program, with a message.
    Abort,
}

impl Role {
    /// What kind of primitive it makes.
    pub fn kind(&self) -> Kind {
        match self {
            Role::Input(_) => Kind::Input,
            Role::Output(output) => {
                Kind::Output { irreversible: output.compensation == Compensation::Irreversible }
            }
            Role::Abort => Kind::Abort,
        }
    }
}

/// What an input can return and what it returns unless told otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// What it can return.
    pub answers: Answers,
    /// What it returns unless told otherwise.
    pub source: Source,
    /// What it brings besides, if it does. It changes nothing of what was recorded without.
    #[serde(skip)]
    pub brings: Option<Brings>,
}

/// What an input can return, before dependency rules.
#[derive(Clone, Debug, Serialize)]
pub enum Answers {
    /// One of these values.
    Values(Domain),
    /// The time since the start in units of so many microseconds: not before the board's clock,
    /// which no reading and no delay leaves behind.
    Clock(i64),
    /// The level of the pin that is the first argument: the program's own when it drives the pin.
    Level,
    /// What a function of the state says.
    Behaviour(#[serde(serialize_with = "by_name")] Arc<dyn InputBehaviour>),
    /// From the first argument up to the second, which is not included.
    Between,
    /// What the board says that can come back.
    Asked(#[serde(serialize_with = "by_name")] board::Question),
}

impl Answers {
    /// The values of type `ty`, if they are the same in every state and for all arguments.
    pub fn fixed(&self, ty: ValType) -> Option<Domain> {
        match self {
            Answers::Values(domain) => domain.narrowed(ty),
            _ => None,
        }
    }
}

/// How an argument of an output bears on what inputs can return later, or on how the output ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// Not at all.
    None,
    /// Whether it is zero is what inputs with the same first argument show from then on
    /// ([`crate::World::cell`]).
    Shown,
    /// It is a time that passes, in units of so many microseconds.
    Passes(i64),
    /// In ways that only its value tells.
    Exact,
}

/// What an output does and how it is taken back.
#[derive(Clone, Debug, Serialize)]
pub struct Output {
    pub(crate) act: Act,
    /// How its arguments bear on what comes later, unless a rule looks at what it does; the last
    /// one stands for all further ones.
    #[serde(skip)]
    pub(crate) bearing: &'static [Bearing],
    /// Whether it should bring something in a buffer of the program: it does not.
    #[serde(skip)]
    pub(crate) omits_buffer: bool,
    /// How it is taken back.
    pub compensation: Compensation,
}

/// What an output does.
#[derive(Clone, Debug, Serialize)]
pub(crate) enum Act {
    /// Something to the board.
    Board(#[serde(serialize_with = "by_name")] board::Effect),
    /// It sets registers, and returns a fixed value if it returns one.
    Registers {
        sets: Vec<(RegisterId, Operand)>,
        returns: Option<Value>,
        #[serde(skip)]
        says: Option<String>,
    },
    /// What a function of the state says.
    Behaviour(#[serde(serialize_with = "by_name")] Arc<dyn OutputBehaviour>),
    /// It says something about the program.
    Says(Statement),
    /// It is about other tasks: whoever holds them answers it.
    Task(TaskCall),
}

/// What a program says about itself, for whoever looks for mistakes in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Statement {
    /// The argument is not zero, or this run is of no interest.
    Assume,
    /// The argument is not negative, or this run is of no interest.
    AssumeNotNegative,
    /// The argument is not zero, or there is a mistake.
    Assert,
    /// At the first argument there is a block of so many bytes as the second says; returns it.
    Allocate,
    /// The block at the argument is not used any more; returns it.
    Free,
    /// The program ends, with the argument as its exit code.
    Exit,
}

/// What a task asks of those that it is not alone with: the imports of the module `actor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum TaskCall {
    /// There is to be another task.
    Spawn,
    /// Which address it has itself.
    Myself,
    /// Who sent the message of this turn.
    Sender,
    /// The address of somebody by name.
    Find,
    /// Sends a message.
    Tell,
    /// Sends a message, whose answer is a future.
    Send,
    /// Wants to be told when a future is resolved.
    When,
    /// Wants to be told when a future is ruined.
    Rescue,
    /// The bytes of the message of this turn.
    Payload,
    /// Keeps the answer of this turn open.
    Defer,
    /// Gives an answer that was kept open.
    Resolve,
    /// Gives the reason why there will be none.
    Ruin,
    /// Takes no further turns.
    Stop,
}

/// The primitive's name identifies its code; an address would differ in every run.
fn by_name<T, S: Serializer>(_: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

/// How an output is taken back. Whatever it is, the world's own state goes back exactly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Compensation {
    /// The captured state is restored.
    Restore,
    /// Another primitive is called, with arguments evaluated before the output was performed.
    Call {
        /// The primitive.
        primitive: PrimitiveId,
        /// Its arguments.
        args: Vec<Operand>,
    },
    /// There is nothing to take back.
    Nothing,
    /// The outside cannot be taken back, only the world's picture of it.
    Irreversible,
}

/// Where a value in a world file comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Operand {
    /// An argument of the call, by position.
    Argument(usize),
    /// The present value of a register.
    Register(RegisterId),
    /// A fixed value.
    Constant(Value),
}

impl Operand {
    /// The number that this is in a call with `args`; zero for what is not there.
    pub(crate) fn evaluate(&self, args: &[Value], state: &State) -> Number {
        let value = match self {
            Operand::Argument(index) => args.get(*index).copied(),
            Operand::Register(register) => state.register(*register),
            Operand::Constant(value) => Some(*value),
        };
        value.and_then(Number::of).unwrap_or(Number::Integer(0))
    }
}
