//! The agent by its rules, over the link, with the host's side that everybody uses.

use crate::common;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use common::{Fate, Faults, Shared, Wire, agent, module};
use mw_remote::agent::{Agent, Config, Needs};
use mw_remote::host::{Device, DeviceChoice, DeviceError, Stopped};
use mw_remote::link::Broken;
use mw_remote::message::{Activity, Reason, Refusal};
use mw_vm::{Breakpoints, ImportValues, Machine, Module, NoProbe, Stop, Value};

/// Reads a sensor until it is above 50, and shows each reading on a pin.
const PROGRAM: &str = r#"(module
    (import "env" "sensor" (func $sensor (param i32) (result i32)))
    (import "env" "pin" (func $pin (param i32 i32)))
    (memory 1)
    (global $last (export "last") (mut i32) (i32.const 0))
    (func (export "main") (local $i i32)
        (loop $again
            (global.set $last (call $sensor (i32.const 3)))
            (call $pin (i32.const 1) (global.get $last))
            (i32.store (i32.mul (local.get $i) (i32.const 4096)) (global.get $last))
            (local.set $i (i32.and (i32.add (local.get $i) (i32.const 1)) (i32.const 1)))
            (br_if $again (i32.le_s (global.get $last) (i32.const 50))))))"#;

struct Lab {
    device: Device,
    bench: Shared,
    module: Arc<Module>,
    agent: Arc<Mutex<Agent<mw_remote::agent::Primitives<Shared>>>>,
}

fn lab(text: &str, faults: Faults, seed: u64) -> Lab {
    let bench = Shared::default();
    let (wire, agent) = Wire::new(agent(&bench), faults, seed);
    let mut device = Device::connect(Box::new(wire), seed + 1).unwrap();
    let module = module(text);
    device.load(&module, Some((module.exported_func("main").unwrap(), &[]))).unwrap();
    Lab { device, bench, module, agent }
}

impl Lab {
    fn new(text: &str) -> Lab {
        lab(text, Faults::default(), 1)
    }

    fn readings(self, readings: &[i32]) -> Lab {
        self.bench.lock().unwrap().readings = readings.to_vec();
        self
    }

    fn run(&mut self, until: u64) -> (Stopped, Vec<DeviceChoice>) {
        self.device.play(until).unwrap();
        let stopped = self.device.wait(&mut || false).unwrap();
        let choices = std::iter::from_fn(|| self.device.next_choice()).collect();
        (stopped, choices)
    }

    fn pins(&self) -> [i32; 4] {
        self.bench.lock().unwrap().pins
    }

    /// The same program here, with these inputs, after so many instructions.
    fn mirror(&self, until: u64, choices: &[DeviceChoice]) -> Machine {
        let limits = self.device.limits();
        let mut machine =
            Machine::new(self.module.clone(), limits, ImportValues::default()).unwrap();
        machine.call_next(self.module.exported_func("main").unwrap(), &[]).unwrap();
        let mut choices = choices.iter();
        while machine.count() < until {
            let left = until - machine.count();
            match machine.run(left, &Breakpoints::default(), &mut NoProbe) {
                Stop::Import(0) => {
                    let choice = choices.next().expect("there is a choice");
                    assert_eq!(choice.count, machine.count());
                    machine.resume(&[Value::I32(choice.slot as i32)]).unwrap();
                }
                Stop::Import(_) => machine.resume(&[]).unwrap(),
                Stop::Budget => {}
                _ => break,
            }
        }
        machine
    }
}

#[test]
fn running_tells_choices_and_how_far_it_came() {
    let mut lab = Lab::new(PROGRAM).readings(&[10, 20, 77]);
    let (stopped, choices) = lab.run(u64::MAX);
    assert_eq!(stopped.reason, Reason::Finished);
    assert_eq!(choices.iter().map(|choice| choice.slot).collect::<Vec<_>>(), [10, 20, 77]);
    assert_eq!(lab.pins()[1], 77);
    let mut mirror = lab.mirror(u64::MAX, &choices);
    assert_eq!((mirror.count(), mirror.hash()), (stopped.count, stopped.hash));
    assert!(matches!(lab.device.step(), Err(DeviceError::Refused(Refusal::Ended))));
}

