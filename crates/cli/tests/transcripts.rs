//! Golden tests of the command line: whole dialogues with the real binary, as text.
//!
//! Each file in `transcripts` is a list of commands with everything that each one says:
//!
//! ```text
//! # A comment.
//! $ mw run program.wat
//! | a line of standard output
//! ! a line of standard error
//! = 0
//! ```
//!
//! Commands are run by `sh`, those of a file in a folder of their own with the programs of
//! `tests/programs` in it and the examples at `$EXAMPLES`. JSON is laid out over several lines, so
//! that a change shows as the lines that change. What exploring took is left out.
//! `MW_BLESS=1 cargo test -p mw-cli` writes the files anew; read the difference.
#![cfg(target_os = "linux")] // For `sh`, `od` and `/dev/full`.

use crate::golden;

use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn transcripts() {
    golden::check("transcripts", "txt", "$ ", |file| {
        let transcript = std::fs::read_to_string(file).expect("a transcript");
        let folder = golden::scratch("transcripts", file);
        std::os::unix::fs::symlink(
            golden::tests().join("../../../examples"),
            folder.join("examples"),
        )
        .expect("a link to the examples");
        (file.to_owned(), replay(&transcript, &folder))
    });
}

/// The transcript with what the commands say now.
fn replay(transcript: &str, folder: &Path) -> String {
    let mut found = String::new();
    for line in transcript.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            found += &format!("$ {command}\n{}", converse(command, folder));
        } else if !line.starts_with(['|', '!', '=']) {
            found += &format!("{line}\n");
        }
    }
    found
}

/// Everything that a command says.
fn converse(command: &str, folder: &Path) -> String {
    let mw = Path::new(env!("CARGO_BIN_EXE_mw"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", mw.parent().expect("a folder").display()))
        .env("EXAMPLES", "examples")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .expect("sh runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stdout = match serde_json::from_str::<serde_json::Value>(&stdout) {
        Ok(mut json) if json.is_object() => {
            for cost in ["seconds", "solver_seconds", "queries", "query_stages"] {
                if let Some(cost) = json.get_mut(cost) {
                    *cost = "…".into();
                }
            }
            format!("{json:#}\n")
        }
        _ => golden::without_cost(&stdout),
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().map_or("killed".into(), |code| code.to_string());
    format!("{}{}= {code}\n", prefixed("|", &stdout), prefixed("!", &stderr))
}

fn prefixed(prefix: &str, text: &str) -> String {
    // A line without an end is shown as such: it matters for what a program prints.
    let marked = |line: &str| match line.strip_suffix('\n') {
        Some(line) => format!("{prefix} {line}").trim_end().to_owned() + "\n",
        None => format!("{prefix} {line} (no end of line)\n"),
    };
    text.split_inclusive('\n').map(marked).collect()
}
