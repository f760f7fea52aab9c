//! Steps from line to line, over programs that real compilers built.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mw_session::{Direction, Halt, Options, Place, Session, Skip, Unattended, Unit};
use mw_source::Sources;
use mw_vm::{Limits, Module, Value};
use mw_world::Description;

const UNITS: [Unit; 2] = [Unit::Line, Unit::LineOver];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A session with the sources of its program.
struct Program {
    session: Session,
    sources: Arc<Sources>,
}

impl Program {
    /// A module by its path from the root of the repository, and a call.
    fn new(path: &str, entry: &str, args: &[Value], interval: u64) -> Program {
        let path = root().join(path);
        let wasm = std::fs::read(&path).unwrap();
        let folder = path.parent().unwrap();
        let load = |name: &str| std::fs::read(folder.join(name)).ok();
        let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap());
        let sources = Arc::new(Sources::new(&module, &wasm, &load));
        let entry = (module.exported_func(entry).unwrap(), args.to_vec());
        let options = Options { checkpoint_interval: interval, ..Options::default() };
        let world = Arc::new(Description::board(Default::default()));
        let mut session = Session::new(module, &world, Some(entry), options).unwrap();
        session.set_sources(0, sources.clone());
        Program { session, sources }
    }

    fn step(&mut self, unit: Unit, direction: Direction) -> Halt {
        self.session.step(unit, direction, 1, &mut Unattended).unwrap()
    }

    /// The line that is next, as `function:line`.
    fn line(&self) -> String {
        let stack = self.session.machine().call_stack();
        let Some(frame) = stack.first() else { return "end".into() };
        let offset = self.session.module().offset_of(frame.pc).unwrap();
        let frames = self.sources.frames(offset);
        let name = frames[0].function.clone();
        let name = name.unwrap_or_else(|| self.session.module().func_name(frame.func));
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        let line = self.sources.statement(offset).map_or(0, |(_, at)| at.line);
        format!("{name}:{line}")
    }

    /// Steps forward, at most so often; the places that are visited.
    fn forward(&mut self, unit: Unit, most: usize) -> Vec<(u64, String)> {
        let mut visited = vec![(self.session.here().count, self.line())];
        for _ in 0..most {
            let halt = self.step(unit, Direction::Forward);
            visited.push((self.session.here().count, self.line()));
            if halt != Halt::Reached {
                break;
            }
        }
        visited
    }

    /// Steps back to the start; the places that are visited.
    fn back(&mut self, unit: Unit) -> Vec<(u64, String)> {
        let mut visited = vec![(self.session.here().count, self.line())];
        while self.step(unit, Direction::Back) != Halt::Edge {
            visited.push((self.session.here().count, self.line()));
        }
        visited.push((self.session.here().count, self.line()));
        visited
    }

    fn lines(visited: &[(u64, String)]) -> String {
        visited.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join(" ")
    }
}

fn fixture(name: &str, entry: &str, args: &[Value], interval: u64) -> Program {
    Program::new(&format!("crates/source/tests/fixtures/{name}.wasm"), entry, args, interval)
}

/// Forward and back must visit the same places.
fn check_both_ways(what: &str, program: &mut Program, unit: Unit, most: usize) {
    let forward = program.forward(unit, most);
    let mut back = program.back(unit);
    back.reverse();
    // Where a program fails is also where it has not failed yet.
    let mut expected = forward.clone();
    expected.dedup_by_key(|(count, _)| *count);
    assert_eq!(back, expected, "{what} by {unit:?}");
    assert!(unit != Unit::Line || forward.len() > 2, "{what} by {unit:?}: {forward:?}");
}

fn imports_from(name: &str, path: &str) -> bool {
    let wasm = std::fs::read(root().join(path)).unwrap();
    let module = Module::from_binary(&wasm, &Limits::default()).unwrap();
    module.imports().any(|(import, _)| &*import.module == name)
}

