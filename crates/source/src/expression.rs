//! Expressions that a person asks for: `jar->at.x + 1`, `shelf[i].weight > 40`, `*next`.
//!
//! They are read as C, Rust and AssemblyScript have in common: names, members, elements, pointers,
//! arithmetic, comparisons and conversions. Nothing is changed and nothing is called.

mod convert;
mod evaluate;
mod literals;
mod number;
mod parse;

use crate::frame::Frame;
use crate::sources::Sources;
use crate::storage::{Nothing, Storage};
use crate::variable::Variable;
use evaluate::Evaluation;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// It is not written as an expression is.
    #[error("{message}, at {position} in the expression")]
    Syntax {
        /// What was expected.
        message: String,
        /// The byte at which something else is.
        position: usize,
    },
    /// No variable has this name here.
    #[error("there is no {0} here")]
    UnknownName(String),
    /// The compiler left the value out, or it is not in memory.
    #[error("{0} is not available here: the compiler has optimised it out")]
    Unavailable(String),
    /// What was found cannot be used in this way.
    #[error("{0}")]
    Type(String),
}

impl Sources {
    /// The value of an expression over the variables of a frame.
    pub fn evaluate(
        &self,
        expression: &str,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<Variable, EvaluateError> {
        let tree = parse::parse(expression, &|name| self.info().is_type(name))?;
        let evaluation = Evaluation::new(self, frame, storage);
        Ok(evaluation.variable(expression.trim(), evaluation.operand(&tree)?))
    }

    /// Whether an expression makes sense in a frame: it can be read, and its names are known. That
    /// can be told before the program gets there.
    pub fn check(&self, expression: &str, frame: &Frame) -> Result<(), EvaluateError> {
        let tree = parse::parse(expression, &|name| self.info().is_type(name))?;
        let evaluation = Evaluation::new(self, frame, &Nothing);
        tree.names().into_iter().try_for_each(|name| match evaluation.knows(name) {
            true => Ok(()),
            false => Err(EvaluateError::UnknownName(name.to_owned())),
        })
    }

    /// Whether an expression holds: it is neither false, zero nor null.
    pub fn holds(
        &self,
        expression: &str,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<bool, EvaluateError> {
        let tree = parse::parse(expression, &|name| self.info().is_type(name))?;
        let evaluation = Evaluation::new(self, frame, storage);
        evaluation.truth(&evaluation.operand(&tree)?)
    }
}
