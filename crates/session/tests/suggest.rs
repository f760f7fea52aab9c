//! Suggestions: the programs of seed 000's Table 1, and that every suggested path is the path that
//! was promised.

mod common;

use std::sync::Arc;

use mw_concolic::solver::sat::Sat;
use mw_concolic::{Class, End, Explorer, Goal, Leaf, Options as Exploring, Stop, Tree};
use mw_session::{Condition, Mock, Options, Outcome, Place, Session, Unattended};
use mw_vm::{Limits, Module, Status, Value};
use mw_world::{Call, Description};
use proptest::prelude::*;

use common::Setup;
use common::program::program;

fn exploring() -> Exploring {
    Exploring { backends: vec![Box::new(Sat::new())], ..Exploring::default() }
}

fn open(name: &str) -> Session {
    let path = format!("{}/../../examples/{name}/{name}.wasm", env!("CARGO_MANIFEST_DIR"));
    let wasm = std::fs::read(path).unwrap();
    let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap());
    let world = Arc::new(Description::board(Default::default()));
    let main = module.exported_func("main").unwrap();
    Session::new(module, &world, Some((main, vec![])), Options::default()).unwrap()
}

/// Explores from where a session stands, and adds what is found.
fn suggest(session: &mut Session, options: Exploring) -> (Vec<Leaf>, Vec<Place>, Explorer) {
    let from = session.here();
    let mut explorer = session.explorer(options);
    explorer.run(&Stop::default(), &mut |_| {});
    let mut leaves = explorer.all_leaves();
    let places = session.adopt(from, &mut leaves);
    (leaves, places, explorer)
}

/// Slides to each path and looks whether it is what was promised.
fn keep_promises(session: &mut Session, leaves: &[Leaf], places: &[Place]) {
    let here = session.here();
    for (leaf, &place) in leaves.iter().zip(places) {
        session.slide(place, true, &mut Unattended).unwrap();
        let machine = session.machine();
        assert_eq!(machine.count(), leaf.count);
        match &leaf.end {
            End::Finished => assert_eq!(machine.status(), Status::Idle, "{leaf:#?}"),
            End::Trapped(kind) => assert_eq!(machine.status(), Status::Trapped(*kind), "{leaf:#?}"),
            End::Aborted(message) => assert_eq!(session.abort_message(), Some(&**message)),
            _ => {
                // What was cut off right before it traps may be known to trap by now.
                assert_ne!(machine.status(), Status::Idle, "{leaf:#?}");
                assert_eq!(Some(machine.pc()), leaf.pc);
            }
        }
    }
    session.slide(here, true, &mut Unattended).unwrap();
}

/// Program, paths, the most options at one choice.
const TABLE_1: [(&str, usize, usize); 12] = [
    ("crystal-ball", 11, 8),
    ("knock", 2, 2),
    ("touch-sensor-lamp", 2, 2),
    ("switch", 5, 5),
    ("keyboard", 8, 8),
    ("love-o-meter", 4, 4),
    ("while-no-calibrate", 3, 3),
    ("while", 8, 4),
    ("knock-lock", 21, 4),
    ("zoetrope", 16, 2),
    ("gesture-robot", 31, 2),
    ("breakout-fall", 3, 3),
];

#[test]
fn table_1() {
    for (name, paths, options) in TABLE_1 {
        let mut session = open(name);
        let (leaves, places, explorer) = suggest(&mut session, exploring());
        assert!(
            explorer.is_complete(),
            "{name}: {:#?}",
            leaves.iter().map(|leaf| &leaf.end).collect::<Vec<_>>()
        );
        assert_eq!((leaves.len(), Tree::new(&leaves).max_options()), (paths, options), "{name}");
        keep_promises(&mut session, &leaves, &places);
    }
}

/// The calibration story: once it is decided what the sensor was calibrated with, few paths are
/// left.
#[test]
fn what_is_mocked_stays_mocked() {
    let mut session = open("while");
    let read = session.world().find("chip_analog_read").unwrap();
    let value = Value::I32(2000);
    session.mocks_mut().add(Mock { import: read, args: None, value, once: true });
    let (leaves, places, explorer) = suggest(&mut session, exploring());
    assert!(explorer.is_complete());
    let mocked: Vec<_> =
        leaves.iter().flat_map(|leaf| &leaf.steps).filter(|s| s.class == Class::Mocked).collect();
    assert!(mocked.iter().all(|step| step.value == value));
    assert_eq!(
        leaves.iter().filter(|leaf| leaf.steps.iter().any(|s| s.class == Class::Mocked)).count(),
        leaves.len()
    );
    assert!(leaves.len() < 8, "{}", leaves.len());
    // Nothing moved, and where one would go is as open as before.
    assert_eq!(session.here(), Place::default());
    assert!(session.multiverse().preferred(session.here().node).is_none());
    keep_promises(&mut session, &leaves, &places);
}

