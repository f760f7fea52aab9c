//! A moment: all that a place restores, as one value.
//!
//! Whoever saves, forks, compares or goes back to a program in its world does that with a moment,
//! and whoever answers a call of the outside does it here ([`answer`]): the world accepts or
//! performs, and the machine goes on with what it replies.

use mw_vm::{Frozen, Machine, ResumeError};

use crate::answer::Answer;
use crate::call::{Accepted, Call, CallError, Kind, Outcome, Reply};
use crate::memory::OutOfBounds;
use crate::undo::Undo;
use crate::world::World;

/// A program in its world, at some moment.
#[derive(Debug)]
pub struct Moment {
    /// The machine.
    pub machine: Machine,
    /// The outside.
    pub world: World,
    /// Why the world has ended the program, if it has.
    pub aborted: Option<String>,
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
    /// The moment at which this machine is in this world.
    pub fn new(machine: Machine, world: World) -> Moment {
        Moment { machine, world, aborted: None }
    }

    /// Another one in the same state, of which one knows nothing of the other.
    pub fn fork(&mut self) -> Moment {
        let machine = self.machine.fork();
        Moment { machine, world: self.world.clone(), aborted: self.aborted.clone() }
    }

    /// Keeps it, to be gone back to.
    pub fn keep(&mut self) -> Checkpoint {
        let machine = self.machine.freeze();
        Checkpoint { machine, world: self.world.clone(), aborted: self.aborted.clone() }
    }

    /// Hashes of machine and world. Equal where everything goes on the same way; the count of
    /// instructions is no part of them.
    pub fn hash(&mut self) -> (u128, u128) {
        (self.machine.hash(), self.world.state().hash())
    }

    /// The input that the machine is stopped at gets its answer.
    pub fn read(&mut self, call: Call<'_>, answer: Answer) -> Result<Accepted, AnswerError> {
        let accepted = self.world.accept(call, answer)?;
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
        match self.world.perform(call, &self.machine)? {
            Outcome::Done { reply, undo, effect } => {
                self.resume(&reply)?;
                Ok(Answered::Performed { undo, effect })
            }
            Outcome::Abort { message } => {
                self.aborted = Some(message.clone());
                // The machine is stopped at the call: it can be refused.
                let _ = self.machine.refuse();
                Ok(Answered::Aborted(message))
            }
        }
    }

    /// The machine goes on after the call that it is stopped at, with what the call gives back.
    pub fn resume(&mut self, reply: &Reply) -> Result<(), AnswerError> {
        reply.write_to(&mut self.machine)?;
        Ok(self.machine.resume(&reply.results)?)
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
}

impl Checkpoint {
    /// The moment that was kept.
    pub fn moment(&self) -> Moment {
        let (world, aborted) = (self.world.clone(), self.aborted.clone());
        Moment { machine: self.machine.thaw(), world, aborted }
    }
}
