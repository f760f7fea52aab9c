//! Scenarios as data, and why a slice is where it is.

use mw_monitor::scenario::{
    Datum, Piece, Reaction, Scenario, Scope, Statement, StatementKind, Trigger, What, Which,
};
use mw_monitor::{Language, Number, explanation};
use mw_source::Tree;

use crate::common::Run;

/// As it is printed in the specification.
const PRINTED: &str = r#"on entering non-accepting state {
    c = checkpoint()
    print("violated:", old_state, "->", new_state)
    suspend()
}
"#;

/// Statements on a line each, with their blocks behind them.
fn shown(statements: &[Statement]) -> Vec<String> {
    let action = |action: &mw_monitor::scenario::Action| {
        let what = match &action.what {
            What::Call { name, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
                format!("{name}({})", arguments.join(", "))
            }
            What::Command(pieces) => {
                let pieces = pieces.iter().map(|piece| match piece {
                    Piece::Text(text) => text.clone(),
                    Piece::Value(value) => format!("<{value}>"),
                });
                format!("`{}`", pieces.collect::<String>())
            }
        };
        match &action.handler {
            Some(handler) => format!("{what} handled by {:?}", shown(handler)),
            None => what,
        }
    };
    let of = |scope: &Scope| if *scope == Scope::Branch { "branch " } else { "" };
    let line = |statement: &Statement| match &statement.kind {
        StatementKind::Do(what) => action(what),
        StatementKind::Set { variable, scope, value } => {
            format!("{}{variable} = {value}", of(scope))
        }
        StatementKind::SetToResult { variable, scope, action: what } => {
            format!("{}{variable} = {}", of(scope), action(what))
        }
        StatementKind::If { condition, then, otherwise } => {
            format!("if {condition} {:?} else {:?}", shown(then), shown(otherwise))
        }
    };
    statements.iter().map(line).collect()
}

