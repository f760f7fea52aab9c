//! Seed 002's guarantees, on generated systems of 2 to 4 actors: the graph of all universes against
//! every interleaving one by one, against the exploration that follows one of those that come to the
//! same, and against a debugger that stops wherever it likes.

use std::collections::{BTreeMap, BTreeSet};

use mw_concolic::{Bounds, End, Explorer, Options as Exploring, Stop};
use mw_ensemble::{Answered, Moment, Rest, TaskId, Touch};
use mw_session::{
    Breakpoint, Direction, Graph, GraphOptions, GraphState, Halt, Halts, MessagePattern, Options,
    Order, Outcome, Point, PropertyText, Session, StateId, StateKind, Trigger, Unattended,
};
use mw_vm::{Breakpoints, NoProbe, Stop as MachineStop};
use mw_world::{Call, Description};
use proptest::prelude::*;

use crate::common::system::{Actors, With, actors};
use crate::common::{Setup, cases};

/// A state, as far as it can be told from others.
type State = (u128, u128);

/// Systems with more interleavings than these are not enumerated.
const MOST: usize = 3_000;

fn session(actors: &Actors) -> Session {
    let setup = Setup::of(&actors.to_wat(), Description::board(Default::default()));
    setup.session(Options::default())
}

fn graph_with(session: &mut Session, options: &GraphOptions) -> Graph {
    let here = session.here();
    session.graph(here, options, &mut Unattended).unwrap()
}

fn graph(session: &mut Session) -> Graph {
    graph_with(session, &GraphOptions { states: 3_000, ..GraphOptions::default() })
}

fn states(graph: &Graph) -> BTreeSet<State> {
    graph.states.iter().map(|state| state.hash).collect()
}

fn ends(graph: &Graph) -> BTreeSet<State> {
    let ended = graph.iter().filter(|(id, _)| graph.outcome(*id).is_some());
    ended.map(|(_, state)| state.hash).collect()
}

/// What tells a universe from those that come to the same: who handled what in which order, and the
/// order of what was done to the world.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    handled: BTreeMap<TaskId, Vec<(TaskId, u64)>>,
    printed: Vec<(TaskId, usize)>,
}

/// Every interleaving, one by one: the class of each, the states at which somebody was to have a turn,
/// and those at the ends. Knows nothing of graphs. `None` if there are too many.
#[derive(Default)]
struct Naive {
    classes: BTreeSet<Class>,
    interleavings: usize,
    resting: BTreeSet<State>,
    ended: BTreeSet<State>,
}

impl Naive {
    fn of(mut now: Moment) -> Option<Naive> {
        let mut naive = Naive::default();
        finish_turn(&mut now);
        naive.follow(now, &Class::default())?;
        Some(naive)
    }

    fn follow(&mut self, mut now: Moment, class: &Class) -> Option<()> {
        let Rest::Choice(options) = now.rest() else {
            self.ended.insert(now.hash());
            self.interleavings += 1;
            self.classes.insert(class.clone());
            return (self.interleavings < MOST).then_some(());
        };
        self.resting.insert(now.hash());
        for next in options {
            let (mut after, mut class) = (now.fork(), class.clone());
            let message = now.ensemble.as_ref().unwrap().message_of(next).cloned();
            after.take(next).unwrap();
            finish_turn(&mut after);
            let handled = class.handled.entry(next.task()).or_default();
            handled.extend(message.map(|message| (message.from, message.number)));
            if after.ensemble.as_ref().unwrap().footprint().world == Touch::Write {
                class.printed.push((next.task(), handled.len()));
            }
            self.follow(after, &class)?;
        }
        Some(())
    }
}

/// Runs to the end of a turn in which nothing is read.
fn finish_turn(now: &mut Moment) {
    while let MachineStop::Import(_) = now.run(u64::MAX, &Breakpoints::default(), &mut NoProbe) {
        let (import, args) = now.machine.import_call().unwrap();
        let done = now.perform(Call { import, args: &args }).unwrap();
        assert!(matches!(done, Answered::Performed { .. }), "{done:?}");
    }
}

