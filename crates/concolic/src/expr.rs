//! Expressions: what a number of the program is, in terms of the inputs it comes from.
//!
//! An expression is a node of a directed graph in which equal nodes are one: comparing
//! expressions is comparing their numbers, and what was worked out about one stays known. The
//! operations are the machine's own ([`NumericOp`]) and a choice between two values, so that the
//! machine's arithmetic is also the meaning of expressions.
//!
//! **Invariants:** a node's operands have smaller numbers than the node. An operation that would
//! trap yields 0 here: whether it traps is a decision of its own, made before.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use mw_vm::{NumericOp, ValType};
use mw_world::Domain;

use crate::rewrite;

/// An expression of an [`Exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(NonZeroU32);

impl Expr {
    fn new(index: usize) -> Expr {
        // There is no room for so many expressions in memory anyway.
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Expr(number.unwrap_or(NonZeroU32::MAX))
    }

    /// Its number: operands have smaller ones.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An input that expressions are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// What an [`Expr`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number, as it lies in a slot.
    Const(ValType, u64),
    /// What an input returned.
    Input(Var),
    /// An operation with one operand.
    Unary(NumericOp, Expr),
    /// An operation with two operands.
    Binary(NumericOp, Expr, Expr),
    /// The second if the first (an `i32`) is not zero, else the third.
    Ite(Expr, Expr, Expr),
}

impl Node {
    /// The expressions that it is made of.
    pub fn operands(self) -> impl Iterator<Item = Expr> {
        let operands = match self {
            Node::Const(..) | Node::Input(_) => [None; 3],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Ite(c, a, b) => [c, a, b].map(Some),
        };
        operands.into_iter().flatten()
    }
}

/// What is known of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    /// Which one on its path: the first input read is number 0.
    pub position: u32,
    /// Its type.
    pub ty: ValType,
    /// What it can return.
    pub domain: Domain,
}

/// The inputs that an expression depends on, in ascending order.
pub type Support = Arc<[Var]>;

/// A graph of expressions.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: Vec<Node>,
    types: Vec<ValType>,
    supports: Vec<u32>,
    booleans: Vec<bool>,
    numbers: HashMap<Node, Expr>,
    inputs: Vec<Input>,
    vars: HashMap<Input, Var>,
    sets: Sets,
}

/// Sets of inputs, each kept once.
#[derive(Clone, Debug, Default)]
struct Sets {
    sets: Vec<Support>,
    numbers: HashMap<Support, u32>,
    unions: HashMap<(u32, u32), u32>,
    /// Bytes taken by the sets.
    bytes: usize,
}

impl Sets {
    fn number(&mut self, set: Support) -> u32 {
        let (sets, bytes) = (&mut self.sets, &mut self.bytes);
        *self.numbers.entry(set).or_insert_with_key(|set| {
            *bytes += size_of_val(&**set) + 64;
            sets.push(set.clone());
            sets.len() as u32 - 1
        })
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let (first, second) = (&self.sets[a as usize], &self.sets[b as usize]);
        let mut union: Vec<Var> = first.iter().chain(second.iter()).copied().collect();
        union.sort_unstable();
        union.dedup();
        let number = self.number(union.into());
        self.unions.insert((a, b), number);
        number
    }
}

impl Exprs {
    /// What an expression is.
    pub fn node(&self, expr: Expr) -> Node {
        self.nodes[expr.index()]
    }

    /// The type of an expression.
    pub fn ty(&self, expr: Expr) -> ValType {
        self.types[expr.index()]
    }

    /// The inputs that an expression depends on.
    pub fn support(&self, expr: Expr) -> &Support {
        &self.sets.sets[self.supports[expr.index()] as usize]
    }

