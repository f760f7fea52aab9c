//! A run as one JSON object. The keys are documented in `mw run --help`.

use std::collections::BTreeMap;
use std::io;

use mw_vm::Value;
use mw_world::View;
use serde::Serialize;
use serde_json::json;

use super::drive::{Ending, Run};
use super::watch::{Event, Interaction, Watcher};
use crate::values::to_json;

/// Collects interactions, if they are wanted, for the object at the end.
pub struct Collected {
    interactions: Option<Vec<Told>>,
}

impl Watcher for Collected {
    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()> {
        let Some(interactions) = &mut self.interactions else { return Ok(()) };
        let Interaction { count, call, event, world } = interaction;
        let mut told = Told {
            instructions: *count,
            call: world.show(*call),
            primitive: world.primitive(call.import).map(|p| p.full_name()).ok(),
            args: call.args.iter().copied().map(to_json).collect(),
            ..Told::default()
        };
        match event {
            Event::Input { value, domain } => {
                told.kind = "input";
                told.value = Some(to_json(*value));
                told.domain = Some(domain.to_string());
            }
            Event::Output { effect } => {
                told.kind = "output";
                told.effect = Some(effect.clone());
            }
            Event::Abort { message } => {
                told.kind = "abort";
                told.message = Some(message.clone());
            }
        }
        interactions.push(told);
        Ok(())
    }
}

/// An interaction as it is told. What its kind does not have is left out.
#[derive(Default, Serialize)]
struct Told {
    instructions: u64,
    call: String,
    primitive: Option<String>,
    args: Vec<serde_json::Value>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize)]
struct Object {
    outcome: &'static str,
    results: Vec<serde_json::Value>,
    instructions: u64,
    choices: u64,
    outputs: u64,
    trap: Option<Trap>,
    abort: Option<Abort>,
    transcript: String,
    world: World,
    #[serde(skip_serializing_if = "Option::is_none")]
    interactions: Option<Vec<Told>>,
}

#[derive(Serialize)]
struct Trap {
    kind: mw_vm::TrapKind,
    function: Option<String>,
    offset: Option<u32>,
    stack: Vec<Frame>,
}

#[derive(Serialize)]
struct Abort {
    message: String,
    stack: Vec<Frame>,
}

#[derive(Serialize)]
struct Frame {
    function: String,
    offset: Option<u32>,
}

#[derive(Serialize)]
struct World {
    name: String,
    registers: BTreeMap<String, serde_json::Value>,
    readings: BTreeMap<String, serde_json::Value>,
    board: Option<serde_json::Value>,
}

impl Collected {
    pub fn new(with_interactions: bool) -> Collected {
        Collected { interactions: with_interactions.then(Vec::new) }
    }

    /// The object, as text.
    pub fn object(self, run: &Run, ending: &Ending) -> String {
        let view = run.world.view();
        let result =
            |value: &Value| json!({ "type": value.ty().to_string(), "value": to_json(*value) });
        let transcript = view.board.as_ref().map(|board| board.transcript.clone());
        let mut object = Object {
            outcome: "finished",
            results: Vec::new(),
            instructions: run.machine.count(),
            choices: run.choices,
            outputs: run.outputs,
            trap: None,
            abort: None,
            transcript: transcript.unwrap_or_default(),
            world: world(view),
            interactions: self.interactions,
        };
        match ending {
            Ending::Finished(results) => object.results = results.iter().map(result).collect(),
            Ending::BudgetUsedUp => object.outcome = "budget",
            Ending::Trapped(report) => {
                object.outcome = "trapped";
                let (function, offset) = report.stack.first().cloned().unzip();
                let (offset, stack) = (offset.flatten(), frames(&report.stack));
                object.trap = Some(Trap { kind: report.kind, function, offset, stack });
            }
            Ending::Aborted { message, report } => {
                object.outcome = "aborted";
                let stack = report.as_ref().map(|report| frames(&report.stack));
                let (message, stack) = (message.clone(), stack.unwrap_or_default());
                object.abort = Some(Abort { message, stack });
            }
        }
        // Numbers, strings and maps with plain keys: there is nothing that JSON could not hold.
        serde_json::to_string(&object).unwrap_or_default()
    }
}

fn frames(stack: &[(String, Option<u32>)]) -> Vec<Frame> {
    let frame =
        |(function, offset): &(String, _)| Frame { function: function.clone(), offset: *offset };
    stack.iter().map(frame).collect()
}

fn world(view: View) -> World {
    let board = view.board.map(|board| {
        let is_on = board.display.on;
        let mut board = serde_json::to_value(board).unwrap_or_default();
        if let Some(board) = board.as_object_mut() {
            board.remove("transcript");
            let display = board.get_mut("display").and_then(serde_json::Value::as_object_mut);
            if let Some(display) = display.filter(|_| !is_on) {
                display.remove("pixels");
            }
        }
        board
    });
    World {
        name: view.world,
        registers: view.registers.into_iter().map(|(name, v)| (name, to_json(v))).collect(),
        readings: view.readings.into_iter().map(|r| (r.call, to_json(r.value))).collect(),
        board,
    }
}
