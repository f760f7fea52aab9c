//! Answering a question: the pipeline over lazy traces, on a thread of its own.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mw_query::{
    Bounds, Event, EventStore, Events, Execution, Failure, Item, Kind, Time, Token, Trace, attended,
};
use mw_session::{NodeId, Past, Place, Site};
use mw_vm::Value;

use super::everywhere::Whole;
use super::meaning::Meant;
use super::{QueryRow, QueryView};
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::notation::query::{About, QuerySpec, Stage};

/// Events that are meant, and what is known of them.
#[derive(Clone)]
pub(super) struct Source {
    pub meant: Meant,
    pub store: Arc<EventStore>,
    /// The returns of the same functions, if what calls return is asked for.
    returns: Option<(Events, Arc<EventStore>)>,
}

/// An event, and which of the sources it is of.
pub(super) type Tagged = (usize, Event);

/// A row before anybody has looked at it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub item: Item<Tagged>,
    pub place: Place,
    /// The node that reading an input there leads to: universes may part at it.
    pub read: Option<NodeId>,
    /// What was asked for beside it: another event.
    pub beside: Option<Option<Box<Found>>>,
}

/// What becomes of a question in one universe.
pub(super) struct Outcome {
    pub rows: Vec<Found>,
    /// How many there are, if they are not all there.
    pub total: Option<u64>,
    pub is_count: bool,
}

/// The steps of a question, with the sources that they are about by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Count,
    First(usize),
    Last(usize),
    And(usize),
    Diff(usize),
    With(usize, bool),
}

impl Debugger {
    /// Answers a question with so many rows at most.
    pub(super) fn answer_query(
        &mut self,
        spec: QuerySpec,
        limit: usize,
        listener: &mut dyn Listener,
    ) -> Result<QueryView, ApiError> {
        let mut sources = vec![self.source(self.meant(&spec.events)?)];
        let (mut steps, mut shown, mut by_universe) = (Vec::new(), Vec::new(), false);
        for stage in &spec.stages {
            let mut add = |events| -> Result<usize, ApiError> {
                let meant = self.meant(events)?;
                sources.push(self.source(meant));
                Ok(sources.len() - 1)
            };
            steps.push(match stage {
                Stage::Count => Step::Count,
                Stage::First(most) => Step::First(*most),
                Stage::Last(most) => Step::Last(*most),
                Stage::And(events) => Step::And(add(events)?),
                Stage::Diff(events) => Step::Diff(add(events)?),
                Stage::With(events, is_next) => Step::With(add(events)?, *is_next),
                Stage::Show(terms) => {
                    shown.extend(terms.iter().cloned());
                    continue;
                }
                Stage::ByUniverse => {
                    by_universe = true;
                    continue;
                }
            });
        }
        let job = (sources.as_slice(), steps.as_slice(), limit);
        match &spec.about {
            About::One(place) => {
                let at_least = match place {
                    None => self.session.recorded_end(),
                    Some(place) => self.universe_through(place)?,
                };
                let (outcome, end) = self.ask_past(listener, |past, token| {
                    let execution = Execution::new(past, at_least, token, Bounds::default());
                    Ok((run(&execution, job)?, execution.universe().end()))
                })?;
                let mut view = self.view(&sources, outcome, &shown, listener)?;
                if self.session.multiverse().ended(end.node).is_none() {
                    let place = self.place_view(end).text;
                    view.notes.push(format!("the program has come as far as {place}"));
                }
                Ok(view)
            }
            About::Compare(first, second) => {
                let ends = [self.universe_through(first)?, self.universe_through(second)?];
                self.compare_universes(job, ends, &shown, listener)
            }
            About::All | About::Exists | About::ForAll => {
                let about = match (&spec.about, by_universe) {
                    (About::All, false) => Whole::Events,
                    (About::All, true) => Whole::Counts,
                    (About::Exists, _) => Whole::Exists,
                    _ => Whole::ForAll,
                };
                self.answer_for_all(job, about, &shown, listener)
            }
        }
    }

