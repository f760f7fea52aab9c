//! The solver cascade: what values of the inputs lead where, found by the cheapest means that
//! answers exactly.
//!
//! 1. Rewriting, when an expression is made ([`crate::expr`]) and when inputs have only one value
//!    left: many conditions become numbers.
//! 2. Sets: a condition on one input with few values, or a plain comparison, *is* a set of values.
//! 3. Independence: only inputs that constraints connect are looked at together.
//! 4. Differences: inputs that are only compared with one another ([`differences`]).
//! 5. Answers given before, and constraints that could not be met before.
//! 6. Enumeration of all combinations, where they are few enough.
//! 7. Guesses, where there are floats ([`guess`]).
//! 8. Backends: bit-blasting, then whatever solver was asked for.
//!
//! **Invariants:** an answer is exact or it is [`Answer::Unknown`]. Values are stable: those of
//! inputs read earlier are kept as far as possible, and what has to change becomes the value
//! nearest to zero that will do, the smaller one of two equally near.

mod ask;
pub mod backend;
mod constraints;
mod differences;
mod enumerate;
mod guess;
mod intervals;
mod question;
pub mod sat;
mod sets;
pub mod smt;
mod statistics;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use mw_vm::{ValType, Value};
use mw_world::{Domain, Integers, Range};

pub use self::backend::{Backend, Verdict};
pub use self::constraints::{Bound, Constraints, from_slot, to_slot};
use self::differences::Differences;
use self::enumerate::{Candidates, EFFORT, SMALL};
pub use self::sets::Values;
pub use self::statistics::Statistics;
use crate::evaluate::Program;
use crate::expr::{Expr, Exprs, Input, Var};
use crate::stop::Stop;

/// Whether a condition can hold on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With these values, as slots; all other inputs keep theirs.
    Values(Vec<(Var, u64)>),
    /// No.
    Impossible,
    /// Nobody knows.
    Unknown,
}

/// The values of its one input for which a condition holds, if there are any.
type Truth = Option<Arc<Integers>>;

/// The cascade, with what it remembers.
pub struct Solver {
    truths: HashMap<Expr, Option<Truth>>,
    answers: HashMap<Vec<Expr>, Answer>,
    /// Sets of constraints that cannot all be met, newest last.
    impossible: Vec<Vec<Expr>>,
    /// About how many bytes truths and answers take.
    kept: usize,
    backends: Vec<Box<dyn Backend>>,
    /// The longest that a backend may take for one answer.
    pub timeout: Duration,
    /// What was answered how.
    pub statistics: Statistics,
}

/// So many impossible sets of constraints are compared with.
const REMEMBERED: usize = 64;

/// So many bytes of truths and answers are kept; then they are forgotten.
const MOST_KEPT: usize = 16 << 20;

/// About how many bytes something takes in a table, beside its parts.
const ENTRY: usize = 96;

impl Solver {
    /// A cascade that ends in these backends.
    pub fn new(backends: Vec<Box<dyn Backend>>, timeout: Duration) -> Solver {
        Solver {
            truths: HashMap::new(),
            answers: HashMap::new(),
            impossible: Vec::new(),
            kept: 0,
            backends,
            timeout,
            statistics: Statistics::default(),
        }
    }

    /// A cascade like this one, for another thread: what it has found out goes along as far as
    /// that is cheap. `None` if there can only be one.
    pub fn fresh(&self) -> Option<Solver> {
        let backends = self.backends.iter().map(|backend| backend.fresh());
        let mut solver = Solver::new(backends.collect::<Option<_>>()?, self.timeout);
        solver.truths = self.truths.clone();
        solver.kept = self.kept;
        Some(solver)
    }

    /// About how many bytes it holds.
    pub fn held(&self) -> usize {
        let impossible = self.impossible.iter().map(|key| ENTRY + size_of_val(&key[..]));
        let backends = self.backends.iter().map(|backend| backend.held());
        self.kept + impossible.sum::<usize>() + backends.sum::<usize>()
    }

    /// Forgets everything, and asks no backends any more.
    pub fn forget(&mut self) {
        *self = Solver { statistics: self.statistics.clone(), ..Solver::new(vec![], self.timeout) };
    }

