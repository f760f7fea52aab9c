//! What is saved comes back.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{READ, digest, plain, program};
use mw_session::{
    Breakpoint, Condition, Direction, Halt, Mock, Names, NodeId, Outcome, Place, PrimitivePattern,
    PropertyText, ScenarioText, Session, Skip, Trigger, Unattended, Unit, Watch,
};
use mw_session_file::{Program, SessionFile, VERSION, WorldSource};
use mw_vm::{Cell, Value};
use mw_world::Call;

const ROUNDS: i32 = 40;

fn reopen(path: &Path) -> (SessionFile, Session) {
    let (file, recovered) = SessionFile::open(path).unwrap();
    let mut session = recovered.program.session().unwrap();
    recovered.restore_into(&mut session, &mut Unattended).unwrap();
    (file, session)
}

fn mock(value: i32, once: bool) -> Mock {
    Mock { port: None, import: READ, args: None, answer: Value::I32(value).into(), once }
}

/// Branches, a trap, an abort, an interrupt, an alteration, and everything that can be set.
fn explore(session: &mut Session, mut after_each: impl FnMut(&mut Session)) {
    let control = &mut Unattended;
    session.step(Unit::Instruction, Direction::Forward, 100, control).unwrap();
    let here = session.here();
    session.bookmarks_mut().set("early", here);
    after_each(session);
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Ended(Outcome::Finished)));
    let here = session.here();
    session.bookmarks_mut().set("the end, “finished”", here);
    session.restore_labels([(here.node, "0..12, “any other”".to_owned())]);
    after_each(session);
    for (value, steps) in [(13, 300), (14, 200), (4095, 100)] {
        session.step(Unit::Instruction, Direction::Back, steps, control).unwrap();
        session.mocks_mut().add(mock(value, true));
        after_each(session);
        assert!(matches!(session.run(Direction::Forward, control), Ok(Halt::Ended(_))));
        after_each(session);
    }
    let early = session.bookmarks().get("early").unwrap();
    session.slide(early, false, control).unwrap();
    session.mocks_mut().add(mock(5, true));
    session.step(Unit::Instruction, Direction::Forward, 30, control).unwrap();
    session.interrupt(3).unwrap();
    after_each(session);
    session.step(Unit::Instruction, Direction::Forward, 2, control).unwrap();
    session.alter(Cell::Global(0), Value::I32(-77)).unwrap();
    session.step(Unit::Instruction, Direction::Forward, 50, control).unwrap();
    after_each(session);

    let module = session.module().clone();
    let condition =
        Condition::parse(" global 0 > 5 and i32 @ 16 != 3 ", &Names::of(&module)).unwrap();
    let pattern = PrimitivePattern {
        import: READ,
        args: Some(vec![Value::I32(2)]),
        value: Some(Value::F64(f64::NAN.to_bits())),
    };
    for (trigger, condition, enabled) in [
        (Trigger::Instruction(3), Some(condition), true),
        (Trigger::Function(6), None, false),
        (Trigger::Primitive(pattern), None, true),
        (Trigger::Watch(Watch::new(Cell::bytes(16, 4), 0)), None, true),
    ] {
        let breakpoint = Breakpoint { condition, enabled, ..Breakpoint::new(trigger) };
        session.breakpoints_mut().add(breakpoint);
    }
    session.breakpoints_mut().add(Breakpoint {
        condition: Some(Condition::kept("x > 3", &Names::default())),
        hits: Some("% 4".parse().unwrap()),
        log: Some("x is {x}".into()),
        temporary: true,
        passed: 7,
        ..Breakpoint::new(Trigger::Line { name: "program.ts:1".into(), pcs: vec![3, 9] })
    });
    session.mocks_mut().add(mock(1, false));
    let args = Some(vec![Value::I32(9)]);
    let value = Value::ExternRef(Some(7));
    session.mocks_mut().add(Mock { args, answer: value.into(), ..mock(0, false) });
    let removed = session.mocks_mut().add(mock(9, false));
    after_each(session);
    session.mocks_mut().remove(removed);
    session.skips_mut().add(Skip::Named("vendor/*".into()));
    session.skips_mut().remove(1);
    session.bookmarks_mut().remove("early");
    let here = session.here();
    // One more, and another text for the one there was.
    let end = session.bookmarks().get("the end, “finished”").unwrap();
    session.restore_labels([(here.node, String::new()), (end.node, "any value".to_owned())]);
    session.bookmarks_mut().set("back", here);
    session.multiverse_mut().restore_unvisited([end.node]);
    after_each(session);
    // Away from where nothing is recorded but that one has been there.
    session.slide(session.start(), true, &mut Unattended).unwrap();
    session.mocks_mut().add(mock(5, true));
    session.step(Unit::Instruction, Direction::Forward, 40, &mut Unattended).unwrap();
    session.slide(session.start(), true, &mut Unattended).unwrap();
    after_each(session);
}

