//! From code as it is written to terms.

use mw_source::{Language, Number, NumberType, Operator, Tree};

use super::events::{Bound, Events};
use crate::arithmetic::Unary;
use crate::error::{Checked, did_you_mean, mistake};
use crate::event::EventId;
use crate::syntax::{Statement, Written};
use crate::term::{Step, Term};

/// What names mean in the code of a transition.
pub(super) struct Compiler<'a, 'e> {
    variables: &'a [String],
    /// The event, if there is one.
    bound: Option<Bound>,
    events: &'a mut Events<'e>,
}

impl<'a, 'e> Compiler<'a, 'e> {
    pub fn new(
        variables: &'a [String],
        bound: Option<Bound>,
        events: &'a mut Events<'e>,
    ) -> Compiler<'a, 'e> {
        Compiler { variables, bound, events }
    }

    /// What numbers are computed by.
    pub fn language(&self) -> Language {
        match &self.bound {
            Some(bound) => self.events.language(bound.event),
            None => self.events.default_language(),
        }
    }

    /// The event, and which of its ways to tell slices apart is meant.
    pub fn finish(self) -> (EventId, u8) {
        let bound = self.bound.as_ref();
        bound.map_or((EventId(0), 0), |bound| (bound.event, bound.slicing))
    }

    /// The code of a guard.
    pub fn guard(&mut self, code: &[Statement]) -> Checked<Vec<Step>> {
        self.code(code, true)
    }

    /// The code of a block.
    pub fn block(&mut self, code: &[Statement]) -> Checked<Vec<Step>> {
        self.code(code, false)
    }

    fn code(&mut self, code: &[Statement], guard: bool) -> Checked<Vec<Step>> {
        code.iter().map(|statement| self.statement(statement, guard)).collect()
    }

    fn statement(&mut self, statement: &Statement, guard: bool) -> Checked<Step> {
        match statement {
            Statement::Set { variable, .. } if guard => mistake(
                variable.at,
                format!(
                    "a guard sets nothing: compare with ==, or set {} in a block",
                    variable.text
                ),
            ),
            Statement::Set { variable, value } => {
                let known = self.variables.iter().position(|known| *known == variable.text);
                let Some(index) = known else {
                    let hint = did_you_mean(&variable.text, self.known_variables());
                    return mistake(
                        variable.at,
                        format!(
                            "there is no variable {}{hint}; `initialization` says which there are",
                            variable.text
                        ),
                    );
                };
                Ok(Step::Set(index as u16, self.term(value)?))
            }
            Statement::If { condition, then, otherwise } => Ok(Step::If(
                self.term(condition)?,
                self.code(then, guard)?,
                self.code(otherwise, guard)?,
            )),
            Statement::Return { value, at } => match (value, guard) {
                (None, _) => Ok(Step::Return(None)),
                (Some(value), true) => Ok(Step::Return(Some(self.term(value)?))),
                (Some(_), false) => {
                    mistake(*at, "a block sets variables, such as `N = N + 1`, and returns nothing")
                }
            },
        }
    }

