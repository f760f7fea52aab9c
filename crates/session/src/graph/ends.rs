//! How universes end, and those that do not.

use mw_multiverse::Outcome;

use super::{Graph, StateId, StateKind};

/// The ends of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The states at which universes end, each with how many ways lead there; `None` for any number.
    pub ended: Vec<(StateId, Option<u64>)>,
    /// Where they go on for ever.
    pub livelocks: Vec<Livelock>,
}

/// States that lead to each other for ever, and to nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Livelock {
    /// All of them; the first one is the nearest.
    pub states: Vec<StateId>,
}

impl Graph {
    /// How universes end. What is beyond a state that was not explored is not known, and so is no
    /// livelock.
    pub fn ends(&self) -> Ends {
        let ways = self.ways();
        let is_end = |(id, _): &(StateId, _)| self.outcome(*id).is_some();
        let ended = self.iter().filter(is_end).map(|(id, _)| (id, ways[id.index()])).collect();
        Ends { ended, livelocks: self.livelocks() }
    }

    /// How universes end in a state, if they do.
    pub fn outcome(&self, id: StateId) -> Option<&Outcome> {
        match &self.state(id)?.kind {
            StateKind::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// How many ways lead to each state; `None` where it can be any number, as one can go round on them.
    fn ways(&self) -> Vec<Option<u64>> {
        let mut coming = vec![0u32; self.states.len()];
        let edges = self.states.iter().flat_map(|state| &state.edges);
        edges.for_each(|edge| coming[edge.to.index()] += 1);
        let mut ways = vec![0u64; self.states.len()];
        let mut known = vec![false; self.states.len()];
        // The first state may be come back to.
        let mut ready: Vec<usize> = Vec::from_iter((coming.first() == Some(&0)).then_some(0));
        if let Some(first) = ways.first_mut() {
            *first = 1;
        }
        while let Some(at) = ready.pop() {
            known[at] = true;
            for edge in &self.states[at].edges {
                let to = edge.to.index();
                ways[to] = ways[to].saturating_add(ways[at]);
                coming[to] -= 1;
                if coming[to] == 0 {
                    ready.push(to);
                }
            }
        }
        ways.into_iter().zip(known).map(|(ways, known)| known.then_some(ways)).collect()
    }

    /// Sets of states from which no way leads to anything else.
    fn livelocks(&self) -> Vec<Livelock> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (at, state) in self.states.iter().enumerate() {
            state.edges.iter().for_each(|edge| before[edge.to.index()].push(at));
        }
        // From where an end can be come to, or what is not known.
        let mut leads = vec![false; self.states.len()];
        let is_last = |at: &usize| self.states[*at].edges.is_empty() || self.is_open(*at);
        let mut waiting: Vec<usize> = (0..self.states.len()).filter(is_last).collect();
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut leads[at], true) {
                waiting.extend(&before[at]);
            }
        }
        let mut livelocks: Vec<Livelock> = (Components::of(self, &leads).into_iter())
            .filter(|states| self.lead_nowhere_else(states))
            .map(|states| Livelock { states })
            .collect();
        livelocks.sort_by_key(|livelock| livelock.states[0]);
        livelocks
    }

    /// Whether all ways on from these states, in order, lead to one of them.
    fn lead_nowhere_else(&self, states: &[StateId]) -> bool {
        let edges = states.iter().flat_map(|id| &self.states[id.index()].edges);
        edges.map(|edge| edge.to).all(|to| states.binary_search(&to).is_ok())
    }

    fn is_open(&self, at: usize) -> bool {
        self.states[at].open.is_some()
    }
}

/// Finds states that lead to each other, by Tarjan's algorithm.
struct Components<'a> {
    graph: &'a Graph,
    /// States that are of no concern.
    others: &'a [bool],
    /// When each state was met, counted from 1, and the earliest that it leads back to.
    met: Vec<(u32, u32)>,
    number: u32,
    stack: Vec<usize>,
    is_on_stack: Vec<bool>,
    found: Vec<Vec<StateId>>,
}

impl Components<'_> {
    /// The states of a graph that are not among the others, as sets in each of which all lead to all,
    /// in order.
    fn of(graph: &Graph, others: &[bool]) -> Vec<Vec<StateId>> {
        let states = graph.states.len();
        let mut components = Components {
            graph,
            others,
            met: vec![(0, 0); states],
            number: 0,
            stack: Vec::new(),
            is_on_stack: vec![false; states],
            found: Vec::new(),
        };
        for (at, _) in others.iter().enumerate().filter(|(_, is_other)| !**is_other) {
            if components.met[at].0 == 0 {
                components.visit(at);
            }
        }
        components.found
    }

    fn meet(&mut self, at: usize) {
        self.number += 1;
        self.met[at] = (self.number, self.number);
        self.stack.push(at);
        self.is_on_stack[at] = true;
    }

    /// Visits all states ahead of one. A graph may be deeper than the stack of this program.
    fn visit(&mut self, first: usize) {
        self.meet(first);
        let mut path = vec![(first, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            let edge = self.graph.states[at].edges.get(*next);
            *next += 1;
            match edge.map(|edge| edge.to.index()) {
                Some(to) if self.others[to] => {}
                Some(to) if self.met[to].0 == 0 => {
                    self.meet(to);
                    path.push((to, 0));
                }
                Some(to) if self.is_on_stack[to] => {
                    self.met[at].1 = self.met[at].1.min(self.met[to].0);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        self.met[*before].1 = self.met[*before].1.min(self.met[at].1);
                    }
                    if self.met[at].0 == self.met[at].1 {
                        self.take_component(at);
                    }
                }
            }
        }
    }

    fn take_component(&mut self, first: usize) {
        let mut states = Vec::new();
        while let Some(at) = self.stack.pop() {
            self.is_on_stack[at] = false;
            states.push(StateId(at as u32));
            if at == first {
                break;
            }
        }
        states.sort();
        self.found.push(states);
    }
}
