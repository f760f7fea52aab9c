//! Actors: who there is, what waits for them, and who has the next turn.

use mw_ensemble::{Ensemble, Message, Next, Rest, Standing, TaskId, show_message};
use mw_session::{Direction, Outcome};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::Listener;
use crate::movement::Stopped;
use crate::notation::did_you_mean;

/// All actors, with what waits for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actors {}

impl Ask for Actors {
    type Reply = ActorsView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.actors())
    }
}

/// Gives the next turn to somebody, when the one under way is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GiveTurn {
    /// Who: an actor, `ACTOR from SENDER`, or a turn as it is listed, by its words or its key.
    pub next: String,
}

impl Ask for GiveTurn {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        if debugger.session.now().rest() == Rest::Busy && debugger.session.ensemble().is_some() {
            debugger.moving(Direction::Forward, listener, |session, control| {
                session.finish_turn(control)
            })?;
        }
        let next = debugger.find_turn(&self.next)?;
        debugger.moving(Direction::Forward, listener, |session, control| {
            session.give_turn(next, control)
        })
    }
}

/// Runs to the end of the turn under way, past all breakpoints: to where somebody is next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishTurn {}

impl Ask for FinishTurn {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.check_tasks()?;
        if debugger.session.now().rest() != Rest::Busy {
            return Err(ApiError::not_here("no turn is under way here: say who is next"));
        }
        debugger
            .moving(Direction::Forward, listener, |session, control| session.finish_turn(control))
    }
}

/// Runs to the next turn; back, to the beginning of the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepTurn {
    /// Of this actor; of any without.
    #[serde(default)]
    pub actor: Option<String>,
    /// Which way.
    pub direction: Direction,
}

impl Ask for StepTurn {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.check_tasks()?;
        let actor = self.actor.map(|name| debugger.find_actor(&name)).transpose()?;
        let actor = actor.map(|(_, name)| name);
        debugger.moving(self.direction, listener, |session, control| {
            session.step_turn(actor.as_deref(), self.direction, control)
        })
    }
}

/// Lets actors wait, or go on. Nothing is said about the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseActor {
    /// Which; all without.
    #[serde(default)]
    pub actor: Option<String>,
    /// Whether it is to wait.
    pub paused: bool,
}

impl Ask for PauseActor {
    type Reply = ActorsView;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.check_tasks()?;
        let ids: Vec<TaskId> = match &self.actor {
            Some(name) => vec![debugger.find_actor(name)?.0],
            None => {
                debugger.ensemble().into_iter().flat_map(|e| e.tasks().map(|(id, _)| id)).collect()
            }
        };
        match self.actor {
            None if !self.paused => debugger.session.turns_mut().resume_all(),
            _ => {
                for id in ids {
                    debugger.session.turns_mut().pause(id, self.paused);
                }
            }
        }
        Ok(debugger.actors())
    }
}

/// The turns of this universe, with the messages that they handle and send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turns {
    /// How many at most, the last ones.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// How many turns are listed unless told otherwise, and at most.
const TURNS: usize = 200;
const MOST_TURNS: usize = 5_000;

impl Ask for Turns {
    type Reply = TurnsView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.check_tasks()?;
        let limit = self.limit.unwrap_or(TURNS).min(MOST_TURNS);
        let here = debugger.session.here();
        let leaf = debugger.session.recorded_end().node;
        let mut bridge = Bridge { listener };
        let turns = debugger.session.turns_to(leaf, limit, &mut bridge)?;
        let is_behind = |node| debugger.session.multiverse().is_ancestor(node, here.node);
        let current = turns.iter().rev().map(|turn| turn.node).find(|node| is_behind(*node));
        let first = turns.first().map_or(0, |turn| debugger.session.multiverse().depth(turn.node));
        let turns = turns.into_iter().map(|turn| {
            let (id, name) = turn.task;
            TurnView {
                node: turn.node.to_string(),
                begins: turn.counts.0,
                ends: turn.counts.1,
                actor: id.0,
                name,
                label: turn.label,
                fault: turn.is_fault,
                handles: turn.message.map(|(from, number, text)| MessageRef {
                    actor: from.0,
                    number,
                    text,
                }),
                sends: turn
                    .sent
                    .into_iter()
                    .map(|(to, number, text)| MessageRef { actor: to.0, number, text })
                    .collect(),
                is_current: current == Some(turn.node),
            }
        });
        Ok(TurnsView { omitted: first.saturating_sub(1), turns: turns.collect() })
    }
}

