//! Sessions over a stream that loses, damages, repeats and breaks: right in the end, or an error.

use crate::common;

use common::{Faults, Random, Shared, Wire, agent, module};
use mw_remote::host::{Device, DeviceChoice};
use mw_remote::message::Reason;
use mw_vm::{Breakpoints, ImportValues, Machine, NoProbe, Stop, Value};
use proptest::prelude::*;

const PROGRAM: &str = r#"(module
    (import "env" "sensor" (func $sensor (param i32) (result i32)))
    (import "env" "pin" (func $pin (param i32 i32)))
    (memory 1)
    (func (export "main") (local $i i32) (local $v i32)
        (loop $again
            (local.set $v (call $sensor (local.get $i)))
            (call $pin (i32.and (local.get $v) (i32.const 3)) (local.get $v))
            (i32.store (i32.shl (local.get $v) (i32.const 6)) (local.get $i))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $again))))"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn a_session_ends_in_the_right_state(
        lost in 0..150u32, flipped in 0..150u32, repeated in 0..150u32, delayed in 0..150u32,
        broken in 0..100u32, seed in 1..u64::MAX / 2,
    ) {
        let faults = Faults { lost, flipped, repeated, delayed, broken, fate: None };
        session(faults, seed);
    }
}

/// Walks to and fro at random and checks machine and pins everywhere.
fn session(faults: Faults, seed: u64) {
    let bench = Shared::default();
    let (wire, _) = Wire::new(agent(&bench), faults, seed);
    let mut device = Device::connect(Box::new(wire), seed).unwrap();
    let module = module(PROGRAM);
    let main = module.exported_func("main").unwrap();
    let limits = device.load(&module, Some((main, &[]))).unwrap();
    let begin = || {
        let mut machine = Machine::new(module.clone(), limits, ImportValues::default()).unwrap();
        machine.call(main, &[]).unwrap();
        machine
    };
    // What machine and pins are after so many instructions with these choices.
    let mirror = |count: u64, choices: &[DeviceChoice]| {
        let (mut machine, mut pins) = (begin(), [0; 4]);
        let mut choices = choices.iter();
        while machine.count() < count {
            let left = count - machine.count();
            match machine.run(left, &Breakpoints::default(), &mut NoProbe) {
                Stop::Import(0) => {
                    let choice = choices.next().unwrap();
                    machine.resume(&[Value::I32(choice.slot as i32)]).unwrap();
                }
                Stop::Import(_) => {
                    let (_, args) = machine.import_call().unwrap();
                    if let [Value::I32(pin), Value::I32(level)] = args[..] {
                        pins[pin as usize] = level;
                    }
                    machine.resume(&[]).unwrap();
                }
                _ => {}
            }
        }
        (machine, pins)
    };
    let mut random = Random(seed);
    let (mut count, mut choices): (u64, Vec<DeviceChoice>) = (0, Vec::new());
    for _ in 0..6 {
        match random.below(4) {
            0 | 1 => {
                count += random.below(200);
                device.play(count).unwrap();
                assert_eq!(device.wait(&mut || false).unwrap().reason, Reason::Reached);
                choices.extend(std::iter::from_fn(|| device.next_choice()));
            }
            2 => {
                // Back by undoing and replaying what stands.
                count = random.below(count + 1);
                choices.retain(|choice| choice.count < count);
                device.undo(count).unwrap();
                device.reset().unwrap();
                device.replay(0, count, count, &choices, &mut || false).unwrap();
            }
            _ => {
                // Back by undoing and restoring.
                let here = mirror(count, &choices).0;
                count = random.below(count + 1);
                choices.retain(|choice| choice.count < count);
                device.undo(count).unwrap();
                device.restore(&here, &mirror(count, &choices).0).unwrap();
            }
        }
        assert_eq!(device.status().unwrap().count, count);
        let (mut machine, pins) = mirror(count, &choices);
        assert_eq!(bench.lock().unwrap().pins, pins);
        let snapshot = device.inspect(true).unwrap();
        let mut received = begin();
        received.restore_without_pages(&snapshot.state).unwrap();
        for (memory, page, content) in &snapshot.pages {
            assert!(received.restore_page(*memory, *page, content));
        }
        assert_eq!(received.hash(), machine.hash());
    }
}
