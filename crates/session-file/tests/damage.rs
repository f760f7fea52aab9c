//! Bytes changed and files cut off, in many places: refused, or a session like the one saved.
//! Never a panic, and a file that is refused stays as it is.

use crate::common;

use common::{READ, digest, plain, program};
use mw_session::{Breakpoint, Condition, Direction, Mock, Names, Trigger, Unattended, Unit};
use mw_session_file::{FileError, SessionFile};
use mw_vm::Value;

const ROUNDS: i32 = 12;

/// A file with something in every table, and the digest of its session.
fn example(path: &std::path::Path) -> String {
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(path, &program, &mut session).unwrap();
    let control = &mut Unattended;
    for value in [0, 13, 300] {
        session.mocks_mut().add(Mock {
            port: None,
            import: READ,
            args: None,
            answer: Value::I32(value).into(),
            once: true,
        });
        session.run(Direction::Forward, control).unwrap();
        let here = session.here();
        session.bookmarks_mut().set(&format!("end {value}"), here);
        session.restore_labels([(here.node, format!("{value}, 77"))]);
        session.step(Unit::Instruction, Direction::Back, 25, control).unwrap();
        file.save(&mut session).unwrap();
    }
    let condition = Condition::parse("global 0 > 5", &Names::of(session.module())).unwrap();
    session
        .breakpoints_mut()
        .add(Breakpoint { condition: Some(condition), ..Breakpoint::new(Trigger::Function(6)) });
    session.mocks_mut().add(Mock {
        port: None,
        import: READ,
        args: None,
        answer: Value::I32(1).into(),
        once: false,
    });
    file.save(&mut session).unwrap();
    digest(&session)
}

/// Opens what may be damaged. Says whether it was accepted.
fn open(path: &std::path::Path, expected: &str) -> bool {
    let before = std::fs::read(path).unwrap();
    let opened = SessionFile::open(path);
    let (file, recovered) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let reasons = matches!(
                error,
                FileError::Damaged { .. }
                    | FileError::Foreign { .. }
                    | FileError::Newer { .. }
                    | FileError::Empty { .. }
            );
            assert!(reasons, "{error:?}");
            assert!(std::fs::read(path).unwrap() == before, "a refused file was changed");
            return false;
        }
    };
    let mut session = recovered.program.session().unwrap();
    recovered.restore_into(&mut session, &mut Unattended).unwrap();
    assert_eq!(digest(&session), expected);
    plain::check(&session, ROUNDS);
    drop(file);
    assert!(std::fs::read(path).unwrap() == before, "opening changed a file");
    true
}

#[test]
fn bytes_are_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("a.mw"), folder.path().join("b.mw"));
    let expected = example(&path);
    let bytes = std::fs::read(&path).unwrap();
    assert!(open(&path, &expected));
    // All of the header and of the beginnings and ends of pages, and a sample of the rest.
    let in_focus =
        |at: &usize| *at < 120 || at % 4096 < 16 || at % 4096 > 4000 || at.is_multiple_of(61);
    let mut refused = 0;
    for (n, at) in (0..bytes.len()).filter(in_focus).enumerate() {
        let mut damaged = bytes.clone();
        // Not zero, so that it is a change.
        damaged[at] ^= [1, 0x80, 0xff, 0x10][n % 4];
        std::fs::write(&copy, &damaged).unwrap();
        refused += u32::from(!open(&copy, &expected));
    }
    assert!(refused > 500, "only {refused} were noticed");
}

#[test]
fn files_are_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("a.mw"), folder.path().join("b.mw"));
    let expected = example(&path);
    let bytes = std::fs::read(&path).unwrap();
    for length in (0..bytes.len()).step_by(509).chain([1, 16, 50, 99, 100, 101, 4096, 8192]) {
        std::fs::write(&copy, &bytes[..length]).unwrap();
        assert!(!open(&copy, &expected), "cut off after {length} bytes");
    }
}

#[test]
fn pages_are_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("a.mw"), folder.path().join("b.mw"));
    let expected = example(&path);
    let bytes = std::fs::read(&path).unwrap();
    let pages = bytes.len() / 4096;
    for a in 1..pages {
        for b in a + 1..pages {
            let mut damaged = bytes.clone();
            let (left, right) = damaged.split_at_mut(b * 4096);
            left[a * 4096..(a + 1) * 4096].swap_with_slice(&mut right[..4096]);
            std::fs::write(&copy, &damaged).unwrap();
            open(&copy, &expected);
        }
    }
}