/// The actor that runs, or ran last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningActor {
    /// Its address.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// The message that it handles, if a turn is under way.
    pub handles: Option<String>,
}

/// A turn that can be the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextTurn {
    /// What it is called between programs: `deliver 1 from 2`.
    pub key: String,
    /// For people: `math: double from client1`.
    pub label: String,
    /// The actor whose turn it is.
    pub actor: u32,
    /// Whether it is only there if somebody says so: something goes wrong that the system file
    /// allows, or an interrupt arrives.
    pub fault: bool,
}

/// All actors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActorsView {
    /// The actors.
    pub actors: Vec<ActorView>,
    /// Who can have the next turn, if the last one is over.
    pub next: Vec<NextTurn>,
}

/// An actor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActorView {
    /// Its address.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// What its handlers begin with, if with something.
    pub kind: String,
    /// The file of its program.
    pub program: String,
    /// Whether the source of its program is known.
    pub has_sources: bool,
    /// `fresh`, `idle`, `busy`, `stopped` or `failed`.
    pub standing: String,
    /// Whether it is the one that runs, or ran last.
    pub current: bool,
    /// Whether it is to wait.
    pub paused: bool,
    /// How many turns it has begun.
    pub turns: u64,
    /// The message that it handles, if a turn is under way.
    pub handles: Option<MessageView>,
    /// What waits to be handled, by sender, oldest first.
    pub inbox: Vec<MessageView>,
    /// The messages whose answers it waits for.
    pub awaits: Vec<String>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageView {
    /// Who sent it.
    pub from: u32,
    /// What that one is called.
    pub sender: String,
    /// Which of theirs it is.
    pub number: u64,
    /// What is in it: `double(12)`.
    pub text: String,
    /// Whether somebody waits for the answer.
    pub awaited: bool,
    /// Whether it is the next one of its sender.
    pub first: bool,
}

/// The turns of a universe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnsView {
    /// Earlier choices that are not listed.
    pub omitted: u64,
    /// The turns.
    pub turns: Vec<TurnView>,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnView {
    /// The choice by which it began, or the start of the program: a place to slide to.
    pub node: String,
    /// After how many instructions it began.
    pub begins: u64,
    /// After how many it ended, or as far as is known.
    pub ends: u64,
    /// Whose it is.
    pub actor: u32,
    /// What that one is called.
    pub name: String,
    /// For people: `math: double from client1`.
    pub label: String,
    /// Whether something goes wrong that the system file allows.
    pub fault: bool,
    /// The message that it handles, or that is lost, with its sender.
    pub handles: Option<MessageRef>,
    /// The messages that it sends, with their receivers.
    pub sends: Vec<MessageRef>,
    /// Whether the session stands in it.
    pub is_current: bool,
}

/// A message of a turn: with the actor at its other end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRef {
    /// The actor at the other end.
    pub actor: u32,
    /// Which of its sender's it is.
    pub number: u64,
    /// What is in it.
    pub text: String,
}

impl Debugger {
    pub(crate) fn ensemble(&self) -> Option<&Ensemble> {
        self.session.ensemble()
    }

    pub(crate) fn check_tasks(&self) -> Result<(), ApiError> {
        match self.ensemble() {
            Some(_) => Ok(()),
            None => Err(ApiError::not_here(
                "this program is not made of actors: it imports nothing from the module `actor`",
            )),
        }
    }

    /// The actor that is meant by a name or an address.
    pub(crate) fn find_actor(&self, name: &str) -> Result<(TaskId, String), ApiError> {
        self.check_tasks()?;
        let ensemble = self.ensemble();
        let found = ensemble.and_then(|all| Some((all, all.find(name.trim())?)));
        let found = found.map(|(all, id)| (id, all.name(id).to_string()));
        found.ok_or_else(|| {
            let names: Vec<String> = ensemble
                .into_iter()
                .flat_map(|all| all.tasks().map(|(_, task)| task.name.to_string()))
                .collect();
            let meant = did_you_mean(name, names.iter().map(String::as_str));
            ApiError::unknown(format!(
                "there is no actor {name} here{meant}; `info actors` lists them"
            ))
        })
    }

