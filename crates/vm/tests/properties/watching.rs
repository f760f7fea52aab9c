//! Probes see everything and change nothing; breakpoints stop where they are.

use mw_vm::{Access, Breakpoints, Frame, NoProbe, Op, Probe, Stop, Value};

use super::end_of;
use crate::common::compare::assert_same;
use crate::common::drive::{Session, load};
use crate::common::programs::PROGRAMS;

/// Where the program is before each of its instructions, by single steps.
fn visited(session: &mut Session) -> Vec<(u64, u32)> {
    let mut visited = Vec::new();
    loop {
        let here = (session.machine.count(), session.machine.pc());
        match session.machine.step() {
            Stop::Budget => visited.push(here),
            Stop::Import(_) => {
                visited.push(here);
                session.answer();
                if session.machine.status() == mw_vm::Status::Idle {
                    return visited;
                }
            }
            Stop::Finished => {
                visited.push(here);
                return visited;
            }
            // The attempt is one as well.
            Stop::Trap(_) => {
                visited.push(here);
                return visited;
            }
            stop => panic!("{stop:?}"),
        }
    }
}

#[derive(Default)]
struct Recorder {
    pcs: Vec<u32>,
    depth: i64,
}

impl Probe for Recorder {
    fn instruction(&mut self, pc: u32, _op: Op, _frame: Frame<'_>) {
        self.pcs.push(pc);
    }
    fn call(&mut self, _func: u32, _frame: &[u64]) {
        self.depth += 1;
    }
    fn ret(&mut self, _func: u32, _results: &[u64]) {
        self.depth -= 1;
    }
}

#[test]
fn probe_sees_every_instruction_and_changes_nothing() {
    for program in PROGRAMS {
        let expected: Vec<u32> =
            visited(&mut program.start()).into_iter().map(|(_, pc)| pc).collect();
        let mut recorder = Recorder::default();
        let mut watched = program.start();
        let end = watched
            .finish_with(|machine| machine.run(u64::MAX, &Breakpoints::default(), &mut recorder));
        assert_eq!(recorder.pcs, expected, "{}", program.name);
        let mut plain = program.start();
        assert_eq!(plain.finish(), end, "{}", program.name);
        assert_same(&mut plain.machine, &mut watched.machine, program.name);
    }
}

#[test]
fn probe_can_stop_after_any_instruction() {
    struct StopAfter(u64);
    impl Probe for StopAfter {
        fn wants_stop(&mut self) -> bool {
            self.0 -= 1;
            self.0 == 0
        }
    }
    for program in PROGRAMS.iter().filter(|program| !program.load().imports().any(|_| true)) {
        let (_, last) = end_of(program);
        for count in 1..last {
            let mut stopped = program.start();
            let none = Breakpoints::default();
            let stop = stopped.machine.run(u64::MAX, &none, &mut StopAfter(count));
            assert_eq!(stop, Stop::Probe, "{} after {count}", program.name);
            let mut run = program.start();
            run.run_to(count, &mut NoProbe);
            assert_same(&mut stopped.machine, &mut run.machine, program.name);
        }
    }
}

#[test]
fn one_breakpoint_stops_wherever_the_program_comes_by() {
    for program in PROGRAMS {
        let module = program.load();
        let all = visited(&mut program.start());
        for pc in 0..module.code().len() as u32 {
            check_breakpoints(program.name, &mut program.start(), &[pc], &all);
        }
    }
}

#[test]
fn breakpoints_everywhere_stop_everywhere() {
    for program in PROGRAMS {
        let all = visited(&mut program.start());
        let pcs: Vec<u32> = (0..program.load().code().len() as u32).collect();
        check_breakpoints(program.name, &mut program.start(), &pcs, &all);
        let every_third: Vec<u32> = pcs.into_iter().step_by(3).collect();
        check_breakpoints(program.name, &mut program.start(), &every_third, &all);
    }
}

/// Runs with breakpoints and compares where that stops with where single steps came by.
fn check_breakpoints(name: &str, session: &mut Session, pcs: &[u32], visited: &[(u64, u32)]) {
    let breakpoints = Breakpoints::new(session.machine.module(), pcs.iter().copied());
    assert_eq!(breakpoints.iter().collect::<Vec<_>>(), pcs);
    // A run does not stop before its first instruction; nor does one after an imported call.
    let expected: Vec<(u64, u32)> =
        visited[1..].iter().filter(|(_, pc)| pcs.contains(pc)).copied().collect();
    let mut hits = Vec::new();
    let mut last = None;
    loop {
        match session.machine.run(u64::MAX, &breakpoints, &mut NoProbe) {
            Stop::Breakpoint => {}
            Stop::Import(_) => {
                session.answer();
                if session.machine.status() == mw_vm::Status::Idle {
                    break;
                }
                if !breakpoints.contains(session.machine.pc()) {
                    continue;
                }
            }
            Stop::Finished | Stop::Trap(_) => break,
            stop => panic!("{name}: {stop:?}"),
        }
        let here = (session.machine.count(), session.machine.pc());
        assert_ne!(last, Some(here), "{name}: it goes on");
        last = Some(here);
        hits.push(here);
    }
    assert_eq!(hits, expected, "{name} with breakpoints at {pcs:?}");
}