#[test]
fn everything_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a session.mw");
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    explore(&mut session, |session| file.save(session).unwrap());
    drop(file);
    let before = digest(&session);

    let (mut file, mut again) = reopen(&path);
    assert_eq!(digest(&again), before);
    assert_eq!(again.machine(), session.machine());
    assert_eq!(again.world().state(), session.world().state());
    plain::check(&again, ROUNDS);

    // It goes on from there, in the file as well.
    again.step(Unit::Instruction, Direction::Forward, 90, &mut Unattended).unwrap();
    again.breakpoints_mut().enable(mw_session::BreakpointId(1), true);
    file.save(&mut again).unwrap();
    drop(file);
    let (_file, third) = reopen(&path);
    assert_eq!(digest(&third), digest(&again));

    // One file, and nothing beside it.
    drop(_file);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn every_save_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    let mut file = Some(SessionFile::create(&path, &program, &mut session).unwrap());
    explore(&mut session, |session| {
        file.as_mut().unwrap().save(session).unwrap();
        drop(file.take());
        let (again, restored) = reopen(&path);
        assert_eq!(digest(&restored), digest(session));
        plain::check(&restored, ROUNDS);
        file = Some(again);
    });
}

#[test]
fn a_session_is_put_into_a_file_late() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.mw");
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    explore(&mut session, |_| {});
    drop(SessionFile::create(&path, &program, &mut session).unwrap());
    assert_eq!(digest(&reopen(&path).1), digest(&session));
}

#[test]
fn saving_nothing_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    explore(&mut session, |session| file.save(session).unwrap());
    drop(file);
    let bytes = std::fs::read(&path).unwrap();
    let (mut file, mut again) = reopen(&path);
    file.save(&mut again).unwrap();
    drop(file);
    assert!(std::fs::read(&path).unwrap() == bytes);
}

#[test]
fn the_world_comes_back_with_its_recordings_and_readings() {
    const WORLD: &str = r#"
        extends = "board"
        [import.env.chip_analog_read]
        source = { recorded = "values.txt" }
    "#;
    let load = |file: &str| match file {
        "values.txt" => Ok("100 200 13 400".to_owned()),
        _ => Err("no such file".to_owned()),
    };
    let (world, description) = WorldSource::read("garden.toml", WORLD, &load).unwrap();
    let recordings = BTreeMap::from([("values.txt".to_owned(), "100 200 13 400".to_owned())]);
    let name = "garden.toml".to_owned();
    assert_eq!(world, WorldSource::File { name, text: WORLD.into(), recordings });

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let program = Program { world, ..program(ROUNDS) };
    let mut session = program.session().unwrap();
    assert_eq!(session.world().description().fingerprint(), description.fingerprint());
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    let call = Call { import: READ, args: &[Value::I32(2)] };
    session.world_mut().unwrap().set_reading(call, Some(Value::I32(999))).unwrap();
    session.rebase_world();
    file.save(&mut session).unwrap();
    session.step(Unit::Instruction, Direction::Forward, 150, &mut Unattended).unwrap();
    assert_eq!(session.machine().exported_global("sum"), Some(Value::I32(100 + 200 + 999 + 400)));
    file.save(&mut session).unwrap();
    drop(file);

    let (_file, again) = reopen(&path);
    assert_eq!(again.world().state(), session.world().state());
    assert!(SessionFile::open(&path).unwrap_err().to_string().contains("in use"));
}

/// Version 1 had neither labels nor sources: the same file without those tables.
#[test]
fn a_file_of_version_1_is_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    session.run(Direction::Forward, &mut Unattended).unwrap();
    let here = session.here();
    session.bookmarks_mut().set("end", here);
    file.save(&mut session).unwrap();
    drop(file);
    let version = || -> u32 {
        let file = rusqlite::Connection::open(&path).unwrap();
        file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    };
    assert_eq!(version(), VERSION);
    let older = rusqlite::Connection::open(&path).unwrap();
    let tables = "DROP TABLE label; DROP TABLE source; DROP TABLE unvisited; DROP TABLE start; \
                  DROP TABLE furthest; DROP TABLE payload; DROP TABLE cut; DROP TABLE system; \
                  DROP TABLE property; DROP TABLE scenario; \
                  DELETE FROM meta WHERE key = 'skips'; PRAGMA user_version = 1";
    older.execute_batch(tables).unwrap();
    drop(older);

    let (mut file, mut again) = reopen(&path);
    assert_eq!(digest(&again), digest(&session));
    again.restore_labels([(here.node, "0..12".to_owned())]);
    file.save(&mut again).unwrap();
    drop(file);
    assert_eq!(version(), VERSION);
    let (_file, third) = reopen(&path);
    assert_eq!(third.label_of(here.node), Some("0..12"));
    assert_eq!(digest(&third), digest(&again));
}

