//! The cascade without a backend, on conditions over few inputs, against trying out everything.

use std::time::Duration;

use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;
use mw_world::{Domain, Integers, Range};
use proptest::prelude::*;

use super::sat::Sat;
use super::{Answer, Constraints, Solver, from_slot, to_slot};
use crate::evaluate::Evaluation;
use crate::expr::{Expr, Exprs, Var};
use crate::stop::Stop;

/// What is said about inputs, by their numbers.
#[derive(Clone, Debug)]
enum Said {
    /// `x + number`, compared with `y`.
    Compare(NumericOp, usize, i32, usize),
    /// The remainder of `x` by 3 is not 0: a set with gaps.
    Remainder(usize),
    /// The product of two is less than a number: no difference.
    Product(usize, usize, i32),
    Not(Box<Said>),
    Both(Box<Said>, Box<Said>),
    Either(Box<Said>, Box<Said>),
}

impl Said {
    fn expr(&self, exprs: &mut Exprs, inputs: &[Expr]) -> Expr {
        let input = |at: usize| inputs[at % inputs.len()];
        match self {
            Said::Compare(op, x, number, y) => {
                let sum =
                    exprs.with_const(I32Add, input(*x), to_slot(ValType::I32, (*number).into()));
                exprs.binary(*op, sum, input(*y))
            }
            Said::Remainder(x) => {
                let remainder = exprs.with_const(I32RemS, input(*x), 3);
                exprs.truth(remainder)
            }
            Said::Product(x, y, number) => {
                let product = exprs.binary(I32Mul, input(*x), input(*y));
                exprs.with_const(I32LtS, product, to_slot(ValType::I32, (*number).into()))
            }
            Said::Not(a) => {
                let a = a.expr(exprs, inputs);
                exprs.not(a)
            }
            Said::Both(a, b) => {
                let (a, b) = (a.expr(exprs, inputs), b.expr(exprs, inputs));
                exprs.and(a, b)
            }
            Said::Either(a, b) => {
                let (a, b) = (a.expr(exprs, inputs), b.expr(exprs, inputs));
                exprs.or(a, b)
            }
        }
    }
}

fn comparison() -> impl Strategy<Value = Said> {
    let ops = prop_oneof![
        4 => Just(I32Ne),
        1 => Just(I32Eq),
        1 => prop::sample::select(vec![I32LtS, I32LeS, I32GtS, I32GeS, I32LtU, I32GeU]),
    ];
    let added = prop_oneof![2 => Just(0), 1 => -3..=3i32];
    (ops, 0..4usize, added, 0..4usize)
        .prop_map(|(op, x, number, y)| Said::Compare(op, x, number, y))
}

fn said() -> impl Strategy<Value = Said> {
    let leaf = prop_oneof![
        8 => comparison(),
        1 => (0..4usize).prop_map(Said::Remainder),
        1 => (0..4usize, 0..4usize, -9..9i32).prop_map(|(x, y, n)| Said::Product(x, y, n)),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let boxed = inner.prop_map(Box::new).boxed();
        prop_oneof![
            boxed.clone().prop_map(Said::Not),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Said::Both(a, b)),
            (boxed.clone(), boxed).prop_map(|(a, b)| Said::Either(a, b)),
        ]
    })
}

fn domain() -> impl Strategy<Value = Domain> {
    let ranges = prop::collection::vec((-6..6i64, 0..6i64), 1..3);
    ranges.prop_filter_map("empty", |ranges| {
        let ranges = ranges.iter().map(|&(low, more)| Range::new(low, low + more));
        Integers::new(ranges).map(Domain::Integers)
    })
}

/// A path with what has been required on it, and all values that its inputs can have.
struct Bench {
    exprs: Exprs,
    solver: Solver,
    constraints: Constraints,
    inputs: Vec<(Var, Expr)>,
    /// All that meet the constraints: those with values nearer to zero first.
    possible: Vec<Vec<i64>>,
}

impl Bench {
    fn new(domains: &[Domain]) -> Bench {
        let (mut exprs, mut constraints) = (Exprs::default(), Constraints::default());
        let mut solver = Solver::new(vec![], Duration::MAX);
        let mut possible = vec![vec![]];
        let inputs = domains.iter().map(|domain| {
            let mut values: Vec<i64> = domain.integers().unwrap().values().collect();
            values.sort_unstable_by_key(|&value| (value.abs(), value));
            possible = possible
                .iter()
                .flat_map(|first| values.iter().map(|&value| [&first[..], &[value]].concat()))
                .collect();
            let (ty, domain) = (ValType::I32, domain.clone());
            let expr = solver.read(&mut exprs, &mut constraints, (ty, domain), None);
            (constraints.inputs.last().unwrap().var, expr)
        });
        let inputs = inputs.collect();
        Bench { exprs, solver, constraints, inputs, possible }
    }

