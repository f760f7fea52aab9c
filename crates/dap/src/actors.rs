//! Actors: each is a thread with a stack of its own, and they take turns.
//!
//! A program that is not made of actors is one thread, number 1. The number of an actor's thread is
//! one more than its address, so the first task of a program has number 1 as well.

use std::collections::BTreeSet;

use mw_api::request::{Actors, GiveTurn, PauseActor, StepMessage, StepTurn, Where};
use mw_api::{ActorView, Direction, Position};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer};
use crate::movement::{Movement, describe, moving};
use crate::multiverse::{shown, text};
use crate::protocol::{Client, Refusal, Request};

/// A frame that is looked at, as its number says. That of a program of one is the position in the
/// stack; above that, numbers of actors' frames have the number of the thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrameRef {
    /// The address of the actor; the one that runs without.
    pub actor: Option<u32>,
    /// The position in the stack; outside of functions without.
    pub frame: Option<usize>,
}

/// How many bits of a frame's number are its position in the stack. Editors keep such numbers as
/// floating-point ones, which have room for these beside an address.
const POSITION: u32 = 20;
/// The position of what is outside of functions: no stack is so deep.
const OUTSIDE: u64 = (1 << POSITION) - 1;

impl FrameRef {
    /// The frame that a client means.
    pub fn from_number(number: u64) -> Result<FrameRef, Refusal> {
        let thread = number >> POSITION;
        let actor = thread.checked_sub(1).map(u32::try_from).transpose();
        let actor = actor.map_err(|_| Refusal::from("there is no such frame here"))?;
        let position = number & OUTSIDE;
        Ok(FrameRef { actor, frame: (position != OUTSIDE).then_some(position as usize) })
    }

    /// The number that the client gets.
    pub fn number(self) -> u64 {
        let thread = self.actor.map_or(0, |actor| u64::from(actor) + 1);
        thread << POSITION | self.frame.map_or(OUTSIDE, |frame| frame as u64)
    }

    /// The actor, as requests take it.
    pub fn actor(self) -> Option<String> {
        self.actor.map(|actor| actor.to_string())
    }

    /// The frame that expressions are evaluated in: outside of functions, that is the first one there
    /// is not.
    pub fn to_ask(self) -> usize {
        self.frame.unwrap_or(0)
    }
}

/// The thread of an actor.
pub(crate) struct Thread {
    /// The actor's address.
    pub actor: u32,
    /// What it does.
    pub doing: String,
    /// Whether its program is that of the actor that runs.
    pub in_running_program: bool,
}

/// The thread that the session stands in.
pub(crate) fn thread_of(position: &Position) -> u64 {
    position.actor.as_ref().map_or(1, |actor| u64::from(actor.id) + 1)
}

/// What an actor does.
fn doing(actor: &ActorView) -> String {
    let handles = actor.handles.as_ref();
    let mut text = handles.map_or_else(
        || actor.standing.clone(),
        |message| format!("{} from {}", message.text, message.sender),
    );
    if actor.paused {
        text.push_str(", paused");
    }
    text
}

impl Adapter {
    pub(crate) fn threads(&mut self, client: &mut dyn Client) -> Result<Answer, Refusal> {
        let actors = self.ask(Actors {}, client)?.actors;
        if actors.is_empty() {
            let name = describe(&self.ask(Where {}, client)?);
            return Ok(json!({ "threads": [{ "id": 1, "name": name }] }).into());
        }
        let thread = |actor: &ActorView| {
            let name = format!("{}: {}", actor.name, doing(actor));
            json!({ "id": u64::from(actor.id) + 1, "name": name })
        };
        Ok(json!({ "threads": actors.iter().map(thread).collect::<Vec<_>>() }).into())
    }

