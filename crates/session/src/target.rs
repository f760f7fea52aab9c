//! A target: something real that does what the session does.
//!
//! The machine is deterministic, so a session always has the machine and the world at hand, as if
//! everything happened here. A *target*, such as a device, follows: it is brought to where the
//! session stands when an operation is over ([`Session::bring_target`]), and when an input is read whose
//! value only it can know. So all operations are the same with a target and without, and a target
//! is moved no more often than it must be:
//!
//! 1. What it did to the outside is taken back, down to the last place that the ways to where it
//!    stands and to here have in common.
//! 2. Its machine becomes the one of that place, which changes nothing outside.
//! 3. From there it executes, with the choices that lead here, and performs the outputs on the way.
//!
//! What a target returns is not trusted: a value has to lie in its input's domain, and the machine
//! of the target has to be the one that is here.

use std::fmt;

use mw_multiverse::{NodeId, Place, Site};
use mw_vm::{Machine, Status, ValType, Value};
use mw_world::{Call, Kind, Sample};

use crate::control::Unattended;
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
    /// The type of what the call returns that comes then, if one is to be made.
    pub result: Option<ValType>,
}

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

    /// Executes a stretch and performs its outputs.
    fn advance(&mut self, leg: Leg<'_>) -> Result<(), String>;

    /// Executes a stretch, and then the call of an input that comes next: what it returns, if that
    /// is known.
    fn read(&mut self, leg: Leg<'_>, call: Call<'_>) -> Result<Option<Value>, String>;
}

/// A target and where it stands.
#[derive(Debug)]
pub(crate) struct Attached {
    target: Box<dyn Target>,
    place: Place,
    machine: Machine,
    /// It has executed a call that is not recorded yet.
    has_read: bool,
    /// Why nobody knows any more where it stands.
    trouble: Option<String>,
}

