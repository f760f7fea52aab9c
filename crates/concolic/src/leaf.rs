//! Where a path ends, and what is known of it then.

use std::collections::BTreeSet;
use std::sync::Arc;

use mw_vm::{TrapKind, Value};
use mw_world::{Domain, HeapError, Integers};
use serde::Serialize;

use crate::asked::Asked;
use crate::monitors::{Judged, Violation};
use crate::omitted::Omitted;
use crate::path::Outcome;
use crate::solver::from_slot;

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The program finished.
    Finished,
    /// It ended itself.
    Exited,
    /// It trapped.
    Trapped(TrapKind),
    /// It gave up, with this message.
    Aborted(String),
    /// It asserted something that does not hold.
    AssertionFailed,
    /// It misused memory that it had allocated.
    Heap(HeapError),
    /// Tasks wait for answers that others keep open, and nobody is left to give one.
    Deadlocked(String),
    /// Tasks wait for answers that nobody will give.
    Unanswered(String),
    /// Messages are left that nobody will handle.
    Unhandled(String),
    /// Tasks have come to a state in which they were before: they may go on like that for ever.
    Livelocked,
    /// It is where what was looked for is: followed no further.
    Reached,
    /// What was looked for cannot come any more: followed no further.
    OutOfReach,
    /// It was not explored further.
    Cut(Cut),
}

impl End {
    /// Whether the path was followed to its end.
    pub fn is_whole(&self) -> bool {
        !matches!(self, End::Reached | End::Cut(_))
    }

    /// Whether no instruction comes next: the program has returned, or no task has a turn.
    pub fn is_between_turns(&self) -> bool {
        match self {
            End::Finished
            | End::Deadlocked(_)
            | End::Unanswered(_)
            | End::Unhandled(_)
            | End::Livelocked => true,
            End::Exited
            | End::Trapped(_)
            | End::Aborted(_)
            | End::AssertionFailed
            | End::Heap(_)
            | End::Reached
            | End::OutOfReach
            | End::Cut(_) => false,
        }
    }

    /// Whether something went wrong on the path.
    pub fn is_failure(&self) -> bool {
        self.is_whole() && !matches!(self, End::Finished | End::Exited | End::OutOfReach)
    }
}

/// Why a path was not explored further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// As many instructions as allowed were executed.
    Instructions,
    /// As many inputs as allowed were read.
    Inputs,
    /// As many paths as allowed were found.
    Paths,
    /// A loop made as many turns as allowed.
    Turns,
    /// Tasks had as many turns as allowed.
    Schedule,
    /// An address or another number has more values than allowed.
    Values,
    /// The time was over.
    Time,
    /// As much memory was held as allowed.
    Memory,
    /// No solver could say whether the path is possible.
    Unknown,
    /// Somebody stopped it.
    Cancelled,
    /// What was looked for had been found, elsewhere.
    Found,
    /// A property is violated, and paths are followed only while they hold.
    Violated,
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Cut::Instructions => "instruction bound",
            Cut::Inputs => "input bound",
            Cut::Paths => "path bound",
            Cut::Turns => "loop bound",
            Cut::Schedule => "turn bound",
            Cut::Values => "more addresses or values than the bound",
            Cut::Time => "time bound",
            Cut::Memory => "memory bound",
            Cut::Unknown => "unknown: the solver gave no answer in time",
            Cut::Cancelled => "cancelled",
            Cut::Found => "another path is what was looked for",
            Cut::Violated => "a property is violated",
        })
    }
}

/// The values of an input that take a path, those read before being what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// Somebody has decided what it returns.
    Mocked,
    /// Any value of its domain: it does not matter.
    Any(Domain),
    /// These and no others.
    Exact(Arc<Integers>),
    /// The example, and perhaps others: which has not been found out, or cannot be said.
    Example,
    /// There are no values: it happens.
    Happens,
}

/// Something that was decided on the way to a leaf: mostly an input that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// After how many instructions.
    pub count: u64,
    /// The program that runs, by its number.
    pub program: u16,
    /// The instruction that comes next: the call of the input, or what is interrupted.
    pub pc: u32,
    /// What was decided.
    pub asked: Asked,
    /// A value that takes the path; none of an event, which happens.
    pub value: Option<Value>,
    /// What came with it, if it was mocked so.
    pub bytes: Option<Arc<[u8]>>,
    /// All that do.
    pub class: Class,
    /// Whether the class does not depend on the values of other inputs.
    pub independent: bool,
    /// What the program had put out since the reading before, and the state it was in, as a hash.
    pub behaviour: u128,
}

/// A decision on the way to a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The program that it is an instruction of, by its number.
    pub program: u16,
    /// The instruction.
    pub pc: u32,
    /// After how many instructions.
    pub count: u64,
    /// How it went.
    pub outcome: Outcome,
    /// What holds since, with inputs named `input 1` and so on in the order of reading.
    pub text: Arc<str>,
}

/// The end of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// How it ended.
    pub end: End,
    /// The program that ran last, by its number.
    pub program: u16,
    /// Where: the instruction, if it has not finished.
    pub pc: Option<u32>,
    /// The calls under way there, innermost first, if something went wrong.
    pub callers: Vec<u32>,
    /// After how many instructions.
    pub count: u64,
    /// The inputs on the way, and what happened by itself.
    pub steps: Vec<Step>,
    /// How many more there are before them, of which nothing is told.
    pub untold: usize,
    /// The decisions on the way.
    pub conditions: Vec<Condition>,
    /// How many combinations of inputs take the path, if that could be counted.
    pub inputs: Option<u128>,
    /// What the program had put out since the last reading, and the state it was in, as a hash.
    pub behaviour: u128,
    /// What could have happened on the way and was not explored.
    pub omitted: BTreeSet<Omitted>,
    /// What can be said of each property.
    pub judged: Arc<[Judged]>,
}

impl Leaf {
    /// How properties were violated on the way: which, and how.
    pub fn violations(&self) -> impl Iterator<Item = (usize, &Violation)> {
        let judged = self.judged.iter().enumerate();
        judged.filter_map(|(which, judged)| Some((which, &**judged.violation.as_ref()?)))
    }
}

/// The integer that an input's value is, for whoever compares paths.
pub fn integer(value: Value) -> i64 {
    from_slot(value.ty(), value.to_slot())
}
