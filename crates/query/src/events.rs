//! What can be asked for: kinds of events, and what has to hold of one.

use mw_session::{Condition, Watch};
use mw_vm::Value;

/// An event, by what is worth keeping of each: the function, the instruction, the primitive.
pub type Event = u32;

/// Events of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Events {
    /// What kind.
    pub kind: Kind,
    /// Only in this program, by its number, if there are several.
    pub program: Option<u16>,
    /// What has to hold of each.
    pub tests: Vec<Test>,
}

/// A kind of events. Each happens right before the instruction that does it; a call, before the first
/// instruction of the function.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A function is called: one of these, or any.
    Calls(Option<Vec<u32>>),
    /// A function returns: one of these, or any.
    Returns(Option<Vec<u32>>),
    /// The program comes to one of these instructions.
    Instructions(Vec<u32>),
    /// Something is written.
    Writes(Watch),
    /// Something is read.
    Reads(Watch),
    /// A memory is asked to grow.
    Growth,
    /// A primitive is called: one of these imports, or any.
    Primitives(Option<Vec<u32>>),
    /// The program does something to the outside.
    Outputs,
    /// A message is sent.
    Sends,
    /// A turn begins in which a message is handled.
    Receives,
    /// Somebody has the next turn.
    Switches,
    /// Something was decided: an input, an event, a turn.
    Choices,
    /// The program traps, is ended by its world, or is stuck.
    Failures,
}

impl Kind {
    /// Whether the tree alone tells of it.
    pub fn is_in_tree(&self) -> bool {
        matches!(self, Kind::Receives | Kind::Switches | Kind::Choices | Kind::Failures)
    }
}

/// Something that has to hold of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// A number that is part of the event.
    Compares(Subject, Comparison, Number),
    /// An expression of the program, where the event happens.
    Holds(Condition),
}

/// A number that is part of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An argument of a call, counted from 0.
    Argument(usize),
    /// What is written, read or returned.
    Value,
}

/// How numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// A number as people write it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole one.
    Integer(i128),
    /// Another one.
    Float(f64),
}

impl Comparison {
    /// The one that is written like this.
    pub fn named(text: &str) -> Option<Comparison> {
        Some(match text {
            "=" | "==" | "===" => Comparison::Equal,
            "!=" | "!==" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            _ => return None,
        })
    }

    /// Whether a value compares so with a number: integers as integers with a sign, anything else as
    /// floats.
    pub fn holds(self, value: Value, number: Number) -> bool {
        let integer = match value {
            Value::I32(value) => Some(i128::from(value)),
            Value::I64(value) => Some(i128::from(value)),
            _ => None,
        };
        let order = match (integer, number) {
            (Some(value), Number::Integer(number)) => Some(value.cmp(&number)),
            (_, number) => {
                let number = match number {
                    Number::Integer(number) => number as f64,
                    Number::Float(number) => number,
                };
                let value = match value {
                    Value::F32(bits) => Some(f64::from(f32::from_bits(bits))),
                    Value::F64(bits) => Some(f64::from_bits(bits)),
                    _ => integer.map(|value| value as f64),
                };
                value.and_then(|value| value.partial_cmp(&number))
            }
        };
        match self {
            Comparison::NotEqual => order.is_none_or(|order| order.is_ne()),
            Comparison::Equal => order.is_some_and(|order| order.is_eq()),
            Comparison::Less => order.is_some_and(|order| order.is_lt()),
            Comparison::AtMost => order.is_some_and(|order| order.is_le()),
            Comparison::Greater => order.is_some_and(|order| order.is_gt()),
            Comparison::AtLeast => order.is_some_and(|order| order.is_ge()),
        }
    }
}
