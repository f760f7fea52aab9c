//! Where to stop.

use mw_ensemble::Moment;
use mw_session::{
    Breakpoint, BreakpointId, Condition, Direction, HitRuleError, MessagePattern, Point, Trigger,
    Unattended, Watch,
};
use mw_source::{EvaluateError, Names};
use mw_vm::{Cell, Machine};
use mw_world::Kind;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::inputs::CallPattern;
use crate::notation::trigger::read_trigger;
use crate::notation::{TriggerRef, TriggerSpec, Which, list};
use crate::source_views::SourceLine;
use crate::terms::unreadable;
use crate::views::ValueView;

/// Adds a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddBreakpoint {
    /// What it waits for.
    pub trigger: TriggerRef,
    /// It only stops the program if this holds: an expression of the source, or a comparison
    /// of the machine's variables.
    #[serde(default)]
    pub condition: Option<String>,
    /// Which of its hits stop the program: `3` or `>= 3` for the third and all later ones,
    /// `== 3`, `< 3`, `% 3` for every third.
    #[serde(default)]
    pub hits: Option<String>,
    /// What to log instead of stopping; expressions in braces are replaced by their values.
    #[serde(default)]
    pub log: Option<String>,
    /// Whether it is removed once it has stopped the program.
    #[serde(default)]
    pub temporary: bool,
}

impl Ask for AddBreakpoint {
    type Reply = BreakpointView;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let mut breakpoint = debugger.new_breakpoint(&self.trigger)?;
        breakpoint.temporary = self.temporary;
        debugger.refine(&mut breakpoint, [&self.condition, &self.hits, &self.log])?;
        let id = debugger.session.breakpoints_mut().add(breakpoint.clone());
        Ok(debugger.breakpoint_view(id, &breakpoint))
    }
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakpointView {
    /// Its number.
    pub id: u32,
    /// What it waits for, as it could have been written.
    pub trigger: String,
    /// It only stops the program if this holds.
    pub condition: Option<String>,
    /// Which of its hits stop the program, such as `>= 3`.
    pub hits: Option<String>,
    /// What it logs instead of stopping the program.
    pub log: Option<String>,
    /// How often it has been come to while its condition held.
    pub passed: u64,
    /// Whether it is taken notice of.
    pub enabled: bool,
    /// Whether it is removed once it has stopped the program.
    pub temporary: bool,
    /// The byte offset in the binary, for one in the code.
    pub offset: Option<u32>,
    /// Where that is in the source, if it is known.
    pub source: Option<SourceLine>,
}

/// Says anew when a breakpoint stops the program. What is left out stays as it is; an empty
/// text takes it away. Hits are counted from 0 again if they matter now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeBreakpoint {
    /// Its number, or what it waits for.
    pub id: Which,
    /// As in `add-breakpoint`.
    #[serde(default)]
    pub condition: Option<String>,
    /// As in `add-breakpoint`.
    #[serde(default)]
    pub hits: Option<String>,
    /// As in `add-breakpoint`.
    #[serde(default)]
    pub log: Option<String>,
}

impl Ask for ChangeBreakpoint {
    type Reply = BreakpointView;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let &[id] = debugger.find_breakpoints(&self.id)?.as_slice() else {
            return Err(ApiError::unknown(
                "several breakpoints wait for that; say which one by its number, `info \
                 breakpoints` lists them",
            ));
        };
        let known = debugger.session.breakpoints().get(id).cloned();
        let mut breakpoint = known.ok_or_else(|| no_breakpoint(&id.0.to_string()))?;
        debugger.refine(&mut breakpoint, [&self.condition, &self.hits, &self.log])?;
        debugger.session.breakpoints_mut().replace(id, breakpoint.clone());
        Ok(debugger.breakpoint_view(id, &breakpoint))
    }
}

/// Removes breakpoints: one, those that wait for something, or all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveBreakpoint {
    /// Its number, or what it waits for as `add-breakpoint` has it.
    #[serde(default)]
    pub id: Option<Which>,
}

impl Ask for RemoveBreakpoint {
    type Reply = Vec<BreakpointView>;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let chosen = match &self.id {
            Some(which) => debugger.find_breakpoints(which)?,
            None => debugger.session.breakpoints().iter().map(|(id, _)| id).collect(),
        };
        for id in chosen {
            debugger.session.breakpoints_mut().remove(id);
        }
        Ok(debugger.breakpoints())
    }
}

/// Switches breakpoints on or off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnableBreakpoint {
    /// Its number, or what it waits for.
    pub id: Which,
    /// On or off.
    pub enabled: bool,
}

