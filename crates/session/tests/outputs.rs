//! Outputs that cannot be undone, and checkpoints that keep within their budget.

use crate::common;

use common::Setup;
use mw_session::{Direction, Options, Place, Session, SessionError, Unattended, Unit};
use mw_world::Description;

const WORLD: &str = r#"
[import.env.launch]
kind = "output"
compensation = "irreversible"
[import.env.lamp]
kind = "output"
params = ["i32"]
sets = { lamp = "$0" }
[import.env.read]
kind = "input"
result = "i32"
domain = "0..9"
[registers]
lamp = 0
"#;

const PROGRAM: &str = r#"
(module
  (import "env" "launch" (func $launch))
  (import "env" "lamp" (func $lamp (param i32)))
  (import "env" "read" (func $read (result i32)))
  (func (export "main")
    (call $lamp (i32.const 1))
    (call $lamp (call $read))
    (call $launch)
    (call $lamp (i32.const 2))
    nop))
"#;

fn session(options: Options) -> Session {
    let world = Description::parse("world.toml", WORLD, &|_| Err(String::new())).unwrap();
    Setup::of(PROGRAM, world).session(options)
}

#[test]
fn going_back_over_what_cannot_be_undone_asks_first() {
    // Also when a checkpoint lies behind it, and after having come here from a checkpoint.
    for checkpoint_interval in [1, 3, 1_000_000] {
        let mut session = session(Options { checkpoint_interval, ..Options::default() });
        let control = &mut Unattended;
        session.run(Direction::Forward, control).unwrap();
        let end = session.here();
        for _ in 0..2 {
            let state = session.world().state().clone();
            let journey = session.plan(Place::default(), &mut Unattended).unwrap();
            assert_eq!(journey.irreversible, ["launch"]);
            let refused = session.slide(Place::default(), false, control).unwrap_err();
            assert_eq!(
                refused.to_string(),
                "going back crosses launch, which cannot be undone; confirm to go anyway"
            );
            let back = session.step(Unit::Instruction, Direction::Back, 5, control);
            assert_eq!(back, Err(SessionError::Irreversible("launch".into())));
            let anew = session.replay_trace(&session.trace(), control);
            assert_eq!(anew, Err(SessionError::Irreversible("launch".into())));
            assert_eq!((session.here(), session.world().state()), (end, &state));

            // Not so far back, nobody is asked.
            session.step(Unit::Instruction, Direction::Back, 3, control).unwrap();
            session.slide(end, false, control).unwrap();

            session.slide(Place::default(), true, control).unwrap();
            assert_eq!(session.here(), Place::default());
            session.slide(end, false, control).unwrap();
        }
    }
}

#[test]
fn a_dry_session_goes_back_over_everything() {
    let mut session = session(Options { dry: true, ..Options::default() });
    let control = &mut Unattended;
    session.run(Direction::Forward, control).unwrap();
    let journey = session.slide(Place::default(), false, control).unwrap();
    assert_eq!(journey.irreversible, ["launch"]);
    assert_eq!(journey.undone, 3);
    assert_eq!(session.here(), Place::default());
}

#[test]
fn effects_are_those_of_the_way_taken() {
    let mut session = session(Options { dry: true, ..Options::default() });
    let control = &mut Unattended;
    let effects = |session: &mut Session| {
        session.take_effects().into_iter().map(|effect| effect.effect).collect::<Vec<_>>()
    };
    session.run(Direction::Forward, control).unwrap();
    let end = session.here();
    assert_eq!(effects(&mut session), ["lamp = 1", "lamp = 0", "launch()", "lamp = 2"]);
    // Back: nothing is performed, although something is replayed.
    session.step(Unit::Instruction, Direction::Back, 3, control).unwrap();
    assert!(effects(&mut session).is_empty());
    session.slide(end, false, control).unwrap();
    assert_eq!(effects(&mut session), ["lamp = 2"]);
}

/// Writes to another page all the time.
const WRITING: &str = r#"
(module
  (import "env" "print_int" (func $print (param i32)))
  (memory 8)
  (func (export "main") (local $i i32)
    (loop $again
      (i32.store
        (i32.and (i32.mul (local.get $i) (i32.const 4100)) (i32.const 0x7fffc)) (local.get $i))
      (call $print (local.get $i))
      (br_if $again
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000))))))
"#;

#[test]
fn checkpoints_keep_within_their_budget() {
    let setup = Setup::of(WRITING, Description::board(Default::default()));
    for checkpoint_memory in [0, 4_000, 10_000, 1 << 20, 4 << 20] {
        let options = Options { checkpoint_memory, checkpoint_interval: 10, ..Options::default() };
        let mut session = setup.session(options);
        let control = &mut Unattended;
        let check = |session: &Session| {
            assert!(session.checkpoints().bytes_held() <= checkpoint_memory);
        };
        for _ in 0..20 {
            session.step(Unit::Instruction, Direction::Forward, 500, control).unwrap();
            check(&session);
            session.step(Unit::Instruction, Direction::Back, 123, control).unwrap();
            check(&session);
            session.step(Unit::Over, Direction::Back, 2, control).unwrap();
            check(&session);
        }
        // Where not even one fits, there are none.
        assert!(session.checkpoints().is_empty() || checkpoint_memory > 4_000);
        if checkpoint_memory > 10_000 {
            // What is kept is used, not lost to a count that only grows.
            assert!(session.checkpoints().bytes_held() > checkpoint_memory / 2);
            assert!(session.checkpoints().len() > 4);
        }
    }
}

#[test]
fn checkpoints_lie_as_close_as_asked_for() {
    let setup = Setup::of(
        r#"(module (func (export "main") (local $i i32)
             (loop $again
               (br_if $again
                 (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                   (i32.const 1000))))))"#,
        Description::board(Default::default()),
    );
    let mut session = setup.session(Options { checkpoint_interval: 100, ..Options::default() });
    session.run(Direction::Forward, &mut Unattended).unwrap();
    let end = session.here();
    assert_eq!(session.checkpoints().len() as u64, (end.count - 1) / 100);
    let journey = session.plan(Place { count: end.count - 1, ..end }, &mut Unattended).unwrap();
    assert!(journey.replayed < 100);
}
