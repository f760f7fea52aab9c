//! Driving a machine through a world: the machine runs until it needs the outside, the world
//! answers, the machine goes on.

use mw_api::Entry;
use mw_ensemble::{AnswerError, Answered, Moment, Rest, answer};
use mw_vm::{Breakpoints, NoProbe, Stop, TrapReport, Value};
use mw_world::{Answer, Call, Domain, Sample};

use super::ask;
use super::watch::{Event, Interaction, Watcher};
use crate::failure::Failure;

/// A program under way.
pub struct Run {
    /// The program in its world.
    pub now: Moment,
    /// How many inputs have been read.
    pub choices: u64,
    /// How many outputs have been performed.
    pub outputs: u64,
    /// How many turns have been given to tasks.
    pub turns: u64,
    budget: u64,
}

/// How a program ended.
#[derive(Debug)]
pub enum Ending {
    /// It returned these values.
    Finished(Vec<Value>),
    /// It could not go on.
    Trapped(TrapReport),
    /// It gave up, or asked for what the world does not have.
    Aborted {
        /// Why.
        message: String,
        /// Where.
        report: Option<TrapReport>,
    },
    /// Tasks are left with something that nobody will do.
    Stuck {
        /// `deadlocked`, `unanswered` or `unhandled`.
        kind: &'static str,
        /// Who waits for what, or what is left.
        text: String,
    },
    /// It was stopped after as many instructions as it was allowed.
    BudgetUsedUp,
}

impl AsMut<Moment> for Run {
    fn as_mut(&mut self) -> &mut Moment {
        &mut self.now
    }
}

impl Run {
    pub fn new(now: Moment, budget: u64) -> Run {
        Run { now, choices: 0, outputs: 0, turns: 0, budget }
    }

    /// Runs the start function, if there is one, and then the entry; then whatever tasks do.
    pub fn finish(
        &mut self,
        entry: Option<Entry>,
        watcher: &mut dyn Watcher,
    ) -> Result<Ending, Failure> {
        if let Some(Entry { func, args }) = entry {
            let called = self.now.machine.call_next(func, &args);
            called
                .map_err(|error| Failure::Usage(format!("the entry cannot be called: {error}")))?;
        }
        self.drive(watcher)
    }

    /// Runs the call under way to its end.
    fn drive(&mut self, watcher: &mut dyn Watcher) -> Result<Ending, Failure> {
        let none = Breakpoints::default();
        loop {
            let left = self.budget.saturating_sub(self.now.machine.count());
            match self.now.run(left, &none, &mut NoProbe) {
                Stop::Finished => {
                    if let Some(ending) = self.turn(watcher)? {
                        return Ok(ending);
                    }
                }
                Stop::Trap(_) => match self.now.machine.trap() {
                    Some(report) => return Ok(Ending::Trapped(report)),
                    None => continue,
                },
                Stop::Import(_) if self.now.machine.count() < self.budget => {
                    if let Some(message) = self.answer(watcher)? {
                        let report = self.now.machine.trap();
                        return Ok(Ending::Aborted { message, report });
                    }
                }
                // The call of an import is an instruction too: there is none left for it.
                Stop::Import(_) | Stop::Budget => return Ok(Ending::BudgetUsedUp),
                Stop::Breakpoint | Stop::Probe => {}
            }
        }
    }

    /// A turn is over: somebody has the next one, or it is how the program ends.
    fn turn(&mut self, watcher: &mut dyn Watcher) -> Result<Option<Ending>, Failure> {
        if let Some(message) = self.now.aborted.take() {
            return Ok(Some(Ending::Aborted { message, report: None }));
        }
        let (rest, ensemble) = (self.now.rest(), self.now.ensemble.as_deref());
        let stuck = |kind, text| Ok(Some(Ending::Stuck { kind, text }));
        let options = match rest {
            Rest::Choice(options) => options,
            Rest::Deadlocked(text) => return stuck("deadlocked", text),
            Rest::Unanswered(text) => return stuck("unanswered", text),
            Rest::Unhandled(text) => return stuck("unhandled", text),
            Rest::Finished | Rest::Busy => {
                return Ok(Some(Ending::Finished(self.now.machine.results())));
            }
        };
        let next = ensemble.and_then(|all| Some((all, all.usual(&options, |_| true)?)));
        // Without faults, which nobody asks for here, somebody comes next.
        let Some((ensemble, next)) = next else { return Ok(Some(Ending::Finished(vec![]))) };
        watcher.turn(self.now.machine.count(), &ensemble.schedule(next).label)?;
        self.now.take(next).map_err(|error| Failure::Unusable(error.to_string()))?;
        self.turns += 1;
        Ok(None)
    }

    /// Answers the imported call that the machine is stopped at; `Some` is why the program ends
    /// here.
    fn answer(&mut self, watcher: &mut dyn Watcher) -> Result<Option<String>, Failure> {
        let Some((import, args)) = self.now.machine.import_call() else { return Ok(None) };
        let call = Call { import, args: &args };
        let count = self.now.machine.count();
        let mut domain = None;
        let answered = answer(self, call, |run| {
            let (answer, possible) = run.choose(call)?;
            domain = Some(possible);
            Ok::<_, Failure>(Some(answer))
        })?;
        let event = match (answered, domain) {
            (Answered::Read { answer, .. }, Some(domain)) => {
                self.choices += 1;
                Event::Input { value: answer.value, domain }
            }
            (Answered::Performed { effect, .. }, _) => {
                self.outputs += 1;
                Event::Output { effect }
            }
            (Answered::Aborted(message), _) => Event::Abort { message },
            // Every input is chosen, with its domain.
            (Answered::Read { .. } | Answered::Unknown, _) => return Ok(None),
        };
        let printed = self.now.world.take_printed();
        let world = &self.now.world;
        let interaction = Interaction { count, call, event, printed: &printed, world };
        watcher.interaction(&interaction)?;
        match interaction.event {
            Event::Abort { message } => Ok(Some(message)),
            Event::Input { .. } | Event::Output { .. } => Ok(None),
        }
    }

    /// Decides what an input answers, of all that it could.
    fn choose(&mut self, call: Call<'_>) -> Result<(Answer, Domain), Failure> {
        let world = &self.now.world;
        let domain = world.domain(call).map_err(AnswerError::from)?.into_owned();
        let answer = match world.sample(call).map_err(AnswerError::from)? {
            Sample::Answer(answer) => answer,
            Sample::Ask => ask::ask(world, call, &domain)?.into(),
        };
        Ok((answer, domain))
    }
}

/// The world and the program have been bound, so what is left is a world that contradicts itself.
impl From<AnswerError> for Failure {
    fn from(error: AnswerError) -> Self {
        Failure::Unusable(error.to_string())
    }
}
