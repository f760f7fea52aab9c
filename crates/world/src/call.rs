//! Calls of primitives, and everything that can be said back about one.

use mw_vm::{Machine, Value};

use crate::answer::Answer;
use crate::domain::Refusal;
use crate::memory::OutOfBounds;
use crate::primitive::Primitive;
use crate::undo::Undo;

/// A call of an imported function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The function, by its position among the module's function imports.
    pub import: u32,
    /// The arguments.
    pub args: &'a [Value],
}

/// What kind of primitive an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Calls are choices.
    Input,
    /// Calls act on the outside.
    Output {
        /// Whether the outside cannot be taken back: ask before going back over it.
        irreversible: bool,
    },
    /// A call ends the program.
    Abort,
}

/// What the source of an input has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// This.
    Answer(Answer),
    /// Nothing: ask the person.
    Ask,
}

/// What a call gives back to the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The results.
    pub results: Vec<Value>,
    /// What is to be written into memory, as address and bytes.
    pub writes: Vec<(u32, Vec<u8>)>,
}

impl Reply {
    /// Writes what is to be written, to the first memory.
    pub fn write_to(&self, machine: &mut Machine) -> Result<(), OutOfBounds> {
        self.writes.iter().try_for_each(|(address, bytes)| {
            let outside = OutOfBounds { address: *address, length: bytes.len() as u64 };
            let memory = machine.memory_mut(0).ok_or(outside)?;
            memory.write((*address).into(), bytes).map_err(|_| outside)
        })
    }
}

/// An input whose value has been noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// What the program gets.
    pub reply: Reply,
    /// How to go back.
    pub undo: Undo,
}

/// What became of a call of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was performed.
    Done {
        /// What the program gets.
        reply: Reply,
        /// How to go back.
        undo: Undo,
        /// The effect for people, such as `pin 13 = high`.
        effect: String,
    },
    /// The program failed, here and now: it called `abort`, or asked for what is not there. The
    /// state has not changed.
    Abort {
        /// Why.
        message: String,
    },
}

/// A call that cannot be answered as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CallError {
    #[error("{call}: {refusal}{}", because(.rules))]
    Refused { call: String, refusal: Refusal, rules: Vec<String> },
    #[error("no value is left for {call}: these rules exclude each other here{}; \
             change one of them in the world file", because(.rules))]
    Contradiction { call: String, rules: Vec<String> },
    #[error(
        "no value is left for {call}: it asks for a number from its first argument up to its \
             second, which is not included"
    )]
    Empty { call: String },
    #[error("{call} brings nothing into a buffer: leave out the bytes")]
    NoBuffer { call: String },
    #[error("the buffer of {call} has room for {most} bytes, and these are {length}")]
    TooMuch { call: String, most: u32, length: usize },
    #[error("{call} returns how many bytes it brings, which are {length}, and not {value}")]
    Miscounted { call: String, value: Value, length: usize },
    #[error("{call} is not an {wanted}; ask for its kind first")]
    WrongKind { call: String, wanted: &'static str },
    #[error(
        "the module has no imported function {0}; \
             is the world bound to another module?"
    )]
    NoSuchImport(u32),
}

fn because(rules: &[String]) -> String {
    rules.iter().map(|rule| format!("\n  because of the rule {rule}")).collect()
}

pub(crate) fn slots(args: &[Value]) -> Vec<u64> {
    args.iter().map(|value| value.to_slot()).collect()
}

pub(crate) fn show_args(args: &[Value]) -> String {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    format!("({})", args.join(", "))
}

pub(crate) fn show_call(primitive: &Primitive, args: &[Value]) -> String {
    primitive.full_name() + &show_args(args)
}