    fn source(&mut self, meant: Meant) -> Source {
        let store = self.asked.store(&meant.events);
        let returns = match &meant.events.kind {
            Kind::Calls(functions) => {
                let kind = Kind::Returns(functions.clone());
                Some(Events { kind, tests: Vec::new(), ..meant.events.clone() })
            }
            _ => None,
        };
        let returns = returns.map(|events| {
            let store = self.asked.store(&events);
            (events, store)
        });
        Source { meant, store, returns }
    }

    /// Asks the past, with whoever listens attending.
    pub(crate) fn ask_past<R: Send>(
        &mut self,
        listener: &mut dyn Listener,
        work: impl FnOnce(Past<'_>, Token) -> Result<R, Failure> + Send,
    ) -> Result<R, ApiError> {
        let past = self.session.past();
        let mut bridge = Bridge { listener };
        let (answer, learnt) = attended(&mut bridge, move |token| work(past, token));
        self.session.learn(learnt);
        answer.map_err(|failure| match failure {
            Failure::Session(error) => error.into(),
            Failure::Cancelled => ApiError::new(ErrorKind::Cancelled, "cancelled"),
            failure => ApiError::unknown(failure.to_string()),
        })
    }

    /// The end of the universe that leads through a place, as text.
    fn universe_through(&self, place: &str) -> Result<Place, ApiError> {
        let place = self.resolve(&place.into())?;
        let multiverse = self.session.multiverse();
        let node = multiverse.leaf(place.node);
        let count = if node == place.node { place.count } else { multiverse.start(node) };
        Ok(Place { node, count })
    }

    /// What was found, for people.
    pub(super) fn view(
        &mut self,
        sources: &[Source],
        outcome: Outcome,
        shown: &[String],
        listener: &mut dyn Listener,
    ) -> Result<QueryView, ApiError> {
        let mut columns = vec!["event".to_owned(), "line".to_owned()];
        if outcome.rows.iter().any(|row| row.beside.is_some()) {
            columns.push("with".to_owned());
        }
        columns.extend(shown.iter().cloned());
        let answer = outcome.is_count.then(|| outcome.total.unwrap_or_default().to_string());
        let rows: Vec<QueryRow> = self.describe(sources, &outcome.rows, shown, listener)?;
        let notes = Vec::new();
        Ok(QueryView { columns, rows, total: outcome.total, answer, notes })
    }
}

/// The node that the input leads to that is read at a place, on the way to a node.
pub(crate) fn read_at(past: Past<'_>, place: Place, leaf: NodeId) -> Option<NodeId> {
    let multiverse = past.multiverse();
    let next = multiverse.step_towards(place.node, leaf)?;
    let choice = multiverse.choice(next).filter(|choice| choice.count == place.count)?;
    matches!(choice.site, Site::Input { .. }).then_some(next)
}

/// Sources, steps, and how many rows at most.
pub(super) type Job<'a> = (&'a [Source], &'a [Step], usize);

/// The events of a source, in its part of time.
fn trace<'a>(execution: &Execution<'a>, source: &Source, tag: usize) -> Trace<'a, Tagged> {
    let events = execution.events(source.meant.events.clone(), source.store.clone());
    let tagged = events.map(move |item| Ok((tag, item.value)));
    match source.meant.range {
        Some((from, until)) => tagged.slice(from, until),
        None => tagged,
    }
}