#[test]
fn breakpoints_outside_of_the_code_are_ignored() {
    let program = &PROGRAMS[0];
    let module = program.load();
    let end = module.code().len() as u32;
    let breakpoints = Breakpoints::new(&module, [end, end + 1, u32::MAX]);
    assert_eq!(breakpoints.iter().count(), 0);
    let mut session = program.start();
    assert_eq!(session.machine.run(u64::MAX, &breakpoints, &mut NoProbe), Stop::Finished);
}

#[derive(Default)]
struct Events(Vec<String>);

impl Probe for Events {
    fn call(&mut self, func: u32, frame: &[u64]) {
        self.0.push(format!("call {func} with {}", frame[0] as i32));
    }
    fn ret(&mut self, func: u32, results: &[u64]) {
        self.0.push(format!("return {results:?} from {func}"));
    }
    fn branch(&mut self, from: u32, to: u32) {
        self.0.push(format!("branch {from} to {to}"));
    }
    fn load(&mut self, _pc: u32, access: Access) {
        let Access { memory, address, size, slot } = access;
        self.0.push(format!("load {size} at {memory}:{address} = {slot:x}"));
    }
    fn store(&mut self, _pc: u32, access: Access) {
        let Access { memory, address, size, slot } = access;
        self.0.push(format!("store {size} at {memory}:{address} = {slot:x}"));
    }
    fn bulk_store(&mut self, _pc: u32, memory: u16, address: u64, length: u64) {
        self.0.push(format!("bulk {length} at {memory}:{address}"));
    }
    fn global_get(&mut self, _pc: u32, global: u32, slot: u64) {
        self.0.push(format!("global {global} is {slot}"));
    }
    fn global_set(&mut self, _pc: u32, global: u32, slot: u64) {
        self.0.push(format!("global {global} becomes {slot}"));
    }
}

#[test]
fn probe_is_told_what_instructions_do() {
    let text = r#"(module
        (memory 1) (memory 1) (global (mut i32) (i32.const 4))
        (data "abc")
        (func $f (param i32) (result i32)
            (if (result i32) (i32.eqz (local.get 0))
                (then (global.get 0))
                (else (return_call $g (i32.const 0)))))
        (func $g (param i32) (result i32)
            (i64.store16 1 offset=2 (i32.const 6) (i64.const 0x12345))
            (i32.load8_s 1 (i32.const 8)))
        (func (export "run")
            (global.set 0 (call $f (i32.const 1)))
            ;; A page that nothing has touched, the same again, and the border of two.
            (drop (i32.load16_u (i32.const 20000)))
            (drop (i32.load16_u (i32.const 20000)))
            (i64.store (i32.const 12284) (i64.const -1))
            (drop (i64.load (i32.const 12285)))
            (memory.fill (i32.const 1) (i32.const 2) (i32.const 3))
            (memory.copy 1 0 (i32.const 4) (i32.const 5) (i32.const 6))
            (memory.init 1 0 (i32.const 7) (i32.const 0) (i32.const 2))
            (block (br_if 0 (i32.const 0)))
            (block (block (br_table 0 1 (i32.const 0))))))"#;
    let module = load(&wat::parse_str(text).unwrap());
    let mut session = Session::new(&module).unwrap();
    session.machine.call(2, &[]).unwrap();
    let mut events = Events::default();
    let stop = session.machine.run(u64::MAX, &Breakpoints::default(), &mut events);
    assert_eq!(stop, Stop::Finished);
    assert_eq!(session.machine.global(0), Some(Value::I32(0x45)));
    assert_eq!(
        events.0,
        [
            "call 0 with 1",
            "branch 2 to 5",
            "call 1 with 0",
            "store 2 at 1:8 = 2345",
            "load 1 at 1:8 = 45",
            "return [69] from 1",
            "global 0 becomes 69",
            "load 2 at 0:20000 = 0",
            "load 2 at 0:20000 = 0",
            "store 8 at 0:12284 = ffffffffffffffff",
            "load 8 at 0:12285 = ffffffffffffff",
            "bulk 3 at 0:1",
            "bulk 6 at 1:4",
            "bulk 2 at 1:7",
            "branch 42 to 43",
            "branch 44 to 45",
            "return [] from 2",
        ]
    );
}
