//! Guards and blocks as they are evaluated: terms over the variables of a slice, the parameters of
//! an event, and constants. Compiled once, when a property is bound.

use mw_source::{Language, Number, NumberType, Operator};
use smallvec::SmallVec;

use crate::arithmetic::{Arithmetic, Interrupted, Unary};
use crate::automaton::Read;

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    Constant(Number),
    /// A variable of the monitor.
    Variable(u16),
    /// A parameter of the event.
    Parameter(u16),
    Unary(Unary, Box<Term>),
    /// `!`.
    Not(Box<Term>),
    Binary(Operator, Box<(Term, Term)>),
    Convert(NumberType, Box<Term>),
}

/// A part of code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Set(u16, Term),
    If(Term, Vec<Step>, Vec<Step>),
    Return(Option<Term>),
}

impl Term {
    fn reads(&self, found: &mut Vec<Read>) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(variable) => found.push(Read::Variable(*variable)),
            Term::Parameter(parameter) => found.push(Read::Parameter(*parameter)),
            Term::Unary(_, of) | Term::Not(of) | Term::Convert(_, of) => of.reads(found),
            Term::Binary(_, sides) => {
                sides.0.reads(found);
                sides.1.reads(found);
            }
        }
    }
}

/// What code looks at, each once.
pub(crate) fn reads(code: &[Step]) -> Vec<Read> {
    fn collect(code: &[Step], found: &mut Vec<Read>) {
        for step in code {
            match step {
                Step::Set(_, value) | Step::Return(Some(value)) => value.reads(found),
                Step::Return(None) => {}
                Step::If(condition, then, otherwise) => {
                    condition.reads(found);
                    collect(then, found);
                    collect(otherwise, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    collect(code, &mut found);
    let mut seen = Vec::new();
    found.retain(|read| {
        let new = !seen.contains(read);
        seen.push(*read);
        new
    });
    found
}

/// What variables have been set to.
pub(crate) type Writes<N> = SmallVec<[(u16, N); 2]>;

/// Where terms are evaluated: in a slice, at an event.
pub(crate) struct Evaluation<'a, A: Arithmetic> {
    pub arithmetic: &'a mut A,
    pub variables: &'a [A::Number],
    pub values: &'a [Option<A::Number>],
    pub names: &'a [String],
    pub language: Language,
    /// What has been set so far.
    pub writes: &'a mut Writes<A::Number>,
}

type Evaluated<A> = Result<<A as Arithmetic>::Number, Interrupted<<A as Arithmetic>::Undecided>>;

impl<A: Arithmetic> Evaluation<'_, A> {
    fn variable(&self, variable: u16) -> A::Number {
        match self.writes.iter().find(|(written, _)| *written == variable) {
            Some((_, number)) => number.clone(),
            None => self.variables[usize::from(variable)].clone(),
        }
    }

    /// The value of a part: most are no more than a name or a number.
    #[inline(always)]
    fn part(&mut self, term: &Term) -> Evaluated<A> {
        match term {
            Term::Constant(number) => Ok(self.arithmetic.constant(*number)),
            Term::Variable(variable) => Ok(self.variable(*variable)),
            Term::Parameter(parameter) => self.parameter(*parameter),
            other => self.term(other),
        }
    }

    fn parameter(&self, parameter: u16) -> Evaluated<A> {
        match &self.values[usize::from(parameter)] {
            Some(number) => Ok(number.clone()),
            None => {
                let name = &self.names[usize::from(parameter)];
                Err(Interrupted::Fault(format!("{name} is not available here")))
            }
        }
    }

    /// The value of a term.
    pub fn term(&mut self, term: &Term) -> Evaluated<A> {
        let language = self.language;
        match term {
            Term::Constant(number) => Ok(self.arithmetic.constant(*number)),
            Term::Variable(variable) => Ok(self.variable(*variable)),
            Term::Parameter(parameter) => self.parameter(*parameter),
            Term::Unary(operation, of) => {
                let number = self.term(of)?;
                self.arithmetic.unary(*operation, &number, language)
            }
            Term::Not(of) => {
                let number = self.term(of)?;
                let is_bool = self.arithmetic.ty(&number) == NumberType::Bool;
                // Rust turns the bits of a number round.
                if language == Language::Rust && !is_bool {
                    return self.arithmetic.unary(Unary::Invert, &number, language);
                }
                let holds = self.arithmetic.holds(&number).map_err(Interrupted::Undecided)?;
                Ok(self.arithmetic.constant(Number::Bool(!holds)))
            }
            Term::Binary(operator @ (Operator::And | Operator::Or), sides) => {
                let decides = *operator == Operator::Or;
                let holds = self.holds(&sides.0)? == decides || self.holds(&sides.1)? == decides;
                Ok(self.arithmetic.constant(Number::Bool(holds == decides)))
            }
            Term::Binary(operator, sides) => {
                let (mut left, mut right) = (self.part(&sides.0)?, self.part(&sides.1)?);
                if language == Language::Rust {
                    left = self.fitted(&sides.0, left, &right);
                    right = self.fitted(&sides.1, right, &left);
                }
                self.arithmetic.binary(*operator, &left, &right, language)
            }
            Term::Convert(ty, of) => {
                let number = self.term(of)?;
                Ok(self.arithmetic.convert(&number, *ty))
            }
        }
    }

    /// A number that is written takes its type from what it stands beside.
    fn fitted(&mut self, term: &Term, number: A::Number, beside: &A::Number) -> A::Number {
        let to = self.arithmetic.ty(beside);
        match (term, self.arithmetic.ty(&number), to) {
            (Term::Constant(_), NumberType::Integer { .. }, NumberType::Integer { .. })
            | (Term::Constant(_), NumberType::Float(_), NumberType::Float(_)) => {
                self.arithmetic.convert(&number, to)
            }
            _ => number,
        }
    }

    fn holds(&mut self, term: &Term) -> Result<bool, Interrupted<A::Undecided>> {
        let number = self.term(term)?;
        self.arithmetic.holds(&number).map_err(Interrupted::Undecided)
    }

    /// Executes code, up to what it returns: `Some(None)` is that nothing happens.
    fn code(&mut self, code: &[Step]) -> Result<Option<Option<bool>>, Interrupted<A::Undecided>> {
        for step in code {
            match step {
                Step::Set(variable, value) => {
                    let value = self.term(value)?;
                    match self.writes.iter_mut().find(|(written, _)| written == variable) {
                        Some((_, number)) => *number = value,
                        None => self.writes.push((*variable, value)),
                    }
                }
                Step::If(condition, then, otherwise) => {
                    let branch = if self.holds(condition)? { then } else { otherwise };
                    if let Some(returned) = self.code(branch)? {
                        return Ok(Some(returned));
                    }
                }
                Step::Return(None) => return Ok(Some(None)),
                Step::Return(Some(value)) => return Ok(Some(Some(self.holds(value)?))),
            }
        }
        Ok(None)
    }

    /// What a guard says. If it says nothing, nothing happens.
    pub fn guard(&mut self, code: &[Step]) -> Result<Option<bool>, Interrupted<A::Undecided>> {
        Ok(self.code(code)?.flatten())
    }

    /// Executes a block.
    pub fn block(&mut self, code: &[Step]) -> Result<(), Interrupted<A::Undecided>> {
        self.code(code).map(drop)
    }
}
