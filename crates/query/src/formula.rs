//! A number as a formula of the inputs that it was made of, along the way that the program took.

use std::collections::HashMap;

use mw_concolic::evaluate::Evaluation;
use mw_concolic::expr::{Expr, Exprs, Input, Var};
use mw_concolic::formula;
use mw_vm::NumericOp::*;
use mw_vm::ValType;
use mw_world::Domain;

use crate::flow::{Flow, Id, Made};

/// A number as a formula. See the [module](self).
#[derive(Debug)]
pub struct Formula {
    exprs: Exprs,
    expr: Expr,
    /// The inputs, in the order of reading: after how many instructions each was read.
    inputs: Vec<u64>,
    /// Whether all of it is told: otherwise some part is taken as the number that it was.
    pub is_exact: bool,
}

impl Formula {
    /// The formula of a number, which is of a type. `is_input` says whether a primitive is an input,
    /// and the type of what it returns.
    pub(crate) fn of(
        flow: &Flow<'_>,
        id: Id,
        ty: ValType,
        is_input: impl Fn(u32) -> Option<ValType>,
    ) -> Formula {
        let mut making = Making {
            flow,
            exprs: Exprs::default(),
            known: HashMap::new(),
            inputs: Vec::new(),
            is_exact: true,
            is_input: &is_input,
        };
        for part in flow.parts(id) {
            if let Some(expr) = making.make(part) {
                making.known.insert(part, expr);
            }
        }
        let expr = making.typed(id, ty);
        let Making { exprs, inputs, is_exact, .. } = making;
        Formula { exprs, expr, inputs, is_exact }
    }

    /// The inputs that it depends on, in the order of reading: after how many instructions each was
    /// read.
    pub fn inputs(&self) -> Vec<u64> {
        let position = |var: &Var| self.exprs.input(*var).position as usize;
        let support = self.exprs.support(self.expr).iter();
        let mut inputs: Vec<u64> = support.map(|var| self.inputs[position(var)]).collect();
        inputs.sort_unstable();
        inputs
    }

    /// Its value, for the values of its inputs by the counts at which they were read, as slots.
    pub fn evaluate(&self, values: impl Fn(u64) -> u64) -> u64 {
        let value = |var: Var| values(self.inputs[self.exprs.input(var).position as usize]);
        Evaluation::new(&self.exprs, value).slot(self.expr)
    }

    /// It as text, with the inputs named by the counts at which they were read.
    pub fn show(&self, names: impl Fn(u64) -> String) -> String {
        let name = |position: u32| names(self.inputs[position as usize]);
        formula(&self.exprs, self.expr, &name)
    }
}

struct Making<'a, 'f> {
    flow: &'a Flow<'f>,
    exprs: Exprs,
    /// What has a type of its own.
    known: HashMap<Id, Expr>,
    inputs: Vec<u64>,
    is_exact: bool,
    is_input: &'a dyn Fn(u32) -> Option<ValType>,
}

impl Making<'_, '_> {
    /// The expression of a number whose parts are made; none for one that takes any type.
    fn make(&mut self, id: Id) -> Option<Expr> {
        let step = self.flow.steps()[id as usize];
        match step.made {
            Made::Constant(..) | Made::Before => None,
            Made::Primitive(import) => {
                let ty = (self.is_input)(import)?;
                let position = self.inputs.len() as u32;
                // What it can return plays no part in how it is written.
                let domain = Domain::all(ty)?;
                self.inputs.push(step.count);
                let var = self.exprs.var(Input { position, ty, domain });
                Some(self.exprs.input_expr(var))
            }
            Made::Numeric(op, left, right) => {
                let left = self.typed(left, op.operand());
                Some(match right {
                    Some(right) => {
                        let right = self.typed(right, op.operand());
                        self.exprs.binary(op, left, right)
                    }
                    None => self.exprs.unary(op, left),
                })
            }
            Made::Chosen(ty, condition, then, otherwise) => {
                let condition = self.typed(condition, ValType::I32);
                let (then, otherwise) = (self.typed(then, ty), self.typed(otherwise, ty));
                Some(self.exprs.ite(condition, then, otherwise))
            }
            Made::Moved(of, _) => self.known.get(&of).copied(),
            Made::Loaded(of, size, signed, ty) => Some(self.loaded(of, size, signed, ty)),
            Made::Of(_) | Made::Joined(..) => None,
            Made::Decided(_) | Made::Passed(..) => None,
        }
    }

    fn type_of(&self, id: Id) -> Option<ValType> {
        self.known.get(&id).map(|expr| self.exprs.ty(*expr))
    }

    /// A number where one of a type is used.
    fn typed(&mut self, id: Id, ty: ValType) -> Expr {
        if let Some(expr) = self.known.get(&id).filter(|expr| self.exprs.ty(**expr) == ty) {
            return *expr;
        }
        let mut at = id;
        loop {
            let step = self.flow.steps()[at as usize];
            match step.made {
                Made::Moved(of, _) => at = of,
                Made::Constant(_, slot) => return self.exprs.constant(ty, slot),
                made => {
                    self.is_exact &= made == Made::Before;
                    return self.exprs.constant(ty, step.value);
                }
            }
        }
    }

    /// What is loaded from where a number was stored.
    fn loaded(&mut self, of: Id, size: u8, signed: bool, ty: ValType) -> Expr {
        let own = self.type_of(of);
        let own = own.unwrap_or(if size > 4 { ValType::I64 } else { ValType::I32 });
        let mut expr = self.typed(of, own);
        expr = match own {
            ValType::F32 => self.exprs.unary(I32ReinterpretF32, expr),
            ValType::F64 => self.exprs.unary(I64ReinterpretF64, expr),
            _ => expr,
        };
        let is_wide = |ty: ValType| matches!(ty, ValType::I64 | ValType::F64);
        expr = match (is_wide(own), is_wide(ty)) {
            (true, false) => self.exprs.unary(I32WrapI64, expr),
            (false, true) => self.exprs.unary(I64ExtendI32U, expr),
            _ => expr,
        };
        let extended = match (is_wide(ty), size, signed) {
            (false, 1, true) => Some(I32Extend8S),
            (false, 2, true) => Some(I32Extend16S),
            (true, 1, true) => Some(I64Extend8S),
            (true, 2, true) => Some(I64Extend16S),
            (true, 4, true) => Some(I64Extend32S),
            _ => None,
        };
        let whole = if is_wide(ty) { 8 } else { 4 };
        expr = match extended {
            Some(op) => self.exprs.unary(op, expr),
            None if size < whole => {
                let mask = (1u64 << (8 * size)) - 1;
                self.exprs.with_const(if is_wide(ty) { I64And } else { I32And }, expr, mask)
            }
            None => expr,
        };
        match ty {
            ValType::F32 => self.exprs.unary(F32ReinterpretI32, expr),
            ValType::F64 => self.exprs.unary(F64ReinterpretI64, expr),
            _ => expr,
        }
    }
}
