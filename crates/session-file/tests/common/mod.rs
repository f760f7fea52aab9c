//! A program to walk about in, and what is compared of sessions.

#![allow(dead_code, reason = "not every test needs all of it")]

pub mod plain;

use std::fmt::Write as _;

use mw_session::{Multiverse, NodeId, Session};
use mw_session_file::{Program, SystemFiles, SystemSource, WorldSource};
use mw_vm::Limits;

/// Reads a sensor again and again, shows what it read, and has a way to trap and one to abort.
/// Interrupts of pin 3 are counted.
pub const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (import "env" "print_int" (func $print (param i32)))
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (import "env" "abort" (func $abort))
  (table 1 funcref)
  (elem (i32.const 0) $tick)
  (memory 1)
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (global $ticks (export "ticks") (mut i32) (i32.const 0))
  (func $tick (global.set $ticks (i32.add (global.get $ticks) (i32.const 1))))
  (func $show (param $v i32)
    (call $write (i32.const 1) (i32.lt_s (local.get $v) (i32.const 100)))
    (if (i32.eq (local.get $v) (i32.const 13)) (then unreachable))
    (if (i32.eq (local.get $v) (i32.const 14)) (then (call $abort)))
    (i32.store (i32.and (local.get $v) (i32.const 0xfff0)) (global.get $sum)))
  (func (export "main") (param $rounds i32)
    (local $i i32) (local $v i32)
    (call $subscribe (i32.const 3) (i32.const 0) (i32.const 1))
    (loop $again
      (local.set $v (call $read (i32.and (local.get $i) (i32.const 3))))
      (global.set $sum (i32.add (global.get $sum) (local.get $v)))
      (call $show (local.get $v))
      (if (i32.eqz (i32.and (local.get $i) (i32.const 7))) (then (call $print (global.get $sum))))
      (br_if $again
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $rounds))))))
"#;

/// The program, with so many readings.
pub fn program(rounds: i32) -> Program {
    Program {
        path: "somewhere/program.wasm".into(),
        wasm: wat::parse_str(PROGRAM).unwrap(),
        system: None,
        world: WorldSource::Board,
        entry: Some((6 + 1, vec![rounds.into()])),
        start: None,
        options: Default::default(),
        sources: [("program.ts".to_owned(), b"let x = 1;".to_vec())].into(),
    }
}

/// Two programs that send each other messages, each on a board of its own.
pub fn system() -> Program {
    let text = "[actor.bell]\nmodule = \"bell.wasm\"\n[actor.chime]\nmodule = \"chime.wasm\"\n";
    let binary = |path: &str| match path {
        "bell.wasm" => Ok(wat::parse_str(BELL).unwrap()),
        "chime.wasm" => Ok(wat::parse_str(CHIME).unwrap()),
        other => Err(format!("there is no {other}")),
    };
    let world = |path: &str| Err(format!("there is no {path}"));
    let files = SystemFiles { module: &binary, world: &world };
    let (source, _) = SystemSource::read("system.toml", text, &files, &Limits::default()).unwrap();
    let (path, wasm) = ("system.toml".to_owned(), binary("bell.wasm").unwrap());
    Program { path, wasm, system: Some(source), entry: None, sources: [].into(), ..program(0) }
}

/// Rings, and once more for each answer, for some rounds.
const BELL: &str = r#"
(module
  (import "actor" "find" (func $find (param i32 i32) (result i32)))
  (import "actor" "self" (func $self (result i32)))
  (import "actor" "send" (func $send (param i32 i32 i32 i32 i32) (result i32)))
  (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
  (import "actor" "when" (func $when (param i32 i32 i32 i32 i32)))
  (memory 1)
  (data (i32.const 0) "chimeringagain")
  (global $rung (mut i32) (i32.const 0))
  (func (export "again")
    (if (i32.lt_s (global.get $rung) (i32.const 20)) (then
      (global.set $rung (i32.add (global.get $rung) (i32.const 1)))
      (call $when
        (call $send (call $find (i32.const 0) (i32.const 5))
          (i32.const 5) (i32.const 4) (i32.const 0) (i32.const 0))
        (i32.const 9) (i32.const 5) (i32.const 0) (i32.const 0)))))
  (func (export "main")
    (call $tell (call $self) (i32.const 9) (i32.const 5) (i32.const 0) (i32.const 0))
    (call $tell (call $self) (i32.const 9) (i32.const 5) (i32.const 0) (i32.const 0))))
"#;

/// Counts, and puts out what it has counted.
const CHIME: &str = r#"
(module
  (import "env" "print_int" (func $print (param i32)))
  (import "actor" "self" (func $self (result i32)))
  (global $heard (mut i32) (i32.const 0))
  (func (export "ring")
    (global.set $heard (i32.add (global.get $heard) (call $self)))
    (call $print (global.get $heard))))
"#;

/// The index of `chip_analog_read`.
pub const READ: u32 = 0;

/// All that a file keeps of a session, as text.
pub fn digest(session: &Session) -> String {
    let mut text = tree(session.multiverse());
    let _ = writeln!(text, "here {:?}", session.here());
    let _ = writeln!(text, "bookmarks {:?}", session.bookmarks().iter().collect::<Vec<_>>());
    let _ = writeln!(text, "labels {:?}", session.labels().collect::<Vec<_>>());
    let _ = writeln!(text, "unvisited {:?}", session.multiverse().unvisited().collect::<Vec<_>>());
    let _ = writeln!(text, "furthest {:?}", session.furthest().collect::<Vec<_>>());
    let _ = writeln!(text, "end {:?}", session.recorded_end());
    let _ = writeln!(text, "breakpoints {:?}", session.breakpoints().iter().collect::<Vec<_>>());
    let _ = writeln!(text, "mocks {:?}", session.mocks().iter().collect::<Vec<_>>());
    let _ = writeln!(text, "skips {:?}", session.skips().iter().collect::<Vec<_>>());
    text
}

/// A tree as text, every node with its ways on. Fails if it is not well-formed.
pub fn tree(multiverse: &Multiverse) -> String {
    let mut text = String::new();
    let mut open = vec![NodeId::ROOT];
    let mut seen = 0;
    while let Some(node) = open.pop() {
        seen += 1;
        let _ = write!(text, "{node}");
        for step in multiverse.steps(node) {
            assert_eq!(multiverse.parent(step.node), Some(node));
            assert!(step.choice.count >= multiverse.start(node));
            let _ = write!(text, " {}:{:?}", step.node, step.choice);
            open.push(step.node);
        }
        let preferred = multiverse.preferred(node).map(|step| step.node.parts());
        let _ = writeln!(text, " > {preferred:?} {:?}", multiverse.ended(node));
    }
    assert_eq!(seen, multiverse.len());
    text
}
