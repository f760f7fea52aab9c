//! Questions about all universes, and about what two of them do not have in common.

use std::collections::HashSet;

use mw_query::{Bounds, Execution, Forest, Item, Sighting};
use mw_session::{NodeId, Past, Place};

use super::answer::{Found, Job, Outcome, Source, Step, read_at, run};
use super::{QueryRow, QueryView};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;

/// What is asked about all universes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// What happens in any of them, what they share once.
    Events,
    /// How often in each.
    Counts,
    /// Whether in any.
    Exists,
    /// Whether in all.
    ForAll,
}

/// The end of a universe, and the first event in it that is asked for.
type FirstIn = (Place, Option<(Item<u32>, Place, NodeId)>);

impl Debugger {
    /// Answers a question about all universes.
    pub(super) fn answer_for_all(
        &mut self,
        (sources, steps, limit): Job<'_>,
        whole: Whole,
        shown: &[String],
        listener: &mut dyn Listener,
    ) -> Result<QueryView, ApiError> {
        let alone = matches!(
            (steps, whole),
            ([], _) | ([Step::Count | Step::First(_) | Step::Last(_)], Whole::Events)
        );
        if !alone {
            return Err(ApiError::notation(
                "over all universes there are `count`, `first N`, `last N`, `show` and `by universe`; \
                 write `in` and a place to ask one of them",
            ));
        }
        match whole {
            Whole::Events => {
                let found = self.ask_past(listener, |past, token| {
                    let forest = Forest::new(past, &token, Bounds::default());
                    let Source { meant, store, .. } = &sources[0];
                    forest.sightings(&meant.events, store, meant.range)
                })?;
                let outcome = taken(self.session.past(), found, steps, limit);
                self.view(sources, outcome, shown, listener)
            }
            Whole::Counts => {
                let counts = self.ask_past(listener, |past, token| {
                    let forest = Forest::new(past, &token, Bounds::default());
                    let Source { meant, store, .. } = &sources[0];
                    let counts = forest.by_universe(&meant.events, store, meant.range)?;
                    let ends = forest.universes().iter().map(|one| one.universe().end());
                    Ok(ends.zip(counts).collect::<Vec<_>>())
                })?;
                let left = counts.len().saturating_sub(limit);
                let rows = counts.into_iter().take(limit).map(|(end, count)| QueryRow {
                    place: self.place_view(end),
                    ahead: false,
                    cells: vec![count.to_string(), self.end_text(end)],
                });
                let columns = vec!["times".to_owned(), "end".to_owned()];
                let rows = rows.collect();
                let note = || format!("{left} universes more");
                let notes = Vec::from_iter((left > 0).then(note));
                Ok(QueryView { columns, rows, total: None, answer: None, notes })
            }
            Whole::Exists | Whole::ForAll => {
                let first = self.ask_past(listener, |past, token| {
                    let forest = Forest::new(past, &token, Bounds::default());
                    let Source { meant, store, .. } = &sources[0];
                    let first = forest.first_in_each(&meant.events, store, meant.range)?;
                    let universes = forest
                        .universes()
                        .iter()
                        .map(|one| (one.universe().end(), one.universe().clone()));
                    let places = universes.zip(first).map(|((end, universe), first)| {
                        (
                            end,
                            first.map(|item| (item, universe.place_at(item.time), universe.leaf())),
                        )
                    });
                    Ok(places.collect::<Vec<_>>())
                })?;
                self.verdict(sources, first, whole, (shown, limit), listener)
            }
        }
    }