/// All leaves of the exploration that follows one of what comes to the same.
fn explorer(session: &mut Session, all_orders: bool) -> Explorer {
    let mut options = Exploring { jobs: 1, follows_all_orders: all_orders, ..Exploring::default() };
    options.bounds = Bounds { paths: 100_000, ..Bounds::default() };
    let here = session.here();
    let mut explorer = session.explorer(here, options, &mut Unattended).unwrap();
    explorer.run(&Stop::default(), &mut |_| {});
    explorer
}

/// The states at which paths end that nothing went wrong on.
fn quiet_ends(session: &mut Session, explorer: &Explorer) -> BTreeSet<State> {
    let mut leaves = explorer.all_leaves();
    leaves.retain(|leaf| !matches!(leaf.end, End::Trapped(_) | End::Aborted(_)));
    let here = session.here();
    let places = session.adopt(here, &mut leaves);
    let state = |place| session.look_at(place, &mut Unattended, Moment::hash).unwrap();
    places.into_iter().map(state).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    /// The graph has the states that interleavings have, one by one, and no others; and the reduced
    /// exploration has an execution for each class of them, and comes to the same ends.
    #[test]
    fn the_graph_is_all_interleavings_and_the_reduction_one_of_each_class(
        actors in actors(With::default()),
    ) {
        let mut session = session(&actors);
        let graph = graph(&mut session);
        let now = session.look_at(session.start(), &mut Unattended, |now| now.fork()).unwrap();
        let naive = Naive::of(now);
        prop_assume!(naive.is_some() && graph.stopped.is_none());
        let naive = naive.unwrap();
        let resting = graph.states.iter().filter(|state| state.kind == StateKind::Turn);
        prop_assert_eq!(&resting.map(|state| state.hash).collect::<BTreeSet<_>>(), &naive.resting);
        prop_assert_eq!(&ends(&graph), &naive.ended);
        let ways = graph.ends().ended.iter().map(|(_, ways)| ways.unwrap()).sum::<u64>();
        prop_assert_eq!(ways, naive.interleavings as u64);

        let reduced = explorer(&mut session, false);
        prop_assert!(reduced.is_complete());
        prop_assert_eq!(reduced.executions(), naive.classes.len() as u64);
        prop_assert_eq!(&quiet_ends(&mut session, &reduced), &naive.ended);
        let all = explorer(&mut session, true);
        prop_assert_eq!(all.executions(), naive.interleavings as u64);
    }

    /// Neither with actors that stop, nor with inputs that are explored together with the orders, is
    /// an end lost or added.
    #[test]
    fn the_reduction_loses_no_end(
        actors in prop_oneof![
            actors(With { inputs: true, ..With::default() }),
            actors(With { stops: true, ..With::default() }),
        ],
    ) {
        let mut session = session(&actors);
        let graph = graph(&mut session);
        prop_assume!(graph.stopped.is_none());
        let reduced = explorer(&mut session, false);
        prop_assume!(reduced.is_complete());
        prop_assert_eq!(quiet_ends(&mut session, &reduced), ends(&graph));
    }

    /// What can fail is found to fail, and what does not fail ends where it would have.
    #[test]
    fn the_reduction_loses_no_failure(actors in actors(With { failures: true, ..With::default() })) {
        let mut session = session(&actors);
        let graph = graph(&mut session);
        prop_assume!(graph.stopped.is_none());
        let reduced = explorer(&mut session, false);
        prop_assume!(reduced.is_complete());
        let trapped = |id: StateId| matches!(graph.outcome(id), Some(Outcome::Trapped(_)));
        let fails = graph.iter().any(|(id, _)| trapped(id));
        let found = reduced.all_leaves().iter().any(|leaf| matches!(leaf.end, End::Trapped(_)));
        prop_assert_eq!(fails, found);
        let others = graph.iter().filter(|(id, _)| graph.outcome(*id).is_some() && !trapped(*id));
        let others: BTreeSet<State> = others.map(|(_, state)| state.hash).collect();
        prop_assert_eq!(quiet_ends(&mut session, &reduced), others);
    }

    /// Breakpoints add halts and nothing else: with resumes, every step is one of the program alone,
    /// and every step of the program alone is there.
    #[test]
    fn breakpoints_change_no_state(
        actors in actors(With { inputs: true, failures: true, stops: true }),
        patterns in prop::collection::vec(pattern(), 0..4),
    ) {
        let mut session = session(&actors);
        let plain = graph(&mut session);
        prop_assume!(plain.stopped.is_none());
        for pattern in patterns {
            session.breakpoints_mut().add(Breakpoint::new(Trigger::Message(pattern)));
        }
        let halts = Halts { breakpoints: true, stay: false, turn_of: None };
        let options = GraphOptions { states: 20_000, halts, ..GraphOptions::default() };
        let halting = graph_with(&mut session, &options);
        prop_assert!(halting.stopped.is_none());
        prop_assert!(states(&plain).is_subset(&states(&halting)));
        prop_assert_eq!(ends(&plain), ends(&halting));
        prop_assert_eq!(steps(&plain, &states(&plain)), steps(&halting, &states(&plain)));
    }

    /// A session that stops, steps and pauses comes to states of the program alone, and to its ends.
    #[test]
    fn a_debugger_comes_to_no_other_state(
        actors in actors(With { inputs: true, ..With::default() }),
        patterns in prop::collection::vec(pattern(), 0..3),
        commands in prop::collection::vec((0..4u8, 0..5u32), 1..12),
    ) {
        let mut session = session(&actors);
        let plain = graph(&mut session);
        prop_assume!(plain.stopped.is_none());
        for pattern in patterns {
            session.breakpoints_mut().add(Breakpoint::new(Trigger::Message(pattern)));
        }
        let (states, ends) = (states(&plain), ends(&plain));
        let check = |session: &mut Session| {
            let rests = session.now().rest() != Rest::Busy && no_turn_is_left_in_the_middle(session);
            !rests || states.contains(&session.state_hash())
        };
        for (command, task) in commands {
            let control = &mut Unattended;
            match command {
                0 => session.turns_mut().pause(TaskId(task), true),
                1 => session.turns_mut().pause(TaskId(task), false),
                2 => drop(session.step_turn(None, Direction::Forward, control).unwrap()),
                _ => drop(session.run(Direction::Forward, control).unwrap()),
            }
            prop_assert!(check(&mut session));
        }
        session.turns_mut().resume_all();
        while !matches!(session.run(Direction::Forward, &mut Unattended).unwrap(), Halt::Ended(_)) {
            prop_assert!(check(&mut session));
        }
        prop_assert!(ends.contains(&session.state_hash()));
    }

    /// Going from one turn of an actor to the next, in all universes, comes to the same ends as going
    /// all the way.
    #[test]
    fn many_steps_are_one(actors in actors(With::default()), whose in 0..2usize) {
        let mut session = session(&actors);
        let plain = graph(&mut session);
        prop_assume!(plain.stopped.is_none() && plain.states.len() < 300);
        let turn_of = Some(Actors::name(whose).to_owned());
        let halts = Halts { turn_of, stay: true, breakpoints: false };
        let options = GraphOptions { halts, ..GraphOptions::default() };
        let mut met: BTreeSet<State> = BTreeSet::new();
        let mut ended: BTreeSet<State> = BTreeSet::new();
        let mut waiting = vec![session.here()];
        while let Some(place) = waiting.pop() {
            let part = session.graph(place, &options, &mut Unattended).unwrap();
            ended.extend(ends(&part));
            for id in part.halted() {
                if met.insert(part.state(id).unwrap().hash) {
                    waiting.push(session.adopt_state(&part, id).unwrap());
                }
            }
        }
        prop_assert_eq!(ended, ends(&plain));
    }

    /// The graph does not depend on the order of exploring, and has no two equal states.
    #[test]
    fn there_is_one_graph(
        actors in actors(With { inputs: true, failures: true, stops: true }),
        seed in any::<u64>(),
    ) {
        let mut session = session(&actors);
        let usual = graph(&mut session);
        prop_assume!(usual.stopped.is_none());
        prop_assert_eq!(states(&usual).len(), usual.states.len());
        for order in [Order::Last, Order::Any(seed)] {
            let other = graph_with(&mut session, &GraphOptions { order, ..GraphOptions::default() });
            prop_assert_eq!(usual.states.len(), other.states.len());
            for (a, b) in usual.states.iter().zip(&other.states) {
                // Who ran last is no part of a state.
                prop_assert_eq!(a, &GraphState { runs: a.runs, ..b.clone() });
            }
        }
    }
}

