//! The queue of the seed: 17 pushes into one of 16.

use std::sync::Arc;

use mw_monitor::{
    Automaton, Bindings, Concrete, EventId, MonitorState, Outcome, Point, Property, Values,
    Verdict, When, step,
};
use mw_source::{Number, Sources};
use mw_vm::Module;

const PROPERTY: &str = "\
slice on queue
initialization { N = 0; max = 0 }
state init accepting {
  transition { after event queue_new(queue, size)
    success { max = size } queue_ready } }
state queue_ready accepting {
  transition { before event queue_push(queue) { return N < max }
    success { N = N + 1 } queue_ready
    failure sink } }
state sink non-accepting
";

const PROGRAM: &str = r#"
  (module
    (func $queue_new (param $queue i32) (param $size i32))
    (func $queue_push (param $queue i32) (param $c i32)))"#;

fn automaton(property: &str) -> Automaton {
    let wasm = wat::parse_str(PROGRAM).unwrap();
    let module = Module::from_binary(&wasm, &Default::default()).unwrap();
    let sources = Sources::disassembled(&module, &wasm, "queue.wat");
    let programs = [(Arc::new(module), Arc::new(sources))];
    let property = Property::parse("queue", property).unwrap_or_else(|e| panic!("{e}"));
    Automaton::bind(property, &Bindings { programs: &programs }).unwrap_or_else(|e| panic!("{e}"))
}

fn values(numbers: &[i128]) -> Values {
    numbers.iter().map(|number| Some(Number::literal(*number))).collect()
}

#[test]
fn the_seventeenth_push_is_one_too_many() {
    let automaton = automaton(PROPERTY);
    let points: Vec<&Point> = automaton.watches().iter().map(|watch| &watch.point).collect();
    let program = 0;
    assert_eq!(points, [&Point::Return { program, func: 0 }, &Point::Call { program, func: 1 }]);
    let (new, push) = (EventId(0), EventId(1));
    let mut state = MonitorState::new(&automaton, When::default());
    assert!(state.needed().contains(new) && !state.needed().contains(push));
    let mut happen = |event, numbers: &[i128]| {
        let when = When::default();
        step(&automaton, &mut state, event, &values(numbers), when, &mut Concrete).unwrap()
    };
    let moved = happen(new, &[1024, 16]);
    assert!(moved.needs_changed && moved.changes[0].copied_from.is_some());
    for _ in 0..16 {
        let moved = happen(push, &[1024]);
        assert_eq!(moved.changes[0].outcome, Outcome::Success);
        assert_eq!(moved.verdict.1, Verdict::HoldsSoFar);
    }
    let moved = happen(push, &[1024]);
    assert_eq!(moved.changes[0].outcome, Outcome::Failure);
    assert_eq!(moved.verdict, (Verdict::HoldsSoFar, Verdict::Violated));
    let shown: Vec<String> = state
        .slices()
        .iter()
        .map(|slice| {
            let state = &automaton.state(slice.state).name;
            format!("{} {state} {} {}", slice.instance, slice.variables[0], slice.variables[1])
        })
        .collect();
    assert_eq!(shown, ["<none> init 0 0", "<1024> sink 16 16"]);
}
