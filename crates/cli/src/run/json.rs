//! A run as one JSON object. The keys are documented in `mw run --help`.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write};

use mw_vm::Value;
use mw_world::View;
use serde::Serialize;
use serde_json::json;

use super::drive::{Ending, Run};
use super::watch::{Event, Interaction, Watcher};
use crate::failure::Failure;
use crate::values::to_json;

/// Writes the object while the program runs, so that nothing has to be kept: first what may go on
/// for ever, which is the transcript or the interactions, and the rest when it is over.
pub struct Streamed {
    out: BufWriter<Stdout>,
    with_interactions: bool,
    /// Whether anything has been written of what comes first.
    has_begun: bool,
    /// The beginning of a character that was not printed as a whole.
    begun: Vec<u8>,
}

impl Watcher for Streamed {
    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()> {
        if !self.with_interactions {
            return self.transcript(interaction.printed);
        }
        let Interaction { count, call, event, printed, world } = interaction;
        let text = || String::from_utf8_lossy(printed).into_owned();
        let mut told = Told {
            instructions: *count,
            call: world.show(*call),
            primitive: world.primitive(call.import).map(|p| p.full_name()).ok(),
            args: call.args.iter().copied().map(to_json).collect(),
            printed: (!printed.is_empty()).then(text),
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
        if std::mem::replace(&mut self.has_begun, true) {
            self.out.write_all(b",")?;
        }
        Ok(serde_json::to_writer(&mut self.out, &told)?)
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
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<String>,
    world: World,
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

impl Streamed {
    /// Begins the object.
    pub fn new(with_interactions: bool) -> io::Result<Streamed> {
        let mut out = BufWriter::new(io::stdout());
        let first = if with_interactions { "\"interactions\":[" } else { "\"transcript\":\"" };
        write!(out, "{{{first}")?;
        Ok(Streamed { out, with_interactions, has_begun: false, begun: Vec::new() })
    }

    /// Writes a piece of the transcript. A character may be printed in pieces, too.
    fn transcript(&mut self, printed: &[u8]) -> io::Result<()> {
        self.begun.extend_from_slice(printed);
        let mut text = String::new();
        for chunk in std::mem::take(&mut self.begun).utf8_chunks() {
            self.give_up_character(&mut text);
            text.push_str(chunk.valid());
            self.begun = chunk.invalid().to_vec();
            let is_wrong = |error: std::str::Utf8Error| error.error_len().is_some();
            if std::str::from_utf8(chunk.invalid()).is_err_and(is_wrong) {
                self.give_up_character(&mut text);
            }
        }
        self.quoted(&text)
    }

    /// The character that has begun will not be one.
    fn give_up_character(&mut self, text: &mut String) {
        if !std::mem::take(&mut self.begun).is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }

    fn quoted(&mut self, text: &str) -> io::Result<()> {
        let quoted = serde_json::to_string(text)?;
        self.out.write_all(&quoted.as_bytes()[1..quoted.len() - 1])
    }

    /// Ends the object with how the run ended, or with why it came to no end.
    pub fn finish(mut self, run: &Run, ending: Result<&Ending, &Failure>) -> io::Result<()> {
        let mut text = String::new();
        self.give_up_character(&mut text);
        self.quoted(&text)?;
        let rest = match ending {
            Ok(ending) => serde_json::to_string(&object(run, ending))?,
            Err(failure) => json!({ "outcome": null, "error": failure.to_string() }).to_string(),
        };
        let end = if self.with_interactions { "]" } else { "\"" };
        writeln!(self.out, "{end},{}", &rest[1..])?;
        self.out.flush()
    }
}

/// All that is known at the end.
fn object(run: &Run, ending: &Ending) -> Object {
    let view = run.now.world.view();
    let result =
        |value: &Value| json!({ "type": value.ty().to_string(), "value": to_json(*value) });
    let mut object = Object {
        outcome: "finished",
        results: Vec::new(),
        instructions: run.now.machine.count(),
        choices: run.choices,
        outputs: run.outputs,
        trap: None,
        abort: None,
        stuck: None,
        world: world(view),
    };
    match ending {
        Ending::Finished(results) => object.results = results.iter().map(result).collect(),
        Ending::BudgetUsedUp => object.outcome = "budget",
        Ending::Stuck { kind, text } => {
            object.outcome = kind;
            object.stuck = Some(text.clone());
        }
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
    object
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
