//! An execution that is a list, and counts who looks at it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use mw_query::{Backend, Direction, Failure, Item, Looked, Time, Trace, trace_of};
use proptest::prelude::ProptestConfig;

/// So many generated cases, or as many as `PROPTEST_CASES` says.
pub fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => default,
        None => ProptestConfig { cases, ..default },
    }
}

/// Events by their times, with a count of how often it was asked and where.
#[derive(Debug)]
pub struct Recording {
    events: BTreeMap<Time, u64>,
    strands: [((), Range<Time>); 1],
    frontier: Time,
    calls: AtomicUsize,
    looked: Mutex<Vec<Range<Time>>>,
}

impl Recording {
    pub fn new(events: &[(u64, u64)]) -> Arc<Recording> {
        Recording::until(events, Time::MAX)
    }

    /// One of which nothing is known from a time on.
    pub fn until(events: &[(u64, u64)], frontier: Time) -> Arc<Recording> {
        Arc::new(Recording {
            events: events.iter().map(|(time, value)| (Time::new(*time), *value)).collect(),
            strands: [((), Time::MIN..Time::MAX)],
            frontier,
            calls: AtomicUsize::new(0),
            looked: Mutex::default(),
        })
    }

    pub fn trace(self: &Arc<Self>) -> Trace<'static, u64> {
        trace_of(self.clone(), Arc::default())
    }

    /// How often it was asked.
    pub fn calls(&self) -> usize {
        self.calls.load(Relaxed)
    }

    /// Which parts of it were looked at, in the order in which that was asked.
    pub fn looked(&self) -> Vec<Range<Time>> {
        self.looked.lock().unwrap().clone()
    }

    fn look(&self, range: Range<Time>) -> Looked<u64> {
        self.calls.fetch_add(1, Relaxed);
        self.looked.lock().unwrap().push(range.clone());
        let items = self.events.range(range.clone());
        let items = items.map(|(time, value)| Item { time: *time, value: *value }).collect();
        Looked { range, items }
    }
}

impl Backend for Recording {
    type Strand = ();
    type Event = u64;

    fn strands(&self) -> &[((), Range<Time>)] {
        &self.strands
    }

    fn frontier(&self) -> Time {
        self.frontier
    }

    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Looked<u64>, Failure> {
        assert!(range.end <= self.frontier, "{range:?} is not known yet");
        let mut within = self.events.range(range.clone());
        let part = match direction {
            Direction::Forward => {
                let first = within.next().map(|(time, _)| time.next());
                range.start..first.unwrap_or(range.end)
            }
            Direction::Back => {
                let last = within.next_back().map(|(time, _)| *time);
                last.unwrap_or(range.start)..range.end
            }
        };
        Ok(self.look(part))
    }

    fn gather(
        &self,
        ranges: &[Range<Time>],
        found: &mut dyn FnMut(Looked<u64>),
    ) -> Result<(), Failure> {
        ranges.iter().for_each(|range| found(self.look(range.clone())));
        Ok(())
    }
}

pub fn at(steps: u64) -> Time {
    Time::new(steps)
}

/// All items of a trace.
pub fn all<T: Clone + Send + Sync + 'static>(trace: &Trace<'static, T>) -> Vec<(u64, T)> {
    let items = trace.iter().unwrap().map(Result::unwrap);
    items.map(|item| (item.time.steps(), item.value)).collect()
}