#[test]
fn from_the_middle_of_a_universe() {
    let mut session = open("knock-lock");
    let value = Value::I32(1);
    let button = session.world().find("chip_digital_read").unwrap();
    session.mocks_mut().add(Mock { import: button, args: None, value, once: true });
    session.run(mw_session::Direction::Forward, &mut Unattended).unwrap();
    // At the end of it, nothing comes after.
    let (leaves, ..) = suggest(&mut session, exploring());
    assert_eq!(leaves.len(), 1);
    assert_eq!(leaves[0].steps, []);
    // From its middle on, only what comes then is open.
    let node = session.here().node;
    let first = session.multiverse().ancestors(node).nth(1).unwrap();
    let count = session.multiverse().start(first);
    session.slide(Place { node: first, count }, true, &mut Unattended).unwrap();
    let (leaves, places, explorer) = suggest(&mut session, exploring());
    assert!(explorer.is_complete() && leaves.len() > 1);
    assert!(leaves.iter().all(|leaf| leaf.steps[0].count >= count));
    keep_promises(&mut session, &leaves, &places);
    assert!(
        places.iter().all(|place| session.multiverse().ancestors(place.node).any(|n| n == first))
    );
}

/// What has been read is the example of its class; what an input is set to comes next.
#[test]
fn known_values_are_examples() {
    let mut session = open("knock");
    let read = session.world().find("chip_analog_read").unwrap();
    let (leaves, ..) = suggest(&mut session, exploring());
    let classes: Vec<_> = leaves.iter().map(|leaf| leaf.steps[0].class.clone()).collect();
    for (known, is_set) in [(77, false), (2000, false), (77, true), (2000, true)] {
        let mut session = open("knock");
        let value = Value::I32(known);
        let args = leaves[0].steps[0].args.to_vec();
        if is_set {
            let world = session.world_mut().unwrap();
            world.set_reading(Call { import: read, args: &args }, Some(value)).unwrap();
            session.rebase_world();
        } else {
            session.mocks_mut().add(Mock { import: read, args: None, value, once: true });
            session.run(mw_session::Direction::Forward, &mut Unattended).unwrap();
            session.slide(Place::default(), true, &mut Unattended).unwrap();
        }
        let (now, places, _) = suggest(&mut session, exploring());
        for (leaf, class) in now.iter().zip(&classes) {
            assert_eq!(leaf.steps[0].class, *class);
            assert_eq!(leaf.steps[0].value == value, class.contains(value));
        }
        keep_promises(&mut session, &now, &places);
        // No class has two branches.
        let node = session.here().node;
        assert_eq!(session.multiverse().steps(node).count(), classes.len());
    }
}

#[test]
fn ends_are_noted_in_the_tree() {
    let mut session = open("while");
    let (leaves, places, _) = suggest(&mut session, exploring());
    let trapped = leaves.iter().filter(|leaf| matches!(leaf.end, End::Trapped(_))).count();
    let noted = |place: &&Place| {
        matches!(session.multiverse().ended(place.node), Some((_, Outcome::Trapped(_))))
    };
    assert_eq!(places.iter().filter(noted).count(), trapped);
    assert!(session.labels().any(|(_, text)| text == "0..1027"));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// Whatever the program: sliding to what was suggested leads where it was promised.
    #[test]
    fn every_suggestion_is_kept(program in program()) {
        let setup = Setup::new(&program);
        let mut session = setup.session(Options { dry: true, ..Options::default() });
        let options = || {
            let mut options = exploring();
            options.bounds.paths = 20;
            options.bounds.inputs = 4;
            options.bounds.turns = 4;
            options.bounds.instructions = 2_000;
            options.bounds.solver_time = std::time::Duration::from_millis(20);
            options
        };
        let (leaves, places, first) = suggest(&mut session, options());
        keep_promises(&mut session, &leaves, &places);
        // Again from there, now that all is known.
        let nodes = session.multiverse().len();
        let (leaves, places, second) = suggest(&mut session, options());
        keep_promises(&mut session, &leaves, &places);
        // Which value a question leads to that was not answered depends on the time that there was.
        let knows_all = |e: &Explorer| e.is_complete() && e.statistics().unknown == 0;
        let grown = session.multiverse().len() - nodes;
        prop_assert!(!(knows_all(&first) && knows_all(&second)) || grown == 0);
    }
}

/// "Find a universe where x == 66": in terms of the program's state, at whatever time.
#[test]
fn a_universe_where_something_holds() {
    let wat = r#"(module
      (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
      (global $x (mut i32) (i32.const 0))
      (memory 1)
      (func (export "main") (local $l i32)
        (local.set $l (call $read (i32.const 0)))
        (f32.store (i32.const 16) (f32.div (f32.convert_i32_s (local.get $l)) (f32.const 4)))
        (global.set $x (i32.sub (local.get $l) (call $read (i32.const 1))))
        (if (i32.gt_s (global.get $x) (i32.const 100)) (then (global.set $x (i32.const -1))))))"#;
    let setup = Setup::of(wat, Description::board(Default::default()));
    for (text, holds) in [
        ("global 0 == 66", true),
        ("global 0 < -4000 and local 0 > 3", true),
        ("f32 @ 16 == 2.25", true),
        ("f32 @ 16 == 2.3", false),
        ("global 0 == 5000", false),
    ] {
        let mut session = setup.session(Options::default());
        let condition = Condition::parse(text, session.module()).unwrap();
        let goal = Some(Goal::Holds(Arc::new(condition.clone())));
        let (leaves, places, _) = suggest(&mut session, Exploring { goal, ..exploring() });
        let found = leaves.iter().position(|leaf| leaf.end == End::Reached);
        assert_eq!(found.is_some(), holds, "{text}");
        if let Some(found) = found {
            session.slide(places[found], true, &mut Unattended).unwrap();
            assert!(condition.holds(session.machine()), "{text}");
        }
    }
}
