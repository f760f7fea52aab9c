//! A module that needs more than there is: the error names what, and where.

use mw_vm::{Limits, LoadError, Module};

use crate::encode::function;

/// A feature, a module that uses it, and the function that does.
const CASES: &[(&str, &str, Option<&str>)] = &[
    (
        "simd",
        r#"(module (func) (func (export "f") (drop (v128.const i32x4 1 2 3 4))))"#,
        Some("1 (f)"),
    ),
    ("simd", r#"(module (func (export "f") (local v128)))"#, Some("0 (f)")),
    ("simd", r#"(module (global v128 (v128.const i64x2 0 0)))"#, None),
    (
        "simd, relaxed-simd",
        r#"(module (func (export "f") (param v128) (result v128)
            (i8x16.relaxed_swizzle (local.get 0) (local.get 0))))"#,
        None,
    ),
    ("exceptions", r#"(module (tag $t) (func (export "f") (throw $t)))"#, None),
    (
        "exceptions",
        r#"(module (func) (func) (func (export "f") (block $b (try_table (catch_all $b)))))"#,
        Some("2 (f)"),
    ),
    ("gc", r#"(module (type (struct (field i32))))"#, None),
    ("gc", r#"(module (type (array i8)))"#, None),
    ("gc", r#"(module (func (export "f") (drop (ref.i31 (i32.const 1)))))"#, Some("0 (f)")),
    (
        "function-references",
        r#"(module (type $t (func)) (func (export "f") (param (ref null $t)) (call_ref $t (local.get 0))))"#,
        None,
    ),
    (
        "function-references",
        r#"(module (func (export "f") (drop (ref.as_non_null (ref.func 0)))) (elem declare func 0))"#,
        Some("0 (f)"),
    ),
    ("memory64", r#"(module (memory i64 1))"#, None),
    ("memory64", r#"(module (table i64 1 funcref))"#, None),
    ("threads", r#"(module (memory 1 1 shared))"#, None),
    (
        "threads",
        r#"(module (memory 1) (func (export "f") (drop (i32.atomic.load (i32.const 0)))))"#,
        Some("0 (f)"),
    ),
    ("custom-page-sizes", r#"(module (memory 1 (pagesize 1)))"#, None),
    (
        "wide-arithmetic",
        r#"(module (func (export "f") (result i64 i64)
            (i64.mul_wide_u (i64.const 1) (i64.const 2))))"#,
        Some("0 (f)"),
    ),
];

#[test]
fn unsupported_feature_is_named_with_its_function() {
    for (feature, text, function) in CASES {
        let binary = wat::parse_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let error = match Module::from_binary(&binary, &Limits::default()) {
            Ok(_) => panic!("accepted: {text}"),
            Err(error) => error,
        };
        let LoadError::Unsupported { feature: named, offset, function: found } = &error else {
            panic!("{text}: {error}")
        };
        assert_eq!(named, feature, "{text}");
        assert_eq!(found.as_deref(), *function, "{text}");
        assert!(*offset < binary.len() as u64, "{text}");
        let place = function.map(|name| format!(", in function {name}")).unwrap_or_default();
        assert_eq!(
            error.to_string(),
            format!(
                "this module uses {feature}, which is not supported (at byte {offset:#x}{place}); \
                 build it without that feature"
            ),
        );
    }
}

/// An instruction that has no text any more.
#[test]
fn withdrawn_feature_is_named() {
    let binary = function(&[], &[0, 0x06, 0x40, 0x19, 0x0b, 0x0b]);
    assert_eq!(
        Module::from_binary(&binary, &Limits::default()).unwrap_err().to_string(),
        "this module uses legacy-exceptions, which is not supported \
         (at byte 0x1e, in function 0 (f)); build it without that feature"
    );
}

#[test]
fn everything_that_is_supported_is_accepted() {
    for text in [
        "(module (func (result i32 i64) (i32.const 1) (i64.const 2)))",
        "(module (func (param i32) (result i64) (i64.extend8_s (i64.const 1))))",
        "(module (func (result i32) (i32.trunc_sat_f32_s (f32.const 1))))",
        "(module (memory 1) (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 0))))",
        "(module (table 1 externref) (table 1 funcref) (func (result externref) (ref.null extern)))",
        "(module (import \"o\" \"g\" (global (mut i32))))",
        "(module (global i32 (i32.add (i32.const 1) (i32.mul (i32.const 2) (i32.const 3)))))",
        "(module (memory 1) (memory 1) (func (memory.copy 0 1 (i32.const 0) (i32.const 0) (i32.const 0))))",
        "(module (func $f (return_call $f)))",
    ] {
        let binary = wat::parse_str(text).unwrap();
        Module::from_binary(&binary, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}
