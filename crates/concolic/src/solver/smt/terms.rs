//! Expressions as definitions in SMT-LIB.
//!
//! A number is a bit vector, as it lies in its slot. A float is needed in two forms: as bits, and
//! as a number of the theory of floats, which knows one NaN only. Only the form that is needed is
//! defined: most floats come from numbers and end in a comparison, and never become bits. Where
//! they do, the bits are a constant of their own with the float as its value, since solvers do not
//! agree on a function for that; a NaN's bits are the canonical ones.
//!
//! A third form is for conditions: whether a number is zero. Solvers see through equations that
//! are stated as such, and not through numbers that are 1 where an equation holds.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use mw_vm::{NumericOp, ValType};
use mw_world::Domain;

use super::operations::{self, Form, Operand};
use crate::expr::{Expr, Exprs, Input, Node, Var};
use crate::stop::Stop;

/// The name of an expression in one of its forms.
pub fn name(expr: Expr, form: Form) -> String {
    match form {
        Form::Bits => format!("b{}", expr.index()),
        Form::Float => format!("f{}", expr.index()),
        Form::Truth => format!("t{}", expr.index()),
    }
}

/// What has been defined.
#[derive(Debug, Default)]
pub struct Terms {
    known: HashSet<(Expr, Form)>,
    inputs: HashMap<Var, Expr>,
    /// What constants stand for: it has to be asserted with each question about them.
    facts: HashMap<Expr, String>,
}

impl Terms {
    /// How many definitions there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The name of an input that has been defined.
    pub fn input(&self, var: Var) -> Option<String> {
        self.inputs.get(&var).map(|&expr| name(expr, Form::Bits))
    }

    /// Adds the definitions that are missing for these expressions, operands first. Returns false
    /// when it is to give up; then some are known that have not been written.
    pub fn define(
        &mut self,
        exprs: &Exprs,
        wanted: &[Expr],
        text: &mut String,
        stop: &Stop,
    ) -> bool {
        // From the last one down: when it is an expression's turn, all that needs it has been seen.
        let mut open: BTreeMap<Expr, BTreeSet<Form>> = BTreeMap::new();
        let need = |open: &mut BTreeMap<Expr, BTreeSet<Form>>, expr, form| {
            open.entry(expr).or_default().insert(form);
        };
        wanted.iter().for_each(|&expr| need(&mut open, expr, Form::Truth));
        let mut definitions = Vec::new();
        while let Some((expr, forms)) = open.pop_last() {
            if stop.is_over() {
                return false;
            }
            let mut definition = Definition {
                exprs,
                expr,
                text: String::new(),
                facts: String::new(),
                needed: vec![],
            };
            for form in forms {
                definition.write(form, &mut self.known);
            }
            if let Node::Input(var) = exprs.node(expr) {
                self.inputs.insert(var, expr);
            }
            definitions.push(definition.text);
            if !definition.facts.is_empty() {
                self.facts.insert(expr, definition.facts);
            }
            definition.needed.into_iter().for_each(|(expr, form)| need(&mut open, expr, form));
        }
        text.extend(definitions.into_iter().rev());
        true
    }

    /// Asserts that the expressions are not zero, and what is known of the constants in them.
    ///
    /// The latter could be asserted once and for all, but then solvers would not compute with what
    /// a question says about a number, but search for it.
    pub fn assert(&self, exprs: &Exprs, constraints: &[Expr], text: &mut String) {
        let mut open = constraints.to_vec();
        let mut seen = HashSet::new();
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            text.extend(self.facts.get(&expr).map(String::as_str));
            open.extend(exprs.node(expr).operands());
        }
        for &constraint in constraints {
            let _ = writeln!(text, "(assert {})", name(constraint, Form::Truth));
        }
    }
}

/// The definitions of one expression.
struct Definition<'a> {
    exprs: &'a Exprs,
    expr: Expr,
    text: String,
    /// What has to be asserted of the constants among them.
    facts: String,
    /// What they refer to.
    needed: Vec<(Expr, Form)>,
}

