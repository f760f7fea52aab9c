//! Programs that share what there is to share with their handlers, or do not.

use proptest::prelude::*;

use super::plain::check;
use super::{program, subscribe};

fn global() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("$a"), Just("$b"), Just("$c")]
}

/// Addresses that overlap for some sizes.
fn address() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0..6u32).prop_map(|at| format!("(i32.const {})", 2 * at)),
        1 => global().prop_map(|g| format!("(i32.and (global.get {g}) (i32.const 6))")),
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => (0..4u32).prop_map(|number| format!("(i32.const {number})")),
        3 => global().prop_map(|g| format!("(global.get {g})")),
        2 => address().prop_map(|at| format!("(i32.load16_u {at})")),
        1 => address().prop_map(|at| format!("(i32.load {at})")),
        2 => (global(), 1..3u32)
            .prop_map(|(g, by)| format!("(i32.add (global.get {g}) (i32.const {by}))")),
    ]
}

fn simple() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (global(), value()).prop_map(|(g, v)| format!("(global.set {g} {v})")),
        4 => (address(), value()).prop_map(|(at, v)| format!("(i32.store16 {at} {v})")),
        2 => (address(), value()).prop_map(|(at, v)| format!("(i32.store {at} {v})")),
        2 => value().prop_map(|v| format!("(local.set $i {v})")),
        1 => value().prop_map(|v| format!("(call $print {v})")),
        1 => Just("(call $print_string (i32.const 0) (i32.const 3))".to_owned()),
        1 => Just("(call $helper)".to_owned()),
        1 => address().prop_map(|at| format!("(memory.fill {at} (i32.const 1) (i32.const 3))")),
        1 => (address(), address())
            .prop_map(|(to, from)| format!("(memory.copy {to} {from} (i32.const 4))")),
        1 => Just("(drop (memory.grow (i32.const 1)))".to_owned()),
        1 => Just("(global.set $a (memory.size))".to_owned()),
        1 => (4..6u32).prop_map(|pin| format!("(call $unsubscribe (i32.const {pin}))")),
        1 => (0..2usize).prop_map(subscribe),
        1 => Just(
            "(table.set (i32.const 0) (table.get (i32.const 1)))".to_owned()
        ),
        1 => value().prop_map(|v| format!("(if (i32.eq {v} (i32.const 3)) (then (unreachable)))")),
        1 => global().prop_map(|g| format!("(global.set {g} (call $two))")),
        1 => Just("(if (call $two) (then (global.set $b (i32.const 9))))".to_owned()),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => simple(),
        1 => (value(), simple(), simple())
            .prop_map(|(v, then, other)| format!("(if {v} (then {then}) (else {other}))")),
        1 => simple().prop_map(|body| format!(
            "(local.set $i (i32.const 2))
             (loop $again {body}
               (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))"
        ).replace("(local.set $i (i32.load", "(drop (i32.load")),
    ]
}

fn body(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(statement(), 1..=most).prop_map(|all| all.join("\n  "))
}

/// A loop counts its turns in a local that nothing else of the program may set: it would not end.
fn ends(body: &str) -> bool {
    !body.contains("$again")
        || body.matches("(local.set $i").count() == body.matches("loop").count()
}

/// So many inputs at most: all of their values are tried.
fn is_small(parts: &[&str], most: usize) -> bool {
    parts.iter().map(|part| part.matches("$two").count()).sum::<usize>() <= most
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn one_interrupt(main in body(6), handler in body(3)) {
        prop_assume!(ends(&main) && ends(&handler) && is_small(&[&main, &handler], 2));
        check(&program(&main, &[&handler]), 1);
    }

    #[test]
    fn one_of_two_interrupts(main in body(5), first in body(3), second in body(3)) {
        prop_assume!([&main, &first, &second].iter().all(|body| ends(body)));
        prop_assume!(is_small(&[&main, &first, &second], 2));
        check(&program(&main, &[&first, &second]), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn two_interrupts(main in body(3), first in body(2), second in body(2)) {
        prop_assume!([&main, &first, &second].iter().all(|body| ends(body)));
        prop_assume!(is_small(&[&main, &first, &second], 1));
        check(&program(&main, &[&first, &second]), 2);
    }
}
