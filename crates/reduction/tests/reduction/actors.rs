//! A small message-passing system to explore: actors with scripts, shared cells, inputs.

use std::collections::{BTreeMap, BTreeSet};

use mw_reduction::{Exploration, Footprint, Happened, Performed, Reduction, Stopped, System};

/// What an actor does with a message, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Changes the actor's own number.
    Change(u8),
    /// Sends a message of this kind.
    Send(usize, usize),
    /// Adds a shared cell to the actor's own number.
    Read(usize),
    /// Writes the actor's own number into a shared cell.
    Write(usize),
    /// Looks at a shared cell and leaves out the next operation if it is odd.
    Peek(usize),
    /// Leaves out the next operation if the actor's own number is odd.
    SkipIfOdd,
    /// An input with two values of its own: leaves out the next operation, or not.
    Coin,
    /// An input that has the same of two values wherever it is read.
    Common(usize),
    /// Ends everything.
    End,
}

/// Message by sender, receiver and number, between these two.
pub type Message = (usize, usize, usize);

#[derive(Clone, Debug, Default)]
pub struct Actors {
    /// What each actor does, by the kind of a message.
    pub scripts: Vec<Vec<Vec<Op>>>,
    /// Messages at the beginning: sender, receiver, kind.
    pub initial: Vec<(usize, usize, usize)>,
    /// In which order messages are offered.
    pub order: u64,
    /// Stops now and then, if this is not zero.
    pub stops: u64,
    /// Ends after so many events, if this is not zero.
    pub bound: usize,
    /// How many acts were performed.
    pub performed: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    numbers: BTreeMap<usize, u8>,
    cells: BTreeMap<usize, u8>,
    commons: BTreeMap<usize, bool>,
    /// Kinds of messages under way, with the number of the first one.
    channels: BTreeMap<(usize, usize), (usize, Vec<usize>)>,
    ended: bool,
    events: usize,
}

impl State {
    fn send(&mut self, from: usize, to: usize, kind: usize) -> Message {
        let (first, kinds) = self.channels.entry((from, to)).or_default();
        kinds.push(kind);
        (from, to, *first + kinds.len() - 1)
    }
}

fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (x ^ x >> 29).wrapping_mul(0x94D0_49BB_1331_11EB) ^ x >> 32
}

fn token(tag: u64, (from, to, number): Message) -> u64 {
    tag << 48 | (from as u64) << 32 | (to as u64) << 16 | number as u64
}

impl Actors {
    pub fn start(&self) -> State {
        let mut state = State::default();
        for &(from, to, kind) in &self.initial {
            state.send(from, to, kind);
        }
        state
    }

    /// Goes through a script; where an input decides, both ways.
    fn run(&self, state: State, message: Message, kind: usize) -> Vec<Performed<State>> {
        let (from, me, number) = message;
        let mut footprint = Footprint { reads: vec![token(1, (0, me, 0))], ..Default::default() };
        footprint.needs.push(token(3, message));
        footprint.makes.push(token(4, message));
        if number > 0 {
            footprint.needs.push(token(4, (from, me, number - 1)));
        }
        let script = self.scripts.get(me).and_then(|kinds| kinds.get(kind));
        let ops: &[Op] = script.map_or(&[], |ops| ops);
        let performed = Performed { outcome: 1, state, footprint, ends: false };
        let mut paths = vec![(performed, 0)];
        let mut done = Vec::new();
        while let Some((mut path, mut at)) = paths.pop() {
            let own = token(1, (0, me, 0));
            let mut is_waiting = true;
            while let Some(&op) = ops.get(at).filter(|_| is_waiting) {
                at += 1;
                let state = &mut path.state;
                let Footprint { reads, writes, makes, .. } = &mut path.footprint;
                let number = state.numbers.entry(me).or_default();
                match op {
                    Op::Change(by) => {
                        *number = number.wrapping_mul(3).wrapping_add(by);
                        writes.push(own);
                    }
                    Op::Send(to, kind) => {
                        writes.push(own);
                        makes.push(token(3, state.send(me, to, kind)));
                    }
                    Op::Read(cell) => {
                        *number = number.wrapping_add(*state.cells.entry(cell).or_default());
                        writes.push(own);
                        reads.push(token(2, (0, cell, 0)));
                    }
                    Op::Write(cell) => {
                        state.cells.insert(cell, number.wrapping_add(1));
                        writes.push(token(2, (0, cell, 0)));
                    }
                    Op::Peek(cell) => {
                        reads.push(token(2, (0, cell, 0)));
                        at += usize::from(state.cells.entry(cell).or_default().is_multiple_of(2));
                    }
                    Op::SkipIfOdd => at += usize::from(*number % 2 == 1),
                    Op::Coin => {
                        writes.push(own);
                        let mut other = path.clone();
                        other.outcome = other.outcome * 2 + 1;
                        paths.push((other, at + 1));
                        path.outcome *= 2;
                    }
                    Op::Common(input) => {
                        let known = state.commons.get(&input).copied();
                        for value in [false, true] {
                            if known.is_none_or(|known| known == value) {
                                let mut path = path.clone();
                                path.state.commons.insert(input, value);
                                path.outcome = path.outcome * 2 + u64::from(value);
                                paths.push((path, at + usize::from(value)));
                            }
                        }
                        is_waiting = false;
                    }
                    Op::End => {
                        path.ends = true;
                        path.state.ended = true;
                        at = ops.len();
                    }
                }
            }
            if is_waiting {
                done.push(path);
            }
        }
        done
    }
}

