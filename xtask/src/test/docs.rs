//! What the documentation says must be true as far as a program can check it:
//! it builds without warnings, and the commands and files that it names exist.

mod markdown;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use self::markdown::{commands, links};
use super::{Outcome, conclude};
use crate::{debugger, examples, process, project};

/// Build the API documentation and check all Markdown files of the repository.
pub fn run() -> Result<Outcome> {
    let mut doc = process::command("cargo");
    // With private items: how a module works is written at its head, and most modules are private.
    doc.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    doc.env("RUSTDOCFLAGS", "--deny=warnings");
    process::run(&mut doc)?;

    let mut complaints = Vec::new();
    let mut debugger_commands = BTreeSet::new();
    for file in markdown_files(project::root())? {
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("could not read {}", project::shown(&file)))?;
        let mut complain =
            |what: String| complaints.push(format!("{}: {what}", project::shown(&file)));
        for command in commands(&text) {
            match command.as_slice() {
                ["cargo", "xtask", words @ ..] => {
                    if let Err(error) = crate::check_command_line(words) {
                        complain(format!("`{}`: {error}", command.join(" ")));
                    }
                }
                ["mw", name, ..] if is_plain_word(name) => {
                    debugger_commands.insert((*name).to_owned());
                }
                _ => {}
            }
        }
        for link in links(&text) {
            if !file.parent().unwrap_or(project::root()).join(link).exists() {
                complain(format!("the link to {link} leads nowhere"));
            }
        }
    }
    if !project::root().join("README.md").is_file() {
        complaints.push("README.md is missing".into());
    }
    complaints.extend(unknown_to_mw(&debugger_commands)?);

    conclude(&complaints, &[])
}

/// Options and placeholders such as `<command>` are no names of commands.
fn is_plain_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// The documented commands of `mw` that it does not have.
fn unknown_to_mw(names: &BTreeSet<String>) -> Result<Vec<String>> {
    let mw = debugger::build()?;
    let is_known =
        |name: &String| process::output(process::command(&mw).args([name, "--help"])).is_some();
    let unknown = names.iter().filter(|name| !is_known(name));
    Ok(unknown.map(|name| format!("`mw {name}` is documented but does not work")).collect())
}

/// All Markdown files that belong to the repository.
fn markdown_files(folder: &Path) -> Result<Vec<PathBuf>> {
    const FOREIGN: [&str; 3] = ["node_modules", "target", "corpus"];
    let mut files = Vec::new();
    for path in examples::entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !FOREIGN.contains(&&*name) {
            files.extend(markdown_files(&path)?);
        } else if name.ends_with(".md") {
            files.push(path);
        }
    }
    Ok(files)
}
