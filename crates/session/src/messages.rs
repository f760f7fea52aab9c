//! Breakpoints on messages: seed 002's points of interest of one message.
//!
//! - It is about to be sent.
//! - Its turn has come.
//! - Its answer has been given.
//! - The turn of the message that tells the answer has come.
//!
//! And, for whoever steps by messages, it has been handled.

use mw_ensemble::{Ensemble, FutureId, Message, Moment, TaskId};
use mw_vm::{Machine, Value};
use mw_world::{Call, TaskCall, World, read_bytes};
use serde::{Deserialize, Serialize};

/// A point in the life of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Point {
    /// Its sender is about to send it.
    Sent,
    /// Its receiver is about to handle it.
    Received,
    /// Its receiver has given the answer.
    Answered,
    /// Its sender is about to be told the answer.
    Told,
    /// Its receiver has handled it: that turn is over.
    Handled,
}

/// One message alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneMessage {
    /// Who sent it.
    pub from: TaskId,
    /// Which of theirs it is.
    pub number: u64,
    /// The future that its answer settles.
    pub answers: Option<FutureId>,
}

/// Which messages are meant, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagePattern {
    /// When.
    pub point: Point,
    /// Who sends it, by name.
    pub from: Option<String>,
    /// Who handles it, by name.
    pub to: Option<String>,
    /// What it is called.
    pub name: Option<String>,
    /// No other one than this: good for one run, as what it is told apart by means nothing in another
    /// universe.
    #[serde(skip)]
    pub one: Option<OneMessage>,
}

impl MessagePattern {
    /// Any message at a point of its life.
    pub fn any(point: Point) -> MessagePattern {
        MessagePattern { point, from: None, to: None, name: None, one: None }
    }

    /// Whether the call that a machine is stopped at sends such a message.
    pub(crate) fn is_sent(&self, now: &Moment, call: Call<'_>) -> bool {
        let Some(ensemble) = now.ensemble.as_deref() else { return false };
        let Some((to, name)) = sending(&now.machine, &now.world, call) else { return false };
        self.point == Point::Sent
            && fits(&self.from, &ensemble.name(ensemble.current()))
            && fits(&self.to, &ensemble.name(to))
            && fits(&self.name, &name)
    }

    /// Whether the turn that has just begun, or ended, is about such a message.
    pub(crate) fn is_at_turn(&self, now: &Moment, begins: bool) -> bool {
        let Some(ensemble) = now.ensemble.as_deref() else { return false };
        let task = ensemble.task(ensemble.current());
        let is_any = self.from.is_none() && self.name.is_none() && self.one.is_none();
        if begins && self.point == Point::Received && is_any {
            return fits(&self.to, &ensemble.name(ensemble.current()));
        }
        let Some(message) = task.and_then(|task| task.message.as_deref()) else { return false };
        match self.point {
            Point::Sent => false,
            Point::Received => begins && self.is_it(ensemble, message, ensemble.current()),
            Point::Told if self.one.is_some() => {
                let answer = self.one.and_then(|one| one.answers);
                begins && answer.is_some() && message.settles == answer
            }
            Point::Handled => !begins && self.is_it(ensemble, message, ensemble.current()),
            Point::Told => {
                let is_told = begins && message.settles.is_some();
                is_told && self.is_it(ensemble, message, ensemble.current())
            }
            Point::Answered => {
                let answers = ensemble.footprint().futures.iter();
                let mut answers = answers.filter(|future| message.answers == Some(**future));
                !begins
                    && answers.next().is_some()
                    && self.is_it(ensemble, message, ensemble.current())
            }
        }
    }

    fn is_it(&self, ensemble: &Ensemble, message: &Message, to: TaskId) -> bool {
        let is_one = |one: OneMessage| (one.from, one.number) == (message.from, message.number);
        self.one.is_none_or(is_one)
            && fits(&self.from, &ensemble.name(message.from))
            && fits(&self.to, &ensemble.name(to))
            && fits(&self.name, &message.name)
    }
}

fn fits(pattern: &Option<String>, name: &str) -> bool {
    pattern.as_deref().is_none_or(|pattern| pattern == name)
}

/// To whom a call sends a message, and what it is called, if it sends one.
fn sending(machine: &Machine, world: &World, call: Call<'_>) -> Option<(TaskId, String)> {
    let Some(TaskCall::Tell | TaskCall::Send) = world.task_call(call.import) else { return None };
    let number = |index: usize| match call.args.get(index) {
        Some(Value::I32(number)) => Some(*number as u32),
        _ => None,
    };
    let name = read_bytes(machine, number(1)?, number(2)?.min(LONGEST)).ok()?;
    Some((TaskId(number(0)?), String::from_utf8_lossy(&name).into_owned()))
}

/// No name is longer than this.
const LONGEST: u32 = 1 << 12;

impl std::fmt::Display for MessagePattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let point = match self.point {
            Point::Sent => "send",
            Point::Received => "receive",
            Point::Answered => "answer",
            Point::Told => "told",
            Point::Handled => "handled",
        };
        write!(f, "message {point}")?;
        self.name.iter().try_for_each(|name| write!(f, " {name}"))?;
        self.from.iter().try_for_each(|from| write!(f, " from {from}"))?;
        self.to.iter().try_for_each(|to| write!(f, " to {to}"))
    }
}
