//! Where values come from, against changing the inputs of generated programs: a value is what its
//! formula says for all of them, and what it does not come from has no effect on it.

use std::fmt::Write as _;
use std::sync::Arc;

use mw_query::{Bounds, Execution, Made, Token};
use mw_session::{Direction, Mock, Options, Session, Unattended};
use mw_vm::{Cell, Limits, Module, Value};
use mw_world::Description;
use proptest::prelude::*;

use crate::common::cases;

const INPUTS: usize = 3;

/// What a program does, one after the other, with five variables.
#[derive(Clone, Debug)]
enum Statement {
    Constant(u8, i32),
    Operation(u8, &'static str, u8, u8),
    Select(u8, u8, u8, u8),
    Call(u8, u8, u8),
    Store(&'static str, u8, u8),
    Load(u8, &'static str, u8),
    Copy(u8, u8),
    ToGlobal(u8),
    FromGlobal(u8),
    Wide(u8, u8),
}

fn statement() -> impl Strategy<Value = Statement> {
    let var = || 0..5u8;
    let address = || prop_oneof![Just(64u8), Just(68), Just(72), Just(66)];
    let operation = prop_oneof![
        Just("add"),
        Just("sub"),
        Just("mul"),
        Just("xor"),
        Just("and"),
        Just("shl"),
        Just("lt_s"),
    ];
    prop_oneof![
        (var(), -9..99i32).prop_map(|(a, value)| Statement::Constant(a, value)),
        (var(), operation, var(), var())
            .prop_map(|(a, op, b, c)| Statement::Operation(a, op, b, c)),
        (var(), var(), var(), var()).prop_map(|(a, b, c, d)| Statement::Select(a, b, c, d)),
        (var(), var(), var()).prop_map(|(a, b, c)| Statement::Call(a, b, c)),
        (prop_oneof![Just("store"), Just("store8"), Just("store16")], address(), var())
            .prop_map(|(op, at, a)| Statement::Store(op, at, a)),
        (var(), prop_oneof![Just("load"), Just("load8_s"), Just("load16_u")], address())
            .prop_map(|(a, op, at)| Statement::Load(a, op, at)),
        (address(), address()).prop_map(|(to, from)| Statement::Copy(to, from)),
        var().prop_map(Statement::ToGlobal),
        var().prop_map(Statement::FromGlobal),
        (var(), var()).prop_map(|(a, b)| Statement::Wide(a, b)),
    ]
}

fn program(statements: &[Statement]) -> String {
    let mut body = String::new();
    for (index, pin) in (0..INPUTS).enumerate() {
        let _ = writeln!(body, "(local.set {index} (call $read (i32.const {pin})))");
    }
    for statement in statements {
        let line = match statement {
            Statement::Constant(a, value) => format!("(local.set {a} (i32.const {value}))"),
            Statement::Operation(a, op, b, c) => {
                format!("(local.set {a} (i32.{op} (local.get {b}) (local.get {c})))")
            }
            Statement::Select(a, b, c, d) => {
                format!("(local.set {a} (select (local.get {b}) (local.get {c}) (local.get {d})))")
            }
            Statement::Call(a, b, c) => {
                format!("(local.set {a} (call $mix (local.get {b}) (local.get {c})))")
            }
            Statement::Store(op, at, a) => {
                format!("(i32.{op} (i32.const {at}) (local.get {a}))")
            }
            Statement::Load(a, op, at) => format!("(local.set {a} (i32.{op} (i32.const {at})))"),
            Statement::Copy(to, from) => {
                format!("(memory.copy (i32.const {to}) (i32.const {from}) (i32.const 4))")
            }
            Statement::ToGlobal(a) => format!("(global.set 1 (local.get {a}))"),
            Statement::FromGlobal(a) => format!("(local.set {a} (global.get 1))"),
            Statement::Wide(a, b) => format!(
                "(local.set {a} (i32.wrap_i64 (i64.add (i64.extend_i32_s (local.get {b})) (i64.const 7))))"
            ),
        };
        let _ = writeln!(body, "{line}");
    }
    format!(
        r#"(module
            (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
            (memory 1)
            (data (i32.const 64) "\01\02\03\04\05\06\07\08")
            (global (mut i32) (i32.const 0))
            (global (mut i32) (i32.const 5))
            (func $mix (param i32 i32) (result i32) (local i32)
              (local.set 2 (i32.mul (local.get 0) (i32.const 3)))
              (i32.sub (local.get 2) (local.get 1)))
            (func (export "main") (local i32 i32 i32 i32 i32)
              {body}
              (global.set 0 (i32.add (local.get 3) (local.get 4)))))"#
    )
}

/// A session that has run to its end, with these readings.
fn run(module: &Arc<Module>, readings: [i32; INPUTS]) -> Session {
    let board = Arc::new(Description::board(Default::default()));
    let main = module.exported_func("main").unwrap();
    let options = Options { checkpoint_interval: 20, ..Options::default() };
    let mut session =
        Session::new(module.clone(), &board, Some((main, Vec::new())), options).unwrap();
    for (pin, reading) in (0..).zip(readings) {
        session.mocks_mut().add(Mock {
            port: None,
            import: 0,
            args: Some(vec![Value::I32(pin)]),
            answer: Value::I32(reading).into(),
            once: false,
        });
    }
    session.run(Direction::Forward, &mut Unattended).unwrap();
    session
}

fn result(session: &Session) -> i32 {
    match session.machine().global(0) {
        Some(Value::I32(value)) => value,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn a_value_is_what_its_formula_says(
        statements in prop::collection::vec(statement(), 1..24),
        readings in prop::array::uniform3(0..4096i32),
        others in prop::collection::vec(prop::array::uniform3(0..4096i32), 4),
    ) {
        let binary = wat::parse_str(program(&statements)).unwrap();
        let module = Arc::new(Module::from_binary(&binary, &Limits::default()).unwrap());
        let session = run(&module, readings);
        let end = session.recorded_end();
        let execution = Execution::new(session.past(), end, Token::default(), Bounds::default());
        let origin = execution.origin(Cell::Global(0), end).unwrap().unwrap();
        prop_assert!(!origin.is_older);
        // Inputs are read first, one after the other.
        let reads: Vec<u64> = {
            let multiverse = session.multiverse();
            let mut counts: Vec<u64> = multiverse
                .ancestors(end.node)
                .filter_map(|node| Some(multiverse.choice(node)?.count))
                .collect();
            counts.reverse();
            counts
        };
        prop_assert_eq!(reads.len(), INPUTS);
        let value_of = |readings: [i32; INPUTS], count: u64| {
            let input = reads.iter().position(|read| *read == count).unwrap();
            readings[input] as u32 as u64
        };
        let formula = &origin.formula;
        let own = formula.evaluate(|count| value_of(readings, count)) as i32;
        prop_assert_eq!(own, result(&session));
        let from = |input: usize| {
            let is_it = |made: Made| matches!(made, Made::Primitive(_));
            origin.way.iter().any(|step| is_it(step.made) && step.place.count == reads[input])
        };
        for other in others {
            if formula.is_exact {
                let told = formula.evaluate(|count| value_of(other, count)) as i32;
                prop_assert_eq!(told, result(&run(&module, other)), "{:?}", other);
            }
            // What it does not come from may be anything.
            let mut same = readings;
            (0..INPUTS).filter(|input| !from(*input)).for_each(|input| same[input] = other[input]);
            prop_assert_eq!(result(&run(&module, same)), result(&session), "{:?}", same);
        }
        // What is in the formula is on the way.
        for count in formula.inputs() {
            let input = reads.iter().position(|read| *read == count).unwrap();
            prop_assert!(from(input));
        }
    }
}

/// One that is written down: the way of a number, and what an input has influenced.
#[test]
fn the_way_of_a_number() {
    let wat = r#"(module
        (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
        (import "env" "chip_digital_write" (func $write (param i32 i32)))
        (memory 1)
        (global $brightness (mut i32) (i32.const 0))
        (func (export "main") (local $raw i32)
          (drop (call $read (i32.const 1)))
          (local.set $raw (call $read (i32.const 14)))
          (i32.store (i32.const 8) (i32.mul (local.get $raw) (i32.const 255)))
          (global.set $brightness (i32.div_s (i32.load (i32.const 8)) (i32.const 4095)))
          (if (i32.gt_s (global.get $brightness) (i32.const 9))
            (then (call $write (i32.const 13) (global.get $brightness))))))"#;
    let module = Module::from_binary(&wat::parse_str(wat).unwrap(), &Limits::default()).unwrap();
    let session = run(&Arc::new(module), [0, 0, 0]);
    let end = session.recorded_end();
    let execution = Execution::new(session.past(), end, Token::default(), Bounds::default());
    let origin = execution.origin(Cell::Global(0), end).unwrap().unwrap();
    let shown = origin.formula.show(|count| format!("read@{count}"));
    assert_eq!(shown, "(read@4 * 255) / 4095");
    let told: Vec<Made> = origin.way.iter().map(|step| step.made).collect();
    assert!(
        matches!(
            told.as_slice(),
            [
                Made::Moved(_, Cell::Global(0)),
                Made::Moved(_, Cell::Memory { address: 8, .. }),
                Made::Moved(_, Cell::Local { local: 0, .. }),
                Made::Primitive(0),
            ]
        ),
        "{told:?}"
    );
    // The other reading has nothing to do with it.
    assert_eq!(origin.formula.inputs(), [4]);
    let influence = execution.influence(4, end).unwrap();
    let counted =
        |is_it: fn(&Made) -> bool| influence.way.iter().filter(|step| is_it(&step.made)).count();
    assert_eq!(counted(|made| matches!(made, Made::Moved(..))), 3);
    assert_eq!(counted(|made| matches!(made, Made::Decided(_))), 1);
    let nothing = execution.influence(1, end).unwrap();
    assert!(nothing.way.iter().all(|step| matches!(step.made, Made::Primitive(_))));
}
