//! Ways through a graph, and how one becomes a universe of the session.

use mw_multiverse::Place;

use super::{Graph, GraphChoice, StateId, StateKind};
use crate::error::SessionError;
use crate::session::Session;

/// Where the ways to two states part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting<'a> {
    /// The last state that they have in common.
    pub at: StateId,
    /// What is decided there on the way to the first; nothing if that is the state itself.
    pub first: Option<&'a GraphChoice>,
    /// The same for the second.
    pub second: Option<&'a GraphChoice>,
}

impl Graph {
    /// The states on the way to one with the fewest choices, from the first one on.
    pub fn states_on_way(&self, to: StateId) -> Vec<StateId> {
        let mut states = vec![to];
        let mut at = to;
        while let Some((before, _)) = self.state(at).and_then(|state| state.parent) {
            states.push(before);
            at = before;
        }
        states.reverse();
        states
    }

    /// The choices on the way to a state with the fewest of them, each with the number of instructions
    /// after which it is made.
    pub fn way(&self, to: StateId) -> Vec<(u64, &GraphChoice)> {
        let parent = |id: &StateId| self.state(*id)?.parent;
        let choice = |(before, edge): (StateId, usize)| {
            let state = self.state(before)?;
            Some((state.count, state.edges.get(edge)?.choice.as_ref()?))
        };
        let states = self.states_on_way(to);
        states.iter().filter_map(parent).filter_map(choice).collect()
    }

    /// The first choice at which the ways to two states differ; `None` if they are the same.
    pub fn parting(&self, first: StateId, second: StateId) -> Option<Parting<'_>> {
        let (ways, others) = (self.states_on_way(first), self.states_on_way(second));
        let common = ways.iter().zip(&others).take_while(|(a, b)| a == b).count();
        let at = *ways.get(common.checked_sub(1)?)?;
        let choice = |way: &[StateId]| -> Option<&GraphChoice> {
            let (before, edge) = self.state(*way.get(common)?)?.parent?;
            self.state(before)?.edges.get(edge)?.choice.as_ref()
        };
        let parting = Parting { at, first: choice(&ways), second: choice(&others) };
        (first != second).then_some(parting)
    }
}

impl Session {
    /// Adds the way to a state to the multiverse, if it is not there. Returns the place at its end; where
    /// one stands, and where one would go from here, stays the same.
    pub fn adopt_state(&mut self, graph: &Graph, to: StateId) -> Result<Place, SessionError> {
        let state = graph.state(to);
        let state =
            state.ok_or_else(|| SessionError::Unknown(format!("there is no state {to}")))?;
        if !self.multiverse().contains(graph.from.node) {
            return Err(SessionError::NoSuchPlace(graph.from));
        }
        let mut node = graph.from.node;
        for (count, choice) in graph.way(to) {
            let payload = choice.payload.clone();
            node = self.multiverse_mut().suggest(node, count, &choice.site, payload);
        }
        if let StateKind::Ended(outcome) = &state.kind {
            self.multiverse_mut().end(node, state.count, outcome.clone());
        }
        Ok(Place { node, count: state.count })
    }
}
