//! Targets that lie, or do not do as they are told: the session says so, and leaves them alone.

use crate::common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mw_session::{
    Answer, Direction, Halted, Horizon, IsCancelled, Leg, Options, SessionError, Target,
    Unattended, Unit,
};
use mw_vm::{Breakpoints, Machine, NoProbe};
use mw_world::Description;

use common::Setup;

/// Reads after one instruction, and goes on.
const PROGRAM: &str = r#"(module
    (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
    (func (export "main") (drop (call $read (i32.const 5))) (drop (call $read (i32.const 5)))))"#;

/// Says what it has been told to say.
#[derive(Debug)]
struct Scripted {
    next: Option<Answer>,
    halted: Halted,
    touched: Arc<AtomicUsize>,
}

impl Target for Scripted {
    fn undo(&mut self, _: u64) -> Result<(), String> {
        Ok(())
    }

    fn restore(&mut self, _: &Machine, _: &Machine, _: Option<&[Answer]>) -> Result<(), String> {
        Ok(())
    }

    fn advance(&mut self, leg: Leg<'_>, _: IsCancelled<'_>) -> Result<u64, String> {
        self.touched.fetch_add(1, Ordering::Relaxed);
        Ok(leg.until)
    }

    fn run(&mut self, _: &Horizon) -> Result<bool, String> {
        self.touched.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    }

    fn next(&mut self, _: IsCancelled<'_>) -> Result<Option<Answer>, String> {
        Ok(self.next)
    }

    fn halt(&mut self) -> Result<Halted, String> {
        Ok(self.halted.clone())
    }
}

/// What is said of a target that says this when it is run.
fn said_of(next: Option<Answer>, change: impl FnOnce(&mut Halted)) -> String {
    let setup = Setup::of(PROGRAM, Description::board(Default::default()));
    // Where it would honestly stand: before the first input.
    let mut machine = setup.plain().machine;
    machine.run(1, &Breakpoints::default(), &mut NoProbe);
    let (count, hash) = (machine.count(), machine.hash());
    let mut halted = Halted { count, hash, ended: false, asks: false, unread: Vec::new() };
    change(&mut halted);
    let mut session = setup.session(Options::default());
    let touched = Arc::<AtomicUsize>::default();
    session.attach(Box::new(Scripted { next, halted, touched: touched.clone() }));
    let stepped = session.step(Unit::Instruction, Direction::Forward, 20, &mut Unattended);
    let error = match stepped.and_then(|_| session.bring_target(&mut Unattended)) {
        Err(SessionError::Target(error)) => error,
        other => panic!("{other:?}"),
    };
    // It is not believed any more, nor told to do anything.
    let before = touched.load(Ordering::Relaxed);
    let _ = session.step(Unit::Instruction, Direction::Forward, 1, &mut Unattended);
    let again = session.bring_target(&mut Unattended).unwrap_err();
    assert_eq!(again, SessionError::Target(error.clone()));
    assert_eq!(touched.load(Ordering::Relaxed), before);
    error
}

#[test]
fn what_a_target_says_has_to_be_possible() {
    let outside = said_of(Some((1, 5000)), |_| {});
    assert!(outside.starts_with("the device is not to be trusted: "), "{outside}");
    let elsewhere = said_of(Some((7, 5)), |_| {});
    assert_eq!(elsewhere, "it read an input after 7 instructions, not 1");
    let far = said_of(None, |halted| halted.count = u64::MAX);
    assert_eq!(far, format!("it claims to have executed {} instructions", u64::MAX));
    let other = said_of(None, |halted| halted.hash ^= 1);
    assert_eq!(other, "after 1 instructions its state is another one than here");
    let deaf = said_of(None, |_| {});
    assert_eq!(deaf, "it does not read the input that comes next");
    // Having read something that leads elsewhere than it claims to be.
    let unread = said_of(None, |halted| (halted.count, halted.unread) = (2, vec![(1, 5)]));
    assert_eq!(unread, "after 2 instructions its state is another one than here");
}
