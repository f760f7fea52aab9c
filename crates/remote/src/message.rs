//! What host and device say to each other, in `postcard`'s encoding.
//!
//! The host sends [`Command`]s and gets one [`Reply`] for each, in order. What the device says of
//! its own accord is an [`Event`]. These are the messages of seed 000's server (Figs. 4, 8 and 19
//! to 22): *choice(count, value)* and *executed(count)* on one side; *step*, *play*, *pause*,
//! *break*, *mock*, *inspect* and *reset* on the other. A command that does not fit the state of the
//! device is [refused](Refusal) and changes nothing.
//!
//! Things longer than a message travel as [parts](Command::Part), which the next command uses up.

use alloc::{string::String, vec::Vec};

use mw_vm::{FuncType, Limits, TrapKind, Value};
use serde::{Deserialize, Serialize};

use crate::link::Counters;

/// What the host asks of a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command<'a> {
    /// What are you?
    Describe,
    /// What is the primitive with this number?
    Primitive(u32),
    /// What are you doing?
    Status,
    /// What has your side of the link seen?
    Counters,
    /// Bytes of something long, to be kept for the command that uses it.
    Part(#[serde(borrow)] &'a [u8]),
    /// An image follows, of so many bytes; the module will need so many more.
    Load {
        /// Bytes of the image.
        image: u32,
        /// Bytes of the module.
        module: u32,
    },
    /// The image is there: start it, with a call of a function.
    Start {
        /// The function and its arguments, as slots.
        entry: Option<(u32, Vec<u64>)>,
    },
    /// Forget the program: primitives are going to be called for one that runs at the host.
    Unload,
    /// Begin again. What was put out stays.
    Reset,
    /// Execute one instruction.
    Step,
    /// Run to a breakpoint, to an output that cannot be taken back, or until so many instructions
    /// have been executed.
    Play {
        /// Where to stop.
        until: u64,
    },
    /// Stop running.
    Pause,
    /// Add or remove a breakpoint.
    Breakpoint {
        /// The instruction.
        pc: u32,
        /// Whether there is to be one.
        on: bool,
    },
    /// Let the input that comes next return this.
    Mock {
        /// The value, as a slot.
        slot: u64,
    },
    /// Run to a place with these [choices](crate::choices) and no others.
    Replay {
        /// Where to stop.
        until: u64,
        /// Outputs before this count still stand: they are not performed, and what they return is
        /// among the choices.
        perform_from: u64,
        /// What inputs return.
        choices: &'a [u8],
    },
    /// Take back what was done to the outside since this count, newest first.
    Undo {
        /// From where on.
        to: u64,
    },
    /// Take back something whose compensation the host keeps.
    Compensate {
        /// The primitive.
        primitive: u32,
        /// What was captured.
        captured: &'a [u8],
    },
    /// Send the state: what has changed since the last time, or all of it.
    Inspect {
        /// Whether everything.
        all: bool,
    },
    /// Become the machine of which the parts are all but the pages.
    Restore,
    /// Give a page the content that the parts are, [squeezed](crate::runs).
    RestorePage {
        /// The memory.
        memory: u32,
        /// The page.
        page: u32,
    },
    /// All pages have been restored.
    Restored,
    /// Go on without a debugger, and record.
    Detach,
    /// Send what was recorded.
    ReadTrace,
    /// Out of place: read an input for a machine that runs at the host.
    Read {
        /// The primitive.
        primitive: u32,
        /// Its arguments.
        args: Vec<Value>,
        /// What it returned, if that is known: nothing is read then.
        value: Option<Value>,
        /// The count of that machine.
        count: u64,
    },
    /// Out of place: perform an output for a machine that runs at the host. What it needs of that
    /// machine's memory are the parts: address, length and bytes of each range.
    Perform {
        /// The primitive.
        primitive: u32,
        /// Its arguments.
        args: Vec<Value>,
        /// The count of that machine.
        count: u64,
    },
}

/// What a device answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// It is done, or has begun.
    Done,
    /// It is not done, and nothing has changed.
    Refused(Refusal),
    /// What the device is.
    Description {
        /// Its name.
        name: String,
        /// How many primitives it has.
        primitives: u32,
        /// Bytes of memory for a program.
        memory: u32,
        /// Instructions that it executes in a second, as far as it knows; 0 if it does not.
        speed: u32,
    },
    /// What a primitive is.
    Primitive(Described),
    /// What the device does.
    Status(Status),
    /// What its side of the link has seen.
    Counters {
        /// The figures of the link.
        link: Counters,
        /// How often the program had to wait for it.
        stalls: u64,
    },
    /// The program is there and can run within these limits.
    Loaded(Limits),
    /// It has been taken back so far; what was before, only the host can take back.
    Undone {
        /// From where on nothing is left to take back.
        to: u64,
    },
    /// What a primitive returned, out of place.
    Returned(Option<Value>),
    /// A primitive needs this of the program's memory first; nothing has been done.
    NeedsMemory {
        /// The first address.
        address: u32,
        /// How many bytes.
        length: u32,
    },
    /// A primitive ended the program, out of place.
    Aborted(String),
}

