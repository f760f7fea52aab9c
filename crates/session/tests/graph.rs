//! The graph of all universes: the numbers that are known of examples, ways, queries, and stops.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use mw_session::{
    Breakpoint, FindError, Graph, GraphOptions, Halting, Halts, MessagePattern, Options, Order,
    Outcome, Point, Query, Session, StateId, StateKind, Trigger, Unattended, Unexplored,
};
use mw_source::Sources;
use mw_vm::{Limits, Module, Value};
use mw_world::Description;

/// A program of the examples, as it begins.
fn example(name: &str) -> Session {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let binary = std::fs::read(folder.join(format!("{name}.wasm"))).unwrap();
    let world = match std::fs::read_to_string(folder.join("world.toml")) {
        Ok(text) => Description::parse("world.toml", &text, &|file| Err(file.into())).unwrap(),
        Err(_) => Description::board(Default::default()),
    };
    begin(&binary, world)
}

fn begin(binary: &[u8], world: Description) -> Session {
    let module = Arc::new(Module::from_binary(binary, &Limits::default()).unwrap());
    let main = module.exported_func("main").unwrap();
    let sources = Sources::new(&module, binary, &|_| None);
    let (entry, options) = (Some((main, Vec::new())), Options::default());
    let mut session = Session::new(module, &Arc::new(world), entry, options).unwrap();
    session.set_sources(0, Arc::new(sources));
    session
}

/// A program in text, on the board.
fn text(wat: &str) -> Session {
    begin(&wat::parse_str(wat).unwrap(), Description::board(Default::default()))
}

fn graph_with(session: &mut Session, options: &GraphOptions) -> Graph {
    let here = session.here();
    session.graph(here, options, &mut Unattended).unwrap()
}

fn graph(session: &mut Session) -> Graph {
    graph_with(session, &GraphOptions::default())
}

fn find(session: &Session, graph: &Graph, query: &str) -> Vec<StateId> {
    session.find_states(graph, &Query::parse(query).unwrap()).unwrap().states
}

/// The ends in which something holds.
fn ends_with(session: &Session, graph: &Graph, query: &str) -> Vec<StateId> {
    let found = find(session, graph, query);
    found.into_iter().filter(|id| graph.outcome(*id).is_some()).collect()
}

#[test]
fn the_sum_of_two_choices_has_ten_states() {
    let mut session = example("amb");
    let graph = graph(&mut session);
    assert_eq!((graph.states.len(), graph.edges()), (10, 10));
    assert!(graph.is_complete(), "{:?}", graph.left_out);
    let ends = graph.ends();
    let mut sums = Vec::new();
    for (id, ways) in ends.ended {
        let place = session.adopt_state(&graph, id).unwrap();
        session.slide(place, false, &mut Unattended).unwrap();
        assert_eq!(session.state_hash(), graph.state(id).unwrap().hash);
        sums.push((session.globals()[0].value, ways));
    }
    sums.sort_by_key(|(sum, _)| sum.to_slot());
    let sum = |sum, ways| (Value::I32(sum), Some(ways));
    assert_eq!(sums, [sum(4, 1), sum(5, 2), sum(6, 1)]);
    assert!(ends.livelocks.is_empty());
}

#[test]
fn a_bad_interleaving_has_three_ends() {
    for name in ["bad-interleaving", "bad-interleaving-c", "bad-interleaving-rust"] {
        let mut session = example(name);
        let graph = graph(&mut session);
        assert!(graph.is_complete(), "{name}");
        assert_eq!(graph.ends().ended.len(), 3, "{name}");
        let (result, res) = match name {
            "bad-interleaving-rust" => ("RESULT.0.value", "RES.0.value"),
            _ => ("result", "res"),
        };
        for (one, other) in [(66, 66), (66, 24), (24, 24)] {
            let query = format!("math: {result} == {one} and client1: {res} == {other}");
            let found = ends_with(&session, &graph, &query);
            assert_eq!(found.len(), 1, "{name}: {query}");
            assert_eq!(graph.outcome(found[0]), Some(&Outcome::Finished));
        }
    }
}

