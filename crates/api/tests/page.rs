//! What a front end needs that keeps a picture of the session: the tree as it grows, universes
//! with what happened in them, what was printed and where, bytes that have changed.

use std::collections::BTreeMap;

use mw_api::{
    Debugger, Direction, Event, KnownInput, Listener, LogLine, MemoryView, Reply, Request, Setup,
    TreeChangesView, TreeNode, Unattended, UniverseView, request,
};

/// Reads a sensor three times; says what it thinks of it and keeps it in memory.
const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (memory 1)
  (func (export "main") (local $turn i32) (local $value i32)
    (loop $again
      (local.set $value (call $read (i32.const 5)))
      (i32.store (i32.mul (local.get $turn) (i32.const 4)) (local.get $value))
      (call $print (local.get $value))
      (if (i32.gt_s (local.get $value) (i32.const 100))
        (then (call $write (i32.const 13) (i32.const 1))))
      (if (i32.eq (local.get $value) (i32.const 66)) (then unreachable))
      (local.set $turn (i32.add (local.get $turn) (i32.const 1)))
      (br_if $again (i32.lt_s (local.get $turn) (i32.const 3))))))
"#;

fn debugger() -> Debugger {
    let binary = wat::parse_str(PROGRAM).unwrap();
    Debugger::new(Setup::new(&binary).unwrap().usual_entry(&[]).unwrap()).unwrap()
}

fn ask(debugger: &mut Debugger, request: &str) -> Reply {
    let read: Request = serde_json::from_str(request).expect(request);
    debugger.ask(read, &mut Unattended).unwrap_or_else(|error| panic!("{request}: {error}"))
}

fn changes(debugger: &mut Debugger, since: Option<u64>) -> TreeChangesView {
    debugger.ask(request::TreeChanges { since }, &mut Unattended).unwrap()
}

fn by_node(rows: Vec<TreeNode>) -> BTreeMap<String, TreeNode> {
    rows.into_iter().map(|row| (row.node.clone(), row)).collect()
}

const MOCK: &str = r#"{"request":"mock","call":"chip_analog_read(5)","value":"#;

