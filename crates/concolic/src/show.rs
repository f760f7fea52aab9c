//! Expressions for people.

use mw_vm::NumericOp::{F32Neg, F64Neg, I32Eqz, I64Eqz};
use mw_vm::ValType;

use crate::expr::{Expr, Exprs, Node};

/// Expressions with more parts than this are abbreviated.
const PARTS: usize = 40;

/// What an input is called, by its position in the order of reading.
type Names<'a> = &'a dyn Fn(u32) -> String;

/// What holds where an expression is not zero, with inputs named in the order of reading.
pub fn condition(exprs: &Exprs, expr: Expr) -> String {
    let (mut left, names) = (PARTS, |position| format!("input {}", position + 1));
    match is_number(exprs, expr) {
        true => format!("{} != 0", show(exprs, expr, &names, &mut left, false)),
        false => show(exprs, expr, &names, &mut left, true),
    }
}

/// An expression with inputs named by their positions.
pub fn formula(exprs: &Exprs, expr: Expr, names: Names<'_>) -> String {
    show(exprs, expr, names, &mut { PARTS }, true)
}

/// Whether an expression does not read as something that holds or does not.
fn is_number(exprs: &Exprs, expr: Expr) -> bool {
    matches!(exprs.node(expr), Node::Input(_)) || !exprs.is_boolean(expr)
}

fn show(exprs: &Exprs, expr: Expr, names: Names<'_>, left: &mut usize, outermost: bool) -> String {
    if *left == 0 {
        return "…".into();
    }
    *left -= 1;
    match exprs.node(expr) {
        Node::Const(ty, slot) => number(ty, slot),
        Node::Input(var) => names(exprs.input(var).position),
        Node::Unary(I32Eqz | I64Eqz, a) => {
            let text = show(exprs, a, names, left, !is_number(exprs, a));
            match (is_number(exprs, a), outermost) {
                (true, true) => format!("{text} == 0"),
                (true, false) => format!("({text} == 0)"),
                (false, _) => format!("not({text})"),
            }
        }
        Node::Unary(F32Neg | F64Neg, a) => format!("-{}", show(exprs, a, names, left, false)),
        Node::Unary(op, a) => {
            format!("{}({})", snake(op.name()), show(exprs, a, names, left, false))
        }
        Node::Binary(op, a, b) => {
            let a = show(exprs, a, names, left, false);
            let b = show(exprs, b, names, left, false);
            let name = op.name();
            let symbol = match &name[3..] {
                "Add" => "+",
                "Sub" => "-",
                "Mul" => "*",
                "Div" | "DivS" | "DivU" => "/",
                "RemS" | "RemU" => "%",
                "And" if exprs.is_boolean(expr) => "and",
                "Or" if exprs.is_boolean(expr) => "or",
                "And" => "&",
                "Or" => "|",
                "Xor" => "^",
                "Shl" => "<<",
                "ShrS" | "ShrU" => ">>",
                "Eq" => "==",
                "Ne" => "!=",
                "Lt" | "LtS" => "<",
                "Gt" | "GtS" => ">",
                "Le" | "LeS" => "<=",
                "Ge" | "GeS" => ">=",
                "LtU" => "<u",
                "GtU" => ">u",
                "LeU" => "<=u",
                "GeU" => ">=u",
                _ => return format!("{}({a}, {b})", snake(name)),
            };
            match outermost {
                true => format!("{a} {symbol} {b}"),
                false => format!("({a} {symbol} {b})"),
            }
        }
        Node::Ite(c, a, b) => {
            let c = show(exprs, c, names, left, true);
            let (a, b) = (show(exprs, a, names, left, true), show(exprs, b, names, left, true));
            format!("(if {c} then {a} else {b})")
        }
    }
}

fn number(ty: ValType, slot: u64) -> String {
    mw_vm::Value::from_slot(ty, slot).to_string()
}

/// `I32TruncSatF64S` as `i32_trunc_sat_f64_s`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
