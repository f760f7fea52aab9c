//! What exploring says of properties: on how many paths they are violated, where, and since when
//! that could not be avoided.

use std::time::Duration;

use mw_concolic::{Asked, Goal, Guard, Leaf, PathId, PropertyGoal, Step, Stop, Violation};
use mw_monitor::{Automaton, Verdict};
use mw_session::{Place, PropertyId};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::findings::{Finding, Findings, InevitableView, ViolationView};
use crate::paths::Places;
use crate::suggest::Exploring;
use crate::suggested::{CheckedView, InputView};

/// What can be said of properties, path by path.
pub(crate) struct Checked(Vec<CheckedView>);

impl Checked {
    /// Nothing has been said yet.
    pub fn of(debugger: &Debugger) -> Checked {
        let properties = debugger.session.properties().iter();
        let checked = properties.map(|(id, text, _)| CheckedView {
            property: id.0,
            name: text.name.clone(),
            violated: 0,
            inconclusive: 0,
            faults: 0,
            fault: None,
        });
        Checked(checked.collect())
    }

    /// What can be said of a path.
    pub fn add(&mut self, leaf: &Leaf) {
        for (checked, judged) in self.0.iter_mut().zip(&*leaf.judged) {
            checked.violated += u64::from(judged.verdict == Verdict::Violated);
            checked.inconclusive += u64::from(judged.verdict == Verdict::Inconclusive);
            checked.faults += u64::from(judged.fault.is_some());
            if checked.fault.is_none() {
                checked.fault.clone_from(&judged.fault);
            }
        }
    }

    pub fn told(self) -> Vec<CheckedView> {
        self.0
    }
}

impl Debugger {
    /// The property at a position.
    fn property_at(&self, which: usize) -> Option<(PropertyId, &Automaton)> {
        let (id, _, automaton) = self.session.properties().iter().nth(which)?;
        Some((id, automaton))
    }

    /// The properties that are violated on a path.
    pub(crate) fn violated_on(&self, leaf: &Leaf) -> Vec<u32> {
        let violated = leaf.violations();
        violated.filter_map(|(which, _)| Some(self.property_at(which)?.0.0)).collect()
    }

    /// What a guard of a property says, as it is written.
    pub(crate) fn guard_text(&self, guard: Guard) -> String {
        let Some((_, automaton)) = self.property_at(guard.which.into()) else {
            return "a property".into();
        };
        let is_it = |event: Option<mw_monitor::EventId>| event.map(|id| id.0) == guard.event;
        let transitions = automaton.transitions().iter().filter(|t| is_it(t.event));
        let mut guards: Vec<&str> = transitions.filter_map(|t| t.guard.as_deref()).collect();
        guards.dedup();
        match &guards[..] {
            [guard] => format!("{}: {guard}", automaton.name()),
            _ => automaton.name().to_owned(),
        }
    }

    /// What is looked for of a property: `violated`, or a state, after the name of the property and a
    /// colon if there are several.
    pub(crate) fn property_goal(&self, target: &str) -> Result<Option<Goal>, ApiError> {
        let (name, state) = match target.split_once(':') {
            Some((name, state)) => (Some(name.trim()), state.trim()),
            None => (None, target),
        };
        let properties = self.session.properties().iter().enumerate();
        let named =
            properties.filter(|(_, (_, text, _))| name.is_none_or(|name| text.name == name));
        let mut found = Vec::new();
        for (which, (_, text, automaton)) in named {
            let goal = match state {
                "violated" => Some(PropertyGoal::violated(which, automaton)),
                _ => automaton
                    .state_named(state)
                    .map(|state| PropertyGoal { which, states: vec![state] }),
            };
            found.extend(goal.map(|goal| (text.name.clone(), goal)));
        }
        let is_said =
            state == "violated" && (name.is_none() || self.session.properties().is_empty());
        match found.len() {
            0 if is_said => {
                Err(ApiError::not_here("there is no property to violate: load one first"))
            }
            0 => Ok(None),
            1 => Ok(found.pop().map(|(_, goal)| Goal::Property(goal))),
            _ => {
                let names: Vec<_> =
                    found.iter().map(|(name, _)| format!("{name}:{state}")).collect();
                let names = names.join(" or ");
                Err(ApiError::notation(format!("several properties have that: say {names}")))
            }
        }
    }

