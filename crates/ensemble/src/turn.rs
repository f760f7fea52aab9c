//! Turns: how one begins, how it ends, and what comes when there is none.

use std::sync::Arc;

use mw_vm::{Machine, Status, ValType, Value};
use mw_world::{Event, Heap, World};

use crate::calls::show;
use crate::ensemble::Ensemble;
use crate::footprint::Footprint;
use crate::handler;
use crate::moment::Moment;
use crate::next::Next;
use crate::task::{Beginning, Future, FutureId, Message, Parked, Settlement, Standing, TaskId};

/// Somebody cannot run next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ScheduleError {
    #[error("this program is one task: nobody else can run next")]
    Alone,
    #[error("{label} cannot be what comes next here{}", others(.options))]
    Impossible { label: String, options: Vec<String> },
}

fn others(options: &[String]) -> String {
    match options.is_empty() {
        true => ": nothing can".into(),
        false => format!("; it can be {}", options.join(", or ")),
    }
}

/// What comes after a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The next instruction.
    Busy,
    /// The turn of one of these.
    Choice(Vec<Next>),
    /// Nothing: everything that was to be done is done.
    Finished,
    /// Nothing: tasks wait for answers that others keep open, and nobody is left to give one.
    Deadlocked(String),
    /// Nothing: tasks wait for answers that nobody will give.
    Unanswered(String),
    /// Nothing: messages are left that nobody will handle.
    Unhandled(String),
}

impl Moment {
    /// What comes next.
    pub fn rest(&self) -> Rest {
        match (self.machine.status(), &self.ensemble) {
            (Status::Running | Status::Importing(_), _) => Rest::Busy,
            (_, None) => Rest::Finished,
            (_, Some(ensemble)) => {
                let options = ensemble.options();
                // Where only something can go wrong, everything that was to be done is done.
                match options.iter().all(|next| next.is_fault()) {
                    true => ensemble.quiet(),
                    false => Rest::Choice(options),
                }
            }
        }
    }

    /// Whether the program goes on from here.
    pub fn is_alive(&self) -> bool {
        match self.machine.status() {
            Status::Running | Status::Importing(_) => true,
            Status::Trapped(_) => false,
            Status::Idle => {
                let has_options =
                    |ensemble: &Ensemble| ensemble.options().iter().any(|next| !next.is_fault());
                self.aborted.is_none() && self.ensemble.as_deref().is_some_and(has_options)
            }
        }
    }

    /// The next turn begins: that of somebody who can have it. Whoever is in the middle of a turn
    /// goes on with that later.
    pub fn take(&mut self, next: Next) -> Result<(), ScheduleError> {
        let (before, message) = (self.current(), self.taken(next));
        self.begin_next(next)?;
        self.tell(|monitors, now| monitors.taken(now, next, before, message.as_deref()));
        Ok(())
    }

    /// The message that a turn is about, if monitors have to be told.
    fn taken(&self, next: Next) -> Option<Arc<Message>> {
        let ensemble = self.ensemble.as_deref().filter(|_| self.monitors.is_some())?;
        ensemble.message_of(next).cloned()
    }

    fn begin_next(&mut self, next: Next) -> Result<(), ScheduleError> {
        let is_pending = next.is_interrupt() && self.interrupts().contains(&next);
        let Moment { machine, world, aborted, ensemble, .. } = self;
        let ensemble = ensemble.as_deref_mut().ok_or(ScheduleError::Alone)?;
        let options = ensemble.options();
        if !options.contains(&next) && !is_pending {
            let label = |next: &Next| ensemble.schedule(*next).label;
            let options = options.iter().map(label).collect();
            return Err(ScheduleError::Impossible { label: label(&next), options });
        }
        ensemble.footprint = Footprint::default();
        let message = ensemble.take_message(next);
        let (task, count) = (next.task(), machine.count());
        if let Next::Lose { .. } = next {
            return Ok(());
        }
        if task != ensemble.current {
            ensemble.park(machine, world);
            let Some(unparked) = ensemble.unpark(task, count) else { return Ok(()) };
            (*machine, *world) = unparked;
        }
        let begun = match (next, message) {
            (Next::Resume(_), _) => Ok(()),
            (Next::Crash(_), _) => {
                let mut state = world.state().clone();
                state.swap_heap(Heap::default());
                world.restore(state);
                ensemble.begin_anew(machine)
            }
            (Next::Interrupt { event, .. }, _) => ensemble.begin_handler(machine, world, event),
            (_, Some(message)) => ensemble.begin_turn(machine, message),
            (_, None) => ensemble.begin(machine),
        };
        if let Err(why) = begun {
            ensemble.runner_mut().standing = Standing::Failed;
            *aborted = Some(why);
        }
        Ok(())
    }

