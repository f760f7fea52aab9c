//! Where to stop.

use mw_session::{
    Breakpoint, BreakpointId, Condition, HitRuleError, PrimitivePattern, Trigger, Watch,
};
use mw_source::{EvaluateError, Names};
use mw_vm::Cell;
use mw_world::Kind;

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::inputs::CallPattern;
use crate::notation::trigger::read_trigger;
use crate::reply::{BreakpointView, Reply, ValueView};
use crate::request::{TriggerRef, TriggerSpec, Which};
use crate::terms::unreadable;

/// When a breakpoint stops the program; what is not given stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct When {
    pub condition: Option<String>,
    pub hits: Option<String>,
    pub log: Option<String>,
}

impl Debugger {
    pub(crate) fn add_breakpoint(
        &mut self,
        trigger: &TriggerRef,
        when: &When,
        temporary: bool,
    ) -> Result<Reply, ApiError> {
        let mut breakpoint = Breakpoint::new(self.read_trigger(trigger)?);
        breakpoint.temporary = temporary;
        self.refine(&mut breakpoint, when)?;
        let id = self.session.breakpoints_mut().add(breakpoint.clone());
        Ok(Reply::Breakpoint(self.breakpoint_view(id, &breakpoint)))
    }

    pub(crate) fn change_breakpoint(
        &mut self,
        which: &Which,
        when: &When,
    ) -> Result<Reply, ApiError> {
        let &[id] = self.find_breakpoints(which)?.as_slice() else {
            return Err(ApiError::unknown(
                "several breakpoints wait for that; say which one by its number, `info \
                 breakpoints` lists them",
            ));
        };
        let Some(mut breakpoint) = self.session.breakpoints().get(id).cloned() else {
            return Ok(Reply::Done);
        };
        self.refine(&mut breakpoint, when)?;
        self.session.breakpoints_mut().replace(id, breakpoint.clone());
        Ok(Reply::Breakpoint(self.breakpoint_view(id, &breakpoint)))
    }

    fn refine(&mut self, breakpoint: &mut Breakpoint, when: &When) -> Result<(), ApiError> {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        if let Some(hits) = &when.hits {
            let rule = given(hits).map(|text| text.parse()).transpose();
            breakpoint.hits =
                rule.map_err(|error: HitRuleError| ApiError::notation(error.to_string()))?;
            breakpoint.passed = 0;
        }
        if let Some(log) = &when.log {
            breakpoint.log = given(log);
        }
        if let Some(condition) = &when.condition {
            let condition = given(condition);
            let read = condition.map(|text| self.read_condition(&text, &breakpoint.trigger));
            breakpoint.condition = read.transpose()?;
        }
        if breakpoint.log.is_some() && self.session.sources().is_empty() {
            self.session.set_sources(self.code());
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
        let sources = self.sources.as_deref();
        let offset = pc.and_then(|pc| module.offset_of(pc));
        let frames = sources.zip(offset).map(|(sources, offset)| sources.frames(offset));
        let frame = frames.iter().flatten().next();
        let names = Names { sources, frame, ..self.names_in(&functions) };
        Condition::parse(text, &names).map_err(|error| match error {
            error @ EvaluateError::Syntax { .. } => unreadable(text, error),
            error => {
                let ApiError { kind, message } = unreadable(text, error);
                ApiError::new(kind, format!("the condition `{text}`: {message}"))
            }
        })
    }

    /// What is meant by a trigger.
    pub(crate) fn read_trigger(&self, trigger: &TriggerRef) -> Result<Trigger, ApiError> {
        let world = self.session.world();
        let spec = read_trigger(trigger, |name| world.find(name).is_some())?;
        self.find_trigger(spec)
    }

    fn find_trigger(&self, spec: TriggerSpec) -> Result<Trigger, ApiError> {
        match spec {
            TriggerSpec::Function(name) => {
                let func = self.find_function(&name)?;
                Ok(self.body_of(func).unwrap_or(Trigger::Function(func)))
            }
            TriggerSpec::Line { file, line } => self.find_line(&file, line),
            TriggerSpec::Offset(offset) => self.find_offset(offset).map(Trigger::Instruction),
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
                let CallPattern { import, args, .. } = pattern;
                Ok(Trigger::Primitive(PrimitivePattern { import, args, value }))
            }
            TriggerSpec::Watch { term, length } => {
                let cell = match (self.find_cell(&term)?, length) {
                    (Cell::Memory { address, .. }, Some(length)) => Cell::bytes(address, length),
                    (cell, _) => cell,
                };
                // What is not there cannot be watched.
                self.value_of(match cell {
                    Cell::Memory { address, .. } => Cell::bytes(address, 1),
                    other => other,
                })?;
                Ok(Trigger::Watch(Watch::new(cell, self.session.machine().call_depth())))
            }
        }
    }

