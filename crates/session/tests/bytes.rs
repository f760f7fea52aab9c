//! Inputs that bring bytes into the program's memory.

use crate::common;

use common::Setup;
use mw_session::{Direction, Halt, Mock, Options, Outcome, Session, Unattended, Unit};
use mw_vm::Value;
use mw_world::{Answer, Description};

/// Asks a socket for bytes three times, and adds up the first byte of what is in the buffer.
const RECEIVER: &str = r#"
(module
  (import "env" "socket_create" (func $create (param i32 i32 i32) (result i32)))
  (import "env" "socket_receive" (func $receive (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (func (export "main") (local $socket i32) (local $i i32)
    (local.set $socket (call $create (i32.const 0) (i32.const 4) (i32.const 80)))
    (loop $again
      (drop (call $receive (local.get $socket) (i32.const 64) (i32.const 8)))
      (global.set $sum (i32.add (global.get $sum) (i32.load8_u (i32.const 64))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_s (local.get $i) (i32.const 3))))))
"#;

fn session() -> Session {
    Setup::of(RECEIVER, Description::board(Default::default())).session(Options::default())
}

fn packet(bytes: &[u8]) -> Answer {
    Answer { value: Value::I32(bytes.len() as i32), bytes: Some(bytes.into()) }
}

fn mock(session: &mut Session, answer: Answer) {
    let import = session.world().find("socket_receive").unwrap();
    session.mocks_mut().add(Mock { port: None, import, args: None, answer, once: true });
}

fn buffer(session: &Session) -> [u8; 8] {
    let mut buffer = [0; 8];
    session.machine().memories()[0].read(64, &mut buffer).unwrap();
    buffer
}

/// Mocks count from the newest, so this is "b" before "abc", and nothing after.
fn received() -> Session {
    let mut session = session();
    mock(&mut session, packet(b"abc"));
    mock(&mut session, packet(b"b"));
    assert_eq!(
        session.run(Direction::Forward, &mut Unattended),
        Ok(Halt::Ended(Outcome::Finished))
    );
    session
}

fn sum(session: &Session) -> Option<Value> {
    session.machine().exported_global("sum")
}

#[test]
fn what_arrives_is_in_memory_and_gone_when_one_goes_back() {
    let mut session = received();
    let control = &mut Unattended;
    let expected = Value::I32(i32::from(b'b') + 2 * i32::from(b'a'));
    assert_eq!((&buffer(&session)[..4], sum(&session)), (&b"abc\0"[..], Some(expected)));
    let nodes: Vec<_> = session.multiverse().ancestors(session.here().node).collect();
    let end = session.here();
    let counts: Vec<u64> = nodes.iter().map(|node| session.multiverse().start(*node)).collect();
    // Right after the second packet, right before it, after the first one, before all of them.
    for (node, count, expected) in [
        (nodes[1], counts[1], *b"abc\0\0\0\0\0"),
        (nodes[2], counts[1] - 1, *b"b\0\0\0\0\0\0\0"),
        (nodes[2], counts[2], *b"b\0\0\0\0\0\0\0"),
        (nodes[3], counts[2] - 1, [0; 8]),
    ] {
        session.slide(mw_session::Place { node, count }, true, control).unwrap();
        assert_eq!(buffer(&session), expected);
    }
    session.slide(end, true, control).unwrap();
    assert_eq!(sum(&session), Some(expected));
    session.step(Unit::Instruction, Direction::Back, 1000, control).unwrap();
    assert_eq!(buffer(&session), [0; 8]);
    assert_eq!(
        session.run(Direction::Forward, control),
        Ok(Halt::Ended(Outcome::Finished)),
        "as recorded"
    );
    assert_eq!(sum(&session), Some(expected));
}

#[test]
fn the_same_number_with_other_bytes_is_another_universe() {
    let mut session = received();
    let nodes = session.multiverse().len();
    session.slide(session.start(), true, &mut Unattended).unwrap();
    mock(&mut session, packet(b"xyz"));
    mock(&mut session, packet(b"b"));
    session.run(Direction::Forward, &mut Unattended).unwrap();
    // The packet and what was read after it are new, the rest is shared.
    assert_eq!(session.multiverse().len(), nodes + 2);
    assert_eq!(&buffer(&session)[..3], b"xyz");
}

#[test]
fn a_trace_tells_of_bytes() {
    let session = received();
    let text = session.write_trace(&session.trace());
    assert!(text.contains("socket_receive(0, 64, 8) = 1 \"b\"\n"), "{text}");
    let mut other = self::session();
    let trace = other.read_trace(&text).unwrap();
    other.replay_trace(&trace, &mut Unattended).unwrap();
    assert_eq!((buffer(&other), sum(&other)), (buffer(&session), sum(&session)));
    assert_eq!(other.write_trace(&other.trace()), text);
}

#[test]
fn what_cannot_arrive_is_refused() {
    let too_much = packet(b"123456789");
    let miscounted = Answer { value: Value::I32(2), bytes: Some((*b"abc").into()) };
    for (answer, expected) in [
        (too_much, "socket_receive(0, 64, 8): 9 is not one of the possible values -1..8"),
        (miscounted, "socket_receive(0, 64, 8) returns how many bytes it brings, which are 3"),
    ] {
        let mut session = session();
        mock(&mut session, answer);
        let error = session.run(Direction::Forward, &mut Unattended).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        // It stands where the input is to be read, and goes on from there by itself.
        let id = session.mocks().iter().next().unwrap().0;
        session.mocks_mut().remove(id);
        assert!(matches!(session.run(Direction::Forward, &mut Unattended), Ok(Halt::Ended(_))));
    }
    let mut session = session();
    let import = session.world().find("socket_create").unwrap();
    let answer = Answer { value: Value::I32(0), bytes: Some((*b"?").into()) };
    session.mocks_mut().add(Mock { port: None, import, args: None, answer, once: true });
    let error = session.run(Direction::Forward, &mut Unattended).unwrap_err().to_string();
    assert_eq!(error, "socket_create(0, 4, 80) brings nothing into a buffer: leave out the bytes");
}

#[test]
fn a_buffer_outside_of_memory_takes_nothing() {
    let text = RECEIVER.replace("(i32.const 64) (i32.const 8)", "(i32.const 65535) (i32.const 8)");
    let setup = Setup::of(&text, Description::board(Default::default()));
    let mut session = setup.session(Options::default());
    mock(&mut session, packet(b"abc"));
    let error = session.run(Direction::Forward, &mut Unattended).unwrap_err().to_string();
    assert_eq!(error, "the 3 bytes at address 65535 are not all in the program's memory");
    mock(&mut session, packet(b"a"));
    assert!(matches!(session.run(Direction::Forward, &mut Unattended), Ok(Halt::Ended(_))));
}
