//! Everything that is said can be written as JSON and read back.

use mw_api::{
    Debugger, Direction, Envelope, Printed, Reply, Request, Setup, Unattended, Unit, request,
};

const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (memory 1)
  (global $last (export "last") (mut i32) (i32.const 0))
  (func (export "main")
    (loop $again
      (global.set $last (call $read (i32.const 5)))
      (call $write (i32.const 13) (i32.gt_s (global.get $last) (i32.const 100)))
      (br_if $again (i32.lt_s (global.get $last) (i32.const 4000))))))
"#;

fn debugger() -> Debugger {
    let binary = wat::parse_str(PROGRAM).unwrap();
    Debugger::new(Setup::new(&binary).unwrap().usual_entry(&[]).unwrap()).unwrap()
}

/// Makes a request that was written as JSON, and sees that the reply survives being written.
fn ask(debugger: &mut Debugger, request: &str) -> Reply {
    let request: Request = serde_json::from_str(request).expect(request);
    let again = serde_json::to_string(&request).unwrap();
    assert_eq!(serde_json::from_str::<Request>(&again).unwrap(), request);
    let reply = debugger.ask(request, &mut Unattended).unwrap();
    let text = serde_json::to_string(&reply).unwrap();
    assert_eq!(serde_json::from_str::<Reply>(&text).unwrap(), reply, "{text}");
    reply
}

#[test]
fn a_session_in_json() {
    let mut debugger = debugger();
    for request in [
        r#"{"request":"where"}"#,
        r#"{"request":"add-breakpoint","trigger":"chip_digital_write","condition":"last > 200"}"#,
        r#"{"request":"add-breakpoint","trigger":{"function":"main"},"temporary":true}"#,
        r#"{"request":"branch","call":"chip_analog_read(5)","values":"0..4095 step 1000"}"#,
        r#"{"request":"branch","values":{"from":1,"to":2,"step":1}}"#,
        r#"{"request":"branch","values":["7"]}"#,
        r#"{"request":"tree"}"#,
        r#"{"request":"slide","to":"2.1"}"#,
        r#"{"request":"run","direction":"forward"}"#,
        r#"{"request":"bookmark","name":"bright"}"#,
        r#"{"request":"step","unit":"over","direction":"back"}"#,
        r#"{"request":"slide","to":{"node":{"node":"1.1","after":1}}}"#,
        r#"{"request":"mock","call":{"primitive":"chip_analog_read","args":["5"]},"value":"4095"}"#,
        r#"{"request":"mocks"}"#,
        r#"{"request":"inputs"}"#,
        r#"{"request":"run","direction":"forward"}"#,
        r#"{"request":"world"}"#,
        r#"{"request":"frames"}"#,
        r#"{"request":"globals"}"#,
        r#"{"request":"print","term":"i32 @ 0"}"#,
        r#"{"request":"read-memory","address":0,"length":8}"#,
        r#"{"request":"disassemble"}"#,
        r#"{"request":"universe"}"#,
        r#"{"request":"suggest","inputs":2,"coverage":true}"#,
        r#"{"request":"trace-of","path":0}"#,
        r#"{"request":"coverage"}"#,
        r#"{"request":"merged"}"#,
        r#"{"request":"diff","first":"bright","second":"start"}"#,
        r#"{"request":"plan","to":"bright"}"#,
        r#"{"request":"alter","target":"last","value":"5"}"#,
        r#"{"request":"breakpoints"}"#,
        r#"{"request":"bookmarks"}"#,
        r#"{"request":"names"}"#,
        r#"{"request":"info"}"#,
        r#"{"request":"interrupts"}"#,
        r#"{"request":"export-trace"}"#,
        r#"{"request":"reset"}"#,
        r#"{"request":"go-without"}"#,
        r#"{"request":"unmock"}"#,
    ] {
        ask(&mut debugger, request);
    }
}

#[test]
fn branches_are_real_and_leave_everything_else_alone() {
    let mut debugger = debugger();
    let Reply::Branched(branched) =
        ask(&mut debugger, r#"{"request":"branch","call":"chip_analog_read","values":"all"}"#)
    else {
        panic!("branches")
    };
    assert_eq!((branched.branches.len(), branched.created), (4096, 4096));
    // No mock and no breakpoint is left, and numbers begin with one.
    let Reply::Mocks(mocks) = ask(&mut debugger, r#"{"request":"mocks"}"#) else { panic!("mocks") };
    assert_eq!(mocks, []);
    let request = r#"{"request":"add-breakpoint","trigger":"main"}"#;
    let Reply::Breakpoint(breakpoint) = ask(&mut debugger, request) else { panic!("breakpoint") };
    assert_eq!(breakpoint.id, 1);
    // Each is where its value says.
    for branch in branched.branches.iter().step_by(500) {
        let to = branch.node.as_str().into();
        debugger.ask(request::Slide { to }, &mut Unattended).unwrap();
        let (unit, direction) = (Unit::Instruction, Direction::Forward);
        debugger.ask(request::Step { unit, direction, count: 1 }, &mut Unattended).unwrap();
        let print = request::Print::new("last");
        let Printed::Machine(last) = debugger.ask(print, &mut Unattended).unwrap() else {
            panic!("a variable")
        };
        assert_eq!(format!("chip_analog_read(5) = {}", last.value.text), branch.text);
    }
}

#[test]
fn what_may_be_said_of_any_request_lies_beside_its_own() {
    for (text, confirm) in [
        (r#"{"request":"slide","to":"start","confirm":true}"#, true),
        (r#"{"confirm":true,"request":"reset"}"#, true),
        (r#"{"request":"step","unit":"over","direction":"back"}"#, false),
        (r#"{"request":"suggest","solver-milliseconds":5,"confirm":false}"#, false),
    ] {
        let envelope: Envelope = serde_json::from_str(text).expect(text);
        assert_eq!(envelope.confirm, confirm, "{text}");
        let alone: Request = serde_json::from_str(text).expect(text);
        assert_eq!(envelope.request, alone, "{text}");
        let again = serde_json::to_string(&envelope).unwrap();
        assert_eq!(serde_json::from_str::<Envelope>(&again).unwrap(), envelope, "{again}");
    }
}

#[test]
fn a_mock_may_be_in_place_of_others() {
    let mut debugger = debugger();
    let mock = |call: &str, value: &str| request::Mock::new(call, value);
    let once = request::Mock { once: true, ..mock("chip_analog_read(5)", "1") };
    let others = [once, mock("chip_analog_read", "2"), mock("chip_analog_read(6)", "3")];
    for other in others.into_iter().chain([mock("chip_analog_read(5)", "4")]) {
        debugger.ask(other, &mut Unattended).unwrap();
    }
    // What is refused leaves all as it is.
    let wrong = request::Mock { replace: true, ..mock("chip_analog_read(5)", "5000") };
    debugger.ask(wrong, &mut Unattended).unwrap_err();
    let ids = |debugger: &mut Debugger| {
        let mocks = debugger.ask(request::Mocks {}, &mut Unattended).unwrap();
        mocks.into_iter().map(|mock| mock.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&mut debugger), [1, 2, 3, 4]);
    let mine = request::Mock { replace: true, ..mock("chip_analog_read(5)", "5") };
    assert_eq!(debugger.ask(mine, &mut Unattended).unwrap().id, 5);
    assert_eq!(ids(&mut debugger), [1, 2, 3, 5]);
}