    /// The actor's thread that a request is about; none in a program of one.
    pub(crate) fn thread(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Option<Thread>, Refusal> {
        let actors = self.ask(Actors {}, client)?.actors;
        let thread = request.arguments["threadId"].as_u64();
        let is_it = |actor: &ActorView| match thread {
            Some(thread) => u64::from(actor.id) + 1 == thread,
            None => actor.current,
        };
        if actors.is_empty() {
            return Ok(None);
        }
        let found = actors.iter().find(|actor| is_it(actor));
        let actor = found.ok_or("there is no such thread here")?;
        let running = actors.iter().find(|actor| actor.current);
        let in_running_program = running.is_some_and(|running| running.program == actor.program);
        Ok(Some(Thread { actor: actor.id, doing: doing(actor), in_running_program }))
    }

    /// Which threads there are now and were not when this was last told, and the other way round:
    /// also back in time, before an actor was made.
    pub(crate) fn thread_news(&mut self, client: &mut dyn Client) -> Vec<(&'static str, Value)> {
        let Ok(actors) = self.ask(Actors {}, client) else { return Vec::new() };
        let now: BTreeSet<u32> = actors.actors.iter().map(|actor| actor.id).collect();
        let Some(before) = self.told_threads.replace(now.clone()) else { return Vec::new() };
        let event = |reason: &str, actor: &u32| {
            ("thread", json!({ "reason": reason, "threadId": u64::from(*actor) + 1 }))
        };
        let gone = before.difference(&now).map(|actor| event("exited", actor));
        gone.chain(now.difference(&before).map(|actor| event("started", actor))).collect()
    }

    /// `mw/actors`
    pub(crate) fn actors(&mut self, client: &mut dyn Client) -> Result<Answer, Refusal> {
        shown(&self.ask(Actors {}, client)?)
    }

    /// `mw/nextTurn { actor? }` and `mw/previousTurn { actor? }`
    pub(crate) fn step_turn(
        &mut self,
        request: &Request,
        direction: Direction,
    ) -> Result<Answer, Refusal> {
        self.console()?;
        let step = StepTurn { actor: actor_named(request)?, direction };
        Ok(moving(Movement::to(step, "step")))
    }

    /// `mw/stepMessage { message, told? }`
    pub(crate) fn step_message(&mut self, request: &Request) -> Result<Answer, Refusal> {
        self.console()?;
        let told = request.arguments["told"].as_bool() == Some(true);
        let step = StepMessage { message: text(request, "message")?, told };
        Ok(moving(Movement::to(step, "step")))
    }

    /// `mw/giveTurn { next }`
    pub(crate) fn give_turn(&mut self, request: &Request) -> Result<Answer, Refusal> {
        self.console()?;
        Ok(moving(Movement::to(GiveTurn { next: text(request, "next")? }, "step")))
    }

    /// `mw/pauseActor { actor? }` and `mw/resumeActor { actor? }`
    pub(crate) fn pause_actor(
        &mut self,
        request: &Request,
        paused: bool,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let actor = actor_named(request)?;
        let Answer { body, .. } = shown(&self.ask(PauseActor { actor, paused }, client)?)?;
        Ok(Answer { body, then: self.invalidation() })
    }
}

/// The actor that a request names, if it does: by its name or address.
fn actor_named(request: &Request) -> Result<Option<String>, Refusal> {
    match &request.arguments["actor"] {
        Value::Null => Ok(None),
        Value::String(name) => Ok(Some(name.clone())),
        Value::Number(address) => Ok(Some(address.to_string())),
        _ => Err(Refusal(format!("`actor` of {} is a name or an address", request.command))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_frames_say_whose_they_are() {
        for (actor, frame, number) in [
            (None, Some(0), 0),
            (None, Some(7), 7),
            (Some(0), Some(0), 1 << 20),
            (Some(2), Some(3), (3 << 20) + 3),
            (Some(1), None, (3 << 20) - 1),
        ] {
            let of = FrameRef { actor, frame };
            assert_eq!(of.number(), number);
            assert_eq!(FrameRef::from_number(number), Ok(of));
        }
        let last = FrameRef { actor: Some(u32::MAX), frame: None };
        assert_eq!(FrameRef::from_number(last.number()), Ok(last));
        // All of them are exact as floating-point numbers.
        assert!(last.number() < 1 << 53);
        assert!(FrameRef::from_number(u64::MAX).is_err());
    }
}