#[test]
fn every_step_is_one_instruction() {
    let mut lab = Lab::new(PROGRAM).readings(&[10, 77]);
    let mut choices = Vec::new();
    for count in 1.. {
        let stopped = lab.device.step().unwrap();
        choices.extend(std::iter::from_fn(|| lab.device.next_choice()));
        let mut mirror = lab.mirror(stopped.count, &choices);
        assert_eq!(stopped.hash, mirror.hash(), "{count}");
        if stopped.reason == Reason::Finished {
            break;
        }
        assert_eq!((stopped.count, stopped.reason), (count, Reason::Reached));
    }
    assert_eq!(choices.len(), 2);
}

#[test]
fn a_mock_is_a_choice_of_the_domain() {
    let mut lab = Lab::new(PROGRAM);
    let mocked = |lab: &mut Lab, value: i32| lab.device.mock(Value::I32(value));
    assert!(matches!(mocked(&mut lab, 5), Err(DeviceError::Refused(Refusal::NoInput))));
    lab.run(1);
    for value in [-1, 101] {
        let refused = mocked(&mut lab, value);
        assert!(matches!(refused, Err(DeviceError::Refused(Refusal::OutsideDomain))), "{value}");
    }
    assert_eq!(lab.device.status().unwrap().count, 1, "nothing sticks");
    let stopped = mocked(&mut lab, 99).unwrap();
    assert_eq!((stopped.count, stopped.reason), (2, Reason::Reached));
    assert_eq!(lab.device.next_choice(), Some(DeviceChoice { count: 1, slot: 99 }));
    assert_eq!(lab.bench.lock().unwrap().read, 0, "the sensor was not read");
    lab.run(u64::MAX);
    assert_eq!(lab.pins()[1], 99);
}

#[test]
fn breakpoints_stop_once_and_only_where_they_are() {
    let mut lab = Lab::new(PROGRAM).readings(&[1, 2, 3, 60]);
    let pc = lab.module.func_code(2).start + 3;
    lab.device.set_breakpoint(pc, true).unwrap();
    let (mut end, mut past) = (0, Vec::new());
    for round in 0..4 {
        let (stopped, choices) = lab.run(u64::MAX);
        assert_eq!((stopped.reason, choices.len()), (Reason::Breakpoint, 1), "{round}");
        end = stopped.count;
        past.extend(choices);
    }
    // Where one goes again what was gone before, they are of no concern.
    lab.device.reset().unwrap();
    let stopped = lab.device.replay(0, end, end, &past, &mut || false).unwrap();
    assert_eq!((stopped.reason, stopped.count), (Reason::Reached, end));
    lab.device.set_breakpoint(pc, false).unwrap();
    assert_eq!(lab.run(u64::MAX).0.reason, Reason::Finished);
    // To stop what has ended by itself in the meantime is no mistake.
    lab.device.pause().unwrap();
    let refused = lab.device.set_breakpoint(u32::MAX, true);
    assert!(matches!(refused, Err(DeviceError::Refused(Refusal::NoSuchThing))));
}

#[test]
fn what_does_not_fit_the_state_is_refused() {
    let endless = r#"(module (func (export "main") (loop (br 0))))"#;
    let mut lab = Lab::new(endless);
    lab.device.play(u64::MAX).unwrap();
    let running = |result: Result<(), DeviceError>| {
        matches!(result, Err(DeviceError::Refused(Refusal::NotNow(Activity::Running))))
    };
    assert!(running(lab.device.reset()));
    assert!(running(lab.device.play(5)));
    assert!(running(lab.device.undo(0)));
    assert!(running(lab.device.inspect(true).map(drop)));
    assert!(running(lab.device.set_breakpoint(0, true)));
    assert_eq!(lab.device.status().unwrap().activity, Activity::Running);
    lab.device.pause().unwrap();
    let stopped = lab.device.wait(&mut || false).unwrap();
    assert_eq!(stopped.reason, Reason::Paused);
    lab.device.pause().unwrap();
    assert_eq!(lab.device.status().unwrap().count, stopped.count);
}

#[test]
fn outputs_are_undone_newest_first_and_no_further_than_asked() {
    let mut lab = Lab::new(PROGRAM).readings(&[10, 20, 30, 77]);
    let (_, choices) = lab.run(u64::MAX);
    // Between the outputs of the second and the third reading.
    lab.device.undo(choices[2].count).unwrap();
    assert_eq!(lab.pins()[1], 20);
    lab.device.undo(0).unwrap();
    assert_eq!(lab.pins(), [0; 4]);
}

