//! Looking at single variables, and setting them by hand.

use std::sync::Arc;

use mw_source::{EvaluateError, Expression, Format, Frame, MachineFrame, Names, Sources};
use mw_vm::{Cell, Extern, Load, Value};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::looked::Looked;
use crate::notation::parse_value;
use crate::source_code::view;
use crate::source_views::SourceVariable;
use crate::variables::{Print, Printed, Variable};

/// What is meant by a text.
enum Found {
    Cell(Cell),
    InSource(Arc<Sources>, mw_source::Variable),
}

impl<'a> Looked<'a> {
    /// What names mean where these functions are under way, innermost first.
    pub(crate) fn names_in(self, functions: &'a [u32]) -> Names<'a> {
        let (module, locals) = (self.module(), self.listing().locals());
        Names { locals: Some(locals), functions, ..Names::of(module) }
    }

    /// Reads an expression in a frame of the source, which belongs to one of the machine.
    pub(crate) fn read_expression(
        self,
        text: &str,
        sources: &Sources,
        (depth, frame): (usize, &Frame),
    ) -> Result<Expression, EvaluateError> {
        self.with_names(sources, (depth, frame), |names| Expression::parse_known(text, names))
    }

    /// Does something with what names mean in a frame.
    pub(crate) fn with_names<R>(
        self,
        sources: &Sources,
        (depth, frame): (usize, &Frame),
        work: impl FnOnce(&Names<'_>) -> R,
    ) -> R {
        let stack = self.machine.call_stack();
        let functions: Vec<u32> = stack.iter().map(|frame| frame.func).collect();
        let (sources, frame, depth) = (Some(sources), Some(frame), depth as u32);
        work(&Names { sources, frame, depth, ..self.names_in(&functions) })
    }

    /// What is meant here by a text: a cell of the machine, or something of the source.
    fn find(self, text: &str, frame: usize) -> Result<Found, ApiError> {
        let (sources, depth, frame) = self.where_to_ask(frame)?;
        let expression = self.read_expression(text, &sources, (depth, &frame));
        let found = expression.and_then(|expression| match expression.cell() {
            Some(cell) => Ok(Found::Cell(cell)),
            None => {
                let storage = MachineFrame::new(self.machine, depth);
                let value = expression.evaluate(&sources, &frame, &storage)?;
                Ok(Found::InSource(sources, value))
            }
        });
        found.map_err(|error| self.not_found(text, error))
    }

    /// The sources, and the frame that is asked in with the machine's frame that it belongs to.
    pub(crate) fn where_to_ask(
        self,
        frame: usize,
    ) -> Result<(Arc<Sources>, usize, Frame), ApiError> {
        // The program's own text says nothing beyond what the machine knows.
        let Some(sources) = &self.text.sources else {
            return Ok((Arc::default(), frame, Frame::default()));
        };
        let (depth, frame) = self.frame_to_ask(sources, frame)?;
        Ok((sources.clone(), depth, frame))
    }

    pub(crate) fn not_found(self, text: &str, error: EvaluateError) -> ApiError {
        match error {
            EvaluateError::UnknownName(name) if self.has_left_all_functions() => self.gone(&name),
            error => unreadable(text, error),
        }
    }

    /// The value of an expression in a frame, its number in a format.
    fn formatted(
        self,
        text: &str,
        frame: usize,
        format: Format,
    ) -> Result<SourceVariable, ApiError> {
        let (sources, depth, frame) = self.where_to_ask(frame)?;
        let storage = MachineFrame::new(self.machine, depth);
        let expression = self.read_expression(text, &sources, (depth, &frame));
        let value = expression.and_then(|e| e.evaluate_as(format, &sources, &frame, &storage));
        value.map(|v| view(&sources, &v)).map_err(|error| self.not_found(text, error))
    }

    /// The cell that is meant.
    pub(crate) fn find_cell(self, text: &str) -> Result<Cell, ApiError> {
        match self.find(text, 0)? {
            Found::Cell(cell) => Ok(cell),
            Found::InSource(sources, value) => {
                sources.cell(&value).ok_or_else(|| not_in_one_place(text))
            }
        }
    }

    /// What a global is called: by itself, or as an export.
    pub(crate) fn global_name(self, index: u32) -> Option<String> {
        let module = self.module();
        let own = module.globals().get(index as usize)?.name.clone();
        own.or_else(|| {
            let mut exports = module.exports().iter();
            exports.find(|(_, item)| **item == Extern::Global(index)).map(|(name, _)| name.clone())
        })
    }

    pub(crate) fn value_of(self, cell: Cell) -> Result<Value, ApiError> {
        let machine = self.machine;
        machine.read(cell).ok_or_else(|| ApiError::unknown(machine.why_missing(cell)))
    }

    pub(crate) fn out_of_memory(self, address: u64) -> ApiError {
        let size = self.machine.memories().first().map_or(0, |m| m.byte_size());
        ApiError::unknown(match size {
            0 => format!("address {address:#x} is outside the memory, which is empty here"),
            _ => format!("address {address:#x} is outside the memory, which ends at {size:#x}"),
        })
    }

    fn cell_name(self, cell: Cell) -> Option<String> {
        match cell {
            Cell::Global(index) => self.global_name(index),
            Cell::Local { depth, local } => {
                let stack = self.machine.call_stack();
                let func = stack.get(depth as usize)?.func;
                self.listing().locals().name(func, local).map(str::to_owned)
            }
            Cell::Memory { .. } => None,
        }
    }

    fn variable(self, cell: Cell) -> Result<Variable, ApiError> {
        let value = self.value_of(cell)?.into();
        Ok(Variable { term: cell.to_string(), name: self.cell_name(cell), value })
    }

    pub(crate) fn print(self, asked: &Print) -> Result<Printed, ApiError> {
        let Print { term, frame, format, .. } = asked;
        if let Some(format) = format {
            return self.formatted(term, *frame, *format).map(Printed::Source);
        }
        match self.find(term, *frame)? {
            Found::Cell(cell) => self.variable(cell).map(Printed::Machine),
            Found::InSource(sources, value) => Ok(Printed::Source(view(&sources, &value))),
        }
    }
}

impl Debugger {
    /// The cell that is meant, of the machine that runs.
    pub(crate) fn find_cell(&self, text: &str) -> Result<Cell, ApiError> {
        self.running().find_cell(text)
    }

    pub(crate) fn alter(&mut self, target: &str, value: &str) -> Result<Variable, ApiError> {
        let cell = self.find_cell(target)?;
        self.alter_cell(cell, target, value)?;
        self.running().variable(cell)
    }

    /// Sets a cell, which is called something, to a value as it is written.
    pub(crate) fn alter_cell(
        &mut self,
        cell: Cell,
        name: &str,
        value: &str,
    ) -> Result<(), ApiError> {
        if let Cell::Memory { load: Load::Bytes(_), .. } = cell {
            return Err(not_in_one_place(name));
        }
        let value =
            parse_value(value, self.running().value_of(cell)?.ty()).map_err(ApiError::notation)?;
        if let Cell::Global(index) = cell
            && !self.session.module().globals()[index as usize].mutable
        {
            return Err(ApiError::unknown(format!(
                "{cell} is a constant of the program and cannot be set"
            )));
        }
        Ok(self.session.alter(cell, value)?)
    }
}

pub(crate) fn not_in_one_place(name: &str) -> ApiError {
    ApiError::unknown(format!("{name} is not a number in one place; set its parts"))
}

const HELP: &str = "write a variable's name, `global 3`, `local 0`, `local 0 of frame 1`, or \
                    memory such as `i32 @ 1024`";

/// What is wrong with an expression, and how such are written.
pub(crate) fn unreadable(text: &str, error: EvaluateError) -> ApiError {
    match error {
        EvaluateError::Syntax { .. } => {
            ApiError::notation(format!("cannot understand `{}`: {error}; {HELP}", text.trim()))
        }
        EvaluateError::UnknownName(name) => {
            let kind = if name.contains(' ') { "" } else { "variable " };
            ApiError::unknown(format!("there is no {kind}{name} here; {HELP}"))
        }
        error => ApiError::unknown(error.to_string()),
    }
}
