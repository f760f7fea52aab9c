//! What is told while a request is served: everything to whoever made it, the gist to all; and
//! the requests that are served in passing.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::{Job, Queue, Shared, lock};
use crate::debugger::Debugger;
use crate::event::{Event, Listener};

/// Time between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(50);
/// More effects than this are not told of one request.
const EFFECTS: usize = 200;
/// Time between two looks at what a long operation does.
const FRAME: Duration = Duration::from_millis(66);
/// Of the time that an operation takes, one part in so many is for those who look.
const LOOKING: u32 = 5;

/// Listens to one request on behalf of everybody.
pub(super) struct Telling<'a> {
    shared: &'a Shared,
    queue: &'a mut Queue,
    only_looks: bool,
    events: Option<Sender<Event>>,
    cancelled: Arc<AtomicBool>,
    /// The last effects, which are told at the end: there may be millions before.
    effects: VecDeque<Event>,
    told: Option<Instant>,
    /// When it was last told where the session stands.
    shown: Instant,
    /// How long it has taken since then to serve those who look.
    looking: Duration,
}

impl<'a> Telling<'a> {
    pub fn new(
        shared: &'a Shared,
        queue: &'a mut Queue,
        only_looks: bool,
        events: Option<Sender<Event>>,
        cancelled: Arc<AtomicBool>,
    ) -> Telling<'a> {
        Telling {
            shared,
            queue,
            only_looks,
            events,
            cancelled,
            effects: VecDeque::new(),
            told: None,
            shown: Instant::now(),
            looking: Duration::ZERO,
        }
    }

    /// Tells everybody where the session stands, if it is time to.
    fn show(&mut self, debugger: &mut Debugger) {
        let pause = FRAME.max(self.looking * LOOKING);
        if self.shown.elapsed() < pause || lock(&self.shared.subscribers).is_empty() {
            return;
        }
        (self.shown, self.looking) = (Instant::now(), Duration::ZERO);
        debugger.changes += 1;
        let position = Box::new(debugger.position());
        self.shared.broadcast(&Event::Passing { position });
    }

    /// Tells what is still to be told.
    pub fn finish(self) {
        for effect in &self.effects {
            self.shared.broadcast(effect);
        }
    }
}

impl Listener for Telling<'_> {
    fn event(&mut self, event: Event) {
        if let Some(events) = &self.events {
            // It may have gone away.
            let _ = events.send(event.clone());
        }
        match event {
            Event::Progress { .. } => {
                // Nobody is told of the end of a look.
                if !self.only_looks && self.told.is_none_or(|told| told.elapsed() >= INTERVAL) {
                    self.told = Some(Instant::now());
                    self.shared.broadcast(&event);
                }
            }
            Event::Effect(_) | Event::Reading(_) | Event::Omitted { .. } => {
                if self.effects.len() == EFFECTS {
                    self.effects.pop_front();
                }
                self.effects.push_back(event);
            }
            _ => self.shared.broadcast(&event),
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn meanwhile(&mut self, debugger: &mut Debugger) {
        // A device that runs ahead goes by what was decided when it began.
        let has_link = debugger.has_link();
        let may = |job: &Job| job.work.in_passing() && (job.work.only_looks() || !has_link);
        while let Some(job) = self.queue.overtaking(may) {
            let begun = Instant::now();
            let Job { mut work, cancelled, events, .. } = *job;
            if cancelled.load(Ordering::Relaxed) {
                work.answer(mw_session::SessionError::Cancelled.into());
                continue;
            }
            let mut listener = InPassing { events, cancelled, under_way: &self.cancelled };
            work.serve_in_passing(debugger, &mut listener);
            drop(listener);
            work.answer(super::gone());
            self.looking += begun.elapsed();
        }
        self.show(debugger);
    }
}

/// Listens to a request that is served in the middle of another one; it ends with that.
struct InPassing<'a> {
    events: Option<Sender<Event>>,
    cancelled: Arc<AtomicBool>,
    under_way: &'a AtomicBool,
}

impl Listener for InPassing<'_> {
    fn event(&mut self, event: Event) {
        if let Some(events) = &self.events {
            // It may have gone away.
            let _ = events.send(event);
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.under_way.load(Ordering::Relaxed)
    }
}
