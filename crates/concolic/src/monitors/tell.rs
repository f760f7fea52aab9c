//! Telling monitors what has happened on a path.

use std::sync::Arc;

use mw_ensemble::{Due, DueEvent};
use mw_monitor::{Automaton, Deadline, EventId, Moved, Point, Span, When, expire, step};
use mw_vm::NumericOp::I64GtS;
use mw_vm::ValType;

use super::number::{Symbolic, Undecided};
use super::{Guard, Told, Watching};
use crate::decide::Branch;
use crate::explore::Explorer;
use crate::expr::Exprs;
use crate::footprint::{Space, Touch};
use crate::goal::Goal;
use crate::leaf::{Cut, End};
use crate::path::{Outcome, Path};
use crate::stop::Stop;

impl Explorer {
    /// Tells monitors what has happened, and makes a path for each way that this can go. Says so if
    /// the path ends here.
    pub(crate) fn tell_monitors(
        &mut self,
        path: &mut Path,
        stop: &Stop,
    ) -> Result<Option<End>, Cut> {
        while let Some(due) = path.now.monitors.as_deref().and_then(|m| m.due()).cloned() {
            let end = match self.tell_one(path, &due) {
                Ok(()) => self.judge(path),
                Err(undecided) => self.find_out(path, &due, undecided, stop)?,
            };
            if end.is_some() {
                return Ok(end);
            }
        }
        Ok(None)
    }

    /// Finds out what has to be known before a monitor can be told something.
    fn find_out(
        &mut self,
        path: &mut Path,
        due: &Due,
        undecided: Undecided,
        stop: &Stop,
    ) -> Result<Option<End>, Cut> {
        let decide = |path: &mut Path, expr, slot| {
            if let Some(watching) = &mut path.watching {
                watching.decided.push((expr, slot));
            }
        };
        match undecided {
            Undecided::Truth(condition) => {
                let pc = path.now.machine.pc();
                let guard = guard(path, due);
                let not = self.exprs.not(condition);
                let branches = [(condition, true), (not, false)].map(|(condition, holds)| Branch {
                    condition,
                    outcome: Outcome::Guard(guard, holds),
                    next_pc: pc,
                });
                self.decide(path, (&branches, None), stop, |path, outcome| {
                    let holds = matches!(outcome, Outcome::Guard(_, true));
                    decide(path, condition, holds.into());
                })
            }
            Undecided::Number(expr) => {
                let ty = self.exprs.ty(expr);
                self.settle(path, expr, ty, stop, |path, slot| decide(path, expr, slot))
            }
        }
    }

    /// Tells a monitor what comes next.
    fn tell_one(&mut self, path: &mut Path, due: &Due) -> Result<(), Undecided> {
        let Some(mut watching) = path.watching.take() else { return Ok(()) };
        let told = match due {
            Due::Keep(number) => {
                watching.keep(path, *number);
                Ok(None)
            }
            Due::Time(which) => {
                watching.expire(path, &mut self.exprs, *which).map(|moved| Some((*which, moved)))
            }
            Due::Event(event) => watching
                .happen(path, &mut self.exprs, event)
                .map(|moved| Some((event.which, moved))),
        };
        let told = match told {
            Ok(told) => told,
            Err(undecided) => {
                path.watching = Some(watching);
                return Err(undecided);
            }
        };
        if let Some((which, moved)) = told {
            self.touch_monitor(path, which, !moved.is_empty());
            watching.note(path, which, due, &moved);
        }
        watching.decided.clear();
        let deadlines: Vec<Deadline> =
            watching.states.iter().map(|state| state.deadline()).collect();
        if let Some(monitors) = path.now.monitors.as_deref_mut() {
            monitors.told(deadlines);
        }
        path.watching = Some(watching);
        Ok(())
    }

    /// What comes of what monitors were told: whether the path is followed any further.
    fn judge(&mut self, path: &mut Path) -> Option<End> {
        // What a handler does that is tried out has not happened.
        if self.trial.is_some() {
            return None;
        }
        let watching = path.watching.as_deref_mut()?;
        let has_come = std::mem::take(&mut watching.has_come);
        match &self.goal {
            Some(Goal::Property(goal)) => {
                let is_it = |(which, to)| goal.which == which && goal.states.contains(&to);
                if has_come.into_iter().any(is_it) {
                    return Some(End::Reached);
                }
                (!watching.can_reach(goal.which, &goal.states)).then_some(End::OutOfReach)
            }
            _ if self.while_holds && watching.is_violated() => Some(End::Cut(Cut::Violated)),
            _ => None,
        }
    }

    /// A monitor was told something: whether an interrupt arrives before or after that matters if
    /// its handler has to do with the same.
    fn touch_monitor(&mut self, path: &mut Path, which: usize, moves: bool) {
        if !path.arrivals.is_watching() {
            return;
        }
        let (start, end) = (which as u64, which as u64 + 1);
        let touches =
            [false, true].map(|writes| Touch { space: Space::Monitors, start, end, writes });
        let count = path.now.machine.count();
        for touch in touches.into_iter().filter(|touch| moves || !touch.writes) {
            if let Some(trial) = &mut self.trial {
                trial.add(touch);
            }
            path.arrivals.touched(touch, count);
        }
    }
}

