//! Where handlers of ops call one another, the compiler has to make jumps of that. If it does not
//! for one of them, every execution of that op takes some of the host's stack until it leaves the
//! fast code: so each is executed more often than a small stack could bear.

use mw_vm::Machine;

use crate::common::drive::{End, Session, load};

const TIMES: usize = 20_000;
/// Not even sixteen bytes for each time.
const STACK: usize = 256 << 10;

/// A line of code for each kind of op, on locals that are named like their types.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for (ty, unary) in [
        ("i32", "clz ctz popcnt extend8_s extend16_s"),
        ("i64", "clz ctz popcnt extend8_s extend16_s extend32_s"),
        ("f32", "abs neg ceil floor trunc nearest sqrt"),
        ("f64", "abs neg ceil floor trunc nearest sqrt"),
    ] {
        for op in unary.split(' ') {
            lines.push(format!("(local.set ${ty} ({ty}.{op} (local.get ${ty})))"));
        }
    }
    let integer = "add sub mul and or xor shl shr_s shr_u rotl rotr div_s div_u rem_s rem_u";
    let float = "add sub mul div min max copysign";
    for (ty, binary) in [("i32", integer), ("i64", integer), ("f32", float), ("f64", float)] {
        for op in binary.split(' ') {
            for rhs in [format!("{ty}.const 3"), format!("local.get ${ty}_3")] {
                lines.push(format!("(local.set ${ty} ({ty}.{op} (local.get ${ty}) ({rhs})))"));
            }
        }
    }
    let integer = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u";
    let float = "eq ne lt gt le ge";
    for (ty, compare) in [("i32", integer), ("i64", integer), ("f32", float), ("f64", float)] {
        for op in compare.split(' ') {
            for rhs in [format!("{ty}.const 3"), format!("local.get ${ty}_3")] {
                // As a value; as a branch that is taken or not; and the other way round.
                let test = format!("({ty}.{op} (local.get ${ty}) ({rhs}))");
                lines.push(format!("(local.set $i32 {test})"));
                lines.push(format!("(block (br_if 0 {test}))"));
                lines.push(format!("(if {test} (then (nop)))"));
            }
        }
    }
    for (ty, loads, stores) in [
        ("i32", "load load8_s load8_u load16_s load16_u", "store store8 store16"),
        (
            "i64",
            "load load8_s load8_u load16_s load16_u load32_s load32_u",
            "store store8 store16 store32",
        ),
        ("f32", "load", "store"),
        ("f64", "load", "store"),
    ] {
        // Within a page, and across the border of two.
        for at in [100, 4095] {
            for op in stores.split(' ') {
                lines.push(format!("({ty}.{op} (i32.const {at}) (local.get ${ty}))"));
            }
            for op in loads.split(' ') {
                lines.push(format!("(local.set ${ty} ({ty}.{op} (i32.const {at})))"));
            }
        }
    }
    let others = [
        "(nop)",
        "(local.set $i32 (local.get $i32_3))",
        "(local.set $i32 (i32.eqz (local.get $i32)))",
        "(local.set $i32 (i64.eqz (local.get $i64)))",
        "(local.set $i64 (i64.extend_i32_s (local.get $i32)))",
        "(local.set $i64 (i64.extend_i32_u (local.get $i32)))",
        "(local.set $i32 (i32.wrap_i64 (local.get $i64)))",
        "(local.set $f64 (f64.promote_f32 (local.get $f32)))",
        "(local.set $f32 (f32.demote_f64 (local.get $f64)))",
        "(local.set $i32 (i32.trunc_sat_f32_s (local.get $f32)))",
        "(local.set $i64 (i64.trunc_sat_f64_u (local.get $f64)))",
        "(local.set $i32 (i32.trunc_f32_s (local.get $f32_3)))",
        "(local.set $i64 (i64.trunc_f64_u (local.get $f64_3)))",
        "(local.set $f32 (f32.convert_i64_u (local.get $i64)))",
        "(local.set $f64 (f64.convert_i32_s (local.get $i32)))",
        "(local.set $i32 (i32.reinterpret_f32 (local.get $f32)))",
        "(local.set $i32 (select (local.get $i32) (i32.const 1) (local.get $i32)))",
        "(global.set $g (i32.add (global.get $g) (i32.const 1)))",
        "(local.set $i32 (call $small (local.get $i32)))",
        "(local.set $i32 (call $locals (local.get $i32)))",
        "(local.set $i32 (call_indirect (type $t) (local.get $i32) (i32.const 0)))",
        "(local.set $i32 (call $tail (local.get $i32)))",
        "(local.set $i32 (call $tail_indirect (local.get $i32)))",
        "(drop (drop (call $two (local.get $i32))))",
        "(block (br 0))",
        "(block (block (br_table 0 1 (local.get $n))))",
        "(drop (block (result i32) (i32.const 1) (br_table 0 0 (i32.const 2) (local.get $n))))",
        "(drop (block (result i32) (i32.const 1) (br 0 (i32.const 2))))",
        "(drop (block (result i32) (i32.const 1) (br_if 0 (i32.const 2) (local.get $n)) (drop)))",
        "(memory.fill (i32.const 5) (i32.const 6) (i32.const 3))",
        "(memory.copy (i32.const 5) (i32.const 6) (i32.const 3))",
        "(memory.copy 1 0 (i32.const 5) (i32.const 6) (i32.const 3))",
        "(memory.init 0 $d (i32.const 5) (i32.const 0) (i32.const 3))",
        "(data.drop $other)",
        "(drop (memory.size))",
        "(drop (memory.grow (i32.const 0)))",
        "(drop (table.size))",
        "(drop (table.grow (ref.null func) (i32.const 0)))",
        "(table.set (i32.const 1) (table.get (i32.const 1)))",
        "(table.fill (i32.const 1) (ref.null func) (i32.const 1))",
        "(table.copy (i32.const 1) (i32.const 0) (i32.const 1))",
        "(table.init $e (i32.const 1) (i32.const 0) (i32.const 1))",
        "(elem.drop $other)",
        "(drop (ref.is_null (ref.func $small)))",
    ];
    lines.extend(others.map(String::from));
    lines
}

