//! Monitors at work: properties are told what the program does.
//!
//! Whoever moves a program does it through its [`Moment`], and so everything that properties know of
//! is noticed there, once, for all of them. The state of monitors is part of the moment: forked, kept
//! and compared with it.
//!
//! **Invariant:** at a place, monitors have been told of all that happened up to it: what comes before
//! the next instruction, and what comes after the last one. So their state follows from the place, and
//! nothing is told twice however one comes there. What has to be known for that beyond the machine is
//! here: a function that was interrupted comes to its next instruction twice.

mod access;
mod armed;
mod arrive;
mod due;
mod outside;
mod points;
mod returns;
mod run;
mod variables;

use std::sync::Arc;

use mw_monitor::{Automaton, EventId, MonitorState, Moved, Number, Occasion, Values, Watch, When};
use mw_vm::{Machine, Value};
use xxhash_rust::xxh3::xxh3_128;

use self::access::Target;
use self::armed::{Armed, Kept};
use self::due::HeldBack;
pub use self::due::{Due, DueEvent};
use self::points::{ProgramPoints, Told};
use crate::moment::Moment;
use crate::task::TaskId;

/// What monitors are told of, for what properties: what does not change while they run.
#[derive(Debug)]
struct Watched {
    automata: Vec<Arc<Automaton>>,
    programs: Vec<ProgramPoints>,
    kept: Kept,
}

impl Watched {
    /// The event that is noticed somewhere.
    fn event_of(&self, told: Told) -> EventId {
        self.watch(told).event
    }

    fn watch(&self, told: Told) -> &Watch {
        &self.automata[told.which].watches()[told.watch]
    }
}

/// The monitors of a moment. See the [module](self).
#[derive(Clone, Debug)]
pub struct Monitors {
    watched: Arc<Watched>,
    /// Of each property, in their order.
    states: Vec<MonitorState>,
    /// Functions that were interrupted before an instruction that monitors have been told of.
    interrupted: Vec<Under>,
    /// Functions that others have taken the place of.
    tails: Vec<Tail>,
    /// What was passed to functions that write their parameters.
    passed: Vec<Passed>,
    /// Whether the program has ended.
    has_ended: bool,
    /// How many of the messages of the turn under way have been told: all, at a place.
    sent: usize,
    /// What stops a run. This and what follows is of no concern to the future.
    heed: Heed,
    news: Vec<News>,
    armed: Option<Arc<Armed>>,
    /// Variables that are watched in frames under way.
    in_frames: Vec<Target>,
    /// What has violated a property last. It is known from the way to here.
    violation: Option<Arc<News>>,
    /// What has not been told, for whoever explores.
    held_back: Option<Box<HeldBack>>,
}

/// A function under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Under {
    task: TaskId,
    /// How deep calls are nested, this one included.
    depth: usize,
    /// The function, or the instruction that it is at.
    number: u32,
}

/// A function under way, and what was passed to it.
#[derive(Clone, Debug)]
struct Passed {
    by: Under,
    arguments: Vec<Value>,
    /// The number under which whoever explores has kept them.
    kept: u32,
}

/// A function that has called another one in its own place, and who is told when it returns.
#[derive(Clone, Debug)]
struct Tail {
    told: Told,
    of: Passed,
}

/// What of what monitors are told makes a run stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heed {
    /// Nothing, and nothing is noted.
    #[default]
    Nothing,
    /// That a property is violated.
    Violations,
    /// That a verdict is another one, or a property is violated once more.
    Verdicts,
    /// That a slice is in another state.
    Moves,
    /// Everything.
    Events,
}

/// Something that a monitor was told, and what came of it.
#[derive(Clone, Debug)]
pub struct News {
    /// The property, by its position.
    pub which: usize,
    /// How many instructions had been executed.
    pub count: u64,
    /// The event; none if time has run out.
    pub event: Option<EventId>,
    /// Its parameters.
    pub values: Values,
    /// What became of slices.
    pub moved: Moved,
    /// Whether a slice has come from a state in which the property holds to one in which it does not.
    pub violates: bool,
    /// The variables of each of these afterwards; none of one that has been forgotten.
    pub variables: Vec<Vec<Number>>,
}

/// Calls are not nested as deep as this.
const NOWHERE: usize = usize::MAX / 2;

impl Heed {
    /// Whether what became of slices is noted, by which a property may have been violated.
    fn is_for(self, moved: &Moved, violates: bool) -> bool {
        match self {
            Heed::Nothing => false,
            Heed::Violations => violates,
            Heed::Verdicts => violates || moved.verdict.0 != moved.verdict.1,
            Heed::Moves => !moved.changes.is_empty(),
            Heed::Events => true,
        }
    }
}

impl News {
    /// Whether it is noted by whoever heeds this.
    pub fn is_heeded_by(&self, heed: Heed) -> bool {
        heed.is_for(&self.moved, self.violates)
    }
}

impl Monitors {
    /// Monitors that have been told nothing.
    fn begin(watched: Arc<Watched>, now: &Moment) -> Monitors {
        let when = now.when();
        let sent = now.ensemble.as_deref().map_or(0, |ensemble| ensemble.footprint.sent.len());
        let states = watched.automata.iter().map(|automaton| MonitorState::new(automaton, when));
        Monitors {
            states: states.collect(),
            watched,
            interrupted: Vec::new(),
            tails: Vec::new(),
            passed: Vec::new(),
            has_ended: false,
            sent,
            heed: Heed::Nothing,
            news: Vec::new(),
            armed: None,
            in_frames: Vec::new(),
            violation: None,
            held_back: None,
        }
    }

