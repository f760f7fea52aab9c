//! Whatever number a request has, it is answered: with a reason, if it makes no sense.

use mw_api::{Debugger, Request, Setup, Unattended};

const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (func (export "main")
    (call $print (call $read (i32.const 5)))
    (call $print (call $read (i32.const 5)))))
"#;

/// Each with `N` in place of its number.
const REQUESTS: &[&str] = &[
    r#"{"request":"step","unit":"instruction","direction":"forward","count":N}"#,
    r#"{"request":"step","unit":"instruction","direction":"back","count":N}"#,
    r#"{"request":"step","unit":"line","direction":"forward","count":N}"#,
    r#"{"request":"step","unit":"over","direction":"back","count":N}"#,
    r#"{"request":"restart-frame","frame":N}"#,
    r#"{"request":"slide","to":{"count":N}}"#,
    r#"{"request":"slide","to":{"relative":N}}"#,
    r#"{"request":"slide","to":{"node":{"node":"0.1","after":N}}}"#,
    r#"{"request":"slide","to":"0.N+N"}"#,
    r#"{"request":"plan","to":"N"}"#,
    r#"{"request":"diff","first":"N"}"#,
    r#"{"request":"source-variables","of":{"frame":N},"path":[N]}"#,
    r#"{"request":"evaluate","expression":"N","frame":N}"#,
    r#"{"request":"source-lines","count":N}"#,
    r#"{"request":"read-memory","address":N,"length":N}"#,
    r#"{"request":"read-memory","address":1,"length":N}"#,
    r#"{"request":"write-memory","address":N,"bytes":[1]}"#,
    r#"{"request":"disassemble","count":N}"#,
    r#"{"request":"disassemble","around":"*N"}"#,
    r#"{"request":"print","term":"i32 @ N"}"#,
    r#"{"request":"tree","limit":N}"#,
    r#"{"request":"tree-changes","since":N}"#,
    r#"{"request":"log","limit":N}"#,
    r#"{"request":"universe","limit":N}"#,
    r#"{"request":"merged","limit":N}"#,
    r#"{"request":"mock","call":"chip_analog_read(N)","value":"N"}"#,
    r#"{"request":"unmock","id":N}"#,
    r#"{"request":"branch","call":"chip_analog_read(5)","values":{"from":0,"to":N,"step":1}}"#,
    r#"{"request":"branch","call":"chip_analog_read(5)","values":{"from":0,"to":9,"step":N}}"#,
    r#"{"request":"suggest","jobs":N,"paths":9}"#,
    r#"{"request":"suggest","inputs":N,"turns":N,"values":N,"paths":9}"#,
    r#"{"request":"suggest","milliseconds":N,"solver-milliseconds":N,"paths":9}"#,
    r#"{"request":"suggest","instructions":N,"memory":N,"paths":9}"#,
    r#"{"request":"suggest","paths":N,"inputs":1}"#,
    r#"{"request":"trace-of","path":N}"#,
    r#"{"request":"interrupt","pin":N}"#,
    r#"{"request":"add-breakpoint","trigger":"main","hits":"N"}"#,
    r#"{"request":"add-breakpoint","trigger":"main","hits":"> N"}"#,
    r#"{"request":"add-breakpoint","trigger":"main","hits":"% N"}"#,
    r#"{"request":"add-breakpoint","trigger":{"offset":N}}"#,
    r#"{"request":"add-breakpoint","trigger":{"line":{"file":"a.ts","line":N}}}"#,
    r#"{"request":"add-breakpoint","trigger":{"watch":{"address":N,"length":N}}}"#,
    r#"{"request":"remove-breakpoint","id":N}"#,
    r#"{"request":"enable-breakpoint","id":N,"enabled":true}"#,
    r#"{"request":"change-breakpoint","id":N,"hits":"N"}"#,
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
];

#[test]
fn every_number_is_answered() {
    let binary = wat::parse_str(PROGRAM).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let mut understood = 0;
    for request in REQUESTS {
        for number in NUMBERS {
            // Somewhere in the middle, anew for each.
            let mut debugger = Debugger::new(setup.clone()).unwrap();
            let step = r#"{"request":"step","unit":"instruction","direction":"forward","count":5}"#;
            for text in [step, &request.replace('N', number)] {
                // What is no such number is refused before it gets here.
                let Ok(request) = serde_json::from_str::<Request>(text) else { continue };
                let _ = debugger.ask(request, &mut Unattended);
                understood += 1;
            }
        }
    }
    assert!(understood > REQUESTS.len() * NUMBERS.len() * 3 / 2, "{understood}");
}

#[test]
fn what_is_beyond_reason_is_refused_with_the_bound() {
    let binary = wat::parse_str(PROGRAM).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let mut debugger = Debugger::new(setup).unwrap();
    let values: Vec<String> = (0..70_000).map(|number| format!("\"{number}\"")).collect();
    let many = format!(
        r#"{{"request":"branch","call":"chip_analog_read(5)","values":[{}]}}"#,
        values.join(",")
    );
    for (request, expected) in [
        (r#"{"request":"suggest","jobs":257}"#, "257 jobs are too many; 256 are the most"),
        (
            r#"{"request":"suggest","milliseconds":99999999999999}"#,
            "99999999999999 milliseconds of time are too many; 31536000000 are the most",
        ),
        (&many, "that would be 70000 branches, and 65536 at once are the most"),
    ] {
        let request: Request = serde_json::from_str(request).unwrap();
        let error = debugger.ask(request, &mut Unattended).unwrap_err();
        assert!(error.message.contains(expected), "{}", error.message);
    }
}