#[test]
fn compensations_that_do_not_fit_are_kept_by_the_host() {
    let readings: Vec<i32> = (0..500).map(|i| i % 50).chain([99]).collect();
    let mut lab = Lab::new(PROGRAM).readings(&readings);
    let (_, choices) = lab.run(u64::MAX);
    for keep in [400, 399, 3, 0] {
        lab.device.undo(choices[keep].count).unwrap();
        let expected = if keep == 0 { 0 } else { readings[keep - 1] };
        assert_eq!(lab.pins()[1], expected, "{keep}");
    }
}

#[test]
fn replay_performs_only_what_does_not_stand() {
    let mut lab = Lab::new(PROGRAM).readings(&[10, 20, 30, 77]);
    let (end, choices) = lab.run(u64::MAX);
    let to = choices[2].count;
    lab.device.undo(to).unwrap();
    lab.bench.lock().unwrap().pins[2] = 5;
    lab.device.reset().unwrap();
    let stopped = lab.device.replay(0, to, to, &choices[..2], &mut || false).unwrap();
    assert_eq!((stopped.count, stopped.hash), (to, lab.mirror(to, &choices).hash()));
    assert_eq!(lab.pins()[1], 20, "what stands was not done again, but stands");
    assert_eq!(lab.bench.lock().unwrap().read, 4, "nothing was read");
    let stopped = lab.device.replay(to, end.count, to, &choices[2..], &mut || false).unwrap();
    assert_eq!(stopped, end);
    assert_eq!(lab.pins()[1], 77);
    lab.device.undo(to).unwrap();
    assert_eq!(lab.pins(), [0, 20, 5, 0]);
}

#[test]
fn a_replay_that_does_not_fit_is_noticed() {
    let mut lab = Lab::new(PROGRAM);
    let wrong = DeviceChoice { count: 3, slot: 1 };
    let refused = lab.device.replay(0, 50, 0, &[wrong], &mut || false);
    assert!(matches!(refused, Err(DeviceError::Nonsense(_))), "{refused:?}");
}

#[test]
fn a_state_is_sent_once_and_then_what_has_changed() {
    let mut lab = Lab::new(PROGRAM).readings(&[10, 20, 30, 40, 77]);
    let (_, choices) = lab.run(40);
    let first = lab.device.inspect(false).unwrap();
    assert_eq!(first.pages.len(), 2);
    assert_eq!(lab.device.inspect(false).unwrap().pages.len(), 0);
    let restored = |lab: &Lab, snapshot: &mw_remote::host::Snapshot| {
        let mut machine = lab.mirror(0, &[]);
        machine.restore_without_pages(&snapshot.state).unwrap();
        for (memory, page, content) in &snapshot.pages {
            assert!(machine.restore_page(*memory, *page, content));
        }
        machine
    };
    assert!(restored(&lab, &first) == lab.mirror(40, &choices));
    let (_, more) = lab.run(56);
    let second = lab.device.inspect(false).unwrap();
    assert_eq!((more.len(), second.pages.len()), (1, 1), "one page was written");
    let all = lab.device.inspect(true).unwrap();
    assert_eq!(all.pages.len(), 2);
    let choices = [choices, more].concat();
    assert!(restored(&lab, &all) == lab.mirror(56, &choices));
}

#[test]
fn a_state_can_be_restored_by_what_differs() {
    let mut lab = Lab::new(PROGRAM).readings(&[10, 20, 30, 77]);
    let (end, choices) = lab.run(u64::MAX);
    let mut at_end = lab.mirror(end.count, &choices);
    let mut at_ten = lab.mirror(10, &choices);
    lab.device.restore(&at_end, &at_ten).unwrap();
    assert_eq!(lab.device.status().unwrap().count, 10);
    let stopped = lab.device.replay(10, end.count, u64::MAX, &choices[1..], &mut || false).unwrap();
    assert_eq!(stopped.hash, at_end.hash());
    lab.device.restore(&at_end, &at_ten).unwrap();
    let stopped = lab.device.replay(10, 11, u64::MAX, &[], &mut || false).unwrap();
    assert_eq!(stopped.hash, lab.mirror(11, &choices).hash());
    let _ = at_ten.hash();
}

