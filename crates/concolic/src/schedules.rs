//! Exploring who runs next, together with the inputs.
//!
//! A turn is an act of [`mw_reduction`]: the handling of one message. Its outcomes are the ways it can
//! go that inputs decide, and the faults that may happen to the message instead. Turns of different
//! tasks commute unless they touch the same world or the same future, so that of all orders which
//! differ in such turns alone one is followed: nothing is lost, and nothing is met twice.
//!
//! An interrupt that arrives between two turns of its task is an act as well, whose outcomes are that it
//! arrives and that it does not. One that arrives in the middle of a turn is an outcome of that turn
//! ([`arrivals`](crate::arrivals)). How many may arrive is bounded for all tasks together, which is
//! like a condition on an input: whatever the order, the same combinations are possible.
//!
//! A task that fails does not end the others: they go on, so that every order is seen in which it
//! would not have failed. What went wrong is a path of its own, which ends there.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use mw_ensemble::{AGAIN, Ensemble, Moment, Next, Rest, Schedule, Standing, TaskId, Touch};
use mw_monitor::Instance;
use mw_reduction::{Exploration, Fate, Footprint, Performed, Reduction, Stopped, System};
use mw_vm::Status;
use mw_world::Event;

use crate::asked::Asked;
use crate::explore::Explorer;
use crate::follow::Progress;
use crate::imports;
use crate::leaf::{Cut, End, Leaf};
use crate::monitors::{Told, Watching};
use crate::omitted::Omitted;
use crate::parallel::{Shared, count};
use crate::path::{Got, Path, Reading};
use crate::stop::Stop;

/// Something that is done next, by what stays the same whatever others do before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Act {
    /// A task goes on with the turn that it is in the middle of.
    GoOn(TaskId),
    /// A task begins.
    Start(TaskId),
    /// A task crashes, or not: for the first time, or once more.
    Crash(TaskId, u32),
    /// An interrupt arrives between two turns of a task, or not: for the first time, or once more.
    Interrupt(TaskId, Event, u32),
    /// A message is handled, or something happens to it.
    Message { to: TaskId, from: TaskId, number: u64 },
}

/// An exploration of schedules, to go on with.
pub(crate) struct Schedules {
    exploration: Exploration<Explorer>,
}

impl Schedules {
    /// The path that is being followed: beyond it lie the orders that have not been.
    pub fn frontier(&self) -> Option<&Path> {
        self.exploration.last_state()
    }
}

/// What acts have to do with, as numbers.
enum Thing {
    Task(TaskId),
    World(u16),
    Future(TaskId, u32),
    Message(TaskId, u64),
    Begun(TaskId),
    Life(TaskId, u32),
    Handled {
        to: TaskId,
        from: TaskId,
        number: u64,
    },
    /// Which interrupts may arrive in a world.
    Subscriptions(u16),
    /// An interrupt that a task has asked for, after so many have arrived.
    AskedFor(TaskId, Event, u32),
    /// All slices of a property, by its position.
    Property(usize),
    /// One of them.
    Slice(usize, Instance),
}

impl Thing {
    fn number(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self {
            Thing::Task(task) => (0, task).hash(&mut hasher),
            Thing::World(device) => (1, device).hash(&mut hasher),
            Thing::Future(owner, slot) => (2, owner, slot).hash(&mut hasher),
            Thing::Message(from, number) => (3, from, number).hash(&mut hasher),
            Thing::Begun(task) => (4, task).hash(&mut hasher),
            Thing::Life(task, life) => (6, task, life).hash(&mut hasher),
            Thing::Subscriptions(device) => (7, device).hash(&mut hasher),
            Thing::AskedFor(task, event, times) => (8, task, event, times).hash(&mut hasher),
            Thing::Handled { to, from, number } => (5, to, from, number).hash(&mut hasher),
            Thing::Property(which) => (9, which).hash(&mut hasher),
            Thing::Slice(which, slice) => (10, which, slice).hash(&mut hasher),
        }
        hasher.finish()
    }
}

