//! Driving a machine through a world: the machine runs until it needs the outside, the world
//! answers, the machine goes on.

use mw_api::Entry;
use mw_vm::{Breakpoints, Machine, NoProbe, Status, Stop, TrapReport, Value};
use mw_world::{Call, CallError, Kind, Outcome, Reply, Sample, World};

use super::ask;
use super::watch::{Event, Interaction, Watcher};
use crate::failure::Failure;

/// A program under way.
pub struct Run {
    /// The program.
    pub machine: Machine,
    /// The outside.
    pub world: World,
    /// How many inputs have been read.
    pub choices: u64,
    /// How many outputs have been performed.
    pub outputs: u64,
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
    /// It was stopped after as many instructions as it was allowed.
    BudgetUsedUp,
}

impl Run {
    pub fn new(machine: Machine, world: World, budget: u64) -> Run {
        Run { machine, world, choices: 0, outputs: 0, budget }
    }

    /// Runs the start function, if there is one, and then the entry.
    pub fn finish(
        &mut self,
        entry: Option<Entry>,
        watcher: &mut dyn Watcher,
    ) -> Result<Ending, Failure> {
        if self.machine.status() != Status::Idle {
            let ending = self.drive(watcher)?;
            if !matches!(ending, Ending::Finished(_)) {
                return Ok(ending);
            }
        }
        let Some(Entry { func, args }) = entry else { return Ok(Ending::Finished(Vec::new())) };
        let called = self.machine.call(func, &args);
        called.map_err(|error| Failure::Usage(format!("the entry cannot be called: {error}")))?;
        self.drive(watcher)
    }

    /// Runs the call under way to its end.
    fn drive(&mut self, watcher: &mut dyn Watcher) -> Result<Ending, Failure> {
        let none = Breakpoints::default();
        loop {
            let left = self.budget.saturating_sub(self.machine.count());
            match self.machine.run(left, &none, &mut NoProbe) {
                Stop::Finished => return Ok(Ending::Finished(self.machine.results())),
                Stop::Trap(_) => match self.machine.trap() {
                    Some(report) => return Ok(Ending::Trapped(report)),
                    None => continue,
                },
                Stop::Import(_) if self.machine.count() < self.budget => {
                    if let Some(message) = self.answer(watcher)? {
                        return Ok(self.abort(message));
                    }
                }
                // The call of an import is an instruction too: there is none left for it.
                Stop::Import(_) | Stop::Budget => return Ok(Ending::BudgetUsedUp),
                Stop::Breakpoint | Stop::Probe => {}
            }
        }
    }

    /// Answers the imported call that the machine is stopped at; `Some` is why the program ends
    /// here.
    fn answer(&mut self, watcher: &mut dyn Watcher) -> Result<Option<String>, Failure> {
        let Some((import, args)) = self.machine.import_call() else { return Ok(None) };
        let call = Call { import, args: &args };
        let count = self.machine.count();
        let kind = self.world.kind(import).map_err(unanswerable)?;
        let (reply, event) = match kind {
            Kind::Input => {
                let (reply, event) = self.choose(call)?;
                self.choices += 1;
                (Some(reply), event)
            }
            Kind::Output { .. } | Kind::Abort => {
                match self.world.perform(call, &self.machine).map_err(unanswerable)? {
                    Outcome::Done { reply, effect, .. } => {
                        self.outputs += 1;
                        (Some(reply), Event::Output { effect })
                    }
                    Outcome::Abort { message } => (None, Event::Abort { message }),
                }
            }
        };
        let printed = self.world.take_printed();
        let interaction = Interaction { count, call, event, printed: &printed, world: &self.world };
        watcher.interaction(&interaction)?;
        let reply = match (reply, interaction.event) {
            (None, Event::Abort { message }) => return Ok(Some(message)),
            (reply, _) => reply.unwrap_or_default(),
        };
        if let Err(error) = reply.write_to(&mut self.machine) {
            return Ok(Some(format!("{}: {error}", self.world.show(call))));
        }
        let resumed = self.machine.resume(&reply.results);
        Ok(resumed.err().map(|error| format!("{}: {error}", self.world.show(call))))
    }

    /// Decides what an input returns.
    fn choose(&mut self, call: Call<'_>) -> Result<(Reply, Event), Failure> {
        let domain = self.world.domain(call).map_err(unanswerable)?.into_owned();
        let value = match self.world.sample(call).map_err(unanswerable)? {
            Sample::Value(value) => value,
            Sample::Ask => ask::ask(&self.world, call, &domain)?,
        };
        let accepted = self.world.accept(call, value).map_err(unanswerable)?;
        Ok((accepted.reply, Event::Input { value, domain }))
    }

    fn abort(&mut self, message: String) -> Ending {
        // The machine knows where it is once the call that it is stopped at has been refused.
        let _ = self.machine.refuse();
        Ending::Aborted { message, report: self.machine.trap() }
    }
}

/// The world and the program have been bound, so what is left is a world that contradicts itself.
fn unanswerable(error: CallError) -> Failure {
    Failure::Unusable(error.to_string())
}