    /// Something of this size is kept; what was kept before is forgotten if it becomes too much.
    fn keep(&mut self, parts: usize) {
        if self.kept > MOST_KEPT {
            self.truths.clear();
            self.answers.clear();
            self.kept = 0;
        }
        self.kept += ENTRY + parts;
    }

    /// A further input of a path: of this type, from this domain, with the smallest value unless
    /// another one is preferred.
    pub fn read(
        &mut self,
        exprs: &mut Exprs,
        constraints: &mut Constraints,
        (ty, domain): (ValType, Domain),
        preferred: Option<u64>,
    ) -> Expr {
        let slot = preferred.unwrap_or_else(|| domain.nearest(Value::zero(ty)).to_slot());
        let left = domain.integers().cloned().map(Arc::new);
        let position = constraints.inputs.len() as u32;
        let var = exprs.var(Input { position, ty, domain });
        constraints.inputs.push(Bound { var, slot, left });
        exprs.input_expr(var)
    }

    /// From now on, a condition holds on a path.
    pub fn require(&mut self, exprs: &mut Exprs, constraints: &mut Constraints, condition: Expr) {
        let known = exprs.given(condition, |exprs, var| constraints.only(exprs, var));
        if exprs.as_const(known).is_some() {
            // It has been found possible before it is required, so it follows from what is known.
            return;
        }
        if let [var] = exprs.support(known)[..]
            && let Some(Some(truth)) = self.truth(exprs, known)
            && let Some(left) = &mut constraints.bound_mut(exprs, var).left
            && let Some(fewer) = left.intersect(&truth)
        {
            *left = Arc::new(fewer);
            constraints.single.push(known);
            return;
        }
        constraints.rest.push(known);
    }

    /// Looks for values with which a condition holds, too.
    pub fn find(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        condition: Expr,
        stop: &Stop,
    ) -> Answer {
        let condition = exprs.given(condition, |exprs, var| constraints.only(exprs, var));
        if let Some(slot) = exprs.as_const(condition) {
            return if slot as u32 != 0 { Answer::Values(vec![]) } else { Answer::Impossible };
        }
        let support = exprs.support(condition).clone();
        let (group, mut wanted) = constraints.group(exprs, &support, 0);
        // A condition on one input is a set of its values.
        let truth = match support[..] {
            [var] => self.truth(exprs, condition).map(|truth| (var, truth)),
            _ => None,
        };
        let left = |&var: &Var| constraints.bound(exprs, var).left.clone();
        let mut sets: Option<Vec<Arc<Integers>>> = group.iter().map(left).collect();
        if let Some((var, truth)) = &truth
            && let Some(sets) = &mut sets
            && let Some(at) = group.iter().position(|other| other == var)
        {
            match truth.as_ref().and_then(|truth| sets[at].intersect(truth)) {
                Some(set) if wanted.is_empty() => {
                    self.statistics.sets += 1;
                    let slot = to_slot(exprs.input(*var).ty, set.nearest(0));
                    return Answer::Values(vec![(*var, slot)]);
                }
                Some(set) => sets[at] = Arc::new(set),
                None => {
                    self.statistics.sets += 1;
                    return Answer::Impossible;
                }
            }
        }
        // In what is compared, that set takes the place of the condition.
        let is_set = truth.is_some();
        wanted.extend((!is_set).then_some(condition));
        if let Some(sets) = &sets
            && let Some(differences) = Differences::new(exprs, &group, sets, &wanted)
        {
            let slots: Vec<u64> = group.iter().map(|&v| constraints.slot(exprs, v)).collect();
            if let Some(found) = differences.nearest(&slots, stop) {
                self.statistics.differences += 1;
                return found.map_or(Answer::Impossible, Answer::Values);
            }
        }
        wanted.extend(is_set.then_some(condition));
        let mut key = constraints.single(exprs, &group);
        key.extend(&wanted);
        key.sort_unstable();
        key.dedup();
        if let Some(known) = self.remembered(exprs, constraints, &group, &key) {
            self.statistics.cache += 1;
            return known;
        }
        let answer = match self.enumerated(exprs, constraints, &group, &wanted, stop) {
            Some(answer) => {
                self.statistics.enumeration += 1;
                answer
            }
            None => {
                let answer = self.ask_backends(exprs, constraints, &group, &key, stop);
                // Cut short, it may have found some values, but not those it would have: whoever
                // goes on asks again.
                if stop.is_over() {
                    return Answer::Unknown;
                }
                match answer {
                    Answer::Unknown => self.statistics.unknown += 1,
                    _ => self.statistics.backend += 1,
                }
                answer
            }
        };
        match answer {
            Answer::Unknown => {}
            Answer::Impossible => {
                self.impossible.push(key);
                if self.impossible.len() > 2 * REMEMBERED {
                    self.impossible.drain(..REMEMBERED);
                }
            }
            Answer::Values(ref values) => {
                self.keep(size_of_val(&key[..]) + size_of_val(&values[..]));
                self.answers.insert(key, answer.clone());
            }
        }
        answer
    }

