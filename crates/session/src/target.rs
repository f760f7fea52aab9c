//! A target: something real that does what the session does.
//!
//! The machine is deterministic, so a session always has the machine and the world at hand, as if
//! everything happened here. A *target*, such as a device, follows: it is brought to where the
//! session stands when an operation is over ([`Session::bring_target`]), and when an input is read
//! whose value only it can know. So all operations are the same with a target and without, and a
//! target is moved no more often than it must be:
//!
//! 1. What it did to the outside is taken back, down to the last place that the ways to where it
//!    stands and to here have in common.
//! 2. Its machine becomes the one of that place, which changes nothing outside.
//! 3. From there it executes, with the choices that lead here, and performs the outputs on the way.
//!
//! Where a target can know by itself where to stop, it *runs ahead* ([`ahead`](crate::ahead)).
//!
//! What a target returns is not trusted: a value has to lie in its input's domain, and the machine
//! of the target has to be the one that is here.

use std::fmt;

use mw_multiverse::{Choice, NodeId, Place, Site};
use mw_vm::{Machine, Status, ValType, Value};
use mw_world::{Call, Kind, Sample};

use crate::ahead::{Halted, Horizon};
use crate::control::{Control, Unattended};
use crate::drive::result_of;
use crate::error::SessionError;
use crate::session::Session;

/// What an input returned: how many instructions had been executed before, and the slot.
pub type Answer = (u64, u64);

/// A stretch that a target is to execute.
pub struct Leg<'a> {
    /// The machine at its start, which the target is at.
    pub from: &'a mut Machine,
    /// How many instructions have been executed at its end.
    pub until: u64,
    /// Whether the program ends there.
    pub ends: bool,
    /// What inputs return on the way.
    pub answers: &'a [Answer],
    /// The hash of the machine at its end.
    pub hash: u128,
}

/// Whether whoever asked does not want to wait any longer.
pub type IsCancelled<'a> = &'a mut dyn FnMut() -> bool;

/// Something real that does what the session does. See the [module](self).
pub trait Target: fmt::Debug + Send {
    /// Takes back what was done to the outside since a count, newest first.
    fn undo(&mut self, to: u64) -> Result<(), String>;

    /// Makes the machine `to`, where it is `from`, without touching the outside. `history` is what
    /// inputs returned since the start, if beginning again with that leads there.
    fn restore(
        &mut self,
        from: &Machine,
        to: &Machine,
        history: Option<&[Answer]>,
    ) -> Result<(), String>;

    /// Executes a stretch and performs its outputs. Returns how far it came, which is its end
    /// unless it was cancelled.
    fn advance(&mut self, leg: Leg<'_>, is_cancelled: IsCancelled<'_>) -> Result<u64, String>;

    /// Executes the call of an input that comes next: the slot that it returns, if that is known.
    /// Only for a target that does not run by itself.
    fn read(&mut self, call: Call<'_>, count: u64) -> Result<Option<u64>, String> {
        let _ = (call, count);
        Err("it does not read inputs one by one".into())
    }

    /// Begins to execute by itself, no further than to the horizon. `false` if it never does.
    fn run(&mut self, horizon: &Horizon) -> Result<bool, String> {
        let _ = horizon;
        Ok(false)
    }

    /// What the next input returned that it has read while it ran by itself; waits for it. `None`
    /// if it has stopped before there was one, or if it was cancelled.
    fn next(&mut self, is_cancelled: IsCancelled<'_>) -> Result<Option<Answer>, String> {
        let _ = is_cancelled;
        Ok(None)
    }

    /// Stops a target that runs by itself, or has, and says where it stands.
    fn halt(&mut self) -> Result<Halted, String> {
        Err("it does not run by itself".into())
    }
}

