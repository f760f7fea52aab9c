//! Generated programs with one to three inputs: found as run.

use proptest::prelude::*;

use crate::plain::check;
use crate::world::module;

/// The text of an expression of type `i32`.
fn i32_expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => (0..3u8).prop_map(|local| format!("(local.get ${local})")),
        2 => (-3..20i32).prop_map(|value| format!("(i32.const {value})")),
        1 => any::<i32>().prop_map(|value| format!("(i32.const {value})")),
        1 => (0..2u8).prop_map(|global| format!("(global.get $g{global})")),
        1 => (0..2u8).prop_map(|wide| format!("(i32.wrap_i64 (local.get $w{wide}))")),
        1 => prop::sample::select(vec!["eq", "ne", "lt_s", "lt_u", "gt_s", "le_u", "ge_s"])
            .prop_map(|op| format!("(i64.{op} (local.get $w0) (local.get $w1))")),
        1 => Just("(i64.eqz (local.get $w1))".to_owned()),
        1 => (0..2u8, prop::sample::select(vec!["eq", "ne", "lt", "gt", "le", "ge"])).prop_map(
            |(float, op)| {
                let ty = ["f32", "f64"][float as usize];
                format!("({ty}.{op} (local.get $f{float}) ({ty}.const 2.5))")
            },
        ),
        1 => (0..2u8).prop_map(|float| {
            let ty = ["f32", "f64"][float as usize];
            format!("(i32.trunc_{ty}_s (local.get $f{float}))")
        }),
    ];
    leaf.prop_recursive(4, 14, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let binary = prop::sample::select(vec![
            "add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr", "eq",
            "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u",
        ]);
        let trapping = prop::sample::select(vec!["div_s", "div_u", "rem_s", "rem_u"]);
        let unary = prop::sample::select(vec!["clz", "ctz", "popcnt", "eqz", "extend8_s", "extend16_s"]);
        let float = prop::sample::select(vec!["add", "sub", "mul", "div", "min", "max", "copysign"]);
        let rounded = prop::sample::select(vec!["ceil", "floor", "trunc", "nearest", "sqrt", "neg", "abs"]);
        let compared = prop::sample::select(vec!["eq", "ne", "lt", "gt", "le", "ge"]);
        let width = prop::sample::select(vec!["f32", "f64"]);
        prop_oneof![
            8 => (binary, two.clone()).prop_map(|(op, (a, b))| format!("(i32.{op} {a} {b})")),
            2 => (trapping, two.clone()).prop_map(|(op, (a, b))| format!("(i32.{op} {a} {b})")),
            2 => (unary, inner.clone()).prop_map(|(op, a)| format!("(i32.{op} {a})")),
            2 => (two.clone(), inner.clone())
                .prop_map(|((a, b), c)| format!("(select {a} {b} {c})")),
            2 => (inner.clone(), 0..40u8, 0..4usize).prop_map(|(a, offset, size)| {
                let load = ["load", "load8_u", "load8_s", "load16_s"][size];
                format!("(i32.{load} offset={offset} (i32.and {a} (i32.const 15)))")
            }),
            2 => (width.clone(), float, two.clone()).prop_map(|(width, op, (a, b))| {
                format!(
                    "(i32.trunc_sat_{width}_s ({width}.{op} ({width}.convert_i32_s {a}) ({width}.convert_i32_u {b})))"
                )
            }),
            1 => (width.clone(), rounded, inner.clone()).prop_map(|(width, op, a)| {
                format!(
                    "(i32.trunc_{width}_s ({width}.{op} ({width}.div ({width}.convert_i32_s {a}) ({width}.const 3))))"
                )
            }),
            1 => (width, compared, two).prop_map(|(width, op, (a, b))| {
                format!("({width}.{op} ({width}.convert_i32_s {a}) ({width}.convert_i32_u {b}))")
            }),
        ]
    })
}

/// The text of an expression of type `i64`.
fn i64_expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        2 => (0..2u8).prop_map(|local| format!("(local.get $w{local})")),
        1 => prop_oneof![-3..20i64, any::<i64>()].prop_map(|value| format!("(i64.const {value})")),
        3 => (i32_expr(), prop::sample::select(vec!["s", "u"]))
            .prop_map(|(a, sign)| format!("(i64.extend_i32_{sign} {a})")),
        1 => Just("(i64.trunc_sat_f64_s (local.get $f1))".to_owned()),
        1 => Just("(i64.reinterpret_f64 (local.get $f1))".to_owned()),
        1 => (0..40u8).prop_map(|offset| format!("(i64.load offset={offset} (i32.const 0))")),
    ];
    leaf.prop_recursive(2, 5, 2, |inner| {
        let binary = prop::sample::select(vec![
            "add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "div_s",
            "rem_u",
        ]);
        let unary = prop::sample::select(vec!["clz", "ctz", "popcnt", "extend32_s"]);
        prop_oneof![
            4 => (binary, inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| format!("(i64.{op} {a} {b})")),
            1 => (unary, inner).prop_map(|(op, a)| format!("(i64.{op} {a})")),
        ]
    })
}