    /// Where a function begins to do what is written, if that is not with its first instruction.
    fn body_of(&self, func: u32) -> Option<Trigger> {
        let module = self.session.module();
        let start = module.offset_of(module.func_code(func).start)?;
        let pc = module.pc_at_offset(self.sources.as_ref()?.body_start(start)?)?;
        Some(Trigger::Line { name: self.function_name(func), pcs: vec![pc] })
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
                    [text.as_str(), &watch].map(|text| self.read_trigger(&text.into()).ok());
                let is_meant = |trigger: &Trigger| {
                    let shown = self.trigger_text(trigger);
                    shown == *text
                        || shown == watch
                        || meant.iter().flatten().any(|meant| covers(meant, trigger))
                };
                let found = known.filter(|(_, breakpoint)| is_meant(&breakpoint.trigger));
                (found.map(|(id, _)| id).collect(), format!("at {text}"))
            }
        };
        match found.is_empty() {
            false => Ok(found),
            true => Err(ApiError::unknown(format!(
                "there is no breakpoint {name}; `info breakpoints` lists them"
            ))),
        }
    }

    pub(crate) fn remove_breakpoint(&mut self, which: Option<&Which>) -> Result<Reply, ApiError> {
        let chosen = match which {
            Some(which) => self.find_breakpoints(which)?,
            None => self.session.breakpoints().iter().map(|(id, _)| id).collect(),
        };
        for id in chosen {
            self.session.breakpoints_mut().remove(id);
        }
        Ok(Reply::Breakpoints(self.breakpoints()))
    }

    pub(crate) fn enable_breakpoint(
        &mut self,
        which: &Which,
        enabled: bool,
    ) -> Result<Reply, ApiError> {
        for id in self.find_breakpoints(which)? {
            self.session.breakpoints_mut().enable(id, enabled);
        }
        Ok(Reply::Breakpoints(self.breakpoints()))
    }

    pub(crate) fn breakpoints(&self) -> Vec<BreakpointView> {
        let breakpoints = self.session.breakpoints().iter();
        breakpoints.map(|(id, breakpoint)| self.breakpoint_view(id, breakpoint)).collect()
    }

    fn breakpoint_view(&self, id: BreakpointId, breakpoint: &Breakpoint) -> BreakpointView {
        let module = self.session.module();
        let offset = match breakpoint.trigger {
            Trigger::Instruction(pc) => module.offset_of(pc),
            Trigger::Line { ref pcs, .. } => pcs.first().and_then(|pc| module.offset_of(*pc)),
            Trigger::Function(func) => module.offset_of(module.func_code(func).start),
            _ => None,
        };
        let condition = breakpoint.condition.as_ref().map(ToString::to_string);
        BreakpointView {
            id: id.0,
            trigger: self.trigger_text(&breakpoint.trigger),
            condition,
            hits: breakpoint.hits.map(|rule| rule.to_string()),
            log: breakpoint.log.clone(),
            passed: breakpoint.passed,
            enabled: breakpoint.enabled,
            temporary: breakpoint.temporary,
            offset,
            source: offset.and_then(|offset| self.source_line(offset)),
        }
    }

    /// A trigger as it could have been written.
    pub(crate) fn trigger_text(&self, trigger: &Trigger) -> String {
        let module = self.session.module();
        match trigger {
            Trigger::Instruction(pc) => match module.offset_of(*pc) {
                Some(offset) => format!("*{offset:#x}"),
                None => format!("instruction {pc}"),
            },
            Trigger::Line { name, .. } => name.clone(),
            Trigger::Function(func) => self.function_name(*func),
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
            Trigger::Watch(watch) => {
                let name = match self.watched(*watch) {
                    Cell::Global(global) => self.global_name(global),
                    _ => None,
                };
                format!("watch {}", name.unwrap_or_else(|| watch.to_string()))
            }
        }
    }

    /// What a watchpoint watches, seen from here.
    fn watched(&self, watch: Watch) -> Cell {
        watch.cell(self.session.machine().call_depth())
    }

    pub(crate) fn watched_value(&self, trigger: &Trigger) -> Option<ValueView> {
        let Trigger::Watch(watch) = trigger else { return None };
        Some(self.session.machine().read(self.watched(*watch))?.into())
    }
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