    /// The types of what the function of the turn under way, or of the last one, returns.
    pub fn turn_results(&self) -> Vec<ValType> {
        let Some(ensemble) = self.ensemble.as_deref() else { return Vec::new() };
        let (task, module) = (ensemble.runner(), self.machine.module());
        let func = task
            .message
            .as_ref()
            .and_then(|message| handler::find(module, &task.kind, &message.name));
        func.map(|func| module.func_type(&module.funcs()[func as usize]).results.to_vec())
            .unwrap_or_default()
    }

    /// Ends the turn under way, if its function has returned.
    pub fn end_turn(&mut self) {
        let Some(ensemble) = self.ensemble.as_deref_mut() else { return };
        if self.machine.status() == Status::Idle && ensemble.runner().standing == Standing::Busy {
            let results = self.machine.results();
            // What is left of the call is no state: the next turn begins with nothing of it.
            self.machine.abandon();
            ensemble.end_turn(&results);
        }
    }

    /// The task that runs has failed and takes no further turns; others may go on.
    pub fn bury(&mut self) {
        if let Some(ensemble) = self.ensemble.as_deref_mut() {
            self.machine.abandon();
            self.aborted = None;
            ensemble.runner_mut().standing = Standing::Failed;
        }
    }
}

/// Marks a message that has come before.
pub const AGAIN: u64 = 1 << 63;

impl Ensemble {
    /// Takes the message that a choice is about out of its inbox, unless it stays there.
    fn take_message(&mut self, next: Next) -> Option<Arc<Message>> {
        let (from, position) = match next {
            Next::Deliver { from, overtakes, .. } => (from, usize::from(overtakes)),
            Next::Crash(_) => {
                self.faults.crash -= 1;
                return None;
            }
            _ => (next.from()?, 0),
        };
        match next {
            Next::Lose { .. } => self.faults.lose -= 1,
            Next::Double { .. } => self.faults.double -= 1,
            Next::Deliver { overtakes: 1.., .. } => self.faults.delay -= 1,
            _ => {}
        }
        let inbox = &mut self.task_mut(next.task())?.inbox;
        let waiting = inbox.get_mut(&from)?;
        let message = waiting.remove(position);
        if let (Next::Double { .. }, Some(message)) = (next, &message) {
            let again = Message { number: message.number | AGAIN, ..(**message).clone() };
            waiting.push_front(Arc::new(again));
        }
        if waiting.is_empty() {
            inbox.remove(&from);
        }
        if let Some(message) = &message {
            let task = self.task_mut(next.task())?;
            let last = task.handled.get(&from).map(|(last, _)| *last);
            task.handled.insert(from, (message.number, last));
        }
        message
    }

    /// The first turn of a task that was there from the start.
    fn begin(&mut self, machine: &mut Machine) -> Result<(), String> {
        let task = self.runner_mut();
        task.standing = Standing::Busy;
        task.turns += 1;
        // After a crash, nothing of the turn before is answered.
        (task.defers, task.stops, task.message) = (false, false, None);
        let Beginning::Start(start) = task.beginning else { return Ok(()) };
        machine.call_next(start, &[]).map_err(|error| format!("{}: {error}", task.name))
    }

    /// The task that runs handles a message.
    fn begin_turn(&mut self, machine: &mut Machine, message: Arc<Message>) -> Result<(), String> {
        let task = self.runner_mut();
        if message.settles.is_some_and(|future| future.life != task.life) {
            // Nobody is left who wanted to be told: whoever did has crashed since.
            task.turns += 1;
            return Ok(());
        }
        let (name, kind) = (task.name.clone(), task.kind.clone());
        task.standing = Standing::Busy;
        task.turns += 1;
        (task.defers, task.stops) = (false, false);
        if let Some(FutureId { slot, .. }) = message.settles {
            if let Some(future) = task.futures.get_mut(slot as usize) {
                *future = Future::Free;
            }
            while task.futures.last() == Some(&Future::Free) {
                task.futures.pop();
            }
        }
        task.message = Some(message.clone());
        let module = machine.module().clone();
        let Some(func) = handler::find(&module, &kind, &message.name) else {
            let known = handler::names(&module, &kind).join(", ");
            return Err(format!("{name} has no handler for {}; it has {known}", show(&message)));
        };
        let params = &module.func_type(&module.funcs()[func as usize]).params;
        let Some(args) = handler::arguments(params, &message.bytes) else {
            let length = message.bytes.len();
            return Err(format!(
                "{name} cannot handle {}: {length} bytes are not {}",
                message.name,
                module.func_type(&module.funcs()[func as usize])
            ));
        };
        machine.call_next(func, &args).map_err(|error| format!("{name}: {error}"))
    }

