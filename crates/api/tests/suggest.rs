//! Suggestions as a front end sees them.

use mw_api::{
    Debugger, Direction, Event, FoundView, Listener, Reply, Request, Setup, Suggested, Unattended,
    Unit, request,
};

const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (func (export "main") (local $i i32)
    (loop $again
      (if (i32.gt_u (i32.sub (call $read (i32.const 5)) (i32.const 100)) (i32.const 50))
        (then (drop (i32.div_s (i32.const 1) (i32.sub (local.get $i) (i32.const 2))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_s (local.get $i) (i32.const 3))))))
"#;

#[derive(Default)]
struct Heard {
    found: Vec<FoundView>,
    /// How many may be found before it is enough.
    enough: Option<usize>,
}

impl Listener for Heard {
    fn event(&mut self, event: Event) {
        if let Event::Found { paths, .. } = event {
            self.found.extend(paths);
        }
    }

    fn is_cancelled(&mut self) -> bool {
        // So slow that not all is told at once.
        std::thread::sleep(std::time::Duration::from_millis(15));
        self.enough.is_some_and(|enough| self.found.len() >= enough)
    }
}

/// Everything there is, each path by itself.
const EVERYTHING: &str =
    r#"{"request":"suggest","inputs":1000,"strategy":"fair","apart":true,"all":true"#;

fn suggest(heard: &mut dyn Listener, debugger: &mut Debugger, request: &str) -> Suggested {
    let request: Request = serde_json::from_str(request).unwrap();
    match debugger.ask(request, heard).unwrap() {
        Reply::Suggested(suggested) => suggested,
        other => panic!("{other:?}"),
    }
}

fn debugger() -> Debugger {
    debugger_of(PROGRAM)
}

fn debugger_of(program: &str) -> Debugger {
    let binary = wat::parse_str(program).unwrap();
    Debugger::new(Setup::new(&binary).unwrap().usual_entry(&[]).unwrap()).unwrap()
}

/// The ends of all paths and the values on the way.
fn essence(end: &str, inputs: &[mw_api::InputView]) -> (String, Vec<String>) {
    (end.to_owned(), inputs.iter().map(|input| input.value.clone()).collect())
}

#[test]
fn every_path_is_told_once() {
    for jobs in [1, 2] {
        let mut heard = Heard::default();
        let request = format!(r#"{EVERYTHING},"jobs":{jobs}}}"#);
        let suggested = suggest(&mut heard, &mut debugger(), &request);
        assert!(suggested.complete);
        let mut told: Vec<_> = heard.found.iter().map(|p| essence(&p.end, &p.inputs)).collect();
        let mut all: Vec<_> =
            suggested.leaves.iter().map(|leaf| essence(&leaf.end, &leaf.inputs)).collect();
        told.sort();
        all.sort();
        assert_eq!(told, all);
        let ends =
            |found: &FoundView| suggested.leaves.iter().any(|l| l.place.count == found.count);
        assert!(heard.found.iter().all(|found| found.whole && ends(found)));
        assert!(heard.found.iter().all(|found| found.counts.is_sorted()));
        let first = suggested.options.iter().find(|option| option.parent.is_none()).unwrap();
        assert!(heard.found.iter().all(|found| found.counts[0] == first.count));
        assert_eq!(all.iter().filter(|(end, _)| end == "trapped").count(), 4);
    }
}

#[test]
fn paths_of_many_inputs_are_told_from_their_start() {
    // Thirty readings, of which the last decides; then 300 of which it does.
    for (readings, whole) in [(30, true), (300, false)] {
        let mut debugger = debugger_of(&format!(
            r#"(module
              (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
              (func (export "main") (local $i i32) (local $last i32)
                (loop $again
                  (local.set $last (call $read (i32.const 1)))
                  (local.set $i (i32.add (local.get $i) (i32.const 1)))
                  (br_if $again (i32.lt_s (local.get $i) (i32.const {readings}))))
                (if (local.get $last) (then nop))))"#,
        ));
        let mut heard = Heard::default();
        suggest(&mut heard, &mut debugger, &format!("{EVERYTHING}}}"));
        let told: Vec<_> = heard.found.iter().map(|f| (f.whole, f.inputs.len())).collect();
        assert_eq!(told, vec![(whole, readings.min(200)); 2]);
    }
}

#[test]
fn what_is_told_before_it_was_cancelled_stays() {
    let (mut debugger, mut heard) = (debugger(), Heard { enough: Some(0), ..Heard::default() });
    let suggested = suggest(&mut heard, &mut debugger, &format!("{EVERYTHING}}}"));
    assert!(!suggested.complete && heard.found.is_empty());
    let mut heard = Heard::default();
    let suggested = suggest(&mut heard, &mut debugger, r#"{"request":"suggest-more"}"#);
    assert!(suggested.complete);
    assert_eq!(heard.found.len() as u64, suggested.paths);
}

/// Has enough in the middle of what is told when everything has been found, and is slow to say so.
#[derive(Default)]
struct Impatient {
    found: usize,
    /// How often it was asked since it was told something.
    asked: usize,
}

impl Impatient {
    /// All paths of the program.
    const ALL: usize = 256;
    /// More often than it is asked between two events while exploring: it is told of progress every
    /// 50 ms, and asked every 5.
    const OFTEN: usize = 20;
}

impl Listener for Impatient {
    fn event(&mut self, event: Event) {
        self.asked = 0;
        if let Event::Found { paths, .. } = event {
            self.found += paths.len();
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.asked += usize::from(self.found == Self::ALL);
        if self.asked == Self::OFTEN {
            // As if something else had the processor.
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
        self.asked >= Self::OFTEN
    }
}

#[test]
fn a_stop_while_it_is_told_is_heeded_and_what_goes_wrong_is_told_anyway() {
    // Eight readings of a switch; a trap when it is never on.
    let mut debugger = debugger_of(
        r#"(module
          (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
          (func (export "main") (local $i i32) (local $on i32)
            (loop $again
              (if (call $read (i32.const 1)) (then (local.set $on (i32.const 1))))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (br_if $again (i32.lt_s (local.get $i) (i32.const 8))))
            (if (i32.eqz (local.get $on)) (then unreachable))))"#,
    );
    let request = format!(r#"{EVERYTHING},"jobs":1}}"#);
    let suggested = suggest(&mut Impatient::default(), &mut debugger, &request);
    assert_eq!(suggested.paths, Impatient::ALL as u64);
    assert_eq!((suggested.leaves.len(), suggested.untold), (1, suggested.paths - 1));
    assert!(!suggested.complete && suggested.findings.len() == 1);
    // Nothing is lost.
    let suggested = suggest(&mut Unattended, &mut debugger, r#"{"request":"suggest-more"}"#);
    assert!(suggested.complete && suggested.leaves.len() == Impatient::ALL);
}

/// A trap on the first reading, before a loop that reads and decides for ever.
#[test]
fn what_is_near_is_found_unless_told_otherwise() {
    let found = |strategy: &str| {
        let mut debugger = debugger_of(
            r#"(module
              (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
              (import "env" "print_int" (func $print (param i32)))
              (func (export "main") (local $on i32)
                (if (call $read (i32.const 1)) (then (call $print (i32.const 1)) unreachable))
                (loop $again
                  (if (call $read (i32.const 2)) (then (local.set $on (i32.const 1))))
                  (br $again))))"#,
        );
        let request = format!(r#"{{"request":"suggest","jobs":1,"paths":3{strategy}}}"#);
        suggest(&mut Unattended, &mut debugger, &request).findings.len()
    };
    assert_eq!(found(""), 1);
    assert_eq!(found(r#","strategy":"fair""#), 1);
    assert_eq!(found(r#","strategy":"depth""#), 0, "it takes more than luck");
}

#[test]
fn what_is_told_of_all_paths_together_is_bounded() {
    // Eight readings that decide, and 600 that do not.
    let mut debugger = debugger_of(
        r#"(module
          (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
          (func (export "main") (local $i i32)
            (loop $again
              (if (i32.lt_u (local.get $i) (i32.const 8))
                (then (if (call $read (i32.const 1)) (then nop)))
                (else (drop (call $read (i32.const 1)))))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (br_if $again (i32.lt_s (local.get $i) (i32.const 608))))
            unreachable))"#,
    );
    let request = format!(r#"{EVERYTHING},"milliseconds":100000}}"#);
    let suggested = suggest(&mut Unattended, &mut debugger, &request);
    assert!(suggested.complete && suggested.leaves.len() == 256);
    assert!(suggested.leaves.iter().all(|leaf| leaf.readings == 608));
    let told: usize = suggested.leaves.iter().map(|leaf| leaf.inputs.len()).sum();
    assert!((1000..=100_000).contains(&told), "{told}");
    // What has to be known of a mistake is there.
    assert_eq!(suggested.findings[0].inputs.len(), 8);
}

#[test]
fn boundaries_are_offered() {
    let suggested =
        suggest(&mut Heard::default(), &mut debugger(), r#"{"request":"suggest","inputs":1}"#);
    let offered: Vec<_> = suggested
        .options
        .iter()
        .map(|option| (option.value.as_str(), option.boundaries.join(" ")))
        .collect();
    assert_eq!(offered, [("0", "99 151 4095".to_owned()), ("100", "150".to_owned())]);
}

#[test]
fn what_is_left_out_is_said() {
    let program = |body: &str| {
        format!(
            r#"(module
              (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
              (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
              (import "env" "unsubscribe_interrupt" (func $unsubscribe (param i32)))
              (import "env" "mqtt_subscribe" (func $listen (param i32 i32 i32) (result i32)))
              (import "env" "http_get" (func $get (param i32 i32 i32 i32) (result i32)))
              (import "env" "test" (func $test (param i32)))
              (func $done)
              (func (export "main") {body} (call $done)))"#
        )
    };
    let subscribe = "(call $subscribe (i32.const 4) (i32.const 0) (i32.const 2))";
    let get = "(call $get (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))";
    for (body, paths, expected) in [
        ("(if (call $read (i32.const 1)) (then nop))", 2, ""),
        (subscribe, 1, "interrupts"),
        // On one path of two, and not any more.
        (&format!("(if (call $read (i32.const 1)) (then {subscribe}))"), 2, "interrupts"),
        (&format!("{subscribe} (call $unsubscribe (i32.const 4))"), 1, "interrupts"),
        ("(call $test (i32.const 0))", 1, "messages"),
        // A connection that fails, and one that does not.
        ("(if (call $listen (i32.const 0) (i32.const 0) (i32.const 0)) (then nop))", 2, "messages"),
        (&format!("(if (i32.lt_s {get} (i32.const 0)) (then nop))"), 2, "what arrives in buffers"),
        (&format!("{subscribe} (drop {get})"), 1, "interrupts, what arrives in buffers"),
    ] {
        for jobs in [1, 2] {
            let mut debugger = debugger_of(&program(body));
            let request = format!(r#"{EVERYTHING},"jobs":{jobs}}}"#);
            let suggested = suggest(&mut Heard::default(), &mut debugger, &request);
            assert_eq!(suggested.paths, paths, "{body}");
            assert_eq!(suggested.left_out.join(", "), expected, "{body}");
            assert_eq!(suggested.complete, expected.is_empty(), "{body}");
        }
    }
    // From where it has been subscribed to already, and where an input is mocked.
    let mut debugger =
        debugger_of(&program(&format!("{subscribe} (if (call $read (i32.const 1)) (then nop))")));
    let (unit, direction) = (Unit::Instruction, Direction::Forward);
    debugger.ask(request::Step { unit, direction, count: 4 }, &mut Heard::default()).unwrap();
    let mock = request::Mock::new("chip_digital_read(1)", "1");
    debugger.ask(mock, &mut Heard::default()).unwrap();
    let suggested = suggest(&mut Heard::default(), &mut debugger, r#"{"request":"suggest"}"#);
    assert_eq!(suggested.left_out, ["interrupts", "other values of mocked inputs"]);
    assert!(!suggested.complete);
}

/// A switch that is read for ever, and what it says is put out.
const SWITCH: &str = r#"
(module
  (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (func (export "main")
    (loop $again
      (if (call $read (i32.const 1))
        (then (call $write (i32.const 2) (i32.const 1)))
        (else (call $write (i32.const 2) (i32.const 0))))
      (br $again))))
"#;

fn rows(debugger: &mut Debugger) -> Vec<mw_api::TreeRow> {
    debugger.ask(request::Tree { from: None, limit: None }, &mut Unattended).unwrap().rows
}

/// How many nodes there are, those that are folded included.
fn nodes(debugger: &mut Debugger) -> u64 {
    debugger.ask(request::Tree { from: None, limit: None }, &mut Unattended).unwrap().nodes
}

#[test]
fn a_program_that_reads_for_ever_is_explored_four_inputs_deep() {
    let mut debugger = debugger_of(SWITCH);
    let suggested = suggest(&mut Unattended, &mut debugger, r#"{"request":"suggest"}"#);
    assert_eq!((suggested.leaves.len(), suggested.withheld), (16, 0));
    assert!(suggested.leaves.iter().all(|leaf| leaf.kind == "input bound" && leaf.readings == 4));
    // Where it was cut off is said there, and one can go on from there.
    let open: Vec<String> =
        rows(&mut debugger).into_iter().filter(|row| row.open).map(|row| row.node).collect();
    assert_eq!(open.len(), 16);
    let more = format!(r#"{{"request":"suggest","from":"{}","inputs":1}}"#, open[0]);
    let suggested = suggest(&mut Unattended, &mut debugger, &more);
    assert_eq!(suggested.leaves.len(), 2);
    assert_eq!(suggested.from.node, open[0]);
    assert_eq!(rows(&mut debugger).iter().filter(|row| row.open).count(), 15 + 2);
    let here = debugger.ask(request::Where {}, &mut Unattended).unwrap();
    assert_eq!(here.place.text, "0.0", "nobody has moved");
}

#[test]
fn many_paths_are_counted_and_added_when_asked_for() {
    let mut debugger = debugger_of(SWITCH);
    let found = suggest(&mut Unattended, &mut debugger, r#"{"request":"suggest","inputs":6}"#);
    assert_eq!((found.withheld, found.leaves.len(), nodes(&mut debugger)), (64, 0, 1));
    let few = suggest(&mut Unattended, &mut debugger, r#"{"request":"add-suggested","limit":10}"#);
    assert_eq!((few.withheld, few.leaves.len(), few.complete), (54, 10, false));
    let all = suggest(&mut Unattended, &mut debugger, r#"{"request":"add-suggested"}"#);
    assert_eq!((all.withheld, all.leaves.len()), (0, 64));
    assert_eq!(nodes(&mut debugger), 1 + 2 + 4 + 8 + 16 + 32 + 64);
    let mut other = debugger_of(SWITCH);
    let request = r#"{"request":"suggest","inputs":6,"all":true}"#;
    assert_eq!(suggest(&mut Unattended, &mut other, request).leaves.len(), 64);
}

#[test]
fn what_behaves_alike_is_added_once_with_all_values() {
    let program = r#"
    (module
      (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
      (import "env" "print_int" (func $print (param i32)))
      (func (export "main") (local $hot i32)
        (if (i32.gt_u (call $read (i32.const 1)) (i32.const 3000))
          (then (local.set $hot (i32.const 1)))
          (else (if (i32.lt_u (call $read (i32.const 1)) (i32.const 10)) (then nop))))
        (call $print (local.get $hot))))"#;
    let mut apart = debugger_of(program);
    let request = r#"{"request":"suggest","apart":true}"#;
    assert_eq!(suggest(&mut Unattended, &mut apart, request).leaves.len(), 3);
    let mut debugger = debugger_of(program);
    // Whoever has been on one of these ways finds that one, and not another.
    let answer = |value: &str| request::Answer { value: value.into() };
    let run = request::Run { direction: Direction::Forward };
    let to_reading =
        request::RunTo { to: "chip_analog_read".into(), direction: Direction::Forward };
    debugger.ask(to_reading.clone(), &mut Unattended).unwrap();
    debugger.ask(answer("700"), &mut Unattended).unwrap();
    debugger.ask(to_reading, &mut Unattended).unwrap();
    debugger.ask(answer("500"), &mut Unattended).unwrap();
    debugger.ask(run, &mut Unattended).unwrap();
    debugger.ask(request::Reset {}, &mut Unattended).unwrap();
    let suggested = suggest(&mut Unattended, &mut debugger, r#"{"request":"suggest"}"#);
    assert_eq!(suggested.leaves.len(), 2);
    let second: Vec<_> =
        suggested.options.iter().filter(|option| option.parent.is_some()).collect();
    assert_eq!(second.len(), 1);
    assert_eq!((second[0].value.as_str(), second[0].values.as_deref()), ("500", Some("0..4095")));
    assert_eq!(nodes(&mut debugger), 1 + 2 + 1);
}

/// The program remembers a reading, and what comes of it is seen only after the next one.
#[test]
fn what_behaves_alike_only_for_a_while_stays_apart() {
    let mut debugger = debugger_of(
        r#"(module
          (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
          (import "env" "print_int" (func $print (param i32)))
          (func (export "main") (local $x i32)
            (local.set $x (call $read (i32.const 1)))
            (if (i32.gt_u (local.get $x) (i32.const 3000)) (then nop))
            (drop (call $read (i32.const 2)))
            (if (i32.gt_u (local.get $x) (i32.const 3000)) (then unreachable))))"#,
    );
    let suggested = suggest(&mut Unattended, &mut debugger, r#"{"request":"suggest"}"#);
    let ends: Vec<_> = suggested
        .leaves
        .iter()
        .map(|leaf| (leaf.end.as_str(), leaf.inputs[0].values.as_deref()))
        .collect();
    assert_eq!(ends, [("finished", Some("0..3000")), ("trapped", Some("3001..4095"))]);
}

#[test]
fn suggestions_that_nobody_has_visited_can_be_removed() {
    let mut debugger = debugger_of(SWITCH);
    suggest(&mut Unattended, &mut debugger, r#"{"request":"suggest","inputs":3}"#);
    assert_eq!(nodes(&mut debugger), 15);
    let rows = rows(&mut debugger);
    let below = |parent: usize| -> Vec<usize> {
        (0..rows.len()).filter(|at| rows[*at].parent == Some(parent)).collect()
    };
    let [first, second] = below(0)[..] else { panic!("{rows:?}") };
    let remove = |debugger: &mut Debugger, below: Option<&str>| {
        let below = below.map(Into::into);
        debugger.ask(request::RemoveSuggested { below }, &mut Unattended).unwrap().nodes
    };
    assert_eq!(remove(&mut debugger, Some(&rows[first].node)), 7);
    // A visited node stays, and so does what leads to a bookmark.
    let inner = below(second);
    let to = rows[inner[0]].node.as_str();
    debugger.ask(request::Slide { to: to.into() }, &mut Unattended).unwrap();
    debugger.ask(request::Reset {}, &mut Unattended).unwrap();
    let leaf = rows[below(inner[1])[0]].node.as_str();
    let bookmark = request::Bookmark { name: "later".into(), place: Some(leaf.into()) };
    debugger.ask(bookmark, &mut Unattended).unwrap();
    assert_eq!(remove(&mut debugger, None), 7 - 2 - 2);
    assert_eq!(remove(&mut debugger, None), 0);
    for stays in [to, leaf] {
        debugger.ask(request::Slide { to: stays.into() }, &mut Unattended).unwrap();
    }
    // What is gone can be found again.
    debugger.ask(request::Reset {}, &mut Unattended).unwrap();
    suggest(&mut Unattended, &mut debugger, r#"{"request":"suggest","inputs":3}"#);
    assert_eq!(nodes(&mut debugger), 15);
}

#[test]
fn why_the_program_came_to_a_place() {
    let mut debugger = debugger();
    for value in ["120", "7", "3"] {
        let to = request::RunTo { to: "chip_analog_read".into(), direction: Direction::Forward };
        debugger.ask(to, &mut Unattended).unwrap();
        debugger.ask(request::Answer { value: value.into() }, &mut Unattended).unwrap();
    }
    debugger.ask(request::Run { direction: Direction::Forward }, &mut Unattended).unwrap();
    let why = debugger.ask(request::Why { place: None }, &mut Unattended).unwrap();
    let inputs: Vec<_> = why
        .inputs
        .iter()
        .map(|one| (one.node.as_str(), one.input.value.as_str(), one.input.values.as_deref()))
        .collect();
    assert!(why.complete);
    assert_eq!(
        inputs,
        [
            ("0.1", "120", Some("100..150")),
            ("0.2", "7", Some("{0..99, 151..4095}")),
            ("0.3", "3", Some("{0..99, 151..4095}")),
        ]
    );
    let at = |node: &str| request::Why { place: Some(node.into()) };
    let why = debugger.ask(at("0.1"), &mut Unattended).unwrap();
    let said: Vec<String> = why.conditions.iter().map(|one| one.sentence()).collect();
    assert_eq!(said, ["(input 1 + -100) <=u 50"]);
}

#[test]
fn who_wrote_what_made_the_program_trap() {
    for (body, expected) in [
        // A global, a local, memory, what was read, and through a call.
        ("(drop (i32.div_s (i32.const 1) (global.get $g)))", "global.set $g"),
        ("(drop (i32.div_s (i32.const 1) (i32.mul (local.get $x) (i32.const 2))))", "local.set $x"),
        ("(drop (i32.div_s (i32.const 1) (i32.load offset=4 (i32.const 16))))", "i32.store"),
        ("(drop (i32.rem_u (i32.const 1) (call $read (i32.const 1))))", "call $read"),
        ("(drop (call $divide (i32.const 1) (global.get $g)))", "global.set $g"),
        ("(drop (i32.load (i32.sub (global.get $g) (i32.const 1))))", "global.set $g"),
    ] {
        let mut debugger = debugger_of(&format!(
            r#"(module
              (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
              (memory 1)
              (global $g (mut i32) (i32.const 5))
              (func $divide (param i32 i32) (result i32)
                (i32.div_s (local.get 0) (local.get 1)))
              (func (export "main") (local $x i32)
                (i32.store (i32.const 20) (i32.const 0))
                (global.set $g (i32.const 0))
                (local.set $x (i32.const 0))
                (i32.store (i32.const 32) (i32.const 1))
                {body}))"#
        ));
        debugger.ask(request::Run { direction: Direction::Forward }, &mut Unattended).unwrap();
        let stopped =
            debugger.ask(request::WhoWrote { term: None }, &mut Unattended).unwrap().position;
        assert!(stopped.instruction.as_deref().unwrap_or("").starts_with(expected), "{stopped:?}");
        // And of a variable, from wherever one is.
        debugger.ask(request::Run { direction: Direction::Forward }, &mut Unattended).unwrap();
        let who = request::WhoWrote { term: Some("g".into()) };
        let stopped = debugger.ask(who, &mut Unattended).unwrap().position;
        assert_eq!(stopped.instruction.as_deref(), Some("global.set $g"));
        let error = debugger.ask(request::WhoWrote { term: None }, &mut Unattended).unwrap_err();
        assert!(error.message.contains("has not trapped"), "{error:?}");
    }
}
