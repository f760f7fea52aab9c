//! One function: what may be in its frame before each block, as a fixed point.
//!
//! Blocks are looked at in reverse postorder, again whenever more may come to them; what comes to
//! the head of a loop is widened, so that this ends. Then it is narrowed: what comes to each block
//! is put together anew from what is known of those before it, which is right whatever is known as
//! long as that is. A function that would take too much is looked at once, with nothing known of
//! its frame.

use std::collections::{BTreeMap, BTreeSet};

use mw_vm::{Module, ValType};

use crate::blocks::Blocks;
use crate::range::Range;
use crate::walk::{Context, Found, Report, walk};

/// How often more may come to the head of a loop before it is widened, and before nothing is known.
const JOINED: u32 = 2;
const WIDENED: u32 = 16;
/// How often what is known is narrowed.
const NARROWED: u32 = 2;
/// The most slots before blocks that are kept, of one function.
const SLOTS: usize = 1 << 22;
/// How often a block is looked at, on average, before it is too much.
const LOOKS: usize = 40;

/// What may be in the frame before each block; `None` where control never comes.
type States = Vec<Option<Vec<Range>>>;

/// A function that has been looked at.
pub(crate) struct Function {
    index: u32,
    frame: u16,
    pub blocks: Blocks,
    states: States,
    /// Whether it was too much to be looked at closely.
    pub is_coarse: bool,
}

/// What all of a function comes to.
pub(crate) struct Total {
    pub returned: Option<Vec<Range>>,
    pub report: Report,
}

impl Function {
    /// Looks at a function that is not imported, with what is known of those that it calls.
    pub fn of(context: &Context<'_>, index: u32) -> Function {
        let module = context.module;
        let blocks = Blocks::of(module, index);
        let frame = module.func_code(index).frame;
        let mut function = Function {
            index,
            frame,
            states: vec![None; blocks.spans.len()],
            blocks,
            is_coarse: false,
        };
        let fits = function.blocks.spans.len().saturating_mul(frame.into()) <= SLOTS;
        if fits && function.ascend(context) {
            (0..NARROWED).for_each(|_| function.narrow(context));
        } else {
            function.is_coarse = true;
            function.states.fill(Some(Vec::new()));
        }
        function
    }

    /// What may be in the frame before each block that can be come to, by its first op.
    pub fn frames(self) -> BTreeMap<u32, Vec<Range>> {
        let firsts = self.blocks.spans.into_iter().map(|(first, _)| first);
        firsts.zip(self.states).filter_map(|(first, state)| Some((first, state?))).collect()
    }

    /// Whether a block can be come to.
    pub fn is_reached(&self, block: usize) -> bool {
        self.states[block].is_some()
    }

    /// What is in the frame at the start: any arguments, and locals that are zero.
    fn entry(&self, module: &Module) -> Vec<Range> {
        let params = module.func_code(self.index).params as usize;
        let types = module.local_types(self.index);
        let any = |(at, &ty): (usize, &ValType)| match at < params {
            true => Range::of_type(ty),
            false => Range::exact(0),
        };
        types.iter().enumerate().map(any).collect()
    }

    fn walk(&self, context: &Context<'_>, block: usize, report: Option<Report>) -> Option<Found> {
        let state = self.states[block].as_ref()?;
        Some(walk(context, self.frame, self.blocks.spans[block], state, report))
    }

    /// Lets states grow until nothing more comes. Says whether that came to an end.
    fn ascend(&mut self, context: &Context<'_>) -> bool {
        self.states[0] = Some(self.entry(context.module));
        let mut grown = vec![0u32; self.states.len()];
        let mut waiting = BTreeSet::from([0]);
        let mut looks = LOOKS.saturating_mul(self.states.len());
        while let Some(block) = waiting.pop_first() {
            if looks == 0 {
                return false;
            }
            looks -= 1;
            let Some(found) = self.walk(context, block, None) else { continue };
            for (pc, state) in found.edges {
                let Some(to) = self.blocks.at(pc) else { continue };
                let times = if self.blocks.is_head[to] { grown[to] } else { 0 };
                if grow(&mut self.states[to], state, times) {
                    grown[to] += 1;
                    waiting.insert(to);
                }
            }
        }
        true
    }

    /// Puts together anew what comes to each block. One whose predecessors have all been looked at
    /// is looked at with what is new; for the head of a loop that is not yet known.
    fn narrow(&mut self, context: &Context<'_>) {
        let mut next: States = vec![None; self.states.len()];
        next[0] = Some(self.entry(context.module));
        for block in 0..next.len() {
            if !self.blocks.is_head[block] {
                self.states[block] = next[block].clone();
            }
            let Some(found) = self.walk(context, block, None) else { continue };
            for (pc, state) in found.edges {
                if let Some(to) = self.blocks.at(pc) {
                    grow(&mut next[to], state, 0);
                }
            }
        }
        self.states = next;
    }

    /// Goes through all blocks once more: what is returned, and what is done.
    pub fn total(&self, context: &Context<'_>) -> Total {
        let mut total = Total { returned: None, report: Report::default() };
        for block in 0..self.states.len() {
            if !self.is_reached(block) {
                continue;
            }
            let report = std::mem::take(&mut total.report);
            let Some(found) = self.walk(context, block, Some(report)) else { continue };
            total.report = found.report.unwrap_or_default();
            let loops = |&(pc, _): &(u32, _)| self.blocks.at(pc).is_some_and(|to| to <= block);
            total.report.effects.terminates &= !found.edges.iter().any(loops);
            total.returned = joined(total.returned, found.returned);
        }
        total
    }
}

/// Adds what else may come to a block, after so many times. Says whether that is more than before.
fn grow(known: &mut Option<Vec<Range>>, more: Vec<Range>, times: u32) -> bool {
    let Some(known) = known else {
        *known = Some(more);
        return true;
    };
    let mut has_grown = false;
    for (old, new) in known.iter_mut().zip(more) {
        let all = old.join(new);
        if all == *old {
            continue;
        }
        has_grown = true;
        *old = if times < JOINED { all } else { old.widen(all) };
    }
    if has_grown && times >= WIDENED {
        known.fill(Range::ANY);
    }
    has_grown
}

/// What either of two ways may return.
pub(crate) fn joined(a: Option<Vec<Range>>, b: Option<Vec<Range>>) -> Option<Vec<Range>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect()),
        (one, other) => one.or(other),
    }
}