impl Ask for EnableBreakpoint {
    type Reply = Vec<BreakpointView>;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        for id in debugger.find_breakpoints(&self.id)? {
            debugger.session.breakpoints_mut().enable(id, self.enabled);
        }
        Ok(debugger.breakpoints())
    }
}

/// All breakpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakpoints {}

impl Ask for Breakpoints {
    type Reply = Vec<BreakpointView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.breakpoints())
    }
}

impl Debugger {
    /// Says when a breakpoint stops the program, and what it logs; what is not given stays as it is.
    pub(crate) fn refine(
        &mut self,
        breakpoint: &mut Breakpoint,
        [condition, hits, log]: [&Option<String>; 3],
    ) -> Result<(), ApiError> {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        if let Some(hits) = hits {
            let rule = given(hits).map(|text| text.parse()).transpose();
            breakpoint.hits =
                rule.map_err(|error: HitRuleError| ApiError::notation(error.to_string()))?;
            breakpoint.passed = 0;
        }
        if let Some(log) = log {
            breakpoint.log = given(log);
        }
        if let Some(condition) = condition {
            let condition = given(condition);
            let read = condition.map(|text| self.read_condition(&text, &breakpoint.trigger));
            breakpoint.condition = read.transpose()?;
        }
        if breakpoint.log.is_some() && self.session.sources().is_empty() {
            self.session.set_sources(self.session.program_number(), self.code());
        }
        Ok(())
    }

    /// A condition, as it is meant where a trigger is come to.
    fn read_condition(&self, text: &str, trigger: &Trigger) -> Result<Condition, ApiError> {
        // In a function, its locals have names; elsewhere those of the function that is executed.
        let module = self.session.module();
        let pc = match trigger {
            Trigger::Function(func) => Some(module.func_code(*func).start),
            Trigger::Instruction(pc) => Some(*pc),
            Trigger::Line { pcs, .. } => pcs.first().copied(),
            _ => self.session.machine().call_stack().first().map(|frame| frame.pc),
        };
        let functions = Vec::from_iter(pc.and_then(|pc| module.func_at(pc)));
        let sources = self.sources();
        let offset = pc.and_then(|pc| module.offset_of(pc));
        let frames = sources.zip(offset).map(|(sources, offset)| sources.frames(offset));
        let frame = frames.iter().flatten().next();
        let names = Names { sources, frame, ..self.running().names_in(&functions) };
        Condition::parse(text, &names).map_err(|error| match error {
            error @ EvaluateError::Syntax { .. } => unreadable(text, error),
            error => {
                let ApiError { kind, message } = unreadable(text, error);
                ApiError::new(kind, format!("the condition `{text}`: {message}"))
            }
        })
    }

    /// A breakpoint in the program of the actor that runs, or of a function that only another one
    /// has. What is watched is that actor's own.
    pub(crate) fn new_breakpoint(&self, trigger: &TriggerRef) -> Result<Breakpoint, ApiError> {
        let world = self.session.world();
        let spec = read_trigger(trigger, |name| world.find(name).is_some())?;
        let (program, trigger) = self.find_trigger(spec)?;
        let current = self.ensemble().map(|ensemble| ensemble.current());
        let task = current.filter(|_| matches!(trigger, Trigger::Watch(_)));
        Ok(Breakpoint { program, task, ..Breakpoint::new(trigger) })
    }

    /// A function by its name: of the program that runs, else of the one other that has it.
    fn find_function_of_any(&self, name: &str) -> Result<(u16, u32), ApiError> {
        let own = self.session.program_number();
        let here = self.program(own);
        if self.texts.len() == 1 || !here.functions_named(name).is_empty() {
            return here.find_function(name).map(|func| (own, func));
        }
        let others = (0..self.texts.len() as u16).filter(|number| *number != own);
        let others: Vec<u16> = others
            .filter(|number| !self.program(*number).functions_named(name).is_empty())
            .collect();
        match others[..] {
            [] => here.find_function(name).map(|func| (own, func)),
            [other] => self.program(other).find_function(name).map(|func| (other, func)),
            _ => {
                let files =
                    others.iter().map(|number| self.texts[usize::from(*number)].file_name());
                Err(ApiError::unknown(format!(
                    "several programs have a function {name}: {}; break where one of them runs, after \
                     `schedule ACTOR`",
                    list(files, "")
                )))
            }
        }
    }

