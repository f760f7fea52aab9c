//! The outside of a device, as an agent sees it.

use alloc::{string::String, vec::Vec};

use mw_vm::{FuncType, Machine, Value};

use crate::message::{Described, Kind};

/// What a program can reach of the outside: primitives, by numbers from 0.
///
/// [`Primitives`](super::Primitives) makes one out of a few lines for each.
pub trait Outside {
    /// What a primitive is; `None` if there is none of that number.
    fn describe(&self, primitive: u32) -> Option<Described>;

    /// The primitive that a program imports under a name and type.
    fn find(&self, module: &str, name: &str, ty: &FuncType) -> Option<u32>;

    /// What kind a primitive is.
    fn kind(&self, primitive: u32) -> Kind;

    /// Whether an input can return this.
    fn admits(&self, call: Call<'_>, value: Value) -> bool;

    /// Reads an input.
    fn read(&mut self, call: Call<'_>) -> Result<Answer, Fault>;

    /// Reads an input, or lets it return what somebody else has decided.
    fn answer(&mut self, call: Call<'_>, decided: Option<Value>) -> Result<Answer, Fault> {
        match decided {
            None => self.read(call),
            Some(value) if !self.admits(call, value) => Err(Fault::Impossible),
            Some(value) => Ok(Answer { result: Some(value), captured: self.accept(call, value) }),
        }
    }

    /// Notes that an input returned what somebody else decided; says how to forget that.
    fn accept(&mut self, call: Call<'_>, value: Value) -> Vec<u8> {
        let _ = (call, value);
        Vec::new()
    }

    /// Performs an output. A fault says that nothing has been done.
    fn perform(&mut self, call: Call<'_>, memory: &dyn ProgramMemory) -> Result<Answer, Fault>;

    /// Takes a call back with what was captured when it was made.
    fn undo(&mut self, primitive: u32, captured: &[u8]) -> Result<(), String>;

    /// The program begins anew, in a world in which nothing has been done yet.
    fn start(&mut self) {}
}

/// A call of a primitive.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The primitive.
    pub primitive: u32,
    /// Its arguments.
    pub args: &'a [Value],
}

impl Call<'_> {
    /// An argument that is a 32-bit integer; 0 for one that is not.
    pub fn i32(&self, argument: usize) -> i32 {
        match self.args.get(argument) {
            Some(Value::I32(value)) => *value,
            _ => 0,
        }
    }
}

/// What came of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What it returned.
    pub result: Option<Value>,
    /// How to take it back, in bytes that only the primitive understands. Empty if there is
    /// nothing to take back.
    pub captured: Vec<u8>,
}

/// A call that was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program has failed.
    Abort(String),
    /// Nobody knows what the input returns.
    Asks,
    /// The input cannot return what it was to.
    Impossible,
    /// This range of the program's memory is not there.
    Memory {
        /// The first address.
        address: u32,
        /// How many bytes.
        length: u32,
    },
}

/// The memory of the program that calls.
pub trait ProgramMemory {
    /// Reads bytes; all of them are there or it is a [fault](Fault::Memory).
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), Fault>;
}

impl ProgramMemory for Machine {
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), Fault> {
        let memory = self.memories().first();
        let done = memory.is_some_and(|memory| memory.read(address.into(), buffer).is_ok());
        let length = buffer.len() as u32;
        if done { Ok(()) } else { Err(Fault::Memory { address, length }) }
    }
}
