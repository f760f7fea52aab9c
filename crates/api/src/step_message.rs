//! Stepping by one message: until it has been handled, or its answer is told.

use mw_ensemble::{Message, Standing, TaskId, show_message};
use mw_session::{Direction, OneMessage, Point};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::movement::Stopped;

/// Runs until a message that is on its way has been handled, or until whoever sent it is about to be
/// told the answer. Breakpoints stop it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepMessage {
    /// Which: `double`, `double from client1 to math`, or `client1:2` for the one that `client1`
    /// sent after two others.
    pub message: String,
    /// Whether to wait for the answer.
    #[serde(default)]
    pub told: bool,
}

impl Ask for StepMessage {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let message = debugger.find_message(&self.message)?;
        let point = if self.told { Point::Told } else { Point::Handled };
        if self.told && message.answers.is_none() {
            return Err(ApiError::not_here(format!(
                "nobody waits for the answer to {}: it was sent by `tell`",
                self.message.trim()
            )));
        }
        debugger.moving(Direction::Forward, listener, |session, control| {
            session.step_message(message, point, control)
        })
    }
}

impl Debugger {
    /// The message on its way, or being handled, that is meant: see [`StepMessage`].
    fn find_message(&self, text: &str) -> Result<OneMessage, ApiError> {
        self.check_tasks()?;
        let Some(ensemble) = self.ensemble() else { return Err(ApiError::not_here("no actors")) };
        let text = text.trim();
        let (rest, to) = match text.split_once(" to ") {
            Some((rest, to)) => (rest, Some(self.find_actor(to)?.0)),
            None => (text, None),
        };
        let (what, from) = match rest.split_once(" from ") {
            Some((what, from)) => (what.trim(), Some(self.find_actor(from)?.0)),
            None => (rest.trim(), None),
        };
        let key = |message: &Message| format!("{}:{}", ensemble.name(message.from), message.number);
        let mut found: Vec<(TaskId, &Message)> = Vec::new();
        for (receiver, task) in ensemble.tasks() {
            let busy = task.message.iter().filter(|_| task.standing == Standing::Busy);
            let on_its_way = task.inbox.values().flatten().chain(busy).map(|message| &**message);
            found.extend(on_its_way.map(|message| (receiver, message)));
        }
        let is_it = |(receiver, message): &(TaskId, &Message)| {
            let is_named = &*message.name == what || show_message(message) == what;
            let is_from = from.is_none_or(|from| from == message.from);
            (is_named || key(message) == what) && is_from && to.is_none_or(|to| to == *receiver)
        };
        let line = |(receiver, message): &(TaskId, &Message)| {
            format!("{}  {} to {}", key(message), show_message(message), ensemble.name(*receiver))
        };
        let meant: Vec<_> = found.iter().copied().filter(is_it).collect();
        match meant[..] {
            [(_, message)] => {
                let Message { from, number, answers, .. } = *message;
                Ok(OneMessage { from, number, answers })
            }
            [] if found.is_empty() => Err(ApiError::not_here("no message is on its way here")),
            [] => {
                let lines: Vec<String> = found.iter().map(line).collect();
                Err(ApiError::unknown(format!(
                    "no such message is on its way here; these are:\n  {}",
                    lines.join("\n  ")
                )))
            }
            _ => {
                let lines: Vec<String> = meant.iter().map(line).collect();
                Err(ApiError::notation(format!(
                    "there are several of these; say which, by what it begins with:\n  {}",
                    lines.join("\n  ")
                )))
            }
        }
    }
}
