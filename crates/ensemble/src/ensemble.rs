//! The tasks of a universe and what is between them.
//!
//! One of them runs: its machine and its world are those of the [moment](crate::Moment), all the
//! others are parked here. Who comes next is a choice ([`Next`]); between two such choices nothing
//! depends on anything but the task that runs, so that a turn is one stretch of the universe.
//!
//! **Invariant:** addresses, futures and names follow from what the task itself has done, never from
//! the order in which others took their turns. So universes that differ in that alone come to equal
//! states.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mw_vm::Machine;
use mw_world::{Event, Heap, State, World};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::footprint::Footprint;
use crate::next::{Next, Schedule};
use crate::system::{Faults, System};
use crate::task::{Beginning, Future, FutureId, Message, Parked, Standing, Task, TaskId};

/// The tasks of a universe. See the [module](self).
#[derive(Clone, Debug)]
pub struct Ensemble {
    pub(crate) system: Arc<System>,
    pub(crate) tasks: BTreeMap<TaskId, Arc<Task>>,
    pub(crate) current: TaskId,
    /// The worlds that nobody is in.
    pub(crate) outside: Vec<Option<State>>,
    /// The faults that may still happen.
    pub(crate) faults: Faults,
    /// What the turn under way has touched so far.
    pub(crate) footprint: Footprint,
}

/// A state for whoever compares: all that the future depends on, in one order.
#[derive(Serialize)]
struct Seen<'a> {
    id: TaskId,
    kind: &'a str,
    program: u16,
    device: u16,
    machine: u128,
    heap: &'a Heap,
    standing: Standing,
    turn: Option<(TaskId, &'a str, &'a [u8], Option<FutureId>)>,
    inbox: Vec<(TaskId, Vec<Told<'a>>)>,
    futures: &'a [Future],
    answers: &'a [Option<FutureId>],
    ends: (bool, bool),
    spawned: (u32, u32),
    asked_for: &'a BTreeSet<Event>,
}

/// A message for whoever compares.
type Told<'a> = (&'a str, &'a [u8], Option<FutureId>, Option<FutureId>);

impl Ensemble {
    /// What never changes.
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// The task that runs, or ran last.
    pub fn current(&self) -> TaskId {
        self.current
    }

    /// All tasks, by their addresses.
    pub fn tasks(&self) -> impl Iterator<Item = (TaskId, &Task)> {
        self.tasks.iter().map(|(id, task)| (*id, &**task))
    }

