//! Whether a breakpoint that is come to stops the program: its condition, its hits, its log.
//!
//! Forward, this is decided where the program stops. Backward, a stretch of the past is replayed
//! first, and its hits are taken in the opposite order afterwards; so what a log says is put
//! together on the way.

use std::collections::VecDeque;

use mw_ensemble::Moment;
use mw_source::{EvaluateError, Frame, MachineFrame, Sources};
use mw_vm::{Machine, Status};
use mw_world::Call;

use crate::breakpoints::{Breakpoint, BreakpointId, BreakpointSet};
use crate::drive::Drive;
use crate::program::Programs;
use crate::session::Session;
use crate::step::{Hits, Met, Stops};

/// What a breakpoint says instead of stopping the program, or besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// How many instructions had been executed.
    pub count: u64,
    /// What it says.
    pub text: String,
}

/// What has been logged since somebody last asked; the newest, if it is too much.
#[derive(Debug, Default)]
pub(crate) struct Log(VecDeque<Logged>);

/// A breakpoint that was come to in a stretch of the past.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    /// Where one arrives if it stops the program.
    pub count: u64,
    pub id: BreakpointId,
    log: Option<String>,
}

/// More than this is not kept for whoever asks what was logged.
const LOG_LIMIT: usize = 10_000;

impl Session {
    /// Takes what breakpoints, and runs by suggestions, have logged since this was last asked.
    pub fn take_logged(&mut self) -> Vec<Logged> {
        std::mem::take(&mut self.log.0).into()
    }

    pub(crate) fn say(&mut self, count: u64, text: String) {
        if self.log.0.len() == LOG_LIMIT {
            self.log.0.pop_front();
        }
        self.log.0.push_back(Logged { count, text });
    }

    /// Whoever decides which breakpoints are come to.
    pub(crate) fn judge(&self) -> Judge<'_> {
        self.judge_of(self.breakpoints())
    }

    /// The same, of breakpoints that are not the session's.
    pub(crate) fn judge_of<'a>(&'a self, breakpoints: &'a BreakpointSet) -> Judge<'a> {
        Judge { breakpoints, programs: &self.programs, said: Vec::new() }
    }

    /// Decides something about the breakpoints here; what is to be said about that is said.
    pub(crate) fn judged<R>(&mut self, decide: impl FnOnce(&mut Judge<'_>, &Moment) -> R) -> R {
        let mut judge = self.judge();
        let decided = decide(&mut judge, &self.walk.now);
        let said = judge.said;
        self.say_all(said);
        decided
    }

    pub(crate) fn say_all(&mut self, said: Vec<Logged>) {
        said.into_iter().for_each(|Logged { count, text }| self.say(count, text));
    }

    /// The first of breakpoints come to here that stops the program; counts all of their hits.
    pub(crate) fn admitted(&mut self, ids: &[BreakpointId]) -> Option<BreakpointId> {
        let count = self.walk.now.machine.count();
        let mut first = None;
        for &id in ids {
            let log = self.judge().log_of(id, &self.walk.now.machine);
            if self.admits(&Passed { count, id, log }) {
                first = first.or(Some(id));
            }
        }
        first
    }

    /// The last of breakpoints come to in the past that stops the program; counts the hits up to
    /// there.
    pub(crate) fn last_admitted(&mut self, passed: Vec<Passed>) -> Option<Passed> {
        let mut last: Option<Passed> = None;
        for passed in passed.into_iter().rev() {
            if last.as_ref().is_some_and(|last| last.count != passed.count) {
                break;
            }
            if self.admits(&passed) {
                last.get_or_insert(passed);
            }
        }
        last
    }

    /// Takes a hit; says whether it stops the program.
    fn admits(&mut self, passed: &Passed) -> bool {
        if passed.id == BreakpointId::VIOLATION {
            return true;
        }
        let Some(breakpoint) = self.breakpoints_mut().hit(passed.id) else { return false };
        let admits = breakpoint.hits.is_none_or(|rule| rule.admits(breakpoint.passed));
        match &passed.log {
            Some(text) if admits => {
                self.say(passed.count, text.clone());
                false
            }
            _ => admits,
        }
    }
}

/// Decides which breakpoints a machine has come to, whoever drives it.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    breakpoints: &'a BreakpointSet,
    programs: &'a Programs,
    /// What a person should know about that.
    pub said: Vec<Logged>,
}

