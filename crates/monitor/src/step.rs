//! How an event moves a monitor on.
//!
//! For each event, with the values of the parameters that are sliced on: the slices that are about
//! these values, and possibly more, are moved. If there is none, the slice with the most of them
//! bound, and nothing else, is copied, and the copy is about all of them. A copy that nothing
//! happens to is not made: it would go on as what it was copied from does. So an event that no state
//! waits for can be left out.

use mw_source::Number;
use smallvec::SmallVec;

use crate::arithmetic::{Arithmetic, Interrupted};
use crate::automaton::{Automaton, StateId, Transition, TransitionId};
use crate::deadline::{Span, When};
use crate::event::{EventId, Slicing};
use crate::instance::{Instance, key};
use crate::slices::Slice;
use crate::state::{MonitorState, Verdict};
use crate::term::{Evaluation, Writes};

/// The most slices of a monitor.
pub(crate) const MOST_SLICES: usize = 1 << 20;

/// What a guard has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It held, or there was none.
    Success,
    /// It did not hold.
    Failure,
    /// The time of the state was over.
    Timeout,
}

/// What a slice, or any of a property's, was moved by last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Last {
    /// The transition; the state that it begins in is the former one.
    pub transition: TransitionId,
    /// What the guard has decided.
    pub outcome: Outcome,
}

/// A slice that was moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Change<N = Number> {
    /// What it is about.
    pub instance: Instance,
    /// What it was copied from, if it is new.
    pub copied_from: Option<Instance>,
    /// The state that it was in.
    pub from: StateId,
    /// The state that it is in.
    pub to: StateId,
    /// The transition that it took.
    pub transition: TransitionId,
    /// What the guard has decided.
    pub outcome: Outcome,
    /// Whether it has been forgotten then.
    pub forgotten: bool,
    /// Its variables as the guard saw them, if it did not hold and they have been set since.
    pub before: Option<Box<[N]>>,
}

/// Something that could not be evaluated: the slice has not been moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the slice is about.
    pub instance: Instance,
    /// The transition, if it is about one.
    pub transition: Option<TransitionId>,
    /// What is wrong.
    pub message: String,
}

/// What an event has done.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved<N = Number> {
    /// The slices that were moved, in the order in which that happened.
    pub changes: SmallVec<[Change<N>; 1]>,
    /// What could not be evaluated.
    pub faults: Vec<Fault>,
    /// Whether other events are needed now.
    pub needs_changed: bool,
    /// What could be said of the property before, and what can be now.
    pub verdict: (Verdict, Verdict),
}

impl<N> Moved<N> {
    fn nothing(state: &MonitorState<N>) -> Moved<N> {
        let verdict = (state.verdict, state.verdict);
        Moved { changes: SmallVec::new(), faults: Vec::new(), needs_changed: false, verdict }
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.faults.is_empty()
    }
}

/// What is going to be done to a slice.
struct Plan {
    instance: Instance,
    copied_from: Option<Instance>,
    last: Last,
}

/// What is going to be done to several, and what their variables are set to.
type Plans<N> = Vec<(Plan, Writes<N>)>;

/// Moves a monitor on: an event has happened, with these values for its parameters. What has been
/// due before then happens first. A monitor whose next state is not decided stays as it is.
pub fn step<A: Arithmetic>(
    automaton: &Automaton,
    state: &mut MonitorState<A::Number>,
    event: EventId,
    values: &[Option<A::Number>],
    when: When,
    arithmetic: &mut A,
) -> Result<Moved<A::Number>, A::Undecided> {
    if state.deadline.is_past(when) {
        // What is due and what happens are done together or not at all.
        let mut next = state.clone();
        let mut moved = expire(automaton, &mut next, when, arithmetic)?;
        let after = step(automaton, &mut next, event, values, when, arithmetic)?;
        *state = next;
        moved.changes.extend(after.changes);
        moved.faults.extend(after.faults);
        moved.needs_changed |= after.needs_changed;
        moved.verdict.1 = after.verdict.1;
        return Ok(moved);
    }
    let mut moved = Moved::nothing(state);
    if !state.needed.contains(event) {
        return Ok(moved);
    }
    let happening = Happening { automaton, state, event, values };
    let slicings = &automaton.event(event).slicings;
    // Mostly one slice is meant, and nothing has to be kept for others.
    if let [slicing] = slicings.as_slice()
        && (slicing.mask != 0 || automaton.slice_on.is_empty())
        && automaton.parts.is_empty()
    {
        let (faults, mut writes) = (&mut moved.faults, Writes::new());
        let plan = match happening.wanted(slicing, faults, arithmetic)? {
            Some(wanted) => happening.one(0, wanted, slicing, &mut writes, faults, arithmetic)?,
            None => None,
        };
        let resettled =
            plan.is_some_and(|plan| commit(automaton, state, plan, &mut writes, when, &mut moved));
        settle(automaton, state, resettled, &mut moved);
        return Ok(moved);
    }
    let mut plans: Plans<A::Number> = Vec::new();
    for (index, slicing) in (0..).zip(slicings) {
        happening.plan(index, slicing, &mut plans, &mut moved.faults, arithmetic)?;
    }
    commit_all(automaton, state, plans, when, &mut moved);
    Ok(moved)
}

