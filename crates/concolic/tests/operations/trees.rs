//! Trees of operations: made through [`Exprs`], which makes them simpler, they are worth what the
//! same trees are worth when they are evaluated as they stand.

use mw_concolic::expr::{Expr, Exprs, Input, Var};
use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;
use mw_world::Domain;

use super::numbers::{Random, number, special};
use super::{TYPES, evaluate, operations};

/// A tree as it stands.
#[derive(Clone, Debug)]
enum Tree {
    Const(ValType, u64),
    Input(usize),
    Unary(NumericOp, Box<Tree>),
    Binary(NumericOp, Box<Tree>, Box<Tree>),
    Ite(Box<Tree>, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn evaluate(&self, inputs: &[u64]) -> u64 {
        match self {
            Tree::Const(_, slot) => *slot,
            Tree::Input(index) => inputs[*index],
            Tree::Unary(op, a) => op.evaluate(a.evaluate(inputs), 0).unwrap_or(0),
            Tree::Binary(op, a, b) => {
                op.evaluate(a.evaluate(inputs), b.evaluate(inputs)).unwrap_or(0)
            }
            Tree::Ite(c, a, b) => match c.evaluate(inputs) as u32 != 0 {
                true => a.evaluate(inputs),
                false => b.evaluate(inputs),
            },
        }
    }

    fn build(&self, exprs: &mut Exprs, inputs: &[(Var, Expr)]) -> Expr {
        match self {
            Tree::Const(ty, slot) => exprs.constant(*ty, *slot),
            Tree::Input(index) => inputs[*index].1,
            Tree::Unary(op, a) => {
                let a = a.build(exprs, inputs);
                exprs.unary(*op, a)
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = (a.build(exprs, inputs), b.build(exprs, inputs));
                exprs.binary(*op, a, b)
            }
            Tree::Ite(c, a, b) => {
                let c = c.build(exprs, inputs);
                let (a, b) = (a.build(exprs, inputs), b.build(exprs, inputs));
                exprs.ite(c, a, b)
            }
        }
    }

    /// Itself and all that it is made of.
    fn parts(&self) -> Vec<&Tree> {
        let mut parts = vec![self];
        let mut at = 0;
        while at < parts.len() {
            match parts[at] {
                Tree::Const(..) | Tree::Input(_) => {}
                Tree::Unary(_, a) => parts.push(a),
                Tree::Binary(_, a, b) => parts.extend([&**a, &**b]),
                Tree::Ite(c, a, b) => parts.extend([&**c, &**a, &**b]),
            }
            at += 1;
        }
        parts
    }
}

/// Two inputs of each type, and one that is 0 or 1.
const INPUTS: [ValType; 9] = [
    ValType::I32,
    ValType::I32,
    ValType::I64,
    ValType::I64,
    ValType::F32,
    ValType::F32,
    ValType::F64,
    ValType::F64,
    ValType::I32,
];

/// Operations that there are rules about, which would be met too seldom among all.
const RULED: &[NumericOp] = &[
    I32Eqz,
    I64Eqz,
    I32And,
    I32Or,
    I32Xor,
    I32Add,
    I32Sub,
    I32Mul,
    I32Shl,
    I32ShrU,
    I32ShrS,
    I32Eq,
    I32Ne,
    I32LtU,
    I32GtS,
    I32GeU,
    I32LeS,
    I64And,
    I64Or,
    I64Add,
    I64Sub,
    I64Shl,
    I64ShrU,
    I64Eq,
    I64Ne,
    I64LtU,
    I64GeU,
    I64GtU,
    I64LeU,
    I32WrapI64,
    I64ExtendI32U,
    I64ExtendI32S,
    I32ReinterpretF32,
    I64ReinterpretF64,
    F32ReinterpretI32,
    F64ReinterpretI64,
    F32Eq,
    F64Ne,
];

struct Gardener {
    random: Random,
    by_result: [Vec<NumericOp>; 4],
}

impl Gardener {
    fn new(seed: u64) -> Gardener {
        let of = |ty| {
            let all = operations().chain(RULED.iter().copied()).chain(RULED.iter().copied());
            all.filter(|op| op.result() == ty).collect()
        };
        Gardener { random: Random::new(seed), by_result: TYPES.map(of) }
    }

    fn leaf(&mut self, ty: ValType) -> Tree {
        if self.random.below(3) == 0 {
            return self.constant(ty);
        }
        let of_type: Vec<usize> = (0..INPUTS.len()).filter(|&at| INPUTS[at] == ty).collect();
        Tree::Input(self.random.pick(&of_type))
    }

    /// A number: rather one that rules ask for.
    fn constant(&mut self, ty: ValType) -> Tree {
        let ones =
            if matches!(ty, ValType::I32 | ValType::F32) { u64::MAX >> 32 } else { u64::MAX };
        let slot = match self.random.below(3) {
            0 => self.random.pick(&[0, 1, 2, 8, 255, ones]),
            1 => self.random.pick(&special(ty)),
            _ => number(&mut self.random, ty),
        };
        Tree::Const(ty, slot)
    }

    fn tree(&mut self, ty: ValType, depth: usize) -> Tree {
        if depth == 0 || self.random.below(8) == 0 {
            return self.leaf(ty);
        }
        match self.random.below(9) {
            0 => {
                let condition = self.tree(ValType::I32, depth - 1);
                let (a, b) = (self.tree(ty, depth - 1), self.tree(ty, depth - 1));
                Tree::Ite(condition.into(), a.into(), b.into())
            }
            // One of two numbers.
            1 => {
                let condition = self.tree(ValType::I32, depth - 1);
                let (a, b) = (self.constant(ty), self.constant(ty));
                Tree::Ite(condition.into(), a.into(), b.into())
            }
            2 if matches!(ty, ValType::I32 | ValType::I64) => self.pieces(ty, depth),
            _ => {
                let ops = &self.by_result[TYPES.iter().position(|&other| other == ty).unwrap()];
                let op = self.random.pick(ops);
                let a = self.tree(op.operand(), depth - 1);
                if !op.is_binary() {
                    return Tree::Unary(op, a.into());
                }
                let b = match self.random.below(4) {
                    0 => self.constant(op.operand()),
                    1 => a.clone(),
                    _ => self.tree(op.operand(), depth - 1),
                };
                Tree::Binary(op, a.into(), b.into())
            }
        }
    }

