//! Moving forward: the machine runs, the world answers, and what was decided is recorded or
//! followed.
//!
//! [`drive`] is the one loop that does so. What it goes along is a [`Way`]: that of a session, which
//! is the *follow or create* of seed 000's traversal rules (where the universe goes on that one is
//! in, it is followed; where it does not, it is created), or that of a replayer, which only follows.

use std::cmp::Ordering;

use mw_ensemble::{Answered, Heed, Moment, News, Next, Rest, Schedule, answer};
use mw_monitor::Verdict;
use mw_multiverse::{Choice, Multiverse, NodeId, Outcome, Payload, Place, Site};
use mw_vm::{Module, NoProbe, Probe, Stop, ValType, Value};
use mw_world::{Answer, Call, CallError, Sample, World};

use crate::control::{Control, Progress};
use crate::error::SessionError;
use crate::program::ByProgram;
use crate::session::{Halt, Session};
use crate::walk::{Read, Walk};

/// Why driving ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Drive {
    /// At the goal.
    Reached,
    /// Before an instruction with a breakpoint.
    Breakpoint,
    /// The probe stopped it.
    Probe,
    /// Before or after the call of a primitive that `on_primitive` wanted.
    Primitive,
    /// Where a turn begins, or has ended, that `on_turn` wanted.
    Turn,
    /// Where monitors have noted something that was to be heeded.
    News,
    /// Everybody who could have the next turn is to wait.
    Paused,
    /// The program ended.
    Ended(Outcome),
    /// The world does not know what an input returns.
    Asks,
}

impl Drive {
    /// Whether it was stopped by what may turn out to be no reason to stop.
    pub fn may_go_on(&self) -> bool {
        matches!(
            self,
            Drive::Breakpoint | Drive::Probe | Drive::Primitive | Drive::Turn | Drive::News
        )
    }
}

/// Says whether to stop at a call of a primitive.
pub(crate) type OnPrimitive<'a> = &'a mut dyn FnMut(&Moment, Call<'_>, Option<Value>) -> bool;

/// Says whether to stop where a turn has just begun, or ended.
pub(crate) type OnTurn<'a> = &'a mut dyn FnMut(&Moment, bool) -> bool;

/// Where to stop; at the end of the program, if nothing else is said.
pub(crate) struct Goal<'a> {
    /// After so many instructions, and after the recorded choices that come right then.
    pub count: u64,
    /// And after this choice; no further one is made then.
    pub node: Option<NodeId>,
    /// Whether to go through with it if the program is known to fail there: the instruction that
    /// traps is never executed, so that before and after are one place.
    pub into_end: bool,
    /// Before these instructions.
    pub breakpoints: &'a ByProgram,
    /// Before a call of a primitive for which this says so (with no value), or after one (with the
    /// value that an input returned).
    pub on_primitive: Option<OnPrimitive<'a>>,
    /// Where a turn has just begun, or ended, for which this says so.
    pub on_turn: Option<OnTurn<'a>>,
    /// What of what monitors are told.
    pub heed: Heed,
    /// Whether the count and the breakpoints are all that can stop it.
    pub is_plain: bool,
}

/// No instructions.
static NOWHERE: ByProgram = ByProgram::none();

impl Default for Goal<'_> {
    fn default() -> Self {
        Goal {
            count: u64::MAX,
            node: None,
            into_end: false,
            breakpoints: &NOWHERE,
            on_primitive: None,
            on_turn: None,
            heed: Heed::Nothing,
            is_plain: false,
        }
    }
}

impl Goal<'_> {
    fn wants(&mut self, now: &Moment, call: Call<'_>, value: Option<Value>) -> bool {
        self.on_primitive.as_mut().is_some_and(|wants| wants(now, call, value))
    }

    fn wants_turn(&mut self, now: &Moment, begins: bool) -> bool {
        self.on_turn.as_mut().is_some_and(|wants| wants(now, begins))
    }
}

/// A probe that is told where the machine is before it runs: imported calls and interrupts move it
/// without the probe's seeing it.
pub trait Watcher: Probe {
    /// The machine is about to run on from this count, with calls nested so deep.
    fn at(&mut self, count: u64, depth: usize) {
        let _ = (count, depth);
    }
}

