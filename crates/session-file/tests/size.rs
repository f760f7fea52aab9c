//! A file stays small: a few bytes for each choice of a long run.

use crate::common;

use common::program;
use mw_session::{Direction, Unattended, Unit};
use mw_session_file::SessionFile;

const CHOICES: u64 = 100_000;

#[track_caller]
fn check(instructions_between_saves: u64, choices: u64, limit: f64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let program = program(choices as i32);
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    let empty = std::fs::metadata(&path).unwrap().len();
    while !matches!(session.machine().status(), mw_vm::Status::Idle) {
        let steps = instructions_between_saves;
        session.step(Unit::Instruction, Direction::Forward, steps, &mut Unattended).unwrap();
        file.save(&mut session).unwrap();
    }
    assert_eq!(session.multiverse().len() as u64, choices + 1);
    drop(file);
    let size = std::fs::metadata(&path).unwrap().len();
    let per_choice = (size - empty) as f64 / choices as f64;
    println!("{per_choice:.1} bytes per choice, saved every {instructions_between_saves}");
    assert!(per_choice < limit, "{per_choice} bytes per choice");
    let (_, recovered) = SessionFile::open(&path).unwrap();
    assert_eq!(recovered.multiverse().len() as u64, choices + 1);
}

#[test]
fn saved_once() {
    check(u64::MAX / 2, CHOICES, 8.0);
}

#[test]
fn saved_now_and_then() {
    check(40_000, CHOICES, 8.0);
}

#[test]
fn saved_every_few_choices() {
    check(300, 5_000, 24.0);
}
