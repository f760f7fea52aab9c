//! What scenarios compute with: numbers and texts.

use std::fmt;

use mw_source::{Language, Number, Operator, Tree};

use crate::error::Checked;
use crate::syntax::code;

/// A value of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A number; that of a place or a checkpoint, too.
    Number(Number),
    /// A text: what a state is called, for example.
    Text(String),
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Number(number) => write!(f, "{number}"),
            Datum::Text(text) => f.write_str(text),
        }
    }
}

impl Datum {
    /// Whether it is neither zero, false nor empty.
    pub fn holds(&self) -> bool {
        match self {
            Datum::Number(number) => !number.is_zero(),
            Datum::Text(text) => !text.is_empty(),
        }
    }
}

/// An expression of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    tree: Tree,
}

impl Formula {
    /// Reads an expression that is at some place.
    pub(super) fn parse(text: &str, at: usize) -> Checked<Formula> {
        let written = code::parse(text, at)?;
        Ok(Formula { text: written.text, tree: written.tree })
    }

    /// Its value. `read` is asked for everything that is not computed: names, and what a name leads
    /// to, such as `queue->count`.
    pub fn evaluate(
        &self,
        language: Language,
        read: &mut dyn FnMut(&Tree) -> Result<Datum, String>,
    ) -> Result<Datum, String> {
        evaluate(&self.tree, language, read)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn evaluate(
    tree: &Tree,
    language: Language,
    read: &mut dyn FnMut(&Tree) -> Result<Datum, String>,
) -> Result<Datum, String> {
    let bool = |value| Ok(Datum::Number(Number::Bool(value)));
    let number = |number: Result<Number, mw_source::EvaluateError>| {
        number.map(Datum::Number).map_err(|error| error.to_string())
    };
    match tree {
        Tree::Integer(value) => Ok(Datum::Number(Number::literal(*value))),
        Tree::Float(value) => Ok(Datum::Number(Number::Float { value: *value, width: 64 })),
        Tree::Bool(value) => bool(*value),
        Tree::Null => Ok(Datum::Number(Number::literal(0))),
        Tree::Text(text) => Ok(Datum::Text(text.clone())),
        Tree::Unary('!', of) => bool(!evaluate(of, language, read)?.holds()),
        Tree::Unary(operator @ ('-' | '~'), of) => match evaluate(of, language, read)? {
            Datum::Number(of) if *operator == '-' => number(of.negated(language)),
            Datum::Number(of) => number(of.inverted(language)),
            Datum::Text(_) => Err(format!("{operator} is not for texts")),
        },
        Tree::Binary(Operator::And, left, right) => bool(
            evaluate(left, language, read)?.holds() && evaluate(right, language, read)?.holds(),
        ),
        Tree::Binary(Operator::Or, left, right) => bool(
            evaluate(left, language, read)?.holds() || evaluate(right, language, read)?.holds(),
        ),
        Tree::Binary(operator, left, right) => {
            match (evaluate(left, language, read)?, evaluate(right, language, read)?) {
                (Datum::Number(left), Datum::Number(right)) => {
                    number(left.binary(*operator, right, language))
                }
                (left, right) if *operator == Operator::Add => {
                    Ok(Datum::Text(format!("{left}{right}")))
                }
                (left, right) => {
                    let order = left.to_string().cmp(&right.to_string());
                    let holds = operator.compares(Some(order));
                    holds.map_or_else(|| Err(format!("{operator} is not for texts")), bool)
                }
            }
        }
        tree => read(tree),
    }
}
