//! Expressions that a person asks for: `jar->at.x + 1`, `shelf[i].weight > 40`, `*next`,
//! `global 0 == 5 and i32 @ 1024 != count`.
//!
//! They are read as C, Rust and AssemblyScript have in common: names, members, elements, pointers,
//! arithmetic, comparisons and conversions. The cells of the machine are values like any other, so
//! that a program without debug information is asked in the same language. Nothing is changed and
//! nothing is called.
//!
//! This is the only place that reads them. What is kept is the tree; its text has the numbers of
//! cells in place of their names, and so means the same wherever it is read again.

mod cells;
mod convert;
mod evaluate;
mod format;
mod literals;
mod names;
mod number;
mod operator;
mod parse;
mod types;

use std::fmt;

use mw_vm::Cell;

use crate::frame::Frame;
use crate::sources::Sources;
use crate::storage::Storage;
use crate::variable::Variable;
use evaluate::Evaluation;
pub use format::Format;
pub use names::Names;
pub use number::{Number, NumberType};
pub use operator::Operator;
pub use parse::{Tree, TypeName};
pub use types::TypeDescription;

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
    /// The machine has no such cell now, or no number in it.
    #[error("there is no number in {0} here")]
    Absent(Cell),
    /// What was found cannot be used in this way.
    #[error("{0}")]
    Type(String),
    /// It depends on values, and these are not such that it has one: a null pointer, a division by
    /// zero.
    #[error("{0}")]
    Value(String),
}

/// An expression that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    tree: Tree,
}

impl Expression {
    /// Reads an expression. A name that is not known may become known where it is evaluated.
    pub fn parse(text: &str, names: &Names<'_>) -> Result<Expression, EvaluateError> {
        let (tree, text) = parse::parse(text, names)?;
        Ok(Expression { text: text.trim().to_owned(), tree })
    }

    /// The same, if all names are known. That can be told before the program gets there.
    pub fn parse_known(text: &str, names: &Names<'_>) -> Result<Expression, EvaluateError> {
        let expression = Expression::parse(text, names)?;
        let unknown = expression.tree.names().into_iter().find(|name| !names.is_in_source(name));
        match unknown {
            Some(name) => Err(EvaluateError::UnknownName(name.to_owned())),
            None => Ok(expression),
        }
    }

    /// Its parts.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The cell that it is.
    pub fn cell(&self) -> Option<Cell> {
        match self.tree {
            Tree::Cell(cell) => Some(cell),
            _ => None,
        }
    }

    /// Its value over the variables of a frame.
    pub fn evaluate(
        &self,
        sources: &Sources,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<Variable, EvaluateError> {
        if matches!(self.tree, Tree::Binary(Operator::Is, ..)) {
            return evaluate::mistake("nothing is set here: compare with ==");
        }
        let evaluation = Evaluation::new(sources, frame, storage);
        Ok(evaluation.variable(&self.text, evaluation.operand(&self.tree)?))
    }

    /// Its value as [`Expression::evaluate`] has it, its number in a format.
    pub fn evaluate_as(
        &self,
        format: Format,
        sources: &Sources,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<Variable, EvaluateError> {
        let evaluation = Evaluation::new(sources, frame, storage);
        let operand = evaluation.operand(&self.tree)?;
        let value = format.show(evaluation.number(&operand)?);
        Ok(Variable { value, ..evaluation.variable(&self.text, operand) })
    }

    /// The number that it is over the variables of a frame. A pointer is its address.
    pub fn number(
        &self,
        sources: &Sources,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<Number, EvaluateError> {
        let evaluation = Evaluation::new(sources, frame, storage);
        evaluation.number(&evaluation.operand(&self.tree)?)
    }

    /// Whether it holds: it is neither false, zero nor null. What is not there does not.
    pub fn holds(
        &self,
        sources: &Sources,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<bool, EvaluateError> {
        Evaluation::new(sources, frame, storage).holds(&self.tree)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Sources {
    /// The value of an expression over the variables of a frame.
    pub fn evaluate(
        &self,
        expression: &str,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<Variable, EvaluateError> {
        let names = Names { sources: Some(self), frame: Some(frame), ..Names::default() };
        Expression::parse(expression, &names)?.evaluate(self, frame, storage)
    }
}
