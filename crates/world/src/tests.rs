//! A world as a session uses it: binding, domains, sources, readings, undo.

use std::sync::Arc;

use mw_vm::{FuncType, ValType, Value};

use crate::testing::{Bench, world_file};
use crate::*;

#[test]
fn missing_and_mismatching_imports_come_in_one_error() {
    use ValType::{F32, I32, I64};
    let board = Arc::new(Description::board(Default::default()));
    let types = [
        FuncType::new([I32], [I32]),
        FuncType::new([I64], []),
        FuncType::new([], [F32]),
        FuncType::new([], []),
        FuncType::new([], [I32, I32]),
    ];
    let import = |module, name, ty: usize| Import { module, name, ty: &types[ty] };
    let imports = [
        import("env", "chip_analog_read", 0),
        import("env", "chip_delay", 1),
        import("my lib", "heat", 2),
        import("env", "beep", 3),
        import("env", "pair", 4),
    ];
    let error = board.bind(imports).unwrap_err();
    let expected = r#"the world "board" cannot provide 4 imports of this module:
  env.chip_delay (i64) -> (): this world has it as (i32) -> ()
  my lib.heat () -> (f32): no such primitive
  env.beep () -> (): no such primitive
  env.pair () -> (i32, i32): no such primitive
declare them in a world file (adapt kind, domain and compensation):

extends = "board"

[import.env.chip_delay]
kind = "output"
params = ["i64"]
compensation = "none"    # or "irreversible"

[import."my lib".heat]
kind = "input"
result = "f32"
domain = "0.0..1.0"      # what it can return
source = { constant = 0.0 }

[import.env.beep]
kind = "output"
compensation = "none"    # or "irreversible"

# env.pair () -> (i32, i32): no world file can provide this type
"#;
    assert_eq!(error.to_string(), expected);

    // What the error tells to add is enough.
    let toml = expected.split_once("\n\n").unwrap().1;
    let load = |_: &str| Err("no files here".to_owned());
    let world = Arc::new(Description::parse("added.toml", toml, &load).unwrap());
    assert!(world.bind(imports.into_iter().take(4)).is_ok());
}

#[test]
fn platforms_with_32_bits_read_the_time_too() {
    let board = Arc::new(Description::board(Default::default()));
    let types = [FuncType::new([], [ValType::I32]), FuncType::new([ValType::I32], [])];
    let mut world = board
        .bind([
            Import { module: "env", name: "micros", ty: &types[0] },
            Import { module: "env", name: "chip_delay", ty: &types[1] },
        ])
        .unwrap();
    let (micros, memory) = (Call { import: 0, args: &[] }, Vec::new());
    let wait = |world: &mut World, ms: i32| {
        let args = [Value::I32(ms)];
        world.perform(Call { import: 1, args: &args }, &memory).unwrap();
    };
    wait(&mut world, 2_147_483);
    assert_eq!(world.domain(micros).unwrap().to_string(), "2147483000..2147483647");
    wait(&mut world, 1);
    // 2,147,484,000 microseconds, in 32 signed bits.
    assert_eq!(world.domain(micros).unwrap().to_string(), "-2147483296..2147483647");
    world.accept(micros, Value::I32(5)).unwrap();
    // The clock has wrapped: the next moment that reads 5, and 10 microseconds for reading it.
    assert_eq!(world.state().board().unwrap().clock(), (1 << 32) + 5 + 10);
    assert_eq!(world.sample(micros), Ok(Sample::Answer(Value::I32(15).into())));
}

#[test]
fn time_is_not_before_the_last_reading() {
    let mut bench = Bench::board();
    assert_eq!(bench.domain("millis()"), "0..9223372036854775");
    bench.done("chip_delay(5)");
    assert_eq!((bench.sample("millis()"), bench.sample("micros()")), ("5".into(), "5000".into()));
    bench.accept("millis()", "70").unwrap();
    assert_eq!(bench.domain("millis()"), "70..9223372036854775");
    assert_eq!(bench.sample("micros()"), "70010", "reading takes a moment");
    let refused = bench.accept("millis()", "69").unwrap_err().to_string();
    assert_eq!(
        refused,
        "millis(): 69 is not one of the possible values 70..9223372036854775; the nearest is 70"
    );
    bench.accept("micros()", "9223372036854775807").unwrap();
    assert_eq!(bench.domain("micros()"), "{9223372036854775807}", "the end of time");
    bench.done("chip_delay(1)");
    assert_eq!(bench.sample("micros()"), "9223372036854775807");
}