impl Session {
    /// Attaches a target that stands at the start of the program.
    pub fn attach(&mut self, target: Box<dyn Target>) {
        let machine = self.root.0.fork();
        let place = Place::default();
        self.attached =
            Some(Box::new(Attached { target, place, machine, has_read: false, trouble: None }));
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

    /// Brings the target, if there is one, to where the session stands.
    pub fn bring_target(&mut self) -> Result<(), SessionError> {
        self.with_attached(|session, attached| session.bring(attached, None).map(drop)).map(drop)
    }

    /// What an input returns when nobody has decided it.
    pub(crate) fn sample(&mut self, call: Call<'_>) -> Result<Sample, SessionError> {
        // What a person has set wins over what the target reads: it gets it as it gets a mock.
        if self.world.reading(call).is_some() {
            return Ok(self.world.sample(call)?);
        }
        let read = self.with_attached(|session, attached| {
            let value = session.bring(attached, Some(call))?;
            if let Some(value) = value {
                let lies = |error| format!("the device is not to be trusted: {error}");
                session.world.check(call, value).map_err(lies)?;
                attached.has_read = true;
            }
            Ok(value)
        })?;
        match read {
            None => Ok(self.world.sample(call)?),
            Some(None) => Ok(Sample::Ask),
            Some(Some(value)) => Ok(Sample::Value(value)),
        }
    }

    /// An input has been recorded, which the target may have read.
    pub(crate) fn note_read(&mut self) {
        let here = self.here();
        if let Some(attached) = &mut self.attached
            && std::mem::take(&mut attached.has_read)
        {
            (attached.place, attached.machine) = (here, self.machine.fork());
        }
    }

    /// Does something with the target; `None` if there is none. A target with which something has
    /// failed is not touched again: nobody knows where it stands.
    fn with_attached<R>(
        &mut self,
        task: impl FnOnce(&mut Session, &mut Attached) -> Result<R, String>,
    ) -> Result<Option<R>, SessionError> {
        let Some(mut attached) = self.attached.take() else { return Ok(None) };
        let result = match &attached.trouble {
            Some(trouble) => Err(trouble.clone()),
            None => task(self, &mut attached),
        };
        if let Err(trouble) = &result {
            attached.trouble = Some(trouble.clone());
        }
        self.attached = Some(attached);
        result.map(Some).map_err(SessionError::Target)
    }

    /// Brings the target here; with a call, executes that as well.
    fn bring(
        &mut self,
        attached: &mut Attached,
        call: Option<Call<'_>>,
    ) -> Result<Option<Value>, String> {
        let here = self.here();
        let stands = attached.place == here && attached.machine == self.machine;
        if stands && call.is_none() {
            return Ok(None);
        }
        let common = self.common(attached.place, here);
        let has_ended = matches!(attached.machine.status(), Status::Idle | Status::Trapped(_));
        if common != attached.place || has_ended && !stands {
            let half = |error: String| {
                format!("{error}; what the program did to the outside may be half taken back")
            };
            attached.target.undo(common.count).map_err(half)?;
            let machine = self.machine_at(common)?;
            let history = self.history(common.node);
            attached.target.restore(&attached.machine, &machine, history.as_deref())?;
            (attached.place, attached.machine) = (common, machine);
        }
        let mut answers = Vec::new();
        for node in self.way(common.node, here.node) {
            let Some(choice) = self.multiverse.choice(node) else { continue };
            let (count, slot) = (choice.count, choice.slot);
            if matches!(choice.site, Site::Input { .. }) {
                answers.push((count, slot));
                continue;
            }
            // Nothing outside does this: the machine before becomes the machine after.
            let parent = self.multiverse.parent(node).unwrap_or(NodeId::ROOT);
            let before = self.machine_at(Place { node: parent, count })?;
            attached.advance(before, &answers)?;
            answers.clear();
            let after = self.machine_at(Place { node, count })?;
            attached.target.restore(&attached.machine, &after, None)?;
            attached.machine = after;
        }
        let mut machine = self.machine.fork();
        let value = match call {
            None => {
                attached.advance(machine, &answers)?;
                None
            }
            Some(call) => {
                let (until, hash) = (machine.count(), machine.hash());
                let from = &mut attached.machine;
                let func = &self.module.funcs()[call.import as usize];
                let result = self.module.func_type(func).results.first().copied();
                let leg = Leg { from, until, ends: false, answers: &answers, hash, result };
                let value = attached.target.read(leg, call)?;
                attached.machine = machine;
                value
            }
        };
        attached.place = here;
        Ok(value)
    }

    /// The machine at another place.
    fn machine_at(&mut self, place: Place) -> Result<Machine, String> {
        let machine = self.aside(|session| {
            session.slide(place, true, &mut Unattended)?;
            Ok::<_, SessionError>(session.machine.fork())
        });
        machine.map_err(|error| error.to_string())
    }

    /// The nodes on the way from one node, without it, to one that comes after it.
    fn way(&self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let back = std::iter::once(to).chain(self.multiverse.ancestors(to));
        let mut way: Vec<NodeId> = back.take_while(|node| *node != from).collect();
        way.reverse();
        way.dedup();
        way
    }

    /// What inputs returned on the way from the start to a node, if that is all it takes to get
    /// there without performing outputs.
    fn history(&self, node: NodeId) -> Option<Vec<Answer>> {
        let has_results = self.world.imports().enumerate().any(|(import, (_, ty))| {
            let is_input = matches!(self.world.kind(import as u32), Ok(Kind::Input));
            !is_input && !ty.results.is_empty()
        });
        if has_results {
            return None;
        }
        let choices = self.way(NodeId::ROOT, node).into_iter();
        choices
            .map(|node| {
                let choice = self.multiverse.choice(node)?;
                let is_input = matches!(choice.site, Site::Input { .. });
                is_input.then_some((choice.count, choice.slot))
            })
            .collect()
    }
}

impl Attached {
    /// Lets the target execute until its machine is this one.
    fn advance(&mut self, mut to: Machine, answers: &[Answer]) -> Result<(), String> {
        let ends = matches!(to.status(), Status::Idle | Status::Trapped(_));
        if to.count() > self.machine.count() || self.machine != to {
            let (until, hash) = (to.count(), to.hash());
            let (from, result) = (&mut self.machine, None);
            self.target.advance(Leg { from, until, ends, answers, hash, result })?;
        }
        self.machine = to;
        Ok(())
    }
}