impl Watcher for NoProbe {}

impl<A: Watcher, B: Watcher> Watcher for (A, B) {
    fn at(&mut self, count: u64, depth: usize) {
        self.0.at(count, depth);
        self.1.at(count, depth);
    }
}

/// What is gone along, and how it is decided where that leads.
pub(crate) trait Way: AsMut<Moment> {
    /// Whoever goes.
    fn walk(&mut self) -> &mut Walk;
    /// What is known of the universes.
    fn multiverse(&self) -> &Multiverse;
    /// The recorded choice that comes next, and where it leads.
    fn next(&self) -> Option<(Choice<'_>, NodeId)>;
    /// Makes a checkpoint if one is due; the count at which the next one is.
    fn rest(&mut self) -> u64;
    /// What an input answers; `None` if nobody knows.
    fn choose(
        &mut self,
        call: Call<'_>,
        control: &mut dyn Control,
    ) -> Result<Option<Answer>, SessionError>;
    /// The input has answered.
    fn has_read(&mut self, read: Read<'_>) -> Result<(), SessionError>;
    /// Who has the next turn, of those who can; `None` if all of them are to wait.
    fn choose_next(&mut self, options: &[Next]) -> Result<Option<Next>, SessionError>;
    /// Somebody has the next turn, which was not recorded.
    fn has_taken(&mut self, count: u64, schedule: Schedule);
    /// Whether the task that runs is to wait, in the middle of its turn.
    fn is_to_wait(&self) -> bool {
        false
    }
    /// Whether who has the next turn is as recorded, if it is.
    fn follows_turns(&self) -> bool {
        true
    }
    /// The program has ended.
    fn ended(&mut self, outcome: &Outcome);
    /// The verdict of the monitor at a position is another one from a place on.
    fn verdict_changes(&mut self, place: Place, which: usize, verdict: Verdict);
    /// It has come to where it is with all monitors.
    fn has_come(&mut self);
    /// Whether to stop for something that monitors have noted, and that is heeded.
    fn is_to_stop(&self, news: &News) -> bool {
        let _ = news;
        true
    }
    /// What an input answers by the recorded choice that comes next, if that is about this call.
    fn recorded(&mut self, call: Call<'_>) -> Option<Answer> {
        let now = &self.walk().now;
        let (here, port) = (now.machine.count(), now.world.port(call.import).ok()?);
        let ty = result_of(now.machine.module(), call.import);
        let (choice, _) = self.next()?;
        let Site::Input { port: known, args } = choice.site else { return None };
        let is_same = (choice.count, *known) == (here, port)
            && args.iter().copied().eq(call.args.iter().map(|arg| arg.to_slot()));
        is_same.then(|| choice.answer(ty))
    }
    /// Called every few milliseconds, and when the world's clock has moved on, where it stands at a
    /// place like any other.
    fn look_up(&mut self, control: &mut dyn Control) {
        let _ = control;
    }
}

/// Instructions between looking up from the work: a few milliseconds.
const SLICE: u64 = 4_000_000;

/// Executes until a goal is reached or something else is the matter.
pub(crate) fn drive<W: Way, P: Watcher>(
    way: &mut W,
    goal: &mut Goal<'_>,
    probe: &mut P,
    control: &mut dyn Control,
) -> Result<Drive, SessionError> {
    let is_watched = way.walk().now.monitors.is_some();
    if is_watched {
        way.walk().now.heed(goal.heed.max(Heed::Verdicts));
    }
    let driven = go_on(way, goal, probe, control);
    if is_watched {
        note_news(way, goal);
        way.has_come();
    }
    driven
}

/// Notes verdicts that have changed; says whether there is more to be told, which is kept.
fn note_news(way: &mut impl Way, goal: &Goal<'_>) -> bool {
    if !way.walk().now.has_news() {
        return false;
    }
    let mut news = way.walk().now.take_news();
    let here = way.walk().here();
    for told in news.iter().filter(|told| told.moved.verdict.0 != told.moved.verdict.1) {
        way.verdict_changes(Place { count: told.count, ..here }, told.which, told.moved.verdict.1);
    }
    news.retain(|told| told.is_heeded_by(goal.heed) && way.is_to_stop(told));
    let is_told = !news.is_empty();
    way.walk().now.keep_news(news);
    is_told
}

fn go_on<W: Way, P: Watcher>(
    way: &mut W,
    goal: &mut Goal<'_>,
    probe: &mut P,
    control: &mut dyn Control,
) -> Result<Drive, SessionError> {
    let mut looked_up = way.walk().here().count;
    let mut time = way.walk().now.world.clock();
    // Whether it has come to another place than the one where it began, whose breakpoints are of
    // no concern.
    let mut has_moved = false;
    loop {
        if note_news(way, goal) {
            return Ok(Drive::News);
        }
        let count = way.walk().here().count;
        let is_long = count - looked_up >= SLICE;
        if is_long {
            looked_up = count;
            let goal = (goal.count != u64::MAX).then_some(goal.count);
            control.progress(Progress { count, goal });
        }
        let clock = way.walk().now.world.clock();
        if is_long || clock != time {
            time = clock;
            way.look_up(control);
            if control.is_cancelled() {
                return Err(SessionError::Cancelled);
            }
        }
        let mut limit = way.rest();
        if goal.node != Some(way.walk().node) {
            let depth = way.walk().now.machine.call_depth();
            match make_choice_between_instructions(way)? {
                Between::None(next) => limit = limit.min(next),
                Between::Choice => {
                    has_moved |= way.walk().now.machine.call_depth() != depth;
                    continue;
                }
                Between::Turn => {
                    has_moved = true;
                    if goal.wants_turn(&way.walk().now, true) {
                        return Ok(Drive::Turn);
                    }
                    continue;
                }
            }
        }
        limit = limit.min(goal.count).min(count + SLICE);
        let node = way.walk().node;
        if count >= goal.count && goal.node.is_none_or(|last| last == node) {
            let ended = way.multiverse().ended(node);
            if !(goal.into_end && ended.is_some_and(|(end, _)| *end == count)) {
                return Ok(Drive::Reached);
            }
            limit = count + 1;
        }
        if way.is_to_wait() {
            if !leave_turn(way)? {
                return Ok(Drive::Paused);
            }
            has_moved = true;
            if goal.wants_turn(&way.walk().now, true) {
                return Ok(Drive::Turn);
            }
            continue;
        }
        let walk = way.walk();
        let breakpoints = goal.breakpoints.of(&walk.now.machine);
        if has_moved && walk.is_at(breakpoints) {
            return Ok(Drive::Breakpoint);
        }
        probe.at(count, walk.now.machine.call_depth());
        let stop = walk.now.run(limit.saturating_sub(count), breakpoints, probe);
        has_moved |= walk.now.machine.count() != count;
        match stop {
            Stop::Budget if limit <= count => {
                // All that was recorded before the goal must have happened by now.
                let recorded = "a choice before that".into();
                let actual = "did not get to it".into();
                return Err(SessionError::Diverged { count, recorded, actual });
            }
            Stop::Budget => {}
            Stop::Breakpoint => return Ok(Drive::Breakpoint),
            Stop::Probe => return Ok(Drive::Probe),
            Stop::Import(_) => {
                // The call comes after what is told before it.
                if note_news(way, goal) {
                    return Ok(Drive::News);
                }
                if let Some(drive) = answer_import(way, goal, has_moved, control)? {
                    return Ok(drive);
                }
                has_moved = true;
            }
            Stop::Trap(kind) => {
                let outcome = match walk.now.aborted.clone() {
                    Some(message) => Outcome::Aborted(message),
                    None => Outcome::Trapped(kind),
                };
                return Ok(ended(way, outcome));
            }
            Stop::Finished => {
                let has_ended_now = walk.now.machine.count() != count;
                if has_ended_now && goal.wants_turn(&walk.now, false) {
                    return Ok(Drive::Turn);
                }
                if has_ended_now && walk.now.ensemble.is_some() {
                    // The goal may be here, before somebody has the next turn.
                    continue;
                }
                if let Some(drive) = give_next_turn(way)? {
                    return Ok(drive);
                }
                has_moved = true;
                if goal.wants_turn(&way.walk().now, true) {
                    return Ok(Drive::Turn);
                }
            }
        }
    }
}

/// Lets somebody else go on, in the middle of a turn; says whether there is somebody.
fn leave_turn(way: &mut impl Way) -> Result<bool, SessionError> {
    let now = &way.walk().now;
    let options = now.ensemble.as_ref().map(|ensemble| ensemble.options()).unwrap_or_default();
    match way.choose_next(&options)? {
        Some(next) => give_turn_to(way, next).map(|()| true),
        None => Ok(false),
    }
}

/// Lets somebody have the next turn.
fn give_turn_to(way: &mut impl Way, next: Next) -> Result<(), SessionError> {
    let count = way.walk().here().count;
    let now = &mut way.walk().now;
    let schedule = now.ensemble.as_ref().map(|ensemble| ensemble.schedule(next));
    now.take(next)?;
    schedule.into_iter().for_each(|schedule| way.has_taken(count, schedule));
    Ok(())
}

/// Lets somebody have the next turn, of whom nothing is recorded. Returns why to stop, if so.
fn give_next_turn(way: &mut impl Way) -> Result<Option<Drive>, SessionError> {
    let now = &way.walk().now;
    let outcome = match (now.aborted.clone(), now.rest()) {
        (Some(message), _) => Outcome::Aborted(message),
        (None, Rest::Choice(options)) => {
            let Some(next) = way.choose_next(&options)? else { return Ok(Some(Drive::Paused)) };
            return give_turn_to(way, next).map(|()| None);
        }
        (None, Rest::Finished | Rest::Busy) => Outcome::Finished,
        (None, Rest::Deadlocked(who)) => Outcome::Deadlocked(who),
        (None, Rest::Unanswered(who)) => Outcome::Unanswered(who),
        (None, Rest::Unhandled(what)) => Outcome::Unhandled(what),
    };
    Ok(Some(ended(way, outcome)))
}

fn ended(way: &mut impl Way, outcome: Outcome) -> Drive {
    way.ended(&outcome);
    Drive::Ended(outcome)
}

/// Goes on to a place; with `into_end`, to how the program ended, if that was there.
pub(crate) fn arrive(
    way: &mut impl Way,
    place: Place,
    into_end: bool,
    control: &mut dyn Control,
) -> Result<(), SessionError> {
    let Place { node, count } = place;
    let mut goal = Goal { count, node: Some(node), into_end, ..Goal::default() };
    match drive(way, &mut goal, &mut NoProbe, control)? {
        Drive::Reached => Ok(()),
        // The place may be the end itself.
        Drive::Ended(_) if way.walk().here() == place => Ok(()),
        _ => Err(SessionError::NoSuchPlace(place)),
    }
}

/// What was recorded before the next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Nothing, up to this count.
    None(u64),
    /// A choice, which has been made.
    Choice,
    /// The same, and a turn has begun.
    Turn,
}

/// Makes the recorded choice that comes before the next instruction, if there is one.
pub(crate) fn make_choice_between_instructions(
    way: &mut impl Way,
) -> Result<Between, SessionError> {
    let count = way.walk().here().count;
    let (site, slot, node) = match way.next() {
        None | Some((Choice { site: Site::Input { .. }, .. }, _)) => {
            return Ok(Between::None(u64::MAX));
        }
        Some((Choice { site: Site::Schedule(_), .. }, _)) if !way.follows_turns() => {
            return Ok(Between::None(u64::MAX));
        }
        Some((choice, node)) => match choice.count.cmp(&count) {
            Ordering::Greater => return Ok(Between::None(choice.count)),
            // The program has gone on without it.
            Ordering::Less => return Ok(Between::None(u64::MAX)),
            Ordering::Equal => (choice.site.clone(), choice.slot, node),
        },
    };
    let walk = way.walk();
    walk.apply(&site, slot)?;
    walk.node = node;
    Ok(match site {
        Site::Schedule(_) => Between::Turn,
        _ => Between::Choice,
    })
}

/// Answers the imported call that the machine is stopped at. Returns why to stop, if so.
fn answer_import(
    way: &mut impl Way,
    goal: &mut Goal<'_>,
    has_moved: bool,
    control: &mut dyn Control,
) -> Result<Option<Drive>, SessionError> {
    let Some((import, args)) = way.walk().now.machine.import_call() else {
        return Err(SessionError::Unknown("the machine waits for nothing".into()));
    };
    let call = Call { import, args: &args };
    if has_moved && goal.wants(&way.walk().now, call, None) {
        return Ok(Some(Drive::Primitive));
    }
    let count = way.walk().here().count;
    Ok(match answer(way, call, |way| way.choose(call, control))? {
        Answered::Read { answer, undo } => {
            let value = answer.value;
            way.has_read(Read { count, call, answer, undo })?;
            goal.wants(&way.walk().now, call, Some(value)).then_some(Drive::Primitive)
        }
        Answered::Unknown => Some(Drive::Asks),
        Answered::Performed { undo, effect } => {
            way.walk().has_performed(count, call, undo, effect);
            None
        }
        Answered::Aborted(message) => Some(ended(way, Outcome::Aborted(message))),
    })
}

/// How choices are made where a session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By mocks, else as recorded, else by the world.
    Live,
    /// By mocks, else as recorded, else as suggested, else by the world.
    AsSuggested,
    /// Not at all: whoever drives makes them.
    Told,
}

