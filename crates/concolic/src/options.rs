//! How far to explore, and in which order.

use std::time::Duration;

/// How far to explore. What is cut off is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Instructions on one path, from the start of the exploration.
    pub instructions: u64,
    /// Inputs that are explored on one path.
    pub inputs: usize,
    /// Interrupts that arrive on one path.
    pub interrupts: u32,
    /// Paths.
    pub paths: usize,
    /// How often one path decides at the same instruction: turns of a loop.
    pub turns: u32,
    /// Turns of tasks on one path.
    pub schedule: usize,
    /// Addresses or other numbers that one expression is resolved to.
    pub values: usize,
    /// Time in all, finding out which values take the paths included.
    pub time: Duration,
    /// Time for one question to a solver.
    pub solver_time: Duration,
    /// Bytes that may be held: by waiting paths, by what has been found, and by what is known.
    pub memory: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            instructions: 10_000_000,
            inputs: 1_000,
            interrupts: 1,
            paths: 1_000,
            turns: 1_000,
            schedule: 1_000,
            values: 256,
            time: Duration::from_secs(10),
            solver_time: Duration::from_secs(2),
            memory: 1 << 30,
        }
    }
}

/// Which of the waiting paths comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// The newest and the oldest by turns, each for a while: paths come to their ends, and none
    /// waits for ever behind another.
    #[default]
    Fair,
    /// The newest: one path after the other to its end.
    DepthFirst,
    /// The oldest: all paths side by side.
    BreadthFirst,
    /// One that goes where none has been yet.
    CoverageFirst,
    /// Any, by a generator that starts at this number.
    Random(u64),
    /// The one that is nearest to one of these instructions.
    Towards(Vec<u32>),
}
