//! What is kept of a session in the middle of a long run: were it killed then, nothing of the
//! person's would be lost, and nothing would be there that nobody set.

use std::sync::{Arc, Mutex};

use mw_api::{Debugger, Keeper, Request, Setup, Unattended};
use mw_session::Session;

/// Counts for longer than it takes to look up, and reads an input then; again and again.
const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (func $wait (local $i i32)
    (loop $again
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_s (local.get $i) (i32.const 2000000)))))
  (func $work (call $wait) (drop (call $read (i32.const 5))))
  (func (export "main") (loop $again (call $work) (br $again))))
"#;

/// Breakpoints as they are kept: their numbers, and whether they are on.
type Kept = Vec<(u32, bool)>;

/// Notes what would be in the file, whenever it would be written.
struct Noting(Arc<Mutex<Vec<Kept>>>);

impl Keeper for Noting {
    fn keep(&mut self, session: &mut Session) -> Result<(), String> {
        self.keep_in_passing(session)
    }

    fn keep_in_passing(&mut self, session: &mut Session) -> Result<(), String> {
        let kept = session.breakpoints().iter().map(|(id, known)| (id.0, known.enabled)).collect();
        self.0.lock().unwrap().push(kept);
        Ok(())
    }
}

#[test]
fn what_one_goes_to_is_no_breakpoint_of_the_persons() {
    let binary = wat::parse_str(PROGRAM).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let mut debugger = Debugger::new(setup).unwrap();
    let ask = |debugger: &mut Debugger, request: &str| {
        let request: Request = serde_json::from_str(request).unwrap();
        debugger.ask(request, &mut Unattended).unwrap()
    };
    // One of them would be hit on the way, one is switched off.
    for trigger in ["wait", "main"] {
        ask(&mut debugger, &format!(r#"{{"request":"add-breakpoint","trigger":"{trigger}"}}"#));
    }
    ask(&mut debugger, r#"{"request":"enable-breakpoint","id":2,"enabled":false}"#);
    let kept = Arc::new(Mutex::new(Vec::new()));
    debugger.set_keeper(Box::new(Noting(kept.clone())));
    for request in [
        r#"{"request":"branch","call":"chip_analog_read(5)","values":"1, 2"}"#,
        // To the breakpoint, and past it.
        r#"{"request":"run-to","to":"chip_analog_read","direction":"forward"}"#,
        r#"{"request":"run-to","to":"chip_analog_read","direction":"forward"}"#,
    ] {
        ask(&mut debugger, request);
    }
    let kept = kept.lock().unwrap();
    assert!(kept.len() > 3, "nothing was kept in passing");
    assert!(kept.iter().all(|kept| *kept == [(1, true), (2, false)]), "{kept:?}");
}
