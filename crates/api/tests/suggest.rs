//! Suggestions as a front end sees them.

use mw_api::{Debugger, Event, FoundView, Listener, Reply, Request, Setup, Suggested};

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

fn suggest(heard: &mut Heard, debugger: &mut Debugger, request: &str) -> Suggested {
    let request: Request = serde_json::from_str(request).unwrap();
    match debugger.handle(request, heard).unwrap() {
        Reply::Suggested(suggested) => *suggested,
        other => panic!("{other:?}"),
    }
}

fn debugger() -> Debugger {
    let binary = wat::parse_str(PROGRAM).unwrap();
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
