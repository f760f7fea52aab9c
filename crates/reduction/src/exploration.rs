//! The walk: depth first from execution to execution, without recursion.

use std::sync::Arc;

use crate::event::Event;
use crate::execution::{Execution, Fate};
use crate::history::History;
use crate::node::{Node, Task};
use crate::races::Work;
use crate::sleep::Sleep;
use crate::statistics::Statistics;
use crate::system::{Stopped, System};
use crate::wakeup::{Branch, Kind};

/// How much is explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// One execution of each class.
    #[default]
    On,
    /// Every execution.
    Off,
}

/// An exploration of a system: all its executions, or one of each class.
///
/// The states along the current execution are kept, and beside it those after outcomes that were
/// performed and are still to be explored.
#[derive(Debug)]
pub struct Exploration<S: System> {
    reduction: Reduction,
    /// One more than there are events; none when all is done, or before the beginning.
    pub(crate) nodes: Vec<Node<S::Act, S::State>>,
    pub(crate) history: History<S::Act>,
    pub(crate) statistics: Statistics,
    /// The state to begin with.
    start: Option<S::State>,
    /// Races of the current execution that have not been looked at.
    pub(crate) work: Option<Vec<Work<S::Act>>>,
    /// Whether the current execution has been told.
    told: bool,
}

impl<S: System> Exploration<S> {
    /// Explores one execution of each class from a state.
    pub fn new(state: S::State) -> Exploration<S> {
        Exploration {
            reduction: Reduction::On,
            nodes: Vec::new(),
            history: History::new(),
            statistics: Statistics::default(),
            start: Some(state),
            work: None,
            told: false,
        }
    }

    /// The same with reduction on or off. To be said at the beginning.
    pub fn with(mut self, reduction: Reduction) -> Exploration<S> {
        self.reduction = reduction;
        self
    }

    /// Goes on to the next complete execution; none if there is no other.
    ///
    /// After [`Stopped`], the next call goes on where this one stopped.
    pub fn next(&mut self, system: &mut S) -> Result<Option<Execution<'_, S>>, Stopped> {
        if let Some(mut state) = self.start.take() {
            let enabled = system.enabled(&mut state);
            self.enter(Node::new(state, enabled, Sleep::new()));
        }
        loop {
            let Some(node) = self.nodes.last() else { return Ok(None) };
            if !node.is_end() {
                self.step(system)?;
            } else if self.told {
                self.told = false;
                self.leave(system);
            } else {
                if self.reduction == Reduction::On {
                    self.reverse_races(system)?;
                }
                self.statistics.executions += 1;
                self.told = true;
                return Ok(self.current());
            }
        }
    }

    /// The execution that was told last, until the next one is asked for.
    pub fn current(&self) -> Option<Execution<'_, S>> {
        self.told.then_some(Execution { exploration: self })
    }

    /// The state that has been come to on the way to the next execution, or the first one.
    pub fn last_state(&self) -> Option<&S::State> {
        self.nodes.last().map(|node| &node.state).or(self.start.as_ref())
    }

    /// The state after so many events of the current execution.
    pub fn state_mut(&mut self, events: usize) -> Option<&mut S::State> {
        self.nodes.get_mut(events).map(|node| &mut node.state)
    }

    /// What was done so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Does the next thing at the last node: goes on to another one, or back.
    fn step(&mut self, system: &mut S) -> Result<(), Stopped> {
        let last = self.nodes.len() - 1;
        let node = &self.nodes[last];
        if let Some(task) = node.queue.last() {
            let event = task.event.clone();
            return self.explore(system, &event);
        }
        if let Some(branch) = node.plan.first() {
            let act = branch.event.act.clone();
            self.know(system, last, &act)?;
            self.nodes[last].follow_plan(&act);
        } else if let Some(act) = node.choose() {
            let act = act.clone();
            self.know(system, last, &act)?;
            self.nodes[last].follow(&act);
        } else {
            self.leave(system);
        }
        Ok(())
    }

    /// Explores the next outcome of the queue.
    fn explore(&mut self, system: &mut S, event: &Arc<Event<S::Act>>) -> Result<(), Stopped> {
        let last = self.nodes.len() - 1;
        let node = &mut self.nodes[last];
        let is_asleep = node.sleep.holds(event);
        let sleep = node.sleep.after(event);
        let is_new = !sleep.covers_all();
        if is_asleep || node.queue.last().is_some_and(|task| task.only_if_new && !is_new) {
            self.statistics.refused += u64::from(!is_asleep);
            let relied_on = node.queue.pop().is_some_and(|task| task.relied_on);
            let is_weak = node.sleep.of(&event.act).is_some_and(|sleeper| sleeper.weak);
            if is_asleep && is_weak && relied_on {
                node.want_all();
            }
            return Ok(());
        }
        let mut state = match node.take(event) {
            Some(state) => state,
            // It was explored before, but not with everything that can come after it.
            None => {
                self.perform(system, last, &event.act)?;
                let node = &mut self.nodes[last];
                let Some(state) = node.take(event) else {
                    self.statistics.unrepeatable += u64::from(!node.uncertain);
                    if node.queue.pop().is_some_and(|task| task.relied_on) {
                        node.want_all();
                    }
                    return Ok(());
                };
                state
            }
        };
        let node = &mut self.nodes[last];
        let Some(Task { plan, all, relied_on, .. }) = node.queue.pop() else { return Ok(()) };
        let uncertain = !plan.is_empty() && (node.uncertain || relied_on);
        if node.explored.last() != Some(&event.act) {
            node.explored.push(event.act.clone());
        }
        let enabled = if event.ends { Vec::new() } else { system.enabled(&mut state) };
        if !event.ends {
            let is_gone = |act: &&S::Act| **act != event.act && !enabled.contains(act);
            self.statistics.disabled += node.enabled.iter().filter(is_gone).count() as u64;
        }
        self.history.push(event.clone());
        let mut node = Node::new(state, enabled, sleep);
        (node.plan, node.all, node.uncertain) = (plan, all, uncertain);
        if all {
            node.sleep.weaken();
        }
        self.statistics.events += 1;
        self.enter(node);
        Ok(())
    }

    fn enter(&mut self, mut node: Node<S::Act, S::State>) {
        if self.reduction == Reduction::Off {
            // Without reduction every act is planned, and nothing ever sleeps.
            node.all = false;
            let acts = node.enabled.iter().cloned();
            let event = |act| Arc::new(Event::new(act, 0, Default::default(), false));
            node.plan = acts.map(|act| Branch::any(event(act), true)).collect();
        }
        self.nodes.push(node);
    }

    /// Goes back from the last node, from which all is explored.
    fn leave(&mut self, system: &mut S) {
        let Some(mut node) = self.nodes.pop() else { return };
        if self.reduction == Reduction::On {
            for act in node.enabled.iter().filter(|act| !node.explored.contains(act)) {
                let since = self.nodes.iter().position(|node| node.explored.contains(act));
                let why = match node.sleep.of(act).and(since) {
                    Some(since) => Fate::Asleep { since },
                    None => Fate::Commutes,
                };
                system.pruned(&mut node.state, act, why);
            }
        }
        if node.explored.is_empty() && !node.is_end() {
            self.statistics.blocked += 1;
        }
        let (Some(event), Some(parent)) = (self.history.pop(), self.nodes.last_mut()) else {
            return;
        };
        if self.reduction == Reduction::Off {
            return;
        }
        if node.is_covered() {
            parent.cover(vec![event]);
        } else {
            for rest in node.covered {
                parent.cover([vec![event.clone()], rest].concat());
            }
        }
    }

    /// Finds out what an act does at a node, unless that is known.
    pub(crate) fn know(
        &mut self,
        system: &mut S,
        index: usize,
        act: &S::Act,
    ) -> Result<(), Stopped> {
        if self.nodes[index].outcomes(act).is_none() {
            self.perform(system, index, act)?;
        }
        Ok(())
    }

    fn perform(&mut self, system: &mut S, index: usize, act: &S::Act) -> Result<(), Stopped> {
        let node = &mut self.nodes[index];
        let state = system.fork(&mut node.state);
        let results = system.perform(state, act)?;
        self.statistics.performed += 1;
        self.statistics.unrepeatable += u64::from(results.is_empty());
        node.learn(act, results);
        Ok(())
    }
}