    /// Whether something happens, by its first time in each universe.
    fn verdict(
        &mut self,
        sources: &[Source],
        first: Vec<FirstIn>,
        whole: Whole,
        (shown, limit): (&[String], usize),
        listener: &mut dyn Listener,
    ) -> Result<QueryView, ApiError> {
        let universes = first.len();
        let with = first.iter().filter(|(_, found)| found.is_some()).count();
        let holds = match whole {
            Whole::Exists => with > 0,
            _ => with == universes,
        };
        let mut rows: Vec<Found> = Vec::new();
        for (_, found) in &first {
            let Some((item, place, leaf)) = found else { continue };
            let read = read_at(self.session.past(), *place, *leaf);
            if rows.len() < limit && rows.iter().all(|row| (row.place, row.read) != (*place, read))
            {
                let item = Item { time: item.time, value: (0, item.value) };
                rows.push(Found { item, place: *place, read, beside: None });
            }
        }
        if whole == Whole::ForAll {
            rows.clear();
        }
        let outcome = Outcome { rows, total: None, is_count: false };
        let mut view = self.view(sources, outcome, shown, listener)?;
        let answer = if holds { "yes" } else { "no" };
        view.answer = Some(format!("{answer}: in {with} of {universes} universes"));
        if whole == Whole::ForAll {
            for (end, _) in first.iter().filter(|(_, found)| found.is_none()).take(limit) {
                let mut cells = vec!["does not happen here".to_owned(), self.end_text(*end)];
                cells.resize(view.columns.len(), String::new());
                view.rows.push(QueryRow { place: self.place_view(*end), ahead: false, cells });
            }
        }
        let open =
            first.iter().filter(|(end, _)| self.session.multiverse().ended(end.node).is_none());
        let open = open.count();
        if open > 0 {
            view.notes.push(format!("{open} of these universes have not ended yet"));
        }
        view.notes.push("universes that the program has not lived are not looked at".to_owned());
        Ok(view)
    }

    /// How the universe ends whose end is at a place.
    fn end_text(&self, end: Place) -> String {
        match self.session.multiverse().ended(end.node) {
            Some((count, outcome)) => self.outcome_view(*count, outcome).text,
            None => "not ended yet".to_owned(),
        }
    }

    /// What two universes do not have in common.
    pub(super) fn compare_universes(
        &mut self,
        job: Job<'_>,
        ends: [Place; 2],
        shown: &[String],
        listener: &mut dyn Listener,
    ) -> Result<QueryView, ApiError> {
        let (sources, steps, limit) = job;
        let all = (sources, steps, usize::MAX);
        let found = self.ask_past(listener, |past, token| {
            let rows = ends.map(|end| {
                let execution = Execution::new(past, end, token.clone(), Bounds::default());
                run(&execution, all).map(|outcome| outcome.rows)
            });
            let [first, second] = rows;
            Ok([first?, second?])
        })?;
        // Where an input is read, universes may part.
        let key = |row: &Found| (row.place, row.read);
        let keys = |rows: &[Found]| rows.iter().map(key).collect::<HashSet<_>>();
        let all_keys = [keys(&found[0]), keys(&found[1])];
        let common = all_keys[0].intersection(&all_keys[1]).count();
        let only = |own: usize| {
            let others = &all_keys[1 - own];
            found[own].iter().filter(move |row| !others.contains(&key(row))).cloned()
        };
        let mut rows: Vec<Found> = only(0).collect();
        let own = rows.len();
        rows.extend(only(1));
        let total = Some(rows.len() as u64);
        rows.truncate(limit);
        let outcome = Outcome { rows, total, is_count: false };
        let mut view = self.view(sources, outcome, shown, listener)?;
        let [first, second] = ends.map(|end| self.place_view(end).text);
        view.columns.push("only in".to_owned());
        for (at, row) in view.rows.iter_mut().enumerate() {
            row.cells.push(if at < own { first.clone() } else { second.clone() });
        }
        view.notes.push(format!("{common} in what both have lived together"));
        Ok(view)
    }
}

/// What is asked for of what was found in all universes.
fn taken(past: Past<'_>, mut found: Vec<Sighting>, steps: &[Step], limit: usize) -> Outcome {
    found.sort_by_key(|sighting| (sighting.item.time, sighting.place.node));
    let is_count = steps == [Step::Count];
    let mut total = found.len();
    match steps {
        [Step::First(most)] => {
            found.truncate(*most);
            total = found.len();
        }
        [Step::Last(most)] => {
            found.drain(..found.len().saturating_sub(*most));
            total = found.len();
        }
        [Step::Count] => found.clear(),
        _ => {}
    }
    let rows = found.into_iter().take(limit).map(|Sighting { item, place, universe }| {
        let item = Item { time: item.time, value: (0, item.value) };
        Found { item, place, read: read_at(past, place, universe), beside: None }
    });
    Outcome { rows: rows.collect(), total: Some(total as u64), is_count }
}