    fn holds(&self, condition: Expr, values: &[i64]) -> bool {
        let slot = |var: Var| {
            let at = self.inputs.iter().position(|(other, _)| *other == var).unwrap();
            to_slot(ValType::I32, values[at])
        };
        Evaluation::new(&self.exprs, slot).slot(condition) as u32 != 0
    }

    fn values(&self) -> Vec<i64> {
        let bounds = self.constraints.inputs.iter();
        bounds.map(|bound| from_slot(ValType::I32, bound.slot)).collect()
    }

    /// The values that a condition leads to: of the inputs that it has to do with, as many of the
    /// first as possible stay, and then each is as near to zero as possible.
    fn expected(&mut self, condition: Expr) -> Option<Vec<i64>> {
        let constraints = &self.constraints;
        let condition = self.exprs.given(condition, |exprs, var| constraints.only(exprs, var));
        let support = self.exprs.support(condition).clone();
        let (group, _) = constraints.group(&self.exprs, &support, 0);
        let before = self.values();
        let stays = |values: &[i64], kept: &[Var]| {
            let is_free = |at: usize| {
                let var = self.inputs[at].0;
                group.contains(&var) && !kept.contains(&var)
            };
            (0..values.len()).all(|at| values[at] == before[at] || is_free(at))
        };
        let fits = |kept: usize| {
            let fits =
                |values: &&Vec<i64>| stays(values, &group[..kept]) && self.holds(condition, values);
            self.possible.iter().find(fits).cloned()
        };
        (0..group.len().max(1)).rev().find_map(fits)
    }

    /// Asks whether a condition can hold; if so, it does from now on.
    fn ask(&mut self, condition: Expr) -> Result<(), TestCaseError> {
        let expected = self.expected(condition);
        let answer =
            self.solver.find(&mut self.exprs, &self.constraints, condition, &Stop::default());
        match answer {
            Answer::Unknown => prop_assert!(false, "unknown"),
            Answer::Impossible => prop_assert_eq!(expected, None),
            Answer::Values(values) => {
                for (var, slot) in values {
                    self.constraints.bound_mut(&self.exprs, var).slot = slot;
                }
                prop_assert_eq!(expected, Some(self.values()));
                self.solver.require(&mut self.exprs, &mut self.constraints, condition);
                let possible = std::mem::take(&mut self.possible);
                let fits = possible.into_iter().filter(|values| self.holds(condition, values));
                self.possible = fits.collect();
            }
        }
        Ok(())
    }

    /// What is said of each input is what is possible after the values of those before.
    fn check_classes(&mut self) -> Result<(), TestCaseError> {
        let values = self.values();
        for (at, (var, _)) in self.inputs.iter().enumerate() {
            let alike = self.possible.iter().filter(|other| other[..at] == values[..at]);
            let expected = Integers::new(alike.map(|other| Range::new(other[at], other[at])));
            let class = self.constraints.class(&self.exprs, *var, &Stop::default());
            prop_assert_eq!(class.as_deref(), expected.as_ref(), "input {}", at);
        }
        let count = self.constraints.count(&self.exprs, &Stop::default());
        prop_assert_eq!(count, Some(self.possible.len() as u128));
        Ok(())
    }
}

proptest! {
    #[test]
    fn answers_and_classes_are_those_of_trying_out(
        domains in prop::collection::vec(domain(), 2..5),
        all in prop::collection::vec(said(), 1..7),
    ) {
        let mut bench = Bench::new(&domains);
        let inputs: Vec<Expr> = bench.inputs.iter().map(|(_, expr)| *expr).collect();
        for said in all {
            let condition = said.expr(&mut bench.exprs, &inputs);
            bench.ask(condition)?;
        }
        bench.check_classes()?;
    }

    #[test]
    fn comparisons_need_nothing_else(
        domains in prop::collection::vec(domain(), 2..5),
        all in prop::collection::vec(comparison(), 1..9),
    ) {
        let mut bench = Bench::new(&domains);
        let inputs: Vec<Expr> = bench.inputs.iter().map(|(_, expr)| *expr).collect();
        for said in all {
            // Negative numbers are in an order of their own as unsigned ones.
            if matches!(said, Said::Compare(I32LtU | I32GeU, ..)) {
                continue;
            }
            let condition = said.expr(&mut bench.exprs, &inputs);
            bench.ask(condition)?;
        }
        bench.check_classes()?;
        let statistics = &bench.solver.statistics;
        prop_assert_eq!(statistics.enumeration + statistics.backend + statistics.unknown, 0);
    }
}