impl System for Actors {
    type State = State;
    type Act = Message;

    fn fork(&mut self, state: &mut State) -> State {
        state.clone()
    }

    fn enabled(&mut self, state: &mut State) -> Vec<Message> {
        let waiting = state.channels.iter().filter(|(_, (_, kinds))| !kinds.is_empty());
        let mut acts: Vec<_> =
            waiting.map(|(&(from, to), &(first, _))| (from, to, first)).collect();
        let order = self.order;
        acts.sort_by_key(|&act| mix(order.wrapping_mul(token(0, act))));
        acts
    }

    fn perform(
        &mut self,
        mut state: State,
        act: &Message,
    ) -> Result<Vec<Performed<State>>, Stopped> {
        self.performed += 1;
        assert!(self.performed < 300_000, "this goes on and on");
        if self.stops != 0 && mix(self.performed ^ self.stops).is_multiple_of(3) {
            return Err(Stopped);
        }
        let Some((first, kinds)) = state.channels.get_mut(&(act.0, act.1)) else {
            return Ok(Vec::new());
        };
        assert!(act.2 == *first && !kinds.is_empty(), "{act:?} is not enabled");
        let kind = kinds.remove(0);
        *first += 1;
        state.events += 1;
        let is_bound = state.events == self.bound;
        let mut results = self.run(state, *act, kind);
        results.iter_mut().for_each(|result| result.ends |= is_bound);
        Ok(results)
    }
}

/// Foata's normal form: what can happen at once, then what can happen at once after that, and so
/// on. Equal for equivalent executions, and only for those.
pub type Foata = Vec<BTreeSet<(Message, u64)>>;

pub fn foata(events: &[Happened<Message>]) -> Foata {
    let mut levels: Vec<usize> = Vec::new();
    let mut form = Foata::new();
    for (index, Happened { event, .. }) in events.iter().enumerate() {
        let mine = &event.footprint;
        let is_before = |earlier: &usize| {
            let before = &events[*earlier].event;
            let theirs = &before.footprint;
            let meet = |a: &[u64], b: &[u64]| a.iter().any(|x| b.contains(x));
            event.ends
                || before.ends
                || meet(&mine.writes, &theirs.writes)
                || meet(&mine.reads, &theirs.writes)
                || meet(&mine.writes, &theirs.reads)
                || meet(&mine.needs, &theirs.makes)
        };
        let before = (0..index).filter(is_before);
        let level = before.map(|earlier| levels[earlier] + 1).max().unwrap_or(0);
        levels.push(level);
        form.resize_with(form.len().max(level + 1), BTreeSet::new);
        form[level].insert((event.act, event.outcome));
    }
    form
}

/// All that an exploration finds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How often each class was found, with its hash.
    pub classes: BTreeMap<Foata, (u128, u64)>,
    pub ends: BTreeSet<State>,
    pub blocked: u64,
    pub executions: u64,
}

/// Explores everything; nothing if that is more than so many executions.
pub fn explore(mut system: Actors, reduction: Reduction, limit: u64) -> Option<Found> {
    let mut exploration = Exploration::new(system.start()).with(reduction);
    let mut found = Found::default();
    loop {
        match exploration.next(&mut system) {
            Err(Stopped) => continue,
            Ok(None) => break,
            Ok(Some(execution)) => {
                let class = (execution.class(), 0);
                let entry = found.classes.entry(foata(execution.events())).or_insert(class);
                assert_eq!(entry.0, class.0, "one class with two hashes");
                entry.1 += 1;
                found.ends.insert(execution.state().clone());
            }
        }
        if exploration.statistics().executions > limit {
            return None;
        }
    }
    let statistics = exploration.statistics();
    found.blocked = statistics.blocked;
    found.executions = statistics.executions;
    assert_eq!((statistics.unrepeatable, statistics.disabled), (0, 0));
    let hashes: BTreeSet<u128> = found.classes.values().map(|(hash, _)| *hash).collect();
    assert_eq!(hashes.len(), found.classes.len(), "two classes with one hash");
    Some(found)
}