impl Explorer {
    /// Follows one execution of each class until there is no other or there is a reason to stop.
    pub(crate) fn work_through_schedules(
        &mut self,
        shared: &Shared,
        stop: &Stop,
        found: &mut dyn FnMut(&Leaf),
    ) {
        self.stopped = None;
        self.following = stop.clone();
        let begun = self.schedules.take().or_else(|| {
            let path = self.waiting.pop_front()?;
            let reduction = if self.reduces { Reduction::On } else { Reduction::Off };
            Some(Box::new(Schedules { exploration: Exploration::new(path).with(reduction) }))
        });
        let Some(mut schedules) = begun else { return };
        let is_done = loop {
            if shared.paths.load(std::sync::atomic::Ordering::Relaxed) == 0 {
                self.stopped = Some(Cut::Paths);
                break false;
            }
            let before = self.ended.len();
            let next = schedules.exploration.next(self).map(|execution| execution.is_some());
            let statistics = schedules.exploration.statistics();
            (self.executions, self.turns) = (statistics.executions, statistics.events);
            if let Ok(true) = next {
                let events = schedules.exploration.current().map_or(0, |e| e.events().len());
                let is_cut = schedules.exploration.current().is_some_and(|e| e.is_cut());
                if let Some(path) = schedules.exploration.state_mut(events)
                    && !is_cut
                {
                    self.finish_quietly(path);
                }
            }
            count(shared, self.ended.len() - before);
            if self.ended[before..].iter().any(|ended| self.is_goal(&ended.end)) {
                shared.stop.found();
                self.stopped = Some(Cut::Found);
            }
            self.tell(before, found);
            match next {
                Ok(true) if self.stopped.is_none() => {}
                Ok(false) => break true,
                Ok(true) => break false,
                Err(Stopped) => {
                    self.stopped = Some(stop.why().unwrap_or(Cut::Memory));
                    break false;
                }
            }
        };
        if !is_done {
            self.schedules = Some(schedules);
        }
    }

    /// All turns of a path have been had.
    fn finish_quietly(&mut self, path: &mut Path) {
        let failed = path.now.ensemble.as_deref().is_some_and(|ensemble| {
            ensemble.tasks().any(|(_, task)| task.standing == Standing::Failed)
        });
        // Where somebody has failed, that has been told, and how the rest ends is no news unless a
        // property is violated there.
        let news = path.watching.as_deref().is_some_and(Watching::has_untold);
        if failed && !news {
            return;
        }
        let end = match path.now.rest() {
            Rest::Deadlocked(who) => End::Deadlocked(who),
            Rest::Unanswered(who) => End::Unanswered(who),
            Rest::Unhandled(what) => End::Unhandled(what),
            Rest::Finished | Rest::Busy | Rest::Choice(_) => End::Finished,
        };
        self.finish(path, end);
    }

    /// The choices that an act stands for.
    pub(crate) fn choices_of(now: &Moment, ensemble: &Ensemble, act: &Act) -> Vec<Next> {
        let options = ensemble.options().into_iter().chain(now.interrupts());
        let fits = |next: &Next| match (*act, next) {
            (Act::Start(task), Next::Start(of)) => task == *of,
            (Act::GoOn(task), Next::Resume(of)) => task == *of,
            (Act::Crash(task, _), Next::Crash(of)) => task == *of,
            (Act::Interrupt(task, event, _), Next::Interrupt { task: of, event: which }) => {
                (task, event) == (*of, *which)
            }
            (Act::Message { to, from, number }, _) => {
                (next.task(), next.from()) == (to, Some(from))
                    && ensemble.message_of(*next).is_some_and(|m| m.number == number)
            }
            _ => false,
        };
        options.filter(fits).collect()
    }

    /// Follows a path to the end of its turn, with all the ways that it can go. Says of each whether
    /// it was cut off.
    fn follow_turn(&mut self, path: Path) -> Result<Vec<(Path, bool)>, Cut> {
        let stop = self.following.clone();
        let mut done = Vec::new();
        self.waiting.push_back(path);
        while let Some(mut path) = self.waiting.pop_back() {
            match self.advance(&mut path, &stop)? {
                Progress::Turn => {
                    path.drop_own_messages();
                    let goes_round = path.goes_round();
                    if goes_round {
                        // Others may have been waiting all the while.
                        path.omitted.insert(Omitted::Rounds);
                        self.finish(&mut path, End::Livelocked);
                    }
                    done.push((path, goes_round));
                }
                Progress::Pause | Progress::Returned => self.waiting.push_back(path),
                Progress::None => {}
                Progress::End(end) => {
                    let is_cut = !end.is_whole();
                    let has_failed = end.is_failure();
                    if is_cut || has_failed {
                        self.finish(&mut path, end);
                    }
                    if !is_cut {
                        path.now.bury();
                        path.note_outcome(|| FAILED);
                        path.drop_own_messages();
                    }
                    done.push((path, is_cut));
                }
            }
        }
        Ok(done)
    }

