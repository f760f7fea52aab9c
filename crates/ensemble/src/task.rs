//! A task: a machine that can be scheduled, what has been sent to it, and what it waits for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, OnceLock};

use mw_vm::{Frozen, Machine};
use mw_world::{Event, Heap};
use serde::{Deserialize, Serialize};

/// The address of a task.
///
/// It follows from who made the task and how many that one had made before, so that it is the same
/// in whatever order the others took their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskId(pub u32);

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a task is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It has had no turn yet, and what it begins with comes before all else.
    Fresh,
    /// It waits for a message.
    Idle,
    /// A turn is under way.
    Busy,
    /// It takes no further turns: it has said so.
    Stopped,
    /// It takes no further turns: its program has failed.
    Failed,
}

/// A message on its way, or being handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sent it.
    pub from: TaskId,
    /// How many messages that one had sent before: with the sender, what tells it from others.
    pub number: u64,
    /// Its name, which says who handles it.
    pub name: Arc<str>,
    /// What is in it.
    pub bytes: Arc<[u8]>,
    /// The future that is resolved by handling it.
    pub answers: Option<FutureId>,
    /// The future of the receiver's own whose end it tells.
    pub settles: Option<FutureId>,
}

/// A future: whose it is, and which of those that one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FutureId {
    /// Who sent the message that it is the answer to.
    pub owner: TaskId,
    /// Its number there, which is used again when it has been settled and told.
    pub slot: u32,
    /// How often that one had crashed by then: whoever begins anew waits for nothing.
    pub life: u32,
}

/// A future of a task's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Future {
    /// There is none of this number.
    Free,
    /// Nobody has answered yet.
    Open { when: Option<Interest>, rescue: Option<Interest>, name: Arc<str> },
    /// It was answered, and nobody has wanted to know yet.
    Settled(Settlement),
    /// It was answered, and a message says so.
    Told,
}

/// How a future ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settlement {
    /// Whether it was resolved; it was ruined otherwise.
    pub is_resolved: bool,
    /// The value, or the reason.
    pub bytes: Arc<[u8]>,
}

/// Somebody wants to be told of the end of a future.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Interest {
    /// By a message of this name.
    pub name: Arc<str>,
    /// What is in it after the value.
    pub data: Arc<[u8]>,
}

/// What a task begins with, also after a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// Nothing: it waits for messages.
    None,
    /// This function is called.
    Start(u32),
    /// This message is handled.
    Init(Arc<Message>),
}

/// A machine that waits for its turn. Forks share it.
#[derive(Debug)]
pub(crate) struct Parked {
    pub machine: Frozen,
    hash: OnceLock<u128>,
}

impl Parked {
    pub fn new(machine: Frozen) -> Parked {
        Parked { machine, hash: OnceLock::new() }
    }

    pub fn hash(&self) -> u128 {
        *self.hash.get_or_init(|| self.machine.thaw().hash())
    }
}

/// A task. See the [module](self).
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is called: its kind, its number if it is not the first of that kind, and after a
    /// slash who made it, unless that is the program itself.
    pub name: Arc<str>,
    /// What its handlers begin with; empty for none.
    pub kind: Arc<str>,
    /// The program that it runs, by its position in the system.
    pub program: u16,
    /// The world that it is in, by its position in the system.
    pub device: u16,
    /// What it is about to do.
    pub standing: Standing,
    /// The message of the turn under way, or of the last one.
    pub message: Option<Arc<Message>>,
    /// What has been sent to it and not been handled, by sender, oldest first.
    pub inbox: BTreeMap<TaskId, VecDeque<Arc<Message>>>,
    pub(crate) futures: Vec<Future>,
    /// Answers that it keeps open.
    pub(crate) answers: Vec<Option<FutureId>>,
    /// Whether the answer of the turn under way stays open.
    pub(crate) defers: bool,
    pub(crate) stops: bool,
    pub(crate) beginning: Beginning,
    /// How often it has crashed.
    pub(crate) life: u32,
    /// How many tasks it has made, by kind and in all, and how many messages it has sent.
    pub(crate) spawned: u32,
    pub(crate) kinds: BTreeMap<Arc<str>, u32>,
    pub(crate) sent: u64,
    /// How many turns it has begun.
    pub turns: u64,
    /// The interrupts that it has asked for at some time. Those that its world still lets through
    /// call its functions, and nobody else's.
    pub asked_for: BTreeSet<Event>,
    /// The last message that was taken from each sender, and the one before.
    pub(crate) handled: BTreeMap<TaskId, (u64, Option<u64>)>,
    /// Its machine, unless it is the one that runs.
    pub(crate) parked: Option<Arc<Parked>>,
    /// The blocks of its memory that it has announced. Those of the one that runs are in its world,
    /// where the symbolic imports look for them.
    pub(crate) heap: Heap,
}

impl Task {
    pub(crate) fn new(name: Arc<str>, kind: Arc<str>, program: u16, device: u16) -> Task {
        Task {
            name,
            kind,
            program,
            device,
            standing: Standing::Idle,
            message: None,
            inbox: BTreeMap::new(),
            futures: Vec::new(),
            answers: Vec::new(),
            defers: false,
            stops: false,
            beginning: Beginning::None,
            life: 0,
            spawned: 0,
            kinds: BTreeMap::new(),
            sent: 0,
            turns: 0,
            asked_for: BTreeSet::new(),
            handled: BTreeMap::new(),
            parked: None,
            heap: Heap::default(),
        }
    }

    /// How many messages wait to be handled.
    pub fn waiting(&self) -> usize {
        self.inbox.values().map(VecDeque::len).sum()
    }

    /// Its machine, unless it is the one that runs.
    pub fn machine(&self) -> Option<&Machine> {
        self.parked.as_ref().map(|parked| &*parked.machine)
    }

    /// The message from a sender that was taken before the last one.
    pub fn handled_before(&self, from: TaskId) -> Option<u64> {
        self.handled.get(&from)?.1
    }

    /// Whether it begins with something that comes before all messages.
    pub fn has_beginning(&self) -> bool {
        self.beginning != Beginning::None
    }

    /// What it waits for: the names of the messages that it wants to know the answers of.
    pub fn awaits(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..).zip(&self.futures).filter_map(|(slot, future)| match future {
            Future::Open { when, rescue, name } if when.is_some() || rescue.is_some() => {
                Some((slot, &**name))
            }
            _ => None,
        })
    }

    /// The first number that is free.
    pub(crate) fn new_future(&mut self, name: &Arc<str>) -> u32 {
        let future = Future::Open { when: None, rescue: None, name: name.clone() };
        put(&mut self.futures, |future| *future == Future::Free, future)
    }

    /// The first number of an answer that is free.
    pub(crate) fn keep_open(&mut self, answer: FutureId) -> u32 {
        put(&mut self.answers, Option::is_none, Some(answer))
    }
}

/// Puts something where the first free place is; its number.
fn put<T>(places: &mut Vec<T>, is_free: impl Fn(&T) -> bool, thing: T) -> u32 {
    match places.iter().position(is_free) {
        Some(slot) => {
            places[slot] = thing;
            slot as u32
        }
        None => {
            places.push(thing);
            places.len() as u32 - 1
        }
    }
}
