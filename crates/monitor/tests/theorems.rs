//! What holds for every property and every run, over generated ones.
//!
//! The oracle is the rule of the seed, word for word: a list of slices, of which an event moves those
//! that are about what it names, or copies those that could be. It looks at every event.

use mw_monitor::{
    Arithmetic, Concrete, EventId, Interrupted, Language, MonitorState, Never, Number, NumberType,
    Operator, Unary, Verdict, When, step,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::{Run, values};

/// The events, and whether they name what is sliced on.
const EVENTS: [(&str, &str); 4] = [
    ("before event open", "(name as f)"),
    ("before event close", "(file as f)"),
    ("before event queue_push", "(queue as f)"),
    ("before event scale", "()"),
];

/// A way out of a state.
#[derive(Clone, Debug)]
struct Way {
    event: usize,
    /// `n < limit`, or no guard.
    limit: Option<i128>,
    success: (usize, i128),
    failure: Option<(usize, i128)>,
}

#[derive(Clone, Debug)]
struct Machine {
    /// Whether each state accepts, whether it is final, and its ways.
    states: Vec<(Option<bool>, bool, Vec<Way>)>,
}

fn way(states: usize) -> impl Strategy<Value = Way> {
    let target = (0..states, 0..3_i128);
    (0..EVENTS.len(), proptest::option::of(0..4_i128), target.clone(), proptest::option::of(target))
        .prop_map(|(event, limit, success, failure)| Way {
            event,
            limit,
            success,
            failure: failure.filter(|_| limit.is_some()),
        })
}

fn machine() -> impl Strategy<Value = Machine> {
    let state = (proptest::option::of(any::<bool>()), any::<bool>(), vec(way(4), 0..4));
    vec(state, 4).prop_map(|mut states| {
        for (index, (_, is_final, ways)) in states.iter_mut().enumerate() {
            // Nothing leaves what is final, and everything begins somewhere else.
            *is_final &= index > 1;
            if *is_final {
                ways.clear();
            }
        }
        Machine { states }
    })
}

/// What happens, and to which object.
fn happenings() -> impl Strategy<Value = Vec<(usize, i128)>> {
    vec((0..EVENTS.len(), 1..4_i128), 0..40)
}

impl Machine {
    fn name(state: usize) -> String {
        if state == 0 { "init".to_owned() } else { format!("s{state}") }
    }

    fn reached(&self) -> Vec<usize> {
        let mut reached = vec![0];
        let mut next = 0;
        while let Some(state) = reached.get(next) {
            for way in &self.states[*state].2.clone() {
                for (to, _) in std::iter::once(way.success).chain(way.failure) {
                    if !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            next += 1;
        }
        reached
    }

    /// The property that says the same. Every event is there, so that all can be stepped.
    fn text(&self) -> String {
        let mut text = "slice on f\ninitialization { n = 0 }\n".to_owned();
        for state in self.reached() {
            let (accepting, is_final, ways) = &self.states[state];
            let said = match accepting {
                Some(true) => " accepting",
                Some(false) => " non-accepting",
                None => "",
            };
            let is_final = if *is_final { " final" } else { "" };
            text.push_str(&format!("state {}{said}{is_final} {{\n", Machine::name(state)));
            for way in ways {
                let (event, parameters) = EVENTS[way.event];
                let guard = way.limit.map(|limit| format!("{{ return n < {limit} }}"));
                let to =
                    |(to, add): (usize, i128)| format!("{{ n = n + {add} }} {}", Machine::name(to));
                let failure = way.failure.map(|failure| format!("failure {}", to(failure)));
                text.push_str(&format!(
                    "  transition {{ {event}{parameters} {} success {} {} }}\n",
                    guard.unwrap_or_default(),
                    to(way.success),
                    failure.unwrap_or_default()
                ));
            }
            if state == 0 {
                for (event, parameters) in EVENTS {
                    let never = "{ if 0 { return 0 } }";
                    text.push_str(&format!(
                        "  transition {{ {event}{parameters} {never} success init }}\n"
                    ));
                }
            }
            text.push_str("}\n");
        }
        text
    }

    /// Where one goes from a state.
    fn step(&self, state: usize, n: i128, event: usize) -> Option<(usize, i128)> {
        self.states[state].2.iter().filter(|way| way.event == event).find_map(|way| {
            let holds = way.limit.is_none_or(|limit| n < limit);
            let (to, add) = if holds { Some(way.success) } else { way.failure }?;
            Some((to, n + add))
        })
    }
}

/// The rule of the seed.
struct Seed<'a> {
    machine: &'a Machine,
    slices: Vec<(Option<i128>, usize, i128)>,
    forgot_violation: bool,
}

impl<'a> Seed<'a> {
    fn new(machine: &'a Machine) -> Seed<'a> {
        Seed { machine, slices: vec![(None, 0, 0)], forgot_violation: false }
    }

    fn happen(&mut self, event: usize, object: i128) {
        let named = (EVENTS[event].1 != "()").then_some(object);
        let known = self.slices.iter().any(|(about, ..)| *about == named);
        if named.is_some() && !known {
            let (_, state, n) = self.slices[0];
            self.slices.push((named, state, n));
        }
        for (about, state, n) in &mut self.slices {
            let moved = named.is_none() || *about == named;
            if moved && let Some(next) = self.machine.step(*state, *n, event) {
                (*state, *n) = next;
            }
        }
        let machine = self.machine;
        let is_over =
            |slice: &(Option<i128>, usize, i128)| slice.0.is_some() && machine.states[slice.1].1;
        let over = self.slices.iter().filter(|slice| is_over(slice));
        self.forgot_violation |=
            over.into_iter().any(|slice| machine.states[slice.1].0 == Some(false));
        self.slices.retain(|slice| !is_over(slice));
    }

    /// What is known of an object: its own slice, or that about nothing.
    fn about(&self, object: Option<i128>) -> (usize, i128) {
        let own = self.slices.iter().find(|(about, ..)| *about == object);
        let (_, state, n) = own.unwrap_or(&self.slices[0]);
        (*state, *n)
    }

    fn is_violated(&self) -> bool {
        self.forgot_violation
            || self.slices.iter().any(|(_, state, _)| self.machine.states[*state].0 == Some(false))
    }
}

/// The same of a monitor.
fn about(run: &Run, state: &MonitorState, object: Option<i128>) -> (String, String) {
    let slices = state.slices();
    let own = slices.iter().find(|slice| slice.instance.value(0).map(i128::from) == object);
    let slice = own.unwrap_or(&slices[0]);
    (run.automaton.state(slice.state).name.clone(), slice.variables[0].to_string())
}

fn happen(run: &mut Run, event: usize, object: i128) {
    let (name, parameters) = EVENTS[event];
    let numbers: &[i128] = if parameters == "()" { &[] } else { &[object] };
    run.happen(name, numbers);
}

/// Arithmetic for which the so-and-so-manieth decision is open.
struct Hesitant(usize);

impl Arithmetic for Hesitant {
    type Number = Number;
    type Undecided = ();

    fn constant(&mut self, number: Number) -> Number {
        number
    }

    fn ty(&self, number: &Number) -> NumberType {
        number.ty()
    }

    fn convert(&mut self, number: &Number, to: NumberType) -> Number {
        number.to(to)
    }

    fn unary(
        &mut self,
        operation: Unary,
        number: &Number,
        language: Language,
    ) -> Result<Number, Interrupted<()>> {
        Concrete.unary(operation, number, language).map_err(certain)
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Number,
        right: &Number,
        language: Language,
    ) -> Result<Number, Interrupted<()>> {
        Concrete.binary(operator, left, right, language).map_err(certain)
    }

    fn holds(&mut self, number: &Number) -> Result<bool, ()> {
        self.0 = self.0.checked_sub(1).ok_or(())?;
        Ok(!number.is_zero())
    }

    fn definite(&mut self, number: &Number) -> Result<Number, ()> {
        Ok(*number)
    }
}

fn certain(interrupted: Interrupted<Never>) -> Interrupted<()> {
    match interrupted {
        Interrupted::Fault(why) => Interrupted::Fault(why),
        Interrupted::Undecided(never) => match never {},
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_monitor_is_what_the_seed_says(machine in machine(), events in happenings()) {
        let mut run = Run::new(&machine.text());
        let mut seed = Seed::new(&machine);
        for (event, object) in events {
            happen(&mut run, event, object);
            seed.happen(event, object);
            for object in [None, Some(1), Some(2), Some(3)] {
                let (state, n) = seed.about(object);
                let expected = (Machine::name(state), n.to_string());
                prop_assert_eq!(about(&run, &run.state, object), expected, "{:?} of\n{}", object, machine.text());
            }
            prop_assert_eq!(run.state.verdict() == Verdict::Violated, seed.is_violated());
        }
    }

    #[test]
    fn what_is_not_needed_can_be_left_out(machine in machine(), events in happenings()) {
        let mut run = Run::new(&machine.text());
        for (event, object) in events {
            let needed = run.state.needed().contains(run.event(EVENTS[event].0));
            let before = run.state.clone();
            happen(&mut run, event, object);
            prop_assert!(needed || run.state == before);
        }
    }

    #[test]
    fn an_object_goes_its_way_whatever_the_others_do(machine in machine(), events in happenings()) {
        let mut all = Run::new(&machine.text());
        for (event, object) in &events {
            happen(&mut all, *event, *object);
        }
        for own in 1..4 {
            let mut alone = Run::new(&machine.text());
            for (event, object) in &events {
                if *object == own || EVENTS[*event].1 == "()" {
                    happen(&mut alone, *event, *object);
                }
            }
            prop_assert_eq!(about(&alone, &alone.state, Some(own)), about(&all, &all.state, Some(own)));
        }
    }

    #[test]
    fn hashes_are_equal_where_states_are(
        machine in machine(),
        one in happenings(),
        other in happenings(),
        apart in 0..40_usize,
    ) {
        let mut first = Run::new(&machine.text());
        let mut second = Run::new(&machine.text());
        let (mut shared, mut rest) = (one.clone(), one.split_off_at(apart));
        shared.truncate(apart);
        // The same from some point on, in another order, or something else.
        for (event, object) in &one {
            happen(&mut first, *event, *object);
        }
        rest.sort_by_key(|(_, object)| *object);
        for (event, object) in shared.iter().chain(&rest).chain(other.iter().take(apart / 8)) {
            happen(&mut second, *event, *object);
        }
        let hash = |run: &Run| run.state.hash(When::default(), &run.automaton);
        prop_assert_eq!(first.state == second.state, hash(&first) == hash(&second));
    }

    #[test]
    fn a_fork_and_what_is_not_decided_change_nothing(
        machine in machine(),
        events in happenings(),
        open in 0..6_usize,
    ) {
        let mut run = Run::new(&machine.text());
        for (event, object) in events {
            let id: EventId = run.event(EVENTS[event].0);
            let numbers = values(if EVENTS[event].1 == "()" { &[] } else { std::slice::from_ref(&object) });
            let kept = run.state.clone();
            let mut tried = run.state.clone();
            let moved = step(&run.automaton, &mut tried, id, &numbers, run.when, &mut Hesitant(open));
            happen(&mut run, event, object);
            match moved {
                Ok(_) => prop_assert!(tried == run.state),
                Err(()) => prop_assert!(tried == kept),
            }
        }
    }
}

/// What comes from some place on.
trait SplitOff {
    fn split_off_at(&self, at: usize) -> Self;
}

impl<T: Clone> SplitOff for Vec<T> {
    fn split_off_at(&self, at: usize) -> Vec<T> {
        self[at.min(self.len())..].to_vec()
    }
}
