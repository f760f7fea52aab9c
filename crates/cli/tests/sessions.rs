//! Golden tests of the debugger: whole sessions with the real binary.
//!
//! Each `sessions/NAME.mws` is a list of commands, and `sessions/NAME.txt` what `mw debug` says to
//! them. The first line of a script is how the debugger is started, after `#!`; commands come
//! through a pipe, in a folder of their own with the programs of `tests/programs` in it and the
//! examples at `$EXAMPLES`.
//!
//! What exploring took is left out. `MW_BLESS=1 cargo test -p mw-cli` writes the expectations anew; read the difference.
#![cfg(target_os = "linux")] // For `sh`.

mod golden;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn sessions() {
    golden::check("sessions", "mws", "> ", |script| (script.with_extension("txt"), play(script)));
}

/// Everything that is said in a session.
fn play(script: &Path) -> String {
    let text = std::fs::read_to_string(script).expect("a script");
    let first = text.lines().next().unwrap_or_default();
    let command = first.strip_prefix("#!").expect("the first line says how to start").trim();
    let scratch = golden::scratch("sessions", script);
    let mw = Path::new(env!("CARGO_BIN_EXE_mw"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(&scratch)
        .env("PATH", format!("{}:{path}", mw.parent().expect("a folder").display()))
        .env("EXAMPLES", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"))
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A session that ends before its script does closes the pipe.
    let _ = stdin.write_all(text.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    let code = output.status.code().map_or("killed".into(), |code| code.to_string());
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let said = golden::without_cost(&said);
    let errors: String = errors.lines().map(|line| format!("! {line}\n")).collect();
    format!("{said}{errors}= {code}\n")
}