#[test]
fn a_program_that_does_not_fit_is_refused_before_it_is_sent() {
    let bench = Shared::default();
    let config = Config { memory: 3000, ..Config::SMALL };
    let (wire, _) =
        Wire::new(Agent::new(common::primitives(&bench), 1, config), Faults::default(), 1);
    let mut device = Device::connect(Box::new(wire), 2).unwrap();
    let large = module(PROGRAM);
    let Err(DeviceError::Refused(Refusal::DoesNotFit { needs, has })) = device.load(&large, None)
    else {
        panic!("it does not fit");
    };
    assert_eq!(has, 3000);
    let refusal = Refusal::DoesNotFit { needs, has }.to_string();
    assert!(refusal.contains(&format!("{} too few", needs - has)), "{refusal}");
    // What is missing can also be known here.
    let compact = Module::from_image_compact(&large.to_image(false)).unwrap();
    assert_eq!(Needs::of(&compact, &config), Needs { bytes: needs as usize, limits: None });
}

#[test]
fn a_program_with_room_for_few_pages_traps_like_here() {
    let text = r#"(module (memory 1) (func (export "main") (local $i i32)
        (loop (i32.store (i32.mul (local.get $i) (i32.const 4096)) (i32.const 1))
            (local.set $i (i32.add (local.get $i) (i32.const 1))) (br 0))))"#;
    let mut lab = Lab::new(text);
    assert!(lab.device.limits().resident_pages < 9);
    let (stopped, _) = lab.run(u64::MAX);
    assert_eq!(stopped.reason, Reason::Trapped(mw_vm::TrapKind::MemoryExhausted));
    let mut mirror = lab.mirror(u64::MAX, &[]);
    assert_eq!((stopped.count, stopped.hash), (mirror.count(), mirror.hash()));
    lab.device.reset().unwrap();
    assert_eq!(lab.run(5).0.hash, lab.mirror(5, &[]).hash());
}

#[test]
fn what_a_device_does_not_have_is_named() {
    let bench = Shared::default();
    let (wire, _) = Wire::new(agent(&bench), Faults::default(), 1);
    let mut device = Device::connect(Box::new(wire), 2).unwrap();
    let text = r#"(module (import "env" "sensor" (func (param i64) (result i32))))"#;
    let refused = device.load(&module(text), None).unwrap_err();
    let expected = "the device has no primitive env.sensor of type (i64) -> (i32)";
    assert_eq!(refused.to_string(), expected);
    assert_eq!(device.status().unwrap().activity, Activity::Empty);
}

#[test]
fn a_primitive_ends_the_program() {
    let text = r#"(module (import "env" "pin" (func $pin (param i32 i32)))
        (func (export "main") (call $pin (i32.const 9) (i32.const 1))))"#;
    let mut lab = Lab::new(text);
    let (stopped, _) = lab.run(u64::MAX);
    assert_eq!(stopped.reason, Reason::Aborted("there is no pin 9".into()));
    assert_eq!(stopped.count, 2);
}

#[test]
fn memory_is_read_by_primitives_in_place_and_out_of_place() {
    let text = r#"(module (import "env" "say" (func $say (param i32 i32)))
        (memory 1) (data (i32.const 4090) "hello there")
        (func (export "main") (call $say (i32.const 4090) (i32.const 11))))"#;
    let mut lab = Lab::new(text);
    lab.run(u64::MAX);
    assert_eq!(lab.bench.lock().unwrap().text, "hello there");
    let machine = lab.mirror(2, &[]);
    let bench = Shared::default();
    let (wire, _) = Wire::new(agent(&bench), Faults::default(), 1);
    let mut device = Device::connect(Box::new(wire), 2).unwrap();
    let args = [Value::I32(4090), Value::I32(11)];
    assert_eq!(device.perform_primitive(2, &args, 2, &machine).unwrap(), (None, None));
    assert_eq!(bench.lock().unwrap().text, "hello there");
    let outside = [Value::I32(65530), Value::I32(11)];
    let (aborted, _) = device.perform_primitive(2, &outside, 5, &machine).unwrap();
    assert_eq!(aborted.as_deref(), Some("address 0xfffa (+11) is outside of the memory"));
    assert_eq!(device.read_primitive(0, &[Value::I32(0)], None, 6).unwrap(), Some(Value::I32(0)));
    device.undo(0).unwrap();
    assert_eq!(bench.lock().unwrap().text, "");
}

