//! Every numeric instruction on the machine: what is known of its result in terms of the inputs is
//! what comes out of it.

use mw_vm::{NumericOp, ValType};

use crate::numbers::{Random, pair, special};
use crate::plain::check;
use crate::world::module;

/// The instruction as it is written: `i32.trunc_sat_f32_s` for `I32TruncSatF32S`.
fn written(op: NumericOp) -> String {
    let mut text = String::new();
    for (at, letter) in op.name().char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            text.push(if at == 3 { '.' } else { '_' });
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// Numbers as they lie in memory, 8 bytes each.
fn data(numbers: &[u64]) -> String {
    numbers.iter().flat_map(|n| n.to_le_bytes()).map(|byte| format!("\\{byte:02x}")).collect()
}

/// Eight special numbers and eight others, in pairs.
fn operands(random: &mut Random, ty: ValType) -> (Vec<u64>, Vec<u64>) {
    let special = special(ty);
    (0..16)
        .map(|at| match at % 2 {
            0 => (random.pick(&special), random.pick(&special)),
            _ => pair(random, ty),
        })
        .unzip()
}

/// Reads which of 16 numbers the operands are, executes the instruction, and branches on whether
/// the result is what it is for two of them.
fn program(op: NumericOp, (left, right): &(Vec<u64>, Vec<u64>), which: &str) -> String {
    let (ty, result) = (op.operand(), op.result());
    let bits = match result {
        ValType::F32 => "(i64.extend_i32_u (i32.reinterpret_f32 (local.get $r)))",
        ValType::F64 => "(i64.reinterpret_f64 (local.get $r))",
        ValType::I32 => "(i64.extend_i32_u (local.get $r))",
        _ => "(local.get $r)",
    };
    let branches: String = [(0, 0), (5, 9), (14, 3)]
        .into_iter()
        .filter_map(|(a, b)| op.evaluate(left[a], right[b]).ok())
        .map(|slot| format!("(if (i64.eq {bits} (i64.const {})) (then (nop)))\n", slot as i64))
        .collect();
    let second = if op.is_binary() { "(local.get $b)" } else { "" };
    let (ty_text, result_text) = (written_type(ty), written_type(result));
    module(&format!(
        r#"(data (i32.const 1024) "{}") (data (i32.const 2048) "{}")
        (func (export "main") (local $a {ty_text}) (local $b {ty_text}) (local $r {result_text})
          (local.set $a ({ty_text}.load offset=1024 (i32.shl (call $four) (i32.const 3))))
          (local.set $b ({ty_text}.load offset=2048 (i32.shl {which} (i32.const 3))))
          (local.set $r ({} (local.get $a) {second}))
          {branches})"#,
        data(left),
        data(right),
        written(op),
    ))
}

fn written_type(ty: ValType) -> &'static str {
    match ty {
        ValType::I64 => "i64",
        ValType::F32 => "f32",
        ValType::F64 => "f64",
        _ => "i32",
    }
}

#[test]
fn every_numeric_instruction() {
    let mut random = Random::new(7);
    for &op in NumericOp::ALL.iter().filter(|&&op| op != NumericOp::RefIsNull) {
        let operands = operands(&mut random, op.operand());
        check(&program(op, &operands, "(i32.const 3)"));
        if op.is_binary() {
            check(&program(op, &operands, "(call $four)"));
            // The other operand is known.
            let other =
                program(op, &operands, "(call $four)").replacen("(call $four)", "(i32.const 5)", 1);
            check(&other);
        }
    }
}