    /// The task that runs handles an interrupt that has arrived between two turns.
    fn begin_handler(
        &mut self,
        machine: &mut Machine,
        world: &World,
        event: Event,
    ) -> Result<(), String> {
        let task = self.runner_mut();
        task.standing = Standing::Busy;
        task.turns += 1;
        (task.defers, task.stops, task.message) = (false, false, None);
        world.happen_at_rest(event, machine).map_err(|error| format!("{}: {error}", task.name))
    }

    /// The task that runs has crashed, and begins as it began.
    fn begin_anew(&mut self, machine: &mut Machine) -> Result<(), String> {
        let (count, limits) = (machine.count(), self.system.limits);
        let program = &self.system.programs[usize::from(self.runner().program)];
        *machine = program.machine(limits).map_err(|error| error.to_string())?;
        machine.set_count(count);
        let task = self.runner_mut();
        (task.futures, task.answers) = (Vec::new(), Vec::new());
        task.life += 1;
        match task.beginning.clone() {
            Beginning::None => {
                task.standing = Standing::Idle;
                Ok(())
            }
            Beginning::Start(_) => self.begin(machine),
            Beginning::Init(message) => self.begin_turn(machine, message),
        }
    }

    /// The function of the turn under way has returned.
    fn end_turn(&mut self, results: &[Value]) {
        let task = self.runner_mut();
        task.standing = if task.stops { Standing::Stopped } else { Standing::Idle };
        let answer = task.message.as_ref().and_then(|message| message.answers);
        let answer = answer.filter(|_| !task.defers);
        (task.defers, task.stops) = (false, false);
        if let Some(answer) = answer {
            let bytes = handler::bytes(results).into();
            self.settle(answer, Settlement { is_resolved: true, bytes });
        }
    }

    /// Why nobody can run.
    fn quiet(&self) -> Rest {
        let held = self
            .tasks()
            .flat_map(|(id, task)| task.answers.iter().flatten().map(move |answer| (*answer, id)));
        let held: Vec<_> = held.collect();
        let (mut deadlocked, mut unanswered) = (Vec::new(), Vec::new());
        for (owner, task) in self.tasks() {
            for (slot, name) in task.awaits() {
                let holder = held
                    .iter()
                    .find(|(at, _)| (at.owner, at.slot, at.life) == (owner, slot, task.life));
                let lives =
                    |id: TaskId| self.task(id).is_some_and(|task| task.standing == Standing::Idle);
                match holder {
                    Some(&(_, holder)) if lives(holder) => {
                        deadlocked.push(format!(
                            "{} waits for {} to answer {name}",
                            task.name,
                            self.name(holder)
                        ));
                    }
                    _ => unanswered.push(format!("{} waits for an answer to {name}", task.name)),
                }
            }
        }
        let left: Vec<String> = self
            .tasks()
            .flat_map(|(_, task)| {
                let messages = task.inbox.values().flatten();
                messages.map(|message| {
                    format!("{} from {} to {}", message.name, self.name(message.from), task.name)
                })
            })
            .collect();
        match () {
            () if !unanswered.is_empty() => Rest::Unanswered(unanswered.join(", ")),
            () if !deadlocked.is_empty() => Rest::Deadlocked(deadlocked.join(", ")),
            () if !left.is_empty() => Rest::Unhandled(left.join(", ")),
            () => Rest::Finished,
        }
    }

    /// The tasks that are there from the start, of which the first one runs.
    pub(crate) fn assemble(
        system: Arc<crate::system::System>,
    ) -> Result<(Ensemble, Machine, World), String> {
        let mut ensemble = Ensemble {
            tasks: Default::default(),
            current: TaskId(0),
            outside: Vec::new(),
            faults: system.faults,
            footprint: Footprint::default(),
            system,
        };
        let system = ensemble.system.clone();
        for device in 0..system.devices.len() as u16 {
            let world = system.worlds.iter().find(|((_, of), _)| *of == device);
            let state = world.and_then(|(_, world)| world.as_ref().ok()).map(|w| w.state().clone());
            ensemble.outside.push(state);
        }
        for (id, member) in (0..).map(TaskId).zip(&system.members) {
            let program = &system.programs[usize::from(member.program)];
            let mut machine =
                program.machine(system.limits).map_err(|e| format!("{}: {e}", member.name))?;
            let mut task = crate::task::Task::new(
                member.name.clone(),
                member.kind.clone(),
                member.program,
                member.device,
            );
            if let Some(start) = member.start {
                task.beginning = Beginning::Start(start);
                task.standing = Standing::Fresh;
            }
            task.parked = Some(Arc::new(Parked::new(machine.freeze())));
            ensemble.tasks.insert(id, Arc::new(task));
        }
        let first = ensemble.unpark(TaskId(0), 0).ok_or("a system has at least one actor")?;
        Ok((ensemble, first.0, first.1))
    }
}