/// Properties whose monitors end in a state of its own for each order of what they are told: of all
/// that happens, of what happens to each actor, and of what happens after something else has.
const ORDERED: [&str; 3] = [
    "initialization { order = 0 }
     state init accepting {
       transition { event message received m0(to) success { order = order * 5 + to + 1 } init }
       transition { event message received m1(to) success { order = order * 7 + to + 2 } init } }",
    "slice on to
     initialization { order = 0 }
     state init accepting {
       transition { event message received m0(to) success { order = order * 3 + 1 } init }
       transition { event message received m1(to) success { order = order * 3 + 2 } init } }",
    "state init accepting { transition { event message received m1(to) success armed } }
     state armed accepting {
       transition { event message received m0(to) success late }
       transition { event message received m2(to) success init } }
     state late non-accepting",
];

proptest! {
    #![proptest_config(cases(20))]

    /// Nor is a state of a monitor lost, however it depends on the order of what it is told.
    #[test]
    fn the_reduction_loses_no_state_of_a_monitor(
        actors in actors(With { inputs: true, ..With::default() }),
        property in prop::sample::select(ORDERED.to_vec()),
    ) {
        let mut session = session(&actors);
        let (name, text) = ("order".to_owned(), property.to_owned());
        let property = PropertyText { name, text, path: None };
        session.load_property(property, None, &mut Unattended).unwrap();
        let graph = graph(&mut session);
        prop_assume!(graph.stopped.is_none());
        let reduced = explorer(&mut session, false);
        prop_assume!(reduced.is_complete());
        prop_assert_eq!(quiet_ends(&mut session, &reduced), ends(&graph));
    }
}

