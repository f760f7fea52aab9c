//! Asking the past: what happened, when, and how often. The question is text, see
//! [`notation`](crate::notation).

mod answer;
mod describe;
mod everywhere;
mod meaning;

pub(crate) use answer::read_at;

use std::collections::HashMap;
use std::sync::Arc;

use mw_query::EventStore;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::notation::read_query;
use crate::views::PlaceView;

/// How many rows there are unless told otherwise.
const ROWS: usize = 100;
/// How many rows there are at most.
const MOST: usize = 100_000;
/// So many events are kept of all questions; beyond, what was found is forgotten.
const KEPT: usize = 32 << 20;

/// What was found for earlier questions, by the events that they were about.
#[derive(Debug, Default)]
pub(crate) struct Asked(HashMap<String, Arc<EventStore>>);

impl Asked {
    /// What is known of some events, by their description.
    pub fn store(&mut self, events: &mw_query::Events) -> Arc<EventStore> {
        if self.0.values().map(|store| store.len()).sum::<usize>() > KEPT {
            self.0.clear();
        }
        self.0.entry(format!("{events:?}")).or_default().clone()
    }
}

/// Asks what happened in this universe, or in all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The question: `calls foo where arg 0 > 3 | last`.
    pub question: String,
    /// How many rows at most: the first ones, unless the last are asked for; never more than 100,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for Query {
    type Reply = QueryView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let spec = read_query(&self.question)?;
        let limit = self.limit.unwrap_or(ROWS).clamp(1, MOST);
        debugger.answer_query(spec, limit, listener)
    }
}

/// The answer to a question about the past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryView {
    /// What the rows have beside their places, one name for each cell.
    pub columns: Vec<String>,
    /// What was found, in the order of time.
    pub rows: Vec<QueryRow>,
    /// How many there are altogether, if that was counted.
    pub total: Option<u64>,
    /// The answer, if it is one word or number.
    pub answer: Option<String>,
    /// What else is to be known: what is not known yet, what was left out.
    pub notes: Vec<String>,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryRow {
    /// Where; to be slid to.
    pub place: PlaceView,
    /// Whether that is still to come where the session stands, in its universe.
    pub ahead: bool,
    /// What it is, and what was asked for besides.
    pub cells: Vec<String>,
}