    /// A task.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.get(&id).map(|task| &**task)
    }

    /// What a task is called.
    pub fn name(&self, id: TaskId) -> Arc<str> {
        self.task(id).map_or_else(|| id.to_string().into(), |task| task.name.clone())
    }

    /// The task that a person means by its name or address.
    pub fn find(&self, name: &str) -> Option<TaskId> {
        let by_name = self.tasks().find(|(_, task)| &*task.name == name).map(|(id, _)| id);
        by_name.or_else(|| name.parse().ok().map(TaskId).filter(|id| self.tasks.contains_key(id)))
    }

    /// The faults that may still happen.
    pub fn faults_left(&self) -> Faults {
        self.faults
    }

    /// What the turn under way, or the last one, has touched.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    pub(crate) fn task_mut(&mut self, id: TaskId) -> Option<&mut Task> {
        self.tasks.get_mut(&id).map(Arc::make_mut)
    }

    /// The task that runs.
    pub(crate) fn runner(&self) -> &Task {
        &self.tasks[&self.current]
    }

    pub(crate) fn runner_mut(&mut self) -> &mut Task {
        Arc::make_mut(self.tasks.get_mut(&self.current).expect("whoever runs is there"))
    }

    /// Who can run next, in a fixed order: what happens by itself before what is a fault.
    pub fn options(&self) -> Vec<Next> {
        let (mut options, mut faults) = (Vec::new(), Vec::new());
        for (&to, task) in &self.tasks {
            match (task.standing, &task.beginning) {
                (Standing::Fresh, Beginning::Start(_)) => options.push(Next::Start(to)),
                (Standing::Fresh, Beginning::Init(message)) => {
                    options.push(Next::Deliver { to, from: message.from, overtakes: 0 });
                }
                (Standing::Fresh | Standing::Idle, _) => {
                    if self.may_crash(to) && task.turns > 0 {
                        faults.push(Next::Crash(to));
                    }
                    for (&from, waiting) in &task.inbox {
                        options.push(Next::Deliver { to, from, overtakes: 0 });
                        faults.extend(self.faults_of(to, from, waiting.len()));
                    }
                }
                (Standing::Busy, _) => options.push(Next::Resume(to)),
                (Standing::Stopped | Standing::Failed, _) => {}
            }
        }
        options.append(&mut faults);
        options
    }

    /// Who comes next of those who can and may, if nobody says so: nothing that is a fault, and
    /// whoever has had the fewest turns, so that everybody has one.
    pub fn usual(&self, options: &[Next], may: impl Fn(TaskId) -> bool) -> Option<Next> {
        let may = |next: &&Next| !next.is_fault() && may(next.task());
        let turns = |next: &&Next| self.task(next.task()).map_or(0, |task| task.turns);
        options.iter().filter(may).min_by_key(turns).copied()
    }

    /// What may happen to the oldest of so many messages instead of its being handled.
    fn faults_of(&self, to: TaskId, from: TaskId, waiting: usize) -> Vec<Next> {
        let (sender, receiver) = (self.name(from), self.name(to));
        let (allowed, left) = (self.system.allowed(&sender, &receiver), self.faults);
        let mut faults = Vec::new();
        if allowed.lose > 0 && left.lose > 0 {
            faults.push(Next::Lose { to, from });
        }
        if allowed.double > 0 && left.double > 0 {
            faults.push(Next::Double { to, from });
        }
        if allowed.delay > 0 && left.delay > 0 {
            let later = 1..waiting.min(usize::from(u16::MAX));
            let overtaking = later.map(|ahead| Next::Deliver { to, from, overtakes: ahead as u16 });
            faults.extend(overtaking);
        }
        faults
    }

    /// Tasks that may crash, if there were faults enough, and how often they have.
    pub fn crashable(&self) -> impl Iterator<Item = (TaskId, u32)> {
        let may = |id: TaskId| {
            self.system.members.get(id.0 as usize).is_some_and(|member| member.may_crash)
        };
        let begun = self.tasks().filter(move |(id, task)| may(*id) && task.turns > 0);
        begun.filter(|_| self.system.faults.crash > 0).map(|(id, task)| (id, task.life))
    }

    /// Whether a task may crash now or later.
    fn may_crash(&self, task: TaskId) -> bool {
        let member = self.system.members.get(task.0 as usize);
        member.is_some_and(|member| member.may_crash) && self.faults.crash > 0
    }

    /// The message that a choice is about.
    pub fn message_of(&self, next: Next) -> Option<&Arc<Message>> {
        let waiting = self.task(next.task())?.inbox.get(&next.from()?)?;
        match next {
            Next::Deliver { overtakes, .. } => waiting.get(overtakes.into()),
            _ => waiting.front(),
        }
    }

    /// A choice with what is said of it.
    pub fn schedule(&self, next: Next) -> Schedule {
        let task = self.name(next.task());
        let message = match (self.message_of(next), next.from()) {
            (Some(message), Some(from)) => format!("{} from {}", message.name, self.name(from)),
            _ => "a message".into(),
        };
        let label = match next {
            Next::Start(_) => format!("{task} begins"),
            Next::Resume(_) => format!("{task} goes on"),
            Next::Deliver { overtakes: 0, .. } => format!("{task}: {message}"),
            Next::Deliver { overtakes, .. } => format!("{task}: {message}, {overtakes} early"),
            Next::Double { .. } => format!("{task}: {message}, and again later"),
            Next::Lose { .. } => format!("lost: {message} to {task}"),
            Next::Crash(_) => format!("{task} crashes"),
            Next::Interrupt { event: Event::Interrupt { pin, .. }, .. } => {
                format!("{task}: interrupt of pin {pin}")
            }
        };
        Schedule { next, label }
    }

    /// Keeps the machine and the world of the task that runs, so that another one can.
    pub(crate) fn park(&mut self, machine: &mut Machine, world: &World) {
        let device = usize::from(self.runner().device);
        let mut state = world.state().clone();
        let runner = self.runner_mut();
        runner.heap = state.swap_heap(Heap::default());
        runner.parked = Some(Arc::new(Parked::new(machine.freeze())));
        self.outside[device] = Some(state);
    }

    /// Makes another task the one that runs: its machine, and its world.
    pub(crate) fn unpark(&mut self, id: TaskId, count: u64) -> Option<(Machine, World)> {
        let task = self.task_mut(id)?;
        let (program, device) = (task.program, task.device);
        let (parked, heap) = (task.parked.take()?, std::mem::take(&mut task.heap));
        let mut machine = parked.machine.thaw();
        machine.set_count(count);
        let mut state = self.outside[usize::from(device)].take()?;
        state.swap_heap(heap);
        let world = self.system.world(program, device).ok()?.with_state(state);
        self.current = id;
        Some((machine, world))
    }

    /// A hash of all tasks and what is between them; machine and blocks are those of the one that
    /// runs.
    pub(crate) fn hash(&self, machine: u128, heap: &Heap) -> u128 {
        let seen = |(id, task)| self.seen(id, task, (machine, heap));
        let seen: Vec<Seen<'_>> = self.tasks().map(seen).collect();
        // Writing plain data to memory cannot fail.
        xxh3_128(&postcard::to_allocvec(&(seen, self.faults)).unwrap_or_default())
    }

    fn seen<'a>(&'a self, id: TaskId, task: &'a Task, running: (u128, &'a Heap)) -> Seen<'a> {
        let (machine, heap) = match &task.parked {
            Some(parked) => (parked.hash(), &task.heap),
            None => running,
        };
        let turn = task.message.as_ref().filter(|_| task.standing == Standing::Busy);
        let inbox = task.inbox.iter().map(|(from, waiting)| {
            let told = |message: &'a Arc<Message>| -> Told<'a> {
                (&message.name, &message.bytes, message.answers, message.settles)
            };
            (*from, waiting.iter().map(told).collect())
        });
        Seen {
            id,
            kind: &task.kind,
            program: task.program,
            device: task.device,
            machine,
            heap,
            standing: task.standing,
            turn: turn.map(|m| (m.from, &*m.name, &*m.bytes, m.answers)),
            inbox: inbox.collect(),
            futures: &task.futures,
            answers: &task.answers,
            ends: (task.defers, task.stops),
            spawned: (task.spawned, task.life),
            asked_for: &task.asked_for,
        }
    }

    /// The world of a device in a state, whichever program sees it.
    pub(crate) fn any_world(&self, device: u16, state: State) -> Option<World> {
        Some(self.system.any_world(device)?.with_state(state))
    }

    /// The state of the world of a device; that of the one that runs is `world`.
    pub(crate) fn states<'a>(&'a self, world: &'a World) -> impl Iterator<Item = &'a State> {
        self.outside.iter().map(|state| state.as_ref().unwrap_or(world.state()))
    }
}
