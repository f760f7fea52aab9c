//! What differs between two places.

use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::Listener;
use crate::reply::{DifferenceView, MemoryDifferenceView, Reply, VariableDifference};
use crate::request::PlaceRef;
use crate::world_changes::world_changes;

impl Debugger {
    pub(crate) fn diff(
        &mut self,
        first: &PlaceRef,
        second: Option<&PlaceRef>,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let first = self.resolve(first)?;
        let second = match second {
            Some(second) => self.resolve(second)?,
            None => self.session.here(),
        };
        let mut bridge = Bridge { listener, keeper: None };
        let found = self.session.diff(first, second, &mut bridge);
        self.note_effects();
        let found = found.map_err(|error| self.unreachable(&[first, second], error.into()))?;
        let global =
            |(index, first, second): &(u32, mw_vm::Value, mw_vm::Value)| VariableDifference {
                term: format!("global {index}"),
                name: self.global_name(*index),
                first: (*first).into(),
                second: (*second).into(),
            };
        let parted = |node: Option<mw_session::NodeId>| self.choice_view(node?);
        let view = DifferenceView {
            first: self.place_view(first),
            second: self.place_view(second),
            common: self.place_view(found.common),
            parted: (parted(found.parted.0), parted(found.parted.1)),
            globals: found.globals.iter().map(global).collect(),
            memory: found
                .memory
                .into_iter()
                .map(|difference| MemoryDifferenceView {
                    address: difference.address,
                    first: difference.first,
                    second: difference.second,
                })
                .collect(),
            stacks: found.stacks,
            world: found
                .worlds
                .map(|worlds| world_changes(&worlds.0, &worlds.1))
                .unwrap_or_default(),
        };
        Ok(Reply::Difference(Box::new(view)))
    }
}
