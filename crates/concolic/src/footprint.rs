//! What a handler touches of what it shares with the program that it interrupts.
//!
//! Whether an interrupt arrives before or after an instruction makes no difference if neither of
//! the two writes what the other one touches: registers and the stack of the interrupted functions
//! are out of a handler's reach, so only what is named here counts.
//!
//! **Invariant:** what is not known is taken as touched. A footprint may be too large, never too
//! small.

use std::collections::BTreeMap;

use mw_vm::{Cell, Frame, Instruction, Limits, MemoryAccess, Reg};

/// Something that the program shares with its handlers, in which things have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// The bytes of a memory, by their addresses; behind them all, [its size](SIZE).
    Memory(u16),
    /// Globals, by their index.
    Globals,
    /// The elements of a table, as one.
    Table(u16),
    /// Segments that can be dropped, as one.
    Segments,
    /// How much more memories and tables may hold.
    Room,
    /// The blocks of memory that the program has announced, as one.
    Heap,
    /// The outside, as one.
    World,
    /// Which interrupts the program has asked for.
    Subscriptions,
    /// What is between tasks: messages, futures, who there is.
    Tasks,
    /// What a task knows of the turn that it is in: the message, and what begins and ends with it.
    Turn,
    /// What is looked for: when it may come to hold.
    Goal,
    /// The monitors of properties, by their position.
    Monitors,
}

/// Stands for the size of a memory, behind all of its bytes.
const SIZE: u64 = 1 << 63;

/// Something that an instruction or a call touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    pub space: Space,
    /// The first number, and the one after the last.
    pub start: u64,
    pub end: u64,
    pub writes: bool,
}

impl Touch {
    /// All of something.
    pub fn all(space: Space, writes: bool) -> Touch {
        Touch { space, start: 0, end: u64::MAX, writes }
    }

    /// Something is made of what there was of it.
    pub fn change(space: Space) -> [Touch; 2] {
        [Touch::all(space, false), Touch::all(space, true)]
    }

    fn bytes(memory: u16, start: u64, length: u64, writes: bool) -> Touch {
        Touch { space: Space::Memory(memory), start, end: start.saturating_add(length), writes }
    }
}

/// Numbers of some spaces: ranges that neither overlap nor touch, the end of each by its start.
type Ranges = BTreeMap<(Space, u64), u64>;

/// All that a handler touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    reads: Ranges,
    writes: Ranges,
    /// Whether it may be anything: the handler has not been followed to all of its ends.
    pub is_unknown: bool,
    /// How many calls it needs, and how many slots of the stack.
    depth: usize,
    slots: usize,
}

/// How an instruction and a handler get in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Whether the handler may do something else after the instruction than before it.
    pub changes_handler: bool,
}

impl Footprint {
    /// It touches this, too.
    pub fn add(&mut self, touch: Touch) {
        let Touch { space, mut start, mut end, writes } = touch;
        if start >= end {
            return;
        }
        let ranges = if writes { &mut self.writes } else { &mut self.reads };
        // All that overlap it or lie next to it become one with it.
        while let Some((&(_, from), &to)) =
            ranges.range((space, 0)..=(space, end)).next_back().filter(|(_, to)| **to >= start)
        {
            (start, end) = (start.min(from), end.max(to));
            ranges.remove(&(space, from));
        }
        ranges.insert((space, start), end);
    }

    /// It needs so many calls and so much of the stack.
    pub fn needs(&mut self, depth: usize, slots: usize) {
        (self.depth, self.slots) = (self.depth.max(depth), self.slots.max(slots));
    }

    /// Whether it matters which comes first, the handler or what touches this.
    pub fn conflict(&self, touch: Touch) -> Option<Conflict> {
        if self.is_unknown {
            return Some(Conflict { changes_handler: true });
        }
        let changes_handler = touch.writes && overlaps(&self.reads, touch);
        let conflicts = changes_handler || overlaps(&self.writes, touch);
        conflicts.then_some(Conflict { changes_handler })
    }

    /// Whether the handler does the same in the first moment of a turn as right before that turn.
    pub fn is_apart_from_turns(&self) -> bool {
        !self.is_unknown && !overlaps(&self.reads, Touch::all(Space::Turn, false))
    }

    /// Whether the handler may find no room where a function is executed in this frame.
    pub fn may_lack_room(&self, frame: &Frame<'_>, limits: &Limits) -> bool {
        frame.depth + self.depth >= limits.call_depth as usize
            || frame.start + frame.slots.len() + self.slots >= limits.stack_slots as usize
    }
}

fn overlaps(ranges: &Ranges, touch: Touch) -> bool {
    let Touch { space, start, end, .. } = touch;
    let last = ranges.range((space, 0)..(space, end)).next_back();
    last.is_some_and(|(_, to)| *to > start)
}