#[test]
fn whoever_follows_the_changes_has_the_tree() {
    let mut debugger = debugger();
    let mut kept = BTreeMap::new();
    let mut revision = None;
    let mut told = 0;
    let session = [
        format!(r#"{MOCK}"200"}}"#),
        r#"{"request":"step","unit":"instruction","direction":"forward","count":2}"#.into(),
        r#"{"request":"run","direction":"forward"}"#.into(),
        r#"{"request":"bookmark","name":"first"}"#.into(),
        r#"{"request":"reset"}"#.into(),
        r#"{"request":"unmock"}"#.into(),
        r#"{"request":"suggest"}"#.into(),
        r#"{"request":"slide","to":"1.1"}"#.into(),
        format!(r#"{MOCK}"66"}}"#),
        r#"{"request":"run","direction":"forward"}"#.into(),
        r#"{"request":"remove-bookmark","name":"first"}"#.into(),
        r#"{"request":"slide","to":"0.1"}"#.into(),
        r#"{"request":"alter","target":"local 0","value":"2"}"#.into(),
        r#"{"request":"run","direction":"forward"}"#.into(),
        r#"{"request":"slide","to":"start"}"#.into(),
    ];
    for request in session {
        ask(&mut debugger, &request);
        let news = changes(&mut debugger, revision);
        assert_eq!(news.whole, revision.is_none());
        revision = Some(news.revision);
        told += news.rows.len();
        news.gone.iter().for_each(|node| drop(kept.remove(node)));
        kept.extend(by_node(news.rows));
        let whole = changes(&mut debugger, None);
        assert!(whole.whole);
        for row in &whole.rows {
            let is_known = row.parent.as_ref().is_none_or(|parent| kept.contains_key(parent));
            assert!(is_known, "{row:?} hangs on nothing");
        }
        assert_eq!(kept, by_node(whole.rows), "after {request}");
        // Nothing has happened since.
        let nothing = changes(&mut debugger, revision);
        assert_eq!((nothing.rows.len(), nothing.gone.len()), (0, 0), "after {request}");
    }
    assert!(told < 5 * kept.len(), "{told} rows told of {}", kept.len());
    // A revision of another session is answered with everything.
    assert!(changes(&mut debugger, Some(1_000_000)).whole);
}

#[test]
fn a_row_says_what_it_stands_for() {
    let mut debugger = debugger();
    ask(&mut debugger, r#"{"request":"suggest"}"#);
    ask(&mut debugger, r#"{"request":"add-breakpoint","trigger":"chip_digital_write"}"#);
    ask(&mut debugger, &format!(r#"{MOCK}"101"}}"#));
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    let rows = changes(&mut debugger, None).rows;
    let visited: Vec<&TreeNode> = rows.iter().filter(|row| !row.suggested).collect();
    let [root, here] = visited.as_slice() else { panic!("{visited:#?}") };
    assert_eq!((root.node.as_str(), &root.parent, &root.choice), ("0.0", &None, &None));
    assert_eq!(here.choice.as_deref(), Some("chip_analog_read(5) = 101"));
    assert_eq!(here.label.as_deref(), Some("101..4095"));
    assert_eq!(here.outputs[0].effect, "printed \"101\\n\"");
    assert_eq!(here.outputs[0].printed.as_deref(), Some("101\n"));
    assert_eq!((here.hits[0].id, here.hits[0].place.node.as_str()), (1, here.node.as_str()));
    let trapped = |row: &&TreeNode| row.ended.as_ref().is_some_and(|end| end.kind == "trapped");
    let trap = rows.iter().find(trapped).unwrap();
    assert!(trap.suggested);
    assert!(trap.choice.as_ref().unwrap().ends_with("= 66"), "{trap:?}");
}

#[test]
fn going_to_a_suggested_place_visits_it() {
    let mut debugger = debugger();
    ask(&mut debugger, r#"{"request":"suggest"}"#);
    let suggested =
        |changes: TreeChangesView| changes.rows.iter().filter(|row| row.suggested).count();
    let before = suggested(changes(&mut debugger, None));
    assert!(before > 0);
    let Reply::Tree(tree) = ask(&mut debugger, r#"{"request":"tree"}"#) else { panic!() };
    assert_eq!(tree.rows.iter().filter(|row| !row.visited).count(), before);
    ask(&mut debugger, r#"{"request":"slide","to":"1.1"}"#);
    assert!(suggested(changes(&mut debugger, None)) < before);
}

fn universe(debugger: &mut Debugger, request: &str) -> UniverseView {
    match ask(debugger, request) {
        Reply::Universe(view) => view,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_universe_with_what_happened_in_it() {
    let mut debugger = debugger();
    ask(&mut debugger, &format!(r#"{MOCK}"200"}}"#));
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    ask(&mut debugger, r#"{"request":"slide","to":"0.1"}"#);
    ask(&mut debugger, r#"{"request":"bookmark","name":"early"}"#);
    let view = universe(&mut debugger, r#"{"request":"universe","place":"end"}"#);
    assert_eq!(view.choices.len(), 3);
    let effects: Vec<&str> = view.outputs.iter().map(|at| at.output.effect.as_str()).collect();
    let turn = ["printed \"200\\n\"", "pin 13 = high"];
    assert_eq!(effects, [turn; 3].concat());
    assert_eq!(view.bookmarks[0].name, "early");
    assert_eq!(view.ended.map(|end| end.kind), Some("finished".into()));
    let last = universe(&mut debugger, r#"{"request":"universe","place":"end","limit":1}"#);
    assert_eq!((last.choices.len(), last.omitted), (1, 2));
    assert_eq!((last.outputs.len(), last.outputs[0].output.effect.as_str()), (1, turn[1]));
    // Up to a place, only what had happened there.
    let view = universe(&mut debugger, r#"{"request":"universe","place":"0.1+9"}"#);
    assert_eq!(view.outputs.len(), 1);
    assert_eq!(view.ended, None);
    // The place of an output is right after it.
    let place = view.outputs[0].place.text.clone();
    ask(&mut debugger, &format!(r#"{{"request":"slide","to":"{place}"}}"#));
    let Reply::World(world) = ask(&mut debugger, r#"{"request":"world"}"#) else { panic!() };
    assert_eq!(world.board.unwrap().transcript, "200\n");
    // Another universe has nothing of this one.
    ask(&mut debugger, r#"{"request":"reset"}"#);
    ask(&mut debugger, &format!(r#"{MOCK}"66"}}"#));
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    let view = universe(&mut debugger, r#"{"request":"universe"}"#);
    let effects: Vec<&str> = view.outputs.iter().map(|at| at.output.effect.as_str()).collect();
    assert_eq!(effects, ["printed \"66\\n\""]);
    assert!(view.bookmarks.is_empty());
}

fn log(debugger: &mut Debugger, request: &str) -> Vec<LogLine> {
    match ask(debugger, request) {
        Reply::Log(view) => view.lines,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_printed_line_leads_to_its_moment() {
    let mut debugger = debugger();
    ask(&mut debugger, r#"{"request":"add-breakpoint","trigger":"print_int"}"#);
    for value in ["7", "8", "9"] {
        ask(&mut debugger, &format!(r#"{MOCK}"{value}"}}"#));
        ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    }
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    ask(&mut debugger, r#"{"request":"unmock"}"#);
    let lines = log(&mut debugger, r#"{"request":"log"}"#);
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["7", "8", "9"]);
    assert!(lines.iter().all(|line| !line.ahead));
    for (index, line) in lines.iter().enumerate() {
        ask(&mut debugger, &format!(r#"{{"request":"slide","to":"{}"}}"#, line.place.text));
        let Reply::World(world) = ask(&mut debugger, r#"{"request":"world"}"#) else { panic!() };
        assert_eq!(world.board.unwrap().transcript.lines().last(), Some(texts[index]));
    }
    ask(&mut debugger, &format!(r#"{{"request":"slide","to":"{}"}}"#, lines[0].place.text));
    let lines = log(&mut debugger, r#"{"request":"log"}"#);
    assert_eq!(lines.iter().map(|line| line.ahead).collect::<Vec<_>>(), [false, true, true]);
    let Reply::Log(last) = ask(&mut debugger, r#"{"request":"log","limit":1}"#) else { panic!() };
    assert_eq!((last.lines[0].text.as_str(), last.omitted), ("9", 2));
}

fn memory(debugger: &mut Debugger) -> MemoryView {
    match ask(debugger, r#"{"request":"read-memory","address":0,"length":16}"#) {
        Reply::Memory(view) => view,
        other => panic!("{other:?}"),
    }
}

#[test]
fn bytes_that_changed_are_told() {
    let mut debugger = debugger();
    assert!(memory(&mut debugger).changed.is_empty());
    // Three bytes are otherwise than before: 0x0102 is stored, then 0x0f03 behind it.
    ask(&mut debugger, &format!(r#"{MOCK}"258"}}"#));
    ask(&mut debugger, r#"{"request":"add-breakpoint","trigger":"chip_digital_write"}"#);
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    assert_eq!(memory(&mut debugger).changed, [(0, 2)]);
    // Looking changes nothing.
    assert_eq!(memory(&mut debugger).changed, [(0, 2)]);
    // Nor does a request that goes nowhere.
    ask(&mut debugger, &format!(r#"{MOCK}"3843"}}"#));
    assert_eq!(memory(&mut debugger).changed, [(0, 2)]);
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    assert_eq!(memory(&mut debugger).changed, [(4, 2)]);
    ask(&mut debugger, r#"{"request":"reset"}"#);
    assert_eq!(memory(&mut debugger).changed, [(0, 2), (4, 2)]);
}

fn inputs(debugger: &mut Debugger) -> Vec<(String, Option<String>, Option<String>)> {
    let Reply::Inputs(inputs) = ask(debugger, r#"{"request":"inputs"}"#) else { panic!("inputs") };
    let parts = |KnownInput { call, domain, value }| (call, domain, value);
    inputs.into_iter().map(parts).collect()
}

#[test]
fn inputs_are_known_before_they_are_read_and_with_their_arguments_afterwards() {
    let mut debugger = debugger();
    let range = Some("0..4095".to_owned());
    assert_eq!(inputs(&mut debugger), [("chip_analog_read".into(), range.clone(), None)]);
    ask(&mut debugger, r#"{"request":"mock","call":"chip_analog_read(7)","value":"3"}"#);
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    let zero = Some("0".to_owned());
    let known = ["chip_analog_read(5)", "chip_analog_read(7)"];
    assert_eq!(inputs(&mut debugger), known.map(|call| (call.into(), range.clone(), zero.clone())));
}

#[test]
fn chains_are_folded_once_there_are_many_nodes_and_say_where_their_last_choice_was_made() {
    let program = PROGRAM.replace("(i32.const 3))))))", "(i32.const 40))))))");
    let binary = wat::parse_str(program).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let mut debugger = Debugger::new(setup).unwrap();
    ask(&mut debugger, r#"{"request":"add-breakpoint","trigger":"chip_analog_read"}"#);
    for turn in 1..=40 {
        ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
        let rows = changes(&mut debugger, None).rows;
        let last = rows.last().unwrap();
        match turn {
            1..=24 => assert_eq!((rows.len(), last.folded), (turn, 0)),
            _ => {
                assert_eq!((rows.len(), last.folded), (2, turn as u64 - 2));
                let place = last.made_at.clone().unwrap();
                let slide = format!(r#"{{"request":"slide","to":"{place}"}}"#);
                let Reply::Stopped(stopped) = ask(&mut debugger, &slide) else { panic!("slid") };
                assert_eq!(stopped.position.pending.unwrap().call, "chip_analog_read(5)");
                assert_eq!(stopped.position.place.count, last.count);
                ask(&mut debugger, r#"{"request":"slide","to":"end"}"#);
            }
        }
    }
}

#[test]
fn a_program_without_memory_has_none_to_look_at() {
    let binary = wat::parse_str(r#"(module (func (export "main")))"#).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let mut debugger = Debugger::new(setup).unwrap();
    let read = r#"{"request":"read-memory","address":0,"length":16}"#;
    let Reply::Memory(memory) = ask(&mut debugger, read) else { panic!("memory") };
    assert_eq!((memory.size, memory.bytes.len()), (0, 0));
}

/// Hears everything; may have had enough from the beginning.
#[derive(Default)]
struct Hearing {
    events: Vec<Event>,
    is_cancelled: bool,
}

impl Listener for Hearing {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn is_cancelled(&mut self) -> bool {
        self.is_cancelled
    }
}

#[test]
fn what_was_read_is_told_in_order_with_what_was_put_out() {
    let mut debugger = debugger();
    let mut hearing = Hearing::default();
    ask(&mut debugger, &format!(r#"{MOCK}"200"}}"#));
    let run = request::Run { direction: Direction::Forward };
    debugger.ask(run.clone(), &mut hearing).unwrap();
    let all = told(&hearing);
    let round = ["read chip_analog_read(5) = 200", "print_int(200)", "chip_digital_write(13, 1)"];
    assert_eq!(all, round.repeat(3));
    // Only what is on the way: from the second reading on.
    let place = ask(&mut debugger, r#"{"request":"slide","to":"0.1"}"#);
    assert!(matches!(place, Reply::Stopped(_)));
    let mut hearing = Hearing::default();
    debugger.ask(run, &mut hearing).unwrap();
    assert_eq!(told(&hearing), round.repeat(3)[1..]);
}

/// What the program did and read.
fn told(hearing: &Hearing) -> Vec<String> {
    let told = hearing.events.iter().filter_map(|event| match event {
        Event::Effect(effect) => Some(effect.call.clone()),
        Event::Reading(reading) => Some(format!("read {}", reading.text)),
        Event::Omitted { count } => Some(format!("{count} before")),
        _ => None,
    });
    told.collect()
}

#[test]
fn of_much_that_was_read_the_last_is_told_and_how_much_came_before() {
    let program = r#"
        (module
          (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
          (func (export "main") (local $i i32)
            (loop $again
              (drop (call $read (i32.const 5)))
              (br_if $again
                (i32.lt_s
                  (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                  (i32.const 10007))))))"#;
    let binary = wat::parse_str(program).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let mut debugger = Debugger::new(setup).unwrap();
    let mut hearing = Hearing::default();
    debugger.ask(request::Run { direction: Direction::Forward }, &mut hearing).unwrap();
    let all = told(&hearing);
    assert_eq!((all.len(), all[0].as_str()), (10_001, "7 before"));
}

#[test]
fn hits_are_looked_for_without_moving_and_given_up_when_told_so() {
    let mut debugger = debugger();
    ask(&mut debugger, &format!(r#"{MOCK}"200"}}"#));
    ask(&mut debugger, r#"{"request":"run","direction":"forward"}"#);
    ask(&mut debugger, r#"{"request":"slide","to":"0.2"}"#);
    let here = ask(&mut debugger, r#"{"request":"where"}"#);
    let hits = request::Hits {
        at: "print_int".into(),
        condition: None,
        log: Some("turn {local 0}".into()),
        limit: Some(2),
    };
    let found = debugger.ask(hits.clone(), &mut Unattended).unwrap();
    let texts: Vec<_> = found.hits.iter().map(|hit| (hit.text.as_deref(), hit.ahead)).collect();
    assert_eq!(texts, [(Some("turn 1"), true), (Some("turn 2"), true)]);
    assert_eq!((found.total, found.omitted, found.until), (3, 1, None));
    assert_eq!(ask(&mut debugger, r#"{"request":"where"}"#), here);
    // A place that was found can be gone to.
    let first = format!(r#"{{"request":"slide","to":"{}"}}"#, found.hits[0].place.text);
    ask(&mut debugger, &first);
    let mut enough = Hearing { is_cancelled: true, ..Hearing::default() };
    let some = debugger.ask(hits, &mut enough).unwrap();
    assert_eq!((some.total, some.until.is_some()), (1, true));
}
