//! Sessions that begin in the middle of a run.

use crate::common;

use std::path::Path;

use common::{READ, digest, program};
use mw_session::{Direction, Halt, Mock, Session, Start, Unattended, Unit};
use mw_session_file::{FileError, Program, SessionFile};
use mw_vm::Value;

/// A session that begins after so many instructions, explored, in a file.
fn keep(path: &Path, before: u64) -> (Program, Session) {
    let whole = program(20);
    let mut session = whole.session().unwrap();
    let control = &mut Unattended;
    session.step(Unit::Instruction, Direction::Forward, before, control).unwrap();
    let program = Program { start: Some(Start::of(session.machine(), None)), ..whole };

    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(path, &program, &mut session).unwrap();
    session.run(Direction::Forward, control).unwrap();
    let end = session.here();
    session.bookmarks_mut().set("end", end);
    session.step(Unit::Instruction, Direction::Back, 100, control).unwrap();
    file.save(&mut session).unwrap();
    let (args, value) = (None, Value::I32(7));
    session.mocks_mut().add(Mock {
        port: None,
        import: READ,
        args,
        answer: value.into(),
        once: true,
    });
    session.step(Unit::Instruction, Direction::Forward, 60, control).unwrap();
    file.save(&mut session).unwrap();
    (program, session)
}

#[test]
fn the_beginning_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    // In the middle, and at the end.
    for before in [150, u64::MAX] {
        let path = folder.path().join(format!("{before}.mw"));
        let (program, mut session) = keep(&path, before);
        let start = session.start();
        assert!(start.count >= 150);

        let (_file, recovered) = SessionFile::open(&path).unwrap();
        assert_eq!(recovered.program, program);
        let mut again = recovered.program.session().unwrap();
        recovered.restore_into(&mut again, &mut Unattended).unwrap();
        assert_eq!(again.start(), start);
        assert_eq!(digest(&again), digest(&session));
        assert_eq!(again.state_hash(), session.state_hash());
        if session.here() != start {
            assert_eq!(again.run(Direction::Back, &mut Unattended), Ok(Halt::Edge));
        }
        assert_eq!(again.here(), start);
    }
}

#[test]
fn another_session_is_not_taken_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let (program, _) = keep(&path, 150);
    let (_file, recovered) = SessionFile::open(&path).unwrap();
    let mut whole = Program { start: None, ..program }.session().unwrap();
    let refused = recovered.restore_into(&mut whole, &mut Unattended).unwrap_err();
    assert!(matches!(refused, FileError::NotFresh), "{refused}");
}

#[test]
fn what_is_no_beginning_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let (program, _) = keep(&path, 150);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("DELETE FROM start", []).unwrap();
    drop(connection);
    let missing = SessionFile::open(&path).unwrap_err();
    assert!(matches!(missing, FileError::Damaged { .. }), "{missing}");

    let state = program.start.as_ref().unwrap().state().to_vec();
    for (count, state) in [(151, state.clone()), (150, state[1..].to_vec())] {
        let start = Some(Start::kept(count, state, None));
        let refused = Program { start, ..program.clone() }.session().unwrap_err();
        assert!(matches!(refused, FileError::Start(_)), "{refused}");
    }
}
