//! What a person has set about a session.

use mw_vm::Limits;
use serde::{Deserialize, Serialize};

use crate::bookmarks::Bookmarks;
use crate::breakpoints::BreakpointSet;
use crate::mocks::Mocks;
use crate::properties::PropertySet;
use crate::scenarios::ScenarioSet;
use crate::session::Session;
use crate::turns::Turns;

/// What can be set about a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// What the program may use.
    pub limits: Limits,
    /// How many bytes checkpoints may take; none at all with zero.
    pub checkpoint_memory: usize,
    /// How many instructions may lie between checkpoints.
    pub checkpoint_interval: u64,
    /// Whether going back over an output that cannot be undone is all right, because nothing real
    /// hangs on the world.
    pub dry: bool,
}

impl Options {
    /// How many instructions lie between checkpoints: none are made if they may take nothing.
    pub(crate) fn interval(&self) -> u64 {
        match self.checkpoint_memory {
            0 => u64::MAX,
            _ => self.checkpoint_interval.max(1),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limits: Limits::default(),
            checkpoint_memory: 256 << 20,
            // A few milliseconds of replay.
            checkpoint_interval: 4_000_000,
            dry: false,
        }
    }
}

/// All that a person has set.
#[derive(Debug)]
pub(crate) struct Settings {
    options: Options,
    breakpoints: BreakpointSet,
    mocks: Mocks,
    bookmarks: Bookmarks,
    turns: Turns,
    pub properties: PropertySet,
    pub scenarios: ScenarioSet,
}

impl Settings {
    pub fn new(options: Options) -> Settings {
        let (breakpoints, mocks) = (BreakpointSet::default(), Mocks::default());
        let (bookmarks, turns) = (Bookmarks::default(), Turns::default());
        let (properties, scenarios) = (PropertySet::default(), ScenarioSet::default());
        Settings { options, breakpoints, mocks, bookmarks, turns, properties, scenarios }
    }

    pub fn breakpoints_mut(&mut self) -> &mut BreakpointSet {
        &mut self.breakpoints
    }

    pub fn mocks_mut(&mut self) -> &mut Mocks {
        &mut self.mocks
    }
}

impl Session {
    /// The breakpoints.
    pub fn breakpoints(&self) -> &BreakpointSet {
        &self.settings.breakpoints
    }

    /// The breakpoints, to add and remove some.
    pub fn breakpoints_mut(&mut self) -> &mut BreakpointSet {
        &mut self.settings.breakpoints
    }

    /// The mocks.
    pub fn mocks(&self) -> &Mocks {
        &self.settings.mocks
    }

    /// The mocks, to add and remove some.
    pub fn mocks_mut(&mut self) -> &mut Mocks {
        &mut self.settings.mocks
    }

    /// The bookmarks.
    pub fn bookmarks(&self) -> &Bookmarks {
        &self.settings.bookmarks
    }

    /// The bookmarks, to add and remove some.
    pub fn bookmarks_mut(&mut self) -> &mut Bookmarks {
        &mut self.settings.bookmarks
    }

    /// Who is to run next, and who is to wait.
    pub fn turns(&self) -> &Turns {
        &self.settings.turns
    }

    /// The same, to be changed.
    pub fn turns_mut(&mut self) -> &mut Turns {
        &mut self.settings.turns
    }

    /// What was set about the session.
    pub fn options(&self) -> &Options {
        &self.settings.options
    }

    /// Says whether going back over outputs that cannot be undone is all right from now on.
    pub fn set_dry(&mut self, dry: bool) {
        self.settings.options.dry = dry;
    }
}
