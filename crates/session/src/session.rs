//! The session: where it stands, and what it is made of.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use mw_multiverse::{Checkpoints, Multiverse, NodeId, Outcome, Place};
use mw_source::Sources;
use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, Value};
use mw_world::{Checkpoint, Description, HeapError, Import, Moment, World};
use serde::{Deserialize, Serialize};

use crate::admit::Logged;
use crate::bookmarks::Bookmarks;
use crate::breakpoints::{BreakpointId, BreakpointSet};
use crate::error::SessionError;
use crate::lines::LineMap;
use crate::mocks::Mocks;
use crate::target::Attached;
use crate::walk::{Effect, Walk};

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

/// Why moving forward ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Halt {
    /// It got to where it was to go.
    Reached,
    /// A breakpoint was hit.
    Breakpoint(BreakpointId),
    /// The program ended.
    Ended(Outcome),
    /// The next instruction misuses memory that the program has allocated.
    Misuse(HeapError),
    /// The world does not know what an input returns: a person has to say (mock it).
    Asks,
    /// There is nothing earlier, or later.
    Edge,
}

/// A debugging session. See the [crate].
#[derive(Debug)]
pub struct Session {
    pub(crate) module: Arc<Module>,
    pub(crate) options: Options,
    /// Where it stands, and how it came there.
    pub(crate) walk: Walk,
    /// The program in its world at the start of the session.
    pub(crate) root: Checkpoint,
    /// Whether that is the start of the program.
    pub(crate) has_whole_past: bool,
    pub(crate) multiverse: Multiverse,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) breakpoints: BreakpointSet,
    pub(crate) mocks: Mocks,
    pub(crate) bookmarks: Bookmarks,
    /// What is known of the values that lead to a node.
    pub(crate) labels: BTreeMap<NodeId, String>,
    /// The source that the program was built from; empty, if it is not known.
    pub(crate) sources: Arc<Sources>,
    /// The lines to step by; made when first needed.
    pub(crate) lines: Option<Arc<LineMap>>,
    /// Where calls begin and end, for a probe; made when first needed.
    pub(crate) calls: Option<Breakpoints>,
    /// What breakpoints, and runs by suggestions, have logged since somebody last asked; the newest, if it is too much.
    pub(crate) logged: VecDeque<Logged>,
    /// How far universes have been lived after their last choice.
    pub(crate) furthest: BTreeMap<NodeId, u64>,
    /// What really does what the session does, if something does.
    pub(crate) attached: Option<Box<Attached>>,
}

impl Session {
    /// A session at the start of a program: its start function, then a call of `entry`.
    pub fn new(
        module: Arc<Module>,
        world: &Arc<Description>,
        entry: Option<(u32, Vec<Value>)>,
        options: Options,
    ) -> Result<Session, SessionError> {
        let mut machine = Machine::new(module, options.limits, ImportValues::default())?;
        if let Some((func, args)) = entry {
            machine.call_next(func, &args)?;
        }
        Ok(Session { has_whole_past: true, ..Session::with(machine, world, options)? })
    }

    /// A session that begins with this machine, in the world as it is described.
    pub(crate) fn with(
        machine: Machine,
        world: &Arc<Description>,
        options: Options,
    ) -> Result<Session, SessionError> {
        let module = machine.module().clone();
        let imports = module.imports().map(|(name, ty)| Import {
            module: &name.module,
            name: &name.field,
            ty,
        });
        let world = world.bind(imports)?;
        let count = machine.count();
        let mut now = Moment::new(machine, world);
        Ok(Session {
            root: now.keep(),
            has_whole_past: false,
            module,
            options,
            walk: Walk::new(now, NodeId::ROOT),
            multiverse: Multiverse::beginning_at(count),
            checkpoints: Checkpoints::new(options.checkpoint_memory),
            breakpoints: BreakpointSet::default(),
            mocks: Mocks::default(),
            bookmarks: Bookmarks::default(),
            labels: BTreeMap::new(),
            sources: Arc::default(),
            lines: None,
            calls: None,
            logged: VecDeque::new(),
            furthest: BTreeMap::new(),
            attached: None,
        })
    }