/// Does what is due by now.
pub fn expire<A: Arithmetic>(
    automaton: &Automaton,
    state: &mut MonitorState<A::Number>,
    now: When,
    arithmetic: &mut A,
) -> Result<Moved<A::Number>, A::Undecided> {
    let mut all = Moved::nothing(state);
    // A state that is come to when it is already over is left at once; a circle of such is not.
    for _ in 0..=automaton.states.len() {
        if !state.deadline.is_past(now) {
            break;
        }
        let mut moved = Moved::nothing(state);
        let mut plans: Plans<A::Number> = Vec::new();
        for (instance, slice) in state.slices.iter() {
            let within = automaton.state(slice.state).within;
            let past = match within {
                Some(Span::Instructions(_)) => now.count > slice.until,
                Some(Span::Microseconds(_)) => now.clock > slice.until,
                None => false,
            };
            let Some(transition) = automaton.timeouts[usize::from(slice.state.0)] else { continue };
            if !past {
                continue;
            }
            let at = TransitionId(transition);
            let mut writes = Writes::new();
            let mut evaluation = Evaluation {
                arithmetic: &mut *arithmetic,
                variables: &slice.variables,
                values: &[],
                names: &[],
                language: automaton.transition(at).language,
                writes: &mut writes,
            };
            let code = automaton.transition(at).success.as_ref().map(|block| block.code.as_slice());
            match evaluation.block(code.unwrap_or_default()) {
                Ok(()) => {}
                Err(Interrupted::Undecided(why)) => return Err(why),
                // The time is over all the same.
                Err(Interrupted::Fault(message)) => {
                    writes.clear();
                    let instance = instance.clone();
                    moved.faults.push(Fault { instance, transition: Some(at), message });
                }
            }
            let last = Last { transition: at, outcome: Outcome::Timeout };
            plans.push((Plan { instance: instance.clone(), copied_from: None, last }, writes));
        }
        // The same order for the same slices, however they came to be.
        plans.sort_unstable_by(|(one, _), (other, _)| one.instance.cmp(&other.instance));
        commit_all(automaton, state, plans, now, &mut moved);
        state.find_deadline(automaton);
        all.changes.extend(moved.changes);
        all.faults.extend(moved.faults);
        all.needs_changed |= moved.needs_changed;
        all.verdict.1 = moved.verdict.1;
    }
    Ok(all)
}

/// An event that has happened to a monitor.
struct Happening<'a, A: Arithmetic> {
    automaton: &'a Automaton,
    state: &'a MonitorState<A::Number>,
    event: EventId,
    values: &'a [Option<A::Number>],
}

