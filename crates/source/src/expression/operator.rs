//! The operators of expressions.

use std::cmp::Ordering;
use std::fmt;

/// What stands between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    /// `||` or `or`: the right side has no part in it if the left one holds.
    Or,
    /// `&&` or `and`: the right side has no part in it if the left one does not hold.
    And,
    BitOr,
    BitXor,
    BitAnd,
    /// `==` or `===`.
    Equal,
    /// `!=` or `!==`.
    NotEqual,
    /// `=`, by which people compare or mean to set something.
    Is,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// How they are written, those that bind loosest first; of those that begin alike, the longest.
pub(super) const LEVELS: [&[(&str, Operator)]; 10] = [
    &[("||", Operator::Or)],
    &[("&&", Operator::And)],
    &[("|", Operator::BitOr)],
    &[("^", Operator::BitXor)],
    &[("&", Operator::BitAnd)],
    &[
        ("===", Operator::Equal),
        ("!==", Operator::NotEqual),
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        ("=", Operator::Is),
    ],
    &[
        ("<=", Operator::LessEqual),
        (">=", Operator::GreaterEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("<<", Operator::ShiftLeft), (">>", Operator::ShiftRight)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
];

impl Operator {
    /// What it says of an order, if it compares. What cannot be compared is only different.
    pub fn compares(self, order: Option<Ordering>) -> Option<bool> {
        Some(match self {
            Operator::Is | Operator::Equal => order.is_some_and(Ordering::is_eq),
            Operator::NotEqual => !order.is_some_and(Ordering::is_eq),
            Operator::Less => order.is_some_and(Ordering::is_lt),
            Operator::LessEqual => order.is_some_and(Ordering::is_le),
            Operator::Greater => order.is_some_and(Ordering::is_gt),
            Operator::GreaterEqual => order.is_some_and(Ordering::is_ge),
            _ => return None,
        })
    }

    /// Whether it works on the bits of integers.
    pub fn is_bitwise(self) -> bool {
        use Operator::*;
        matches!(self, BitOr | BitXor | BitAnd | ShiftLeft | ShiftRight)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = LEVELS.iter().flat_map(|level| level.iter()).filter(|(_, of)| of == self);
        // `===` is another way to write `==`.
        f.write_str(written.map(|(text, _)| *text).min_by_key(|text| text.len()).unwrap_or("?"))
    }
}