/// A target and where it stands.
#[derive(Debug)]
pub(crate) struct Attached {
    pub target: Box<dyn Target>,
    /// Where it stands; while it runs, the last place of which the session knows.
    pub place: Place,
    /// The machine there, unless it runs.
    pub machine: Machine,
    /// How far it may run by itself, if it may.
    pub horizon: Option<Horizon>,
    /// It runs by itself,
    pub runs: bool,
    /// no further than to this count.
    until: u64,
    /// It has executed a call that is not recorded yet.
    has_read: bool,
    /// Why nobody knows any more where it stands.
    trouble: Option<String>,
}

impl Attached {
    /// Lets it run by itself, if it ever does.
    pub fn run(&mut self, horizon: &Horizon) -> Result<bool, String> {
        self.runs = self.target.run(horizon)?;
        self.until = horizon.until;
        Ok(self.runs)
    }
}

/// Why a target is not where it should be.
pub(crate) enum Failure {
    Trouble(String),
    Cancelled,
}

impl<E: fmt::Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Trouble(error.to_string())
    }
}

impl Session {
    /// Attaches a target that stands at the start of the session.
    pub fn attach(&mut self, target: Box<dyn Target>) {
        self.attached = Some(Box::new(Attached {
            target,
            place: self.start(),
            machine: self.fork_start(),
            horizon: None,
            runs: false,
            until: 0,
            has_read: false,
            trouble: None,
        }));
    }

    /// Goes on without the target.
    pub fn detach(&mut self) {
        self.attached = None;
    }

    /// Why the target is not touched any more, if so.
    pub fn target_trouble(&self) -> Option<&str> {
        self.attached.as_ref()?.trouble.as_deref()
    }

    /// Does not touch the target any more, for a reason that came out elsewhere.
    pub fn give_up_target(&mut self, why: String) {
        if let Some(attached) = &mut self.attached {
            attached.trouble.get_or_insert(why);
        }
    }

    /// Brings the target, if there is one, to where the session stands. Cancelled on the way, the
    /// session goes to where the target stands instead.
    pub fn bring_target(&mut self, control: &mut dyn Control) -> Result<(), SessionError> {
        let brought = self.with_attached(|session, attached| {
            let brought = session.bring(attached, false, control);
            match brought {
                Err(Failure::Cancelled) => {
                    session.slide(attached.place, true, &mut Unattended)?;
                    Err(Failure::Cancelled)
                }
                brought => brought,
            }
        });
        brought.map(drop)
    }

    /// What an input returns when nobody has decided it.
    pub(crate) fn sample(
        &mut self,
        call: Call<'_>,
        control: &mut dyn Control,
    ) -> Result<Sample, SessionError> {
        // What a person has set wins over what the target reads: it gets it as it gets a mock.
        if self.walk.now.world.reading(call).is_some() {
            return Ok(self.walk.now.world.sample(call)?);
        }
        let read = self.with_attached(|session, attached| {
            let value = session.read(attached, call, control)?;
            if let Some(value) = value {
                let lies = |error| format!("the device is not to be trusted: {error}");
                session.walk.now.world.check(call, &value.into()).map_err(lies)?;
                attached.has_read = true;
            }
            Ok(value)
        })?;
        match read {
            None => Ok(self.walk.now.world.sample(call)?),
            Some(None) => Ok(Sample::Ask),
            Some(Some(value)) => Ok(Sample::Answer(value.into())),
        }
    }

    /// Lets the target read the input that comes next; `None` if it does not know it.
    fn read(
        &mut self,
        attached: &mut Attached,
        call: Call<'_>,
        control: &mut dyn Control,
    ) -> Result<Option<Value>, Failure> {
        let count = self.walk.now.machine.count();
        let ty = result_of(self.module(), call.import);
        let as_value = |slot| Value::from_slot(ty, slot);
        let mut nearly = true;
        loop {
            let is_fresh = !attached.runs;
            if is_fresh {
                self.bring(attached, nearly, control)?;
                let horizon = self.horizon_here(attached).unwrap_or(Horizon::up_to(count + 1));
                if !attached.run(&horizon)? {
                    self.bring(attached, false, control)?;
                    return Ok(attached.target.read(call, count)?.map(as_value));
                }
            }
            match attached.target.next(&mut || control.is_cancelled())? {
                Some((at, slot)) if at == count => return Ok(Some(as_value(slot))),
                Some((at, _)) => {
                    let text = format!("it read an input after {at} instructions, not {count}");
                    return Err(Failure::Trouble(text));
                }
                None if control.is_cancelled() => return Err(Failure::Cancelled),
                None => {}
            }
            let asks = self.halt_target(attached)?;
            if asks && attached.place == self.here() {
                return Ok(None);
            }
            if is_fresh && !nearly {
                return Err(Failure::Trouble("it does not read the input that comes next".into()));
            }
            // It may have stopped at something that it is not to do by itself.
            nearly = !is_fresh;
        }
    }

