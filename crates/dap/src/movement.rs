//! Moving: steps and runs in both directions, and what is told where they end.

use mw_api::{
    Direction, HaltView, Position, Reply, Request as Ask, Stopped, TriggerRef, TriggerSpec, Unit,
};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer, Then};
use crate::protocol::{Client, Refusal, Request, Source, Step};

/// Something that is asked of the debugger and ends somewhere else.
pub(crate) struct Movement {
    /// One after the other.
    pub asks: Vec<Ask>,
    /// Why it stops if it gets to where it was to go.
    pub reason: &'static str,
}

impl Movement {
    pub fn run(direction: Direction) -> Movement {
        Movement { asks: vec![Ask::Run { direction, confirm: false }], reason: "pause" }
    }
}

fn moving(movement: Movement) -> Answer {
    let body = json!({ "allThreadsContinued": true });
    Answer { body, then: Then::Move(movement) }
}

impl Adapter {
    pub(crate) fn run(
        &mut self,
        direction: Direction,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let here = self.ask(Ask::Where, client)?;
        let has_ended = matches!(here, Reply::Position(position) if position.ended.is_some());
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
        let by_instruction = step.granularity.as_deref() == Some("instruction");
        let unit = if by_instruction { instruction } else { line };
        let asks = vec![Ask::Step { unit, direction, count: 1, confirm: false }];
        Ok(moving(Movement { asks, reason: "step" }))
    }

    pub(crate) fn goto_targets(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let source: Source = serde_json::from_value(request.arguments["source"].clone())
            .map_err(|error| Refusal(format!("the source of gotoTargets is wrong: {error}")))?;
        let (index, file) = self.find_source(&source, client)?;
        let line = self.line_from(request.arguments["line"].as_i64().unwrap_or(1));
        let targets = match file.lines.iter().find(|known| **known >= line) {
            Some(line) => {
                let label = format!("run to {}:{line}", file.path);
                // The line and the file make the number.
                let id = (index as i64) << 32 | i64::from(*line);
                vec![json!({ "id": id, "label": label, "line": self.line_to(*line) })]
            }
            None => Vec::new(),
        };
        Ok(json!({ "targets": targets }).into())
    }

    /// Runs on to a line: going there without what is on the way would be no place of any universe.
    pub(crate) fn goto(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let target = request.arguments["targetId"].as_i64().unwrap_or(-1);
        let files = self.files(client)?;
        let Some(file) = usize::try_from(target >> 32).ok().and_then(|index| files.get(index))
        else {
            return Err("there is no such target; ask for gotoTargets first".into());
        };
        let parts = TriggerSpec::Line { file: file.path.clone(), line: target as u32 };
        let trigger = TriggerRef::Parts(parts);
        let add = Ask::AddBreakpoint { trigger, condition: None, temporary: true };
        let Reply::Breakpoint(added) = self.ask(add, client)? else {
            return Err("the line cannot be gone to".into());
        };
        let mut movement = Movement { reason: "goto", ..Movement::run(Direction::Forward) };
        // If something else came first, it must not stay behind.
        movement.asks.push(Ask::RemoveBreakpoint { id: Some(added.id) });
        Ok(moving(movement))
    }

    /// Makes a movement, and tells where it ended.
    pub(crate) fn make(&mut self, movement: Movement, client: &mut dyn Client) {
        self.handles.clear();
        let mut last = None;
        for ask in movement.asks {
            let is_tidying = matches!(ask, Ask::RemoveBreakpoint { .. });
            match self.ask(ask, client) {
                Ok(reply) if !is_tidying => last = Some(Ok(reply)),
                // It has been hit, and is gone.
                Ok(_) | Err(_) if is_tidying => {}
                Ok(_) => {}
                Err(problem) => {
                    last = Some(Err(problem));
                    break;
                }
            }
        }
        let (event, body) = match last {
            Some(Ok(Reply::Stopped(stopped))) => self.stopped(&stopped, movement.reason),
            Some(Ok(Reply::Position(position))) => {
                ("stopped", self.stop(movement.reason, describe(&position), &position))
            }
            Some(Err(Refusal(problem))) => {
                let text = json!({ "category": "important", "output": format!("{problem}\n") });
                self.reporter(client).event("output", text);
                (
                    "stopped",
                    json!({ "reason": "pause", "threadId": 1, "text": problem,
                    "allThreadsStopped": true }),
                )
            }
            _ => return,
        };
        self.reporter(client).event(event, body);
    }

    fn stopped(&mut self, stopped: &Stopped, reason: &str) -> (&'static str, Value) {
        let position = &stopped.position;
        let here = describe(position);
        match &stopped.halt {
            HaltView::Reached => ("stopped", self.stop(reason, here, position)),
            HaltView::Breakpoint { id, trigger, .. } => {
                let reason = match trigger.starts_with("watch ") {
                    true => "data breakpoint",
                    false if reason == "goto" => "goto",
                    false => "breakpoint",
                };
                let mut body = self.stop(reason, format!("{trigger} · {here}"), position);
                body["hitBreakpointIds"] = json!([id]);
                ("stopped", body)
            }
            HaltView::Ended { outcome } => {
                let failed = outcome.kind != "finished";
                let stays = if failed { self.stops_at_traps } else { self.stays_at_end };
                if !stays {
                    return ("terminated", json!({}));
                }
                let reason = if failed { "exception" } else { "end" };
                let mut body = self.stop(reason, outcome.text.clone(), position);
                body["text"] = outcome.text.clone().into();
                ("stopped", body)
            }
            HaltView::Asks => {
                let call = position.pending.as_ref().map(|pending| pending.call.clone());
                let call = call.unwrap_or_default();
                let text = format!("{call} needs a value: write `answer VALUE` in the console");
                ("stopped", self.stop("input", text, position))
            }
            HaltView::Start => ("stopped", self.stop("entry", format!("start · {here}"), position)),
            HaltView::Cancelled => ("stopped", self.stop("pause", here, position)),
        }
    }

    fn stop(&self, reason: &str, description: String, position: &Position) -> Value {
        json!({ "reason": reason, "description": description, "threadId": 1,
            "allThreadsStopped": true, "place": position.place.text })
    }
}

/// Where one is, in a few words.
pub(crate) fn describe(position: &Position) -> String {
    let mut text = format!("universe {}", position.place.node);
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