    /// What is meant by a trigger, and the program that it is in.
    fn find_trigger(&self, spec: TriggerSpec) -> Result<(u16, Trigger), ApiError> {
        let own = self.session.program_number();
        let here = |trigger: Trigger| (own, trigger);
        match spec {
            TriggerSpec::Function(name) => {
                let (program, func) = self.find_function_of_any(&name)?;
                let body = self.body_of(program, func);
                Ok((program, body.unwrap_or(Trigger::Function(func))))
            }
            TriggerSpec::Line { file, line } => self.find_line(&file, line).map(here),
            TriggerSpec::Offset(offset) => {
                self.find_offset(offset).map(Trigger::Instruction).map(here)
            }
            TriggerSpec::Primitive { call, value } => {
                let pattern = self.find_call(&call)?;
                let value = match value {
                    None => None,
                    Some(_) if self.is_output(pattern.import) => {
                        return Err(ApiError::notation(format!(
                            "{} is an output and returns nothing to wait for; leave the value out",
                            pattern.name
                        )));
                    }
                    Some(text) => Some(self.possible_value(&pattern, &text)?),
                };
                Ok(here(Trigger::Primitive(pattern.returning(value))))
            }
            TriggerSpec::Message { point, name, from, to } => {
                let point = match point.as_str() {
                    "send" => Point::Sent,
                    "receive" => Point::Received,
                    "answer" => Point::Answered,
                    "told" => Point::Told,
                    other => {
                        return Err(ApiError::notation(format!(
                            "{other} is no point in the life of a message; there are send, receive, \
                             answer and told"
                        )));
                    }
                };
                self.check_tasks()?;
                Ok(here(Trigger::Message(MessagePattern { point, from, to, name, one: None })))
            }
            TriggerSpec::Watch { term, length } => {
                let cell = match (self.find_cell(&term)?, length) {
                    (Cell::Memory { address, .. }, Some(length)) => Cell::bytes(address, length),
                    (cell, _) => cell,
                };
                // What is not there cannot be watched.
                self.running().value_of(match cell {
                    Cell::Memory { address, .. } => Cell::bytes(address, 1),
                    other => other,
                })?;
                Ok(here(Trigger::Watch(Watch::new(cell, self.session.machine().call_depth()))))
            }
        }
    }

    /// Where a function begins to do what is written, if that is not with its first instruction.
    fn body_of(&self, program: u16, func: u32) -> Option<Trigger> {
        let code = self.program(program);
        let start = code.module.offset_of(code.module.func_code(func).start)?;
        let pc = code.module.pc_at_offset(code.sources?.body_start(start)?)?;
        Some(Trigger::Line { name: code.function_name(func), pcs: vec![pc] })
    }

    fn is_output(&self, import: u32) -> bool {
        !matches!(self.session.world().kind(import), Ok(Kind::Input))
    }

    /// The instruction at a byte offset in the binary.
    pub(crate) fn find_offset(&self, offset: u32) -> Result<u32, ApiError> {
        let module = self.session.module();
        let pc = module.pc_at_offset(offset);
        let exact = pc.filter(|pc| module.offset_of(*pc) == Some(offset));
        exact.ok_or_else(|| {
            let near = match pc.and_then(|pc| module.offset_of(pc)) {
                Some(next) => format!("the next one is at {next:#x}"),
                None => "the code ends before it".into(),
            };
            ApiError::unknown(format!(
                "no instruction begins at {offset:#x}; {near}; `disassemble` shows offsets"
            ))
        })
    }

    /// The breakpoint of a number, or those that wait for what is written: one at least.
    fn find_breakpoints(&self, which: &Which) -> Result<Vec<BreakpointId>, ApiError> {
        let known = self.session.breakpoints().iter();
        let (found, name): (Vec<BreakpointId>, String) = match which {
            Which::Number(number) => {
                let found = known.map(|(id, _)| id).filter(|id| id.0 == *number);
                (found.collect(), number.to_string())
            }
            Which::Name(text) => {
                let watch = format!("watch {text}");
                // What was set may be out of sight by now: by its text, or by what is meant.
                let meant =
                    [text.as_str(), &watch].map(|text| self.new_breakpoint(&text.into()).ok());
                let is_meant = |known: &Breakpoint| {
                    let shown = self.trigger_text(known);
                    shown == *text
                        || shown == watch
                        || meant.iter().flatten().any(|meant| {
                            meant.program == known.program && covers(&meant.trigger, &known.trigger)
                        })
                };
                let found = known.filter(|(_, breakpoint)| is_meant(breakpoint));
                (found.map(|(id, _)| id).collect(), format!("at {text}"))
            }
        };
        match found.is_empty() {
            false => Ok(found),
            true => Err(no_breakpoint(&name)),
        }
    }

