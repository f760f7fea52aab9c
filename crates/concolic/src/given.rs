//! Expressions where some inputs are known: what is left of a decision is often a number, or about
//! one input alone.

use std::collections::{BTreeSet, HashMap};

use crate::expr::{Expr, Exprs, Node, Var};

/// Larger expressions stay as they are: making them anew would cost more than it saves.
const SMALL: usize = 64;

impl Exprs {
    /// The same for inputs that are known, as far as that is little work.
    pub fn given(&mut self, expr: Expr, known: impl Fn(&Exprs, Var) -> Option<u64>) -> Expr {
        let support = self.support(expr).clone();
        let slots = support.iter().filter_map(|&var| Some((var, known(self, var)?)));
        let slots: HashMap<Var, u64> = slots.collect();
        let Some(parts) = self.parts_about(expr, &slots) else { return expr };
        let mut made: HashMap<Expr, Expr> = HashMap::new();
        // Operands have smaller numbers.
        for part in parts {
            let now = |expr: Expr| made.get(&expr).copied().unwrap_or(expr);
            let simpler = match self.node(part) {
                Node::Const(..) => part,
                Node::Input(var) => match slots.get(&var) {
                    Some(&slot) => self.constant(self.ty(part), slot),
                    None => part,
                },
                Node::Unary(op, a) => self.unary(op, now(a)),
                Node::Binary(op, a, b) => self.binary(op, now(a), now(b)),
                Node::Ite(c, a, b) => self.ite(now(c), now(a), now(b)),
            };
            made.insert(part, simpler);
        }
        made.get(&expr).copied().unwrap_or(expr)
    }

    /// The parts of an expression that are about some inputs, in order; `None` if they are many.
    fn parts_about(&self, expr: Expr, inputs: &HashMap<Var, u64>) -> Option<BTreeSet<Expr>> {
        let mut parts = BTreeSet::new();
        let mut open = vec![expr];
        while let Some(part) = open.pop() {
            let is_about = self.support(part).iter().any(|var| inputs.contains_key(var));
            if !is_about || !parts.insert(part) {
                continue;
            }
            open.extend(self.node(part).operands());
            if parts.len() > SMALL {
                return None;
            }
        }
        Some(parts)
    }
}