impl Judge<'_> {
    /// Of breakpoints that are come to, those whose conditions hold.
    pub fn holding(
        &mut self,
        now: &Moment,
        ids: impl IntoIterator<Item = BreakpointId>,
    ) -> Vec<BreakpointId> {
        ids.into_iter().filter(|id| self.condition_holds(now, *id)).collect()
    }

    fn condition_holds(&mut self, now: &Moment, id: BreakpointId) -> bool {
        let Some(breakpoint) = self.breakpoints.get(id) else { return false };
        let current = now.ensemble.as_deref().map(|ensemble| ensemble.current());
        if breakpoint.task.is_some() && breakpoint.task != current {
            return false;
        }
        let Some(condition) = &breakpoint.condition else { return true };
        let machine = &now.machine;
        condition.holds(&self.programs.program_of(machine).sources, machine).unwrap_or_else(
            |error| {
                // Better to stop once too often than to keep silent.
                let text = format!("breakpoint {}: `{condition}`: {error}", id.0);
                self.said.push(Logged { count: machine.count(), text });
                true
            },
        )
    }

    /// The breakpoints before the next instruction, or before the call of a primitive that it is,
    /// whose conditions hold.
    pub fn hits_here(&mut self, now: &Moment, stops: &Stops) -> Vec<BreakpointId> {
        let machine = &now.machine;
        if !matches!(machine.status(), Status::Running | Status::Importing(_)) {
            return Vec::new();
        }
        let program = self.programs.number_of(machine) as u16;
        let in_code = self.breakpoints.at(program, machine);
        let called = machine
            .import_call()
            .map(|(import, args)| stops.matching(now, Call { import, args: &args }, None));
        self.holding(now, in_code.into_iter().chain(called.unwrap_or_default()))
    }

    /// Which of the breakpoints that driving has come to hold.
    pub fn hits(&mut self, now: &Moment, drive: &Drive, met: Met, stops: &Stops) -> Hits {
        let mut hits = Hits::default();
        match drive {
            Drive::Probe => hits.written = self.holding(now, met.written),
            Drive::Primitive | Drive::Turn => hits.returned = self.holding(now, met.returned),
            Drive::Breakpoint | Drive::News => {}
            _ => return hits,
        }
        hits.before = self.hits_here(now, stops);
        hits
    }

    /// Notes breakpoints that are come to in the past. What comes before one that stops the
    /// program in any case does not matter any more.
    pub fn note(
        &self,
        machine: &Machine,
        passed: &mut Vec<Passed>,
        count: u64,
        ids: &[BreakpointId],
    ) {
        let is_plain = |id: &BreakpointId| {
            let known = self.breakpoints.get(*id);
            known.is_some_and(|b| b.hits.is_none() && b.log.is_none())
                || *id == BreakpointId::VIOLATION
        };
        if ids.iter().any(is_plain) {
            passed.clear();
        }
        // They are taken from the end.
        let noted = ids.iter().rev().map(|&id| Passed { count, id, log: self.log_of(id, machine) });
        passed.extend(noted);
    }

    /// What a breakpoint logs here: its text, with the values of the expressions in braces.
    pub fn log_of(&self, id: BreakpointId, machine: &Machine) -> Option<String> {
        let log = self.breakpoints.get(id).and_then(|Breakpoint { log, .. }| log.as_deref())?;
        let mut shown = String::new();
        let mut rest = log;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((expression, after)) = after.split_once('}') else { break };
            shown.push_str(before);
            let value = self.in_source(machine, |sources, frame, storage| {
                sources.evaluate(expression, frame, storage)
            });
            match value {
                Some(Ok(value)) => shown.push_str(&value.value),
                Some(Err(error)) => shown.push_str(&format!("<{error}>")),
                None => shown.push_str("<no function is being executed>"),
            }
            rest = after;
        }
        Some(shown + rest)
    }

    /// Evaluates something in the innermost function.
    fn in_source<T>(
        &self,
        machine: &Machine,
        evaluate: impl FnOnce(&Sources, &Frame, &MachineFrame<'_>) -> Result<T, EvaluateError>,
    ) -> Option<Result<T, EvaluateError>> {
        let sources = &*self.programs.program_of(machine).sources;
        let pc = machine.call_stack().first()?.pc;
        let frames = sources.frames(machine.module().offset_of(pc)?);
        Some(evaluate(sources, frames.first()?, &MachineFrame::new(machine, 0)))
    }
}