    /// What a turn that was just had had to do with.
    fn footprint(path: &Path, act: &Act) -> Footprint {
        let Some(ensemble) = path.now.ensemble.as_deref() else { return Footprint::default() };
        let touched = ensemble.footprint();
        let mut footprint = Footprint::default();
        let own = |task: TaskId| ensemble.task(task).map_or(0, |task| task.device);
        let task = match *act {
            Act::GoOn(task) | Act::Start(task) | Act::Crash(task, _) => task,
            Act::Interrupt(task, event, times) => {
                footprint.needs.push(Thing::AskedFor(task, event, times).number());
                footprint.makes.push(Thing::AskedFor(task, event, times + 1).number());
                task
            }
            Act::Message { to, from, number } => {
                footprint.needs.push(Thing::Message(from, number).number());
                footprint.makes.push(Thing::Handled { to, from, number }.number());
                if let Some(before) = ensemble.task(to).and_then(|task| task.handled_before(from)) {
                    footprint.needs.push(Thing::Handled { to, from, number: before }.number());
                }
                to
            }
        };
        footprint.writes.push(Thing::Task(task).number());
        // Whoever begins comes before all messages to them.
        if let Some(runs) = ensemble.task(task).filter(|task| task.has_beginning()) {
            match runs.turns <= 1 {
                true => footprint.makes.push(Thing::Begun(task).number()),
                false => footprint.needs.push(Thing::Begun(task).number()),
            }
        }
        let world = Thing::World(own(task)).number();
        match touched.world {
            Touch::No => {}
            Touch::Read => footprint.reads.push(world),
            Touch::Write => footprint.writes.push(world),
        }
        let asked_for = touched.asked_for.iter();
        footprint.makes.extend(asked_for.map(|e| Thing::AskedFor(task, *e, 0).number()));
        if let Some(runs) = ensemble.task(task) {
            let subscriptions = Thing::Subscriptions(runs.device).number();
            let is_over = matches!(runs.standing, Standing::Stopped | Standing::Failed);
            let is_told = !runs.asked_for.is_empty();
            if touched.subscribes || is_told && is_over {
                footprint.writes.push(subscriptions);
            } else if is_told {
                // Where none is let through, none arrives in the middle of a turn either.
                footprint.reads.push(subscriptions);
            }
        }
        let futures = touched.futures.iter();
        footprint.writes.extend(futures.map(|f| Thing::Future(f.owner, f.slot).number()));
        let sent = touched.sent.iter();
        footprint.makes.extend(sent.map(|(_, number)| Thing::Message(task, *number).number()));
        touch_monitors(path, &mut footprint);
        footprint
    }
}

/// What a turn has told monitors. What two turns tell one monitor cannot be exchanged, unless it is
/// about different slices, or nothing comes of it.
fn touch_monitors(path: &Path, footprint: &mut Footprint) {
    let Some(watching) = path.watching.as_deref() else { return };
    for Told { which, slice, moves } in &watching.told {
        let whole = Thing::Property(*which).number();
        let has_slices = !watching.automata()[*which].slice_parameters().is_empty();
        let (touched, writes) = match slice {
            Some(slice) => {
                // It may have been copied from what is about less.
                footprint.reads.push(whole);
                (Thing::Slice(*which, slice.clone()).number(), *moves)
            }
            // What comes of it depends on all slices that there are.
            None => (whole, *moves || has_slices),
        };
        match writes {
            true => footprint.writes.push(touched),
            false => footprint.reads.push(touched),
        }
    }
    let ordered = (0..watching.automata().len()).filter(|which| watching.orders_all(*which));
    footprint.writes.extend(ordered.map(|which| Thing::Property(which).number()));
}

/// Tells a turn that failed from one that did not.
const FAILED: u64 = 1;

impl System for Explorer {
    type State = Path;
    type Act = Act;

    fn fork(&mut self, path: &mut Path) -> Path {
        path.fork()
    }

