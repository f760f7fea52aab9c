//! Thousands of generated modules: they do the same here as in `wasmi`, and the same however they
//! are run.
//!
//! `fuzz/` has the same check as a target for a fuzzer, which finds its own modules.

mod common {
    pub mod compare;
    pub mod differ;
    pub mod drive;
    pub mod generate;
    pub mod oracle;
}
#[path = "../../../fuzz/replay.rs"]
mod replay;

use common::differ::{Verdict, check};
use common::drive::{End, Session, load};
use common::generate::Rng;
use common::oracle;
use mw_vm::Value;

/// How many modules are made, in all tests together.
const MODULES: u64 = 12_000;

/// Checks a part of the modules; parts are tests of their own so that they run side by side.
fn check_part(part: u64, parts: u64) {
    let (mut modules, mut refused, mut calls, mut incomparable) = (0, 0, 0, 0);
    for seed in (0..MODULES).filter(|seed| seed % parts == part) {
        let mut rng = Rng::new(seed);
        let length = 500 + rng.below(12_000) as usize;
        let bytes = rng.bytes(length);
        let verdict = std::panic::catch_unwind(|| check(&bytes));
        match verdict.unwrap_or_else(|_| panic!("seed {seed} fails, see above")) {
            Verdict::NoModule => {}
            Verdict::NoInstance => refused += 1,
            Verdict::Compared { calls: made, incomparable: not } => {
                modules += 1;
                calls += made;
                incomparable += not;
            }
        }
    }
    println!(
        "{modules} modules agree in {calls} calls ({incomparable} calls are incomparable); \
         {refused} modules cannot be instantiated"
    );
    // Or else all this would show less than it seems to.
    assert!(modules > MODULES / parts / 2, "too few modules: {modules}");
    assert!(calls > 2 * modules as u32, "too few calls: {calls}");
    assert!(incomparable < calls / 4, "too many incomparable calls: {incomparable}");
}

#[test]
fn first_half() {
    check_part(0, 2);
}

#[test]
fn second_half() {
    check_part(1, 2);
}

#[test]
fn what_a_fuzzer_found() {
    replay::replay("differential", |bytes| {
        let _ = check(bytes);
    });
}

/// Calls a function of one number and one result, here and in `wasmi`.
fn both(text: &str, arg: i32) -> (End, i32) {
    let binary = wat::parse_str(text).expect("it is well written");
    let mut session = Session::new(&load(&binary)).expect("there are no segments");
    session.machine.call(0, &[Value::I32(arg)]).expect("it takes a number");
    let module = oracle::load(&binary);
    let mut store = wasmi::Store::new(module.engine(), ());
    let instance = wasmi::Instance::new(&mut store, &module, &[]).expect("it has no imports");
    let func = instance.get_typed_func::<i32, i32>(&store, "f").expect("it is exported");
    (session.finish(), func.call(&mut store, arg).expect("it does not trap"))
}

/// Why some calls are incomparable. When this or the next fails, `wasmi` has been repaired: then
/// the tests need not look out for it any more.
#[test]
fn oracle_is_wrong_about_select() {
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (select (i32.const 10) (i32.const 20) (i32.eqz (local.get 0)))))"#;
    assert_eq!(both(text, 5), (End::Results(vec![Value::I32(20)]), 10));
}

#[test]
fn oracle_is_wrong_about_if_with_parameters() {
    let text = r#"(module (func (export "f") (param i32) (result i32) (local i32)
        (local.set 1 (i32.const 7))
        (local.get 1)
        (i32.const 3)
        (if (param i32) (local.get 0) (then (drop) (loop)) (else (drop)))))"#;
    let (ours, theirs) = both(text, 0);
    assert_eq!(ours, End::Results(vec![Value::I32(7)]));
    assert_ne!(theirs, 7);
}