/// Says all that an instruction touches, but for what it does to the outside if it calls that.
/// Addresses that inputs have a say in are those of the whole memory. `looked_at` are cells that
/// somebody compares, one with the other.
pub fn touches(
    instruction: Instruction,
    frame: &Frame<'_>,
    limits: &Limits,
    looked_at: &[Cell],
    is_open: impl Fn(Reg) -> bool,
    mut touch: impl FnMut(Touch),
) {
    let at = |reg: Reg| u64::from(frame.slots[reg as usize] as u32);
    let mut bytes = |memory: u16, range: Option<(u64, u64)>, writes: bool| {
        let (start, length) = range.unwrap_or((0, SIZE));
        touch(Touch::bytes(memory, start, length, writes));
        // Whether it traps depends on that.
        touch(Touch::bytes(memory, SIZE, 1, false));
        if memory == 0 {
            touch(Touch::all(Space::Heap, false));
        }
        if writes && limits.resident_pages != u32::MAX {
            Touch::change(Space::Room).into_iter().for_each(&mut touch);
        }
        if writes && memory == 0 && looked_at.iter().any(|cell| cell.overlaps(start, length)) {
            touch(Touch::all(Space::Goal, true));
        }
    };
    let range = |start: Reg, length: Reg| Some((at(start), at(length)));
    match instruction {
        Instruction::Access(access) => {
            let MemoryAccess { address, memory, offset, size, is_load, .. } = access;
            let known = (!is_open(address)).then(|| (at(address) + u64::from(offset), size.into()));
            bytes(memory, known, !is_load);
        }
        Instruction::MemoryFill { base, memory } => bytes(memory, range(base, base + 2), true),
        Instruction::MemoryCopy { base, to, from } => {
            bytes(to, range(base, base + 2), true);
            bytes(from, range(base + 1, base + 2), false);
        }
        Instruction::MemoryInit { base, memory, .. } => {
            bytes(memory, range(base, base + 2), true);
            touch(Touch::all(Space::Segments, false));
        }
        Instruction::DataDrop { .. } | Instruction::ElemDrop { .. } => {
            touch(Touch::all(Space::Segments, true));
        }
        Instruction::MemorySize { memory, .. } => touch(Touch::bytes(memory, SIZE, 1, false)),
        // What was outside of it is within from then on.
        Instruction::MemoryGrow { memory, .. } => {
            change(Space::Memory(memory), &mut touch);
            change(Space::Room, &mut touch);
        }
        Instruction::GlobalGet { global, .. } | Instruction::GlobalSet { global, .. } => {
            let writes = matches!(instruction, Instruction::GlobalSet { .. });
            let number = u64::from(global);
            touch(Touch { space: Space::Globals, start: number, end: number + 1, writes });
            if writes && looked_at.contains(&Cell::Global(global)) {
                touch(Touch::all(Space::Goal, true));
            }
        }
        Instruction::CallIndirect { table, .. }
        | Instruction::ReturnCallIndirect { table, .. }
        | Instruction::TableGet { table, .. }
        | Instruction::TableSize { table, .. } => touch(Touch::all(Space::Table(table), false)),
        Instruction::TableSet { table, .. } | Instruction::TableFill { table, .. } => {
            change(Space::Table(table), &mut touch);
        }
        Instruction::TableCopy { to, from, .. } => {
            change(Space::Table(to), &mut touch);
            touch(Touch::all(Space::Table(from), false));
        }
        Instruction::TableInit { table, .. } => {
            change(Space::Table(table), &mut touch);
            touch(Touch::all(Space::Segments, false));
        }
        Instruction::TableGrow { table, .. } => {
            change(Space::Table(table), &mut touch);
            change(Space::Room, &mut touch);
        }
        // These are about registers, or about where to go on; the outside is for others.
        Instruction::Numeric(_)
        | Instruction::Unreachable {}
        | Instruction::Nop {}
        | Instruction::Copy { .. }
        | Instruction::Const { .. }
        | Instruction::Select { .. }
        | Instruction::Br { .. }
        | Instruction::BrIf { .. }
        | Instruction::BrUnless { .. }
        | Instruction::BrMoving { .. }
        | Instruction::BrIfMoving { .. }
        | Instruction::BrTable { .. }
        | Instruction::Return { .. }
        | Instruction::Call { .. }
        | Instruction::CallImport { .. }
        | Instruction::ReturnCall { .. }
        | Instruction::ReturnCallImport { .. }
        | Instruction::RefFunc { .. } => {}
    }
}

/// Something is made of what there was.
fn change(space: Space, touch: &mut impl FnMut(Touch)) {
    Touch::change(space).into_iter().for_each(touch);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn global(from: u64, to: u64, writes: bool) -> Touch {
        Touch { space: Space::Globals, start: from, end: to, writes }
    }

    #[test]
    fn only_what_one_writes_and_the_other_touches_is_in_the_way() {
        let mut handler = Footprint::default();
        handler.add(global(4, 5, false));
        handler.add(global(8, 9, true));
        let changes = |touch: Touch| handler.conflict(touch).map(|found| found.changes_handler);
        assert_eq!(changes(global(4, 5, false)), None);
        assert_eq!(changes(global(4, 5, true)), Some(true));
        assert_eq!(changes(global(8, 9, false)), Some(false));
        assert_eq!(changes(global(8, 9, true)), Some(false));
        for writes in [false, true] {
            assert_eq!(changes(global(5, 8, writes)), None);
            assert_eq!(changes(global(9, 100, writes)), None);
            assert_eq!(changes(Touch { space: Space::Memory(0), ..global(8, 9, writes) }), None);
        }
    }

    /// Against a set of numbers, one by one.
    #[test]
    fn ranges_that_meet_become_one() {
        let mut random = 1u64;
        for _ in 0..200 {
            let (mut footprint, mut plain) = (Footprint::default(), [false; 40]);
            for _ in 0..12 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let (start, length) = ((random >> 33) % 32, (random >> 43) % 8);
                footprint.add(global(start, start + length, true));
                plain[start as usize..(start + length) as usize].fill(true);
            }
            for (number, is_touched) in plain.into_iter().enumerate() {
                let touch = global(number as u64, number as u64 + 1, false);
                assert_eq!(footprint.conflict(touch).is_some(), is_touched, "{footprint:?}");
            }
            let ranges: Vec<_> =
                footprint.writes.iter().map(|((_, from), to)| (*from, *to)).collect();
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0), "{ranges:?}");
        }
    }
}
