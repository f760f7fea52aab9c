//! The session: where it stands, and what it is made of.

use std::sync::Arc;

use mw_ensemble::{Ensemble, Moment, System};
use mw_multiverse::{NodeId, Outcome, Place};
use mw_vm::{ImportValues, Machine, Module, Value};
use mw_world::{Description, HeapError, Import, World};
use serde::{Deserialize, Serialize};

use crate::admit::Log;
use crate::breakpoints::BreakpointId;
use crate::error::SessionError;
use crate::known::Known;
use crate::program::Programs;
use crate::settings::{Options, Settings};
use crate::target::Attached;
use crate::walk::{Effect, Walk};

/// Why moving forward ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Halt {
    /// It got to where it was to go.
    Reached,
    /// Everybody who could have the next turn is to wait.
    Paused,
    /// A breakpoint was hit.
    Breakpoint(BreakpointId),
    /// The program ended.
    Ended(Outcome),
    /// A property is violated from here on.
    Violated,
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
    pub(crate) programs: Programs,
    pub(crate) settings: Settings,
    /// Where it stands, and how it came there.
    pub(crate) walk: Walk,
    pub(crate) known: Known,
    pub(crate) log: Log,
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
        Session::with(machine, true, world, options)
    }

    /// A session that begins with this machine, which may have a whole past, in the world as it is
    /// described.
    pub(crate) fn with(
        machine: Machine,
        has_whole_past: bool,
        world: &Arc<Description>,
        options: Options,
    ) -> Result<Session, SessionError> {
        let module = machine.module().clone();
        let imports = module.imports().map(|(name, ty)| Import {
            module: &name.module,
            name: &name.field,
            ty,
        });
        let now = Moment::new(machine, world.bind(imports)?);
        Ok(Session::at(now, has_whole_past, options))
    }

    /// A session at the start of a system of several programs.
    pub fn of_system(system: Arc<System>, options: Options) -> Result<Session, SessionError> {
        let now = Moment::of_system(system).map_err(SessionError::Unknown)?;
        Ok(Session::at(now, true, options))
    }

    /// The tasks as they are here, if there can be more than one.
    pub fn ensemble(&self) -> Option<&Ensemble> {
        self.walk.now.ensemble.as_deref()
    }

    /// The program in its world as it is here, with all other tasks.
    pub fn now(&self) -> &Moment {
        &self.walk.now
    }

    /// What identifies program and world.
    pub fn fingerprints(&self) -> (u128, u128) {
        let world = self.known.root_world().description().fingerprint();
        match self.ensemble().map(|ensemble| ensemble.system()) {
            Some(system) if !system.is_alone() => (system.fingerprint(), world),
            _ => (self.module().fingerprint(), world),
        }
    }

    /// A session of the same program at its start, in which nothing has happened: it stands in for
    /// this one where that is lent to somebody.
    pub fn stand_in(&self) -> Session {
        Session::at(self.known.at_root().now, true, *self.options())
    }

    fn at(mut now: Moment, has_whole_past: bool, options: Options) -> Session {
        Session {
            programs: Programs::of(&now),
            settings: Settings::new(options),
            known: Known::new(now.keep(), has_whole_past, options.checkpoint_memory),
            walk: Walk::new(now, NodeId::ROOT),
            log: Log::default(),
            attached: None,
        }
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
            self.known.rebase(self.walk.now.keep());
        }
    }

    /// Where the session stands.
    pub fn here(&self) -> Place {
        self.walk.here()
    }

    /// What the program did to the world since this was last asked.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        self.walk.forgotten = 0;
        std::mem::take(&mut self.walk.effects).into()
    }

    /// How many things the program did before those: more than are kept.
    pub fn forgotten_effects(&self) -> u64 {
        self.walk.forgotten
    }

    /// A hash of machine and world as they are here. Equal for places from which everything goes
    /// on the same way; the count of instructions is no part of it.
    pub fn state_hash(&mut self) -> (u128, u128) {
        self.walk.now.hash()
    }

    /// The message with which the world ended the program here, if it did.
    pub fn abort_message(&self) -> Option<&str> {
        self.walk.now.aborted.as_deref()
    }
}