#[test]
fn a_loop_that_waits_for_the_time_ends() {
    let mut bench = Bench::board();
    let waited = (0..100_000).find(|_| {
        let now = bench.sample("millis()");
        bench.accept("millis()", &now).unwrap();
        now == "3"
    });
    assert_eq!(waited, Some(300));
}

#[test]
fn inputs_of_the_board() {
    for (script, input, domain, sample) in [
        ("", "chip_analog_read(12)", "0..4095", "0"),
        ("", "chip_digital_read(4)", "low|high", "0"),
        ("", "color_sensor(0)", "0..100", "0"),
        ("", "read_uart_sensor(0)", "-32768..32767", "0"),
        ("", "ev3_touch_sensor(1)", "released|pressed", "0"),
        ("", "random_int()", "0..2147483647", "1216681718"),
        // A pin that the program drives reads back what it drives.
        ("chip_pin_mode(4, 2); chip_digital_write(4, 1)", "chip_digital_read(4)", "high", "1"),
        ("chip_pin_mode(4, 2); chip_digital_write(4, 1)", "chip_digital_read(5)", "low|high", "0"),
        // The pull-up of an input is not a level of its own.
        ("chip_pin_mode(4, 0); chip_digital_write(4, 1)", "chip_digital_read(4)", "low|high", "0"),
        ("chip_digital_write(4, 1)", "chip_digital_read(4)", "low|high", "0"),
        ("", "chip_digital_read(-3)", "low|high", "0"),
    ] {
        let mut bench = Bench::board();
        for call in script.split(';').filter(|call| !call.is_empty()) {
            bench.done(call.trim());
        }
        assert_eq!(bench.domain(input), domain, "{script}: {input}");
        assert_eq!(bench.sample(input), sample, "{script}: {input}");
    }
}

#[test]
fn readings_are_state_per_call_and_bend_to_the_domain() {
    let mut bench = Bench::board();
    let before = bench.world.state().clone();
    let undo = bench.set_reading("chip_analog_read(12)", Some(700)).unwrap();
    assert_eq!(bench.sample("chip_analog_read(12)"), "700");
    assert_eq!(bench.sample("chip_analog_read(13)"), "0");
    assert_ne!(bench.world.state().hash(), before.hash());
    let readings = bench.world.view().readings;
    assert_eq!((readings.len(), readings[0].call.as_str()), (1, "chip_analog_read(12)"));
    bench.world.undo(undo);
    assert_eq!(*bench.world.state(), before);

    let error = bench.set_reading("chip_analog_read(12)", Some(5000)).unwrap_err();
    assert!(error.to_string().contains("0..4095"), "{error}");
    bench.set_reading("chip_digital_read(4)", Some(1)).unwrap();
    bench.done("chip_pin_mode(4, 2)");
    bench.done("chip_digital_write(4, 0)");
    assert_eq!(bench.sample("chip_digital_read(4)"), "0", "the program drives the pin");
    bench.set_reading("chip_digital_read(4)", None).unwrap();
    assert!(bench.world.view().readings.is_empty());
}

#[test]
fn a_generator_moves_on_by_accepting_whatever_was_returned() {
    let mut bench = Bench::board();
    let first = bench.sample("random_int()");
    assert_eq!(bench.sample("random_int()"), first, "asking changes nothing");
    let undo = bench.accept("random_int()", &first).unwrap();
    let (second, after_sample) = (bench.sample("random_int()"), bench.world.state().hash());
    assert_ne!(first, second);
    bench.world.undo(undo);
    assert_eq!(bench.sample("random_int()"), first);
    bench.accept("random_int()", "7").unwrap();
    assert_eq!(bench.sample("random_int()"), second);
    assert_eq!(bench.world.state().hash(), after_sample);
}