    /// What is known of an input.
    pub fn input(&self, var: Var) -> &Input {
        &self.inputs[var.0 as usize]
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many bytes they take, roughly.
    pub fn held(&self) -> usize {
        let tables = self.sets.bytes + 32 * self.sets.unions.len() + 256 * self.inputs.len();
        80 * self.nodes.len() + tables
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number that an expression is, if it is one.
    pub fn as_const(&self, expr: Expr) -> Option<u64> {
        match self.node(expr) {
            Node::Const(_, slot) => Some(slot),
            _ => None,
        }
    }

    /// A number. What a slot has beyond the type is no part of it.
    pub fn constant(&mut self, ty: ValType, slot: u64) -> Expr {
        let slot = match ty {
            ValType::I32 | ValType::F32 => u64::from(slot as u32),
            _ => slot,
        };
        self.add(Node::Const(ty, slot))
    }

    /// An `i32`.
    pub fn i32(&mut self, value: i32) -> Expr {
        self.constant(ValType::I32, u64::from(value as u32))
    }

    /// The input for what is known of it: the same for the same.
    pub fn var(&mut self, input: Input) -> Var {
        let inputs = &mut self.inputs;
        *self.vars.entry(input).or_insert_with_key(|input| {
            inputs.push(input.clone());
            Var(inputs.len() as u32 - 1)
        })
    }

    /// What an input returned.
    pub fn input_expr(&mut self, var: Var) -> Expr {
        self.add(Node::Input(var))
    }

    /// An operation with one operand.
    pub fn unary(&mut self, op: NumericOp, a: Expr) -> Expr {
        match rewrite::unary(self, op, a) {
            Some(simpler) => simpler,
            None => self.add(Node::Unary(op, a)),
        }
    }

    /// An operation with two operands.
    pub fn binary(&mut self, op: NumericOp, a: Expr, b: Expr) -> Expr {
        let (a, b) = rewrite::ordered(self, op, a, b);
        match rewrite::binary(self, op, a, b) {
            Some(simpler) => simpler,
            None => self.add(Node::Binary(op, a, b)),
        }
    }

    /// An operation with an operand that is a number.
    pub fn with_const(&mut self, op: NumericOp, a: Expr, b: u64) -> Expr {
        let b = self.constant(op.operand(), b);
        self.binary(op, a, b)
    }

    /// `then` if the condition (an `i32`) is not zero, else `otherwise`.
    pub fn ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        match rewrite::ite(self, condition, then, otherwise) {
            Some(simpler) => simpler,
            None => self.add(Node::Ite(condition, then, otherwise)),
        }
    }

    /// 1 if the expression (an `i32` or `i64`) is not zero, else 0.
    pub fn truth(&mut self, expr: Expr) -> Expr {
        match self.ty(expr) {
            ValType::I64 => self.with_const(NumericOp::I64Ne, expr, 0),
            _ => self.with_const(NumericOp::I32Ne, expr, 0),
        }
    }

    /// 1 if the expression (an `i32` or `i64`) is zero, else 0.
    pub fn not(&mut self, expr: Expr) -> Expr {
        match self.ty(expr) {
            ValType::I64 => self.unary(NumericOp::I64Eqz, expr),
            _ => self.unary(NumericOp::I32Eqz, expr),
        }
    }

    /// Whether both of two conditions that are 0 or 1 hold.
    pub fn and(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(NumericOp::I32And, a, b)
    }

    /// Whether one of two conditions that are 0 or 1 holds.
    pub fn or(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(NumericOp::I32Or, a, b)
    }

    /// Whether the expression is this number, bit for bit.
    pub fn equals(&mut self, expr: Expr, slot: u64) -> Expr {
        let (expr, op) = match self.ty(expr) {
            ValType::F32 => (self.unary(NumericOp::I32ReinterpretF32, expr), NumericOp::I32Eq),
            ValType::F64 => (self.unary(NumericOp::I64ReinterpretF64, expr), NumericOp::I64Eq),
            ValType::I64 => (expr, NumericOp::I64Eq),
            _ => (expr, NumericOp::I32Eq),
        };
        self.with_const(op, expr, slot)
    }

    /// Whether the expression can only be 0 or 1.
    pub fn is_boolean(&self, expr: Expr) -> bool {
        self.booleans[expr.index()]
    }

    fn add(&mut self, node: Node) -> Expr {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let (ty, support) = match node {
            Node::Const(ty, _) => (ty, self.sets.number([].into())),
            Node::Input(var) => (self.input(var).ty, self.sets.number([var].into())),
            Node::Unary(op, a) => (op.result(), self.supports[a.index()]),
            Node::Binary(op, a, b) => (op.result(), self.union(a, b)),
            Node::Ite(c, a, b) => {
                let condition = self.supports[c.index()];
                let values = self.union(a, b);
                (self.ty(a), self.sets.union(condition, values))
            }
        };
        let is_boolean = match node {
            Node::Const(_, slot) => slot <= 1,
            Node::Binary(NumericOp::I32And | NumericOp::I32Or | NumericOp::I32Xor, a, b)
            | Node::Ite(_, a, b) => self.is_boolean(a) && self.is_boolean(b),
            Node::Unary(op, _) | Node::Binary(op, ..) => op.is_comparison(),
            Node::Input(var) => {
                let domain = self.input(var).domain.integers();
                domain.is_some_and(|set| set.smallest() >= 0 && set.largest() <= 1)
            }
        };
        let expr = Expr::new(self.nodes.len());
        self.booleans.push(is_boolean);
        self.nodes.push(node);
        self.types.push(ty);
        self.supports.push(support);
        self.numbers.insert(node, expr);
        expr
    }

    fn union(&mut self, a: Expr, b: Expr) -> u32 {
        self.sets.union(self.supports[a.index()], self.supports[b.index()])
    }
}