/// Too many values to try them all, and no comparison: what a backend finds is made smaller.
#[test]
fn backends_find_what_is_nearest_to_zero() {
    let any = Domain::all(ValType::I32).unwrap();
    for (low, high, remainder, nearest) in [
        (i32::MIN, -1, 0, -2),
        (i32::MIN, i32::MAX, 1, -1),
        (i32::MIN, -1_000_000, 0, -1_000_000),
        (1_000_001, i32::MAX, 0, 1_000_002),
        (-2_000_000_000, -1_900_000_000, 1, -1_900_000_001),
    ] {
        let mut bench = Bench { possible: vec![], ..Bench::new(&[]) };
        bench.solver = Solver::new(vec![Box::new(Sat::new())], Duration::MAX);
        let Bench { exprs, solver, constraints, .. } = &mut bench;
        let x = solver.read(exprs, constraints, (ValType::I32, any.clone()), None);
        let slot = |value: i32| to_slot(ValType::I32, value.into());
        for (op, end) in [(I32GeS, low), (I32LeS, high)] {
            let within = exprs.with_const(op, x, slot(end));
            solver.require(exprs, constraints, within);
        }
        let bit = exprs.with_const(I32And, x, 1);
        let condition = exprs.equals(bit, remainder);
        let found = solver.find(exprs, constraints, condition, &Stop::default());
        let var = constraints.inputs[0].var;
        assert_eq!(found, Answer::Values(vec![(var, slot(nearest))]), "{low}..{high}");
        assert_eq!(solver.statistics.backend, 1, "{low}..{high}");
    }
}

/// A question about two floats of a type.
type Floats = fn(&mut Exprs, Expr, Expr) -> Expr;

/// Circuits of floats are large, and what they are asked is often easy.
#[test]
fn floats_are_found_at_once() {
    let questions: [(ValType, Floats); 7] = [
        (ValType::F32, |exprs, x, y| {
            let quotient = exprs.binary(F32Div, x, y);
            exprs.with_const(F32Eq, quotient, 1f32.to_bits().into())
        }),
        (ValType::F64, |exprs, x, y| {
            let quotient = exprs.binary(F64Div, x, y);
            exprs.with_const(F64Eq, quotient, 1f64.to_bits())
        }),
        (ValType::F64, |exprs, x, y| {
            let product = exprs.binary(F64Mul, x, y);
            exprs.with_const(F64Eq, product, 6.25f64.to_bits())
        }),
        (ValType::F64, |exprs, x, _| {
            let root = exprs.unary(F64Sqrt, x);
            exprs.with_const(F64Gt, root, 1000f64.to_bits())
        }),
        (ValType::F64, |exprs, x, y| {
            let sum = exprs.binary(F64Add, x, y);
            let same = exprs.binary(F64Eq, sum, x);
            let differs = exprs.with_const(F64Ne, y, 0f64.to_bits());
            exprs.and(same, differs)
        }),
        (ValType::F64, |exprs, x, _| exprs.binary(F64Ne, x, x)),
        (ValType::F64, |exprs, x, _| exprs.with_const(F64Eq, x, 0.1f64.to_bits())),
    ];
    for (number, (ty, question)) in questions.into_iter().enumerate() {
        let mut exprs = Exprs::default();
        let mut constraints = Constraints::default();
        let mut solver = Solver::new(vec![Box::new(Sat::new())], Duration::from_secs(1));
        let mut read = || {
            let domain = Domain::all(ty).unwrap();
            solver.read(&mut exprs, &mut constraints, (ty, domain), None)
        };
        let (x, y) = (read(), read());
        let condition = question(&mut exprs, x, y);
        let answer = solver.find(&mut exprs, &constraints, condition, &Stop::default());
        let Answer::Values(values) = answer else { panic!("question {number}: {answer:?}") };
        for (var, slot) in values {
            constraints.bound_mut(&exprs, var).slot = slot;
        }
        let slot = |var| constraints.slot(&exprs, var);
        assert_ne!(Evaluation::new(&exprs, slot).slot(condition), 0, "question {number}");
    }
}

