//! The solver that is always there: expressions as gates, gates as clauses for a SAT solver.
//!
//! One SAT solver is kept over all queries. What is known of gates holds whatever is asked, so
//! the constraints of a query are assumptions, and what was learnt from one query helps with the
//! next.
//!
//! **Invariant:** an instance answers for one graph of expressions, which may grow; for another
//! one, [`Sat::reset`] comes first.

mod blast;
mod floats;
mod gates;
mod inputs;
mod integers;

use std::fmt;
use std::panic::{self, AssertUnwindSafe};

use crate::expr::{Expr, Exprs, Var};
use crate::solver::backend::{Backend, Verdict};
use crate::solver::question;
use crate::stop::Stop;
use blast::Blaster;
use gates::{Bit, Found, Gates};

/// So many clauses are never too many.
const FEW_CLAUSES: u64 = 20_000;

/// So many clauses are always too many, even for one question: they take some hundred megabytes.
const MAX_CLAUSES: u64 = 3_000_000;

/// How many times the clauses that a query is about there may be of others. The search has to find
/// values for all gates, whether they matter or not, and making those that matter anew takes about
/// as long as that.
const OTHERS: u64 = 3;

/// Bit-blasting onto a SAT solver.
#[derive(Default)]
pub struct Sat {
    gates: Gates,
    blaster: Blaster,
}

impl fmt::Debug for Sat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sat").field("clauses", &self.gates.clauses()).finish_non_exhaustive()
    }
}

impl Sat {
    /// A solver that knows nothing yet.
    pub fn new() -> Sat {
        Sat::default()
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Sat::new();
    }

    /// How many clauses it has become.
    pub fn clauses(&self) -> u64 {
        self.gates.clauses()
    }

    /// Whether it is better to begin anew than to go on with what is known.
    fn is_mostly_about_others(&self, exprs: &Exprs, constraints: &[Expr]) -> bool {
        let clauses = self.clauses();
        clauses > MAX_CLAUSES
            || clauses > FEW_CLAUSES
                && clauses > FEW_CLAUSES + (1 + OTHERS) * self.blaster.cost(exprs, constraints)
    }

    /// The value of an input in the model that was found last.
    fn slot(&self, var: Var) -> u64 {
        let bits = self.blaster.input(var).iter().enumerate();
        bits.fold(0, |slot, (at, &bit)| slot | u64::from(self.gates.model(bit)) << at)
    }

    /// Searches. Whatever happens to the search, others go on.
    fn search(&mut self, assumptions: &[Bit], stop: &Stop) -> Found {
        let gates = &mut self.gates;
        let found = panic::catch_unwind(AssertUnwindSafe(|| gates.search(assumptions, stop)));
        found.unwrap_or_else(|_| {
            self.reset();
            Found::Stopped
        })
    }
}

impl Backend for Sat {
    fn name(&self) -> &str {
        "sat"
    }

    fn fresh(&self) -> Option<Box<dyn Backend>> {
        Some(Box::new(Sat::new()))
    }

    fn held(&self) -> usize {
        self.gates.held() + self.blaster.held()
    }

    fn solve(&mut self, exprs: &Exprs, constraints: &[Expr], stop: &Stop) -> Verdict {
        if self.is_mostly_about_others(exprs, constraints) {
            self.reset();
        }
        let Some(vars) = question::inputs(exprs, constraints) else {
            return Verdict::Unsatisfiable;
        };
        if !self.blaster.translate((&mut self.gates, MAX_CLAUSES), exprs, constraints, stop) {
            return Verdict::Unknown;
        }
        let mut assumptions = Vec::new();
        for &constraint in constraints {
            let holds = self.gates.any(self.blaster.word(constraint));
            match holds.value() {
                Some(true) => {}
                Some(false) => return Verdict::Unsatisfiable,
                None => assumptions.push(holds),
            }
        }
        match self.search(&assumptions, stop) {
            Found::Nothing => return Verdict::Unsatisfiable,
            Found::Stopped => return Verdict::Unknown,
            Found::Model => {}
        }
        let slot = |var: Var| (var, self.slot(var));
        let model: Vec<(Var, u64)> = vars.into_iter().map(slot).collect();
        debug_assert!(
            question::is_answered_by(exprs, constraints, &model),
            "a model that is none: {model:?}"
        );
        Verdict::Satisfiable(model)
    }
}
