//! Breakpoints that ask for variables of the source, count their hits, or log.

use std::path::Path;
use std::sync::Arc;

use mw_session::{
    Breakpoint, BreakpointId, Condition, Direction, Halt, Names, Options, Session, Trigger,
};
use mw_session::{Unattended, Unit};
use mw_source::Sources;
use mw_vm::{Limits, Module, Value};
use mw_world::Description;

/// A call of `factorial(6)` of the fixture in C, and a breakpoint at the line that asks whether `n`
/// is small, which comes for n = 6, 5, 4, 3, 2, 1.
fn factorial(refine: impl Fn(&mut Breakpoint)) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../source/tests/fixtures");
    let load = |name: &str| std::fs::read(folder.join(name)).ok();
    let wasm = load("shelf-O0.wasm").unwrap();
    let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap());
    let sources = Arc::new(Sources::new(&module, &wasm, &load));
    let entry = (module.exported_func("factorial").unwrap(), vec![Value::I32(6)]);
    let options = Options { checkpoint_interval: 40, ..Options::default() };
    let world = Arc::new(Description::board(Default::default()));
    let entries = sources.entries(sources.find_file("shelf.c").unwrap(), 40).into_iter();
    let pcs = entries.filter_map(|offset| module.pc_at_offset(offset)).collect();
    let mut session = Session::new(module, &world, Some(entry), options).unwrap();
    session.set_sources(0, sources);
    let mut breakpoint = Breakpoint::new(Trigger::Line { name: "shelf.c:40".into(), pcs });
    refine(&mut breakpoint);
    session.breakpoints_mut().add(breakpoint);
    session
}

fn condition(text: &str) -> Option<Condition> {
    Some(Condition::kept(text, &Names::default()))
}

/// How deep calls are nested at each stop on the way to the end, and on the way back.
fn depths(session: &mut Session) -> (Vec<usize>, Vec<usize>) {
    let mut visit = |direction| {
        let mut depths = Vec::new();
        while let Halt::Breakpoint(_) = session.run(direction, &mut Unattended).unwrap() {
            depths.push(session.machine().call_depth());
        }
        depths
    };
    (visit(Direction::Forward), visit(Direction::Back))
}

fn texts(session: &mut Session) -> Vec<String> {
    session.take_logged().into_iter().map(|logged| logged.text).collect()
}

#[test]
fn conditions_over_the_source_hold_in_both_directions() {
    let mut session = factorial(|b| b.condition = condition("n % 2 == 0 && n != 2"));
    assert_eq!(depths(&mut session), (vec![1, 3], vec![3, 1]));
    // The machine's cells and the source's variables, together.
    let text = "local 0 == n and n % 2 == 0 && local 0 of frame 1 != 3 or global 99 == 0";
    let mut session = factorial(|b| b.condition = condition(text));
    assert_eq!(depths(&mut session), (vec![3], vec![3]));
    assert_eq!(texts(&mut session), [""; 0]);
}

#[test]
fn hits_are_counted_in_both_directions() {
    for (rule, forward, back) in [
        (">= 3", vec![3, 4, 5, 6], vec![6, 5, 4, 3, 2, 1]),
        ("== 3", vec![3], vec![]),
        ("% 4", vec![4], vec![5, 1]),
    ] {
        let mut session = factorial(|breakpoint| breakpoint.hits = Some(rule.parse().unwrap()));
        assert_eq!(depths(&mut session), (forward, back), "{rule}");
        assert_eq!(session.breakpoints().get(BreakpointId(1)).unwrap().passed, 12, "{rule}");
    }
}

#[test]
fn a_log_says_what_is_and_does_not_stop() {
    let mut session = factorial(|breakpoint| {
        breakpoint.log = Some("n is {n}, {nothing}".into());
        breakpoint.condition = condition("n > 4");
    });
    assert_eq!(depths(&mut session), (vec![], vec![]));
    let says = |n: u32| format!("n is {n}, <there is no nothing here>");
    assert_eq!(texts(&mut session), [says(6), says(5), says(5), says(6)]);
}

#[test]
fn steps_over_calls_pass_what_does_not_stop() {
    let mut session = factorial(|breakpoint| breakpoint.log = Some("{n}".into()));
    let depth = |session: &mut Session| {
        let halt = session.step(Unit::LineOver, Direction::Forward, 1, &mut Unattended).unwrap();
        (halt, session.machine().call_depth())
    };
    // From the head of the function to the end of the line with the recursive call.
    for _ in 0..3 {
        assert_eq!(depth(&mut session), (Halt::Reached, 1));
    }
    assert_eq!(texts(&mut session), ["6", "5", "4", "3", "2", "1"]);
}

#[test]
fn a_condition_that_makes_no_sense_stops_and_says_so() {
    let mut session = factorial(|b| b.condition = condition("weight > 3"));
    let halt = session.run(Direction::Forward, &mut Unattended).unwrap();
    assert!(matches!(halt, Halt::Breakpoint(_)));
    assert_eq!(texts(&mut session), ["breakpoint 1: `weight > 3`: there is no weight here"]);

    let mut session = factorial(|b| b.condition = condition("n >"));
    let halt = session.run(Direction::Forward, &mut Unattended).unwrap();
    assert!(matches!(halt, Halt::Breakpoint(_)));
    let says = "breakpoint 1: `n >`: a value was expected, at 3 in the expression";
    assert_eq!(texts(&mut session), [says]);
}
