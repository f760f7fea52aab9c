//! Conditions on values: `global 0 == 5`, `local 2 > 10 and i32 @ 1024 != 0`.
//!
//! Terms are numbers, `global N` (or a global's name), `local N`, and memory: `u8`, `i32`, `i64`,
//! `f32` or `f64` followed by `@ ADDRESS`. They are compared as numbers; comparisons are joined
//! with `and` and `or`, of which `and` binds tighter.

use std::fmt;

use mw_vm::{Machine, Module, ValType, Value};
use serde::{Deserialize, Serialize};

/// A condition that holds or does not, in a state of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The text that it was made from.
    text: String,
    /// One of these must hold, each of which is a list that must hold altogether.
    alternatives: Vec<Vec<Comparison>>,
}

/// A condition that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot understand `{found}` in the condition; {help}")]
pub struct ConditionError {
    found: String,
    help: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Comparison {
    pub left: Term,
    pub operator: Operator,
    pub right: Term,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Operator {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Term {
    Integer(i64),
    /// The bits of a float.
    Float(u64),
    Global(u32),
    Local(u32),
    Memory(u32, Load),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Load {
    Byte,
    Number(ValType),
}

impl Load {
    /// How many bytes it is.
    pub fn size(self) -> u8 {
        match self {
            Load::Byte => 1,
            Load::Number(ValType::I32 | ValType::F32) => 4,
            Load::Number(_) => 8,
        }
    }
}

impl Condition {
    /// One of these must hold, each of which is a list that must hold altogether.
    pub(crate) fn alternatives(&self) -> &[Vec<Comparison>] {
        &self.alternatives
    }

    /// Reads a condition about a module.
    pub fn parse(text: &str, module: &Module) -> Result<Condition, ConditionError> {
        let spaced = space_operators(text);
        let mut words = spaced.split_whitespace().peekable();
        let mut alternatives = vec![Vec::new()];
        loop {
            let left = term(&mut words, module)?;
            let operator = operator(words.next())?;
            let right = term(&mut words, module)?;
            let all: &mut Vec<Comparison> = match alternatives.last_mut() {
                Some(all) => all,
                None => unreachable!("there is always one"),
            };
            all.push(Comparison { left, operator, right });
            match words.next() {
                None => return Ok(Condition { text: text.trim().into(), alternatives }),
                Some("and" | "&&") => {}
                Some("or" | "||") => alternatives.push(Vec::new()),
                Some(word) => return Err(error(word, "join comparisons with `and` or `or`")),
            }
        }
    }

    /// Whether it holds. What is not there (a local of another function) makes it false.
    pub fn holds(&self, machine: &Machine) -> bool {
        let holds = |c: &Comparison| c.holds(machine).unwrap_or(false);
        self.alternatives.iter().any(|all| all.iter().all(holds))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Comparison {
    fn holds(&self, machine: &Machine) -> Option<bool> {
        let (left, right) = (self.left.evaluate(machine)?, self.right.evaluate(machine)?);
        let order = match (left, right) {
            (Number::Integer(a), Number::Integer(b)) => Some(a.cmp(&b)),
            (a, b) => a.to_float().partial_cmp(&b.to_float()),
        };
        Some(match self.operator {
            Operator::Equal => order.is_some_and(|o| o.is_eq()),
            Operator::Different => order.is_none_or(|o| o.is_ne()),
            Operator::Less => order.is_some_and(|o| o.is_lt()),
            Operator::LessOrEqual => order.is_some_and(|o| o.is_le()),
            Operator::Greater => order.is_some_and(|o| o.is_gt()),
            Operator::GreaterOrEqual => order.is_some_and(|o| o.is_ge()),
        })
    }
}

#[derive(Clone, Copy)]
enum Number {
    Integer(i64),
    Float(f64),
}

impl Number {
    fn to_float(self) -> f64 {
        match self {
            Number::Integer(v) => v as f64,
            Number::Float(v) => v,
        }
    }

    fn of(value: Value) -> Option<Number> {
        Some(match value {
            Value::I32(v) => Number::Integer(v.into()),
            Value::I64(v) => Number::Integer(v),
            Value::F32(bits) => Number::Float(f32::from_bits(bits).into()),
            Value::F64(bits) => Number::Float(f64::from_bits(bits)),
            Value::FuncRef(_) | Value::ExternRef(_) => return None,
        })
    }
}

impl Term {
    fn evaluate(&self, machine: &Machine) -> Option<Number> {
        match *self {
            Term::Integer(v) => Some(Number::Integer(v)),
            Term::Float(bits) => Some(Number::Float(f64::from_bits(bits))),
            Term::Global(index) => Number::of(machine.global(index)?),
            Term::Local(index) => {
                let stack = machine.call_stack();
                let frame = stack.first()?;
                let ty = *machine.module().local_types(frame.func).get(index as usize)?;
                Number::of(Value::from_slot(ty, *frame.locals.get(index as usize)?))
            }
            Term::Memory(address, load) => {
                let ty = match load {
                    Load::Byte => ValType::I32,
                    Load::Number(ty) => ty,
                };
                let mut bytes = [0; 8];
                let buffer = &mut bytes[..load.size().into()];
                machine.memories().first()?.read(address.into(), buffer).ok()?;
                Number::of(Value::from_slot(ty, u64::from_le_bytes(bytes)))
            }
        }
    }
}

/// Puts blanks around operators, so that words are all there is.
fn space_operators(text: &str) -> String {
    let mut spaced = String::new();
    let mut previous = ' ';
    for c in text.chars() {
        let is_operator = |c: char| "=!<>@&|".contains(c);
        let joins = is_operator(c) && is_operator(previous) && c != '@' && previous != '@';
        if (is_operator(c) || is_operator(previous)) && !joins {
            spaced.push(' ');
        }
        spaced.push(c);
        previous = c;
    }
    spaced
}

fn error(found: &str, help: &str) -> ConditionError {
    ConditionError { found: found.into(), help: help.into() }
}

fn operator(word: Option<&str>) -> Result<Operator, ConditionError> {
    Ok(match word.unwrap_or("the end") {
        "==" | "=" => Operator::Equal,
        "!=" => Operator::Different,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        other => return Err(error(other, "compare with ==, !=, <, <=, > or >=")),
    })
}

fn integer(word: &str) -> Option<i64> {
    let (is_negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let (radix, digits) = match digits.strip_prefix("0x") {
        Some(digits) => (16, digits),
        None => (10, digits),
    };
    // No second sign.
    if !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let number = i128::from_str_radix(digits, radix).ok()?;
    i64::try_from(if is_negative { -number } else { number }).ok()
}

fn term<'a>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
    module: &Module,
) -> Result<Term, ConditionError> {
    const HELP: &str = "a term is a number, `global N`, a global's name, `local N`, or memory \
                        such as `i32 @ 1024`";
    let word = words.next().ok_or_else(|| error("the end", HELP))?;
    let index = |words: &mut std::iter::Peekable<_>| {
        let next: Option<&str> = words.next();
        let number = next.and_then(integer).and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| error(next.unwrap_or("the end"), "a number belongs here"))
    };
    let load = match word {
        "u8" => Some(Load::Byte),
        "i32" => Some(Load::Number(ValType::I32)),
        "i64" => Some(Load::Number(ValType::I64)),
        "f32" => Some(Load::Number(ValType::F32)),
        "f64" => Some(Load::Number(ValType::F64)),
        _ => None,
    };
    if let Some(load) = load {
        if words.next_if_eq(&"@").is_none() {
            return Err(error(word, "memory is written with its address: `i32 @ 1024`"));
        }
        return Ok(Term::Memory(index(words)?, load));
    }
    match word {
        "global" => Ok(Term::Global(index(words)?)),
        "local" => Ok(Term::Local(index(words)?)),
        _ => {
            let named = |name: &str| {
                module.globals().iter().position(|global| global.name.as_deref() == Some(name))
            };
            if let Some(number) = integer(word) {
                Ok(Term::Integer(number))
            } else if let Ok(number) = word.parse::<f64>() {
                Ok(Term::Float(number.to_bits()))
            } else if let Some(index) = named(word) {
                Ok(Term::Global(index as u32))
            } else {
                Err(error(word, HELP))
            }
        }
    }
}
