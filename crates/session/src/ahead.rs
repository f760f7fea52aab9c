//! Running ahead: a target executes by itself and tells what its inputs return.
//!
//! A round trip for each input would slow a program down a hundredfold. So where nothing but a
//! count and breakpoints in the code can stop an operation, which a target can watch for itself,
//! it runs on, and the session follows with what it is told. Correctness does not hang on the
//! target's stopping in the right place: when the operation is over it is [halted](Session::halt_target)
//! where it stands, and what it did too much is taken back. It never performs an output ahead that
//! could not be.

use mw_ensemble::{Answered, Heed, Moment, answer};
use mw_multiverse::Place;
use mw_vm::{Breakpoints, Machine, NoProbe, Status, Stop, Value};
use mw_world::Call;

use crate::control::Unattended;
use crate::drive::{Goal, Mode, result_of};
use crate::error::SessionError;
use crate::session::Session;
use crate::target::{Answer, Attached};

/// How far a target may run by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Horizon {
    /// Not further than to this count.
    pub until: u64,
    /// Not past these instructions.
    pub breakpoints: Vec<u32>,
}

impl Horizon {
    /// To a count, whatever the instruction there.
    pub(crate) fn up_to(until: u64) -> Horizon {
        Horizon { until, breakpoints: Vec::new() }
    }
}

/// Where a target stands that has run by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halted {
    /// How many instructions have been executed.
    pub count: u64,
    /// The hash of its machine.
    pub hash: u128,
    /// Whether the program has ended there.
    pub ended: bool,
    /// Whether it stopped because nobody knows what an input returns.
    pub asks: bool,
    /// What inputs returned that it has not been asked for.
    pub unread: Vec<Answer>,
}

/// More breakpoints than this are not given to a target, which may be small.
const BREAKPOINTS: usize = 32;

/// No target is further ahead of the session than this.
const FURTHEST: u64 = 1 << 30;

impl Session {
    /// An operation begins that goes there: notes how far a target may run by itself, and lets it
    /// if it stands here and nothing is known of what comes.
    pub(crate) fn set_horizon(&mut self, mode: Mode, goal: &Goal<'_>) {
        if mode == Mode::Told || self.attached.is_none() {
            return;
        }
        let goes_by_world = mode == Mode::Live;
        let is_set = self.mocks().iter().next().is_some() || self.walk.now.world.has_readings();
        let is_watched = goal.heed != Heed::Nothing && self.walk.now.monitors.is_some();
        let knows_all = goal.is_plain && !is_set && !is_watched && goes_by_world;
        let breakpoints = goal.breakpoints.of(&self.walk.now.machine);
        let horizon = knows_all
            .then(|| Horizon { until: goal.count, breakpoints: breakpoints.iter().collect() });
        let horizon = horizon.filter(|horizon| horizon.breakpoints.len() <= BREAKPOINTS);
        // Trouble with the target is told when the operation is over.
        let _ = self.with_attached(|session, attached| {
            // Where the last operation ended at a breakpoint, the target has stopped as well.
            let is_stop = session.walk.is_at(breakpoints);
            if attached.horizon != horizon || is_stop {
                session.halt_target(attached)?;
                attached.horizon = horizon;
            }
            let stands = !attached.runs
                && attached.place == session.here()
                && attached.machine == session.walk.now.machine;
            if stands && let Some(horizon) = session.horizon_here(attached) {
                attached.run(&horizon)?;
            }
            Ok(())
        });
    }

    /// How far a target may run by itself from here; not at all where something is recorded, or
    /// where the program has ended.
    pub(crate) fn horizon_here(&self, attached: &Attached) -> Option<Horizon> {
        let mut steps = self.multiverse().steps(self.walk.node);
        let is_new = !steps.any(|step| self.multiverse().is_visited(step.node));
        let is_alive =
            matches!(self.walk.now.machine.status(), Status::Running | Status::Importing(_));
        let count = self.walk.now.machine.count();
        attached.horizon.clone().filter(|horizon| is_new && is_alive && horizon.until > count)
    }

    /// Stops a target that runs, and takes it back to where its way is that of the session. Says
    /// whether it stopped because nobody knows what an input returns.
    pub(crate) fn halt_target(&mut self, attached: &mut Attached) -> Result<bool, String> {
        if !std::mem::take(&mut attached.runs) {
            return Ok(false);
        }
        let halted = attached.target.halt()?;
        let last = attached.place;
        if halted.count < last.count || halted.count > self.walk.now.machine.count() + FURTHEST {
            return Err(format!("it claims to have executed {} instructions", halted.count));
        }
        let here = self.here();
        let left = halted.unread.first().map_or(halted.count, |(count, _)| *count);
        let place = Place { node: last.node, count: left };
        let is_here = place == here && halted.unread.is_empty();
        if is_here && halted.hash == self.walk.now.machine.hash() {
            (attached.place, attached.machine) = (here, self.walk.now.machine.fork());
            return Ok(halted.asks);
        }
        let mut machine = self.machine_of(last, &halted)?;
        if machine.hash() != halted.hash {
            let count = halted.count;
            return Err(format!("after {count} instructions its state is another one than here"));
        }
        let common = self.common(place, here);
        if common == place && halted.unread.is_empty() {
            (attached.place, attached.machine) = (place, machine);
        } else {
            self.pull_back(attached, &machine, common)?;
        }
        Ok(halted.asks)
    }

    /// The machine of a target that has halted, having last been at a place.
    fn machine_of(&mut self, last: Place, halted: &Halted) -> Result<Machine, String> {
        let machine = self.look_at(last, &mut Unattended, |now| {
            let mut unread = halted.unread.iter();
            while follow(now, halted, &mut unread)? {}
            Ok::<_, SessionError>(now.machine.fork())
        });
        machine.flatten().map_err(|error| error.to_string())
    }
}

/// Executes up to the next call that a target has made; `false` where it has halted.
fn follow<'a>(
    now: &mut Moment,
    halted: &Halted,
    unread: &mut impl Iterator<Item = &'a Answer>,
) -> Result<bool, SessionError> {
    let left = halted.count.saturating_sub(now.machine.count());
    if left == 0 && !halted.ended {
        return Ok(false);
    }
    let stop = now.machine.run(left.max(1), &Breakpoints::default(), &mut NoProbe);
    let Stop::Import(import) = stop else {
        let is_alive = now.machine.status() == Status::Running;
        return Ok(is_alive && left > 0 && (halted.ended || now.machine.count() < halted.count));
    };
    let Some((_, args)) = now.machine.import_call() else { return Ok(false) };
    let ty = result_of(now.machine.module(), import);
    let answered = answer(now, Call { import, args: &args }, |_| {
        let slot = unread.next().map(|(_, slot)| *slot);
        Ok::<_, SessionError>(slot.map(|slot| Value::from_slot(ty, slot).into()))
    })?;
    Ok(matches!(answered, Answered::Read { .. } | Answered::Performed { .. }))
}