    /// A number put together from bytes of others, as when they were stored and are loaded.
    fn pieces(&mut self, ty: ValType, depth: usize) -> Tree {
        let ops = |ty| match ty {
            ValType::I64 => (I64ShrU, I64And, I64Shl, I64Or, 8),
            _ => (I32ShrU, I32And, I32Shl, I32Or, 4),
        };
        let (_, _, shl, or, size) = ops(ty);
        let mut whole = self.constant(ty);
        for _ in 0..1 + self.random.below(3) {
            let from = self.random.pick(&[ValType::I32, ValType::I64]);
            let (shr, and, _, _, from_size) = ops(from);
            let source = self.tree(from, depth - 1);
            let constant = |slot: usize| Tree::Const(from, slot as u64).into();
            let mask = self.random.pick(&[0xff, 0xffff, 0xff_ffff]);
            let shifted =
                Tree::Binary(shr, source.into(), constant(8 * self.random.below(from_size)));
            let mut piece = Tree::Binary(and, shifted.into(), constant(mask));
            if from != ty {
                let convert = if ty == ValType::I64 { I64ExtendI32U } else { I32WrapI64 };
                piece = Tree::Unary(convert, piece.into());
            }
            let to = Tree::Const(ty, 8 * self.random.below(size) as u64);
            let piece = Tree::Binary(shl, piece.into(), to.into());
            whole = Tree::Binary(or, whole.into(), piece.into());
        }
        whole
    }

    fn inputs(&mut self) -> Vec<u64> {
        let mut inputs: Vec<u64> = INPUTS.iter().map(|&ty| number(&mut self.random, ty)).collect();
        // Equal ones now and then, and the last one is 0 or 1.
        for pair in (0..8).step_by(2) {
            if self.random.below(4) == 0 {
                inputs[pair + 1] = inputs[pair];
            }
        }
        inputs[8] = self.random.below(2) as u64;
        inputs
    }
}

/// Checks a tree with some inputs, and what is said about its expression.
fn check(tree: &Tree, assignments: &[Vec<u64>]) {
    let mut exprs = Exprs::default();
    let inputs: Vec<(Var, Expr)> = INPUTS
        .iter()
        .zip(0..)
        .map(|(&ty, position)| {
            let domain = match position {
                8 => Domain::range(0, 1),
                _ => Domain::all(ty),
            };
            let var = exprs.var(Input { position, ty, domain: domain.unwrap() });
            (var, exprs.input_expr(var))
        })
        .collect();
    let of_vars = |values: &[u64]| -> Vec<(Var, u64)> {
        inputs.iter().map(|(var, _)| *var).zip(values.iter().copied()).collect()
    };
    let expr = tree.build(&mut exprs, &inputs);
    let expected: Vec<u64> = assignments.iter().map(|inputs| tree.evaluate(inputs)).collect();
    let all: Vec<_> = assignments.iter().map(|inputs| of_vars(inputs)).collect();
    assert_eq!(evaluate(&exprs, expr, &all), expected, "{tree:?} with {assignments:x?}");
    if exprs.is_boolean(expr) && exprs.ty(expr) == ValType::I32 {
        assert!(expected.iter().all(|&slot| slot <= 1), "{tree:?} is not only 0 or 1");
    }

    // What is made of it to ask about it.
    let is_first = exprs.equals(expr, expected[0]);
    let equal = expected.iter().map(|&slot| u64::from(slot == expected[0]));
    assert_eq!(evaluate(&exprs, is_first, &all), equal.collect::<Vec<_>>(), "equals, {tree:?}");
    if matches!(exprs.ty(expr), ValType::I32 | ValType::I64) {
        let (truth, not) = (exprs.truth(expr), exprs.not(expr));
        let holds: Vec<u64> = expected.iter().map(|&slot| u64::from(slot != 0)).collect();
        let fails: Vec<u64> = expected.iter().map(|&slot| u64::from(slot == 0)).collect();
        assert_eq!(evaluate(&exprs, truth, &all), holds, "truth, {tree:?} with {assignments:x?}");
        assert_eq!(evaluate(&exprs, not, &all), fails, "not, {tree:?} with {assignments:x?}");
    }

    // What it does not depend on makes no difference.
    let mut others = assignments[1].clone();
    for (at, (var, _)) in inputs.iter().enumerate() {
        if exprs.support(expr).contains(var) {
            others[at] = assignments[0][at];
        }
    }
    assert_eq!(tree.evaluate(&others), expected[0], "{tree:?} depends on more than it says");
}

fn check_seed(seed: u64) {
    let mut gardener = Gardener::new(seed);
    let ty = gardener.random.pick(&TYPES);
    let depth = 1 + gardener.random.below(4);
    let tree = gardener.tree(ty, depth);
    let assignments: Vec<_> = (0..12).map(|_| gardener.inputs()).collect();
    // The smallest part that is wrong says most.
    for part in tree.parts().into_iter().rev() {
        check(part, &assignments);
    }
}

#[test]
fn made_simpler_they_are_worth_the_same() {
    for seed in 0..6000 {
        check_seed(seed);
    }
}
