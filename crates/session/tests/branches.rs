//! Branches for several values of an input, nodes at which all is the same, frames that begin anew.

use crate::common;

use common::Setup;
use mw_session::{
    Breakpoint, Control, Halt, NodeId, Options, PrimitivePattern, Progress, Session, SessionError,
    Trigger, Unattended,
};
use mw_vm::Value;
use mw_world::Description;

/// Reads two inputs: of the first only whether it is large stays, of the second nothing.
const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (global $large (mut i32) (i32.const 0))
  (func $look (param $pin i32) (result i32)
    (call $read (local.get $pin)))
  (func (export "main")
    (global.set $large (i32.gt_s (call $look (i32.const 5)) (i32.const 100)))
    (drop (call $look (i32.const 6)))))
"#;

fn session() -> Session {
    Setup::of(PROGRAM, Description::board(Default::default())).session(Options::default())
}

fn read(pin: i32) -> PrimitivePattern {
    PrimitivePattern { import: 0, args: Some(vec![Value::I32(pin)]), value: None }
}

/// Has had enough after so many reports.
struct Enough(u64);

impl Control for Enough {
    fn is_cancelled(&mut self) -> bool {
        self.0 == 0
    }

    fn progress(&mut self, _: Progress) {
        self.0 -= 1;
    }
}

#[test]
fn each_value_has_a_branch_and_nothing_has_moved() {
    let mut session = session();
    let control = &mut Unattended;
    // Breakpoints do not matter on the way.
    let function = session.module().imports().count() as u32;
    session.breakpoints_mut().add(Breakpoint::new(Trigger::Function(function)));
    assert_eq!(session.run_to_input(read(5), control), Ok(Halt::Reached));
    let here = session.here();
    assert_eq!(session.run_to_input(read(5), control), Ok(Halt::Reached));
    assert_eq!(session.here(), here);
    let wrong = session.branch(&[Value::I32(1), Value::I32(5000)], control);
    assert!(matches!(wrong, Err(SessionError::World(_))), "{wrong:?}");
    assert_eq!(session.multiverse().len(), 1);

    let values = [50, 7, 150].map(Value::I32);
    let nodes = session.branch(&values, control).unwrap();
    assert_eq!((session.here(), session.multiverse().len()), (here, 4));
    for (node, value) in nodes.iter().zip(values) {
        let choice = session.multiverse().choice(*node).unwrap();
        assert_eq!((choice.count, choice.value(value.ty())), (here.count, value));
    }
    // Going on leads to the first of them; from then on, where it led before.
    let future = |session: &Session| session.multiverse().preferred(NodeId::ROOT).unwrap().node;
    assert_eq!(future(&session), nodes[0]);
    let again = session.branch(&[Value::I32(7), Value::I32(8)], control).unwrap();
    assert_eq!((again[0], future(&session)), (nodes[1], nodes[0]));
    // What has been created when somebody has had enough stays.
    let some = session.branch(&[1, 2, 3].map(Value::I32), &mut Enough(2)).unwrap();
    assert_eq!((some.len(), session.here()), (2, here));

    // One that is not read any more leaves the session where it is.
    session.slide(session.start(), false, control).unwrap();
    assert!(matches!(session.run_to_input(read(9), control), Ok(Halt::Ended(_))));
    assert_eq!(session.here(), session.start());
}

#[test]
fn nodes_at_which_all_is_the_same() {
    let mut session = session();
    let control = &mut Unattended;
    session.run_to_input(read(5), control).unwrap();
    for node in session.branch(&[1, 2, 200].map(Value::I32), control).unwrap() {
        let place = mw_session::Place { node, count: session.multiverse().start(node) };
        session.slide(place, false, control).unwrap();
        session.run_to_input(read(6), control).unwrap();
        session.branch(&[Value::I32(4)], control).unwrap();
    }
    let here = session.here();
    let merged = session.merged(100, control).unwrap();
    // The second reading, after both small values of the first.
    let sizes: Vec<usize> = merged.groups.iter().map(Vec::len).collect();
    assert_eq!((merged.visited, sizes), (6, vec![1, 2, 1, 1, 1]));
    assert_eq!(session.merged(2, control).unwrap().visited, 2);
    assert_eq!(session.merged(100, &mut Enough(3)), Err(SessionError::Cancelled));
    assert_eq!(session.here(), here);
}

#[test]
fn frames_begin_anew() {
    let mut session = session();
    let control = &mut Unattended;
    session.run_to_input(read(6), control).unwrap();
    let [inner, outer] = [0, 1].map(|depth| session.machine().call_stack()[depth].func);
    let begins = |session: &Session, func| session.module().func_code(func).start;
    assert_eq!(session.restart_frame(0, control), Ok(Halt::Reached));
    assert_eq!(session.machine().pc(), begins(&session, inner));
    assert_eq!(session.machine().call_depth(), 2);
    assert_eq!(session.restart_frame(1, control), Ok(Halt::Reached));
    assert_eq!(session.machine().pc(), begins(&session, outer));
    assert_eq!(session.here(), session.start());
    assert!(matches!(session.restart_frame(1, control), Err(SessionError::Unknown(_))));
}
