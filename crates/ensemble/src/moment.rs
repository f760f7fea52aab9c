//! A moment: all that a place restores, as one value.
//!
//! Whoever saves, forks, compares or goes back to a program in its world does that with a moment,
//! and whoever answers a call of the outside does it here ([`answer`]): the world accepts or
//! performs, and the machine goes on with what it replies.

use std::sync::Arc;

use mw_vm::{Breakpoints, Frozen, Machine, Probe, ResumeError, Stop};
use mw_world::{
    Accepted, Answer, Call, CallError, Event, EventError, Heap, Kind, OutOfBounds, Outcome, Reply,
    Undo, World,
};

use crate::calls::Called;
use crate::ensemble::Ensemble;
use crate::footprint::Touch;
use crate::monitors::Monitors;
use crate::next::Next;
use crate::system::System;
use crate::task::{Standing, Task, TaskId};

/// A program in its world, at some moment; or one of several tasks, and all the others beside it.
#[derive(Debug)]
pub struct Moment {
    /// The machine that runs.
    pub machine: Machine,
    /// The outside, as that one sees it.
    pub world: World,
    /// Why the world has ended the program, if it has.
    pub aborted: Option<String>,
    /// The tasks, if there can be more than one.
    pub ensemble: Option<Box<Ensemble>>,
    /// What properties know of all this, if any are watched for.
    pub monitors: Option<Box<Monitors>>,
}

impl AsMut<Moment> for Moment {
    fn as_mut(&mut self) -> &mut Moment {
        self
    }
}

/// What became of a call of the outside.
#[derive(Debug)]
pub enum Answered {
    /// An input was read.
    Read {
        /// What it answered.
        answer: Answer,
        /// How to go back.
        undo: Undo,
    },
    /// Nobody knows what the input answers: the machine is stopped there as before.
    Unknown,
    /// An output was performed.
    Performed {
        /// How to go back.
        undo: Undo,
        /// The effect for people, such as `pin 13 = high`.
        effect: String,
    },
    /// The program has ended here, for this reason.
    Aborted(String),
}

