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

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn transcripts() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let update = std::env::var_os("MW_BLESS").is_some();
    let folder = std::fs::read_dir(tests.join("transcripts")).expect("a folder of transcripts");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "there are transcripts");
    let mut differing = Vec::new();
    for file in files {
        let expected = std::fs::read_to_string(&file).expect("a transcript");
        let found = replay(&expected, &scratch(&file));
        if found == expected {
            continue;
        }
        match update {
            true => std::fs::write(&file, found).expect("a transcript can be written"),
            false => {
                println!("=== {}\n{}", file.display(), difference(&expected, &found));
                differing.push(file);
            }
        }
    }
    assert!(differing.is_empty(), "other than in {differing:?}, see above");
}

/// A folder for the commands of a transcript.
fn scratch(transcript: &Path) -> PathBuf {
    let name = transcript.file_stem().expect("a name");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcripts").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder to work in");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for program in std::fs::read_dir(package.join("tests/programs")).expect("programs") {
        let path = program.expect("a program").path();
        std::fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
    }
    std::os::unix::fs::symlink(package.join("../../examples"), folder.join("examples"))
        .expect("a link to the examples");
    folder
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
        _ => without_cost(&stdout),
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().map_or("killed".into(), |code| code.to_string());
    format!("{}{}= {code}\n", prefixed("|", &stdout), prefixed("!", &stderr))
}

/// The text without how long it took, and how.
fn without_cost(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("took ") {
        Some(_) => "took …\n".to_owned(),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

fn prefixed(prefix: &str, text: &str) -> String {
    // A line without an end is shown as such: it matters for what a program prints.
    let marked = |line: &str| match line.strip_suffix('\n') {
        Some(line) => format!("{prefix} {line}").trim_end().to_owned() + "\n",
        None => format!("{prefix} {line} (no end of line)\n"),
    };
    text.split_inclusive('\n').map(marked).collect()
}

/// The lines that differ, each with the command that it belongs to.
fn difference(expected: &str, found: &str) -> String {
    let (expected, found): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), found.lines().collect());
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let command = found[..same.min(found.len())].iter().rfind(|line| line.starts_with("$ "));
    let rest = |lines: &[&str]| {
        let rest = lines.get(same..).unwrap_or_default();
        rest.iter().take(12).map(|line| format!("    {line}\n")).collect::<String>()
    };
    format!(
        "{}\n  expected from line {} on:\n{}  found:\n{}",
        command.unwrap_or(&"(before the first command)"),
        same + 1,
        rest(&expected),
        rest(&found)
    )
}
