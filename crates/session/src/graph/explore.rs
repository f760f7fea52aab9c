//! Exploring all universes, whatever comes of them.

use std::collections::{BTreeSet, HashMap, VecDeque};

use mw_ensemble::{Answered, Checkpoint, Moment, Next, Rest};
use mw_multiverse::{Outcome, Payload, Place, Site};
use mw_vm::{NoProbe, Status, Stop, ValType, Value};
use mw_world::{Answer, Call, Domain, Kind, Sample};

use super::canonical::Raw;
use super::{
    Graph, GraphChoice, GraphOptions, Halting, Order, StateKind, Unexplored, VALUES, canonical,
};
use crate::admit::Judge;
use crate::control::{Control, Progress};
use crate::drive::{result_of, site_of};
use crate::error::SessionError;
use crate::mocks::{MockId, Mocks};
use crate::session::Session;
use crate::step::Stops;

/// Instructions between looking up from the work: a few milliseconds.
const SLICE: u64 = 4_000_000;

/// So many states are explored before whoever waits is told.
const TELL: usize = 64;

/// What tells states apart: machines and worlds, which mocks are left that are good for one call,
/// and how it ended, as far as that is not in these.
type Key = ((u128, u128), Vec<MockId>, Option<String>);

/// Somebody on the way from one state to the next.
struct Going {
    now: Moment,
    mocks: Mocks,
}

/// Where somebody has come to.
struct Arrived {
    going: Going,
    kind: StateKind,
    halted: Vec<Halting>,
    /// Why it goes no further, whoever comes here.
    stuck: Option<Unexplored>,
}

/// Why something was left in the middle.
enum Left {
    Cancelled,
}

/// A way on that has been gone.
struct Gone {
    choice: Option<GraphChoice>,
    length: u64,
    arrived: Arrived,
}

struct Survey<'a> {
    options: &'a GraphOptions,
    stops: Stops,
    judge: Judge<'a>,
    control: &'a mut dyn Control,
    states: Vec<Raw>,
    mocks: Vec<Mocks>,
    moments: Vec<Checkpoint>,
    known: HashMap<Key, usize>,
    /// How many choices from each state on are wanted.
    left: Vec<u32>,
    waiting: VecDeque<usize>,
    left_out: BTreeSet<String>,
    executed: u64,
    random: u64,
}

impl Session {
    /// The graph of all universes from a place on. See the [module](super). Inputs with few values
    /// have each of them, others what mocks say or what they return by themselves; who is to wait
    /// does not matter.
    pub fn graph(
        &mut self,
        from: Place,
        options: &GraphOptions,
        control: &mut dyn Control,
    ) -> Result<Graph, SessionError> {
        let now = match from == self.here() {
            true => self.walk.now.fork(),
            false => self.look_at(from, control, |now| now.fork())?,
        };
        let mut stops = self.stops([]);
        let mut left_out = BTreeSet::new();
        match options.halts.breakpoints {
            true if !stops.watches.is_empty() => {
                left_out.insert("what is watched: a graph has no such stops".to_owned());
            }
            true => {}
            false => stops = Stops::none(),
        }
        let mut survey = Survey {
            options,
            stops,
            judge: self.judge(),
            control,
            states: Vec::new(),
            mocks: Vec::new(),
            moments: Vec::new(),
            known: HashMap::new(),
            left: Vec::new(),
            waiting: VecDeque::new(),
            left_out,
            executed: 0,
            random: match options.order {
                Order::Any(seed) => seed | 1,
                _ => 1,
            },
        };
        let going = Going { now, mocks: self.mocks().clone() };
        let first = survey.standing(going);
        let first = survey.add(first, options.depth.unwrap_or(u32::MAX));
        survey.states[first].is_first = true;
        let stopped = survey.explore();
        let Survey { states, moments, left_out, executed, judge, .. } = survey;
        let said = judge.said;
        let (states, order) = canonical::number(states, &moments);
        let mut moments: Vec<Option<Checkpoint>> = moments.into_iter().map(Some).collect();
        let moments = order.iter().filter_map(|&at| moments[at].take()).collect();
        self.say_all(said);
        Ok(Graph { from, states, left_out, stopped, executed, moments })
    }
}

