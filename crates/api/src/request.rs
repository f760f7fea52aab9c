//! What can be asked of the debugger.
//!
//! Wherever a person would write something (a place, a call, a value, a breakpoint), the text is
//! enough; a front end that knows better than to put words together gives the parts.

use mw_session::{Direction, Unit};
use serde::{Deserialize, Serialize};

use crate::exploration::Exploration;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case")]
pub enum Request {
    /// Where the session stands.
    Where,
    /// Makes steps.
    Step {
        /// What a step is.
        unit: Unit,
        /// Which way.
        direction: Direction,
        /// How many.
        #[serde(default = "one")]
        count: u64,
        /// Whether to go back over outputs that cannot be undone.
        #[serde(default)]
        confirm: bool,
    },
    /// Runs to the next breakpoint or the end; back, to the last one or the start.
    Run {
        /// Which way.
        direction: Direction,
        /// Whether to go back over outputs that cannot be undone.
        #[serde(default)]
        confirm: bool,
    },
    /// Goes back to the start of the program.
    Reset {
        /// Whether to go back over outputs that cannot be undone.
        #[serde(default)]
        confirm: bool,
    },
    /// Says what the input returns that is to be read here, and reads it.
    Answer {
        /// The value.
        value: String,
    },
    /// What a slide would take, without making it.
    Plan {
        /// Where to.
        to: PlaceRef,
    },
    /// Goes to any place.
    Slide {
        /// Where to.
        to: PlaceRef,
        /// Whether to go back over outputs that cannot be undone.
        #[serde(default)]
        confirm: bool,
    },

    /// The functions being executed, innermost first.
    Frames,
    /// The globals.
    Globals,
    /// The value of a term: `current`, `local 2`, `i32 @ 1024`.
    Print {
        /// The term.
        term: String,
    },
    /// A stretch of memory.
    ReadMemory {
        /// The first address.
        address: u64,
        /// How many bytes.
        length: u64,
    },
    /// The world as it is here.
    World,
    /// Instructions around a place in the code.
    Disassemble {
        /// A function, `*OFFSET`, or nothing for the next instruction.
        #[serde(default)]
        around: Option<String>,
        /// How many instructions; the whole function without.
        #[serde(default)]
        count: Option<u32>,
    },
    /// Facts about the session.
    Info,
    /// All names that a person may use, to complete words with.
    Names,