    /// What was found out before, if it answers the question.
    fn remembered(
        &self,
        exprs: &Exprs,
        constraints: &Constraints,
        group: &[Var],
        key: &[Expr],
    ) -> Option<Answer> {
        let is_part = |part: &Vec<Expr>| part.iter().all(|c| key.binary_search(c).is_ok());
        if self.impossible.iter().rev().any(is_part) {
            return Some(Answer::Impossible);
        }
        let known = self.answers.get(key)?;
        let Answer::Values(values) = known else { return Some(known.clone()) };
        // Only if it changes no more than has to change: nothing but the last input.
        let (_, earlier) = group.split_last()?;
        let keeps = |var: &Var| {
            let known = values.iter().find(|(of, _)| of == var);
            known.is_none_or(|(_, slot)| *slot == constraints.slot(exprs, *var))
        };
        earlier.iter().all(keeps).then(|| known.clone())
    }

    /// Tries all values: first of the last input only, then of the one before as well, and so on.
    /// `None` if that becomes too much, or if it is over before.
    fn enumerated(
        &self,
        exprs: &Exprs,
        constraints: &Constraints,
        group: &[Var],
        wanted: &[Expr],
        stop: &Stop,
    ) -> Option<Answer> {
        let mut program = Program::new(exprs, wanted)?;
        // One that has only one value makes no difference.
        let changes = |&kept: &usize| kept == 0 || constraints.only(exprs, group[kept]).is_none();
        for kept in (0..group.len()).rev().filter(changes) {
            let candidates = constraints.candidates(exprs, group, kept)?;
            if candidates.work(&program) > EFFORT {
                return None;
            }
            if let Some(values) = candidates.first(exprs, &mut program, stop)? {
                let free = group[kept..].iter().zip(values);
                let slot = |(var, value): (&Var, i64)| (*var, to_slot(exprs.input(*var).ty, value));
                return Some(Answer::Values(free.map(slot).collect()));
            }
        }
        Some(Answer::Impossible)
    }

    /// The values of its one input for which a condition holds, if they can be said as a set.
    fn truth(&mut self, exprs: &Exprs, condition: Expr) -> Option<Truth> {
        if let Some(known) = self.truths.get(&condition) {
            return known.clone();
        }
        let truth = truth(exprs, condition);
        let ranges = truth.as_ref().and_then(|truth| Some(truth.as_ref()?.ranges()));
        self.keep(ranges.map_or(0, size_of_val));
        self.truths.insert(condition, truth.clone());
        truth
    }
}

fn truth(exprs: &Exprs, condition: Expr) -> Option<Truth> {
    let [var] = exprs.support(condition)[..] else { return None };
    let domain = exprs.input(var).domain.integers()?;
    let within = |set: Option<Integers>| set.and_then(|set| domain.intersect(&set)).map(Arc::new);
    if let Some(values) = intervals::values(exprs, condition) {
        return Some(within(values));
    }
    if domain.count() > SMALL {
        return None;
    }
    let mut values = Vec::new();
    let candidates = Candidates { fixed: vec![], free: vec![(var, domain)] };
    candidates.each(exprs, &[condition], &Stop::default(), |value, result| {
        if result(0) as u32 != 0 {
            values.push(Range::new(value[0], value[0]));
        }
        ControlFlow::Continue(())
    })?;
    Some(within(Integers::new(values)))
}
