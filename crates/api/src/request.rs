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
    /// Runs to the next breakpoint or the end: where nothing is recorded, inputs return what was
    /// suggested first, as long as something was.
    RunAsSuggested,
    /// Runs to a line, a function or an instruction, unless a breakpoint comes first.
    RunTo {
        /// What is run to, as a breakpoint waits for it.
        to: TriggerRef,
        /// Which way.
        direction: Direction,
        /// Whether to go back over outputs that cannot be undone.
        #[serde(default)]
        confirm: bool,
    },
    /// Goes back to the beginning of a function that is being executed.
    RestartFrame {
        /// The frame, as an index of [`Request::SourceFrames`].
        frame: usize,
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
    /// The functions under way as the source has them, inlined ones included, innermost first.
    SourceFrames,
    /// Variables of the source.
    SourceVariables {
        /// Which.
        of: ScopeRef,
        /// Parts of parts: at each level, the one of this index.
        #[serde(default)]
        path: Vec<usize>,
    },
    /// Sets a variable of the source by hand, if it is a number that is in one place.
    SetVariable {
        /// Where it is looked for.
        of: ScopeRef,
        /// Parts of parts, as for [`Request::SourceVariables`].
        #[serde(default)]
        path: Vec<usize>,
        /// Its name.
        name: String,
        /// The value.
        value: String,
    },
    /// The value of an expression, in the notation of the source.
    Evaluate {
        /// The expression.
        expression: String,
        /// The frame, as an index of [`Request::SourceFrames`].
        #[serde(default)]
        frame: usize,
    },
    /// The files that the program was built from.
    SourceFiles,
    /// The text of a file that the program was built from.
    SourceText {
        /// Its path, or the end of it.
        path: String,
    },
    /// A part of the source.
    SourceLines {
        /// `FILE:LINE` or a function; without, where the program is.
        #[serde(default)]
        around: Option<String>,
        /// How many lines; 10 without.
        #[serde(default)]
        count: Option<u32>,
    },
    /// A stretch of memory.
    ReadMemory {
        /// The first address.
        address: u64,
        /// How many bytes.
        length: u64,
    },
    /// Writes a stretch of memory by hand.
    WriteMemory {
        /// The first address.
        address: u64,
        /// The bytes.
        bytes: Vec<u8>,
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
    /// The link to the device that the program runs on.
    Link,
    /// Lets the program run on by itself on its device, which records, and goes on here without.
    Detach,
    /// All names that a person may use, to complete words with.
    Names,

    /// The multiverse, from a place on.
    Tree {
        /// From where; from the start without.
        #[serde(default)]
        from: Option<PlaceRef>,
        /// How many rows at most; never more than 100,000.
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
        /// How many lines at most, the last ones; never more than 100,000.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// The choices on the way to a place, and what the program did.
    Universe {
        /// The place; here without.
        #[serde(default)]
        place: Option<PlaceRef>,
        /// How many choices at most, the last ones; never more than 100,000.
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
    /// The inputs of the program: every call that is known, and primitives before the first.
    Inputs,
    /// Removes mocks: one, those of a call, or all.
    Unmock {
        /// Its number, or the call as [`Request::Mock`] has it.
        #[serde(default)]
        id: Option<Which>,
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
        /// It only stops the program if this holds: an expression of the source, or a comparison
        /// of the machine's variables.
        #[serde(default)]
        condition: Option<String>,
        /// Which of its hits stop the program: `3` or `>= 3` for the third and all later ones,
        /// `== 3`, `< 3`, `% 3` for every third.
        #[serde(default)]
        hits: Option<String>,
        /// What to log instead of stopping; expressions in braces are replaced by their values.
        #[serde(default)]
        log: Option<String>,
        /// Whether it is removed once it has stopped the program.
        #[serde(default)]
        temporary: bool,
    },
    /// Says anew when a breakpoint stops the program. What is left out stays as it is; an empty
    /// text takes it away. Hits are counted from 0 again if they matter now.
    ChangeBreakpoint {
        /// Its number, or what it waits for.
        id: Which,
        /// As in [`Request::AddBreakpoint`].
        #[serde(default)]
        condition: Option<String>,
        /// As in [`Request::AddBreakpoint`].
        #[serde(default)]
        hits: Option<String>,
        /// As in [`Request::AddBreakpoint`].
        #[serde(default)]
        log: Option<String>,
    },
    /// Removes breakpoints: one, those that wait for something, or all.
    RemoveBreakpoint {
        /// Its number, or what it waits for as [`Request::AddBreakpoint`] has it.
        #[serde(default)]
        id: Option<Which>,
    },
    /// Switches breakpoints on or off.
    EnableBreakpoint {
        /// Its number, or what it waits for.
        id: Which,
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
                | SourceFrames
                | SourceVariables { .. }
                | Evaluate { .. }
                | SourceFiles
                | SourceText { .. }
                | SourceLines { .. }
                | ReadMemory { .. }
                | World
                | Disassemble { .. }
                | Info
                | Link
                | Names
                | Tree { .. }
                | TreeChanges { .. }
                | Log { .. }
                | Universe { .. }
                | Merged { .. }
                | Diff { .. }
                | Mocks
                | Inputs
                | Interrupts
                | Bookmarks
                | Breakpoints
                | ExportTrace
                | TraceOf { .. }
                | Coverage
        )
    }
}

/// Where variables of the source are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeRef {
    /// In a frame, as an index of [`Request::SourceFrames`].
    Frame(usize),
    /// Outside of functions.
    Globals,
    /// In the value of an expression.
    Expression {
        /// The expression.
        expression: String,
        /// The frame that it is evaluated in.
        frame: usize,
    },
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

/// A mock or a breakpoint that there is: what was set by name is found by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Which {
    /// By its number.
    Number(u32),
    /// By what a person wrote to set it: `chip_analog_read(12)`, `main.ts:12`, `watch total`. A
    /// primitive without arguments is meant with whatever arguments.
    Name(String),
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
    /// A line of the source.
    Line {
        /// The file: its path, or the end of it.
        file: String,
        /// The line, counted from 1.
        line: u32,
    },
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

impl From<u32> for Which {
    fn from(number: u32) -> Self {
        Which::Number(number)
    }
}

impl From<&str> for Which {
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| Which::Name(text.into()), Which::Number)
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