/// The way of a session that goes on: what is new becomes part of the tree.
struct Living<'a> {
    session: &'a mut Session,
    mode: Mode,
}

impl AsMut<Moment> for Living<'_> {
    fn as_mut(&mut self) -> &mut Moment {
        &mut self.session.walk.now
    }
}

impl Way for Living<'_> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.session.walk
    }

    fn multiverse(&self) -> &Multiverse {
        self.session.multiverse()
    }

    fn next(&self) -> Option<(Choice<'_>, NodeId)> {
        let next = self.session.multiverse().preferred(self.session.walk.node);
        next.filter(|_| self.mode != Mode::Told).map(|step| (step.choice, step.node))
    }

    fn rest(&mut self) -> u64 {
        let session = &mut *self.session;
        let interval = session.options().interval();
        if let Some((place, checkpoint)) = session.walk.keep_if_due(interval) {
            session.known.keep(place, checkpoint);
        }
        session.walk.due(interval)
    }

    fn choose(
        &mut self,
        call: Call<'_>,
        control: &mut dyn Control,
    ) -> Result<Option<Answer>, SessionError> {
        let session = &mut *self.session;
        let count = session.here().count;
        if self.mode == Mode::Told {
            let actual = format!("calls {}", session.walk.now.world.show(call));
            let recorded = "no further choice".into();
            return Err(SessionError::Diverged { count, recorded, actual });
        }
        if let Some(answer) = session.mocks().answer_for(&session.walk.now.world, call) {
            session.walk.now.world.check(call, &answer)?;
            let Session { settings, walk, .. } = session;
            settings.mocks_mut().used(&walk.now.world, call);
            return Ok(Some(answer));
        }
        if let Some(answer) = self.recorded(call) {
            return Ok(Some(answer));
        }
        let session = &mut *self.session;
        if self.mode == Mode::AsSuggested
            && let Some(slot) = session.suggested(call)
        {
            let value = Value::from_slot(result_of(session.module(), call.import), slot);
            let call = session.walk.now.world.show(call);
            session.say(count, format!("{call} = {value}, as suggested"));
            return Ok(Some(value.into()));
        }
        match session.sample(call, control)? {
            Sample::Answer(answer) => Ok(Some(answer)),
            Sample::Ask => Ok(None),
        }
    }

    fn has_read(&mut self, read: Read<'_>) -> Result<(), SessionError> {
        self.session.record(read)?;
        self.session.note_read()
    }

    fn choose_next(&mut self, options: &[Next]) -> Result<Option<Next>, SessionError> {
        let session = &*self.session;
        let Some(ensemble) = session.ensemble() else { return Ok(None) };
        if self.mode == Mode::Told {
            let recorded = "no further choice".into();
            let actual = "has come to the end of a turn".into();
            return Err(SessionError::Diverged { count: session.here().count, recorded, actual });
        }
        if let Some(next) = session.turns().wanted() {
            return Ok(Some(next));
        }
        let suggested = (self.mode == Mode::AsSuggested).then(|| session.suggested_turn());
        Ok(suggested.flatten().or_else(|| session.turns().usual(ensemble, options)))
    }

    fn has_taken(&mut self, count: u64, schedule: Schedule) {
        let session = &mut *self.session;
        if session.turns().wanted() == Some(schedule.next) {
            session.turns_mut().used();
        }
        session.record_turn(count, schedule);
    }

    fn is_to_wait(&self) -> bool {
        let (session, turns) = (&*self.session, self.session.turns());
        let current = session.ensemble().map(|ensemble| ensemble.current());
        let waits = |current| turns.paused().any(|paused| paused == current);
        self.mode != Mode::Told
            && current.is_some_and(waits)
            && session.walk.now.rest() == Rest::Busy
    }

    fn follows_turns(&self) -> bool {
        let turns = self.session.turns();
        let recorded = self.session.multiverse().preferred(self.session.walk.node);
        let waits = |task| turns.paused().any(|paused| paused == task);
        let is_to_wait = recorded.is_some_and(|step| match step.choice.site {
            Site::Schedule(schedule) => waits(schedule.next.task()),
            _ => false,
        });
        turns.wanted().is_none() && !is_to_wait
    }

    fn ended(&mut self, outcome: &Outcome) {
        let here = self.session.here();
        self.session.multiverse_mut().end(here.node, here.count, outcome.clone());
    }

    fn verdict_changes(&mut self, place: Place, which: usize, verdict: Verdict) {
        self.session.known.note_verdict(place, which, verdict);
    }

    fn is_to_stop(&self, news: &News) -> bool {
        self.session.is_to_react(news)
    }

    fn has_come(&mut self) {
        self.session.known.note_walked(self.session.walk.here());
    }

    fn look_up(&mut self, control: &mut dyn Control) {
        control.meanwhile(self.session);
    }
}

