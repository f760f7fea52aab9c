//! Comparisons of one input with numbers, solved as sets: exact for inputs with any number of
//! values, as long as nothing but additions stands between the input and the comparison.

use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;
use mw_world::{Integers, Range};

use crate::expr::{Expr, Exprs, Node};

/// Conditions that are made of others more often than this are not looked into.
const DEEPEST: usize = 64;

/// The values of the one input for which a condition is not zero, if the condition is of a form
/// that says so directly. `Some(None)` if there are none.
pub fn values(exprs: &Exprs, condition: Expr) -> Option<Option<Integers>> {
    values_within(exprs, condition, DEEPEST)
}

fn values_within(exprs: &Exprs, condition: Expr, depth: usize) -> Option<Option<Integers>> {
    let values = |part: Expr| values_within(exprs, part, depth.checked_sub(1)?);
    match exprs.node(condition) {
        Node::Binary(I32And, a, b) if exprs.is_boolean(condition) => {
            Some(match (values(a)?, values(b)?) {
                (Some(a), Some(b)) => a.intersect(&b),
                _ => None,
            })
        }
        Node::Binary(I32Or, a, b) if exprs.is_boolean(condition) => {
            let ranges = |set: &Option<Integers>| {
                set.iter().flat_map(|set| set.ranges().to_vec()).collect::<Vec<_>>()
            };
            let (a, b) = (values(a)?, values(b)?);
            Some(Integers::new(ranges(&a).into_iter().chain(ranges(&b))))
        }
        Node::Unary(I32Eqz | I64Eqz, a) if is_sum(exprs, a) => Some(sets(exprs, a, &[(0, 0)])),
        Node::Binary(op, a, b) => compared(exprs, op, a, exprs.as_const(b)?),
        Node::Input(_) => {
            let all = if exprs.ty(condition) == ValType::I64 { u64::MAX } else { u32::MAX.into() };
            Some(sets(exprs, condition, &[(1, all)]))
        }
        _ => None,
    }
}

/// The values for which a comparison with a number holds.
fn compared(exprs: &Exprs, op: NumericOp, a: Expr, slot: u64) -> Option<Option<Integers>> {
    let wide = exprs.ty(a) == ValType::I64;
    let (all, sign) = match wide {
        true => (u64::MAX, 1 << 63),
        false => (u64::from(u32::MAX), 1 << 31),
    };
    let below = slot.checked_sub(1);
    let above = (slot < all).then(|| slot + 1);
    // Signed order is the unsigned one, turned by half.
    let from = |low: Option<u64>| low.map(|low| (low, all));
    let to = |high: Option<u64>| high.map(|high| (0, high));
    let signed_to = |high: u64, inclusive: bool| match (high == sign, inclusive) {
        (true, false) => vec![],
        _ => {
            let high = if inclusive { high } else { high.wrapping_sub(1) & all };
            if high < sign { vec![(sign, all), (0, high)] } else { vec![(sign, high)] }
        }
    };
    let signed_from = |low: u64, inclusive: bool| match (low == sign - 1, inclusive) {
        (true, false) => vec![],
        _ => {
            let low = if inclusive { low } else { low.wrapping_add(1) & all };
            if low < sign { vec![(low, sign - 1)] } else { vec![(low, all), (0, sign - 1)] }
        }
    };
    let unsigned = |range: Option<(u64, u64)>| range.into_iter().collect::<Vec<_>>();
    let ranges = match op {
        I32Eq | I64Eq => vec![(slot, slot)],
        I32Ne | I64Ne => [to(below), from(above)].into_iter().flatten().collect(),
        I32LtU | I64LtU => unsigned(to(below)),
        I32LeU | I64LeU => unsigned(to(Some(slot))),
        I32GtU | I64GtU => unsigned(from(above)),
        I32GeU | I64GeU => unsigned(from(Some(slot))),
        I32LtS | I64LtS => signed_to(slot, false),
        I32LeS | I64LeS => signed_to(slot, true),
        I32GtS | I64GtS => signed_from(slot, false),
        I32GeS | I64GeS => signed_from(slot, true),
        _ => return None,
    };
    is_sum(exprs, a).then(|| sets(exprs, a, &ranges))
}

/// Whether an expression is an input, perhaps plus a number.
fn is_sum(exprs: &Exprs, expr: Expr) -> bool {
    match exprs.node(expr) {
        Node::Input(_) => !matches!(exprs.ty(expr), ValType::F32 | ValType::F64),
        Node::Binary(I32Add | I64Add, a, b) => {
            exprs.as_const(b).is_some() && matches!(exprs.node(a), Node::Input(_))
        }
        _ => false,
    }
}

/// The values of the input for which a sum lies in one of some ranges of unsigned numbers.
fn sets(exprs: &Exprs, sum: Expr, ranges: &[(u64, u64)]) -> Option<Integers> {
    let added = match exprs.node(sum) {
        Node::Binary(_, _, number) => exprs.as_const(number).unwrap_or(0),
        _ => 0,
    };
    let wide = exprs.ty(sum) == ValType::I64;
    let mut values = Vec::new();
    for &(low, high) in ranges {
        let (low, high) = (low.wrapping_sub(added), high.wrapping_sub(added));
        // As signed numbers; a range that goes past the largest begins again at the smallest.
        let (low, high, smallest, largest) = match wide {
            true => (low as i64, high as i64, i64::MIN, i64::MAX),
            false => (
                i64::from(low as i32),
                i64::from(high as i32),
                i64::from(i32::MIN),
                i64::from(i32::MAX),
            ),
        };
        match low <= high {
            true => values.push(Range::new(low, high)),
            false => values.extend([Range::new(low, largest), Range::new(smallest, high)]),
        }
    }
    Integers::new(values)
}