impl Definition<'_> {
    /// Defines the expression in a form, unless it is.
    fn write(&mut self, form: Form, known: &mut HashSet<(Expr, Form)>) {
        if !known.insert((self.expr, form)) {
            return;
        }
        let ty = self.exprs.ty(self.expr);
        let name = name(self.expr, form);
        if let Node::Input(var) = self.exprs.node(self.expr)
            && form == Form::Bits
        {
            let input = self.exprs.input(var);
            let _ = writeln!(self.text, "(declare-const {name} {})", sort(ty, form));
            if let Some(inside) = domain(input, &name) {
                let _ = writeln!(self.facts, "(assert {inside})");
            }
            return;
        }
        let term = if form == Form::Truth { self.truth(known) } else { self.term(form, known) };
        if let Some(term) = term {
            let _ = writeln!(self.text, "(define-fun {name} () {} {term})", sort(ty, form));
            return;
        }
        // Only the other form can be computed; this one follows from it.
        match form {
            Form::Float => {
                self.write(Form::Bits, known);
                let bits = self::name(self.expr, Form::Bits);
                let term = operations::float_of_bits(ty, &bits);
                let _ = writeln!(self.text, "(define-fun {name} () {} {term})", sort(ty, form));
            }
            _ => {
                self.write(Form::Float, known);
                let float = self::name(self.expr, Form::Float);
                let back = operations::float_of_bits(ty, &name);
                let nan = operations::canonical_nan(ty);
                let _ = writeln!(self.text, "(declare-const {name} {})", sort(ty, form));
                let _ = writeln!(
                    self.facts,
                    "(assert (= {back} {float}))\n\
                     (assert (=> (fp.isNaN {float}) (= {name} {nan})))"
                );
            }
        }
    }

    /// What the expression is as bits or as a float, if that can be computed.
    fn term(&mut self, form: Form, known: &mut HashSet<(Expr, Form)>) -> Option<String> {
        match self.exprs.node(self.expr) {
            Node::Const(ty, slot) if form == Form::Bits => Some(operations::constant(ty, slot)),
            Node::Const(..) | Node::Input(_) => None,
            Node::Unary(op, _) | Node::Binary(op, ..) if op.is_comparison() => {
                self.write(Form::Truth, known);
                let truth = name(self.expr, Form::Truth);
                Some(format!("(ite {truth} #x00000001 #x00000000)"))
            }
            Node::Unary(op, a) => operations::term(op, form, &mut |_, form| self.refer(a, form)),
            Node::Binary(op, a, b) => {
                operations::term(op, form, &mut |at, form| self.refer_to(at, a, b, form))
            }
            Node::Ite(condition, then, otherwise) => {
                let condition = self.refer(condition, Form::Truth);
                let (then, otherwise) = (self.refer(then, form), self.refer(otherwise, form));
                Some(format!("(ite {condition} {then} {otherwise})"))
            }
        }
    }

    /// Whether the expression is not zero.
    fn truth(&mut self, known: &mut HashSet<(Expr, Form)>) -> Option<String> {
        let exprs = self.exprs;
        let are_truths = |a, b| exprs.is_boolean(a) && exprs.is_boolean(b);
        Some(match exprs.node(self.expr) {
            Node::Unary(NumericOp::I32Eqz, a) => format!("(not {})", self.refer(a, Form::Truth)),
            Node::Unary(op, a) if op.is_comparison() => {
                operations::comparison(op, &mut |_, form| self.refer(a, form))
            }
            Node::Binary(op, a, b) if op.is_comparison() => {
                operations::comparison(op, &mut |at, form| self.refer_to(at, a, b, form))
            }
            Node::Binary(NumericOp::I32Or, a, b) => {
                format!("(or {} {})", self.refer(a, Form::Truth), self.refer(b, Form::Truth))
            }
            Node::Binary(NumericOp::I32And, a, b) if are_truths(a, b) => {
                format!("(and {} {})", self.refer(a, Form::Truth), self.refer(b, Form::Truth))
            }
            Node::Ite(condition, then, otherwise) => {
                let condition = self.refer(condition, Form::Truth);
                let then = self.refer(then, Form::Truth);
                format!("(ite {condition} {then} {})", self.refer(otherwise, Form::Truth))
            }
            _ => {
                self.write(Form::Bits, known);
                let zero = operations::constant(exprs.ty(self.expr), 0);
                format!("(not (= {} {zero}))", name(self.expr, Form::Bits))
            }
        })
    }

    fn refer_to(&mut self, operand: Operand, a: Expr, b: Expr, form: Form) -> String {
        match operand {
            Operand::First => self.refer(a, form),
            Operand::Second => self.refer(b, form),
        }
    }

    fn refer(&mut self, expr: Expr, form: Form) -> String {
        self.needed.push((expr, form));
        name(expr, form)
    }
}