/// What a decision for a monitor is about.
fn guard(path: &Path, due: &Due) -> Guard {
    let (which, event) = match due {
        Due::Event(event) => (event.which, path.watching.as_deref().map(|w| w.event_of(event).0)),
        Due::Time(which) => (*which, None),
        Due::Keep(_) => (0, None),
    };
    Guard { which: which as u16, event }
}

impl Watching {
    fn event_of(&self, due: &DueEvent) -> EventId {
        self.automata[due.which].watches()[due.watch].event
    }

    /// Keeps what inputs have a say in of the parameters of the function under way.
    fn keep(&mut self, path: &Path, number: u32) {
        let machine = &path.now.machine;
        let params = machine
            .call_stack()
            .first()
            .map_or(0, |frame| usize::from(machine.module().func_code(frame.func).params));
        let start = machine.frame_start();
        let of: Vec<_> = (start..start + params).map(|slot| path.shadow.stack.get(slot)).collect();
        if of.iter().any(Option::is_some) {
            self.kept.insert(number, of.into());
        }
    }

    /// When it is, for a property.
    fn when(
        &self,
        path: &Path,
        exprs: &mut Exprs,
        automaton: &Automaton,
    ) -> Result<When, Undecided> {
        let when = path.now.when();
        let by_clock = |span: Option<Span>| matches!(span, Some(Span::Microseconds(_)));
        let Some(clock) = path.clock else { return Ok(when) };
        if !automaton.states().iter().any(|state| by_clock(state.within)) {
            return Ok(when);
        }
        let time = clock.time();
        let decided = self.decided.iter().find(|(of, _)| *of == time).map(|(_, slot)| *slot);
        match exprs.as_const(time).or(decided) {
            Some(clock) => Ok(When { clock, ..when }),
            None => Err(Undecided::Number(time)),
        }
    }

    /// Time may have run out.
    fn expire(
        &mut self,
        path: &Path,
        exprs: &mut Exprs,
        which: usize,
    ) -> Result<Moved<Symbolic>, Undecided> {
        let automaton = self.automata[which].clone();
        // Most of the time it is enough to know that it has not.
        if let (Some(clock), Some(last)) = (path.clock, self.states[which].deadline().clock) {
            let last = exprs.constant(ValType::I64, last);
            let is_over = exprs.binary(I64GtS, clock.time(), last);
            let decided = self.decided.iter().find(|(of, _)| *of == is_over).map(|(_, slot)| *slot);
            match exprs.as_const(is_over).or(decided) {
                None => return Err(Undecided::Truth(is_over)),
                Some(0) => {
                    let mut state = self.states[which].clone();
                    // By the count of instructions alone.
                    let when = When { clock: 0, ..path.now.when() };
                    let moved = expire(&automaton, &mut state, when, &mut self.computing(exprs))?;
                    self.states[which] = state;
                    return Ok(moved);
                }
                Some(_) => {}
            }
        }
        let when = self.when(path, exprs, &automaton)?;
        let mut state = self.states[which].clone();
        let mut computing = self.computing(exprs);
        let moved = expire(&automaton, &mut state, when, &mut computing)?;
        match computing.undecided {
            Some(undecided) => Err(undecided),
            None => {
                self.states[which] = state;
                Ok(moved)
            }
        }
    }

    /// An event has happened.
    fn happen(
        &mut self,
        path: &Path,
        exprs: &mut Exprs,
        due: &DueEvent,
    ) -> Result<Moved<Symbolic>, Undecided> {
        let (automaton, event) = (self.automata[due.which].clone(), self.event_of(due));
        let mut state = self.states[due.which].clone();
        let point = &automaton.watches()[due.watch].point;
        let is_over = matches!(point, Point::End | Point::Trap);
        // What nobody waits for needs no values.
        let values = match state.needed().contains(event) {
            true => self.values(path, exprs, due)?,
            false => vec![None; automaton.event(event).parameters.len()],
        };
        let when = self.when(path, exprs, &automaton)?;
        let mut computing = self.computing(exprs);
        let moved = step(&automaton, &mut state, event, &values, when, &mut computing)?;
        if let Some(undecided) = computing.undecided {
            return Err(undecided);
        }
        if !is_over {
            let slice =
                automaton.slice_of(event, |parameter| match values.get(usize::from(parameter)) {
                    Some(Some(Symbolic::Known(number))) => Some(*number),
                    _ => None,
                });
            self.told.push(Told { which: due.which, slice, moves: !moved.is_empty() });
        }
        self.states[due.which] = state;
        Ok(moved)
    }

    /// Notes what came of it.
    fn note(&mut self, path: &Path, which: usize, due: &Due, moved: &Moved<Symbolic>) {
        let automaton = &self.automata[which];
        let event = match due {
            Due::Event(event) => Some(automaton.watches()[event.watch].event),
            Due::Time(_) | Due::Keep(_) => None,
        };
        for change in &moved.changes {
            self.has_come.push((which, change.to));
            let is_violation = |state| automaton.state(state).is_violation();
            if is_violation(change.to)
                && !is_violation(change.from)
                && self.violations[which].is_none()
            {
                let (states, by) = ((change.from, change.to), Some(change.transition));
                let violation = path.violation(event, &change.instance, states, by);
                self.violations[which] = Some(Arc::new(violation));
            }
        }
    }
}