    fn enabled(&mut self, path: &mut Path) -> Vec<Act> {
        let Some(ensemble) = path.now.ensemble.as_deref() else { return Vec::new() };
        if !matches!(path.now.machine.status(), Status::Idle) {
            return vec![Act::GoOn(ensemble.current())];
        }
        let mut acts: Vec<Act> = Vec::new();
        for next in ensemble.options() {
            if let Next::Crash(_) = next {
                continue;
            }
            let act = match (next, ensemble.message_of(next)) {
                (Next::Start(task), _) => Act::Start(task),
                (Next::Resume(task), _) => Act::GoOn(task),
                (_, Some(message)) => {
                    Act::Message { to: next.task(), from: message.from, number: message.number }
                }
                (_, None) => continue,
            };
            if !acts.contains(&act) {
                acts.push(act);
            }
        }
        // What comes too late is an act as well: it could have come earlier.
        let dropped = path.tasks.as_deref().map(|tasks| &tasks.dropped);
        for (to, task) in ensemble.tasks() {
            if matches!(task.standing, Standing::Stopped | Standing::Failed) {
                let fresh = task.inbox.values().flatten().filter(|message| {
                    !dropped.is_some_and(|known| known.contains(&(message.from, message.number)))
                });
                acts.extend(fresh.map(|m| Act::Message { to, from: m.from, number: m.number }));
            }
        }
        let known = path.tasks.as_deref().map(|tasks| &tasks.crashes);
        for (id, life) in ensemble.crashable() {
            if !known.is_some_and(|known| known.contains(&(id, life))) {
                acts.push(Act::Crash(id, life));
            }
        }
        for (id, task) in ensemble.tasks().filter(|_| path.arrivals.most > 0) {
            let tasks = path.tasks.as_deref();
            for &event in &task.asked_for {
                let times = tasks.and_then(|tasks| tasks.arrived.get(&(id, event)));
                if !tasks.is_some_and(|tasks| tasks.refused.contains(&(id, event))) {
                    acts.push(Act::Interrupt(id, event, times.copied().unwrap_or(0)));
                }
            }
        }
        // Who has had the fewest turns comes first, so that nobody is forgotten for ever.
        let turns = |act: &Act| match act {
            Act::GoOn(task) | Act::Start(task) | Act::Message { to: task, .. } => {
                ensemble.task(*task).map_or(0, |task| task.turns)
            }
            Act::Crash(..) | Act::Interrupt(..) => u64::MAX,
        };
        acts.sort_by_key(|act| (turns(act), *act));
        acts
    }

    fn pruned(&mut self, path: &mut Path, act: &Act, why: Fate) {
        self.note_pruned(path, act, why);
    }

    fn perform(&mut self, path: Path, act: &Act) -> Result<Vec<Performed<Path>>, Stopped> {
        let ended = self.ended.len();
        let performed = self.perform_act(path, act);
        performed.map_err(|_| {
            // All of it is done again later.
            self.waiting.clear();
            self.ended.truncate(ended);
            Stopped
        })
    }
}