/// A few inputs that have no room, among many that do: found out without trying all choices.
#[test]
fn a_contradiction_among_many_choices() {
    let (wide, narrow) = (Domain::range(-9999, 9999).unwrap(), Domain::range(1, 3).unwrap());
    let domains = [vec![wide; 12], vec![narrow; 4]].concat();
    let (mut exprs, mut constraints) = (Exprs::default(), Constraints::default());
    let mut solver = Solver::new(vec![], Duration::MAX);
    let inputs: Vec<Expr> = domains
        .into_iter()
        .map(|domain| solver.read(&mut exprs, &mut constraints, (ValType::I32, domain), None))
        .collect();
    let mut answers = Vec::new();
    for (at, &y) in inputs.iter().enumerate() {
        for &x in &inputs[..at] {
            let differ = exprs.binary(I32Ne, x, y);
            let answer = solver.find(&mut exprs, &constraints, differ, &Stop::default());
            if let Answer::Values(values) = &answer {
                for &(var, slot) in values {
                    constraints.bound_mut(&exprs, var).slot = slot;
                }
                solver.require(&mut exprs, &mut constraints, differ);
            }
            answers.push(answer);
        }
    }
    // Three of the four can differ.
    let impossible: Vec<usize> =
        (0..answers.len()).filter(|&at| answers[at] == Answer::Impossible).collect();
    assert_eq!(impossible, [answers.len() - 1]);
    assert_eq!(solver.statistics.unknown, 0);
}

/// Too large to be made simpler, and nothing is open any more: whether it holds is seen all the same.
#[test]
fn a_large_condition_on_inputs_that_are_known() {
    let (mut exprs, mut constraints) = (Exprs::default(), Constraints::default());
    let mut solver = Solver::new(vec![], Duration::MAX);
    let mut read = |value: i64| {
        let domain = Domain::range(value, value).unwrap();
        solver.read(&mut exprs, &mut constraints, (ValType::I32, domain), None)
    };
    let (x, y) = (read(5), read(-7));
    let (mut large, mut expected) = (x, 5i32);
    for round in 0..100 {
        large = exprs.binary(I32Mul, large, y);
        large = exprs.with_const(I32Add, large, round);
        expected = expected.wrapping_mul(-7).wrapping_add(round as i32);
    }
    let holds = exprs.equals(large, to_slot(ValType::I32, expected.into()));
    let fails = exprs.not(holds);
    let mut find = |condition| solver.find(&mut exprs, &constraints, condition, &Stop::default());
    assert!(matches!(find(holds), Answer::Values(_)));
    assert_eq!(find(fails), Answer::Impossible);
}

/// Whatever is asked, it is over within one slice of work once it is to stop.
#[test]
fn every_stage_heeds_the_stop() {
    let wide = Domain::range(-40_000, 40_000).unwrap();
    let (mut exprs, mut constraints) = (Exprs::default(), Constraints::default());
    let mut solver = Solver::new(vec![Box::new(Sat::new())], Duration::MAX);
    let inputs: Vec<Expr> = (0..10)
        .map(|_| solver.read(&mut exprs, &mut constraints, (ValType::I32, wide.clone()), None))
        .collect();
    let mut product = inputs[0];
    for &input in &inputs[1..] {
        product = exprs.binary(I32Mul, product, input);
        product = exprs.with_const(I32Xor, product, 0x5a5a);
    }
    let hard = exprs.equals(product, 0x1234_5678);
    for looks in [0, 1, 2, 5, 20, 100] {
        let stop = Stop::after_looks(looks);
        let answer = solver.find(&mut exprs, &constraints, hard, &stop);
        assert_eq!(answer, Answer::Unknown, "{looks}");
        assert!(stop.looks() < looks + 20, "{} looks instead of {looks}", stop.looks());
    }
    assert!(solver.held() > 1000, "what was blasted counts");
    // Classes and counts, too: here of one input that depends on the next.
    let narrow = Domain::range(0, 4000).unwrap();
    let (mut exprs, mut constraints) = (Exprs::default(), Constraints::default());
    let mut read =
        || solver.read(&mut exprs, &mut constraints, (ValType::I32, narrow.clone()), None);
    let (x, y) = (read(), read());
    let product = exprs.binary(I32Mul, x, y);
    let small = exprs.with_const(I32LtU, product, 1000);
    solver.require(&mut exprs, &mut constraints, small);
    let var = constraints.inputs[0].var;
    let over = Stop::after_looks(0);
    assert_eq!(constraints.count(&exprs, &over), None);
    assert!(over.looks() < 5);
    let class = constraints.class(&exprs, var, &Stop::default());
    assert_eq!(class.map(|class| class.count()), Some(4001));
}
