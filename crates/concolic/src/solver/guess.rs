//! Guessing floats, before a backend is asked.
//!
//! An operation on floats is thousands of clauses, and for most questions a number that anybody
//! would try first will do. A guess that is right is an answer; one that is wrong costs little.

use mw_vm::{ValType, Value};

use super::question;
use crate::evaluate::{LANES, Program};
use crate::expr::{Expr, Exprs, Var};

/// So many operations are evaluated for the guesses at one question: about a millisecond.
const EFFORT: usize = 1 << 19;

/// What anybody would try first.
const NUMBERS: [f64; 12] =
    [0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 10.0, 1e-3, 1e6, 1e300, f64::INFINITY, f64::NAN];

/// Values, each within its input's domain, with which no constraint is zero; `None` if there are
/// no floats among the inputs, or if no guess is right.
pub fn values(exprs: &Exprs, constraints: &[Expr], inputs: &[Var]) -> Option<Vec<(Var, u64)>> {
    let is_float = |&var: &Var| matches!(exprs.input(var).ty, ValType::F32 | ValType::F64);
    if !inputs.iter().any(is_float) {
        return None;
    }
    let mut program = Program::new(exprs, constraints)?;
    let mut numbers = NUMBERS.to_vec();
    numbers.extend(program.constants().flat_map(near));
    let guesses: Vec<Vec<u64>> = inputs
        .iter()
        .map(|&var| {
            let input = exprs.input(var);
            let raw = program.constants().map(|(_, slot)| Value::from_slot(input.ty, slot));
            let all = numbers.iter().map(|&number| rounded(input.ty, number)).chain(raw);
            all.map(|value| input.domain.nearest(value).to_slot()).collect()
        })
        .collect();
    let count = guesses.first()?.len();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut pick = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 33) as usize % below
    };
    let rounds = (EFFORT / (LANES * program.size())).clamp(1, 16);
    for round in 0..rounds {
        let mut lanes = vec![vec![0; LANES]; inputs.len()];
        for lane in 0..LANES {
            // First the same for all, then any mixture.
            let same = round * LANES + lane;
            for (slots, guesses) in lanes.iter_mut().zip(&guesses) {
                slots[lane] = guesses[if same < count { same } else { pick(count) }];
            }
        }
        for (&var, slots) in inputs.iter().zip(&lanes) {
            program.give(var, |room| room.copy_from_slice(slots));
        }
        program.run();
        let holds =
            |lane: &usize| (0..constraints.len()).all(|at| program.result(at)[*lane] as u32 != 0);
        for lane in (0..LANES).filter(holds) {
            let model = inputs.iter().zip(&lanes).map(|(&var, slots)| (var, slots[lane]));
            let model: Vec<(Var, u64)> = model.collect();
            if question::is_answered_by(exprs, constraints, &model) {
                return Some(model);
            }
        }
    }
    None
}

/// A number that occurs in a question, and those next to it.
fn near((ty, slot): (ValType, u64)) -> Vec<f64> {
    match ty {
        ValType::F32 => {
            let number = f32::from_bits(slot as u32);
            [number, number.next_up(), number.next_down(), -number].map(f64::from).to_vec()
        }
        ValType::F64 => {
            let number = f64::from_bits(slot);
            vec![number, number.next_up(), number.next_down(), -number]
        }
        ValType::I32 => vec![f64::from(slot as i32)],
        _ => vec![slot as i64 as f64],
    }
}

/// The nearest value of a type.
fn rounded(ty: ValType, number: f64) -> Value {
    match ty {
        ValType::F32 => Value::F32((number as f32).to_bits()),
        ValType::F64 => Value::F64(number.to_bits()),
        ValType::I32 => Value::I32(number as i32),
        _ => Value::I64(number as i64),
    }
}