    /// An input has been recorded, which the target may have read.
    pub(crate) fn note_read(&mut self) -> Result<(), SessionError> {
        let here = self.here();
        let Some(attached) = &mut self.attached else { return Ok(()) };
        if !std::mem::take(&mut attached.has_read) {
            return Ok(());
        }
        attached.place = here;
        match attached.runs {
            false => attached.machine = self.walk.now.machine.fork(),
            // Here is where it stops, too.
            true if here.count >= attached.until => {
                self.with_attached(|session, attached| Ok(session.halt_target(attached)?))?;
            }
            true => {}
        }
        Ok(())
    }

    /// Does something with the target; `None` if there is none. A target with which something has
    /// failed is not touched again: nobody knows where it stands.
    pub(crate) fn with_attached<R>(
        &mut self,
        task: impl FnOnce(&mut Session, &mut Attached) -> Result<R, Failure>,
    ) -> Result<Option<R>, SessionError> {
        let Some(mut attached) = self.attached.take() else { return Ok(None) };
        let result = match &attached.trouble {
            Some(trouble) => Err(Failure::Trouble(trouble.clone())),
            None => task(self, &mut attached),
        };
        if let Err(Failure::Trouble(trouble)) = &result {
            attached.trouble = Some(trouble.clone());
        }
        self.attached = Some(attached);
        result.map(Some).map_err(|failure| match failure {
            Failure::Trouble(trouble) => SessionError::Target(trouble),
            Failure::Cancelled => SessionError::Cancelled,
        })
    }

    /// Brings the target here; nearly, if it may be left where all that is missing is to execute.
    fn bring(
        &mut self,
        attached: &mut Attached,
        nearly: bool,
        control: &mut dyn Control,
    ) -> Result<(), Failure> {
        self.halt_target(attached)?;
        let here = self.here();
        let stands = attached.place == here && attached.machine == self.walk.now.machine;
        if stands {
            return Ok(());
        }
        let common = self.common(attached.place, here);
        let has_ended = matches!(attached.machine.status(), Status::Idle | Status::Trapped(_));
        if common != attached.place || has_ended {
            let from = attached.machine.fork();
            self.pull_back(attached, &from, common)?;
        }
        let mut answers = Vec::new();
        for node in self.way(common.node, here.node) {
            let Some(choice) = self.multiverse().choice(node) else { continue };
            let (is_answer, after) = (is_answer(&choice), choice.after());
            if matches!(choice.site, Site::Input { .. }) {
                answers.push((choice.count, choice.slot));
            }
            if is_answer {
                continue;
            }
            // Nothing outside does this, or brings what came with the input: the machine that is
            // without becomes the one that is with it.
            let (place, machine) = self.without(node)?;
            self.advance_target(attached, place, machine, &answers, control)?;
            answers.clear();
            let after = Place { node, count: after };
            let machine = self.machine_at(after)?;
            attached.target.restore(&attached.machine, &machine, None)?;
            (attached.place, attached.machine) = (after, machine);
        }
        if nearly && answers.is_empty() {
            return Ok(());
        }
        let machine = self.walk.now.machine.fork();
        self.advance_target(attached, here, machine, &answers, control)
    }