    fn known_variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(String::as_str)
    }

    /// A term.
    pub fn term(&mut self, written: &Written) -> Checked<Term> {
        self.tree(&written.tree, written)
    }

    fn tree(&mut self, tree: &Tree, of: &Written) -> Checked<Term> {
        let part = |own: &mut Self, tree: &Tree| Ok(Box::new(own.tree(tree, of)?));
        Ok(match tree {
            Tree::Integer(value) => Term::Constant(Number::literal(*value)),
            Tree::Float(value) => Term::Constant(Number::Float { value: *value, width: 64 }),
            Tree::Bool(value) => Term::Constant(Number::Bool(*value)),
            Tree::Null => Term::Constant(Number::Integer { value: 0, width: 32, signed: false }),
            Tree::Text(text) => {
                let why = format!("{text:?} is a text: it can be compared, and nothing else");
                return mistake(of.at, why);
            }
            Tree::Name(name) => return self.name(name, of),
            Tree::Unary('-', operand) => Term::Unary(Unary::Negate, part(self, operand)?),
            Tree::Unary('~', operand) => {
                let operand = part(self, operand)?;
                self.expect_whole(&operand, "~", of)?;
                Term::Unary(Unary::Invert, operand)
            }
            Tree::Unary('!', operand) => Term::Not(part(self, operand)?),
            Tree::Binary(Operator::Is, ..) => {
                return mistake(of.at, "nothing is set here: compare with ==");
            }
            // Texts are compared where the program has them.
            Tree::Binary(_, left, right) if is_text(left) || is_text(right) => {
                return self.lifted(tree, of);
            }
            Tree::Binary(operator, left, right) => {
                let sides = (self.tree(left, of)?, self.tree(right, of)?);
                if operator.is_bitwise() {
                    self.expect_whole(&sides.0, &operator.to_string(), of)?;
                    self.expect_whole(&sides.1, &operator.to_string(), of)?;
                }
                let divides = matches!(operator, Operator::Divide | Operator::Remainder);
                let by_zero = matches!(&sides.1, Term::Constant(Number::Integer { value: 0, .. }));
                if divides && by_zero && !self.is_float(&sides.0) {
                    return mistake(of.at, format!("{tree} divides by zero"));
                }
                Term::Binary(*operator, Box::new(sides))
            }
            Tree::Cast(ty, operand) if ty.pointers == 0 => match NumberType::named(&ty.name) {
                Some(ty) => Term::Convert(ty, part(self, operand)?),
                None => return self.lifted(tree, of),
            },
            _ => return self.lifted(tree, of),
        })
    }

    /// Whether a term is certainly no whole number.
    fn is_float(&self, term: &Term) -> bool {
        match term {
            Term::Constant(Number::Float { .. }) | Term::Convert(NumberType::Float(_), _) => true,
            Term::Parameter(parameter) => {
                self.bound.as_ref().is_some_and(|bound| self.events.is_float(bound, *parameter))
            }
            Term::Unary(_, of) => self.is_float(of),
            Term::Binary(operator, sides) => {
                let computes = operator.compares(None).is_none()
                    && !matches!(operator, Operator::And | Operator::Or);
                computes && (self.is_float(&sides.0) || self.is_float(&sides.1))
            }
            _ => false,
        }
    }

    fn expect_whole(&self, term: &Term, operator: &str, of: &Written) -> Checked<()> {
        match self.is_float(term) {
            true => mistake(of.at, format!("{operator} is for whole numbers, not for floats")),
            false => Ok(()),
        }
    }

    fn name(&mut self, name: &str, of: &Written) -> Checked<Term> {
        let variable = self.variables.iter().position(|known| known == name);
        let parameter = self.bound.as_ref().and_then(|bound| bound.named(name));
        match (variable, parameter) {
            (Some(_), Some(_)) => mistake(
                of.place(name),
                format!("{name} is a variable and a parameter: name the parameter with `as`"),
            ),
            (Some(variable), None) => Ok(Term::Variable(variable as u16)),
            (None, Some(parameter)) => Ok(Term::Parameter(parameter)),
            (None, None) => self.lifted(&Tree::Name(name.to_owned()), of),
        }
    }

    /// A part that the program has: read where the event happens, like a parameter.
    fn lifted(&mut self, tree: &Tree, of: &Written) -> Checked<Term> {
        let at = tree.names().first().map_or(of.at, |name| of.place(name));
        for name in tree.names() {
            if self.variables.iter().any(|known| known == name) {
                return mistake(
                    at,
                    format!(
                        "{name} is the property's own: it cannot be part of {tree}, which is read \
                         in the program"
                    ),
                );
            }
        }
        let known: Vec<String> = self.variables.to_vec();
        match &mut self.bound {
            Some(bound) => {
                let parameter = self.events.read_also(bound, tree, at, &known)?;
                Ok(Term::Parameter(parameter))
            }
            None => {
                let name = tree.names().first().copied().unwrap_or_default();
                let hint = did_you_mean(name, known.iter().map(String::as_str));
                mistake(at, format!("{tree} means nothing here: there is no event{hint}"))
            }
        }
    }
}

fn is_text(tree: &Tree) -> bool {
    matches!(tree, Tree::Text(_))
}
