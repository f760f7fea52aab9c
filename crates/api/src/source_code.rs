//! Looking at the program as its source has it: frames, variables, expressions.

use std::sync::Arc;

use mw_session::Trigger;
use mw_source::{EvaluateError, Frame, MachineFrame, Sources, Variable};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::looked::Looked;
use crate::source_views::{ContentView, SourceFrame, SourceVariable};
use crate::terms::not_in_one_place;

/// The functions under way as the source has them, inlined ones included, innermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFrames {
    /// Of this actor, by its name or address; of the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for SourceFrames {
    type Reply = Vec<SourceFrame>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.look_at(self.actor.as_deref())?.source_frames())
    }
}

/// Variables of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceVariables {
    /// Which.
    pub of: ScopeRef,
    /// Parts of parts: at each level, the one of this index.
    #[serde(default)]
    pub path: Vec<usize>,
    /// Of this actor, by its name or address; of the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for SourceVariables {
    type Reply = Vec<SourceVariable>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let looked = debugger.look_at(self.actor.as_deref())?;
        let sources = looked.code();
        let variables = looked.variables_in(&sources, &self.of, &self.path)?;
        Ok(variables.iter().map(|variable| view(&sources, variable)).collect())
    }
}

/// Where variables of the source are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeRef {
    /// In a frame, as an index of `source-frames`.
    Frame(usize),
    /// Outside of functions.
    Globals,
    /// In the value of an expression.
    Expression {
        /// The expression.
        expression: String,
        /// The frame that it is evaluated in.
        frame: usize,
    },
}

/// Sets a variable of the source by hand, if it is a number that is in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetVariable {
    /// Where it is looked for.
    pub of: ScopeRef,
    /// Parts of parts, as for `source-variables`.
    #[serde(default)]
    pub path: Vec<usize>,
    /// Its name.
    pub name: String,
    /// The value.
    pub value: String,
    /// In this actor, which has to be the one that runs.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for SetVariable {
    type Reply = SourceVariable;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.check_running(self.actor.as_deref())?;
        debugger.set_variable(&self)
    }
}

/// The value of an expression, in the notation of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluate {
    /// The expression.
    pub expression: String,
    /// The frame, as an index of `source-frames`.
    #[serde(default)]
    pub frame: usize,
    /// In this actor, by its name or address; in the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for Evaluate {
    type Reply = SourceVariable;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let looked = debugger.look_at(self.actor.as_deref())?;
        let sources = looked.code();
        let value = looked.evaluate(&sources, &self.expression, self.frame)?;
        Ok(view(&sources, &value))
    }
}