fn sort(ty: ValType, form: Form) -> &'static str {
    match (ty, form) {
        (ValType::F32, Form::Float) => "(_ FloatingPoint 8 24)",
        (_, Form::Float) => "(_ FloatingPoint 11 53)",
        (_, Form::Truth) => "Bool",
        (ValType::I32 | ValType::F32, _) => "(_ BitVec 32)",
        _ => "(_ BitVec 64)",
    }
}

/// That an input is in its domain; `None` where it can be anything.
fn domain(input: &Input, name: &str) -> Option<String> {
    let ty = input.ty;
    let slot = |value: i64| operations::constant(ty, value as u64);
    match input.domain.narrowed(ty)? {
        domain if Domain::all(ty).as_ref() == Some(&domain) => None,
        Domain::Integers(set) => {
            let ranges = set.ranges().iter().map(|range| {
                let (low, high) = (slot(range.low), slot(range.high));
                format!("(and (bvsle {low} {name}) (bvsle {name} {high}))")
            });
            Some(format!("(or false {})", ranges.collect::<Vec<_>>().join(" ")))
        }
        Domain::Floats(set) => {
            let (low, high) = set.ends()?;
            let float = operations::float_of_bits(ty, name);
            let [low, high] = [low, high].map(|end| {
                let slot = match ty {
                    ValType::F32 => u64::from((end as f32).to_bits()),
                    _ => end.to_bits(),
                };
                operations::float_of_bits(ty, &operations::constant(ty, slot))
            });
            Some(format!("(and (fp.leq {low} {float}) (fp.leq {float} {high}))"))
        }
    }
}

/// The numbers that a reply to `get-value` gives to names, in the names' order.
pub fn values(reply: &str, names: &[String]) -> Option<Vec<u64>> {
    let spaced = reply.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let value_of = |name: &String| {
        let at = words.iter().position(|word| word == name)?;
        match *words.get(at + 1)? {
            // As in `(_ bv10 32)`.
            "(" => words.get(at + 3)?.strip_prefix("bv")?.parse().ok(),
            word if word.starts_with("#x") => u64::from_str_radix(&word[2..], 16).ok(),
            word => u64::from_str_radix(word.strip_prefix("#b")?, 2).ok(),
        }
    };
    names.iter().map(value_of).collect()
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn values_are_read_in_any_notation() {
        let names = ["b3", "b10", "b0"].map(String::from);
        let reply = "((b0 #b101) (b3 #x0000ffff) (b10 (_ bv77 32)))";
        assert_eq!(values(reply, &names), Some(vec![0xffff, 77, 5]));
        assert_eq!(values("((b3 #x00) (b10 x) (b0 #b1))", &names), None);
        assert_eq!(values("(error \"b3 #x00\")", &names), None);
        assert_eq!(values("", &names), None);
    }
}