/// Messages to stop at.
fn pattern() -> impl Strategy<Value = MessagePattern> {
    let point = prop_oneof![
        Just(Point::Sent),
        Just(Point::Received),
        Just(Point::Answered),
        Just(Point::Told),
    ];
    let name = || prop::option::of((0..3usize).prop_map(|actor| Actors::name(actor).to_owned()));
    let what = prop::option::of((0..3usize).prop_map(|level| format!("m{level}")));
    let pattern = (point, name(), name(), what);
    pattern.prop_map(|(point, from, to, name)| MessagePattern { point, from, to, name, one: None })
}

/// The steps between states that are known, whatever is in between; and what is decided on each.
fn steps(graph: &Graph, known: &BTreeSet<State>) -> BTreeSet<(State, Option<String>, State)> {
    let mut steps = BTreeSet::new();
    for state in graph.states.iter().filter(|state| known.contains(&state.hash)) {
        for edge in &state.edges {
            let mut to = graph.state(edge.to).unwrap();
            while !known.contains(&to.hash) {
                assert_eq!(to.edges.len(), 1, "it goes on by itself");
                assert!(to.edges[0].choice.is_none() && !to.halted.is_empty());
                to = graph.state(to.edges[0].to).unwrap();
            }
            let label = edge.choice.as_ref().map(|choice| choice.label.clone());
            steps.insert((state.hash, label, to.hash));
        }
    }
    steps
}

/// Whether nobody was made to wait in the middle of a turn.
fn no_turn_is_left_in_the_middle(session: &Session) -> bool {
    let ensemble = session.ensemble().unwrap();
    ensemble.tasks().all(|(_, task)| task.standing != mw_ensemble::Standing::Busy)
}
