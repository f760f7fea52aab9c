//! Turns: giving the next one to somebody, and moving from one to the next in both directions.

use mw_ensemble::{Message, Next, Rest, Schedule, Standing, TaskId};
use mw_multiverse::{NodeId, Place, Site};
use mw_vm::NoProbe;

use crate::breakpoints::Trigger;
use crate::control::Control;
use crate::drive::{Drive, Goal, Mode};
use crate::error::SessionError;
use crate::messages::{MessagePattern, OneMessage, Point};
use crate::session::{Halt, Session};
use crate::step::Direction;

/// A turn of a universe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnRecord {
    /// The choice by which it began; the root for what runs first.
    pub node: NodeId,
    /// After how many instructions it began, and ended or was left.
    pub counts: (u64, u64),
    /// Whose it is, and what that one is called.
    pub task: (TaskId, String),
    /// What is said of the choice.
    pub label: String,
    /// Whether something goes wrong that the system file allows.
    pub is_fault: bool,
    /// The message that it handles, or that is lost: who sent it, which of theirs it is, and what is in it.
    pub message: Option<(TaskId, u64, String)>,
    /// The messages that it sends: to whom, which of its own, and what is in them.
    pub sent: Vec<(TaskId, u64, String)>,
}

impl Session {
    /// Who can have the next turn here.
    pub fn turn_options(&self) -> Vec<Next> {
        match self.walk.now.rest() {
            Rest::Choice(options) => options,
            _ => Vec::new(),
        }
    }

    /// The interrupts that may arrive here, between two turns.
    pub fn interrupt_options(&self) -> Vec<Next> {
        match self.walk.now.rest() {
            Rest::Busy => Vec::new(),
            _ => self.walk.now.interrupts(),
        }
    }

    /// Runs to the next turn, of a task by its name or of any; back, to the beginning of the last
    /// one. Breakpoints stop it.
    pub fn step_turn(
        &mut self,
        of: Option<&str>,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let to = of.map(str::to_owned);
        let any_turn = MessagePattern { to, ..MessagePattern::any(Point::Received) };
        self.run_until(Trigger::Message(any_turn), direction, control)
    }

    /// Runs until one message has come to a point of its life. Breakpoints stop it.
    pub fn step_message(
        &mut self,
        message: OneMessage,
        point: Point,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let pattern = MessagePattern { one: Some(message), ..MessagePattern::any(point) };
        self.run_until(Trigger::Message(pattern), Direction::Forward, control)
    }

    /// Gives the next turn to somebody, when the one under way is over.
    pub fn give_turn(
        &mut self,
        next: Next,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        if self.walk.now.rest() == Rest::Busy {
            let halt = self.finish_turn(control)?;
            if halt != Halt::Reached {
                return Ok(halt);
            }
        }
        let Some(ensemble) = self.ensemble() else {
            return Err(mw_ensemble::ScheduleError::Alone.into());
        };
        let schedule = ensemble.schedule(next);
        self.choose_between(&Site::Schedule(schedule), 0)?;
        let node = self.walk.node;
        self.multiverse_mut().visit(node);
        Ok(Halt::Reached)
    }

    /// Runs to the end of the turn under way, past all breakpoints.
    pub fn finish_turn(&mut self, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let mut on_turn = |_: &_, begins: bool| !begins;
        let mut goal = Goal { into_end: true, on_turn: Some(&mut on_turn), ..Goal::default() };
        let drive = self.drive(Mode::Live, &mut goal, &mut NoProbe, control)?;
        Ok(match drive {
            Drive::Turn => Halt::Reached,
            drive => drive.into(),
        })
    }

    /// The turns on the way to a node, the last ones of them, with what they handle and send.
    pub fn turns_to(
        &mut self,
        to: NodeId,
        most: usize,
        control: &mut dyn Control,
    ) -> Result<Vec<TurnRecord>, SessionError> {
        let multiverse = self.multiverse();
        // What runs first has no choice before it.
        let is_turn = |node: &NodeId| {
            let choice = multiverse.choice(*node);
            choice.is_none_or(|choice| matches!(choice.site, Site::Schedule(_)))
        };
        let mut nodes: Vec<NodeId> = multiverse.ancestors(to).filter(is_turn).take(most).collect();
        nodes.reverse();
        let end = self.past().end_of(to);
        let mut replayer = self.replayer();
        let mut turns = Vec::with_capacity(nodes.len());
        // What is lost is not there any more when it is.
        let mut lost = None;
        for (index, &node) in nodes.iter().enumerate() {
            if control.is_cancelled() {
                break;
            }
            let multiverse = self.multiverse();
            let next = nodes.get(index + 1).and_then(|next| multiverse.choice(*next));
            // What a turn has sent is known when the next one is about to begin.
            let last = match nodes.get(index + 1).and_then(|next| multiverse.parent(*next)) {
                Some(before) => before,
                None => to,
            };
            let (begins, ends) = (multiverse.start(node), next.map_or(end, |next| next.count));
            let schedule = |node: NodeId| match multiverse.choice(node)?.site {
                Site::Schedule(schedule) => Some(schedule.clone()),
                _ => None,
            };
            let chosen = schedule(node);
            let coming = nodes.get(index + 1).and_then(|next| schedule(*next));
            replayer.go_to(Place { node: last, count: ends }, control)?;
            let Some(ensemble) = replayer.now().ensemble.as_deref() else { continue };
            let reference = |m: &Message| (m.from, m.number, mw_ensemble::show_message(m));
            let lost_before = lost.take();
            lost = coming.and_then(|coming| Some(reference(ensemble.message_of(coming.next)?)));
            if let Some(Schedule { next: next @ Next::Lose { to, .. }, label }) = chosen {
                turns.push(TurnRecord {
                    node,
                    counts: (begins, ends),
                    task: (to, ensemble.name(to).to_string()),
                    label,
                    is_fault: next.is_fault(),
                    message: lost_before,
                    sent: Vec::new(),
                });
                continue;
            }
            let current = ensemble.current();
            let task = ensemble.task(current);
            // In a system everybody waits to begin: nobody runs before the first choice.
            let is_busy = task.is_some_and(|task| task.standing == Standing::Busy);
            if chosen.is_none() && begins == ends && !is_busy {
                continue;
            }
            let is_crash =
                chosen.as_ref().is_some_and(|chosen| matches!(chosen.next, Next::Crash { .. }));
            let message = match is_crash {
                true => lost_before,
                false => task.and_then(|task| task.message.as_deref()).map(reference),
            };
            let sent = ensemble.footprint().sent.iter().map(|&(to, number)| {
                let inbox = ensemble.task(to).and_then(|task| task.inbox.get(&current));
                let mut waiting = inbox.into_iter().flatten();
                let found = waiting.find(|message| message.number == number);
                let text = found.map(|message| mw_ensemble::show_message(message));
                (to, number, text.unwrap_or_default())
            });
            let name = ensemble.name(current).to_string();
            turns.push(TurnRecord {
                node,
                counts: (begins, ends),
                is_fault: chosen.as_ref().is_some_and(|chosen| chosen.next.is_fault()),
                label: chosen.map_or_else(|| format!("{name} begins"), |chosen| chosen.label),
                task: (current, name),
                message,
                sent: sent.collect(),
            });
        }
        let (_, findings) = replayer.arrived();
        self.known.learn(findings);
        Ok(turns)
    }
}