    /// The properties, with the states of their monitors.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<Automaton>, &MonitorState)> {
        self.watched.automata.iter().zip(&self.states)
    }

    /// The property at a position, and the state of its monitor.
    pub fn get(&self, which: usize) -> Option<(&Arc<Automaton>, &MonitorState)> {
        self.watched.automata.get(which).zip(self.states.get(which))
    }

    /// What has violated a property last, if anything has.
    pub fn violation(&self) -> Option<&News> {
        self.violation.as_deref()
    }

    /// The same as whoever goes on from a checkpoint begins with.
    pub(crate) fn kept(&self) -> Monitors {
        Monitors { heed: Heed::Nothing, news: Vec::new(), ..self.clone() }
    }

    /// A hash of all that the future depends on.
    pub(crate) fn hash(&self, when: When) -> u128 {
        let mut bytes = Vec::new();
        for (automaton, state) in self.iter() {
            bytes.extend(automaton.fingerprint().to_le_bytes());
            bytes.extend(state.hash(when, automaton).to_le_bytes());
        }
        let under = |bytes: &mut Vec<u8>, by: &Under| {
            bytes.extend(
                [by.task.0, by.depth as u32, by.number].map(u32::to_le_bytes).as_flattened(),
            );
        };
        self.interrupted.iter().for_each(|by| under(&mut bytes, by));
        for Passed { by, arguments, .. } in
            self.tails.iter().map(|tail| &tail.of).chain(&self.passed)
        {
            under(&mut bytes, by);
            bytes.extend(arguments.iter().flat_map(|value| value.to_slot().to_le_bytes()));
        }
        bytes.push(self.has_ended.into());
        xxh3_128(&bytes)
    }

    /// The number of the program that a machine runs.
    fn program_of(&self, machine: &Machine) -> Option<usize> {
        let is_its = |points: &ProgramPoints| Arc::ptr_eq(&points.module, machine.module());
        self.watched.programs.iter().position(is_its)
    }

    /// What there is to read in the function under way.
    fn occasion<'a>(&self, now: &'a Moment) -> Occasion<'a> {
        let program = self.program_of(&now.machine).unwrap_or(0) as u16;
        Occasion { program, ..Occasion::new(&now.machine) }
    }

    /// The same where no function is meant.
    fn nowhere<'a>(&self, now: &'a Moment) -> Occasion<'a> {
        Occasion { depth: NOWHERE, ..self.occasion(now) }
    }

    /// What is left of a call that has been abandoned.
    fn forget(&mut self, task: TaskId) {
        self.interrupted.retain(|by| by.task != task);
        self.tails.retain(|tail| tail.of.by.task != task);
        self.passed.retain(|of| of.by.task != task);
    }
}

impl Moment {
    /// Watches for the same properties as if that began here, and says what is noted.
    pub fn watch_anew(&mut self, heed: Heed) {
        if let Some(monitors) = &self.monitors {
            let monitors = Monitors::begin(monitors.watched.clone(), self);
            self.monitors = Some(Box::new(Monitors { heed, ..monitors }));
            self.tell(Monitors::arrive);
        }
    }

    /// Says what of what monitors are told is noted, and stops a run; forgets what has been.
    pub fn heed(&mut self, heed: Heed) {
        if let Some(monitors) = &mut self.monitors {
            monitors.heed = heed;
            monitors.news.clear();
        }
    }

    /// Whether something has been noted.
    pub fn has_news(&self) -> bool {
        self.monitors.as_deref().is_some_and(|monitors| !monitors.news.is_empty())
    }

    /// Puts back what is still to be told.
    pub fn keep_news(&mut self, news: Vec<News>) {
        if let Some(monitors) = &mut self.monitors {
            monitors.news = news;
        }
    }

    /// Takes what has been noted.
    pub fn take_news(&mut self) -> Vec<News> {
        self.monitors
            .as_mut()
            .map(|monitors| std::mem::take(&mut monitors.news))
            .unwrap_or_default()
    }

    /// Watches for these properties from here on, and for no others.
    pub fn watch_for(&mut self, automata: Vec<Arc<Automaton>>) {
        let modules: Vec<_> = match &self.ensemble {
            Some(ensemble) => ensemble.system().programs.iter().map(|p| p.module.clone()).collect(),
            None => vec![self.machine.module().clone()],
        };
        let points = |(number, module)| ProgramPoints::new(number, module, &automata);
        let programs = (0..).zip(&modules).map(points).collect();
        let watched = Arc::new(Watched { automata, programs, kept: Kept::default() });
        let monitors = Monitors::begin(watched, self);
        self.monitors = (!monitors.states.is_empty()).then(|| Box::new(monitors));
        self.tell(Monitors::arrive);
    }

    /// When it is.
    pub fn when(&self) -> When {
        When { count: self.machine.count(), clock: self.world.clock().max(0) as u64 }
    }

    /// Where the function under way is.
    pub(crate) fn under(&self) -> Under {
        let (depth, number) = (self.machine.call_depth(), self.machine.pc());
        Under { task: self.current(), depth, number }
    }

    /// The task that runs.
    pub(crate) fn current(&self) -> TaskId {
        self.ensemble.as_deref().map_or(TaskId(0), |ensemble| ensemble.current())
    }

    /// Lets monitors be told something, if there are any.
    pub(crate) fn tell<R>(
        &mut self,
        tell: impl FnOnce(&mut Monitors, &mut Moment) -> R,
    ) -> Option<R> {
        let mut monitors = self.monitors.take()?;
        let told = tell(&mut monitors, self);
        self.monitors = Some(monitors);
        Some(told)
    }
}
