//! Small programs that between them use every part of the machine, each short enough to be looked
//! at before every single instruction.

use std::sync::Arc;

use mw_vm::{Module, Value};

use crate::common::drive::{self, Session};

/// A program, and the call to make of it.
pub struct Program {
    pub name: &'static str,
    text: &'static str,
    export: &'static str,
    args: &'static [Value],
}

impl Program {
    /// The program in WebAssembly's binary format.
    pub fn binary(&self) -> Vec<u8> {
        wat::parse_str(self.text).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub fn load(&self) -> Arc<Module> {
        drive::load(&self.binary())
    }

    /// A machine of this program, or of another form of it, with the call about to run.
    pub fn start_in(&self, module: &Arc<Module>) -> Session {
        let mut session = Session::new(module).expect("segments fit");
        let func = module.exported_func(self.export).expect("it is exported");
        session.machine.call(func, self.args).expect("the arguments fit");
        session
    }

    pub fn start(&self) -> Session {
        self.start_in(&self.load())
    }
}

/// All programs. None executes more than some hundred instructions.
pub const PROGRAMS: &[Program] = &[
    Program {
        name: "recursion",
        text: r#"(module
            (func $fib (export "fib") (param i32) (result i32)
                (if (result i32) (i32.lt_s (local.get 0) (i32.const 2))
                    (then (local.get 0))
                    (else (i32.add
                        (call $fib (i32.sub (local.get 0) (i32.const 1)))
                        (call $fib (i32.sub (local.get 0) (i32.const 2))))))))"#,
        export: "fib",
        args: &[Value::I32(5)],
    },
    Program {
        name: "a loop over locals",
        text: r#"(module
            (func (export "sum") (param $n i32) (result i64) (local $i i32) (local $sum i64)
                (loop $again
                    (local.set $sum (i64.add (local.get $sum)
                        (i64.mul (i64.extend_i32_s (local.get $i)) (i64.const -7))))
                    (br_if $again (i32.lt_u
                        (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                        (local.get $n))))
                (local.get $sum)))"#,
        export: "sum",
        args: &[Value::I32(12)],
    },
    Program {
        name: "loads and stores across pages",
        text: r#"(module
            (memory 1 3)
            (memory $other 1)
            (data (i32.const 4090) "0123456789")
            (data $passive "passive bytes")
            (func (export "run") (result i64) (local $at i32)
                (i64.store (i32.const 4092) (i64.const 0x1122334455667788))
                (i32.store8 offset=1 (i32.const 8191) (i32.const 200))
                (i64.store16 $other (i32.const 65534) (i64.const -2))
                (local.set $at (i32.const 60000))
                (loop $again
                    (f64.store (local.get $at) (f64.convert_i32_s (local.get $at)))
                    (local.set $at (i32.add (local.get $at) (i32.const 1021)))
                    (br_if $again (i32.lt_s (local.get $at) (i32.const 65000))))
                (memory.fill (i32.const 20000) (i32.const 9) (i32.const 5000))
                (memory.copy (i32.const 4000) (i32.const 20100) (i32.const 200))
                (memory.copy $other 0 (i32.const 17) (i32.const 4000) (i32.const 300))
                (memory.init $other $passive (i32.const 100) (i32.const 3) (i32.const 6))
                (data.drop $passive)
                (drop (memory.grow (i32.const 1)))
                (drop (memory.grow (i32.const 5)))
                (i64.store32 (i32.const 131000) (i64.const 77))
                (i64.add
                    (i64.load (i32.const 4091))
                    (i64.add (i64.load8_s $other (i32.const 65535)) (i64.load32_u (i32.const 131000))))))"#,
        export: "run",
        args: &[],
    },
    Program {
        name: "tables and indirect calls",
        text: r#"(module
            (type $binary (func (param i32 i32) (result i32)))
            (table $t 4 12 funcref)
            (table $e 3 8 externref)
            (elem (table $t) (i32.const 1) func $add $sub)
            (elem $more func $mul $add $sub)
            (func $add (type $binary) (i32.add (local.get 0) (local.get 1)))
            (func $sub (type $binary) (i32.sub (local.get 0) (local.get 1)))
            (func $mul (type $binary) (i32.mul (local.get 0) (local.get 1)))
            (func (export "run") (param $r externref) (result i32 externref)
                (local $i i32) (local $x i32)
                (table.init $t $more (i32.const 3) (i32.const 0) (i32.const 1))
                (elem.drop $more)
                (table.set $e (i32.const 1) (local.get $r))
                (drop (table.grow $e (local.get $r) (i32.const 2)))
                (table.fill $e (i32.const 3) (ref.null extern) (i32.const 2))
                (table.copy $t $t (i32.const 0) (i32.const 1) (i32.const 3))
                (drop (table.grow $t (ref.func $sub) (i32.const 20)))
                (local.set $x (i32.const 100))
                (loop $again
                    (local.set $x (call_indirect $t (type $binary)
                        (local.get $x) (i32.const 3) (local.get $i)))
                    (br_if $again (i32.lt_u
                        (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                        (table.size $t))))
                (i32.add (local.get $x) (ref.is_null (table.get $e (i32.const 4))))
                (table.get $e (i32.const 1))))"#,
        export: "run",
        args: &[Value::ExternRef(Some(5))],
    },
    Program {
        name: "imported functions, called in every way",
        text: r#"(module
            (type $one (func (param i32) (result i32)))
            (type $many (func (param i32) (result i32 i64 f64)))
            (import "outside" "one" (func $one (type $one)))
            (import "outside" "many" (func $many (type $many)))
            (import "outside" "none" (func $none))
            (table funcref (elem $one $double))
            (func $double (type $one) (i32.mul (local.get 0) (i32.const 2)))
            (func $deep (param i32) (result i32)
                (if (result i32) (local.get 0)
                    (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get 0) (i32.const 1)))))
                    (else (call $one (i32.const 40)))))
            (func $tail (param i32) (result i32 i64 f64) (return_call $many (local.get 0)))
            (func $tail_indirect (param i32) (result i32)
                (return_call_indirect (type $one) (local.get 0) (i32.const 0)))
            (func (export "run") (result i32 i64 f64)
                (call $none)
                (drop (call $deep (i32.const 3)))
                (drop (call_indirect (type $one) (i32.const 8) (i32.const 0)))
                (drop (call_indirect (type $one) (i32.const 8) (i32.const 1)))
                (drop (call $tail_indirect (i32.const 1)))
                (drop (drop (drop (call $tail (i32.const 7)))))
                (return_call $many (i32.const 9))))"#,
        export: "run",
        args: &[],
    },
    Program {
        name: "branches that carry values",
        text: r#"(module
            (func $pick (param i32) (result i32 i32)
                (i32.const 99)
                (block $c (result i32 i32)
                    (i32.const 98)
                    (block $b (result i32 i32)
                        (i32.const 97)
                        (block $a (result i32 i32)
                            (i32.const 96)
                            (i32.const 1) (i32.const 2) (local.get 0)
                            (br_table $a $b $c $c $a))
                        (i32.add) (i32.add) (i32.const 10) (br $c))
                    (i32.mul) (i32.add) (i32.const 20)
                    (br_if $c (local.get 0))
                    (i32.const 5) (i32.xor))
                (br 0))
            (func (export "run") (result i32) (local $i i32) (local $sum i32)
                (i32.const 1000)
                (loop $again (param i32) (result i32)
                    (call $pick (local.get $i))
                    (i32.add)
                    (i32.sub)
                    (local.set $i (i32.add (local.get $i) (i32.const 1)))
                    (br_if $again (i32.lt_s (local.get $i) (i32.const 5))))
                (if (param i32) (result i32) (local.get $i)
                    (then (i32.const 1) (i32.add))
                    (else (i32.const 2) (i32.mul)))))"#,
        export: "run",
        args: &[],
    },
    Program {
        name: "globals and floats",
        text: r#"(module
            (global $a (mut f32) (f32.const 1.5))
            (global $b (mut i64) (i64.const 3))
            (global $c i32 (i32.const 8))
            (func (export "run") (param f64) (result f64 i32) (local $i i32)
                (loop $again
                    (global.set $a (f32.mul (global.get $a) (f32.const -1.25)))
                    (global.set $b (i64.rotl (global.get $b) (i64.const 5)))
                    (local.set 0 (f64.sqrt (f64.sub (local.get 0) (f64.promote_f32 (global.get $a)))))
                    (local.set $i (i32.add (local.get $i) (i32.const 1)))
                    (br_if $again (i32.ne (local.get $i) (global.get $c))))
                (f64.nearest (local.get 0))
                (select (i32.const 4) (i32.trunc_sat_f64_s (local.get 0))
                    (f32.gt (global.get $a) (f32.const 0)))))"#,
        export: "run",
        args: &[Value::F64(0x40f8_6a00_0000_0000)],
    },
    Program {
        name: "tail calls",
        text: r#"(module
            (type $t (func (param i32 i64) (result i64)))
            (table funcref (elem $odd))
            (func $even (export "even") (type $t) (local i64 i64 i64 i64)
                (if (i32.eqz (local.get 0)) (then (return (i64.const 1))))
                (return_call_indirect (type $t)
                    (i32.sub (local.get 0) (i32.const 1)) (local.get 1) (i32.const 0)))
            (func $odd (type $t)
                (if (i32.eqz (local.get 0)) (then (return (i64.const 0))))
                (return_call $even (i32.sub (local.get 0) (i32.const 1)) (local.get 1))))"#,
        export: "even",
        args: &[Value::I32(9), Value::I64(1)],
    },
    Program {
        name: "a small function called by a large one",
        text: r#"(module
            (func $small (result i32) (i32.const 1))
            (func (export "run") (result i32)
                (call $small)
                (i32.const 2) (i32.const 3) (i32.const 4) (i32.const 5) (i32.const 6) (i32.const 7)
                (i32.const 8) (i32.const 9) (i32.const 10) (i32.const 11) (i32.const 12)
                (call $small)
                (i32.add) (i32.add) (i32.add) (i32.add) (i32.add) (i32.add)
                (i32.add) (i32.add) (i32.add) (i32.add) (i32.add) (i32.add)))"#,
        export: "run",
        args: &[],
    },
    Program {
        name: "a trap with operands on the stack",
        text: r#"(module
            (memory 1)
            (func $inner (param i32) (result i32)
                (i32.store (i32.const 8) (i32.const 1))
                (i32.const 7) (i32.div_s (i32.const 6) (local.get 0)) (i32.add))
            (func (export "run") (result i32) (local i64)
                (i32.const 5) (call $inner (i32.const 0)) (i32.add)))"#,
        export: "run",
        args: &[],
    },
];
