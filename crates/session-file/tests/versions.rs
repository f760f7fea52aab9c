//! Files and traces that earlier versions wrote.
//!
//! `files/version-5.mw` and `files/version-1.trace` were written by the last version before choices
//! could carry bytes, with `files/button.wat`.

use mw_session::{Direction, Halt, Skip, Unattended, Unit};
use mw_session_file::SessionFile;
use mw_vm::Value;

#[test]
fn a_file_of_version_5_opens_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("button.mw");
    std::fs::write(&path, include_bytes!("files/version-5.mw")).unwrap();
    let (mut file, recovered) = SessionFile::open(&path).unwrap();
    let mut session = recovered.program.session().unwrap();
    recovered.restore_into(&mut session, &mut Unattended).unwrap();
    let global = |session: &mw_session::Session, index| session.machine().global(index);
    assert_eq!(session.here().to_owned().count, 55);
    assert_eq!(
        (global(&session, 0), global(&session, 1)),
        (Some(Value::I32(1)), Some(Value::I32(440))),
        "an interrupt arrived, the sum was set by hand, and went on"
    );
    assert_eq!(session.multiverse().len(), 13);
    assert_eq!(session.mocks().iter().count(), 1);
    let breakpoints: Vec<String> = session
        .breakpoints()
        .iter()
        .filter_map(|(_, b)| Some(b.condition.as_ref()?.to_string()))
        .collect();
    assert_eq!(breakpoints, ["global 0 == 5", "global 0 > 1"]);
    assert!(session.bookmarks().get("middle").is_some());
    assert!(session.properties().is_empty() && session.scenarios().is_empty());
    let skips: Vec<_> = session.skips().iter().collect();
    assert_eq!(skips, [(1, &Skip::Library)], "steps pass through what they did before it was kept");

    // What comes now is written as it is today, after what is there.
    let trace = session.write_trace(&session.trace());
    let ids: Vec<_> = session.breakpoints().iter().map(|(id, _)| id).collect();
    assert!(ids.into_iter().all(|id| session.breakpoints_mut().remove(id)));
    let on = session.step(Unit::Instruction, Direction::Forward, 100, &mut Unattended);
    assert_eq!(on, Ok(Halt::Reached));
    file.save(&mut session).unwrap();
    let (hash, nodes) = (session.state_hash(), session.multiverse().len());
    drop(file);
    let (_file, recovered) = SessionFile::open(&path).unwrap();
    let mut again = recovered.program.session().unwrap();
    recovered.restore_into(&mut again, &mut Unattended).unwrap();
    assert_eq!((again.state_hash(), again.multiverse().len()), (hash, nodes));

    // A trace of that time says the same as one of today, but for its version.
    let old = include_str!("files/version-1.trace").replace(" button.wat", "");
    assert_eq!(trace.replace("trace 2", "trace 1"), old);
    let mut fresh = again;
    fresh.slide(fresh.start(), true, &mut Unattended).unwrap();
    let read = fresh.read_trace(include_str!("files/version-1.trace")).unwrap();
    fresh.replay_trace(&read, &mut Unattended).unwrap();
    assert_eq!(fresh.machine().global(1), Some(Value::I32(440)));
}