    /// Adds how properties are violated on a path to what was found.
    pub(crate) fn find_violations(
        &self,
        findings: &mut Findings,
        number: usize,
        leaf: &Leaf,
        end: Place,
        places: &mut Places,
    ) {
        for (which, violation) in leaf.violations() {
            let Some((id, automaton)) = self.property_at(which) else { continue };
            let steps = &leaf.steps[..violation.readings.min(leaf.steps.len())];
            let at = violation.pc.map(|pc| {
                let own = self.program(violation.program).own_place(pc, &violation.callers);
                own.unwrap_or_else(|| self.known_source((violation.program, pc), places))
            });
            let place = self.place_on(leaf, end, steps.len(), violation.count);
            let told = ViolationView {
                property: id.0,
                name: automaton.name().to_owned(),
                event: violation.event.map(|event| automaton.event(event).text.clone()),
                slice: slice(automaton, violation),
                from: automaton.state(violation.states.0).name.clone(),
                to: automaton.state(violation.states.1).name.clone(),
                place: self.place_view(place),
                inevitable: None,
            };
            let inputs = || steps.iter().map(|step| self.input_view(step)).collect();
            findings.add_violation(number, leaf, (violation, told), at, inputs);
        }
    }

    /// Finds out since when violations could not be avoided.
    pub(crate) fn find_inevitable(
        &self,
        exploring: &mut Exploring,
        ids: &[PathId],
        findings: &mut [Finding],
    ) {
        let stop = Stop::default().within(TIME);
        let ordered: Vec<u32> = self.session.properties().iter().map(|(id, ..)| id.0).collect();
        for finding in findings {
            let Some(violation) = &mut finding.violation else { continue };
            let which = ordered.iter().position(|id| *id == violation.property);
            let (Some(which), Some(id)) = (which, ids.get(finding.path)) else { continue };
            let explorer = &mut exploring.explorer;
            let Some(found) = explorer.inevitable(*id, which, &stop) else { continue };
            let (Some(leaf), Some(end)) =
                (explorer.leaf_of(*id), exploring.places.get(finding.path))
            else {
                continue;
            };
            let last = found.readings.checked_sub(1);
            let said = |leaf: &Leaf| {
                let step = leaf.steps.get(last?)?;
                Some(said(&self.input_view(step)))
            };
            let count = last.map_or(explorer.start(), |last| leaf.steps[last].count);
            // What was decided counts as made with the next instruction, if it was a call.
            let made =
                last.is_some_and(|last| matches!(leaf.steps[last].asked, Asked::Input { .. }));
            let place = self.place_on(&leaf, *end, found.readings, count + u64::from(made));
            let avoided = found.avoided.and_then(|path| explorer.leaf_of(path));
            violation.inevitable = Some(InevitableView {
                place: self.place_view(place),
                after: said(&leaf),
                avoided_by: avoided.as_ref().and_then(said),
                paths: found.paths as u64,
                exact: found.is_exact,
            });
        }
    }

    /// The place on the way of a path after so many of its inputs, at a count.
    pub(crate) fn place_on(&self, leaf: &Leaf, end: Place, steps: usize, count: u64) -> Place {
        let later = leaf.steps[steps..].iter().filter(|step: &&Step| step.asked.is_choice());
        let multiverse = self.session.multiverse();
        let node = later.fold(end.node, |node, _| multiverse.parent(node).unwrap_or(node));
        Place { node, count }
    }
}

/// So long it may take to find out since when violations could not be avoided.
const TIME: Duration = Duration::from_secs(1);

/// What was decided, with all values that would have done the same.
fn said(input: &InputView) -> String {
    match (&input.values, input.happens) {
        (Some(values), false) => format!("{} = {values}", input.call),
        _ => input.text(),
    }
}

/// What the slice is about that violates a property, if that has slices.
fn slice(automaton: &Automaton, violation: &Violation) -> Option<String> {
    let has_slices = !automaton.slice_parameters().is_empty();
    has_slices.then(|| violation.instance.to_string())
}