#[test]
fn the_scenario_of_the_specification_is_read_as_it_is_printed() {
    let scenario = Scenario::parse("printed", PRINTED).unwrap();
    let [Reaction { trigger, statements, .. }] = scenario.reactions.as_slice() else {
        panic!("{scenario:?}")
    };
    assert_eq!(*trigger, Trigger::Entering(Which::NonAccepting));
    let expected =
        ["c = checkpoint()", r#"print("violated:", old_state, "->", new_state)"#, "suspend()"];
    assert_eq!(shown(statements), expected);
    assert_eq!(statements[2].line, 4);
}

#[test]
fn all_forms_are_read() {
    let text = r#"
session { last = 0; hits = 0 }
branch { depth = 1 }
# What is done when.
on entering accepting state { last = checkpoint() }
on leaving state queue_ready {
    depth = depth + 1; hits = hits * 2   // twice as many
    if hits > 3 and new_state == "sink" { restore(last) } else if hits { step } else { continue }
    watch("room") { checkpoint() }
    break queue.c:12 do { backtrace }
    bookmark violated-{new_state} at {hits + 1}
    set queue->count = 3
}
on moving { backtrace() }
on entering sink { suspend }
action alarm { print("ring") }
"#;
    let scenario = Scenario::parse("all", text).unwrap_or_else(|error| panic!("{error}"));
    let triggers: Vec<&Trigger> = scenario.reactions.iter().map(|one| &one.trigger).collect();
    assert_eq!(
        triggers,
        [
            &Trigger::Entering(Which::Accepting),
            &Trigger::Leaving(Which::Named("queue_ready".to_owned())),
            &Trigger::Moving(Which::Any),
            &Trigger::Entering(Which::Named("sink".to_owned())),
            &Trigger::Action("alarm".to_owned()),
        ]
    );
    let expected = [
        "branch depth = depth + 1",
        "hits = hits * 2",
        r#"if hits > 3 and new_state == "sink" ["restore(last)"] else ["if hits [\"`step`\"] else [\"`continue`\"]"]"#,
        r#"watch("room") handled by ["checkpoint()"]"#,
        r#"`break queue.c:12` handled by ["`backtrace`"]"#,
        "`bookmark violated-<new_state> at <hits + 1>`",
        "`set queue->count = 3`",
    ];
    assert_eq!(shown(&scenario.reactions[1].statements), expected);
    assert_eq!(scenario.session[0].0, "last");
    assert_eq!(scenario.branch[0].1.to_string(), "1");
}

#[test]
fn mistakes_are_located() {
    let run = Run::new(super::queue::PROPERTY);
    for (text, expected) in [
        (
            "onn entering state {}",
            "x:1:1: on, action, session or branch was expected here, and there is onn (did you mean on?)",
        ),
        (
            "on enterin state {}",
            "x:1:4: a scenario reacts on entering, leaving or moving (did you mean entering?)",
        ),
        ("on entering state sinck {}", "x:1:1: queue has no state sinck (did you mean sink?)"),
        ("action ring {}", "x:1:1: queue has no action ring"),
        ("on moving { print(1 + }", "x:1:18: this ( is never closed"),
        ("on moving { print(1 +) }", "x:1:22: a value was expected"),
        (
            "on moving { while 1 { } }",
            "x:1:13: there are no loops here, so no while: a reaction has to end",
        ),
        ("on moving {", "x:1:11: this { is never closed"),
    ] {
        let checked = Scenario::parse("x", text).and_then(|read| read.check(&run.automaton));
        let said = checked.map_err(|error| error.to_string()).unwrap_err();
        assert_eq!(said.replace("property has", "queue has"), expected, "{text}");
    }
    let deep = "on moving ".to_owned() + &"{ if 1 ".repeat(100) + &"}".repeat(100);
    assert!(Scenario::parse("x", &deep).is_err());
}

#[test]
fn a_change_makes_those_react_that_wait_for_it() {
    let text = "on entering non-accepting state { a() } on leaving accepting state { b() } \
                on moving to queue_ready { c() } on entering queue_ready { d() }";
    let scenario = Scenario::parse("x", text).unwrap();
    let mut run = Run::new(super::queue::PROPERTY);
    let mut reactions = |event: &str, numbers: &[i128]| {
        let moved = run.happen(event, numbers);
        let found = scenario.reactions_to(&run.automaton, &moved.changes[0]);
        found.map(|reaction| shown(&reaction.statements).concat()).collect::<Vec<_>>()
    };
    assert_eq!(reactions("after event queue_new", &[8, 1]), ["b()", "c()", "d()"]);
    assert_eq!(reactions("before event queue_push", &[8]), ["c()"]);
    assert_eq!(reactions("before event queue_push", &[8]), ["a()", "b()"]);
    assert_eq!(Scenario::suspending().reactions.len(), 1);
}

#[test]
fn formulas_compute_with_numbers_and_texts() {
    let text = "on moving { print(1 + n, \"a\" + state, state == \"sink\" and not (n > 2), -queue->count) }";
    let scenario = Scenario::parse("x", text).unwrap();
    let StatementKind::Do(action) = &scenario.reactions[0].statements[0].kind else { panic!() };
    let What::Call { arguments, .. } = &action.what else { panic!() };
    let mut read = |tree: &Tree| match tree.to_string().as_str() {
        "n" => Ok(Datum::Number(Number::literal(2))),
        "state" => Ok(Datum::Text("sink".to_owned())),
        "queue.count" => Ok(Datum::Number(Number::literal(7))),
        other => Err(other.to_owned()),
    };
    let shown =
        arguments.iter().map(|one| one.evaluate(Language::C, &mut read).unwrap().to_string());
    assert_eq!(shown.collect::<Vec<_>>(), ["3", "asink", "true", "-7"]);
}

#[test]
fn a_slice_is_explained_by_what_moved_it_and_what_it_was_copied_from() {
    let text = "\
slice on f
state init accepting { transition { before event scale() success ready } }
state ready accepting { transition { before event open(name as f) success opened } }
state opened accepting { transition { before event close(file as f) success over } }
state over accepting final
";
    let mut run = Run::new(text);
    let (scale, open, close) = ("before event scale", "before event open", "before event close");
    let mut changes = Vec::new();
    for (event, numbers) in
        [(scale, &[][..]), (open, &[1]), (open, &[2]), (close, &[1]), (open, &[1]), (close, &[2])]
    {
        changes.extend(run.happen(event, numbers).changes.into_iter().map(|c| (event, c)));
    }
    let about = |file: u64| {
        let mut slices = changes.iter().map(|(_, change)| &change.instance);
        let slice = slices.find(|instance| instance.value(0) == Some(file)).unwrap();
        let found = explanation(changes.iter().map(|(event, change)| (*event, change)), slice);
        found.into_iter().map(|(event, _)| event).collect::<Vec<_>>()
    };
    // The first life of 1 is over.
    assert_eq!(about(1), [scale, open]);
    assert_eq!(about(2), [scale, open, close]);
}
