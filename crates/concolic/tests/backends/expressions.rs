//! Random expressions over few inputs with small domains, against trying out all of them.

use mw_concolic::evaluate::Evaluation;
use mw_concolic::expr::{Expr, Exprs, Var};
use mw_concolic::solver::backend::{Backend, Verdict};
use mw_concolic::solver::sat::Sat;
use mw_vm::{NumericOp, ValType};
use mw_world::Domain;

use super::numbers::{Random, number};
use super::{input, second_opinion, solve};

/// Expressions that grow, each made of earlier ones, and inputs with all their values.
struct Garden {
    exprs: Exprs,
    grown: Vec<Expr>,
    inputs: Vec<(Var, Vec<u64>)>,
}

impl Garden {
    fn new(random: &mut Random) -> Garden {
        let mut garden = Garden { exprs: Exprs::default(), grown: Vec::new(), inputs: Vec::new() };
        for position in 0..1 + random.below(2) as u32 {
            let ty = random.pick(&[ValType::I32, ValType::I64]);
            let low = random.pick(&[0, -3, 100, i64::from(i32::MIN)]);
            let values: Vec<i64> =
                (low..low + 32).filter(|_| random.below(4) != 0).chain([low]).collect();
            let domain = Domain::set(values.iter().copied()).unwrap();
            let (var, expr) = input(&mut garden.exprs, position, ty, domain);
            let ones = if ty == ValType::I32 { u64::MAX >> 32 } else { u64::MAX };
            garden.inputs.push((var, values.iter().map(|&value| value as u64 & ones).collect()));
            garden.grown.push(expr);
        }
        garden
    }

    /// One of the expressions of a type, or a number if there is none.
    fn pick(&mut self, random: &mut Random, ty: ValType) -> Expr {
        let of_type: Vec<Expr> =
            self.grown.iter().copied().filter(|&expr| self.exprs.ty(expr) == ty).collect();
        if of_type.is_empty() || random.below(5) == 0 {
            return self.exprs.constant(ty, number(random, ty));
        }
        // Rather a late one.
        of_type[random.below(of_type.len()).max(random.below(of_type.len()))]
    }

    fn grow(&mut self, random: &mut Random) {
        let op = random.pick(NumericOp::ALL);
        if op == NumericOp::RefIsNull {
            return;
        }
        let a = self.pick(random, op.operand());
        let b = self.pick(random, op.operand());
        let expr = match (random.below(10), op.is_binary()) {
            (0, _) => {
                let condition = self.pick(random, ValType::I32);
                self.exprs.ite(condition, a, b)
            }
            (_, true) => self.exprs.binary(op, a, b),
            (_, false) => self.exprs.unary(op, a),
        };
        if self.exprs.as_const(expr).is_none() {
            self.grown.push(expr);
        }
    }

    /// A constraint that holds for some values of what it is about, with a bit of luck.
    fn constraint(&mut self, random: &mut Random) -> Expr {
        let expr = self.grown[self.grown.len() - 1 - random.below(3.min(self.grown.len()))];
        let ty = self.exprs.ty(expr);
        let values: Vec<usize> = self.inputs.iter().map(|(_, values)| values.len()).collect();
        let indices: Vec<usize> = values.iter().map(|&count| random.below(count)).collect();
        let slot = self.evaluate(expr, &indices);
        match (random.below(3), ty) {
            (0, ValType::I32 | ValType::I64) => self.exprs.truth(expr),
            (1, ValType::I32 | ValType::I64) => self.exprs.not(expr),
            _ => self.exprs.equals(expr, slot),
        }
    }

    fn evaluate(&self, expr: Expr, indices: &[usize]) -> u64 {
        let slot = |var: Var| {
            let at = self.inputs.iter().position(|(other, _)| *other == var).unwrap();
            self.inputs[at].1[indices[at]]
        };
        Evaluation::new(&self.exprs, slot).slot(expr)
    }

    /// Whether any values make all constraints hold.
    fn is_satisfiable(&self, constraints: &[Expr]) -> bool {
        let counts: Vec<usize> = self.inputs.iter().map(|(_, values)| values.len()).collect();
        let seconds = counts.get(1).copied().unwrap_or(1);
        (0..counts[0] * seconds).any(|at| {
            let indices = [at / seconds, at % seconds];
            constraints.iter().all(|&constraint| self.evaluate(constraint, &indices) as u32 != 0)
        })
    }
}

/// Asks three questions and returns how many of them have values that satisfy them.
fn check(backend: &mut dyn Backend, seed: u64, size: usize) -> usize {
    let mut random = Random::new(seed);
    let mut garden = Garden::new(&mut random);
    let mut satisfiable = 0;
    // Several questions about one growing graph.
    for _ in 0..3 {
        for _ in 0..size {
            garden.grow(&mut random);
        }
        let count = 1 + random.below(3);
        let constraints: Vec<Expr> = (0..count).map(|_| garden.constraint(&mut random)).collect();
        let expected = garden.is_satisfiable(&constraints);
        match solve(backend, &garden.exprs, &constraints) {
            Verdict::Satisfiable(model) => {
                assert!(expected, "seed {seed}: there are no such values as {model:?}");
                let holds = |&(var, slot): &(Var, u64)| {
                    garden.inputs.iter().any(|(other, of)| *other == var && of.contains(&slot))
                };
                assert!(model.iter().all(holds), "seed {seed}: {model:?} is outside the domains");
                let slot = |var: Var| model.iter().find(|(other, _)| *other == var).unwrap().1;
                let mut evaluation = Evaluation::new(&garden.exprs, slot);
                for &constraint in &constraints {
                    assert_ne!(evaluation.slot(constraint) as u32, 0, "seed {seed}: {model:?}");
                }
            }
            Verdict::Unsatisfiable => assert!(!expected, "seed {seed}: there are values"),
            Verdict::Unknown => panic!("seed {seed}: there was all the time"),
        }
        satisfiable += usize::from(expected);
    }
    satisfiable
}

#[test]
fn sat_agrees_with_trying_out_everything() {
    let satisfiable: usize = (0..400).map(|seed| check(&mut Sat::new(), seed, 8)).sum();
    assert!((300..900).contains(&satisfiable), "the questions say little: {satisfiable} of 1200");
}

#[test]
fn smt_agrees_with_trying_out_everything() {
    for program in ["bitwuzla", "cvc5", "z3"] {
        let Some(mut smt) = second_opinion(program) else { continue };
        for seed in 1000..1020 {
            check(&mut smt, seed, 4);
            assert_eq!(smt.problem(), None, "{program}, seed {seed}");
            smt.reset();
        }
    }
}

#[test]
fn numbers_are_not_taken_for_truths() {
    let mut backends: Vec<Box<dyn Backend>> = vec![Box::new(Sat::new())];
    for program in ["bitwuzla", "cvc5", "z3"] {
        backends.extend(second_opinion(program).map(|smt| Box::new(smt) as Box<dyn Backend>));
    }
    for mut backend in backends {
        let mut exprs = Exprs::default();
        let (_, x) = input(&mut exprs, 0, ValType::I32, Domain::range(2, 3).unwrap());
        let is_two = exprs.equals(x, 2);
        // 2 and 1 have no bit in common, and 3 goes with 0.
        let both = exprs.and(x, is_two);
        assert_eq!(solve(&mut *backend, &exprs, &[both]), Verdict::Unsatisfiable);
        let one = exprs.or(x, is_two);
        assert_ne!(solve(&mut *backend, &exprs, &[one]), Verdict::Unsatisfiable);
    }
}