#[test]
fn every_state_can_be_gone_to() {
    for name in ["amb", "bad-interleaving", "elevator"] {
        let mut session = example(name);
        let graph = graph(&mut session);
        for (id, state) in graph.iter() {
            let place = session.adopt_state(&graph, id).unwrap();
            session.slide(place, false, &mut Unattended).unwrap();
            assert_eq!(session.state_hash(), state.hash, "{name}: {id}");
            assert_eq!(session.here().count, state.count, "{name}: {id}");
        }
        // All that was added was suggested by the ways, and is no more than the states need.
        assert!(session.multiverse().len() <= graph.states.len(), "{name}");
    }
}

#[test]
fn looking_moves_nothing() {
    let mut session = example("bad-interleaving");
    let before = (session.here(), session.state_hash(), session.multiverse().len());
    let whole = graph(&mut session);
    assert_eq!((session.here(), session.state_hash(), session.multiverse().len()), before);
    // From a state in the middle, what is ahead of it is what there is.
    let end = whole.ends().ended[0].0;
    let middle = whole.states_on_way(end)[3];
    let place = session.adopt_state(&whole, middle).unwrap();
    let part = session.graph(place, &GraphOptions::default(), &mut Unattended).unwrap();
    assert_eq!((session.here(), session.state_hash()), (before.0, before.1));
    let hashes = |graph: &Graph| graph.states.iter().map(|s| s.hash).collect::<BTreeSet<_>>();
    assert!(hashes(&part).is_subset(&hashes(&whole)));
    assert_eq!(part.states[0].hash, whole.state(middle).unwrap().hash);
    let place = session.adopt_state(&part, StateId(part.states.len() as u32 - 1)).unwrap();
    session.slide(place, false, &mut Unattended).unwrap();
    assert_eq!(session.state_hash(), part.states[part.states.len() - 1].hash);
}

#[test]
fn the_order_of_exploring_makes_no_difference() {
    for name in ["amb", "bad-interleaving", "elevator", "philosophers"] {
        let mut session = example(name);
        let usual = graph(&mut session);
        for order in [Order::Last, Order::Any(1), Order::Any(77)] {
            let other = graph_with(&mut session, &GraphOptions { order, ..Default::default() });
            assert!(usual.states.len() == other.states.len(), "{name}");
            for ((id, a), b) in usual.iter().zip(&other.states) {
                // Who ran last is no part of a state.
                let runs = a.runs;
                assert_eq!(a, &mw_session::GraphState { runs, ..b.clone() }, "{name}: {id}");
            }
        }
        let hashes: BTreeSet<_> = usual.states.iter().map(|state| state.hash).collect();
        assert_eq!(hashes.len(), usual.states.len(), "{name}");
    }
}

#[test]
fn an_elevator_moves_with_its_door_open() {
    let mut session = example("elevator");
    let graph = graph(&mut session);
    let aborted = |id: &StateId| matches!(graph.outcome(*id), Some(Outcome::Aborted(_)));
    let ended: Vec<StateId> = graph.ends().ended.into_iter().map(|(id, _)| id).collect();
    // Whatever else has been done by then.
    assert_eq!(ended.iter().filter(|id| aborted(id)).count(), 3);
    let states = find(&session, &graph, "door: open == 1 and controller: moving == 1");
    assert!(!states.is_empty());
    assert_eq!(find(&session, &graph, "door: open == 1 and controller: moving == 7"), []);
    // Without a name, anybody will do.
    assert!(find(&session, &graph, "open == 1").len() >= states.len());
}