/// What a device says of its own accord.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event<'a> {
    /// Inputs have been read: *choice(count, value)*, many at a time.
    Choices {
        /// The count from which the first is counted.
        from: u64,
        /// The [choices](crate::choices).
        #[serde(borrow)]
        choices: &'a [u8],
    },
    /// The program has stopped: *executed(count)*.
    Stopped {
        /// How many instructions have been executed.
        count: u64,
        /// Why.
        reason: Reason,
        /// The hash of the machine.
        hash: u128,
    },
    /// How to take back something that the device has no room to remember.
    Captured {
        /// When it was done.
        count: u64,
        /// The primitive.
        primitive: u32,
        /// What was captured.
        captured: &'a [u8],
    },
    /// Bytes of something long.
    Part(&'a [u8]),
    /// The parts are all of the machine but its pages.
    State,
    /// The parts are a page.
    Page {
        /// The memory.
        memory: u32,
        /// The page.
        page: u32,
    },
    /// That was the state.
    StateEnds,
    /// The parts are choices that were recorded.
    Trace {
        /// The count from which the first is counted.
        from: u64,
    },
    /// That was the recording. It began at the state that was sent before it, or at the start.
    TraceEnds {
        /// Whether a state was sent before.
        has_state: bool,
        /// The count up to which it is complete.
        until: u64,
        /// How many choices are lost, because there was no room for a checkpoint.
        lost: u64,
    },
}

/// A reply or an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromDevice<'a> {
    /// An answer.
    Reply(Reply),
    /// News.
    #[serde(borrow)]
    Event(Event<'a>),
}

/// Why a program stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// It got to where it was to go.
    Reached,
    /// It was told to.
    Paused,
    /// There is a breakpoint.
    Breakpoint,
    /// The next instruction does something that cannot be taken back.
    Irreversible,
    /// It has returned.
    Finished,
    /// It cannot go on.
    Trapped(TrapKind),
    /// A primitive ended it.
    Aborted(String),
    /// It does not read what it was to be given.
    Diverged,
    /// Nobody knows what an input returns.
    Asks,
}

/// What a device does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Its state.
    pub activity: Activity,
    /// The fingerprint of its program.
    pub program: Option<u128>,
    /// How many instructions have been executed.
    pub count: u64,
    /// How the program ended, if it has.
    pub ended: Option<Reason>,
    /// Whether it has a recording.
    pub has_trace: bool,
    /// The limits that the program runs within.
    pub limits: Option<Limits>,
}

/// The states of a device: seed 000's *Running* and *Paused*, and those on the way there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activity {
    /// There is no program.
    Empty,
    /// An image is being received.
    Loading,
    /// A state is being restored.
    Restoring,
    /// The program stands.
    Paused,
    /// The program runs.
    Running,
}

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    /// It does not fit what the device does.
    #[error("the device cannot do that while it is {0:?}")]
    NotNow(Activity),
    /// The bytes are no command.
    #[error("the device does not understand that")]
    Unknown,
    /// The program is too large.
    #[error("the program needs {needs} bytes and the device has {has}: {} too few", .needs - .has)]
    DoesNotFit {
        /// What it needs.
        needs: u32,
        /// What there is.
        has: u32,
    },
    /// More bytes were sent than announced or than there is room for.
    #[error("the device has no room for that")]
    NoRoom,
    /// The image is not one.
    #[error("the device cannot load the program: {0}")]
    Image(String),
    /// The device does not have what the program imports.
    #[error("the device has no primitive {module}.{name} of type {ty}")]
    NoPrimitive {
        /// The module name.
        module: String,
        /// The field name.
        name: String,
        /// The type.
        ty: FuncType,
    },
    /// The program is over.
    #[error("the program has ended")]
    Ended,
    /// The program is about to do something else.
    #[error("the program does not read an input next")]
    NoInput,
    /// The input cannot return that.
    #[error("the input cannot return that value")]
    OutsideDomain,
    /// The saved machine does not fit.
    #[error("the device cannot restore the state: {0}")]
    State(String),
    /// There is no such thing.
    #[error("the device has no such thing")]
    NoSuchThing,
    /// It could not be taken back.
    #[error("the device could not take that back: {0}")]
    NotUndone(String),
}

/// What a primitive is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Described {
    /// The module name.
    pub module: String,
    /// The field name.
    pub name: String,
    /// The types under which it can be imported.
    pub types: Vec<FuncType>,
    /// What kind it is.
    pub kind: Kind,
    /// What an input can return, if that is always the same and short enough to say.
    pub domain: Option<Domain>,
}

/// What an input can return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Domain {
    /// Integers of these ranges, their ends included.
    Integers(Vec<(i64, i64)>),
    /// Floats from one to another, as bits of an `f64`; any at all without.
    Floats(Option<(u64, u64)>),
}

/// The kinds of primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Calls are choices.
    Input,
    /// Calls act on the outside.
    Output {
        /// Whether that cannot be taken back.
        irreversible: bool,
    },
    /// A call ends the program.
    Abort,
}