/// Sets a local of type `f32` or `f64`.
fn float_statement() -> impl Strategy<Value = String> {
    let op = prop::sample::select(vec!["add", "sub", "mul", "div", "min", "max", "copysign"]);
    (0..2u8, op, i32_expr(), any::<bool>()).prop_map(|(float, op, a, as_other)| {
        let (ty, other, converted) = match float {
            0 => ("f32", "f64", "f32.demote_f64"),
            _ => ("f64", "f32", "f64.promote_f32"),
        };
        let first = match as_other {
            true => format!("({converted} (local.get $f{}))", 1 - float),
            false => format!("({ty}.div (local.get $f{float}) ({ty}.const 3))"),
        };
        let second = format!("({converted} ({other}.convert_i32_s {a}))");
        format!("(local.set $f{float} ({ty}.{op} {first} {second}))")
    })
}

fn statement() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        4 => (0..3u8, i32_expr()).prop_map(|(local, e)| format!("(local.set ${local} {e})")),
        2 => (0..2u8, i32_expr()).prop_map(|(global, e)| format!("(global.set $g{global} {e})")),
        2 => (i32_expr(), i32_expr(), 0..3usize).prop_map(|(a, e, size)| {
            let store = ["store", "store8", "store16"][size];
            format!("(i32.{store} (i32.and {a} (i32.const 15)) {e})")
        }),
        2 => (0..2u8, i64_expr()).prop_map(|(local, e)| format!("(local.set $w{local} {e})")),
        2 => float_statement(),
        1 => (i32_expr(), i64_expr(), 0..3usize).prop_map(|(a, e, size)| {
            let store = ["store", "store8", "store32"][size];
            format!("(i64.{store} (i32.and {a} (i32.const 15)) {e})")
        }),
        1 => (0..40u8).prop_map(|to| format!("(f64.store offset={to} (i32.const 0) (local.get $f1))")),
        1 => i32_expr().prop_map(|e| format!("(call $print {e})")),
        1 => (0..3u8, i32_expr()).prop_map(|(local, e)| {
            format!("(local.set ${local} (call $helper {e}))")
        }),
    ];
    simple.prop_recursive(3, 10, 3, |inner| {
        let body = || prop::collection::vec(inner.clone(), 0..3).prop_map(|list| list.join("\n"));
        prop_oneof![
            4 => (i32_expr(), body(), body()).prop_map(|(c, then, otherwise)| {
                format!("(if {c} (then {then}) (else {otherwise}))")
            }),
            1 => (i32_expr(), body()).prop_map(|(c, body)| {
                format!("(block $out (br_if $out {c}) {body})")
            }),
            1 => (i32_expr(), body(), body()).prop_map(|(index, a, b)| {
                format!("(block $c (block $b (block $a (br_table $a $b $a $c {index})) {a}) {b})")
            }),
            1 => (i32_expr(), body()).prop_map(|(c, body)| {
                // At most so many turns of all loops together.
                format!(
                    "(loop $again {body}
                       (br_if $again (i32.and
                         (i32.ne {c} (i32.const 0))
                         (i32.gt_s (local.tee $turns (i32.sub (local.get $turns) (i32.const 1))) (i32.const 0)))))"
                )
            }),
        ]
    })
}

const LOCALS: &str = "(local $w0 i64) (local $w1 i64) (local $f0 f32) (local $f1 f64)";

fn program() -> impl Strategy<Value = String> {
    let inputs = prop_oneof![
        Just(vec!["byte"]),
        Just(vec!["four", "odd"]),
        Just(vec!["signed", "four"]),
        Just(vec!["four", "odd", "four"]),
        Just(vec!["signed", "odd"]),
        Just(vec!["wide", "four"]),
    ];
    (inputs, prop::collection::vec(statement(), 1..6), i32_expr(), any::<u8>()).prop_map(
        |(inputs, mut statements, helper, late)| {
            for (local, input) in inputs.iter().enumerate() {
                let read = match *input {
                    "wide" => format!("(local.set $w{local} (call $wide))"),
                    input => format!("(local.set ${local} (call ${input}))"),
                };
                // The last one may come later.
                let at = match local > 0 && local + 1 == inputs.len() {
                    true => late as usize % (statements.len() + 1),
                    false => local,
                };
                statements.insert(at.max(local).min(statements.len()), read);
            }
            module(&format!(
                "(global $g0 (mut i32) (i32.const 7)) (global $g1 (mut i32) (i32.const 0))
                 (data (i32.const 0) \"\\01\\02\\f3\\04\\00\\06\\77\\08\")
                 (func $helper (param $0 i32) (result i32) (local $1 i32) (local $2 i32) {LOCALS} {helper})
                 (func (export \"main\") (local $0 i32) (local $1 i32) (local $2 i32) (local $turns i32) {LOCALS}
                 (local.set $turns (i32.const 6))
                 {})",
                statements.join("\n")
            ))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn generated_programs(program in program()) { check(&program);
    }
}