impl Explorer {
    fn perform_act(&mut self, mut path: Path, act: &Act) -> Result<Vec<Performed<Path>>, Cut> {
        if let Some(cut) = self.following.why() {
            return Err(cut);
        }
        let is_first = !matches!(path.now.machine.status(), Status::Idle);
        let choices: Vec<Schedule> = match path.now.ensemble.as_deref() {
            Some(ensemble) if !is_first => {
                let choices = Explorer::choices_of(&path.now, ensemble, act).into_iter();
                choices.map(|next| ensemble.schedule(next)).collect()
            }
            _ => Vec::new(),
        };
        let mut performed = Vec::new();
        if is_first {
            // The turn that was under way where the exploration began.
            for (mut path, ends) in self.follow_turn(path)? {
                performed.push(Performed {
                    outcome: path.outcome(0),
                    footprint: Explorer::footprint(&path, act),
                    ends,
                    state: {
                        path.ready_for_next();
                        path
                    },
                });
            }
            return Ok(performed);
        }
        if path.now.ensemble.is_none() {
            return Ok(performed);
        }
        if let (true, Act::Message { to, from, number }) = (choices.is_empty(), act) {
            path.tasks.get_or_insert_default().dropped.insert((*from, *number));
            let needs = vec![Thing::Message(*from, *number).number()];
            let writes = vec![Thing::Task(*to).number()];
            let footprint = Footprint { needs, writes, ..Footprint::default() };
            return Ok(vec![Performed { outcome: u64::MAX, state: path, footprint, ends: false }]);
        }
        if let Act::Interrupt(task, event, times) = *act {
            let is_possible = !choices.is_empty();
            performed.push(refused(&mut path, (task, event, times), is_possible));
            if !is_possible || !path.arrivals.has_room() {
                return Ok(performed);
            }
        }
        if let Act::Crash(task, life) = act {
            // It need not happen, now or later.
            path.tasks.get_or_insert_default().crashes.insert((*task, *life));
            let needs = vec![Thing::Begun(*task).number(), Thing::Life(*task, *life).number()];
            let (state, footprint) = (path.fork(), Footprint { needs, ..Footprint::default() });
            performed.push(Performed { outcome: u64::MAX, state, footprint, ends: false });
        }
        let last = choices.len().saturating_sub(1);
        let mut path = Some(path);
        for (index, schedule) in choices.into_iter().enumerate() {
            // The last one goes on with the path itself.
            let forked = match index == last {
                true => path.take(),
                false => path.as_mut().map(Path::fork),
            };
            let Some(mut path) = forked else { break };
            let next = schedule.next;
            let (count, behaviour) = (path.now.machine.count(), imports::behaviour(&mut path));
            let (program, pc) = (path.program(), path.now.machine.pc());
            if path.take(&mut self.exprs, next).is_err() {
                continue;
            }
            let asked = Asked::Schedule(Arc::new(schedule));
            path.note_reading(Reading { count, program, pc, asked, got: Got::Nothing, behaviour });
            let kind = next_kind(next);
            if self.bounds.schedule < path.tasks.as_deref().map_or(0, |tasks| tasks.turns) {
                self.finish(&mut path, End::Cut(Cut::Schedule));
                let footprint = Explorer::footprint(&path, act);
                performed.push(Performed { outcome: kind, state: path, footprint, ends: true });
                continue;
            }
            for (mut path, ends) in self.follow_turn(path)? {
                let mut footprint = Explorer::footprint(&path, act);
                if let (Next::Double { from, .. }, Act::Message { number, .. }) = (next, act) {
                    footprint.makes.push(Thing::Message(from, number | AGAIN).number());
                }
                if let Act::Crash(task, life) = act {
                    footprint.needs.push(Thing::Life(*task, *life).number());
                    footprint.makes.push(Thing::Life(*task, life + 1).number());
                }
                performed.push(Performed {
                    outcome: path.outcome(kind),
                    footprint,
                    ends,
                    state: {
                        path.ready_for_next();
                        path
                    },
                });
            }
        }
        Ok(performed)
    }
}

/// An interrupt does not arrive between turns, now or later: it need not, or it is too late for it,
/// as it is not let through any more or its task takes no further turns.
fn refused(
    path: &mut Path,
    (task, event, times): (TaskId, Event, u32),
    is_possible: bool,
) -> Performed<Path> {
    let mut state = path.fork();
    let needs = vec![Thing::AskedFor(task, event, times).number()];
    let mut footprint = Footprint { needs, ..Footprint::default() };
    if !is_possible {
        let ensemble = path.now.ensemble.as_deref();
        let device = ensemble.and_then(|all| Some(all.task(task)?.device)).unwrap_or(0);
        footprint.reads.push(Thing::Subscriptions(device).number());
    } else if !state.arrivals.has_room() {
        state.omitted.insert(Omitted::MoreInterrupts(state.arrivals.most));
    }
    state.tasks.get_or_insert_default().refused.insert((task, event));
    Performed { outcome: u64::MAX - u64::from(!is_possible), state, footprint, ends: false }
}

/// Tells what may happen to a message apart.
fn next_kind(next: Next) -> u64 {
    match next {
        Next::Start(_) | Next::Resume(_) | Next::Deliver { .. } => 0,
        Next::Double { .. } => 1,
        Next::Lose { .. } => 2,
        Next::Crash(_) => 3,
        Next::Interrupt { .. } => 4,
    }
}

impl Path {
    /// How the turn that was just had went.
    fn outcome(&self, kind: u64) -> u64 {
        self.tasks.as_deref().map_or(0, |tasks| tasks.trace).rotate_left(3) ^ kind
    }

    /// Nothing is left of how the last turn went.
    fn ready_for_next(&mut self) {
        self.ready = Default::default();
        self.stage = 0;
        self.shadow.stack.truncate(0);
    }
}
