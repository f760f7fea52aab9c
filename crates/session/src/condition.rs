//! Conditions: expressions that hold or do not, in a state of the machine.

use std::fmt;

use mw_source::{EvaluateError, Expression, MachineFrame, Names, Sources, Tree};
use mw_vm::Machine;

/// A condition, such as `global 0 == 5 and weight > limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    /// What was kept may have become impossible to read.
    expression: Result<Expression, EvaluateError>,
}

impl Condition {
    /// Reads a condition. All its names have to be known.
    pub fn parse(text: &str, names: &Names<'_>) -> Result<Condition, EvaluateError> {
        let expression = Expression::parse_known(text, names)?;
        Ok(Condition { text: expression.to_string(), expression: Ok(expression) })
    }

    /// One that was kept. What it says about the source means something only where it is come to;
    /// there one is also told if it cannot be read.
    pub fn kept(text: &str, names: &Names<'_>) -> Condition {
        Condition { text: text.to_owned(), expression: Expression::parse(text, names) }
    }

    /// It as a tree.
    pub(crate) fn tree(&self) -> Option<&Tree> {
        self.expression.as_ref().ok().map(Expression::tree)
    }

    /// Whether it holds. A part of it, between `and` and `or`, about what is not there (a local of
    /// another function) does not.
    pub fn holds(&self, sources: &Sources, machine: &Machine) -> Result<bool, EvaluateError> {
        let expression = self.expression.as_ref().map_err(Clone::clone)?;
        let offset = machine.call_stack().first().and_then(|f| machine.module().offset_of(f.pc));
        let frames = offset.map(|offset| sources.frames(offset)).unwrap_or_default();
        let frame = frames.into_iter().next().unwrap_or_default();
        expression.holds(sources, &frame, &MachineFrame::new(machine, 0))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
