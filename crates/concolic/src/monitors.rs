//! Properties on a path: what their monitors know, in terms of the inputs.
//!
//! The moment of a path notices what happens and in which order, as it does for everybody
//! ([`mw_ensemble::Due`]), and holds it back; here monitors are told. A guard that inputs have a say in
//! is a decision like a branch: the path is forked for each outcome that is possible, and a monitor's
//! variables may be in terms of inputs as the program's are. What names a slice is made definite.
//!
//! **Invariant:** a path's monitors are where they would be in a plain run with the path's values, and
//! in every other run of its class.

mod inevitable;
mod judged;
mod number;
mod read;
mod tell;

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_ensemble::Moment;
use mw_monitor::{Automaton, Instance, MonitorState, Number, Point, StateId};

pub use self::inevitable::Inevitable;
pub use self::judged::{Judged, Violation};
use self::number::{Symbolic, number};
use crate::expr::Expr;
use crate::omitted::Omitted;
use crate::path::Path;

/// What is known of properties on a path.
#[derive(Clone, Debug)]
pub struct Watching {
    automata: Arc<[Arc<Automaton>]>,
    states: Vec<MonitorState<Symbolic>>,
    /// What of kept arguments inputs have a say in.
    kept: BTreeMap<u32, Arc<[Option<Expr>]>>,
    /// What of the arguments and the result of the last call of the outside they have a say in.
    call: (Arc<[Option<Expr>]>, Option<Expr>),
    /// What has been found out about what is told next: expressions, and the slots that they are.
    decided: Vec<(Expr, u64)>,
    /// The first violation of each property.
    violations: Vec<Option<Arc<Violation>>>,
    /// How many properties were violated when the path was told of last.
    told_of: usize,
    /// What the turn under way has told monitors.
    pub told: Vec<Told>,
    /// The states that slices of properties have just come to.
    has_come: Vec<(usize, StateId)>,
}

/// That a monitor was told something, as far as that bears on others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The property, by its position.
    pub which: usize,
    /// The one slice that it was about, if it was about one.
    pub slice: Option<Instance>,
    /// Whether anything came of it.
    pub moves: bool,
}

impl Watching {
    /// What is known of the properties of a moment, which from now on holds back what happens.
    pub fn new(now: &mut Moment) -> Option<Box<Watching>> {
        now.hold_back();
        let monitors = now.monitors.as_deref()?;
        let known = |state: &MonitorState| state.map(|_, _, number| Symbolic::Known(*number));
        Some(Box::new(Watching {
            automata: monitors.iter().map(|(automaton, _)| automaton.clone()).collect(),
            states: monitors.iter().map(|(_, state)| known(state)).collect(),
            kept: BTreeMap::new(),
            call: Default::default(),
            decided: Vec::new(),
            violations: vec![None; monitors.iter().count()],
            told_of: 0,
            told: Vec::new(),
            has_come: Vec::new(),
        }))
    }

    /// The properties.
    pub fn automata(&self) -> &[Arc<Automaton>] {
        &self.automata
    }

    /// Whether the order of all that happens matters to a property, whether it is told of it or not.
    pub fn orders_all(&self, which: usize) -> bool {
        let automaton = &self.automata[which];
        let is_told_order = |point: &Point| *point == Point::Switch;
        automaton.is_timed() || automaton.watches().iter().any(|watch| is_told_order(&watch.point))
    }

    /// A hash of what the future depends on.
    fn hash(&self, now: &Moment) -> u128 {
        let when = now.when();
        let states = self.states.iter().zip(&*self.automata);
        states.fold(0, |all: u128, (state, automaton)| {
            // What inputs have a say in is what it is in terms of them: no number has so many bits.
            let plain = state.map(|_, _, of| match *of {
                Symbolic::Known(number) => number,
                Symbolic::Open(expr, _) => {
                    Number::Integer { value: expr.index() as i128, width: 100, signed: false }
                }
            });
            all.rotate_left(9) ^ plain.hash(when, automaton)
        })
    }

    /// The path is told of as it is.
    pub fn tell_of(&mut self) {
        self.told_of = self.violations.iter().flatten().count();
    }

    /// Whether properties have been violated since it was told of.
    pub fn has_untold(&self) -> bool {
        self.violations.iter().flatten().count() > self.told_of
    }

    /// Whether a property is violated.
    pub fn is_violated(&self) -> bool {
        self.violations.iter().any(Option::is_some)
    }

    /// Whether a slice of a property can still come to one of some states.
    pub fn can_reach(&self, which: usize, goal: &[StateId]) -> bool {
        let automaton = &self.automata[which];
        let mut reaches: Vec<StateId> = goal.to_vec();
        let mut next = 0;
        while let Some(&to) = reaches.get(next) {
            next += 1;
            for transition in automaton.transitions() {
                let blocks = [&transition.success, &transition.failure];
                let leads = blocks.into_iter().flatten().any(|block| block.to == to);
                if leads && !reaches.contains(&transition.from) {
                    reaches.push(transition.from);
                }
            }
        }
        self.states[which].slices().iter().any(|slice| reaches.contains(&slice.state))
    }
}

impl Path {
    /// A hash of what monitors know, for whoever compares states.
    pub fn hash_of_monitors(&self) -> u128 {
        self.watching.as_deref().map_or(0, |watching| watching.hash(&self.now))
    }

    /// Whether a property counts time.
    pub fn is_timed(&self) -> bool {
        let mut automata = self.watching.iter().flat_map(|watching| watching.automata());
        automata.any(|automaton| automaton.is_timed())
    }

    /// Whether a property watches what is read or written: then it has to be known what that is.
    pub fn watches_accesses(&self) -> bool {
        self.has_watch(|point| matches!(point, Point::Access { .. }))
    }

    /// Notes that it is found out only now what an instruction accesses, which was to be told before.
    pub fn note_open_access(&mut self) {
        if self.has_watch(|point| matches!(point, Point::Access { before: true, .. })) {
            self.omitted.insert(Omitted::Accesses);
        }
    }

    fn has_watch(&self, is_it: impl Fn(&Point) -> bool) -> bool {
        let automata = self.watching.iter().flat_map(|watching| watching.automata());
        automata.flat_map(|automaton| automaton.watches()).any(|watch| is_it(&watch.point))
    }

    /// Notes what inputs have a say in of a call of the outside that is going to be made.
    pub fn note_call(&mut self, base: usize, arguments: usize) {
        if let Some(watching) = &mut self.watching {
            let arguments = (base..base + arguments).map(|slot| self.shadow.stack.get(slot));
            watching.call = (arguments.collect(), None);
        }
    }

    /// Notes what inputs have a say in of what it has returned.
    pub fn note_result(&mut self, result: Option<Expr>) {
        if let Some(watching) = &mut self.watching {
            watching.call.1 = result;
        }
    }
}

/// How a guard of a property was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The property, by its position.
    pub which: u16,
    /// The event, by its number; none if time has run out.
    pub event: Option<u16>,
}

/// What is looked for of a property: that a slice comes to one of these states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyGoal {
    /// The property, by its position.
    pub which: usize,
    /// The states.
    pub states: Vec<StateId>,
}

impl PropertyGoal {
    /// That a property is violated.
    pub fn violated(which: usize, automaton: &Automaton) -> PropertyGoal {
        let states = automaton.states().iter().zip(0..).filter(|(state, _)| state.is_violation());
        PropertyGoal { which, states: states.map(|(_, number)| StateId(number)).collect() }
    }
}