/// The steps of a question in one universe.
pub(super) fn run<'a>(
    execution: &Execution<'a>,
    (sources, steps, limit): Job<'_>,
) -> Result<Outcome, Failure> {
    let universe = execution.universe();
    let found = |item: Item<Tagged>| {
        let place = universe.place_at(item.time);
        Found { item, place, read: read_at(execution.past(), place, universe.leaf()), beside: None }
    };
    let mut events = trace(execution, &sources[0], 0);
    let mut rows: Option<Vec<Found>> = None;
    let mut beside: Option<(Trace<'a, Tagged>, bool)> = None;
    let mut is_count = false;
    let mut total = None;
    for step in steps {
        match step {
            Step::And(other) => {
                let other = trace(execution, &sources[*other], *other);
                events = events.merge(|one, _| Ok(*one), &other);
            }
            Step::With(other, is_next) => {
                beside = Some((trace(execution, &sources[*other], *other), *is_next));
            }
            Step::Diff(other) => {
                let all = match rows.take() {
                    Some(rows) => rows,
                    None => events.iter()?.map(|item| item.map(found)).collect::<Result<_, _>>()?,
                };
                let others = trace(execution, &sources[*other], *other);
                let others = others.iter()?.collect::<Result<Vec<_>, _>>()?;
                let kept = unmatched(execution, sources, &all, (*other, &others))?;
                let kept = all.into_iter().zip(kept).filter(|(_, kept)| *kept);
                rows = Some(kept.map(|(row, _)| row).collect());
            }
            Step::First(most) => {
                rows = Some(match rows.take() {
                    Some(rows) => rows.into_iter().take(*most).collect(),
                    None => events.first(*most)?.into_iter().map(found).collect(),
                });
            }
            Step::Last(most) => {
                rows = Some(match rows.take() {
                    Some(mut rows) => rows.split_off(rows.len().saturating_sub(*most)),
                    None => events.last(*most)?.into_iter().rev().map(found).collect(),
                });
            }
            Step::Count => {
                is_count = true;
                total = Some(match &rows {
                    Some(rows) => rows.len() as u64,
                    None => events.len()?,
                });
                rows = Some(Vec::new());
            }
        }
    }
    let mut rows = match rows {
        Some(rows) => rows,
        None => {
            let mut all = Vec::new();
            let mut count = 0;
            for item in events.iter()? {
                let item = item?;
                count += 1;
                if all.len() < limit {
                    all.push(found(item));
                }
            }
            total = Some(count);
            all
        }
    };
    if total.is_none() {
        total = Some(rows.len() as u64);
    }
    rows.truncate(limit);
    if let Some((other, is_next)) = beside {
        for row in &mut rows {
            let time = row.item.time;
            let item = if is_next { other.get_after(time)? } else { other.get_before(time)? };
            row.beside = Some(item.map(|item| Box::new(found(item))));
        }
    }
    Ok(Outcome { rows, total, is_count })
}

/// For each of some events, whether none of the others that come later has the same number and no
/// earlier partner.
fn unmatched(
    execution: &Execution<'_>,
    sources: &[Source],
    all: &[Found],
    (other, others): (usize, &[Item<Tagged>]),
) -> Result<Vec<bool>, Failure> {
    let mut timeline: Vec<(Time, Option<Value>, Option<usize>)> = Vec::new();
    for (tag, source) in sources.iter().enumerate() {
        let rows: Vec<usize> = (0..all.len()).filter(|row| all[*row].item.value.0 == tag).collect();
        let own: Vec<Item<Event>> = rows.iter().map(|row| untagged(&all[*row].item)).collect();
        let numbers = numbers(execution, source, &own)?;
        let own = own.iter().zip(numbers).zip(rows);
        timeline.extend(own.map(|((item, number), row)| (item.time, number, Some(row))));
    }
    let theirs: Vec<Item<Event>> = others.iter().map(untagged).collect();
    let numbers = numbers(execution, &sources[other], &theirs)?;
    timeline.extend(theirs.iter().zip(numbers).map(|(item, number)| (item.time, number, None)));
    timeline.sort_by_key(|(time, ..)| *time);
    let mut open: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut matched = HashSet::new();
    for (_, number, row) in timeline {
        let Some(slot) = number.map(Value::to_slot) else { continue };
        match row {
            Some(row) => open.entry(slot).or_default().push(row),
            None => matched.extend(open.get_mut(&slot).and_then(Vec::pop)),
        }
    }
    Ok((0..all.len()).map(|row| !matched.contains(&row)).collect())
}

fn untagged(item: &Item<Tagged>) -> Item<Event> {
    Item { time: item.time, value: item.value.1 }
}

fn numbers(
    execution: &Execution<'_>,
    source: &Source,
    items: &[Item<Event>],
) -> Result<Vec<Option<Value>>, Failure> {
    let returns = match &source.returns {
        Some((events, store)) => {
            let returns = execution.events(events.clone(), store.clone());
            returns.iter()?.collect::<Result<Vec<_>, _>>()?
        }
        None => Vec::new(),
    };
    execution.numbers(&source.meant.events, items, &returns)
}
