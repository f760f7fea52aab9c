//! What is told while a request is served: everything to whoever made it, the gist to all.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::Shared;
use crate::event::{Event, Listener};

/// Time between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(50);
/// More effects than this are not told of one request.
const EFFECTS: usize = 200;

/// Listens to one request on behalf of everybody.
pub(super) struct Telling<'a> {
    shared: &'a Shared,
    events: Option<Sender<Event>>,
    cancelled: Arc<AtomicBool>,
    /// The last effects, which are told at the end: there may be millions before.
    effects: VecDeque<Event>,
    told: Option<Instant>,
}

impl<'a> Telling<'a> {
    pub fn new(
        shared: &'a Shared,
        events: Option<Sender<Event>>,
        cancelled: Arc<AtomicBool>,
    ) -> Telling<'a> {
        Telling { shared, events, cancelled, effects: VecDeque::new(), told: None }
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
                if self.told.is_none_or(|told| told.elapsed() >= INTERVAL) {
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
}