#[test]
fn back_visits_what_forward_did_in_the_opposite_order() {
    let mut examples = 0;
    for folder in std::fs::read_dir(root().join("examples")).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        let path = format!("examples/{name}/{name}.wasm");
        // An actor's turns are not one run.
        if !root().join(format!("{path}.map")).exists() || imports_from("actor", &path) {
            continue;
        }
        examples += 1;
        for interval in [97, 4_000_000] {
            for unit in UNITS {
                let mut program = Program::new(&path, "main", &[], interval);
                check_both_ways(&name, &mut program, unit, 60);
            }
        }
    }
    assert!(examples > 10, "the examples are there: {examples}");
    for name in ["shelf-O0", "shelf-O2"] {
        for interval in [7, 4_000_000] {
            for unit in UNITS {
                let mut program = fixture(name, "factorial", &[Value::I32(5)], interval);
                check_both_ways(name, &mut program, unit, 1000);
                let shelf = program.session.machine().exported_global("shelf").unwrap();
                let mut program = fixture(name, "weigh", &[shelf, Value::I32(50)], interval);
                check_both_ways(name, &mut program, unit, 1000);
            }
        }
    }
    for unit in UNITS {
        let mut program = fixture("pantry", "count", &[Value::I32(3)], 50);
        check_both_ways("pantry", &mut program, unit, 300);
        let mut program = fixture("garden", "grow", &[Value::I32(3)], 50);
        check_both_ways("garden", &mut program, unit, 300);
    }
}

#[test]
fn a_slide_to_a_line_leads_to_its_beginning() {
    for interval in [97, 4_000_000] {
        let mut program = Program::new("examples/breakout/breakout.wasm", "main", &[], interval);
        let visited = program.forward(Unit::Line, 100);
        let (end, _) = *visited.last().unwrap();
        for count in 0..end {
            let node = program.session.multiverse().node_at(program.session.here().node, count);
            let place = Place { node, count };
            program.session.slide_to_line(place, false, &mut Unattended).unwrap();
            let begins = visited.iter().rev().find(|(begins, _)| *begins <= count);
            assert_eq!(begins, Some(&(program.session.here().count, program.line())), "{count}");
        }
    }
}

#[test]
fn recursion_is_stepped_into_over_and_out_of() {
    let mut program = fixture("shelf-O0", "factorial", &[Value::I32(2)], 10);
    let all = program.forward(Unit::Line, 100);
    let into = "factorial:39 factorial:40 factorial:43 factorial:40 factorial:41 factorial:44 \
                factorial:44 end";
    assert_eq!(Program::lines(&all), into);
    program.back(Unit::Line);
    let over = program.forward(Unit::LineOver, 100);
    assert_eq!(Program::lines(&over), "factorial:39 factorial:40 factorial:43 factorial:44 end");

    // Out of the inner call, and back out to the line that made it.
    program.back(Unit::Line);
    for _ in 0..3 {
        program.step(Unit::Line, Direction::Forward);
    }
    let inner = program.session.here();
    assert_eq!(
        (program.line().as_str(), program.session.machine().call_depth()),
        ("factorial:40", 2)
    );
    program.step(Unit::LineOut, Direction::Forward);
    assert_eq!(
        (program.line().as_str(), program.session.machine().call_depth()),
        ("factorial:44", 1)
    );
    program.session.slide(inner, true, &mut Unattended).unwrap();
    program.step(Unit::LineOut, Direction::Back);
    assert_eq!(
        (program.line().as_str(), program.session.machine().call_depth()),
        ("factorial:43", 1)
    );
}

