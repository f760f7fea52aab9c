//! What expressions are worth, for one assignment of the inputs or for many at once.
//!
//! Evaluation goes through the nodes in the order of their numbers, never by recursion: an
//! expression may be as deep as a program is long.

use std::collections::HashMap;

use mw_vm::{NumericOp, ValType};

use crate::expr::{Expr, Exprs, Node, Var};

/// How many assignments are evaluated at once: few enough for the numbers to stay in the cache.
pub const LANES: usize = 256;

/// Expressions with more parts than this are not evaluated for many assignments at once: the numbers
/// of all parts would take more than 32 MiB.
const LARGEST: usize = 1 << 14;

/// Numbers for inputs, as they lie in slots.
pub trait Assignment {
    /// The number that an input has.
    fn slot(&self, var: Var) -> u64;
}

impl<F: Fn(Var) -> u64> Assignment for F {
    fn slot(&self, var: Var) -> u64 {
        self(var)
    }
}

/// Evaluates expressions for one assignment, each part of them once.
#[derive(Debug)]
pub struct Evaluation<'a, A> {
    assignment: A,
    known: HashMap<Expr, u64>,
    open: Vec<Expr>,
    exprs: &'a Exprs,
}

impl<'a, A: Assignment> Evaluation<'a, A> {
    /// Nothing is evaluated yet.
    pub fn new(exprs: &'a Exprs, assignment: A) -> Evaluation<'a, A> {
        Evaluation { assignment, known: HashMap::new(), open: Vec::new(), exprs }
    }

    /// The number that an expression is.
    pub fn slot(&mut self, expr: Expr) -> u64 {
        self.open.push(expr);
        while let Some(&next) = self.open.last() {
            if self.known.contains_key(&next) {
                self.open.pop();
                continue;
            }
            let value = match self.exprs.node(next) {
                Node::Const(_, slot) => Some(slot),
                Node::Input(var) => Some(self.assignment.slot(var)),
                Node::Unary(op, a) => self.get(a).map(|a| op.evaluate(a, 0).unwrap_or(0)),
                Node::Binary(op, a, b) => match (self.get(a), self.get(b)) {
                    (Some(a), Some(b)) => Some(op.evaluate(a, b).unwrap_or(0)),
                    _ => None,
                },
                // Only the case that counts is looked at.
                Node::Ite(condition, then, otherwise) => match self.get(condition) {
                    Some(slot) if slot as u32 != 0 => self.get(then),
                    Some(_) => self.get(otherwise),
                    None => None,
                },
            };
            if let Some(value) = value {
                self.known.insert(next, value);
                self.open.pop();
            }
        }
        self.known[&expr]
    }

    /// What is known of an operand; if nothing is, it comes next.
    fn get(&mut self, expr: Expr) -> Option<u64> {
        let known = self.known.get(&expr).copied();
        if known.is_none() {
            self.open.push(expr);
        }
        known
    }
}

/// One step of a [`Program`]; operands are the numbers of earlier steps.
#[derive(Clone, Copy, Debug)]
enum Step {
    Const(ValType, u64),
    Input(Var),
    Unary(NumericOp, u32),
    Binary(NumericOp, u32, u32),
    Ite(u32, u32, u32),
}

/// Expressions made ready to be evaluated for many assignments.
#[derive(Clone, Debug)]
pub struct Program {
    steps: Vec<Step>,
    results: Vec<u32>,
    /// The numbers of all steps, [`LANES`] of each.
    slots: Vec<u64>,
}

impl Program {
    /// The program that computes these expressions; `None` if it would take too much memory.
    pub fn new(exprs: &Exprs, results: &[Expr]) -> Option<Program> {
        let mut reached: Vec<Expr> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut open = results.to_vec();
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            reached.push(expr);
            if reached.len() > LARGEST {
                return None;
            }
            open.extend(exprs.node(expr).operands());
        }
        reached.sort_unstable();
        let at = |expr: Expr| reached.binary_search(&expr).unwrap_or(0) as u32;
        let step = |&expr: &Expr| match exprs.node(expr) {
            Node::Const(ty, slot) => Step::Const(ty, slot),
            Node::Input(var) => Step::Input(var),
            Node::Unary(op, a) => Step::Unary(op, at(a)),
            Node::Binary(op, a, b) => Step::Binary(op, at(a), at(b)),
            Node::Ite(c, a, b) => Step::Ite(at(c), at(a), at(b)),
        };
        let steps: Vec<Step> = reached.iter().map(step).collect();
        let mut slots = vec![0; steps.len() * LANES];
        for (step, slots) in steps.iter().zip(slots.chunks_mut(LANES)) {
            if let Step::Const(_, slot) = step {
                slots.fill(*slot);
            }
        }
        let results = results.iter().map(|&expr| at(expr)).collect();
        Some(Program { results, steps, slots })
    }

    /// The numbers that occur in it, as slots.
    pub fn constants(&self) -> impl Iterator<Item = (ValType, u64)> + '_ {
        self.steps.iter().filter_map(|step| match *step {
            Step::Const(ty, slot) => Some((ty, slot)),
            _ => None,
        })
    }

    /// How many expressions it computes.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// How much work one evaluation is.
    pub fn size(&self) -> usize {
        self.steps.len()
    }

    /// Gives numbers to an input; one that the results do not depend on takes none.
    pub fn give(&mut self, var: Var, write: impl FnOnce(&mut [u64])) {
        let is_it = |step: &Step| matches!(step, Step::Input(of) if *of == var);
        if let Some(at) = self.steps.iter().position(is_it) {
            write(&mut self.slots[at * LANES..(at + 1) * LANES]);
        }
    }

    /// Evaluates for the inputs that have been given.
    pub fn run(&mut self) {
        for (at, step) in self.steps.iter().enumerate() {
            let (before, rest) = self.slots.split_at_mut(at * LANES);
            let operand = |index: u32| &before[index as usize * LANES..][..LANES];
            let results = &mut rest[..LANES];
            match *step {
                Step::Const(..) | Step::Input(_) => {}
                Step::Unary(op, a) => op.evaluate_all(operand(a), operand(a), results),
                Step::Binary(op, a, b) => op.evaluate_all(operand(a), operand(b), results),
                Step::Ite(c, a, b) => {
                    let cases = operand(a).iter().zip(operand(b));
                    for ((result, &c), (&a, &b)) in results.iter_mut().zip(operand(c)).zip(cases) {
                        *result = if c as u32 != 0 { a } else { b };
                    }
                }
            }
        }
    }

    /// The numbers of the `index`-th expression.
    pub fn result(&self, index: usize) -> &[u64] {
        &self.slots[self.results[index] as usize * LANES..][..LANES]
    }
}