fn machine(line: &str) -> Machine {
    let text = format!(
        r#"(module
            (memory 1) (memory 1) (data $d "bytes") (data $other "bytes")
            (global $g (mut i32) (i32.const 0))
            (type $t (func (param i32) (result i32)))
            (table 2 funcref) (elem (i32.const 0) func $small)
            (elem $e func $small) (elem $other func $small)
            (func $small (type $t) (local.get 0))
            (func $locals (type $t) (local i64 i64) (local.get 0))
            (func $tail (type $t) (return_call $small (local.get 0)))
            (func $tail_indirect (type $t)
                (return_call_indirect (type $t) (local.get 0) (i32.const 0)))
            (func $two (param i32) (result i32 i32) (local.get 0) (return (local.get 0)))
            (func (export "run") (local $n i32)
                (local $i32 i32) (local $i64 i64) (local $f32 f32) (local $f64 f64)
                (local $i32_3 i32) (local $i64_3 i64) (local $f32_3 f32) (local $f64_3 f64)
                (local.set $n (i32.const {TIMES}))
                (local.set $i32_3 (i32.const 3)) (local.set $i64_3 (i64.const 3))
                (local.set $f32_3 (f32.const 3)) (local.set $f64_3 (f64.const 3))
                (loop $again
                    {line}
                    (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))"#
    );
    let binary = wat::parse_str(&text).unwrap_or_else(|error| panic!("{line}: {error}"));
    let module = load(&binary);
    let mut session = Session::new(&module).expect("segments fit");
    session.machine.call(module.exported_func("run").unwrap(), &[]).unwrap();
    session.machine
}

#[test]
fn long_runs_need_no_stack_of_the_host() {
    for line in lines() {
        let mut session = Session { machine: machine(&line), calls: 0 };
        // If the stack overflows, that is the end of the whole process: say where it was.
        println!("{line}");
        let small = std::thread::Builder::new().stack_size(STACK);
        let end = small.spawn(move || session.finish()).unwrap().join().unwrap();
        assert_eq!(end, End::Results(vec![]), "{line}");
    }
}