/// Lets the program of a device run on without anybody.
fn run_alone(lab: &Lab, turns: u64) {
    let mut agent = lab.agent.lock().unwrap();
    (0..turns).for_each(|turn| agent.work(1_000_000_000 + turn));
}

#[test]
fn a_device_that_nobody_watches_records_from_the_start() {
    let mut lab = Lab::new(PROGRAM).readings(&[5, 6, 70]);
    lab.device.detach().unwrap();
    run_alone(&lab, 100);
    let status = lab.device.status().unwrap();
    assert_eq!((status.ended, status.has_trace), (Some(Reason::Finished), true));
    let trace = lab.device.read_trace().unwrap();
    assert_eq!((trace.state.is_none(), trace.until, trace.lost), (true, status.count, 0));
    let slots: Vec<u64> = trace.choices.iter().map(|choice| choice.slot).collect();
    assert_eq!(slots, [5, 6, 70]);
    assert!(lab.device.read_trace().is_err(), "it was taken");
}

#[test]
fn a_program_that_runs_is_taken_over_as_it_stands() {
    let readings: Vec<i32> = (0..3000).map(|i| i * 31 % 50).collect();
    // It takes its time, so that all of it is recorded.
    let slow = "(local $wait i32) (loop $again (local.set $wait (i32.const 1000)) (loop $on
        (br_if $on (local.tee $wait (i32.sub (local.get $wait) (i32.const 1)))))";
    let mut lab = Lab::new(&PROGRAM.replace("(loop $again", slow)).readings(&readings);
    lab.device.detach().unwrap();
    run_alone(&lab, 100);
    assert_eq!(lab.device.status().unwrap().activity, Activity::Running);
    let status = lab.device.take_over().unwrap();
    assert_eq!(
        (status.activity, status.program),
        (Activity::Paused, Some(lab.module.fingerprint()))
    );
    let snapshot = lab.device.inspect(true).unwrap();
    let machine = snapshot.machine(lab.mirror(0, &[])).unwrap();
    assert!(machine.count() > 100 && machine.count() == status.count);

    // It goes on from there for whoever took it over, and what was recorded ends there.
    let (stopped, choices) = lab.run(status.count + 500);
    assert_eq!((stopped.count, stopped.reason), (status.count + 500, Reason::Reached));
    let trace = lab.device.read_trace().unwrap();
    assert_eq!((trace.until, trace.state.is_none()), (status.count, true));
    let all: Vec<DeviceChoice> = trace.choices.iter().chain(&choices).copied().collect();
    assert_eq!(lab.mirror(stopped.count, &all).hash(), stopped.hash);
    assert!(lab.mirror(status.count, &all) == machine);
    // Another program is not to be read another one's recording.
    lab.device.detach().unwrap();
    run_alone(&lab, 3);
    lab.device.load(&lab.module, Some((lab.module.exported_func("main").unwrap(), &[]))).unwrap();
    assert!(lab.device.read_trace().is_err());
}

#[test]
fn a_state_that_is_none_is_refused() {
    let mut lab = Lab::new(PROGRAM).readings(&[10, 20, 30, 40]);
    lab.run(40);
    let snapshot = lab.device.inspect(true).unwrap();
    let fresh = lab.mirror(0, &[]);
    let refused = |snapshot: &mw_remote::host::Snapshot| {
        matches!(snapshot.machine(lab.mirror(0, &[])), Err(DeviceError::Nonsense(_)))
    };
    assert!(!refused(&snapshot) && snapshot.pages.len() == 2);
    let mut missing = snapshot.clone();
    missing.pages.pop();
    assert!(refused(&missing));
    let mut outside = snapshot.clone();
    outside.pages[0].1 = 16;
    assert!(refused(&outside));
    let mut elsewhere = snapshot.clone();
    elsewhere.pages[0].0 = 1;
    assert!(refused(&elsewhere));
    let other = module("(module (func (export \"main\")))");
    let other = Machine::new(other, *fresh.limits(), ImportValues::default()).unwrap();
    assert!(matches!(snapshot.machine(other), Err(DeviceError::Nonsense(_))));
    for at in 0..snapshot.state.len() {
        let mut cut = snapshot.clone();
        cut.state.truncate(at);
        assert!(refused(&cut), "{at}");
        let mut changed = snapshot.clone();
        changed.state[at] ^= 1 << (at % 8);
        // It is refused, or a machine that can run, unless it counts to the end of all numbers.
        let machine = changed.machine(lab.mirror(0, &[])).ok();
        if let Some(mut machine) = machine.filter(|machine| machine.count() < 1 << 62) {
            machine.run(100, &Breakpoints::default(), &mut NoProbe);
        }
    }
}

