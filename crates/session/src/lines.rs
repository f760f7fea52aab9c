//! Where lines begin while a program runs.
//!
//! A line begins where an activation of a function comes to another line than the one that it was
//! on. After a call it is still on the line of the call, whether the machine made that call or a
//! compiler put the callee's code in its place; so nobody ends up in the middle of a line, and a
//! loop on one line is one line.
//!
//! Invariant: whether a line begins depends on where an activation is and was last, on nothing
//! else. So it is the same whichever way one comes, and steps back visit what steps forward did.

use mw_source::{FileId, Sources};
use mw_vm::{Machine, Module, Op};

use crate::skips::SkipSet;

/// A line of a file.
type Line = (FileId, u32);

/// The lines of a module's instructions.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    /// For each instruction its spot, by a number one too large; 0 for none.
    spots: Vec<u32>,
    table: Vec<Spot>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    line: Line,
    /// The calls that it is in place of, outermost first: which, and the line of the call.
    calls: Vec<(u32, Option<Line>)>,
    /// Whether steps pass through it.
    skipped: bool,
}

impl LineMap {
    /// The lines of a module, by what is known of its sources and is to be passed through.
    pub fn new(module: &Module, sources: &Sources, skips: &SkipSet) -> LineMap {
        let mut map = LineMap { spots: Vec::with_capacity(module.code().len()), table: Vec::new() };
        let mut last = None;
        for pc in 0..module.code().len() as u32 {
            let offset = module.offset_of(pc);
            // Nothing that is written happens before the body begins.
            let is_body =
                |offset: &u32| sources.body_start(*offset).is_none_or(|start| start <= *offset);
            let found = offset.filter(is_body).and_then(|offset| sources.statement(offset));
            if let Some((start, at)) = found
                && last != Some(start)
            {
                last = Some(start);
                let line = |call: mw_source::Location| (call.file, call.line);
                let calls = sources.inlined_calls(start).into_iter();
                let calls = calls.map(|(scope, call)| (scope, call.map(line))).collect();
                let skipped = skips.covers(sources, at.file, start);
                map.table.push(Spot { line: (at.file, at.line), calls, skipped });
            }
            map.spots.push(found.map_or(0, |_| map.table.len() as u32));
        }
        map
    }

    /// Whether no line is known.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Whether there are lines that steps do not pass through.
    pub(crate) fn has_own_lines(&self) -> bool {
        self.table.iter().any(|spot| !spot.skipped)
    }

    fn spot(&self, pc: u32) -> Option<&Spot> {
        let number = *self.spots.get(pc as usize)?;
        self.table.get((number as usize).checked_sub(1)?)
    }

    /// How many calls a compiler has put the code in place of, here.
    fn inlined(&self, pc: Option<u32>) -> usize {
        pc.and_then(|pc| self.spot(pc)).map_or(0, |spot| spot.calls.len())
    }

    /// Whether steps pass through an instruction's line.
    fn is_skipped(&self, pc: u32) -> bool {
        self.spot(pc).is_some_and(|spot| spot.skipped)
    }

    /// Whether a line begins where an activation comes from one instruction to another, and how
    /// many inlined calls are around both.
    fn passes(&self, from: Option<u32>, to: u32) -> (bool, usize) {
        let there = self.spot(to);
        let Some(from) = from else { return (there.is_some(), 0) };
        let Some(here) = self.spot(from) else { return (there.is_some(), 0) };
        let Some(there) = there else { return (false, 0) };
        let same = here.calls.iter().zip(&there.calls).take_while(|(a, b)| a.0 == b.0).count();
        let begins = match there.calls.len() == same {
            true => {
                let left = here.calls.get(same);
                left.map_or(Some(here.line), |(_, call)| *call) != Some(there.line)
            }
            false => true,
        };
        (begins, same)
    }
}

/// What there is to say about an instruction that the machine comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    /// Whether a line begins with it.
    pub begins: bool,
    /// How many functions are under way, inlined ones included.
    pub level: usize,
    /// The fewest that were since the last visit.
    pub least: usize,
    /// Whether steps pass through its line.
    pub skipped: bool,
}

/// Follows a machine from line to line.
#[derive(Clone, Debug)]
pub(crate) struct LineTracker<'a> {
    map: &'a LineMap,
    activations: Vec<Activation>,
    is_tail_call: bool,
}

#[derive(Clone, Copy, Debug)]
struct Activation {
    /// The instruction that it was last seen at.
    pc: Option<u32>,
    /// How many functions are under way outside of it, inlined ones included.
    outside: usize,
}

impl<'a> LineTracker<'a> {
    /// Takes up a machine where it is, which counts as seen.
    pub fn new(map: &'a LineMap, machine: &Machine) -> Self {
        let mut tracker = LineTracker { map, activations: Vec::new(), is_tail_call: false };
        for frame in machine.call_stack().iter().rev() {
            tracker.enter();
            tracker.visit(frame.pc);
        }
        tracker
    }

    /// How many functions are under way, inlined ones included.
    pub fn level(&self) -> usize {
        let last = self.activations.last();
        last.map_or(0, |last| last.outside + 1 + self.map.inlined(last.pc))
    }

    /// Whether the machine is in code that steps pass through.
    pub fn is_skipped(&self) -> bool {
        let pc = self.activations.last().and_then(|last| last.pc);
        pc.is_some_and(|pc| self.map.is_skipped(pc))
    }

    /// The machine comes to an instruction.
    pub fn visit(&mut self, pc: u32) -> Visit {
        if self.activations.is_empty() {
            self.enter();
        }
        let Some(last) = self.activations.last_mut() else { unreachable!("one was entered") };
        let (begins, same) = self.map.passes(last.pc, pc);
        last.pc = Some(pc);
        let least = last.outside + 1 + same;
        Visit { begins, level: self.level(), least, skipped: self.map.is_skipped(pc) }
    }

    /// The machine is about to execute an instruction.
    pub fn instruction(&mut self, op: Op) {
        self.is_tail_call = matches!(op, Op::ReturnCall { .. } | Op::ReturnCallIndirect { .. });
    }

    /// It enters a function; says whether that is one more.
    pub fn call(&mut self) -> bool {
        if self.is_tail_call {
            self.activations.pop();
        }
        self.enter();
        !self.is_tail_call
    }

    fn enter(&mut self) {
        let outside = self.level();
        self.activations.push(Activation { pc: None, outside });
    }

    /// It leaves a function.
    pub fn ret(&mut self) {
        self.activations.pop();
    }

    /// It is known how deep calls are nested.
    pub fn at(&mut self, depth: usize) {
        self.activations.truncate(depth);
        while self.activations.len() < depth {
            self.enter();
        }
    }
}
