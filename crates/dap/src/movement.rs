//! Moving: steps and runs in both directions, and what is told where they end.

use mw_api::request::{self, RestartFrame, Run, RunTo, SourceFrames, Where};
use mw_api::{
    Direction, Envelope, HaltView, Position, Reply, Stopped, TriggerRef, TriggerSpec, Unit,
};
use serde_json::{Value, json};

use crate::actors::{FrameRef, thread_of};
use crate::adapter::{Adapter, Answer, Then};
use crate::protocol::{Client, Refusal, Request, Source, Step};

/// Something that is asked of the debugger and ends somewhere else.
pub(crate) struct Movement {
    /// One after the other.
    pub asks: Vec<Envelope>,
    /// Why it stops if it gets to where it was to go.
    pub reason: &'static str,
}

impl Movement {
    /// Something that is asked once.
    pub fn to(ask: impl Into<mw_api::Request>, reason: &'static str) -> Movement {
        Movement { asks: vec![plain(ask)], reason }
    }

    pub fn run(direction: Direction) -> Movement {
        Movement::to(Run { direction }, "pause")
    }

    /// Nowhere: it only tells where one is.
    pub fn here(reason: &'static str) -> Movement {
        Movement::to(Where {}, reason)
    }
}

/// A request that crosses nothing that cannot be undone.
pub(crate) fn plain(ask: impl Into<mw_api::Request>) -> Envelope {
    Envelope { request: ask.into(), confirm: false }
}

pub(crate) fn moving(movement: Movement) -> Answer {
    let body = json!({ "allThreadsContinued": true });
    Answer { body, then: Then::Move(movement) }
}

impl Adapter {
    pub(crate) fn run(
        &mut self,
        direction: Direction,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let has_ended = self.ask(Where {}, client)?.ended.is_some();
        if has_ended && direction == Direction::Forward {
            // Whoever goes on at the end wants to leave.
            return self.told("terminated");
        }
        Ok(moving(Movement::run(direction)))
    }

    /// A step by instructions or, unless that is asked for, by lines.
    pub(crate) fn step(
        &mut self,
        request: &Request,
        [instruction, line]: [Unit; 2],
        direction: Direction,
    ) -> Result<Answer, Refusal> {
        let step: Step = request.arguments()?;
        self.console()?;
        let unit = match step.granularity.as_deref() {
            Some("instruction") => instruction,
            None | Some("line" | "statement") => line,
            Some(other) => {
                return Err(Refusal(format!(
                    "there is no granularity {other}; it is line, statement or instruction"
                )));
            }
        };
        let step = request::Step { unit, direction, count: 1 };
        Ok(moving(Movement::to(step, "step")))
    }

    /// A line can be run to in both directions; the file, the line and the direction make the
    /// number of a target.
    pub(crate) fn goto_targets(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let source: Source = serde_json::from_value(request.arguments["source"].clone())
            .map_err(|error| Refusal(format!("the source of gotoTargets is wrong: {error}")))?;
        let (index, file) = self.find_source(&source, client)?;
        let line = self.line_from(request.arguments["line"].as_i64().unwrap_or(1));
        let Some(&line) = file.lines.iter().find(|known| **known >= line) else {
            return Ok(json!({ "targets": [] }).into());
        };
        let targets = [(0, "run"), (1, "run back")].map(|(back, verb)| {
            let label = format!("{verb} to {}:{line}", file.path);
            let id = (index as i64) << 33 | i64::from(line) << 1 | back;
            json!({ "id": id, "label": label, "line": self.line_to(line) })
        });
        Ok(json!({ "targets": targets }).into())
    }

    /// Runs to a line: going there without what is on the way would be no place of any universe.
    pub(crate) fn goto(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let target = request.arguments["targetId"].as_i64().unwrap_or(-1);
        let files = self.files(client)?;
        let Some(file) = usize::try_from(target >> 33).ok().and_then(|index| files.get(index))
        else {
            return Err("there is no such target; ask for gotoTargets first".into());
        };
        let direction = if target & 1 == 1 { Direction::Back } else { Direction::Forward };
        let line = (target >> 1) as u32;
        let to = TriggerRef::Parts(TriggerSpec::Line { file: file.path.clone(), line });
        Ok(moving(Movement::to(RunTo { to, direction }, "goto")))
    }

    pub(crate) fn restart_frame(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let number = request.arguments["frameId"].as_u64().ok_or("restartFrame needs a frameId")?;
        let of = FrameRef::from_number(number)?;
        let running = self.ask(Where {}, client)?.actor;
        if of.actor.is_some() && of.actor != running.map(|actor| actor.id) {
            return Err("only functions of the actor that runs can be restarted".into());
        }
        let frames = self.ask(SourceFrames { actor: None }, client)?.len();
        let frame = of.frame.filter(|frame| *frame < frames);
        let frame = frame.ok_or("there is no such frame here")?;
        Ok(moving(Movement::to(RestartFrame { frame }, "restart")))
    }