#[test]
fn loops_and_inlined_functions_are_stepped_through() {
    for (name, unit, expected) in [
        (
            "shelf-O0",
            Unit::Line,
            "weigh:46 weigh:47 weigh:48 weigh:49 heavier:36 weigh:50 weigh:52 weigh:53 \
             weigh:48 weigh:49 heavier:36 weigh:50 weigh:55 weigh:56 weigh:48 weigh:61 \
             end",
        ),
        (
            "shelf-O0",
            Unit::LineOver,
            "weigh:46 weigh:47 weigh:48 weigh:49 weigh:50 weigh:52 weigh:53 weigh:48 weigh:49 \
             weigh:50 weigh:55 weigh:56 weigh:48 weigh:61 end",
        ),
        (
            "shelf-O2",
            Unit::Line,
            "weigh:48 weigh:49 heavier:36 weigh:50 weigh:52 weigh:53 weigh:55 weigh:48 weigh:49 \
             heavier:36 weigh:50 weigh:53 weigh:55 weigh:48 weigh:61 end",
        ),
        (
            "shelf-O2",
            Unit::LineOver,
            "weigh:48 weigh:49 weigh:50 weigh:52 weigh:53 weigh:55 weigh:48 weigh:49 weigh:50 \
             weigh:53 weigh:55 weigh:48 weigh:61 end",
        ),
    ] {
        let mut program = fixture(name, "factorial", &[Value::I32(2)], 10);
        let shelf = program.session.machine().exported_global("shelf").unwrap();
        program = fixture(name, "weigh", &[shelf, Value::I32(50)], 10);
        assert_eq!(Program::lines(&program.forward(unit, 1000)), expected, "{name} by {unit:?}");
    }
}

#[test]
fn without_lines_one_is_told() {
    let mut program = fixture("shelf-O0", "factorial", &[Value::I32(2)], 10);
    let nothing = Sources::new(program.session.module(), b"", &|_| None);
    program.session.set_sources(0, Arc::new(nothing));
    let stepped = program.session.step(Unit::Line, Direction::Forward, 1, &mut Unattended);
    assert!(stepped.unwrap_err().to_string().contains("no line"));
}

#[test]
fn what_is_skipped_is_passed_through_both_ways() {
    let shelf = || {
        let program = fixture("shelf-O0", "factorial", &[Value::I32(2)], 10);
        let shelf = program.session.machine().exported_global("shelf").unwrap();
        fixture("shelf-O0", "weigh", &[shelf, Value::I32(50)], 10)
    };
    let over = shelf().forward(Unit::LineOver, 1000);
    let mut program = shelf();
    program.session.skips_mut().add(Skip::Named("heavier".into()));
    assert_eq!(program.forward(Unit::Line, 1000), over);
    let mut back = program.back(Unit::Line);
    back.reverse();
    assert_eq!(back, over);
    // Who has stopped in it can step in it, and out of it.
    program
        .session
        .slide(Place { count: 71, ..program.session.start() }, true, &mut Unattended)
        .unwrap();
    assert_eq!(program.line(), "heavier:36");
    program.step(Unit::Line, Direction::Forward);
    assert_eq!(program.line(), "weigh:50");
}

#[test]
fn a_language_s_own_library_is_passed_through() {
    for (name, entry) in [("pantry", "count"), ("garden", "grow")] {
        let mut program = fixture(name, entry, &[Value::I32(3)], 50);
        let library = |program: &Program, offset: u32| {
            let at = program.sources.statement(offset).map(|(_, at)| at.file);
            at.is_some_and(|file| program.sources.file(file).is_library())
        };
        let mut stops_in = |skips: bool| {
            let mut found = 0;
            let start = program.session.start();
            program.session.slide(start, true, &mut Unattended).unwrap();
            if !skips {
                program.session.skips_mut().remove(1);
            }
            while program.step(Unit::Line, Direction::Forward) == Halt::Reached {
                let pc = program.session.machine().pc();
                let offset = program.session.module().offset_of(pc).unwrap();
                found += usize::from(library(&program, offset));
            }
            found
        };
        assert_eq!(stops_in(true), 0, "{name}");
        assert!(stops_in(false) > 0, "{name}");
    }
}
