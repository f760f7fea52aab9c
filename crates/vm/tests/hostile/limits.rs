//! Modules and machines over their limits.

use std::sync::Arc;

use mw_vm::{
    Breakpoints, ImportValues, InstantiateError, Limits, LoadError, Machine, Module, NoProbe, Stop,
    Value,
};

fn load_with(text: &str, limits: &Limits) -> Result<Module, LoadError> {
    Module::from_binary(&wat::parse_str(text).unwrap(), limits)
}

/// Checks that a module is within a limit, and over it if that is one less.
#[track_caller]
fn check(text: &str, at: Limits, below: Limits, expected: &str) {
    load_with(text, &at).unwrap_or_else(|error| panic!("within the limit: {error}"));
    assert_eq!(load_with(text, &below).unwrap_err().to_string(), expected);
}

#[test]
fn module_over_a_limit_is_refused() {
    let limits = Limits::default();
    check(
        "(module (memory 16384))",
        Limits { memory_pages: 16384, ..limits },
        Limits { memory_pages: 16383, ..limits },
        "too large: pages of memory: 16384, but the limit is 16383",
    );
    check(
        "(module (import \"o\" \"m\" (memory 7)))",
        Limits { memory_pages: 7, ..limits },
        Limits { memory_pages: 6, ..limits },
        "too large: pages of memory: 7, but the limit is 6",
    );
    check(
        "(module (table 5000 funcref))",
        Limits { table_elements: 5000, ..limits },
        Limits { table_elements: 4999, ..limits },
        "too large: table elements: 5000, but the limit is 4999",
    );
    check(
        "(module (memory 3) (memory 4))",
        Limits { memory_pages: 7, ..limits },
        Limits { memory_pages: 6, ..limits },
        "too large: pages of memory: 7, but the limit is 6",
    );
    check(
        "(module (table 20 funcref) (table 30 externref))",
        Limits { table_elements: 50, ..limits },
        Limits { table_elements: 49, ..limits },
        "too large: table elements: 50, but the limit is 49",
    );
    check(
        "(module (memory 1) (memory 1) (memory 1))",
        Limits { memories: 3, ..limits },
        Limits { memories: 2, ..limits },
        "too large: memories: 3, but the limit is 2",
    );
    check(
        "(module (table 1 funcref) (table 1 externref))",
        Limits { tables: 2, ..limits },
        Limits { tables: 1, ..limits },
        "too large: tables: 2, but the limit is 1",
    );
    check(
        "(module)",
        Limits { module_bytes: 8, ..limits },
        Limits { module_bytes: 7, ..limits },
        "too large: bytes: 8, but the limit is 7",
    );
    // Nine, and the return.
    check(
        "(module (func (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop)))",
        Limits { function_instructions: 10, ..limits },
        Limits { function_instructions: 9, ..limits },
        "too large: instructions of one function: 10, but the limit is 9",
    );
}

#[test]
fn default_limits_refuse_the_largest_that_can_be_declared() {
    let limits = Limits::default();
    for (text, expected) in [
        ("(module (memory 65536))", "too large: pages of memory: 65536, but the limit is 16384"),
        (
            "(module (table 4294967295 funcref))",
            "too large: table elements: 4294967295, but the limit is 10000000",
        ),
    ] {
        assert_eq!(load_with(text, &limits).unwrap_err().to_string(), expected);
    }
    let many = format!("(module {})", "(memory 1)".repeat(101));
    let error = load_with(&many, &limits).unwrap_err().to_string();
    assert!(error.contains("memor"), "{error}");
    let many = format!("(module {})", "(table 1 funcref)".repeat(101));
    let error = load_with(&many, &limits).unwrap_err().to_string();
    assert!(error.contains("tables"), "{error}");
}

/// A module may have been loaded under other limits, or come from an image.
#[test]
fn machine_over_a_limit_is_refused() {
    let many = Limits { memory_pages: 65536, table_elements: u32::MAX, ..Limits::default() };
    for (text, limits, expected) in [
        (
            "(module (memory 65536))",
            Limits::default(),
            "too large: pages of memory: 65536, but the limit is 16384",
        ),
        (
            "(module (memory 2))",
            Limits { memory_pages: 1, ..Limits::default() },
            "too large: pages of memory: 2, but the limit is 1",
        ),
        (
            "(module (table 4294967295 externref))",
            Limits::default(),
            "too large: table elements: 4294967295, but the limit is 10000000",
        ),
        (
            "(module (table 1 funcref) (table 3 funcref))",
            Limits { table_elements: 2, ..Limits::default() },
            "too large: table elements: 4, but the limit is 2",
        ),
        (
            "(module (import \"o\" \"m\" (memory 2)))",
            Limits { memory_pages: 1, ..Limits::default() },
            "too large: pages of memory: 2, but the limit is 1",
        ),
    ] {
        let module = load_with(text, &many).unwrap();
        let image = Module::from_image(&module.to_image(false)).unwrap();
        for module in [module, image] {
            let made = Machine::new(Arc::new(module), limits, ImportValues::default());
            let error: InstantiateError = made.map(drop).expect_err(text);
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}

/// What one memory or table takes, the others cannot have.
#[test]
fn what_grows_beyond_all_that_there_may_be_stays_as_it_is() {
    let text = r#"(module
        (memory 1) (memory $other 2)
        (table 10 funcref) (table $other 20 externref)
        (func (export "run") (result i32 i32 i32 i32 i32 i32)
            (memory.grow $other (i32.const 3))
            (memory.grow (i32.const 2))
            (memory.grow (i32.const 1))
            (table.grow $other (ref.null extern) (i32.const 10))
            (table.grow 0 (ref.null func) (i32.const 11))
            (table.grow 0 (ref.null func) (i32.const 10))))"#;
    let limits = Limits { memory_pages: 7, table_elements: 50, ..Limits::default() };
    let module = Arc::new(load_with(text, &limits).unwrap());
    let mut machine = Machine::new(module, limits, ImportValues::default()).unwrap();
    let run = machine.module().exported_func("run").unwrap();
    machine.call(run, &[]).unwrap();
    assert_eq!(machine.run(100, &Breakpoints::default(), &mut NoProbe), Stop::Finished);
    let expected = [2, -1, 1, 20, -1, 10].map(Value::I32);
    assert_eq!(machine.results(), expected);
}
