//! The back end over a session: events of a universe, by replaying stretches of it between the moments
//! that are kept, several at a time.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use mw_ensemble::{Moment, Next};
use mw_multiverse::{Outcome, Place, Site};
use mw_session::Past;
use mw_vm::Value;
use mw_world::Call;

use crate::attend::Token;
use crate::collector::{Collector, Plan};
use crate::events::{Event, Events, Kind};
use crate::failure::Failure;
use crate::source::{Backend, Looked, Store, trace_of};
use crate::time::{Direction, Item, Time};
use crate::trace::Trace;
use crate::universe::{Strand, Universe};

/// What is known of one kind of events, in all universes.
pub type EventStore = Store<Strand, Event>;

/// How much may be used.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many events of one stretch between two moments that are kept, and in one question.
    pub events: usize,
    /// How many threads; as many as there are cores with 0.
    pub threads: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { events: 16 << 20, threads: 0 }
    }
}

/// A universe that can be asked what happened in it.
#[derive(Clone, Debug)]
pub struct Execution<'a> {
    past: Past<'a>,
    universe: Arc<Universe<'a>>,
    token: Token,
    bounds: Bounds,
}

impl<'a> Execution<'a> {
    /// The universe that ends with a node, lived at least to a place.
    pub fn new(past: Past<'a>, at_least: Place, token: Token, bounds: Bounds) -> Execution<'a> {
        let universe = Arc::new(Universe::new(past, at_least));
        Execution { past, universe, token, bounds }
    }

    /// The universe.
    pub fn universe(&self) -> &Universe<'a> {
        &self.universe
    }

    /// What those who work on its questions have in common.
    pub(crate) fn token(&self) -> Token {
        self.token.clone()
    }

    /// The past that it is part of.
    pub fn past(&self) -> Past<'a> {
        self.past
    }

    /// Looks at the program at some places of the universe, in the order in which they are given: quick
    /// if that is the order of time.
    pub fn visit(
        &self,
        places: impl IntoIterator<Item = Place>,
        mut look: impl FnMut(Place, &mut Moment),
    ) -> Result<(), Failure> {
        let mut replayer = self.past.replayer();
        for place in places {
            if self.token.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            replayer.go_to(place, &mut self.token.clone())?;
            look(place, replayer.now());
        }
        Ok(())
    }

    /// The events of a kind. What is found is kept in the store, which is of that kind alone.
    pub fn events(&self, events: Events, store: Arc<EventStore>) -> Trace<'a, Event> {
        trace_of(Arc::new(Replays { execution: self.clone(), events }), store)
    }
}

/// Finds events of one kind.
struct Replays<'a> {
    execution: Execution<'a>,
    events: Events,
}

/// A part of the past that is replayed at once.
#[derive(Clone, Debug)]
struct Stretch {
    begins: Place,
    ends: Place,
    /// The part of time that is looked at.
    range: Range<Time>,
}

impl<'a> Replays<'a> {
    /// What has to be replayed for a range, by the moments that are kept, in the order of time.
    fn stretches(&self, plan: &Plan<'_>, range: Range<Time>) -> VecDeque<Stretch> {
        let Execution { past, universe, .. } = &self.execution;
        let (from, mut ends) = (universe.place_at(range.start), universe.place_at(range.end));
        let can_begin = |machine: &_| plan.can_begin(past.program_of(machine), machine);
        let (mut stretches, mut until) = (VecDeque::new(), range.end);
        for begins in past.beginnings(ends, from.count, can_begin) {
            let start = universe.time_of(begins).max(range.start);
            let start = if begins.count <= from.count { range.start } else { start };
            if start < until {
                stretches.push_front(Stretch { begins, ends, range: start..until });
                (until, ends) = (start, begins);
            }
        }
        stretches
    }

