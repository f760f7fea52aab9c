//! The solver cascade: what values of the inputs lead where, found by the cheapest means that
//! answers exactly.
//!
//! 1. Rewriting, when an expression is made ([`crate::expr`]): many conditions become numbers.
//! 2. Sets: a condition on one input with few values, or a plain comparison, *is* a set of values.
//! 3. Independence: only inputs that constraints connect are looked at together.
//! 4. Answers given before, and constraints that could not be met before.
//! 5. Differences: inputs that are only compared with one another ([`differences`]).
//! 6. Enumeration of all combinations, where they are few enough.
//! 7. Backends: bit-blasting, then whatever solver was asked for.
//!
//! **Invariants:** an answer is exact or it is [`Answer::Unknown`]. Values are stable: those of
//! inputs read earlier are kept as far as possible, and what has to change becomes the smallest
//! value that will do.

pub mod backend;
mod constraints;
mod differences;
mod enumerate;
mod intervals;
mod question;
pub mod sat;
pub mod smt;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mw_vm::{NumericOp, ValType, Value};
use mw_world::{Domain, Integers, Range};

pub use self::backend::{Backend, Verdict};
pub use self::constraints::{Bound, Constraints, from_slot, to_slot};
use self::differences::Differences;
use self::enumerate::{Candidates, SMALL};
use crate::evaluate::Program;
use crate::expr::{Expr, Exprs, Input, Var};
use crate::leaf::Cut;

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

/// The values that an expression can have on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// In ascending order of the slots.
    pub slots: Vec<u64>,
    /// Why these are not all, if they are not: too many, or nobody knows.
    pub cut: Option<Cut>,
}

/// How many questions were answered by what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// By the set of values of one input.
    pub sets: u64,
    /// By an answer to the same question, or to a part of it.
    pub cache: u64,
    /// By comparing inputs with one another.
    pub differences: u64,
    /// By trying all values.
    pub enumeration: u64,
    /// By a backend.
    pub backend: u64,
    /// By nobody.
    pub unknown: u64,
    /// How often backends were called: one question may need several calls.
    pub calls: u64,
    /// Time spent in backends.
    pub time: Duration,
}

impl Statistics {
    /// How many questions there were.
    pub fn queries(&self) -> u64 {
        self.sets + self.cache + self.differences + self.enumeration + self.backend + self.unknown
    }

    /// Adds those of another solver.
    pub fn add(&mut self, other: &Statistics) {
        self.sets += other.sets;
        self.cache += other.cache;
        self.differences += other.differences;
        self.enumeration += other.enumeration;
        self.backend += other.backend;
        self.unknown += other.unknown;
        self.calls += other.calls;
        self.time += other.time;
    }
}

/// The values of its one input for which a condition holds, if there are any.
type Truth = Option<Arc<Integers>>;

/// The cascade, with what it remembers.
pub struct Solver {
    truths: HashMap<Expr, Option<Truth>>,
    answers: HashMap<Vec<Expr>, Answer>,
    /// Sets of constraints that cannot all be met, newest last.
    impossible: Vec<Vec<Expr>>,
    backends: Vec<Box<dyn Backend>>,
    /// The longest that a backend may take for one answer.
    pub timeout: Duration,
    /// What was answered how.
    pub statistics: Statistics,
    /// How many values may still be looked at one by one to find classes.
    patience: u32,
}

/// So many values are looked at one by one to find classes: some seconds at most.
const PATIENCE: u32 = 1 << 18;

/// So many impossible sets of constraints are compared with.
const REMEMBERED: usize = 64;

impl Solver {
    /// A cascade that ends in these backends.
    pub fn new(backends: Vec<Box<dyn Backend>>, timeout: Duration) -> Solver {
        Solver {
            truths: HashMap::new(),
            answers: HashMap::new(),
            impossible: Vec::new(),
            backends,
            timeout,
            statistics: Statistics::default(),
            patience: PATIENCE,
        }
    }

