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
        self.tree(&written.tree, written.at)
    }

    fn tree(&mut self, tree: &Tree, at: usize) -> Checked<Term> {
        Ok(match tree {
            Tree::Integer(value) => Term::Constant(Number::literal(*value)),
            Tree::Float(value) => Term::Constant(Number::Float { value: *value, width: 64 }),
            Tree::Bool(value) => Term::Constant(Number::Bool(*value)),
            Tree::Null => Term::Constant(Number::Integer { value: 0, width: 32, signed: false }),
            Tree::Name(name) => return self.name(name, at),
            Tree::Unary('-', of) => Term::Unary(Unary::Negate, Box::new(self.tree(of, at)?)),
            Tree::Unary('~', of) => Term::Unary(Unary::Invert, Box::new(self.tree(of, at)?)),
            Tree::Unary('!', of) => Term::Not(Box::new(self.tree(of, at)?)),
            Tree::Binary(Operator::Is, ..) => {
                return mistake(at, "nothing is set here: compare with ==");
            }
            // Texts are compared where the program has them.
            Tree::Binary(_, left, right) if is_text(left) || is_text(right) => {
                return self.lifted(tree, at);
            }
            Tree::Binary(operator, left, right) => {
                let sides = (self.tree(left, at)?, self.tree(right, at)?);
                Term::Binary(*operator, Box::new(sides))
            }
            Tree::Cast(ty, of) if ty.pointers == 0 => match NumberType::named(&ty.name) {
                Some(ty) => Term::Convert(ty, Box::new(self.tree(of, at)?)),
                None => return self.lifted(tree, at),
            },
            _ => return self.lifted(tree, at),
        })
    }

    fn name(&mut self, name: &str, at: usize) -> Checked<Term> {
        let variable = self.variables.iter().position(|known| known == name);
        let parameter = self.bound.as_ref().and_then(|bound| bound.named(name));
        match (variable, parameter) {
            (Some(_), Some(_)) => mistake(
                at,
                format!("{name} is a variable and a parameter: name the parameter with `as`"),
            ),
            (Some(variable), None) => Ok(Term::Variable(variable as u16)),
            (None, Some(parameter)) => Ok(Term::Parameter(parameter)),
            (None, None) => self.lifted(&Tree::Name(name.to_owned()), at),
        }
    }

    /// A part that the program has: read where the event happens, like a parameter.
    fn lifted(&mut self, tree: &Tree, at: usize) -> Checked<Term> {
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