    /// Makes a movement, and tells where it ended.
    pub(crate) fn make(&mut self, movement: Movement, client: &mut dyn Client) {
        self.handles.clear();
        let mut last = Err(Refusal::from("there was nothing to do"));
        for ask in movement.asks {
            last = self.ask(ask, client);
            if last.is_err() {
                break;
            }
        }
        let (event, body) = match last {
            Ok(Reply::Stopped(stopped)) => self.stopped(&stopped, movement.reason),
            Ok(Reply::Position(position)) => {
                ("stopped", self.stop(movement.reason, describe(&position), &position))
            }
            Ok(_) => return,
            Err(Refusal(problem)) => {
                let text = json!({ "category": "important", "output": format!("{problem}\n") });
                self.reporter(client).event("output", text);
                let here = self.ask(Where {}, client);
                let thread = here.as_ref().map_or(1, thread_of);
                let body = json!({ "reason": "pause", "threadId": thread, "text": problem,
                    "allThreadsStopped": true });
                ("stopped", body)
            }
        };
        for (event, body) in self.thread_news(client) {
            self.reporter(client).event(event, body);
        }
        self.reporter(client).event(event, body);
    }

    pub(crate) fn stopped(&mut self, stopped: &Stopped, reason: &str) -> (&'static str, Value) {
        let position = &stopped.position;
        let here = describe(position);
        match &stopped.halt {
            HaltView::Reached => ("stopped", self.stop(reason, here, position)),
            halt @ HaltView::Breakpoint { id, trigger, .. } => {
                let (reason, change) = (self.kind_of(*id), halt.change());
                let mut body = self.stop(reason, format!("{trigger}{change} · {here}"), position);
                body["hitBreakpointIds"] = json!([id]);
                ("stopped", body)
            }
            HaltView::Ended { outcome } => {
                let is_exception = outcome.kind != "finished" && self.stops_at_traps;
                if !is_exception && !self.stays_at_end {
                    return ("terminated", json!({}));
                }
                let reason = if is_exception { "exception" } else { "end" };
                let mut body = self.stop(reason, here, position);
                body["text"] = outcome.text.clone().into();
                ("stopped", body)
            }
            HaltView::Misuse { text } => {
                let mut body = self.stop("exception", here, position);
                body["text"] = text.clone().into();
                ("stopped", body)
            }
            HaltView::Violated { event } => {
                let mut body = self.stop("exception", here, position);
                body["text"] = event.violation().into();
                ("stopped", body)
            }
            HaltView::Asks => {
                let call = position.pending.as_ref().map(|pending| pending.call.clone());
                let call = call.unwrap_or_default();
                let text = format!("{call} needs a value: write `answer VALUE` in the console");
                let mut body = self.stop("input", here, position);
                body["text"] = text.into();
                ("stopped", body)
            }
            HaltView::Paused => {
                let mut body = self.stop("pause", here, position);
                body["text"] = "everybody who could run next is paused".into();
                ("stopped", body)
            }
            HaltView::Start => ("stopped", self.stop("entry", format!("start · {here}"), position)),
            HaltView::Cancelled => ("stopped", self.stop("pause", here, position)),
        }
    }

    fn stop(&self, reason: &str, description: String, position: &Position) -> Value {
        json!({ "reason": reason, "description": description,
            "threadId": thread_of(position), "allThreadsStopped": true, "place": position.place.text })
    }

    /// What is the matter where the program has failed, or a property is violated.
    pub(crate) fn exception_info(&mut self, client: &mut dyn Client) -> Result<Answer, Refusal> {
        let position = self.ask(Where {}, client)?;
        let failed = position.ended.filter(|outcome| outcome.kind != "finished");
        if let (None, Some(event)) = (&failed, &position.violated) {
            return Ok(self.violation(event, client)?.into());
        }
        let outcome = failed.ok_or("the program has not failed here")?;
        let text = outcome.text;
        Ok(json!({ "exceptionId": outcome.kind, "description": text, "breakMode": "always",
            "details": { "message": text } })
        .into())
    }
}

/// Where one is, in a few words.
pub(crate) fn describe(position: &Position) -> String {
    let mut text = format!("universe {} at {}", position.place.node, position.place.text);
    if position.in_the_past {
        text.push_str(" · in the past");
    }
    if position.altered {
        text.push_str(" · altered");
    }
    if let Some(ended) = &position.ended {
        text = format!("{text} · {}", ended.text);
    }
    text
}