#[test]
fn going_on_without_an_interrupt_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let program = program(ROUNDS);
    let control = &mut Unattended;
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    // After several readings, where the tree has nothing further yet: it may arrive or not.
    session.step(Unit::Instruction, Direction::Forward, 200, control).unwrap();
    let before = session.here();
    session.interrupt(3).unwrap();
    session.slide(before, false, control).unwrap();
    session.go_without();
    assert_eq!(session.multiverse().preferred(before.node), None);
    file.save(&mut session).unwrap();
    drop(file);
    let (_file, again) = reopen(&path);
    assert_eq!(digest(&again), digest(&session));
    assert_eq!(again.multiverse().preferred(before.node), None);
}

/// Suggestions that are removed are gone from the file; whatever else there is keeps its name.
#[test]
fn what_is_removed_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.mw");
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    session.step(Unit::Instruction, Direction::Forward, 60, &mut Unattended).unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    let here = session.here();
    let site = session.multiverse().choice(here.node).unwrap().site.clone();
    let suggest = |session: &mut Session, after: NodeId, value: u64| {
        let count = session.multiverse().start(after).max(here.count) + 5;
        session.multiverse_mut().suggest(after, count, &site, value)
    };
    // The first goes on with the segment, the others branch off it.
    let first = suggest(&mut session, here.node, 1);
    let second = suggest(&mut session, here.node, 2);
    let kept = suggest(&mut session, second, 3);
    let gone = suggest(&mut session, kept, 4);
    let third = suggest(&mut session, here.node, 5);
    let place = Place { node: kept, count: session.multiverse().start(kept) };
    session.bookmarks_mut().set("kept", place);
    file.save(&mut session).unwrap();
    let full = std::fs::metadata(&path).unwrap().len();
    assert_eq!(session.remove_suggested(NodeId::ROOT), 3);
    file.save(&mut session).unwrap();
    // What comes now has names of its own, in the file as well.
    let new = suggest(&mut session, here.node, 6);
    let newer = suggest(&mut session, new, 7);
    file.save(&mut session).unwrap();
    assert!([first, gone, third].iter().all(|node| ![new, newer].contains(node)));
    drop(file);
    let (mut file, mut again) = reopen(&path);
    for session in [&session, &again] {
        let tree = session.multiverse();
        assert!([second, kept, new, newer].iter().all(|node| tree.contains(*node)));
        assert!([first, gone, third].iter().all(|node| !tree.contains(*node)));
    }
    assert_eq!(digest(&again), digest(&session));
    assert!(std::fs::metadata(&path).unwrap().len() <= full);
    // And once more, with a file that has been opened.
    assert_eq!(again.remove_suggested(new), 2);
    file.save(&mut again).unwrap();
    drop(file);
    let (_file, last) = reopen(&path);
    assert_eq!(digest(&last), digest(&again));
}

/// Properties come back with their verdicts, which are found out again.
#[test]
fn properties_and_scenarios_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watched.mw");
    let program = program(ROUNDS);
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    let text = PropertyText {
        name: "brief".into(),
        text: "state init accepting { transition { event end success over } }\n\
               state over non-accepting"
            .into(),
        path: Some("brief.mwp".into()),
    };
    let id = session.load_property(text.clone(), None, &mut Unattended).unwrap();
    let (name, property) = ("stop".to_owned(), Some(id));
    let stop = "on entering non-accepting state { suspend() }".to_owned();
    let scenario = ScenarioText { name, text: stop, path: None, property };
    session.load_scenario(scenario.clone(), None).unwrap();
    assert_eq!(session.run(Direction::Forward, &mut Unattended), Ok(Halt::Violated));
    file.save(&mut session).unwrap();
    drop(file);

    let (_, mut again) = reopen(&path);
    assert_eq!(again.properties().get(id).map(|(text, _)| text), Some(&text));
    assert_eq!(again.scenarios().iter().map(|(_, text, _)| text).collect::<Vec<_>>(), [&scenario]);
    assert_eq!(again.monitor(id).map(|state| state.verdict()), {
        session.monitor(id).map(|state| state.verdict())
    });
    assert_eq!(again.state_hash(), session.state_hash());
}
