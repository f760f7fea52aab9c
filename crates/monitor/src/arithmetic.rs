//! What guards and blocks compute with. Concretely that is the debugger's own arithmetic; whoever
//! explores computes with terms over inputs instead, and has them in the monitor's state.

use mw_source::{Language, Number, NumberType, Operator};

/// Why something has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interrupted<U> {
    /// It cannot be computed, for this reason: a division by zero, a value that is not available.
    Fault(String),
    /// It depends on what has not been decided yet.
    Undecided(U),
}

/// An operation on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-`.
    Negate,
    /// `~`, and `!` of a number in Rust.
    Invert,
}

/// Computes what guards and blocks say.
pub trait Arithmetic {
    /// A number with its type.
    type Number: Clone;
    /// What has to be decided before one can go on.
    type Undecided;

    /// A number that is written.
    fn constant(&mut self, number: Number) -> Self::Number;
    /// What a number is one of. That is always known.
    fn ty(&self, number: &Self::Number) -> NumberType;
    /// A number as one of another type.
    fn convert(&mut self, number: &Self::Number, to: NumberType) -> Self::Number;
    /// An operation on one number, as a language has it.
    fn unary(
        &mut self,
        operation: Unary,
        number: &Self::Number,
        language: Language,
    ) -> Result<Self::Number, Interrupted<Self::Undecided>>;
    /// An operation on two numbers, as a language has it; never `&&` or `||`.
    fn binary(
        &mut self,
        operator: Operator,
        left: &Self::Number,
        right: &Self::Number,
        language: Language,
    ) -> Result<Self::Number, Interrupted<Self::Undecided>>;
    /// Whether a number is neither zero nor false.
    fn holds(&mut self, number: &Self::Number) -> Result<bool, Self::Undecided>;
    /// The number itself: what tells slices apart has to be known.
    fn definite(&mut self, number: &Self::Number) -> Result<Number, Self::Undecided>;
}

/// What can never be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Never {}

/// The debugger's own arithmetic.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

impl Arithmetic for Concrete {
    type Number = Number;
    type Undecided = Never;

    fn constant(&mut self, number: Number) -> Number {
        number
    }

    fn ty(&self, number: &Number) -> NumberType {
        number.ty()
    }

    fn convert(&mut self, number: &Number, to: NumberType) -> Number {
        number.to(to)
    }

    fn unary(
        &mut self,
        operation: Unary,
        number: &Number,
        language: Language,
    ) -> Result<Number, Interrupted<Never>> {
        let result = match operation {
            Unary::Negate => number.negated(language),
            Unary::Invert => number.inverted(language),
        };
        result.map_err(|error| Interrupted::Fault(error.to_string()))
    }

    #[inline]
    fn binary(
        &mut self,
        operator: Operator,
        left: &Number,
        right: &Number,
        language: Language,
    ) -> Result<Number, Interrupted<Never>> {
        left.binary(operator, *right, language)
            .map_err(|error| Interrupted::Fault(error.to_string()))
    }

    fn holds(&mut self, number: &Number) -> Result<bool, Never> {
        Ok(!number.is_zero())
    }

    fn definite(&mut self, number: &Number) -> Result<Number, Never> {
        Ok(*number)
    }
}