    /// A cascade like this one, for another thread: what it has found out goes along as far as
    /// that is cheap. `None` if there can only be one.
    pub fn fresh(&self) -> Option<Solver> {
        let backends = self.backends.iter().map(|backend| backend.fresh());
        let mut solver = Solver::new(backends.collect::<Option<_>>()?, self.timeout);
        solver.truths = self.truths.clone();
        Some(solver)
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
    pub fn require(&mut self, exprs: &Exprs, constraints: &mut Constraints, condition: Expr) {
        constraints.all.push(condition);
        if let [var] = exprs.support(condition)[..]
            && let Some(truth) = self.truth(exprs, condition)
            && let Some(left) = &mut constraints.bound_mut(exprs, var).left
        {
            match truth.and_then(|truth| left.intersect(&truth)) {
                Some(fewer) => *left = Arc::new(fewer),
                // It has been found possible before it is required.
                None => constraints.rest.push(condition),
            }
            return;
        }
        constraints.rest.push(condition);
    }

    /// Looks for values with which a condition holds, too.
    pub fn find(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        condition: Expr,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Answer {
        if let Some(slot) = exprs.as_const(condition) {
            return if slot as u32 != 0 { Answer::Values(vec![]) } else { Answer::Impossible };
        }
        let support = exprs.support(condition).clone();
        let (group, mut wanted) = constraints.group(exprs, &support);
        if let ([var], true) = (&support[..], wanted.is_empty())
            && let Some(truth) = self.truth(exprs, condition)
            && let Some(left) = &constraints.bound(exprs, *var).left
        {
            self.statistics.sets += 1;
            let ty = exprs.input(*var).ty;
            return match truth.and_then(|truth| left.intersect(&truth)) {
                Some(set) => Answer::Values(vec![(*var, to_slot(ty, set.nearest(0)))]),
                None => Answer::Impossible,
            };
        }
        wanted.push(condition);
        let compared = Differences::new(exprs, constraints, &group, &wanted);
        if let Some(differences) = compared {
            self.statistics.differences += 1;
            let slots: Vec<u64> = group.iter().map(|&v| constraints.slot(exprs, v)).collect();
            let found =
                (0..group.len()).rev().find_map(|kept| differences.smallest(exprs, &slots[..kept]));
            return found.map_or(Answer::Impossible, Answer::Values);
        }
        let mut key = constraints.single(exprs, &group);
        key.extend(&wanted);
        key.sort_unstable();
        key.dedup();
        if let Some(known) = self.remembered(exprs, constraints, &group, &key) {
            self.statistics.cache += 1;
            return known;
        }
        let answer = match self.enumerated(exprs, constraints, &group, &wanted) {
            Some(answer) => {
                self.statistics.enumeration += 1;
                answer
            }
            None => {
                let mut is_interrupted = false;
                let mut answer = self.ask_backends(exprs, constraints, &group, &key, &mut || {
                    is_interrupted = is_interrupted || is_over();
                    is_interrupted
                });
                // Cut short, it may have found some values, but not those it would have.
                if is_interrupted {
                    answer = Answer::Unknown;
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
            Answer::Values(_) => {
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
    /// `None` if that becomes too much.
    fn enumerated(
        &self,
        exprs: &Exprs,
        constraints: &Constraints,
        group: &[Var],
        wanted: &[Expr],
    ) -> Option<Answer> {
        for kept in (0..group.len()).rev() {
            let candidates = self.candidates(exprs, constraints, group, kept)?;
            if let Some(values) = candidates.first(exprs, wanted)? {
                let free = group[kept..].iter().zip(values);
                let slot = |(var, value): (&Var, i64)| (*var, to_slot(exprs.input(*var).ty, value));
                return Some(Answer::Values(free.map(slot).collect()));
            }
        }
        Some(Answer::Impossible)
    }

    /// The first inputs of a group as they are, the others with all values that they can have.
    fn candidates<'a>(
        &self,
        exprs: &Exprs,
        constraints: &'a Constraints,
        group: &[Var],
        kept: usize,
    ) -> Option<Candidates<'a>> {
        let fixed = group[..kept].iter().map(|&var| (var, constraints.slot(exprs, var))).collect();
        let free = group[kept..].iter().map(|&var| {
            let left = constraints.bound(exprs, var).left.as_deref()?;
            Some((var, left))
        });
        Some(Candidates { fixed, free: free.collect::<Option<_>>()? })
    }

    fn ask_backends(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        group: &[Var],
        key: &[Expr],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Answer {
        let found = match self.ask(exprs, key, is_over) {
            Verdict::Satisfiable(values) => values,
            Verdict::Unsatisfiable => return Answer::Impossible,
            Verdict::Unknown => return Answer::Unknown,
        };
        let value = |values: &[(Var, u64)], var: Var| {
            values.iter().find(|(of, _)| *of == var).map_or(0, |(_, slot)| *slot)
        };
        // Inputs that were read earlier keep their values as far as possible.
        let mut model = found;
        let mut fixed = key.to_vec();
        let mut changed = 0;
        for (at, &var) in group.iter().enumerate() {
            let slot = constraints.slot(exprs, var);
            let input = exprs.input_expr(var);
            let stays = exprs.equals(input, slot);
            fixed.push(stays);
            if value(&model, var) == slot {
                continue;
            }
            match self.ask(exprs, &fixed, is_over) {
                Verdict::Satisfiable(values) => model = values,
                _ => {
                    fixed.pop();
                    changed = at;
                    break;
                }
            }
        }
        // What has to change becomes as small as possible.
        for &var in &group[changed..] {
            let ty = exprs.input(var).ty;
            let input = exprs.input_expr(var);
            if let Some(set) = exprs.input(var).domain.integers() {
                // As near to zero as possible: not below it if that can be.
                let mut low = set.smallest();
                let mut high = from_slot(ty, value(&model, var));
                if high < 0 && set.largest() >= 0 {
                    let at_least =
                        if ty == ValType::I64 { NumericOp::I64GeS } else { NumericOp::I32GeS };
                    let not_below = exprs.with_const(at_least, input, 0);
                    fixed.push(not_below);
                    if let Verdict::Satisfiable(values) = self.ask(exprs, &fixed, is_over) {
                        high = from_slot(ty, value(&values, var));
                        model = values;
                    }
                    fixed.pop();
                }
                if high >= 0 {
                    low = low.max(0);
                }
                while low < high {
                    let middle = ((i128::from(low) + i128::from(high)) >> 1) as i64;
                    let at_most =
                        if ty == ValType::I64 { NumericOp::I64LeS } else { NumericOp::I32LeS };
                    let smaller = exprs.with_const(at_most, input, to_slot(ty, middle));
                    fixed.push(smaller);
                    match self.ask(exprs, &fixed, is_over) {
                        Verdict::Satisfiable(values) => {
                            high = from_slot(ty, value(&values, var));
                            model = values;
                        }
                        _ => low = middle + 1,
                    }
                    fixed.pop();
                }
            }
            let is = exprs.equals(input, value(&model, var));
            fixed.push(is);
        }
        Answer::Values(model)
    }

    /// Asks one backend after the other.
    fn ask(
        &mut self,
        exprs: &Exprs,
        constraints: &[Expr],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Verdict {
        let begun = Instant::now();
        let timeout = self.timeout;
        let mut verdict = Verdict::Unknown;
        for backend in &mut self.backends {
            let start = Instant::now();
            self.statistics.calls += 1;
            verdict =
                backend.solve(exprs, constraints, &mut || start.elapsed() > timeout || is_over());
            if verdict != Verdict::Unknown {
                break;
            }
        }
        self.statistics.time += begun.elapsed();
        verdict
    }

    /// The values of its one input for which a condition holds, if they can be said as a set.
    fn truth(&mut self, exprs: &Exprs, condition: Expr) -> Option<Truth> {
        if let Some(known) = self.truths.get(&condition) {
            return known.clone();
        }
        let truth = truth(exprs, condition);
        self.truths.insert(condition, truth.clone());
        truth
    }

    /// The values that an expression can have on a path, at most so many.
    pub fn values(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        expr: Expr,
        most: usize,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Values {
        let support = exprs.support(expr).clone();
        let (group, wanted) = constraints.group(exprs, &support);
        if let Some(candidates) = self.candidates(exprs, constraints, &group, 0) {
            let mut results = wanted.clone();
            results.push(expr);
            let mut slots = std::collections::BTreeSet::new();
            let enumerated = candidates.each(exprs, &results, |_, result| {
                if (0..wanted.len()).all(|c| result(c) as u32 != 0) {
                    slots.insert(result(wanted.len()));
                }
                if slots.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if enumerated.is_some() {
                self.statistics.enumeration += 1;
                let cut = (slots.len() > most).then_some(Cut::Values);
                return Values { slots: slots.into_iter().take(most).collect(), cut };
            }
        }
        // One after the other, each different from those before.
        let mut slots = Vec::new();
        let mut wanted = constraints.clone();
        let mut cut = Some(Cut::Values);
        while slots.len() <= most {
            let condition = match slots.last() {
                None => exprs.i32(1),
                Some(&last) => {
                    let same = exprs.equals(expr, last);
                    exprs.not(same)
                }
            };
            let slot = match slots.is_empty() {
                // The path itself has one.
                true => crate::evaluate::Evaluation::new(exprs, |var| constraints.slot(exprs, var))
                    .slot(expr),
                false => {
                    match self.find(exprs, &wanted, condition, is_over) {
                        Answer::Values(values) => {
                            for (var, slot) in values {
                                wanted.bound_mut(exprs, var).slot = slot;
                            }
                        }
                        Answer::Impossible => {
                            cut = None;
                            break;
                        }
                        Answer::Unknown => {
                            cut = Some(Cut::Unknown);
                            break;
                        }
                    }
                    self.require(exprs, &mut wanted, condition);
                    let now = |var| wanted.slot(exprs, var);
                    crate::evaluate::Evaluation::new(exprs, now).slot(expr)
                }
            };
            slots.push(slot);
        }
        // One more than allowed shows that there are more.
        slots.truncate(most);
        slots.sort_unstable();
        Values { slots, cut }
    }

    /// The values of an input with which a path can be taken, those read before it being what
    /// they are: `None` if that cannot be said as a set.
    pub fn class(
        &mut self,
        exprs: &Exprs,
        constraints: &Constraints,
        var: Var,
    ) -> Option<Arc<Integers>> {
        let left = constraints.bound(exprs, var).left.clone()?;
        let (group, wanted) = constraints.group(exprs, &[var]);
        if wanted.is_empty() {
            return Some(left);
        }
        let at = group.iter().position(|&other| other == var)?;
        let kept: Vec<u64> = group[..at].iter().map(|&v| constraints.slot(exprs, v)).collect();
        if let Some(differences) = Differences::new(exprs, constraints, &group, &wanted) {
            return Integers::new(differences.values(exprs, &kept)).map(Arc::new);
        }
        if left.count() > SMALL {
            return None;
        }
        // For each value, others have to be found for what is read later: mostly the first will do.
        let mut values = Vec::new();
        let mut candidates = self.candidates(exprs, constraints, &group, at + 1)?;
        let mut program = Program::new(exprs, &wanted);
        if !candidates.is_little_work(&program) {
            return None;
        }
        // What did for the value before often does for the next.
        let mut same: Option<Candidates<'_>> = None;
        for value in left.values() {
            self.patience = self.patience.checked_sub(1)?;
            candidates.fixed[at] = (var, to_slot(exprs.input(var).ty, value));
            let mut found = same.as_mut().is_some_and(|same| {
                same.fixed[at] = candidates.fixed[at];
                same.first_of(exprs, &mut program, wanted.len()).is_some()
            });
            if !found && let Some(others) = candidates.first_of(exprs, &mut program, wanted.len()) {
                let slot = |(&(var, _), value)| (var, to_slot(exprs.input(var).ty, value));
                let others = candidates.free.iter().zip(others).map(slot);
                let fixed = candidates.fixed.iter().copied().chain(others).collect();
                same = Some(Candidates { fixed, free: vec![] });
                found = true;
            }
            values.extend(found.then_some(Range::new(value, value)));
        }
        Integers::new(values).map(Arc::new)
    }

    /// How many combinations of inputs take a path: `None` if nobody knows, or too many to count.
    pub fn count(&mut self, exprs: &Exprs, constraints: &Constraints) -> Option<u128> {
        let connected = constraints.connected(exprs);
        let mut total: u128 = 1;
        let mut open = Vec::new();
        for input in &constraints.inputs {
            if connected.contains(&input.var) {
                open.push(input.var);
                continue;
            }
            total = total.checked_mul(match &input.left {
                Some(left) => left.count(),
                None => exprs.input(input.var).domain.count(),
            })?;
        }
        while let Some(&var) = open.first() {
            let (group, wanted) = constraints.group(exprs, &[var]);
            open.retain(|var| !group.contains(var));
            let mut count: u128 = 0;
            let candidates = self.candidates(exprs, constraints, &group, 0)?;
            candidates.each(exprs, &wanted, |_, result| {
                count += u128::from((0..wanted.len()).all(|c| result(c) as u32 != 0));
                ControlFlow::Continue(())
            })?;
            total = total.checked_mul(count)?;
        }
        Some(total)
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
    candidates.each(exprs, &[condition], |value, result| {
        if result(0) as u32 != 0 {
            values.push(Range::new(value[0], value[0]));
        }
        ControlFlow::Continue(())
    })?;
    Some(within(Integers::new(values)))
}