#[test]
fn a_long_recording_keeps_its_end_and_a_state_to_start_from() {
    let readings: Vec<i32> = (0..3000).map(|i| i * 31 % 50).chain([99]).collect();
    let mut lab = Lab::new(PROGRAM).readings(&readings);
    lab.device.detach().unwrap();
    run_alone(&lab, 50_000);
    assert_eq!(lab.device.status().unwrap().ended, Some(Reason::Finished));
    let trace = lab.device.read_trace().unwrap();
    let kept = trace.choices.len();
    assert!((100..1000).contains(&kept), "{kept} of 3001");
    let all: Vec<u64> = readings.iter().map(|value| *value as u64).collect();
    let slots: Vec<u64> = trace.choices.iter().map(|choice| choice.slot).collect();
    assert!(all.ends_with(&slots));
    // From the state, the choices lead to the end.
    let state = trace.state.unwrap();
    let mut machine = lab.mirror(0, &[]);
    machine.restore_without_pages(&state.state).unwrap();
    for (memory, page, content) in &state.pages {
        assert!(machine.restore_page(*memory, *page, content));
    }
    let mut choices = trace.choices.iter();
    while machine.count() < trace.until {
        match machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe) {
            Stop::Import(0) => {
                let choice = choices.next().unwrap();
                assert_eq!(choice.count, machine.count());
                machine.resume(&[Value::I32(choice.slot as i32)]).unwrap();
            }
            Stop::Import(_) => machine.resume(&[]).unwrap(),
            stop => assert_eq!(stop, Stop::Finished),
        }
    }
    assert_eq!(machine.exported_global("last"), Some(Value::I32(99)));
}

#[test]
fn polling_neither_drowns_the_host_nor_is_lost() {
    let readings: Vec<i32> = (0..20_000).map(|i| i * 31 % 50).chain([99]).collect();
    let mut lab = Lab::new(PROGRAM).readings(&readings);
    let (stopped, choices) = lab.run(u64::MAX);
    assert_eq!(stopped.reason, Reason::Finished);
    let slots: Vec<i32> = choices.iter().map(|choice| choice.slot as i32).collect();
    assert_eq!(slots, readings);
    let (link, _) = lab.device.its_counters().unwrap();
    // Three for the choice, and the rest for how to take back what was put out.
    assert!(link.bytes_sent < 20 * 20_000, "{} bytes", link.bytes_sent);
}

#[test]
fn late_answers_are_not_taken_for_others() {
    // A state of several parts, of which the first is refused already.
    let mut lab = Lab::new(
        r#"(module (table 1200 funcref) (memory 1) (func (export "main") (loop (br 0))))"#,
    );
    let start = lab.mirror(0, &[]);
    lab.device.play(u64::MAX).unwrap();
    let refused = lab.device.restore(&start, &start);
    assert!(matches!(refused, Err(DeviceError::Refused(Refusal::NotNow(Activity::Running)))));
    lab.device.pause().unwrap();
    assert_eq!(lab.device.status().unwrap().activity, Activity::Paused);
}

#[test]
fn a_device_that_is_started_again_says_so_though_the_stream_is_still_open() {
    let bench = Shared::default();
    let (mut wire, _) = Wire::new(agent(&bench), Faults::default(), 1);
    wire.restarted = Some(Agent::new(common::primitives(&bench), 2, Config::SMALL));
    wire.faults.fate = Some((100, Fate::Restarts));
    let writes = wire.writes.clone();
    let mut device = Device::connect(Box::new(wire), 1).unwrap();
    assert!(writes.load(Ordering::Relaxed) < 100);
    let lost = (0..100).find_map(|_| device.status().err()).unwrap();
    assert!(matches!(lost, DeviceError::Broken(Broken::Forgotten)), "{lost}");
}
