//! Going back on a device: begin again and replay, or restore what differs, whichever is cheaper by
//! what has been measured. Both lead to the same state.

use crate::common;

use std::sync::Arc;

use common::{Faults, Shared, Wire, module, primitives};
use mw_remote::agent::{Agent, Config};
use mw_remote::host::{Device, DeviceChoice};
use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop, Value};

/// Reads an input, then writes to a few pages over and over.
const PROGRAM: &str = r#"(module
    (import "env" "sensor" (func $sensor (param i32) (result i32)))
    (import "env" "pin" (func $pin (param i32 i32)))
    (memory 1)
    (func (export "main") (local $i i32)
        (call $pin (i32.const 1) (call $sensor (i32.const 0)))
        (loop $again
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (i32.store (i32.and (i32.mul (local.get $i) (i32.const 1236)) (i32.const 0x3ffc))
                (i32.mul (local.get $i) (i32.const 0x9e3779b1)))
            (br $again))))"#;

/// What the sensor says.
const CHOICES: [DeviceChoice; 1] = [DeviceChoice { count: 2, slot: 42 }];
const END: u64 = 50_000;

/// A device at [`END`], reached by replaying.
struct Lab {
    device: Device,
    bench: Shared,
    module: Arc<Module>,
    limits: Limits,
}

impl Lab {
    /// `byte_takes` microseconds on the link; an instruction takes `200 / slice`.
    fn new(byte_takes: u64, slice: u64) -> Lab {
        let bench = Shared::default();
        let config = Config { slice, ..Config::SMALL };
        let (mut wire, _) =
            Wire::new(Agent::new(primitives(&bench), 1, config), Faults::default(), 1);
        wire.byte_takes = byte_takes;
        let mut device = Device::connect(Box::new(wire), 1).unwrap();
        let module = module(PROGRAM);
        let limits = device.load(&module, module.exported_func("main").map(|f| (f, &[][..])));
        let limits = limits.unwrap();
        device.replay(0, END, 0, &CHOICES, &mut || false).unwrap();
        Lab { device, bench, module, limits }
    }

    /// The machine after so many instructions.
    fn machine(&self, count: u64) -> Machine {
        let mut machine =
            Machine::new(self.module.clone(), self.limits, ImportValues::default()).unwrap();
        machine.call_next(self.module.exported_func("main").unwrap(), &[]).unwrap();
        while machine.count() < count {
            let left = count - machine.count();
            match machine.run(left, &Breakpoints::default(), &mut NoProbe) {
                Stop::Import(0) => machine.resume(&[Value::I32(CHOICES[0].slot as i32)]).unwrap(),
                Stop::Import(_) => machine.resume(&[]).unwrap(),
                _ => {}
            }
        }
        machine
    }

    /// Whether restoring is preferred for going back to a count.
    fn prefers_restoring(&self, to: u64) -> bool {
        self.device.prefers_restoring(&self.machine(END), &self.machine(to), CHOICES.len())
    }

    /// Goes back to a count in one of the two ways; the machine must be the one of there, and the
    /// pin as it was.
    fn go_back(&mut self, to: u64, restoring: bool) {
        if restoring {
            self.device.restore(&self.machine(END), &self.machine(to)).unwrap();
        } else {
            self.device.reset().unwrap();
            self.device.replay(0, to, to, &CHOICES, &mut || false).unwrap();
        }
        let snapshot = self.device.inspect(true).unwrap();
        let mut there = self.machine(0);
        there.restore_without_pages(&snapshot.state).unwrap();
        for (memory, page, content) in &snapshot.pages {
            assert!(there.restore_page(*memory, *page, content));
        }
        assert!(there == self.machine(to));
        assert_eq!(self.bench.lock().unwrap().pins, [0, 42, 0, 0]);
    }
}

#[test]
fn over_a_slow_link_a_fast_machine_begins_again() {
    // About 9600 baud, and ten instructions in a microsecond.
    let lab = Lab::new(1_000, 2_000);
    assert!(!lab.prefers_restoring(1_000));
    assert!(!lab.prefers_restoring(END - 10));
}

#[test]
fn over_a_fast_link_a_slow_machine_is_restored() {
    let lab = Lab::new(0, 10);
    assert!(lab.prefers_restoring(END - 10));
    assert!(lab.prefers_restoring(10_000));
    // A few instructions are not worth it.
    assert!(!lab.prefers_restoring(2));
}

#[test]
fn a_long_history_is_not_replayed() {
    // What differs is the same; what came before is not.
    let lab = Lab::new(0, 2_000);
    assert!(!lab.prefers_restoring(5_000));
    assert!(lab.prefers_restoring(END - 10));
}

#[test]
fn both_ways_lead_to_the_same_state() {
    for to in [3, 10, 4_321, END - 10] {
        for restoring in [true, false] {
            Lab::new(0, 2_000).go_back(to, restoring);
        }
    }
}