#[test]
fn interrupts_that_may_arrive() {
    let mut bench = Bench::board();
    assert!(bench.world.pending_interrupts().is_empty());
    bench.done("subscribe_interrupt(25, 1, 2)");
    let undo = bench.done("subscribe_interrupt(25, 3, 1)");
    bench.done("subscribe_interrupt(25, 1, 3)");
    let interrupt = |table_index, mode| board::Interrupt { pin: 25, table_index, mode };
    assert_eq!(bench.world.pending_interrupts(), [interrupt(1, 3), interrupt(3, 1)]);
    bench.world.undo(undo);
    assert_eq!(bench.world.pending_interrupts(), [interrupt(1, 3)]);
}

#[test]
fn calls_of_the_wrong_kind_are_errors() {
    let mut bench = Bench::board();
    let memory = Vec::new();
    let (read, args) = bench.parse("chip_analog_read(1)");
    let (write, _) = bench.parse("chip_digital_write(1, 1)");
    let call = |import| Call { import, args: &args };
    let message = |error: CallError| error.to_string();
    let world = &mut bench.world;
    assert_eq!(
        message(world.perform(call(read), &memory).unwrap_err()),
        "chip_analog_read(1) is not an output; ask for its kind first"
    );
    assert_eq!(
        message(world.accept(call(write), Value::I32(0)).unwrap_err()),
        "chip_digital_write(1) is not an input; ask for its kind first"
    );
    assert_eq!(world.domain(call(999)).unwrap_err(), CallError::NoSuchImport(999));
    let float = world.accept(call(read), Value::from(1.0f32)).unwrap_err();
    assert!(matches!(float, CallError::Refused { .. }));
    let wide = world.accept(call(read), Value::I64(1)).unwrap_err();
    assert!(matches!(wide, CallError::Refused { .. }), "an i64 is not an i32");
}

#[test]
fn a_compensating_call_is_made_and_checked() {
    let mut bench = Bench::new(world_file("greenhouse"));
    let undo = bench.done("pump_on()");
    let undone = bench.world.undo(undo);
    assert_eq!(undone, Undone { called: Some("set_pump(0)".into()), exact: true });

    // The vault's compensation locks, also when the bolt was open before.
    let mut bench = Bench::new(world_file("vault"));
    let shut = bench.world.state().clone();
    let first = bench.done("vault.unlock()");
    let open = bench.world.state().clone();
    let second = bench.done("vault.unlock()");
    let undone = bench.world.undo(second);
    assert_eq!(undone, Undone { called: Some("vault.set_bolt(1)".into()), exact: false });
    assert_eq!(*bench.world.state(), open, "the state is right all the same");
    assert!(bench.world.undo(first).exact);
    assert_eq!(*bench.world.state(), shut);
}

#[test]
fn imports_are_found_by_name() {
    let bench = Bench::new(world_file("vault"));
    assert_eq!(bench.world.find("keypad"), bench.world.find("vault.keypad"));
    let import = bench.world.find("keypad").unwrap();
    assert_eq!(bench.world.primitive(import).unwrap().full_name(), "vault.keypad");
    assert_eq!(bench.world.find("env.keypad"), None);
    let types: Vec<String> = bench.world.imports().map(|(_, ty)| ty.to_string()).collect();
    assert_eq!(types[import as usize], "() -> (i32)");
}

#[test]
fn undo_is_small() {
    assert!(size_of::<state::Change>() <= 40, "{}", size_of::<state::Change>());
    assert_eq!(size_of::<Undo>(), 24);
    let mut bench = Bench::board();
    let undo = bench.accept("chip_analog_read(1)", "7").unwrap();
    assert!(undo.is_empty(), "most inputs leave nothing to undo");
    bench.done("display_setup()");
    let undo = bench.done("display_fill_rect(0, 0, 128, 160, 65535)");
    assert!(postcard::to_allocvec(&undo).unwrap().len() < 32, "a flat picture is one run");
}

#[test]
fn fingerprints_tell_worlds_apart() {
    let board = |seed| Description::board(board::Settings { seed, ..Default::default() });
    assert_eq!(board(1).fingerprint(), board(1).fingerprint());
    let all =
        [board(1), board(2), (*world_file("greenhouse")).clone(), (*world_file("vault")).clone()];
    let prints: std::collections::BTreeSet<u128> =
        all.iter().map(Description::fingerprint).collect();
    assert_eq!(prints.len(), all.len());
}
