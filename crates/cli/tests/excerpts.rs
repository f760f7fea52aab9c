//! What the documents show of the terminal is what it says: each excerpt is a part of a golden
//! session.

use std::path::Path;

use crate::golden::tests;

/// The documents with excerpts, from the root of the repository.
const DOCUMENTS: [&str; 3] =
    ["README.md", "docs/guide/terminal.md", "docs/guide/properties.md"];

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