    pub(crate) fn breakpoints(&self) -> Vec<BreakpointView> {
        let breakpoints = self.session.breakpoints().iter();
        breakpoints.map(|(id, breakpoint)| self.breakpoint_view(id, breakpoint)).collect()
    }

    fn breakpoint_view(&self, id: BreakpointId, breakpoint: &Breakpoint) -> BreakpointView {
        let module = self.program(breakpoint.program).module;
        let offset = match breakpoint.trigger {
            Trigger::Instruction(pc) => module.offset_of(pc),
            Trigger::Line { ref pcs, .. } => pcs.first().and_then(|pc| module.offset_of(*pc)),
            Trigger::Function(func) => module.offset_of(module.func_code(func).start),
            _ => None,
        };
        let condition = breakpoint.condition.as_ref().map(ToString::to_string);
        BreakpointView {
            id: id.0,
            trigger: self.trigger_text(breakpoint),
            condition,
            hits: breakpoint.hits.map(|rule| rule.to_string()),
            log: breakpoint.log.clone(),
            passed: breakpoint.passed,
            enabled: breakpoint.enabled,
            temporary: breakpoint.temporary,
            offset,
            source: (offset.filter(|_| breakpoint.program == self.session.program_number()))
                .and_then(|offset| self.source_line(offset)),
        }
    }

    /// A trigger as it could have been written.
    pub(crate) fn trigger_text(&self, breakpoint: &Breakpoint) -> String {
        let code = self.program(breakpoint.program);
        match &breakpoint.trigger {
            Trigger::Instruction(pc) => match code.module.offset_of(*pc) {
                Some(offset) => format!("*{offset:#x}"),
                None => format!("instruction {pc}"),
            },
            Trigger::Line { name, .. } => name.clone(),
            Trigger::Function(func) => code.function_name(*func),
            Trigger::Primitive(pattern) => {
                let name = self.session.world().primitive(pattern.import).map(|p| p.full_name());
                let call = CallPattern {
                    import: pattern.import,
                    name: name.unwrap_or_default(),
                    args: pattern.args.clone(),
                };
                match pattern.value {
                    Some(value) => {
                        let value = self.input_text(pattern.import, value);
                        format!("{} = {value}", call.text())
                    }
                    None => call.text(),
                }
            }
            Trigger::Message(pattern) => pattern.to_string(),
            Trigger::Watch(watch) => {
                let name = match self.watched(*watch) {
                    Cell::Global(global) => self.running().global_name(global),
                    cell => self.running().name_in_source(cell),
                };
                format!("watch {}", name.unwrap_or_else(|| watch.to_string()))
            }
        }
    }

    /// What a watchpoint watches, seen from here.
    fn watched(&self, watch: Watch) -> Cell {
        watch.cell(self.session.machine().call_depth())
    }

    /// What the instruction that is come to writes where something is watched: what was there, and
    /// what is there then.
    pub(crate) fn watched_change(
        &mut self,
        trigger: &Trigger,
        direction: Direction,
    ) -> (Option<ValueView>, Option<ValueView>) {
        let Trigger::Watch(watch) = *trigger else { return (None, None) };
        let value = |machine: &Machine| machine.read(watch.cell(machine.call_depth()));
        let now = value(self.session.machine()).map(ValueView::from);
        // Forward one is after the instruction, back before it.
        let here = self.session.here().count;
        let there = match direction {
            Direction::Forward => here.saturating_sub(1),
            Direction::Back => here + 1,
        };
        let there = self.in_this_universe(there);
        let look = |moment: &mut Moment| value(&moment.machine);
        let there = self.session.look_at(there, &mut Unattended, look).ok().flatten();
        let there = there.map(ValueView::from);
        match direction {
            Direction::Forward => (there, now),
            Direction::Back => (now, there),
        }
    }
}

fn no_breakpoint(name: &str) -> ApiError {
    ApiError::unknown(format!("there is no breakpoint {name}; `info breakpoints` lists them"))
}

/// Whether a trigger is what is meant by another one: a primitive alone is meant with whatever
/// arguments and value.
fn covers(meant: &Trigger, trigger: &Trigger) -> bool {
    match (meant, trigger) {
        (Trigger::Primitive(meant), Trigger::Primitive(pattern)) if meant.args.is_none() => {
            meant.import == pattern.import
                && (meant.value.is_none() || meant.value == pattern.value)
        }
        _ => meant == trigger,
    }
}