impl<A: Clone + PartialEq, S> Node<A, S> {
    /// Begins with the first branch of the plan, whose act is known.
    fn follow_plan(&mut self, act: &A) {
        let Branch { event, kind, below } = self.plan.remove(0);
        let promise = match kind {
            Kind::Any(promise) => promise,
            Kind::Exactly { whatever, all } => {
                let others = self.outcomes(act).is_some_and(|outcomes| outcomes.len() > 1);
                if whatever && others {
                    self.plan.insert(0, Branch::any(event.clone(), true));
                }
                let all = all || below.is_empty();
                self.queue.push(Task {
                    event,
                    plan: below,
                    all,
                    only_if_new: false,
                    relied_on: whatever,
                });
                return;
            }
        };
        let outcomes = self.outcomes(act).unwrap_or_default().to_vec();
        for event in outcomes.into_iter().rev() {
            // What is planned for exactly this outcome is explored with it.
            let is_same = |other: &mut Branch<A>| {
                other.event.act == *act && other.event.outcome == event.outcome
            };
            let plan: Vec<_> = self.plan.extract_if(.., is_same).flat_map(|it| it.below).collect();
            let only_if_new = plan.is_empty() && !promise.includes(event.outcome);
            let relied_on = promise.all;
            self.queue.push(Task { event, plan, all: true, only_if_new, relied_on });
        }
    }

    /// Begins with an act that is known, as no race asks for another.
    fn follow(&mut self, act: &A) {
        let outcomes = self.outcomes(act).unwrap_or_default().to_vec();
        self.sleep.settle(&outcomes);
        self.settled = outcomes.is_empty() || !self.drowsy.contains(act);
        for event in outcomes.into_iter().rev() {
            let (plan, all) = (Vec::new(), true);
            self.queue.push(Task { event, plan, all, only_if_new: false, relied_on: false });
        }
    }

    /// Notes what was explored from here.
    fn cover(&mut self, sequence: Vec<Arc<Event<A>>>) {
        let Some(act) = sequence.first().map(|event| event.act.clone()) else { return };
        let outcomes = self.outcomes(&act).unwrap_or_default().to_vec();
        self.sleep.add(sequence.clone(), &outcomes);
        self.covered.push(sequence);
        self.settled |= self.sleep.holds_whole(&act) && !self.drowsy.contains(&act);
    }
}
