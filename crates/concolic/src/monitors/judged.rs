//! What can be said of a property at the end of a path.

use std::sync::Arc;

use mw_monitor::{EventId, Instance, StateId, TransitionId, Verdict};

use super::Watching;
use crate::leaf::End;
use crate::path::Path;

/// What can be said of a property on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The verdict: violated if it ever was on the path.
    pub verdict: Verdict,
    /// How it was violated first, if it was.
    pub violation: Option<Arc<Violation>>,
    /// Why something of it could not be evaluated, if so: what is said may be wrong.
    pub fault: Option<String>,
}

/// How a property was violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// After how many instructions.
    pub count: u64,
    /// The program of the task that runs.
    pub program: u16,
    /// The instruction that comes next, if one does.
    pub pc: Option<u32>,
    /// The calls under way there, innermost first.
    pub callers: Vec<u32>,
    /// What happened; nothing if time had run out, or the program had.
    pub event: Option<EventId>,
    /// The slice.
    pub instance: Instance,
    /// The state that it was in, and the one that it came to.
    pub states: (StateId, StateId),
    /// By which transition; by none, if it began there.
    pub transition: Option<TransitionId>,
    /// How much had been decided on the path before: readings, and decisions.
    pub readings: usize,
    /// Decisions.
    pub decisions: usize,
}

/// So many calls under way are told.
const CALLERS: usize = 64;

impl Path {
    /// Where a path is where a property is violated.
    pub(super) fn violation(
        &self,
        event: Option<EventId>,
        instance: &Instance,
        states: (StateId, StateId),
        transition: Option<TransitionId>,
    ) -> Violation {
        let machine = &self.now.machine;
        let stack = machine.call_stack();
        Violation {
            count: machine.count(),
            program: self.program(),
            pc: stack.first().map(|frame| frame.pc),
            callers: stack.iter().skip(1).take(CALLERS).map(|frame| frame.pc).collect(),
            event,
            instance: instance.clone(),
            states,
            transition,
            readings: self.readings.len(),
            decisions: self.decisions.len(),
        }
    }

    /// What can be said of properties if the path ends so.
    pub fn judged(&self, end: &End) -> Arc<[Judged]> {
        let Some(watching) = self.watching.as_deref() else { return Arc::new([]) };
        let Watching { automata, states, violations, .. } = watching;
        let judge = |which: usize| {
            let (automaton, mut state) = (&automata[which], states[which].clone());
            if end.is_whole() {
                state.end(automaton);
            }
            let mut violation = violations[which].clone();
            // One that was never left for a state that is accepting.
            if violation.is_none() && end.is_whole() && state.verdict() == Verdict::Violated {
                let slices = state.slices();
                let bad = slices.iter().find(|slice| automaton.state(slice.state).is_violation());
                violation = bad.map(|slice| {
                    let states = (slice.state, slice.state);
                    Arc::new(self.violation(None, &slice.instance, states, None))
                });
            }
            let verdict = match (&violation, state.verdict()) {
                (Some(_), _) => Verdict::Violated,
                // It may still be left.
                (None, Verdict::Violated) => Verdict::HoldsSoFar,
                (None, verdict) => verdict,
            };
            Judged { verdict, violation, fault: state.fault().map(str::to_owned) }
        };
        (0..states.len()).map(judge).collect()
    }
}
