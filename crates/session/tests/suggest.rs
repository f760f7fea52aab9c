//! Suggestions: the programs of seed 000's Table 1, and that every suggested path is the path that
//! was promised.

use crate::common;

use std::sync::Arc;

use mw_concolic::solver::sat::Sat;
use mw_concolic::{Asked, Class, End, Explorer, Goal, Leaf, Options as Exploring, Stop, Tree};
use mw_session::{
    Condition, Direction, Halt, Mock, Names, Options, Outcome, Payload, Place, Session, Site,
    Unattended, Unit,
};
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
    let mut explorer = session.explorer(from, options, &mut Unattended).unwrap();
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
    session.mocks_mut().add(Mock {
        port: None,
        import: read,
        args: None,
        answer: value.into(),
        once: true,
    });
    let (leaves, places, explorer) = suggest(&mut session, exploring());
    // What is mocked could be otherwise, so these are all paths, and not all that there are.
    assert!(explorer.is_done() && leaves.iter().all(|leaf| leaf.end.is_whole()));
    assert!(!explorer.is_complete());
    let mocked: Vec<_> =
        leaves.iter().flat_map(|leaf| &leaf.steps).filter(|s| s.class == Class::Mocked).collect();
    assert!(mocked.iter().all(|step| step.value == Some(value)));
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
    session.mocks_mut().add(Mock {
        port: None,
        import: button,
        args: None,
        answer: value.into(),
        once: true,
    });
    forward(&mut session);
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
        let Asked::Input { args, .. } = leaves[0].steps[0].asked.clone() else { panic!() };
        if is_set {
            let world = session.world_mut().unwrap();
            world.set_reading(Call { import: read, args: &args }, Some(value)).unwrap();
            session.rebase_world();
        } else {
            session.mocks_mut().add(Mock {
                port: None,
                import: read,
                args: None,
                answer: value.into(),
                once: true,
            });
            forward(&mut session);
            session.slide(Place::default(), true, &mut Unattended).unwrap();
        }
        let (now, places, _) = suggest(&mut session, exploring());
        for (leaf, class) in now.iter().zip(&classes) {
            assert_eq!(leaf.steps[0].class, *class);
            assert_eq!(leaf.steps[0].value == Some(value), class.contains(value));
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

fn forward(session: &mut Session) -> Halt {
    session.run(Direction::Forward, &mut Unattended).unwrap()
}

/// What inputs return on a run from here to the next stop.
fn read(session: &mut Session) -> (Halt, Vec<(u64, Site, Payload)>) {
    (forward(session), session.trace().choices)
}

/// A suggestion is a possibility: what is run next is what would have been run without it.
#[test]
fn suggestions_do_not_steer() {
    for (name, ..) in TABLE_1 {
        let expected = read(&mut open(name));
        let mut session = open(name);
        let start = session.here();
        let (_, places, _) = suggest(&mut session, exploring());
        // Nor does it matter that somebody has looked at one.
        session.diff(start, places[places.len() - 1], &mut Unattended).unwrap();
        assert!(!session.is_in_the_past());
        assert_eq!(read(&mut session), expected, "{name}");
        // Once it is recorded, it is gone through again, whatever else is suggested.
        session.slide(start, true, &mut Unattended).unwrap();
        suggest(&mut session, exploring());
        assert_eq!(read(&mut session), expected, "{name}, again");
    }
}

/// What has been recorded is followed where more was suggested later, in whatever universe.
#[test]
fn what_was_recorded_comes_before_what_was_suggested() {
    let mut session = open("keyboard");
    let start = session.here();
    let import = session.world().find("chip_analog_read").unwrap();
    let mut recorded = Vec::new();
    for value in [600, 1100] {
        let value = Value::I32(value);
        session.mocks_mut().add(Mock {
            port: None,
            import,
            args: None,
            answer: value.into(),
            once: true,
        });
        recorded.push((read(&mut session), session.here()));
        session.slide(start, true, &mut Unattended).unwrap();
    }
    suggest(&mut session, exploring());
    for (expected, end) in recorded {
        session.slide(end, true, &mut Unattended).unwrap();
        session.slide(start, true, &mut Unattended).unwrap();
        assert_eq!(read(&mut session), expected);
    }
}

/// Whoever slides to a suggested place has been there, and is led there again.
#[test]
fn what_was_slid_to_is_recorded() {
    let mut session = open("knock-lock");
    let start = session.here();
    let (_, places, _) = suggest(&mut session, exploring());
    let place = places[places.len() - 1];
    assert!(!session.multiverse().is_visited(place.node));
    session.slide(place, true, &mut Unattended).unwrap();
    let choices = session.trace().choices;
    let tree = session.multiverse();
    assert!(tree.ancestors(place.node).all(|node| tree.is_visited(node)));
    session.slide(start, true, &mut Unattended).unwrap();
    assert!(session.is_in_the_past());
    let (_, read) = read(&mut session);
    assert!(read.starts_with(&choices), "{read:?} instead of {choices:?}");
}

/// To run as suggested is possible, and said.
#[test]
fn running_as_suggested_says_so() {
    let mut session = open("knock-lock");
    let (leaves, ..) = suggest(&mut session, exploring());
    session.run_as_suggested(&mut Unattended).unwrap();
    let values =
        |choices: &[(u64, Site, Payload)]| choices.iter().map(|c| c.2.slot).collect::<Vec<_>>();
    let suggested: Vec<Vec<u64>> = leaves
        .iter()
        .map(|leaf| leaf.steps.iter().map(|step| step.value.unwrap().to_slot()).collect())
        .collect();
    let choices = session.trace().choices;
    assert!(suggested.contains(&values(&choices)), "{choices:?}");
    let said: Vec<String> = session.take_logged().into_iter().map(|line| line.text).collect();
    let expected = choices.iter().map(|(_, site, payload)| session.show_choice(site, payload));
    assert_eq!(said, expected.map(|text| format!("{text}, as suggested")).collect::<Vec<_>>());
}

/// Interrupts that arrive, also twice and with inputs in between, are where they were promised, and
/// a trace of each leads there elsewhere.
#[test]
fn interrupts_arrive_where_it_was_promised() {
    let wat = r#"(module
      (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
      (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
      (table 1 funcref) (elem (i32.const 0) $handler)
      (global $limit (mut i32) (i32.const 100))
      (func $handler
        (if (i32.gt_s (call $read (i32.const 1)) (i32.const 50))
          (then (global.set $limit (i32.sub (global.get $limit) (i32.const 50))))))
      (func (export "main")
        (call $subscribe (i32.const 4) (i32.const 0) (i32.const 2))
        (drop (i32.div_s (call $read (i32.const 0)) (global.get $limit)))
        (global.set $limit (i32.add (global.get $limit) (i32.const 1)))))"#;
    let setup = Setup::of(wat, Description::board(Default::default()));
    let mut session = setup.session(Options::default());
    let mut options = exploring();
    options.bounds.interrupts = 2;
    let (leaves, places, explorer) = suggest(&mut session, options);
    assert!(explorer.is_complete());
    assert_eq!(explorer.most_interrupts(), Some(2));
    let traps = leaves.iter().filter(|leaf| matches!(leaf.end, End::Trapped(_))).count();
    // No interrupt; one before the update, in its middle twice, and after it; two of these, in order.
    // Each handler goes either way; one that has changed nothing is not called again at once.
    assert_eq!((leaves.len(), traps), (1 + 4 * 2 + 10 * 4 - 4 * 2, 1));
    keep_promises(&mut session, &leaves, &places);
    for (leaf, place) in leaves.iter().zip(places) {
        session.slide(place, true, &mut Unattended).unwrap();
        let mut elsewhere = setup.session(Options::default());
        let trace = elsewhere.read_trace(&session.write_trace(&session.trace())).unwrap();
        elsewhere.replay_trace(&trace, &mut Unattended).unwrap();
        assert_eq!(elsewhere.machine().status(), session.machine().status(), "{leaf:#?}");
        assert_eq!(elsewhere.here().count, leaf.count);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// Whatever the program: sliding to what was suggested leads where it was promised.
    #[test]
    fn every_suggestion_is_kept_and_steers_nothing(program in program()) {
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
        let mut unadvised = setup.session(Options { dry: true, ..Options::default() });
        let (leaves, places, first) = suggest(&mut session, options());
        let budget = |session: &mut Session| {
            let ran = session.step(Unit::Instruction, Direction::Forward, 3_000, &mut Unattended);
            (ran.unwrap(), session.trace().choices)
        };
        prop_assert_eq!(budget(&mut session), budget(&mut unadvised));
        session.slide(session.start(), true, &mut Unattended).unwrap();
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
        ("!(global 0 != 66) and local 0 == 70 or global 7 == 0", true),
        ("f32 @ 16 and i8 @ 19 < 65 and u8 @ 18 == 0x10", true),
        ("!(global 7 == 0) or global 0 == 5000", false),
        ("(global 0 > 4000) == true and (local 0 < 4001.5) != 0", true),
    ] {
        let mut session = setup.session(Options::default());
        let condition = Condition::parse(text, &Names::of(session.module())).unwrap();
        assert!(condition.is_symbolic(), "{text}");
        let goal = Some(Goal::Holds(Arc::new(condition.clone())));
        let (leaves, places, _) = suggest(&mut session, Exploring { goal, ..exploring() });
        let found = leaves.iter().position(|leaf| leaf.end == End::Reached);
        assert_eq!(found.is_some(), holds, "{text}");
        if let Some(found) = found {
            session.slide(places[found], true, &mut Unattended).unwrap();
            assert_eq!(condition.holds(session.sources(), session.machine()), Ok(true), "{text}");
        }
    }
    for text in ["global 0 * 2 == 66", "local 0 of frame 1 == 0", "*0 == 1"] {
        let session = setup.session(Options::default());
        let condition = Condition::parse(text, &Names::of(session.module())).unwrap();
        assert!(!condition.is_symbolic(), "{text}");
    }
}