    /// The multiverse, from a place on.
    Tree {
        /// From where; from the start without.
        #[serde(default)]
        from: Option<PlaceRef>,
        /// How many rows at most.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// What is different in the multiverse since a revision; everything without one.
    TreeChanges {
        /// The revision, as an earlier reply said it.
        #[serde(default)]
        since: Option<u64>,
    },
    /// What the program printed in this universe, what lies ahead included.
    Log {
        /// How many lines at most, the last ones.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// The choices on the way to a place, and what the program did.
    Universe {
        /// The place; here without.
        #[serde(default)]
        place: Option<PlaceRef>,
        /// How many choices at most, the last ones.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// Nodes at which machine and world are the same.
    Merged {
        /// How many nodes to visit at most.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// What differs between two places.
    Diff {
        /// One place.
        first: PlaceRef,
        /// The other; here without.
        #[serde(default)]
        second: Option<PlaceRef>,
    },

    /// Decides what an input returns.
    Mock {
        /// Which calls.
        call: CallRef,
        /// The value.
        value: String,
        /// Whether for the next call only.
        #[serde(default)]
        once: bool,
    },
    /// What an input can return, apart from what the state of the world rules out.
    Domain {
        /// The input.
        call: CallRef,
    },
    /// Removes a mock, or all of them.
    Unmock {
        /// Its number.
        #[serde(default)]
        id: Option<u32>,
    },
    /// All mocks.
    Mocks,
    /// Creates a branch for each of several values, where an input is read next.
    Branch {
        /// The input; the one that is to be read here without.
        #[serde(default)]
        call: Option<CallRef>,
        /// The values.
        values: ValuesRef,
    },
    /// Explores from here: adds the future universes that differ in control flow.
    Suggest(Exploration),
    /// Goes on where the last exploration stopped.
    SuggestMore,
    /// The universe of a path that exploring has found, as text.
    TraceOf {
        /// Its number among the leaves.
        path: usize,
    },
    /// What exploring has reached, if it was told to note that.
    Coverage,
    /// Sets what an input reads by itself, before the program has begun.
    SetReading {
        /// The input, with all its arguments.
        call: CallRef,
        /// The value; without, it comes from the input's source again.
        #[serde(default)]
        value: Option<String>,
    },
    /// Lets an interrupt arrive here.
    Interrupt {
        /// The pin that it comes from.
        pin: u8,
    },
    /// The interrupts that may arrive here.
    Interrupts,
    /// Goes on without the interrupt or alteration that is recorded here or before the next input.
    GoWithout,
    /// Sets a variable by hand.
    Alter {
        /// The variable: a term like those of [`Request::Print`].
        target: String,
        /// The value.
        value: String,
    },

    /// Names a place.
    Bookmark {
        /// The name.
        name: String,
        /// The place; here without.
        #[serde(default)]
        place: Option<PlaceRef>,
    },
    /// Forgets the name of a place.
    RemoveBookmark {
        /// The name.
        name: String,
    },
    /// All bookmarks.
    Bookmarks,

    /// Adds a breakpoint.
    AddBreakpoint {
        /// What it waits for.
        trigger: TriggerRef,
        /// It only stops the program if this holds.
        #[serde(default)]
        condition: Option<String>,
        /// Whether it is removed once it has been hit.
        #[serde(default)]
        temporary: bool,
    },
    /// Removes a breakpoint, or all of them.
    RemoveBreakpoint {
        /// Its number.
        #[serde(default)]
        id: Option<u32>,
    },
    /// Switches a breakpoint on or off.
    EnableBreakpoint {
        /// Its number.
        id: u32,
        /// On or off.
        enabled: bool,
    },
    /// All breakpoints.
    Breakpoints,

    /// The universe up to here as text.
    ExportTrace,
    /// Adds the universe that a text describes, and goes to its end.
    ReplayTrace {
        /// The text.
        text: String,
        /// Whether to go back over outputs that cannot be undone.
        #[serde(default)]
        confirm: bool,
    },
}

fn one() -> u64 {
    1
}

impl Request {
    /// A mock that stays.
    pub fn mock(call: &str, value: &str) -> Request {
        Request::Mock { call: call.into(), value: value.into(), once: false }
    }

    /// Whether it only looks: nothing is different afterwards.
    pub fn only_looks(&self) -> bool {
        use Request::*;
        matches!(
            self,
            Where
                | Plan { .. }
                | Frames
                | Globals
                | Print { .. }
                | ReadMemory { .. }
                | World
                | Disassemble { .. }
                | Info
                | Names
                | Tree { .. }
                | TreeChanges { .. }
                | Log { .. }
                | Universe { .. }
                | Merged { .. }
                | Diff { .. }
                | Mocks
                | Domain { .. }
                | Interrupts
                | Bookmarks
                | Breakpoints
                | ExportTrace
                | TraceOf { .. }
                | Coverage
        )
    }
}

/// A place, as text or by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlaceRef {
    /// As people write it; see [`crate::notation::place`].
    Text(String),
    /// By its parts.
    Parts(PlaceSpec),
}

/// A place by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceSpec {
    /// Where the session stands.
    Here,
    /// Before the first instruction.
    Start,
    /// As far as this universe is recorded.
    End,
    /// A place with a name.
    Bookmark(String),
    /// So many instructions after a node, such as `1.3`.
    Node {
        /// The node.
        node: String,
        /// How many instructions after it.
        after: u64,
    },
    /// After so many instructions in this universe.
    Count(u64),
    /// So many instructions on or back from here in this universe.
    Relative(i64),
}

/// Calls of a primitive, as text or by their parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CallRef {
    /// As people write it: `chip_analog_read(12)`, or `chip_analog_read` for any arguments.
    Text(String),
    /// By its parts.
    Parts(CallSpec),
}

/// Calls of a primitive by their parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSpec {
    /// The primitive's name.
    pub primitive: String,
    /// Its arguments; any without.
    #[serde(default)]
    pub args: Option<Vec<String>>,
}

/// Values for branches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ValuesRef {
    /// As people write it: `0..4095 step 512`, `1, 2, 3`, `all`.
    Text(String),
    /// One after the other.
    List(Vec<String>),
    /// From one to another, the last one included if it is hit.
    Range {
        /// The first.
        from: i64,
        /// Not beyond this one.
        to: i64,
        /// From one to the next.
        step: i64,
    },
}

/// What a breakpoint waits for, as text or by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TriggerRef {
    /// As people write it; see [`crate::notation::trigger`].
    Text(String),
    /// By its parts.
    Parts(TriggerSpec),
}

/// What a breakpoint waits for, by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TriggerSpec {
    /// The first instruction of a function.
    Function(String),
    /// The instruction at a byte offset in the binary.
    Offset(u32),
    /// A call of a primitive, or that an input returned a value.
    Primitive {
        /// Which calls.
        call: CallRef,
        /// What the input returned; the program stops after the call then, otherwise before.
        #[serde(default)]
        value: Option<String>,
    },
    /// A write to a variable, or to memory from an address on for so many bytes.
    Watch {
        /// A term like those of [`Request::Print`].
        term: String,
        /// The bytes of memory, if other than the term has.
        #[serde(default)]
        length: Option<u32>,
    },
}

impl From<&str> for PlaceRef {
    fn from(text: &str) -> Self {
        PlaceRef::Text(text.into())
    }
}

impl From<&str> for CallRef {
    fn from(text: &str) -> Self {
        CallRef::Text(text.into())
    }
}

impl From<&str> for ValuesRef {
    fn from(text: &str) -> Self {
        ValuesRef::Text(text.into())
    }
}

impl From<&str> for TriggerRef {
    fn from(text: &str) -> Self {
        TriggerRef::Text(text.into())
    }
}
