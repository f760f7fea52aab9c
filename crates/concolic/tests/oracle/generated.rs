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
            1 => (two.clone(), 0..4usize).prop_map(|((a, b), op)| {
                let op = ["mul", "div_s", "rotr", "lt_s"][op];
                let wrapped = if op == "lt_s" { "" } else { "i32.wrap_i64 " };
                format!("({wrapped}(i64.{op} (i64.extend_i32_s {a}) (i64.extend_i32_u {b})))")
                    .replace("((i64", "(i64").replace("))))", ")))")
            }).prop_filter("balanced", |text| {
                text.matches('(').count() == text.matches(')').count()
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

fn statement() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        4 => (0..3u8, i32_expr()).prop_map(|(local, e)| format!("(local.set ${local} {e})")),
        2 => (0..2u8, i32_expr()).prop_map(|(global, e)| format!("(global.set $g{global} {e})")),
        2 => (i32_expr(), i32_expr(), 0..3usize).prop_map(|(a, e, size)| {
            let store = ["store", "store8", "store16"][size];
            format!("(i32.{store} (i32.and {a} (i32.const 15)) {e})")
        }),
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

fn program() -> impl Strategy<Value = String> {
    let inputs = prop_oneof![
        Just(vec!["byte"]),
        Just(vec!["four", "odd"]),
        Just(vec!["signed", "four"]),
        Just(vec!["four", "odd", "four"]),
        Just(vec!["signed", "odd"]),
    ];
    (inputs, prop::collection::vec(statement(), 1..6), i32_expr(), any::<u8>()).prop_map(
        |(inputs, mut statements, helper, late)| {
            for (local, input) in inputs.iter().enumerate() {
                let read = format!("(local.set ${local} (call ${input}))");
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
                 (func $helper (param $0 i32) (result i32) (local $1 i32) (local $2 i32) {helper})
                 (func (export \"main\") (local $0 i32) (local $1 i32) (local $2 i32) (local $turns i32)
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