    /// Says what the program was built from: its lines are what one steps by, and breakpoints ask
    /// for its variables.
    pub fn set_sources(&mut self, sources: Arc<Sources>) {
        self.sources = sources;
        self.lines = None;
    }

    /// What the program was built from; empty, if it is not known.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The lines of the program, if any are known.
    pub(crate) fn lines(&mut self) -> Option<Arc<LineMap>> {
        if self.lines.is_none() {
            self.lines = Some(Arc::new(LineMap::new(&self.module, &self.sources)));
        }
        self.lines.clone().filter(|map| !map.is_empty())
    }

    /// The program.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// The machine as it is here.
    pub fn machine(&self) -> &Machine {
        &self.walk.now.machine
    }

    /// A machine of its own in the state of the one here.
    pub fn fork_machine(&mut self) -> Machine {
        self.walk.now.machine.fork()
    }

    /// The world as it is here.
    pub fn world(&self) -> &World {
        &self.walk.now.world
    }

    /// The world, to set what its inputs read. What is set is part of the world from here on, so
    /// do it before anything has happened.
    pub fn world_mut(&mut self) -> Option<&mut World> {
        self.is_fresh().then_some(&mut self.walk.now.world)
    }

    /// Takes the world as it is now for the one that everything begins with.
    pub fn rebase_world(&mut self) {
        if self.here() == self.start() {
            self.root.world = self.walk.now.world.clone();
            // They began with another world.
            self.checkpoints.clear();
        }
    }

    /// The tree of universes.
    pub fn multiverse(&self) -> &Multiverse {
        &self.multiverse
    }

    /// The tree, for whoever keeps it on disk.
    pub fn multiverse_mut(&mut self) -> &mut Multiverse {
        &mut self.multiverse
    }

    /// Where the session stands.
    pub fn here(&self) -> Place {
        self.walk.here()
    }

    /// Whether one has been further in this universe already.
    pub fn is_in_the_past(&self) -> bool {
        let ended_later = |&(count, _): &(u64, Outcome)| count > self.walk.now.machine.count();
        self.multiverse.preferred(self.walk.node).is_some()
            || self.multiverse.ended(self.walk.node).is_some_and(ended_later)
            || self
                .furthest
                .get(&self.walk.node)
                .is_some_and(|count| *count > self.walk.now.machine.count())
    }

    /// The breakpoints.
    pub fn breakpoints(&self) -> &BreakpointSet {
        &self.breakpoints
    }

    /// The breakpoints, to add and remove some.
    pub fn breakpoints_mut(&mut self) -> &mut BreakpointSet {
        &mut self.breakpoints
    }

    /// The mocks.
    pub fn mocks(&self) -> &Mocks {
        &self.mocks
    }

    /// The mocks, to add and remove some.
    pub fn mocks_mut(&mut self) -> &mut Mocks {
        &mut self.mocks
    }

    /// The bookmarks.
    pub fn bookmarks(&self) -> &Bookmarks {
        &self.bookmarks
    }

    /// The bookmarks, to add and remove some.
    pub fn bookmarks_mut(&mut self) -> &mut Bookmarks {
        &mut self.bookmarks
    }

    /// What the program did to the world since this was last asked.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.walk.effects).into()
    }

    /// What was set about the session.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Says whether going back over outputs that cannot be undone is all right from now on.
    pub fn set_dry(&mut self, dry: bool) {
        self.options.dry = dry;
    }

    /// A hash of machine and world as they are here. Equal for places from which everything goes
    /// on the same way; the count of instructions is no part of it.
    pub fn state_hash(&mut self) -> (u128, u128) {
        self.walk.now.hash()
    }

    /// The checkpoints, to look at.
    pub fn checkpoints(&self) -> &Checkpoints {
        &self.checkpoints
    }

    /// The message with which the world ended the program here, if it did.
    pub fn abort_message(&self) -> Option<&str> {
        self.walk.now.aborted.as_deref()
    }
}