    /// All events of a stretch.
    fn replay(&self, plan: &Plan<'_>, stretch: &Stretch) -> Result<Looked<Event>, Failure> {
        let Execution { past, universe, token, bounds } = &self.execution;
        let Stretch { begins, ends, range } = stretch;
        if token.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let from = universe.place_at(range.start).count;
        let mut collector = Collector::new(*past, plan, (*begins, from), bounds.events);
        let (mut calls, mut failure) = (Vec::new(), None);
        let mut on_call = |now: &Moment, call: Call<'_>, value: Option<Value>| {
            // An input has been read when its value is known, which took an instruction.
            let count = now.machine.count() - u64::from(value.is_some());
            match plan.is_call(past.program_of(&now.machine), now, call, value) {
                Ok(true) if calls.len() < bounds.events => calls.push((count, call.import)),
                Ok(true) => failure = Some(Failure::TooMany { most: bounds.events }),
                Ok(false) => {}
                Err(error) => failure = Some(error),
            }
        };
        let on_call: Option<mw_session::OnCall<'_>> = match plan.is_about_primitives() {
            true => Some(&mut on_call),
            false => None,
        };
        let way = (*begins, *ends);
        let learnt = past.replay(way, &plan.scope, &mut collector, on_call, &mut token.clone())?;
        token.learn(learnt);
        if let Some(failure) = collector.failure.or(failure) {
            return Err(failure);
        }
        let seen = collector.seen.into_iter().chain(calls);
        let items = seen.map(|(count, value)| Item { time: universe.time_at(count), value });
        let items = items.filter(|item| range.contains(&item.time)).collect();
        Ok(Looked { range: range.clone(), items })
    }

    /// All events of a range, by what the tree says.
    fn in_tree(&self, range: Range<Time>) -> Looked<Event> {
        let Execution { past, universe, .. } = &self.execution;
        let (multiverse, kind) = (past.multiverse(), &self.events.kind);
        let mut items = Vec::new();
        if *kind == Kind::Failures {
            let ended =
                multiverse.ended(universe.leaf()).filter(|(_, outcome)| is_failure(outcome));
            items.extend(ended.map(|(count, _)| {
                let place = Place { node: universe.leaf(), count: *count };
                Item { time: universe.time_of(place), value: 0 }
            }));
        } else {
            for node in universe.nodes_in(range.clone()) {
                let Some(choice) = multiverse.choice(node) else { continue };
                let is_it = match (kind, choice.site) {
                    (Kind::Choices, _) => true,
                    (Kind::Switches, Site::Schedule(_)) => true,
                    (Kind::Receives, Site::Schedule(schedule)) => {
                        schedule.next.from().is_some()
                            && !matches!(schedule.next, Next::Lose { .. })
                    }
                    _ => false,
                };
                if is_it {
                    let place = Place { node, count: multiverse.start(node) };
                    items.push(Item { time: universe.time_of(place), value: 0 });
                }
            }
            items.reverse();
        }
        items.retain(|item| range.contains(&item.time));
        Looked { range, items }
    }
}

fn is_failure(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Finished)
}

impl Backend for Replays<'_> {
    type Strand = Strand;
    type Event = Event;

    fn strands(&self) -> &[(Strand, Range<Time>)] {
        self.execution.universe.strands()
    }

    fn frontier(&self) -> Time {
        self.execution.universe.frontier()
    }

    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Looked<Event>, Failure> {
        if self.events.kind.is_in_tree() {
            return Ok(self.in_tree(range));
        }
        let plan = Plan::new(self.execution.past, &self.events);
        let mut stretches = self.stretches(&plan, range.clone());
        let mut all = Looked { range: range.start..range.start, items: Vec::new() };
        if direction == Direction::Back {
            all.range = range.end..range.end;
        }
        while let Some(stretch) = match direction {
            Direction::Forward => stretches.pop_front(),
            Direction::Back => stretches.pop_back(),
        } {
            let looked = self.replay(&plan, &stretch)?;
            match direction {
                Direction::Forward => all.range.end = looked.range.end,
                Direction::Back => all.range.start = looked.range.start,
            }
            all.items = looked.items;
            if !all.items.is_empty() {
                break;
            }
        }
        Ok(all)
    }

    fn gather(
        &self,
        ranges: &[Range<Time>],
        found: &mut dyn FnMut(Looked<Event>),
    ) -> Result<(), Failure> {
        if self.events.kind.is_in_tree() {
            ranges.iter().for_each(|range| found(self.in_tree(range.clone())));
            return Ok(());
        }
        let plan = Plan::new(self.execution.past, &self.events);
        let stretches: VecDeque<Stretch> =
            ranges.iter().flat_map(|range| self.stretches(&plan, range.clone())).collect();
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads = match self.execution.bounds.threads {
            0 => cores(),
            threads => threads,
        };
        let threads = threads.min(stretches.len());
        let waiting = Mutex::new(stretches);
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let (tells, hears) = mpsc::channel();
        let (mut left, mut failed) = (self.execution.bounds.events, Ok(()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (tells, next, plan) = (tells.clone(), &next, &plan);
                scope.spawn(move || {
                    while let Some(stretch) = next() {
                        let looked = self.replay(plan, &stretch);
                        if tells.send(looked).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(tells);
            for looked in hears {
                match looked {
                    Ok(looked) if looked.items.len() <= left => {
                        left -= looked.items.len();
                        found(looked);
                    }
                    Ok(_) => failed = Err(Failure::TooMany { most: self.execution.bounds.events }),
                    Err(failure) => failed = Err(failure),
                }
                if failed.is_err() {
                    // What is waiting is not begun.
                    waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
                }
            }
        });
        failed
    }
}