    /// The turn that is meant: see [`GiveTurn`].
    pub(crate) fn find_turn(&self, text: &str) -> Result<Next, ApiError> {
        self.check_tasks()?;
        let (text, mut options) = (text.trim(), self.session.turn_options());
        options.extend(self.session.interrupt_options());
        let Some(ensemble) = self.ensemble() else { return Err(ApiError::not_here("no actors")) };
        let label = |next: &Next| ensemble.schedule(*next).label;
        let exact = |next: &&Next| next.to_string() == text || label(next) == text;
        if let Some(next) = options.iter().find(exact) {
            return Ok(*next);
        }
        let (to, from) = match text.split_once(" from ") {
            Some((to, from)) => (to.trim(), Some(self.find_actor(from)?.0)),
            None => (text, None),
        };
        let (to, name) = self.find_actor(to)?;
        let fits = |next: &&Next| {
            let is_usual = !next.is_fault() && !next.is_interrupt();
            next.task() == to && is_usual && (from.is_none() || next.from() == from)
        };
        let fitting: Vec<&Next> = options.iter().filter(fits).collect();
        match fitting[..] {
            [next] => Ok(*next),
            [] => {
                let can: Vec<String> = options.iter().map(label).collect();
                let can = if can.is_empty() { "nobody can".into() } else { can.join("\n  ") };
                Err(ApiError::not_here(format!(
                    "{name} cannot have the next turn here; these can:\n  {can}"
                )))
            }
            _ => {
                let these: Vec<String> = fitting.iter().map(|next| label(next)).collect();
                Err(ApiError::notation(format!(
                    "{name} has several messages; say which, as `{name} from SENDER`:\n  {}",
                    these.join("\n  ")
                )))
            }
        }
    }

    pub(crate) fn running_actor(&self) -> Option<RunningActor> {
        let ensemble = self.ensemble()?;
        let id = ensemble.current();
        let task = ensemble.task(id)?;
        let is_busy = task.standing == Standing::Busy;
        let message = task.message.as_deref().filter(|_| is_busy);
        let handles = message.map(show_message);
        Some(RunningActor { id: id.0, name: task.name.to_string(), handles })
    }

    pub(crate) fn next_turns(&self) -> Vec<NextTurn> {
        let Some(ensemble) = self.ensemble() else { return Vec::new() };
        let view = |next: Next| NextTurn {
            key: next.to_string(),
            label: ensemble.schedule(next).label,
            actor: next.task().0,
            fault: next.is_fault() || next.is_interrupt(),
        };
        let options = self.session.turn_options().into_iter();
        options.chain(self.session.interrupt_options()).map(view).collect()
    }

    pub(crate) fn actors(&self) -> ActorsView {
        let Some(ensemble) = self.ensemble() else {
            return ActorsView { actors: Vec::new(), next: Vec::new() };
        };
        let message = |message: &Message, first| MessageView {
            from: message.from.0,
            sender: ensemble.name(message.from).to_string(),
            number: message.number,
            text: show_message(message),
            awaited: message.answers.is_some(),
            first,
        };
        let actors = ensemble.tasks().map(|(id, task)| ActorView {
            id: id.0,
            name: task.name.to_string(),
            kind: task.kind.to_string(),
            program: self.texts[usize::from(task.program)].file_name().to_owned(),
            has_sources: self.texts[usize::from(task.program)].sources.is_some(),
            standing: standing_text(task.standing).into(),
            current: id == ensemble.current(),
            paused: self.session.turns().paused().any(|paused| paused == id),
            turns: task.turns,
            handles: (task.message.as_deref())
                .filter(|_| task.standing == Standing::Busy)
                .map(|handled| message(handled, true)),
            inbox: (task.inbox.values())
                .flat_map(|waiting| waiting.iter().enumerate())
                .map(|(index, waiting)| message(waiting, index == 0))
                .collect(),
            awaits: task.awaits().map(|(_, name)| name.to_owned()).collect(),
        });
        ActorsView { actors: actors.collect(), next: self.next_turns() }
    }
}

fn standing_text(standing: Standing) -> &'static str {
    match standing {
        Standing::Fresh => "fresh",
        Standing::Idle => "idle",
        Standing::Busy => "busy",
        Standing::Stopped => "stopped",
        Standing::Failed => "failed",
    }
}

/// How a program ended whose tasks have nothing more to do.
pub(crate) fn outcome_of(rest: Rest) -> Outcome {
    match rest {
        Rest::Deadlocked(who) => Outcome::Deadlocked(who),
        Rest::Unanswered(who) => Outcome::Unanswered(who),
        Rest::Unhandled(what) => Outcome::Unhandled(what),
        Rest::Finished | Rest::Busy | Rest::Choice(_) => Outcome::Finished,
    }
}