/// A call of the outside that cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The world has no answer.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The answer is to be written where there is no memory.
    #[error(transparent)]
    Memory(#[from] OutOfBounds),
    /// The machine waits for another one.
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

/// Answers the call that a machine is stopped at: an output is performed, an input gets what
/// `choose` says. That may need more than the moment: all of whoever goes on with it.
pub fn answer<W: AsMut<Moment>, E: From<AnswerError>>(
    whoever: &mut W,
    call: Call<'_>,
    choose: impl FnOnce(&mut W) -> Result<Option<Answer>, E>,
) -> Result<Answered, E> {
    let kind = whoever.as_mut().world.kind(call.import).map_err(AnswerError::from)?;
    if kind != Kind::Input {
        return Ok(whoever.as_mut().perform(call)?);
    }
    let Some(answer) = choose(whoever)? else { return Ok(Answered::Unknown) };
    let Accepted { undo, .. } = whoever.as_mut().read(call, answer.clone())?;
    Ok(Answered::Read { answer, undo })
}

impl Moment {
    /// The moment at which this machine is in this world. A program that asks for other tasks is
    /// the first of them.
    pub fn new(machine: Machine, world: World) -> Moment {
        let ensemble = world.has_tasks().then(|| {
            let system = Arc::new(System::alone(&machine, &world));
            let task = Task::new("main".into(), "".into(), 0, 0);
            let standing = Standing::Busy;
            Box::new(Ensemble {
                tasks: [(TaskId(0), Arc::new(Task { standing, ..task }))].into(),
                current: TaskId(0),
                outside: vec![None],
                faults: system.faults,
                footprint: Default::default(),
                system,
            })
        });
        Moment { machine, world, aborted: None, ensemble, monitors: None }
    }

    /// The moment at which a system begins.
    pub fn of_system(system: Arc<System>) -> Result<Moment, String> {
        let (ensemble, machine, world) = Ensemble::assemble(system)?;
        let ensemble = Some(Box::new(ensemble));
        Ok(Moment { machine, world, aborted: None, ensemble, monitors: None })
    }

    /// Another one in the same state, of which one knows nothing of the other.
    pub fn fork(&mut self) -> Moment {
        let (world, aborted) = (self.world.clone(), self.aborted.clone());
        let (ensemble, monitors) = (self.ensemble.clone(), self.monitors.clone());
        Moment { machine: self.machine.fork(), world, aborted, ensemble, monitors }
    }

    /// Keeps it, to be gone back to.
    pub fn keep(&mut self) -> Checkpoint {
        let (world, aborted) = (self.world.clone(), self.aborted.clone());
        Checkpoint {
            machine: self.machine.freeze(),
            world,
            aborted,
            ensemble: self.ensemble.clone(),
            monitors: self.monitors.as_deref().map(|monitors| Box::new(monitors.kept())),
        }
    }

    /// Hashes of machines, with what monitors know, and worlds. Equal where everything goes on the same way; the count of
    /// instructions is no part of them.
    pub fn hash(&mut self) -> (u128, u128) {
        let when = self.when();
        let monitors = self.monitors.as_deref().map_or(0, |monitors| monitors.hash(when));
        let machine = self.machine.hash();
        let (machine, world) = self.hash_of_tasks(machine);
        (machine.wrapping_add(monitors), world)
    }

    /// The same of machines and worlds alone, if this is that of the machine that runs.
    fn hash_of_tasks(&self, machine: u128) -> (u128, u128) {
        match &self.ensemble {
            None => (machine, self.world.state().hash()),
            Some(ensemble) => {
                let states = ensemble.states(&self.world).enumerate();
                let hashes = states.map(|(at, state)| ensemble.system.hash_of_world(at, state));
                let worlds = hashes.fold(0, |all: u128, one| all.rotate_left(1) ^ one);
                (ensemble.hash(machine, self.world.state().heap()), worlds)
            }
        }
    }

    /// Executes at most so many instructions of the turn under way.
    pub fn run<P: Probe>(&mut self, budget: u64, breakpoints: &Breakpoints, probe: &mut P) -> Stop {
        if self.monitors.is_some() {
            let run = |monitors: &mut Monitors, now: &mut Moment| {
                monitors.run(now, budget, breakpoints, probe)
            };
            return self.tell(run).unwrap_or(Stop::Budget);
        }
        let stop = self.machine.run(budget, breakpoints, probe);
        if stop == Stop::Finished {
            self.end_turn();
        }
        stop
    }

    /// Lets an event happen before the next instruction.
    pub fn happen(&mut self, event: Event) -> Result<(), EventError> {
        let Event::Interrupt { pin, table_index } = event;
        if !self.has_asked_for(event) {
            return Err(EventError::NotSubscribed { pin, table_index });
        }
        let under = self.under();
        self.world.happen(event, &mut self.machine)?;
        self.tell(|monitors, now| monitors.interrupted(now, under, event));
        Ok(())
    }

    /// The events that may happen before the next instruction: whoever runs has asked for them.
    pub fn pending(&self) -> impl Iterator<Item = Event> {
        let pending = self.world.pending_interrupts().into_iter().map(Event::from);
        pending.filter(|event| self.has_asked_for(*event))
    }

    fn has_asked_for(&self, event: Event) -> bool {
        self.ensemble.as_deref().is_none_or(|all| all.runner().asked_for.contains(&event))
    }

    /// The interrupts that may arrive between two turns, each at a task that has asked for it and
    /// waits. They are nobody's turn as long as none arrives.
    pub fn interrupts(&self) -> Vec<Next> {
        let Some(ensemble) = self.ensemble.as_deref() else { return Vec::new() };
        let mut interrupts = Vec::new();
        for (id, task) in ensemble.tasks() {
            if task.standing != Standing::Idle || task.asked_for.is_empty() {
                continue;
            }
            let Some(state) = ensemble.states(&self.world).nth(task.device.into()) else {
                continue;
            };
            let pending = state.pending_interrupts().into_iter().map(Event::from);
            let own = pending.filter(|event| task.asked_for.contains(event));
            interrupts.extend(own.map(|event| Next::Interrupt { task: id, event }));
        }
        interrupts
    }

    /// The worlds of a device as programs see it: that of the task that runs first.
    pub fn worlds_on(&self, device: u16) -> impl Iterator<Item = &World> {
        let own = (self.world.device() == device).then_some(&self.world);
        let system = self.ensemble.as_deref().map(|ensemble| ensemble.system());
        let bound = system.into_iter().flat_map(|system| &system.worlds);
        let others = bound.filter(move |((_, of), _)| *of == device);
        own.into_iter().chain(others.filter_map(|(_, world)| world.as_ref().ok()))
    }

    /// Takes back the newest change of one of the worlds.
    pub fn undo(&mut self, device: u16, undo: Undo) {
        if device == self.world.device() {
            self.world.undo(undo);
        } else if let Some(ensemble) = self.ensemble.as_deref_mut()
            && let Some(state) = ensemble.outside[usize::from(device)].take()
            && let Some(mut world) = ensemble.any_world(device, state)
        {
            world.undo(undo);
            ensemble.outside[usize::from(device)] = Some(world.state().clone());
        }
    }

    /// Gives all worlds the states that they have in another moment of the same universe.
    pub fn stand_in(&mut self, other: &Moment) {
        let Some((own, other_own)) = self.ensemble.as_deref_mut().zip(other.ensemble.as_deref())
        else {
            return self.world.restore(other.world.state().clone());
        };
        let states: Vec<_> = other_own.states(&other.world).cloned().collect();
        for (device, mut state) in states.into_iter().enumerate() {
            // Blocks belong to a program's memory, not to the outside.
            match device == usize::from(self.world.device()) {
                true => {
                    state.swap_heap(self.world.state().heap().clone());
                    self.world.restore(state);
                }
                false => {
                    state.swap_heap(Heap::default());
                    own.outside[device] = Some(state);
                }
            }
        }
    }

    fn touch(&mut self, touch: Touch) {
        if let Some(ensemble) = self.ensemble.as_deref_mut() {
            ensemble.footprint.world = ensemble.footprint.world.max(touch);
        }
    }

    /// The input that the machine is stopped at gets its answer.
    pub fn read(&mut self, call: Call<'_>, answer: Answer) -> Result<Accepted, AnswerError> {
        let accepted = self.world.accept(call, answer)?;
        self.touch(if accepted.undo.is_empty() { Touch::Read } else { Touch::Write });
        match self.resume(&accepted.reply) {
            Ok(()) => Ok(accepted),
            Err(error) => {
                self.world.undo(accepted.undo);
                Err(error)
            }
        }
    }

    /// Performs the output that the machine is stopped at, or ends the program there.
    pub fn perform(&mut self, call: Call<'_>) -> Result<Answered, AnswerError> {
        let tasks = self.ensemble.as_deref_mut();
        let asked = tasks.and_then(|tasks| Some((self.world.task_call(call.import)?, tasks)));
        let outcome = match asked {
            Some((asked, ensemble)) => match ensemble.call(asked, call.args, &self.machine) {
                Ok(Called { reply, effect }) => {
                    Outcome::Done { reply, undo: Undo::default(), effect }
                }
                Err(why) => Outcome::Abort { message: format!("{}: {why}", self.world.show(call)) },
            },
            None => self.perform_outside(call)?,
        };
        match outcome {
            Outcome::Done { reply, undo, effect } => {
                // What a program says of its own memory, nobody else in its world sees.
                if !undo.is_empty() && self.world.statement(call.import).is_none() {
                    self.touch(Touch::Write);
                }
                self.resume(&reply)?;
                Ok(Answered::Performed { undo, effect })
            }
            Outcome::Abort { message } => {
                self.aborted = Some(message.clone());
                // The machine is stopped at the call: it can be refused.
                let _ = self.machine.refuse();
                self.tell(Monitors::arrive);
                Ok(Answered::Aborted(message))
            }
        }
    }

    /// Performs an output of the world, and notes who has asked for interrupts by it.
    fn perform_outside(&mut self, call: Call<'_>) -> Result<Outcome, AnswerError> {
        let Some(ensemble) = self.ensemble.as_deref_mut() else {
            return Ok(self.world.perform(call, &self.machine)?);
        };
        let before = self.world.pending_interrupts();
        let outcome = self.world.perform(call, &self.machine)?;
        let after = self.world.pending_interrupts();
        if before != after {
            ensemble.footprint.subscribes = true;
            for event in after.into_iter().filter(|new| !before.contains(new)).map(Event::from) {
                if ensemble.runner_mut().asked_for.insert(event) {
                    ensemble.footprint.asked_for.push(event);
                }
            }
        }
        Ok(outcome)
    }

    /// The machine goes on after the call that it is stopped at, with what the call gives back.
    pub fn resume(&mut self, reply: &Reply) -> Result<(), AnswerError> {
        let calling = self.monitors.as_deref().and_then(|monitors| monitors.calling(self));
        reply.write_to(&mut self.machine)?;
        self.machine.resume(&reply.results)?;
        self.end_turn();
        if let Some(calling) = calling {
            self.tell(|monitors, now| monitors.called(now, &calling, &reply.results));
        }
        Ok(())
    }
}

/// A moment that is kept. Any number of others can go on from it, on any thread.
#[derive(Debug)]
pub struct Checkpoint {
    /// The machine.
    pub machine: Frozen,
    /// The outside.
    pub world: World,
    /// Why the world has ended the program, if it has.
    pub aborted: Option<String>,
    /// The tasks, if there can be more than one.
    pub ensemble: Option<Box<Ensemble>>,
    /// What properties know of all this, if any are watched for.
    pub monitors: Option<Box<Monitors>>,
}

impl Checkpoint {
    /// The moment that was kept.
    pub fn moment(&self) -> Moment {
        let (world, aborted) = (self.world.clone(), self.aborted.clone());
        let (ensemble, monitors) = (self.ensemble.clone(), self.monitors.clone());
        Moment { machine: self.machine.thaw(), world, aborted, ensemble, monitors }
    }
}