impl Looked<'_> {
    /// The frames of the source with the machine's frames that they belong to, innermost first.
    pub(crate) fn all_frames(self, sources: &Sources) -> Vec<(usize, Frame)> {
        let module = self.module();
        let stack = self.machine.call_stack();
        let frames = |(depth, frame): (usize, &mw_vm::CallFrame<'_>)| {
            let offset = module.offset_of(frame.pc);
            let frames = offset.map(|offset| sources.frames(offset)).unwrap_or_default();
            frames.into_iter().map(move |frame| (depth, frame)).collect::<Vec<_>>()
        };
        stack.iter().enumerate().flat_map(frames).collect()
    }

    pub(crate) fn source_frames(self) -> Vec<SourceFrame> {
        let sources = self.code();
        let module = self.module();
        let stack = self.machine.call_stack();
        let view = |(depth, frame): (usize, Frame)| {
            let machine = &stack[depth];
            let file = frame.location.map(|at| sources.file(at.file).path().to_owned());
            SourceFrame {
                function: frame.function.unwrap_or_else(|| module.func_name(machine.func)),
                file,
                line: frame.location.map_or(0, |at| at.line),
                column: frame.location.map_or(0, |at| at.column),
                inlined: frame.inlined,
                depth,
                offset: module.offset_of(machine.pc),
            }
        };
        self.all_frames(&sources).into_iter().map(view).collect()
    }

    pub(crate) fn source_frame(
        self,
        sources: &Sources,
        frame: usize,
    ) -> Result<(usize, Frame), ApiError> {
        let mut frames = self.all_frames(sources);
        match frame < frames.len() {
            true => Ok(frames.swap_remove(frame)),
            false if self.has_left_all_functions() => Err(self.left()),
            false => Err(ApiError::not_here(format!("there is no frame {frame} here"))),
        }
    }

    /// The frame that an expression is asked in. Where no function is under way, the names outside
    /// of functions still mean something.
    pub(crate) fn frame_to_ask(
        self,
        sources: &Sources,
        frame: usize,
    ) -> Result<(usize, Frame), ApiError> {
        match self.has_left_all_functions() && frame == 0 {
            true => Ok(Default::default()),
            false => self.source_frame(sources, frame),
        }
    }

    fn evaluate(self, sources: &Sources, text: &str, frame: usize) -> Result<Variable, ApiError> {
        let (depth, frame) = self.frame_to_ask(sources, frame)?;
        let storage = MachineFrame::new(self.machine, depth);
        let expression = self.read_expression(text, sources, (depth, &frame));
        let value = expression.and_then(|e| e.evaluate(sources, &frame, &storage));
        value.map_err(|error| self.without_value(error))
    }

    /// Why an expression has no value here.
    fn without_value(self, error: EvaluateError) -> ApiError {
        match error {
            EvaluateError::UnknownName(name) if self.has_left_all_functions() => self.gone(&name),
            error => ApiError::unknown(error.to_string()),
        }
    }

    /// The machine's frame that a frame of the source belongs to.
    pub(crate) fn machine_frame(self, frame: usize) -> Result<usize, ApiError> {
        self.source_frame(&self.code(), frame).map(|(depth, _)| depth)
    }

    /// All variables that debug information knows: the globals, then those of each function under
    /// way, outermost first.
    pub(crate) fn all_variables(self) -> Vec<(Option<String>, Vec<Variable>)> {
        let (machine, Some(sources)) = (self.machine, self.sources()) else { return Vec::new() };
        let globals = sources.globals(&MachineFrame::new(machine, 0));
        let frames = self.all_frames(sources).into_iter().rev().map(|(depth, frame)| {
            let variables = sources.variables(&frame, &MachineFrame::new(machine, depth));
            (frame.function, variables)
        });
        std::iter::once((None, globals)).chain(frames).collect()
    }

    /// What the source calls a cell here.
    pub(crate) fn name_in_source(self, cell: mw_vm::Cell) -> Option<String> {
        let sources = self.sources()?;
        let is_it = |variable: &Variable| {
            sources.cell(variable).is_some_and(|known| known.untyped() == cell.untyped())
        };
        // Those of inner functions hide others.
        let mut known = self.all_variables().into_iter().rev().flat_map(|(_, variables)| variables);
        known.find(is_it).map(|variable| variable.name)
    }

    fn variables_in(
        self,
        sources: &Sources,
        of: &ScopeRef,
        path: &[usize],
    ) -> Result<Vec<Variable>, ApiError> {
        let machine = self.machine;
        let (depth, mut variables) = match of {
            ScopeRef::Frame(frame) => {
                let (depth, frame) = self.source_frame(sources, *frame)?;
                (depth, sources.variables(&frame, &MachineFrame::new(machine, depth)))
            }
            ScopeRef::Globals => (0, sources.globals(&MachineFrame::new(machine, 0))),
            ScopeRef::Expression { expression, frame } => {
                let (depth, _) = self.frame_to_ask(sources, *frame)?;
                let value = self.evaluate(sources, expression, *frame)?;
                (depth, sources.children(&value, &MachineFrame::new(machine, depth)))
            }
        };
        let storage = MachineFrame::new(machine, depth);
        for index in path {
            let Some(variable) = variables.get(*index) else {
                return Err(ApiError::not_here("there is no such variable here any more"));
            };
            variables = sources.children(variable, &storage);
        }
        Ok(variables)
    }

    /// The names of the variables that debug information knows here.
    pub(crate) fn source_names(self) -> Vec<String> {
        let Some(sources) = self.sources() else { return Vec::new() };
        let of = [ScopeRef::Frame(0), ScopeRef::Globals];
        let variables = of.iter().filter_map(|of| self.variables_in(sources, of, &[]).ok());
        variables.flatten().map(|variable| variable.name).collect()
    }
}

impl Debugger {
    /// The sources of the program of the task that runs; without debug information, its own text.
    pub(crate) fn code(&self) -> Arc<Sources> {
        self.running().code()
    }

    fn set_variable(&mut self, asked: &SetVariable) -> Result<SourceVariable, ApiError> {
        let SetVariable { of, path, name, value, .. } = asked;
        let sources = self.code();
        let variables = self.running().variables_in(&sources, of, path)?;
        let index = variables.iter().position(|variable| variable.name == *name);
        let Some(index) = index else {
            return Err(ApiError::not_here(format!("there is no {name} here")));
        };
        let variable = &variables[index];
        let cell = sources.cell(variable).ok_or_else(|| not_in_one_place(name))?;
        self.alter_cell(cell, name, value)?;
        let now = self.running().variables_in(&sources, of, path)?;
        // What is set may decide which variables there are.
        let gone = || SourceVariable { value: value.clone(), ..view(&sources, variable) };
        Ok(now.get(index).map_or_else(gone, |variable| view(&sources, variable)))
    }

    /// A line, or the next one with code.
    pub(crate) fn find_line(&self, file: &str, line: u32) -> Result<Trigger, ApiError> {
        let sources = self.code();
        let id = self.running().find_source_file(&sources, file)?;
        let path = sources.file(id).path();
        let line = sources.line_with_code(id, line).ok_or_else(|| {
            ApiError::unknown(format!("{path} has no code from line {line} on; `list` shows it"))
        })?;
        let module = self.session.module();
        // Before the body of a function begins, its parameters are not where they are said to be.
        let body = |offset: u32| sources.body_start(offset).map_or(offset, |body| body.max(offset));
        let entries = sources.entries(id, line).into_iter().map(body);
        let pcs: Vec<u32> = entries.filter_map(|offset| module.pc_at_offset(offset)).collect();
        Ok(Trigger::Line { name: format!("{path}:{line}"), pcs })
    }
}

pub(crate) fn view(sources: &Sources, variable: &Variable) -> SourceVariable {
    SourceVariable {
        name: variable.name.clone(),
        ty: variable.type_name.clone(),
        value: variable.value.clone(),
        address: variable.address,
        size: sources.size(variable),
        content: variable.content.map(|it| ContentView { address: it.address, size: it.size }),
        has_children: variable.has_children,
        constant: variable.constant,
    }
}