impl Session {
    /// Goes on until a goal is reached or something else is the matter.
    pub(crate) fn drive<P: Watcher>(
        &mut self,
        mode: Mode,
        goal: &mut Goal<'_>,
        probe: &mut P,
        control: &mut dyn Control,
    ) -> Result<Drive, SessionError> {
        // A scenario may have something to do wherever a slice moves.
        if goal.heed == Heed::Violations && !self.scenarios().is_empty() {
            goal.heed = Heed::Moves;
        }
        self.set_horizon(mode, goal);
        drive(&mut Living { session: self, mode }, goal, probe, control)
    }

    /// Goes on to a place without a choice; with `into_end`, to how the program ends there, if it
    /// is known to.
    pub(crate) fn go_on_to(
        &mut self,
        place: Place,
        into_end: bool,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        arrive(&mut Living { session: self, mode: Mode::Told }, place, into_end, control)
    }

    /// Somebody has the next turn: a choice, and the program has been there.
    pub(crate) fn record_turn(&mut self, count: u64, schedule: Schedule) {
        let (from, site) = (self.walk.node, Site::Schedule(schedule));
        let multiverse = self.multiverse_mut();
        let node = multiverse.follow_or_create(from, count, &site, 0);
        multiverse.visit(node);
        self.walk.node = node;
    }