#[test]
fn philosophers_can_starve() {
    let mut session = example("philosophers");
    let graph = graph(&mut session);
    let ends = graph.ends().ended;
    let is = |wanted: fn(&Outcome) -> bool| {
        ends.iter().filter(|(id, _)| graph.outcome(*id).is_some_and(wanted)).count()
    };
    const WAITS: &str = "philosopher waits for fork#2 to answer take, ";
    assert!(
        is(|outcome| matches!(outcome, Outcome::Deadlocked(who) if who.starts_with(WAITS))) > 0
    );
    assert!(is(|outcome| *outcome == Outcome::Finished) > 0);
    let mut session = example("philosophers-ordered");
    let graph = graph_with(&mut session, &GraphOptions::default());
    let mut ends = graph.ends().ended.into_iter();
    assert!(ends.all(|(id, _)| graph.outcome(id) == Some(&Outcome::Finished)));
}

#[test]
fn what_cannot_be_looked_for_is_said() {
    let mut session = example("bad-interleaving");
    let graph = graph(&mut session);
    let wrong = |query: &str| match Query::parse(query) {
        Ok(query) => session.find_states(&graph, &query).unwrap_err(),
        Err(error) => error,
    };
    assert!(matches!(wrong("meth: result == 66"), FindError::Nobody { .. }));
    assert!(matches!(wrong("math: rezult == 66"), FindError::Condition { .. }));
    assert!(matches!(wrong("math: result =="), FindError::Condition { .. }));
    assert!(matches!(wrong("rezult == 66"), FindError::Condition { .. }));
    assert_eq!(wrong("math:"), FindError::Nothing);
    assert_eq!(wrong(""), FindError::Nothing);
}

#[test]
fn what_parts_two_ends_is_a_choice() {
    let mut session = example("bad-interleaving");
    let graph = graph(&mut session);
    let wrong = ends_with(&session, &graph, "client1: res == 66")[0];
    let right = ends_with(&session, &graph, "math: result == 66 and client1: res == 24")[0];
    let parting = graph.parting(wrong, right).unwrap();
    let labels = [parting.first, parting.second].map(|choice| choice.unwrap().label.as_str());
    assert_ne!(labels[0], labels[1]);
    assert_eq!(graph.parting(wrong, wrong), None);
    let first = graph.parting(StateId::FIRST, right).unwrap();
    assert_eq!((first.at, first.first), (StateId::FIRST, None));
}

/// Two actors that send the same message to and fro for ever.
const FOR_EVER: &str = r#"(module
  (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
  (import "actor" "sender" (func $sender (result i32)))
  (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "pongping")
  (func (export "main")
    (call $tell (call $spawn (i32.const 0) (i32.const 4) (i32.const 0) (i32.const 0))
      (i32.const 4) (i32.const 4) (i32.const 0) (i32.const 0)))
  (func $answer
    (call $tell (call $sender) (i32.const 4) (i32.const 4) (i32.const 0) (i32.const 0)))
  (export "ping" (func $answer))
  (export "pong_ping" (func $answer)))"#;

#[test]
fn what_goes_on_for_ever_is_a_livelock() {
    let mut session = text(FOR_EVER);
    let graph = graph(&mut session);
    let ends = graph.ends();
    assert_eq!(ends.ended, []);
    assert_eq!(ends.livelocks.len(), 1);
    assert_eq!(ends.livelocks[0].states, [StateId(1), StateId(2)]);
    assert!(graph.is_complete());
    // Nobody has to take part in it.
    let graph = graph_with(
        &mut text(r#"(module (func (export "main") (loop $l (br $l))))"#),
        &GraphOptions { instructions: 0, ..GraphOptions::default() },
    );
    assert_eq!(graph.ends().livelocks[0].states, [StateId::FIRST]);
}

#[test]
fn a_bound_leaves_states_open() {
    let mut session = example("bad-interleaving");
    let whole = graph(&mut session);
    for states in [1, 2, 5, 10] {
        let part = graph_with(&mut session, &GraphOptions { states, ..Default::default() });
        assert_eq!(part.stopped, Some(Unexplored::States));
        assert!(!part.is_complete() && part.states.len() < whole.states.len());
        // What was explored is the same, and what was not is said.
        for (id, state) in part.iter() {
            assert_eq!(state.hash, whole.state(id).unwrap().hash);
            let is_open = state.open == Some(Unexplored::States);
            assert_eq!(is_open, state.edges.is_empty());
        }
    }
    let instructions = GraphOptions { instructions: 0, ..Default::default() };
    let forever = r#"(module (global $n (mut i32) (i32.const 0)) (func (export "main")
      (loop $l (global.set $n (i32.add (global.get $n) (i32.const 1))) (br $l))))"#;
    let part = graph_with(&mut text(forever), &instructions);
    assert_eq!(
        part.open().map(|(_, why)| why.clone()).collect::<Vec<_>>(),
        [Unexplored::Instructions]
    );
}

