//! The past of a session, to be looked at from any number of threads: what was recorded, moments from
//! which a replay can begin, and replays that somebody looks on.
//!
//! Nothing of it moves the session. What the replays find out on the way ([`Learnt`]) the session can
//! take over afterwards.

use std::sync::Arc;

use mw_ensemble::Moment;
use mw_multiverse::{Multiverse, NodeId, Place};
use mw_source::Sources;
use mw_vm::{Breakpoints, Machine, Module, Op, Stop, Value};
use mw_world::Call;

use crate::control::Control;
use crate::drive::{Drive, Goal, Watcher};
use crate::error::SessionError;
use crate::known::{Findings, Known};
use crate::program::{ByProgram, Programs};
use crate::replayer::Replayer;
use crate::session::Session;

/// The past of a session. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    known: &'a Known,
    programs: &'a Programs,
    here: Place,
    interval: u64,
}

/// Which instructions of each program somebody is told of.
#[derive(Clone, Debug)]
pub struct Scope(ByProgram);

/// What replays have found out that is worth knowing later.
#[derive(Debug, Default)]
pub struct Learnt(Vec<Findings>);

impl Learnt {
    /// With what others have found out.
    pub fn and(mut self, other: Learnt) -> Learnt {
        self.0.extend(other.0);
        self
    }
}

/// Who looks on while a part of the past is replayed.
pub trait Onlooker {
    /// What sees the instructions.
    type Probe: Watcher;

    /// What sees the instructions.
    fn probe(&mut self) -> &mut Self::Probe;

    /// The probe has stopped the machine.
    fn stopped(&mut self, now: &Moment) {
        let _ = now;
    }

    /// Whether to go on after that.
    fn goes_on(&self) -> bool {
        true
    }
}

/// Is told of calls of primitives: before each, and with the value that an input has returned.
pub type OnCall<'a> = &'a mut (dyn FnMut(&Moment, Call<'_>, Option<Value>) + 'a);

impl Session {
    /// Its past.
    pub fn past(&self) -> Past<'_> {
        Past {
            known: &self.known,
            programs: &self.programs,
            here: self.here(),
            interval: self.options().interval(),
        }
    }

    /// Takes over what replays have found out.
    pub fn learn(&mut self, learnt: Learnt) {
        learnt.0.into_iter().for_each(|findings| self.known.learn(findings));
    }
}

impl<'a> Past<'a> {
    /// The tree of universes.
    pub fn multiverse(self) -> &'a Multiverse {
        self.known.multiverse()
    }

    /// All programs, with what they were built from.
    pub fn programs(self) -> impl Iterator<Item = (&'a Arc<Module>, &'a Sources)> {
        self.programs.iter().map(|program| (&program.module, &*program.sources))
    }

    /// The number of the program that a machine runs.
    pub fn program_of(self, machine: &Machine) -> u16 {
        self.programs.number_of(machine) as u16
    }

    /// How far a universe has been lived that ends with a node.
    pub fn end_of(self, node: NodeId) -> u64 {
        let ended = self.multiverse().ended(node).map(|(count, _)| *count);
        let furthest = self.known.furthest(node);
        let here = (self.here.node == node).then_some(self.here.count);
        let known = [ended, furthest, here].into_iter().flatten().max();
        known.unwrap_or_else(|| self.multiverse().start(node))
    }

    /// The instructions of each program for which something holds.
    pub fn scope(self, is_seen: impl Fn(u16, &Module, u32, Op) -> bool) -> Scope {
        Scope(self.programs.each(|number, module| {
            Breakpoints::none().within(module, |pc, op| is_seen(number, module, pc, op))
        }))
    }

    /// Moments on the way to a place from which a replay can begin, the last one first, down to one
    /// that is not after a count. Only those for which something holds, and the start.
    pub fn beginnings(
        self,
        to: Place,
        until: u64,
        is_good: impl Fn(&Machine) -> bool,
    ) -> Vec<Place> {
        let start = self.multiverse().beginning();
        let (mut found, mut at) = (Vec::new(), to);
        while let Some((place, machine)) = self.known.saved_before(at) {
            if is_good(machine) {
                found.push(place);
                if place.count <= until {
                    return found;
                }
            }
            let Some(count) = place.count.checked_sub(1).filter(|count| *count >= start.count)
            else {
                break;
            };
            at = Place { node: self.multiverse().node_at(place.node, count), count };
        }
        found.push(start);
        found
    }

    /// Replays from one of the [beginnings](Past::beginnings) to a place, with somebody looking on.
    pub fn replay<O: Onlooker>(
        self,
        (from, to): (Place, Place),
        scope: &Scope,
        onlooker: &mut O,
        mut on_call: Option<OnCall<'_>>,
        control: &mut dyn Control,
    ) -> Result<Learnt, SessionError> {
        let mut replayer = Replayer::new(self.known, self.interval);
        replayer.begin_before(from);
        // What was kept may be gone by now.
        replayer.follow_to(from, false, control)?;
        replayer.settle(to)?;
        if let Some(on_call) = &mut on_call {
            called_here(replayer.now(), on_call);
        }
        loop {
            let mut told = |now: &Moment, call: Call<'_>, value: Option<Value>| {
                if let Some(on_call) = &mut on_call {
                    on_call(now, call, value);
                }
                false
            };
            let mut goal = Goal { breakpoints: &scope.0, ..Goal::default() };
            goal.on_primitive = Some(&mut told);
            match replayer.drive_to(to, &mut goal, onlooker.probe(), control)? {
                Drive::Probe => onlooker.stopped(replayer.now()),
                _ => break,
            }
            if !onlooker.goes_on() {
                break;
            }
        }
        let (_, findings) = replayer.arrived();
        Ok(Learnt(vec![findings]))
    }

    /// One that walks the multiverse by itself.
    pub fn replayer(self) -> Replayer<'a> {
        Replayer::new(self.known, self.interval)
    }
}

/// Tells of the call that the next instruction is, if it is one: whoever drives on from a place is
/// not stopped by what is there.
fn called_here(now: &mut Moment, on_call: &mut OnCall<'_>) {
    let mut ahead = now.fork();
    if let Stop::Import(_) = ahead.machine.step()
        && ahead.machine.count() == now.machine.count()
        && let Some((import, args)) = ahead.machine.import_call()
    {
        on_call(&ahead, Call { import, args: &args }, None);
    }
}