    /// An input has answered: a choice, and the program has been there.
    pub(crate) fn record(&mut self, read: Read<'_>) -> Result<(), SessionError> {
        let port = self.walk.now.world.port(read.call.import)?;
        let (from, payload) = (self.walk.node, Payload::from(&read.answer));
        let multiverse = self.multiverse_mut();
        let site = multiverse.number_of_input(port, read.call.args);
        let node = multiverse.follow_or_create_numbered(from, read.count, site, &payload);
        multiverse.visit(node);
        self.walk.has_read(read, node);
        Ok(())
    }
}

/// What is decided when an input is read.
pub(crate) fn site_of(world: &World, call: Call<'_>) -> Result<Site, CallError> {
    let args = call.args.iter().map(|arg| arg.to_slot()).collect();
    Ok(Site::Input { port: world.port(call.import)?, args })
}

/// The type of what an imported function returns.
pub(crate) fn result_of(module: &Module, import: u32) -> ValType {
    module.result_type(import).unwrap_or(ValType::I32)
}

impl From<Drive> for Halt {
    fn from(drive: Drive) -> Self {
        match drive {
            Drive::Ended(outcome) => Halt::Ended(outcome),
            Drive::Asks => Halt::Asks,
            Drive::Paused => Halt::Paused,
            Drive::News => Halt::Violated,
            _ => Halt::Reached,
        }
    }
}