#[test]
fn inputs_with_many_values_are_left_out() {
    let mut session = text(
        r#"(module (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
             (func (export "main") (drop (call $read (i32.const 1)))))"#,
    );
    let graph = graph(&mut session);
    assert_eq!((graph.states.len(), graph.edges()), (4, 3));
    assert!(!graph.is_complete());
    assert_eq!(graph.left_out.len(), 1, "{:?}", graph.left_out);
}

fn received(by: &str) -> Trigger {
    let to = Some(by.to_owned());
    Trigger::Message(MessagePattern { to, ..MessagePattern::any(Point::Received) })
}

#[test]
fn breakpoints_halt_each_universe_by_itself() {
    let mut session = example("bad-interleaving");
    let plain = graph(&mut session);
    session.breakpoints_mut().add(Breakpoint::new(received("math")));
    let halts = Halts { breakpoints: true, stay: true, ..Halts::default() };
    let run =
        graph_with(&mut session, &GraphOptions { halts: halts.clone(), ..Default::default() });
    // The calculator's first turn is a double, by either client, with the other one started or not.
    let halted: Vec<_> = run.halted().collect();
    assert!(halted.len() > 2);
    for id in &halted {
        let state = run.state(*id).unwrap();
        assert_eq!((&state.open, &state.kind), (&Some(Unexplored::Halted), &StateKind::Going));
        assert!(matches!(state.halted[..], [Halting::Breakpoint(_)]));
    }
    assert_eq!(run.ends().ended, []);
    // With resumes, all that there was is there, and nothing else but where it stops.
    let halts = Halts { stay: false, ..halts };
    let resumed = graph_with(&mut session, &GraphOptions { halts, ..Default::default() });
    assert!(resumed.is_complete());
    let running = |graph: &Graph| -> BTreeSet<_> {
        graph.states.iter().filter(|s| s.halted.is_empty()).map(|s| s.hash).collect()
    };
    assert_eq!(running(&plain), running(&resumed));
}

#[test]
fn a_turn_that_never_comes_is_counted() {
    let mut session = example("bad-interleaving");
    let step = |name: &str| Halts { turn_of: Some(name.into()), stay: true, ..Halts::default() };
    let options = GraphOptions { halts: step("math"), ..Default::default() };
    let first = graph_with(&mut session, &options);
    assert!(first.halted().count() > 0);
    assert_eq!(first.ends().ended, []);
    // From a first turn on, the next one is that of the other client or of the same one.
    let at = first.halted().next().unwrap();
    let place = session.adopt_state(&first, at).unwrap();
    session.slide(place, false, &mut Unattended).unwrap();
    let second = graph_with(&mut session, &options);
    let mut labels: Vec<&str> = Vec::new();
    for id in second.halted() {
        labels.push(&second.way(id).last().unwrap().1.label);
    }
    labels.sort();
    labels.dedup();
    assert_eq!(labels, ["math: double from client2", "math: getResult from client1"]);
    let never = graph_with(&mut session, &GraphOptions { halts: step("nobody"), ..options });
    assert_eq!(never.halted().count(), 0);
    assert!(!never.ends().ended.is_empty());
}
