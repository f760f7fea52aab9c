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
        if let Event::Found { paths } = event {
            self.found.extend(paths);
        }
    }

    fn is_cancelled(&mut self) -> bool {
        // So slow that not all is told at once.
        std::thread::sleep(std::time::Duration::from_millis(15));
        self.enough.is_some_and(|enough| self.found.len() >= enough)
    }
}

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
        let request = format!(r#"{{"request":"suggest","jobs":{jobs}}}"#);
        let suggested = suggest(&mut heard, &mut debugger(), &request);
        assert!(suggested.complete);
        let mut told: Vec<_> = heard.found.iter().map(|p| essence(&p.end, &p.inputs)).collect();
        let mut all: Vec<_> =
            suggested.leaves.iter().map(|leaf| essence(&leaf.end, &leaf.inputs)).collect();
        told.sort();
        all.sort();
        assert_eq!(told, all);
        assert_eq!(all.iter().filter(|(end, _)| end == "trapped").count(), 4);
    }
}

#[test]
fn what_is_told_before_it_was_cancelled_stays() {
    let (mut debugger, mut heard) = (debugger(), Heard { enough: Some(0), ..Heard::default() });
    let suggested = suggest(&mut heard, &mut debugger, r#"{"request":"suggest"}"#);
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
        if let Event::Found { paths } = event {
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
    let request = r#"{"request":"suggest","jobs":1}"#;
    let suggested = suggest(&mut Impatient::default(), &mut debugger, request);
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
    let request = r#"{"request":"suggest","milliseconds":100000}"#;
    let suggested = suggest(&mut Unattended, &mut debugger, request);
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
            let request = format!(r#"{{"request":"suggest","jobs":{jobs}}}"#);
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