impl Survey<'_> {
    /// Explores until nothing waits, or says why it did not.
    fn explore(&mut self) -> Option<Unexplored> {
        let mut explored = 0;
        let why = loop {
            let Some(at) = self.next() else { break None };
            let why = match self.states.len() >= self.options.states {
                true => Some(Unexplored::States),
                false if self.control.is_cancelled() => Some(Unexplored::Cancelled),
                false => self.expand(at).err().map(|Left::Cancelled| Unexplored::Cancelled),
            };
            if why.is_some() {
                self.waiting.push_back(at);
                for at in std::mem::take(&mut self.waiting) {
                    self.states[at].open = why.clone();
                }
                break why;
            }
            explored += 1;
            if explored % TELL == 0 {
                let goal = Some(self.options.states as u64);
                self.control.progress(Progress { count: self.states.len() as u64, goal });
            }
        };
        for state in self.states.iter_mut().filter(|state| !state.is_explored) {
            if state.open.is_none() && !matches!(state.kind, StateKind::Ended(_)) {
                state.open = Some(Unexplored::Halted);
            }
        }
        why
    }

    /// The state that is explored next.
    fn next(&mut self) -> Option<usize> {
        match self.options.order {
            Order::First => self.waiting.pop_front(),
            Order::Last => self.waiting.pop_back(),
            Order::Any(_) => {
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                let at = self.random.checked_rem(self.waiting.len() as u64)?;
                self.waiting.swap_remove_back(at as usize)
            }
        }
    }

    /// A state, which may be known, and from which on so many choices are wanted.
    fn add(&mut self, arrived: Arrived, left: u32) -> usize {
        let Arrived { mut going, kind, halted, stuck } = arrived;
        let hash = going.now.hash();
        let once = going.mocks.iter().filter(|(_, mock)| mock.once).map(|(id, _)| id).collect();
        let aborted = match &kind {
            StateKind::Ended(Outcome::Aborted(message)) => Some(message.clone()),
            _ => None,
        };
        let mut expanded = self.options.expanded.iter().filter(|(of, _)| *of == hash);
        let expanded = expanded.next_back().map(|(_, depth)| *depth);
        let stays = stuck.is_some()
            || matches!(kind, StateKind::Ended(_))
            || self.options.halts.stay && !halted.is_empty() && expanded.is_none();
        let key: Key = (hash, once, aborted);
        let at = match self.known.get(&key) {
            Some(&at) => {
                let known = &mut self.states[at];
                known.halted.extend(halted);
                known.halted.sort();
                known.halted.dedup();
                at
            }
            None => {
                let at = self.states.len();
                self.known.insert(key, at);
                let begins = going.now.machine.count();
                self.states.push(Raw::new(kind, halted, stuck, hash, begins));
                self.moments.push(going.now.keep());
                self.mocks.push(going.mocks);
                self.left.push(0);
                at
            }
        };
        if !stays && !self.states[at].is_explored && self.states[at].open.is_none() {
            // Somebody has come here who is not stopped.
            self.states[at].open = Some(Unexplored::Depth);
        }
        self.want(at, left.max(expanded.unwrap_or(0)));
        at
    }

    /// So many choices are wanted from a state on, and fewer from those that it leads to.
    fn want(&mut self, at: usize, left: u32) {
        let mut wanted = vec![(at, left)];
        while let Some((at, left)) = wanted.pop() {
            let state = &mut self.states[at];
            if left > 0 && state.open == Some(Unexplored::Depth) {
                (state.open, state.is_explored) = (None, true);
                self.waiting.push_back(at);
            }
            if left > self.left[at] {
                self.left[at] = left;
                let edges = self.states[at].edges.iter();
                wanted.extend(edges.map(|(choice, _, to)| (*to, left_after(choice, left))));
            }
        }
    }

    /// Follows all ways on from a state.
    fn expand(&mut self, at: usize) -> Result<(), Left> {
        let mut gone = Vec::new();
        let (now, mocks) = (self.moments[at].moment(), self.mocks[at].clone());
        let begins = now.machine.count();
        let kind = self.states[at].kind.clone();
        match kind {
            StateKind::Ended(_) => {}
            StateKind::Going => {
                let is_passed = self.states[at].is_first || !self.states[at].halted.is_empty();
                let arrived = self.go_on(Going { now, mocks }, is_passed)?;
                let is_same = arrived.going.now.machine.count() == begins
                    && matches!(arrived.kind, StateKind::Going | StateKind::Input(_));
                if is_same {
                    return self.stand(at, arrived);
                }
                gone.push((None, begins, arrived));
            }
            StateKind::Turn => {
                let Some(ensemble) = &now.ensemble else { return Ok(()) };
                for next in ensemble.options() {
                    let (now, mocks) = (self.moments[at].moment(), self.mocks[at].clone());
                    let arrived = self.take(Going { now, mocks }, next)?;
                    let schedule = ensemble.schedule(next);
                    let (label, payload) = (schedule.label.clone(), Payload::default());
                    let choice = GraphChoice { site: Site::Schedule(schedule), payload, label };
                    gone.push((Some(choice), begins, arrived));
                }
            }
            StateKind::Input(_) => {
                if self.states[at].open.is_some() {
                    return Ok(());
                }
                let answers = match self.answers(&now, &mocks) {
                    Ok(answers) => answers,
                    Err(why) => {
                        self.states[at].open = Some(why);
                        return Ok(());
                    }
                };
                for answer in answers {
                    let (now, mocks) = (self.moments[at].moment(), self.mocks[at].clone());
                    match self.read(Going { now, mocks }, answer) {
                        Ok((choice, arrived)) => gone.push((Some(choice), begins, arrived)),
                        Err(why) => self.states[at].open = Some(why),
                    }
                }
            }
        }
        for (choice, begins, arrived) in gone {
            let length = arrived.going.now.machine.count() - begins;
            self.executed += length;
            self.link(at, Gone { choice, length, arrived });
        }
        Ok(())
    }

    /// What is next in a state from which nobody had to go on to see it.
    fn stand(&mut self, at: usize, mut arrived: Arrived) -> Result<(), Left> {
        let state = &mut self.states[at];
        // The machine knows by now which call it is stopped at.
        self.moments[at] = arrived.going.now.keep();
        state.kind = arrived.kind;
        state.halted.extend(&arrived.halted);
        if arrived.stuck.is_some() {
            state.open = arrived.stuck;
            return Ok(());
        }
        if self.options.halts.stay && !arrived.halted.is_empty() {
            state.open = Some(Unexplored::Halted);
            return Ok(());
        }
        self.expand(at)
    }

    fn link(&mut self, at: usize, gone: Gone) {
        let Gone { choice, length, arrived } = gone;
        let to = self.add(arrived, left_after(&choice, self.left[at]));
        self.states[at].edges.push((choice, length, to));
    }

    /// Where somebody stands who has not gone on yet.
    fn standing(&mut self, going: Going) -> Arrived {
        let kind = match (going.now.machine.status(), &going.now.aborted) {
            (Status::Trapped(_), Some(message)) | (Status::Idle, Some(message)) => {
                StateKind::Ended(Outcome::Aborted(message.clone()))
            }
            (Status::Trapped(kind), None) => StateKind::Ended(Outcome::Trapped(kind)),
            (Status::Idle, None) => at_rest(&going.now),
            (Status::Running | Status::Importing(_), _) => StateKind::Going,
        };
        self.note_left_out(&going.now);
        Arrived { going, kind, halted: Vec::new(), stuck: None }
    }

    /// Somebody has the next turn, and has it to its end.
    fn take(&mut self, mut going: Going, next: Next) -> Result<Arrived, Left> {
        // It is one of the options.
        let _ = going.now.take(next);
        let begins = !matches!(going.now.machine.status(), Status::Idle);
        let halted = if begins { self.halts_at_turn(&going.now, true) } else { Vec::new() };
        match halted.is_empty() && begins {
            true => self.go_on(going, false),
            false => Ok(Arrived { halted, ..self.standing(going) }),
        }
    }

    /// What stops a universe where a turn has just begun, or ended.
    fn halts_at_turn(&mut self, now: &Moment, begins: bool) -> Vec<Halting> {
        let hits = self.stops.at_turn(now, begins);
        let hits = self.judge.holding(now, hits);
        let mut halted: Vec<_> = hits.into_iter().map(Halting::Breakpoint).collect();
        let ensemble = now.ensemble.as_deref().filter(|_| begins);
        let name = ensemble.map(|ensemble| ensemble.name(ensemble.current()));
        if name.is_some() && name.as_deref() == self.options.halts.turn_of.as_deref() {
            halted.insert(0, Halting::Turn);
        }
        halted
    }

    /// What an input may return.
    fn answers(&mut self, now: &Moment, mocks: &Mocks) -> Result<Vec<Answer>, Unexplored> {
        let Some((import, args)) = now.machine.import_call() else { return Ok(Vec::new()) };
        let (call, world) = (Call { import, args: &args }, &now.world);
        if let Some(answer) = mocks.answer_for(world, call) {
            self.left_out.insert(format!("other values of {}, which is mocked", world.show(call)));
            return Ok(vec![answer]);
        }
        let domain = world.domain(call).map_err(|e| Unexplored::Failed(e.to_string()))?;
        if world.fills_buffer(import) {
            self.left_out.insert(format!("what {} brings", world.show(call)));
        }
        if let (Domain::Integers(values), true) = (&*domain, domain.count() <= VALUES) {
            let ty = result_of(now.machine.module(), import);
            let values = values.ranges().iter().flat_map(|range| range.low..=range.high);
            return Ok(values.map(|value| Answer::from(integer(value, ty))).collect());
        }
        match world.sample(call).map_err(|e| Unexplored::Failed(e.to_string()))? {
            Sample::Answer(answer) => {
                if domain.count() > 1 {
                    let call = world.show(call);
                    self.left_out.insert(format!("other values of {call}, which has {domain}"));
                }
                Ok(vec![answer])
            }
            Sample::Ask => Err(Unexplored::Asks(world.show(call))),
        }
    }

    /// An input is read.
    fn read(
        &mut self,
        mut going: Going,
        answer: Answer,
    ) -> Result<(GraphChoice, Arrived), Unexplored> {
        let failed = |error: &dyn std::fmt::Display| Unexplored::Failed(error.to_string());
        let Some((import, args)) = going.now.machine.import_call() else {
            return Err(failed(&"the machine waits for nothing"));
        };
        let call = Call { import, args: &args };
        let site = site_of(&going.now.world, call).map_err(|error| failed(&error))?;
        let value = match going.now.world.domain(call) {
            Ok(domain) if answer.bytes.is_none() => domain.show(answer.value),
            _ => answer.to_string(),
        };
        let label = format!("{} = {value}", going.now.world.show(call));
        let choice = GraphChoice { site, payload: Payload::from(&answer), label };
        going.mocks.used(&going.now.world, call);
        let value = answer.value;
        going.now.read(call, answer).map_err(|error| failed(&error))?;
        let hits = self.stops.matching(&going.now, call, Some(value));
        let hits = self.judge.holding(&going.now, hits);
        let mut halted: Vec<_> = hits.into_iter().map(Halting::Breakpoint).collect();
        if let Status::Idle = going.now.machine.status() {
            halted.extend(self.halts_at_turn(&going.now, false));
        }
        Ok((choice, Arrived { halted, ..self.standing(going) }))
    }

    /// Goes on to where something is decided, or to where there is a reason to stop. One that is where
    /// somebody stands may be of no concern.
    fn go_on(&mut self, mut going: Going, is_passed: bool) -> Result<Arrived, Left> {
        let begins = going.now.machine.count();
        let mut is_passed = is_passed;
        loop {
            let now = &mut going.now;
            let count = now.machine.count();
            is_passed &= count == begins;
            let breakpoints = self.stops.code.of(&now.machine);
            let is_at = breakpoints.contains(now.machine.pc());
            if !is_passed && is_at && matches!(now.machine.status(), Status::Running) {
                let hits = self.judge.hits_here(now, &self.stops);
                if !hits.is_empty() {
                    return Ok(self.halt(going, hits));
                }
            }
            let stop = now.run(SLICE, breakpoints, &mut NoProbe);
            is_passed &= now.machine.count() == begins;
            match stop {
                Stop::Budget | Stop::Probe => {
                    if self.control.is_cancelled() {
                        return Err(Left::Cancelled);
                    }
                    if now.machine.count() - begins >= self.options.instructions {
                        let stuck = Some(Unexplored::Instructions);
                        return Ok(Arrived { stuck, ..self.standing(going) });
                    }
                }
                Stop::Breakpoint => {}
                Stop::Import(import) => {
                    let args = now.machine.import_call().map(|(_, args)| args).unwrap_or_default();
                    let call = Call { import, args: &args };
                    let hits = self.stops.matching(now, call, None);
                    let hits = self.judge.holding(now, hits);
                    if !is_passed && !hits.is_empty() {
                        return Ok(self.halt(going, hits));
                    }
                    match now.world.kind(import) {
                        Ok(Kind::Input) => {
                            let kind = StateKind::Input(now.world.show(call));
                            return Ok(Arrived { kind, ..self.standing(going) });
                        }
                        Ok(_) => {}
                        Err(error) => return Ok(self.fail(going, &error)),
                    }
                    match now.perform(call) {
                        Ok(Answered::Aborted(_)) => return Ok(self.standing(going)),
                        Ok(_) => {}
                        Err(error) => return Ok(self.fail(going, &error)),
                    }
                }
                Stop::Trap(_) => return Ok(self.standing(going)),
                Stop::Finished => {
                    let halted = self.halts_at_turn(&going.now, false);
                    return Ok(Arrived { halted, ..self.standing(going) });
                }
            }
        }
    }

    fn halt(&mut self, going: Going, hits: Vec<crate::BreakpointId>) -> Arrived {
        let halted = hits.into_iter().map(Halting::Breakpoint).collect();
        Arrived { halted, ..self.standing(going) }
    }

    fn fail(&mut self, going: Going, error: &dyn std::fmt::Display) -> Arrived {
        let stuck = Some(Unexplored::Failed(error.to_string()));
        Arrived { stuck, ..self.standing(going) }
    }

    /// Notes what the world would do by itself.
    fn note_left_out(&mut self, now: &Moment) {
        if now.world.awaits_interrupts() && !self.left_out.contains("interrupts") {
            self.left_out.insert("interrupts".into());
        }
        if now.world.awaits_messages() && !self.left_out.contains("messages") {
            self.left_out.insert("messages".into());
        }
    }
}

/// How many choices are wanted after one, or after going on by itself.
fn left_after(choice: &Option<GraphChoice>, left: u32) -> u32 {
    match left {
        u32::MAX => left,
        _ => left.saturating_sub(u32::from(choice.is_some())),
    }
}

/// An integer as a value of a type.
fn integer(value: i64, ty: ValType) -> Value {
    match ty {
        ValType::I64 => Value::I64(value),
        _ => Value::I32(value as i32),
    }
}

/// What comes after a moment at which nobody has a turn.
fn at_rest(now: &Moment) -> StateKind {
    StateKind::Ended(match now.rest() {
        Rest::Choice(_) => return StateKind::Turn,
        Rest::Finished | Rest::Busy => Outcome::Finished,
        Rest::Deadlocked(who) => Outcome::Deadlocked(who),
        Rest::Unanswered(who) => Outcome::Unanswered(who),
        Rest::Unhandled(what) => Outcome::Unhandled(what),
    })
}
