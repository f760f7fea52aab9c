//! Suggestions: the universes that matter, found by exploring from here.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mw_concolic::{Coverage, Explorer, Goal, Leaf, Stop, Strategy};
use mw_session::Place;
use serde::{Deserialize, Serialize};

use crate::adopt::Room;
use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::exploration::{Exploration, options};
use crate::suggested::{FoundView, Suggested};

/// Goes on where the last exploration stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuggestMore {}

impl Ask for SuggestMore {
    type Reply = Suggested;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.go_on_exploring(listener)
    }
}

/// An exploration under way, which can be gone on with.
pub(crate) struct Exploring {
    pub(crate) from: Place,
    pub(crate) explorer: Explorer,
    /// Whether options that behave alike stay apart.
    pub(crate) apart: bool,
    /// Whether all paths are added, however many.
    all: bool,
    covers: bool,
    /// How long exploring and telling what was found may take.
    pub(crate) time: Duration,
    /// Where each path leads that was told of.
    pub(crate) places: Vec<Place>,
}

/// One part in so many of the time is for telling what was found.
const TELLING: u32 = 5;

/// How often whoever listens is asked whether it is enough.
const LOOK_UP: Duration = Duration::from_millis(5);

/// So many paths are found before they are told; then exploring waits.
const UNTOLD: usize = 1000;

/// How often whoever listens is told what was found.
const INTERVAL: Duration = Duration::from_millis(50);

/// Tells whoever listens what is found, a few times a second.
struct Watcher<'a> {
    debugger: &'a mut Debugger,
    from: Place,
    listener: &'a mut dyn Listener,
    found: Vec<FoundView>,
    number: u64,
    told: Instant,
}

impl Watcher<'_> {
    fn tell(&mut self) {
        self.told = Instant::now();
        self.listener.event(Event::Progress { done: self.number, goal: None });
        if !self.found.is_empty() {
            let from = self.debugger.place_view(self.from);
            self.listener.event(Event::Found { from, paths: std::mem::take(&mut self.found) });
        }
    }
}

impl Watcher<'_> {
    /// Explores on another thread, so that whoever listens is told and asked all the time.
    fn explore(&mut self, explorer: &mut Explorer) {
        let stop = Stop::default();
        let (tell, told) = mpsc::sync_channel(UNTOLD);
        self.look_up(&stop);
        let explorer = Mutex::new(explorer);
        let work = |found: &mut dyn FnMut(&Leaf)| {
            explorer.lock().unwrap_or_else(PoisonError::into_inner).run(&stop, found);
        };
        let has_begun = std::thread::scope(|scope| {
            let work = move || {
                work(&mut |leaf| {
                    let _ = tell.send(leaf.clone());
                });
            };
            let has_begun = std::thread::Builder::new().spawn_scoped(scope, work).is_ok();
            // Until it has hung up.
            loop {
                match told.recv_timeout(LOOK_UP) {
                    Ok(leaf) => self.found(leaf),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if self.told.elapsed() > INTERVAL {
                    self.tell();
                }
                self.look_up(&stop);
            }
            has_begun
        });
        if !has_begun {
            // Without a thread for it, whoever listens is told in the end.
            let mut leaves = Vec::new();
            work(&mut |leaf| leaves.push(leaf.clone()));
            leaves.into_iter().for_each(|leaf| self.found(leaf));
        }
        self.tell();
    }

    /// Stops it if whoever listens has had enough.
    fn look_up(&mut self, stop: &Stop) {
        self.listener.meanwhile(self.debugger);
        if self.listener.is_cancelled() {
            stop.cancel();
        }
    }

    fn found(&mut self, mut leaf: Leaf) {
        self.number += 1;
        self.debugger.session.settle(self.from, &mut leaf);
        self.found.push(self.debugger.found_view(&leaf));
    }
}

impl Debugger {
    /// Explores and adds what it finds to the multiverse.
    pub(crate) fn suggest(
        &mut self,
        exploration: &Exploration,
        listener: &mut dyn Listener,
    ) -> Result<Suggested, ApiError> {
        let mut options = options(exploration, &self.solvers)?;
        if let Some(target) = &exploration.towards {
            let goal = self.goal(target)?;
            if let Goal::Reach(pcs) = &goal {
                options.strategy = Strategy::Towards(pcs.clone());
            }
            options.goal = Some(goal);
        }
        let from = match &exploration.from {
            Some(from) => self.resolve(from)?,
            None => self.session.here(),
        };
        if exploration.symbolic_params && from.count != 0 {
            return Err(ApiError::not_here(
                "parameters can only be open at the start; `reset` first",
            ));
        }
        let time = options.bounds.time;
        options.bounds.time = time - time / TELLING;
        let mut bridge = Bridge { listener };
        let mut explorer = self.session.explorer(from, options, &mut bridge)?;
        if exploration.symbolic_params {
            explorer.open_parameters().map_err(ApiError::not_here)?;
        }
        let Exploration { apart, all, coverage: covers, .. } = *exploration;
        let places = Vec::new();
        self.exploring = Some(Exploring { from, explorer, apart, all, covers, time, places });
        self.go_on_exploring(listener)
    }

    /// Goes on where the last exploration stopped.
    fn go_on_exploring(&mut self, listener: &mut dyn Listener) -> Result<Suggested, ApiError> {
        let Some(mut exploring) = self.exploring.take() else {
            return Err(ApiError::not_here("nothing has been explored yet; `suggest` first"));
        };
        let begun = Instant::now();
        let mut watcher = Watcher {
            debugger: self,
            from: exploring.from,
            listener,
            found: Vec::new(),
            number: 0,
            told: Instant::now(),
        };
        watcher.explore(&mut exploring.explorer);
        let left = exploring.time.saturating_sub(begun.elapsed());
        let begun = Instant::now();
        let room = if exploring.all { Room::All } else { Room::Few };
        let mut suggested = self.adopt(&mut exploring, room, left, listener);
        suggested.microseconds += begun.elapsed().as_micros() as u64;
        self.exploring = Some(exploring);
        Ok(suggested)
    }

    /// What the last exploration has reached.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.exploring.as_ref().map(|exploring| exploring.explorer.coverage())
    }

    /// The same, unless it was not to be noted.
    pub(crate) fn noted_coverage(&self) -> Option<&Coverage> {
        let exploring = self.exploring.as_ref().filter(|exploring| exploring.covers);
        exploring.map(|exploring| exploring.explorer.coverage())
    }
}
