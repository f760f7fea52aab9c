//! What is known of every function of a module.

use std::collections::BTreeMap;

use mw_vm::{Func, Module, TrapKind};

use crate::calls::Groups;
use crate::effects::{Effects, Traps};
use crate::function::{Function, joined};
use crate::outside::Outside;
use crate::range::Range;
use crate::walk::{Context, Report};

/// How often what functions return that call one another may grow before it is widened, and before
/// it is anything.
const JOINED: u32 = 2;
const WIDENED: u32 = 6;

/// An instruction that may trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// Where it is in the step code.
    pub pc: u32,
    /// In which ways it may trap.
    pub traps: Traps,
}

/// What every call of a function keeps to, whatever its arguments.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What it returns; `None` if it never does.
    pub results: Option<Vec<Range>>,
    /// What it and what it calls may do.
    pub effects: Effects,
    /// Its own instructions that may trap.
    pub alarms: Vec<Alarm>,
    /// Its own instructions that are never executed: the first one, and the end.
    pub unreached: Vec<(u32, u32)>,
    /// Whether it can come to call itself.
    pub is_recursive: bool,
    /// Whether it was too large to be looked at closely, so that little is known.
    pub is_coarse: bool,
}

/// The summaries of a module's functions.
pub struct Summaries<'m> {
    context: Context<'m>,
    functions: Vec<Summary>,
}

impl<'m> Summaries<'m> {
    /// Looks at all functions of a module.
    pub fn of(module: &'m Module) -> Summaries<'m> {
        let outside = Outside::of(module);
        let groups = Groups::of(module, &outside);
        let nodes = module.funcs().len() + module.types().len();
        let context = Context { module, outside, returns: vec![None; nodes] };
        let mut builder = Builder { context, summaries: BTreeMap::new() };
        for (group, &is_recursive) in groups.members.iter().zip(&groups.is_recursive) {
            builder.group(group, is_recursive);
        }
        let mut summaries = builder.summaries;
        let functions = (0..module.funcs().len()).filter_map(|index| summaries.remove(&index));
        Summaries { functions: functions.collect(), context: builder.context }
    }

    /// The summary of a function, imported or not.
    pub fn get(&self, func: u32) -> Option<&Summary> {
        self.functions.get(func as usize)
    }

    /// What may be in a function's frame before the first instruction of each of its blocks, for
    /// those slots of which something is known; a block that control never comes to is missing.
    pub fn frames(&self, func: u32) -> BTreeMap<u32, Vec<Range>> {
        match self.context.module.funcs().get(func as usize) {
            Some(Func { import: None, .. }) => Function::of(&self.context, func).frames(),
            _ => BTreeMap::new(),
        }
    }
}

struct Builder<'m> {
    context: Context<'m>,
    /// Of functions and of indirect calls, numbered as [`Context::returns`].
    summaries: BTreeMap<usize, Summary>,
}

impl Builder<'_> {
    /// Functions that call one another: what they return grows until none of them returns more.
    fn group(&mut self, members: &[usize], is_recursive: bool) {
        let mut grown = vec![0; members.len()];
        loop {
            let mut is_settled = true;
            for (&member, grown) in members.iter().zip(&mut grown) {
                let returned = self.returned(member);
                if self.returns(member, returned, *grown) {
                    *grown += 1;
                    is_settled = false;
                }
            }
            if is_settled || !is_recursive {
                break;
            }
        }
        let reports: Vec<(usize, Summary, Vec<usize>)> =
            members.iter().map(|&member| self.report(member, is_recursive)).collect();
        // Whatever one of them does, all of them may.
        let mut all = Effects { terminates: !is_recursive, ..Effects::default() };
        for (_, summary, calls) in &reports {
            all.add(&summary.effects);
            for callee in calls {
                if let Some(callee) = self.summaries.get(callee) {
                    all.add(&callee.effects);
                }
            }
        }
        for (member, summary, _) in reports {
            let effects = all.clone();
            self.summaries.insert(member, Summary { effects, ..summary });
        }
    }

    /// The function that a number means, unless it is an indirect call; and whether it is imported.
    fn function(&self, member: usize) -> Option<(u32, bool)> {
        let func = self.context.module.funcs().get(member)?;
        Some((member as u32, func.import.is_some()))
    }

    /// What may be returned, by what is known.
    fn returned(&self, member: usize) -> Option<Vec<Range>> {
        let module = self.context.module;
        match self.function(member) {
            Some((_, true)) => {
                let types = &module.func_type(&module.funcs()[member]).results;
                Some(types.iter().map(|&ty| Range::of_type(ty)).collect())
            }
            Some((func, false)) => {
                let function = Function::of(&self.context, func);
                function.total(&self.context).returned
            }
            None => {
                let ty = (member - module.funcs().len()) as u32;
                let candidates = self.context.outside.candidates(module, ty);
                candidates
                    .fold(None, |all, callee| joined(all, self.context.returns[callee].clone()))
            }
        }
    }

    /// Adds what may be returned. Says whether that is more than before.
    fn returns(&mut self, member: usize, returned: Option<Vec<Range>>, times: u32) -> bool {
        let known = &mut self.context.returns[member];
        let (Some(old), Some(new)) = (&mut *known, &returned) else {
            let is_more = known.is_none() && returned.is_some();
            if is_more {
                *known = returned;
            }
            return is_more;
        };
        let mut has_grown = false;
        for (old, &new) in old.iter_mut().zip(new) {
            let all = old.join(new);
            if all != *old {
                has_grown = true;
                *old = match times {
                    ..JOINED => all,
                    JOINED..WIDENED => old.widen(all),
                    WIDENED.. => Range::ANY,
                };
            }
        }
        has_grown
    }

    /// What a member does by itself, and what it calls.
    fn report(&self, member: usize, is_recursive: bool) -> (usize, Summary, Vec<usize>) {
        let module = self.context.module;
        let mut summary = Summary {
            results: self.context.returns[member].clone(),
            effects: Effects::default(),
            alarms: Vec::new(),
            unreached: Vec::new(),
            is_recursive,
            is_coarse: false,
        };
        let calls = match self.function(member) {
            Some((func, true)) => {
                summary.effects.primitives.insert(func);
                summary.effects.traps = Traps::of(TrapKind::Host);
                Vec::new()
            }
            Some((func, false)) => {
                let function = Function::of(&self.context, func);
                let Report { effects, alarms, calls } = function.total(&self.context).report;
                summary.effects = effects;
                summary.alarms = alarms;
                summary.unreached = unreached(&function);
                summary.is_coarse = function.is_coarse;
                calls
            }
            None => {
                let ty = (member - module.funcs().len()) as u32;
                self.context.outside.candidates(module, ty).collect()
            }
        };
        (member, summary, calls)
    }
}

/// Blocks that control never comes to, those that follow one another as one.
fn unreached(function: &Function) -> Vec<(u32, u32)> {
    let blocks = function.blocks.spans.iter().enumerate();
    let mut spans: Vec<(u32, u32)> =
        blocks.filter(|&(block, _)| !function.is_reached(block)).map(|(_, &span)| span).collect();
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let follows = last.1 == next.0;
        if follows {
            last.1 = next.1;
        }
        follows
    });
    spans
}
