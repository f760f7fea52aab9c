//! What is refused, in which words, and what stays as it was.

use crate::common;

use std::path::Path;

use common::program;
use mw_session::{Direction, Unattended};
use mw_session_file::{FileError, Program, SessionFile, WorldSource};

fn create(path: &Path) -> Result<SessionFile, FileError> {
    let program = program(5);
    SessionFile::create(path, &program, &mut program.session().unwrap())
}

/// Neither opening nor creating touches a file, and both say why.
#[track_caller]
fn check_refused(path: &Path, expected: &str) {
    let bytes = std::fs::read(path).unwrap();
    let error = SessionFile::open(path).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    create(path).unwrap_err();
    assert!(std::fs::read(path).unwrap() == bytes);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn foreign_files() {
    for content in [&b"hello"[..], b"SQLite format 4\0", &[0; 5000]] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mw");
        std::fs::write(&path, content).unwrap();
        check_refused(&path, "is not a session file: it is no SQLite file");
    }
}

#[test]
fn databases_of_others() {
    for mode in ["DELETE", "WAL"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mw");
        let other = rusqlite::Connection::open(&path).unwrap();
        other.pragma_update(None, "journal_mode", mode).unwrap();
        other.execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1)").unwrap();
        drop(other);
        check_refused(&path, "an SQLite file of another program");
    }
}

#[test]
fn newer_and_damaged_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    drop(create(&path).unwrap());
    let bytes = std::fs::read(&path).unwrap();
    let check = |sql: &str, expected: &str| {
        std::fs::write(&path, &bytes).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        check_refused(&path, expected);
    };
    check("PRAGMA user_version = 11", "version 11 of the format");
    check("DROP TABLE mock", "its tables are not those of a session file");
    check("DELETE FROM place", "is damaged");
    check("UPDATE program SET path = 'other'", "a row of the table program has been changed");
    check("UPDATE meta SET value = 'x' WHERE key = 'options'", "a row of the table meta");
    check("INSERT INTO bookmark VALUES ('a', 0, 0, 0, 0)", "a row of the table bookmark");
    check("INSERT INTO label VALUES (0, 0, 'a', 0)", "a row of the table label");
    check("UPDATE source SET content = x'00'", "a row of the table source has been changed");
    check("PRAGMA user_version = 2", "table source already exists");
    check("PRAGMA user_version = 1", "table label already exists");
    check("DELETE FROM meta WHERE key = 'readings'", "is damaged");
    check("PRAGMA journal_mode = WAL", "a journal that session files do not have");
}

#[test]
fn places_that_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/such/folder/a.mw");
    let error = create(&missing).unwrap_err().to_string();
    assert!(error.contains("its folder does not exist"), "{error}");
    assert!(matches!(SessionFile::open(&missing), Err(FileError::NotFound { .. })));
    SessionFile::open(folder.path()).unwrap_err();
    create(folder.path()).unwrap_err();
}

#[test]
fn a_file_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let file = create(&path).unwrap();
    assert!(matches!(SessionFile::open(&path), Err(FileError::InUse { .. })));
    assert!(matches!(create(&path), Err(FileError::InUse { .. })));
    drop(file);
    assert!(matches!(create(&path), Err(FileError::Exists { .. })));
    SessionFile::open(&path).unwrap();
}

#[test]
fn an_empty_file_is_one_whose_creation_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    std::fs::write(&path, "").unwrap();
    assert!(matches!(SessionFile::open(&path), Err(FileError::Empty { .. })));
    drop(create(&path).unwrap());
    SessionFile::open(&path).unwrap();
}

#[test]
fn another_program_world_or_history() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    drop(create(&path).unwrap());
    let restore = |program: &Program, run: bool| {
        let (_file, recovered) = SessionFile::open(&path).unwrap();
        let mut session = program.session().unwrap();
        if run {
            session.run(Direction::Forward, &mut Unattended).unwrap();
        }
        recovered.restore_into(&mut session, &mut Unattended)
    };
    let same = program(5);
    let wasm = wat::parse_str(r#"(module (func (export "main")))"#).unwrap();
    let other = Program { wasm, entry: None, ..same.clone() };
    assert!(matches!(restore(&other, false), Err(FileError::OtherProgram)));
    let text = "extends = \"board\"\n[board]\nseed = 7".to_owned();
    let world = WorldSource::File { name: "w".into(), text, recordings: Default::default() };
    let other = Program { world, ..same.clone() };
    assert!(matches!(restore(&other, false), Err(FileError::OtherWorld)));
    assert!(matches!(restore(&same, true), Err(FileError::NotFresh)));
    restore(&same, false).unwrap();
}