impl<A: Arithmetic> Happening<'_, A> {
    /// Plans what the transitions do that name these parameters to tell slices apart.
    fn plan(
        &self,
        index: u8,
        slicing: &Slicing,
        plans: &mut Plans<A::Number>,
        faults: &mut Vec<Fault>,
        arithmetic: &mut A,
    ) -> Result<(), A::Undecided> {
        let slices = &self.state.slices;
        let earlier = plans.len();
        // One happening moves a slice once.
        let is_planned = |plans: &Plans<A::Number>, instance: &Instance| {
            plans[..earlier].iter().any(|(plan, _)| plan.instance == *instance)
        };
        let mut writes = Writes::new();
        if slicing.mask == 0 {
            for (instance, slice) in slices.iter() {
                if !is_planned(plans, instance) {
                    let plan =
                        self.slice(index, instance, slice, None, &mut writes, faults, arithmetic)?;
                    plans.extend(plan.map(|plan| (plan, std::mem::take(&mut writes))));
                }
            }
            // The same order for the same slices, however they came to be.
            plans[earlier..]
                .sort_unstable_by(|(one, _), (other, _)| one.instance.cmp(&other.instance));
            return Ok(());
        }
        let Some(wanted) = self.wanted(slicing, faults, arithmetic)? else { return Ok(()) };
        let mut found = slices.get(&wanted).is_some();
        for (instance, slice) in slices.beyond(&wanted) {
            found = true;
            if !is_planned(plans, instance) {
                let plan =
                    self.slice(index, instance, slice, None, &mut writes, faults, arithmetic)?;
                plans.extend(plan.map(|plan| (plan, std::mem::take(&mut writes))));
            }
        }
        if (!found || slices.get(&wanted).is_some()) && !is_planned(plans, &wanted) {
            let plan = self.one(index, wanted, slicing, &mut writes, faults, arithmetic)?;
            plans.extend(plan.map(|plan| (plan, std::mem::take(&mut writes))));
        }
        Ok(())
    }

    /// What the event is about.
    fn wanted(
        &self,
        slicing: &Slicing,
        faults: &mut Vec<Fault>,
        arithmetic: &mut A,
    ) -> Result<Option<Instance>, A::Undecided> {
        let mut wanted = Instance::unbound(self.automaton.slice_on.len());
        for (parameter, value) in &slicing.binds {
            let name = || &self.automaton.slice_on[usize::from(*parameter)];
            let message = match &self.values[usize::from(*value)] {
                Some(number) => {
                    let number = arithmetic.definite(number)?;
                    if let Some(key) = key(number) {
                        wanted.bind(usize::from(*parameter), key);
                        continue;
                    }
                    format!("{} is {number}: only whole numbers tell slices apart", name())
                }
                None => format!("{} is not available here", name()),
            };
            faults.push(Fault { instance: wanted, transition: None, message });
            return Ok(None);
        }
        Ok(Some(wanted))
    }

    /// Plans what happens to the slice about just this, or to a new one.
    fn one(
        &self,
        index: u8,
        wanted: Instance,
        slicing: &Slicing,
        writes: &mut Writes<A::Number>,
        faults: &mut Vec<Fault>,
        arithmetic: &mut A,
    ) -> Result<Option<Plan>, A::Undecided> {
        let slices = &self.state.slices;
        if let Some(slice) = slices.get(&wanted) {
            return self.slice(index, &wanted, slice, None, writes, faults, arithmetic);
        }
        // The one that knows most of what this is about.
        let (mut best, mut part): (Option<Instance>, _) = (None, slicing.mask);
        while part != 0 {
            part = (part - 1) & slicing.mask;
            let bound = best.as_ref().map(|best| best.bound().count_ones());
            if bound.is_none_or(|bound| part.count_ones() > bound) {
                let instance = wanted.restricted(part);
                best = if slices.get(&instance).is_some() { Some(instance) } else { best };
            }
        }
        match best.as_ref().and_then(|from| slices.get(from)) {
            Some(slice) => {
                self.slice(index, &wanted, slice, best.clone(), writes, faults, arithmetic)
            }
            None => Ok(None),
        }
    }

    /// Plans what happens to a slice, or to a copy of it, and what is set then.
    #[allow(clippy::too_many_arguments, reason = "they are what a step is made of")]
    fn slice(
        &self,
        index: u8,
        instance: &Instance,
        slice: &Slice<A::Number>,
        copied_from: Option<Instance>,
        writes: &mut Writes<A::Number>,
        faults: &mut Vec<Fault>,
        arithmetic: &mut A,
    ) -> Result<Option<Plan>, A::Undecided> {
        let automaton = self.automaton;
        for transition in automaton.at(slice.state, self.event) {
            let taken = &automaton.transitions[usize::from(*transition)];
            if taken.slicing != index {
                continue;
            }
            let mut evaluation = Evaluation {
                arithmetic: &mut *arithmetic,
                variables: &slice.variables,
                values: self.values,
                names: &automaton.event(self.event).parameters,
                language: taken.language,
                writes,
            };
            match evaluation.transition(taken) {
                Ok(None) => {}
                Ok(Some(outcome)) => {
                    let last = Last { transition: TransitionId(*transition), outcome };
                    return Ok(Some(Plan { instance: instance.clone(), copied_from, last }));
                }
                Err(Interrupted::Undecided(why)) => return Err(why),
                Err(Interrupted::Fault(message)) => {
                    let transition = Some(TransitionId(*transition));
                    faults.push(Fault { instance: instance.clone(), transition, message });
                    writes.clear();
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}

impl<A: Arithmetic> Evaluation<'_, A> {
    /// Which way a transition is taken, and what that sets; none, if it is not.
    fn transition(
        &mut self,
        transition: &Transition,
    ) -> Result<Option<Outcome>, Interrupted<A::Undecided>> {
        let held = match transition.guard.is_some() {
            true => self.guard(&transition.guard_code)?,
            false => Some(true),
        };
        let (block, outcome) = match held {
            Some(true) => (&transition.success, Outcome::Success),
            Some(false) => (&transition.failure, Outcome::Failure),
            None => return Ok(None),
        };
        let Some(block) = block else { return Ok(None) };
        self.block(&block.code)?;
        Ok(Some(outcome))
    }
}

/// Does all that is planned.
fn commit_all<N: Clone>(
    automaton: &Automaton,
    state: &mut MonitorState<N>,
    plans: Plans<N>,
    when: When,
    moved: &mut Moved<N>,
) {
    let mut resettled = false;
    for (plan, mut writes) in plans {
        resettled |= commit(automaton, state, plan, &mut writes, when, moved);
    }
    settle(automaton, state, resettled, moved);
}

/// Notes what is different now.
fn settle<N: Clone>(
    automaton: &Automaton,
    state: &mut MonitorState<N>,
    resettled: bool,
    moved: &mut Moved<N>,
) {
    if state.fault.is_none()
        && let Some(fault) = moved.faults.first()
    {
        state.fault = Some(fault.message.clone());
    }
    if resettled {
        let needed = state.needed.clone();
        state.refresh(automaton);
        moved.needs_changed = needed != state.needed;
        moved.verdict.1 = state.verdict;
    }
}

/// Does what is planned for a slice. Says whether there are slices in other states than before.
fn commit<N: Clone>(
    automaton: &Automaton,
    state: &mut MonitorState<N>,
    plan: Plan,
    writes: &mut Writes<N>,
    when: When,
    moved: &mut Moved<N>,
) -> bool {
    let mut resettled = false;
    let last = plan.last;
    let taken = automaton.transition(last.transition);
    let block = match last.outcome {
        Outcome::Failure => &taken.failure,
        Outcome::Success | Outcome::Timeout => &taken.success,
    };
    let Some(block) = block else { return false };
    if let Some(from) = &plan.copied_from {
        if state.slices.len() >= MOST_SLICES {
            let message = format!("there are {MOST_SLICES} slices already, which is the most");
            let transition = Some(last.transition);
            moved.faults.push(Fault { instance: plan.instance, transition, message });
            return false;
        }
        let Some(copy) = state.slices.get(from).cloned() else { return false };
        let population = &mut state.population[usize::from(copy.state.0)];
        *population += 1;
        resettled |= *population == 1;
        state.slices.insert(plan.instance.clone(), copy);
    }
    let Some(slice) = state.slices.get_mut(&plan.instance) else { return false };
    let failed = last.outcome == Outcome::Failure && !writes.is_empty();
    let before = failed.then(|| slice.variables.to_vec().into_boxed_slice());
    slice.last = Some(last);
    state.last = Some(last);
    for (variable, number) in writes.drain(..) {
        slice.variables[usize::from(variable)] = number;
    }
    let (from, to) = (slice.state, block.to);
    let target = automaton.state(to);
    if from != to || plan.copied_from.is_some() || last.outcome == Outcome::Timeout {
        slice.state = to;
        slice.until = target.within.map_or(0, |span| when.until(span));
        if let Some(within) = target.within {
            state.deadline.notice(within, slice.until);
        }
        let (old, new) = (usize::from(from.0), usize::from(to.0));
        state.population[old] -= 1;
        state.population[new] += 1;
        resettled |= state.population[old] == 0 || state.population[new] == 1;
    }
    let forgotten = target.is_final && plan.instance.bound() != 0;
    if forgotten {
        state.slices.remove(&plan.instance);
        state.population[usize::from(to.0)] -= 1;
        state.forgot_violation |= target.is_violation();
        resettled = true;
    }
    moved.changes.push(Change {
        instance: plan.instance,
        copied_from: plan.copied_from,
        from,
        to,
        transition: last.transition,
        outcome: last.outcome,
        forgotten,
        before,
    });
    resettled
}
