//! A moment: all that a place restores, as one value.
//!
//! Whoever saves, forks, compares or goes back to a program in its world does that with a moment,
//! and whoever answers a call of the outside does it here: the world accepts or performs, and the
//! machine goes on with what it replies.

use mw_vm::{Frozen, Machine, ResumeError};

use crate::answer::Answer;
use crate::board::Transcript;
use crate::call::{Call, CallError, Kind, Outcome, Reply};
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

/// What became of an output.
#[derive(Debug)]
pub enum Performed {
    /// It was performed, and the program goes on.
    Done {
        /// How to go back.
        undo: Undo,
        /// The effect for people, such as `pin 13 = high`.
        effect: String,
        /// What it printed, if it did: the last of it, if that is much.
        printed: Option<Vec<u8>>,
    },
    /// The program has ended here, for this reason.
    Aborted(String),
}

/// What became of a call of the outside.
#[derive(Debug)]
pub enum Answered {
    /// An input was read, and this is how to go back.
    Read(Undo),
    /// An output was performed, or ended the program.
    Performed(Performed),
    /// Nobody knows what the input answers: the machine is stopped there as before.
    Unknown,
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

/// Of what one call prints, more bytes than these, which are the last, are not told with it.
const PRINTED: usize = 4096;

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

    /// Answers the call that the machine is stopped at: an output is performed, an input gets what
    /// `choose` says. Whoever has to do something between choosing and reading does both itself.
    pub fn answer<E: From<AnswerError>>(
        &mut self,
        call: Call<'_>,
        choose: impl FnOnce(&World) -> Result<Option<Answer>, E>,
    ) -> Result<Answered, E> {
        match self.world.kind(call.import).map_err(AnswerError::from)? {
            Kind::Input => match choose(&self.world)? {
                Some(answer) => Ok(Answered::Read(self.read(call, answer)?)),
                None => Ok(Answered::Unknown),
            },
            Kind::Output { .. } | Kind::Abort => Ok(Answered::Performed(self.perform(call)?)),
        }
    }

    /// The input that the machine is stopped at gets its answer. Returns how to go back.
    pub fn read(&mut self, call: Call<'_>, answer: Answer) -> Result<Undo, AnswerError> {
        let accepted = self.world.accept(call, answer)?;
        match self.resume(&accepted.reply) {
            Ok(()) => Ok(accepted.undo),
            Err(error) => {
                self.world.undo(accepted.undo);
                Err(error)
            }
        }
    }

    /// Performs the output that the machine is stopped at, or ends the program there.
    pub fn perform(&mut self, call: Call<'_>) -> Result<Performed, AnswerError> {
        let length = |world: &World| world.transcript().map_or(0, Transcript::len);
        let before = length(&self.world);
        match self.world.perform(call, &self.machine)? {
            Outcome::Done { reply, undo, effect } => {
                self.resume(&reply)?;
                let first = before.max(length(&self.world).saturating_sub(PRINTED));
                let grown = self.world.transcript().filter(|printed| printed.len() > before);
                let printed = grown.map(|printed| printed.since(first));
                Ok(Performed::Done { undo, effect, printed })
            }
            Outcome::Abort { message } => {
                self.abort(message.clone());
                Ok(Performed::Aborted(message))
            }
        }
    }

    /// Ends the program at the call that the machine is stopped at.
    pub fn abort(&mut self, message: String) {
        self.aborted = Some(message);
        // The machine is stopped at the call: it can be refused.
        let _ = self.machine.refuse();
    }

    fn resume(&mut self, reply: &Reply) -> Result<(), AnswerError> {
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