    /// How far a target gets by itself where a choice is more than what an input returns: before
    /// it, or after the input, without what came with it.
    fn without(&mut self, node: NodeId) -> Result<(Place, Machine), Failure> {
        let multiverse = self.multiverse();
        let choice = multiverse.choice(node).ok_or("there is no such choice")?;
        let (slot, after) = (choice.slot, Place { node, count: choice.after() });
        let is_input = matches!(choice.site, Site::Input { .. });
        let parent = multiverse.parent(node).unwrap_or(NodeId::ROOT);
        let before = Place { node: parent, count: choice.count };
        let mut machine = self.machine_at(before)?;
        if !is_input {
            return Ok((before, machine));
        }
        machine.step();
        let ty = machine.import_call().map(|(import, _)| result_of(self.module(), import));
        machine.resume(&[Value::from_slot(ty.unwrap_or(ValType::I32), slot)])?;
        Ok((after, machine))
    }

    /// Lets the target execute until it is at a place, where its machine is this one.
    fn advance_target(
        &mut self,
        attached: &mut Attached,
        place: Place,
        mut machine: Machine,
        answers: &[Answer],
        control: &mut dyn Control,
    ) -> Result<(), Failure> {
        if machine.count() > attached.machine.count() || attached.machine != machine {
            let ends = matches!(machine.status(), Status::Idle | Status::Trapped(_));
            let (until, hash) = (machine.count(), machine.hash());
            let leg = Leg { from: &mut attached.machine, until, ends, answers, hash };
            let reached = attached.target.advance(leg, &mut || control.is_cancelled())?;
            if reached < until {
                let node = self.multiverse().node_at(place.node, reached);
                attached.place = Place { node, count: reached };
                attached.machine = self.machine_at(attached.place)?;
                return Err(Failure::Cancelled);
            }
        }
        (attached.place, attached.machine) = (place, machine);
        Ok(())
    }

    /// Takes the target, whose machine is `from`, back to a place that it has come by.
    pub(crate) fn pull_back(
        &mut self,
        attached: &mut Attached,
        from: &Machine,
        to: Place,
    ) -> Result<(), String> {
        let half = |error: String| {
            format!("{error}; what the program did to the outside may be half taken back")
        };
        attached.target.undo(to.count).map_err(half)?;
        let machine = self.machine_at(to)?;
        let history = self.history(to.node);
        attached.target.restore(from, &machine, history.as_deref())?;
        (attached.place, attached.machine) = (to, machine);
        Ok(())
    }

    /// The machine at another place.
    pub(crate) fn machine_at(&mut self, place: Place) -> Result<Machine, String> {
        let machine = self.look_at(place, &mut Unattended, |now| now.machine.fork());
        machine.map_err(|error| error.to_string())
    }

    /// The nodes on the way from one node, without it, to one that comes after it.
    fn way(&self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let back = std::iter::once(to).chain(self.multiverse().ancestors(to));
        let mut way: Vec<NodeId> = back.take_while(|node| *node != from).collect();
        way.reverse();
        way.dedup();
        way
    }

    /// What inputs returned on the way from the start to a node, if that is all it takes to get
    /// there without performing outputs.
    fn history(&self, node: NodeId) -> Option<Vec<Answer>> {
        let has_results = self.walk.now.world.imports().enumerate().any(|(import, (_, ty))| {
            let is_input = matches!(self.walk.now.world.kind(import as u32), Ok(Kind::Input));
            !is_input && !ty.results.is_empty()
        });
        // What came before the session, nobody knows.
        if has_results || !self.has_whole_past() {
            return None;
        }
        let choices = self.way(NodeId::ROOT, node).into_iter();
        choices
            .map(|node| {
                let choice = self.multiverse().choice(node)?;
                is_answer(&choice).then_some((choice.count, choice.slot))
            })
            .collect()
    }
}

/// Whether a choice is no more than what an input returns, which a target can be told.
fn is_answer(choice: &Choice<'_>) -> bool {
    matches!(choice.site, Site::Input { .. }) && choice.bytes.is_none()
}
