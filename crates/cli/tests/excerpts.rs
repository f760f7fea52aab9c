//! What the documents show of the terminal is what it says: each excerpt is a part of a golden
//! session, and the README is played as it is written.
#![cfg(target_os = "linux")] // For `sh`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::golden::{scratch, tests};

/// The documents with excerpts, from the root of the repository.
const DOCUMENTS: [&str; 3] = ["README.md", "docs/guide/terminal.md", "docs/guide/properties.md"];

/// What a person sees before a command, and what a script shows in its place.
const PROMPTS: (&str, &str) = ("(mw) ", "> ");

#[test]
fn documents_show_what_is_said() {
    let folder = tests().join("sessions");
    let entries =
        std::fs::read_dir(&folder).expect("sessions").map(|entry| entry.expect("one").path());
    let said = entries.filter(|path| path.extension().is_some_and(|end| end == "txt"));
    let sessions: Vec<String> =
        said.map(|path| std::fs::read_to_string(path).expect("a session")).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(root.join(document)).expect("a document");
        let excerpts: Vec<Vec<String>> = excerpts(&text).collect();
        assert!(!excerpts.is_empty(), "{document} shows the terminal");
        for excerpt in excerpts {
            let is_said = sessions.iter().any(|said| is_part(&excerpt, said));
            assert!(is_said, "{document}: no session says\n{}", excerpt.join("\n"));
        }
    }
}

/// The lines of blocks in which commands are answered, without those that stand for others.
fn excerpts(text: &str) -> impl Iterator<Item = Vec<String>> {
    let blocks = text.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    // What exploring finds is another document's concern: explore.md.
    let is_answered = |block: &&str| {
        block.contains(PROMPTS.0)
            && !block.contains("(mw) suggest")
            && block.lines().any(|line| !line.starts_with(PROMPTS.0))
    };
    blocks.filter(is_answered).map(|block| {
        let lines = block.lines().filter(|line| {
            !line.starts_with("$ ") && !line.trim_start_matches(['│', ' ']).starts_with('…')
        });
        lines.map(|line| line.replacen(PROMPTS.0, PROMPTS.1, 1)).collect()
    })
}

/// Whether all lines are there in this order; a session may say more between them.
fn is_part(excerpt: &[String], said: &str) -> bool {
    let mut said = said.lines();
    excerpt.iter().all(|line| said.any(|other| other == line))
}

/// A newcomer copies what the README shows, one line after the other, and sees what it shows.
#[test]
fn the_readme_is_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let folder = scratch("readme", Path::new("README.md"));
    std::os::unix::fs::symlink(tests().join("../../../examples"), folder.join("examples"))
        .expect("a link to the examples");
    let blocks = text.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let shown: Vec<&str> = blocks.flat_map(|block| block.split("$ ").skip(1)).collect();
    let debugged = shown.iter().filter(|shown| shown.contains(PROMPTS.0)).count();
    assert!(shown.len() > debugged && debugged > 0, "it debugs, and does other things");
    for shown in shown {
        let (command, expected) = shown.split_once('\n').expect("what is said");
        let expected: Vec<&str> = expected.trim_end().lines().collect();
        let typed = expected.iter().filter_map(|line| line.strip_prefix(PROMPTS.0));
        let typed: String = typed.map(|line| format!("{line}\n")).collect();
        let said = say(command, &typed, &folder).replace("\n> ", "\n(mw) ");
        let said: Vec<&str> = said.lines().collect();
        assert!(fits(&expected, &said), "$ {command}\n{}", said.join("\n"));
    }
}

/// What a command says to whoever types these lines.
fn say(command: &str, typed: &str, folder: &Path) -> String {
    let mw = Path::new(env!("CARGO_BIN_EXE_mw"));
    let path = std::env::var("PATH").unwrap_or_default();
    let page = if command.starts_with("mw debug") { " --no-page" } else { "" };
    let mut child = Command::new("sh")
        .args(["-c", &format!("{command}{page}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", mw.parent().expect("a folder").display()))
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(typed.as_bytes()).expect("it listens");
    drop(stdin);
    String::from_utf8_lossy(&child.wait_with_output().expect("it ends").stdout).into_owned()
}

/// Whether the lines are said at once and in this order; `…` stands for any others, and so does the
/// end.
fn fits(expected: &[&str], said: &[&str]) -> bool {
    match expected {
        [] => true,
        [first, rest @ ..] if first.trim_start_matches(['│', ' ']).starts_with('…') => {
            (0..=said.len()).any(|passed| fits(rest, &said[passed..]))
        }
        [first, rest @ ..] => said.first() == Some(first) && fits(rest, &said[1..]),
    }
}
