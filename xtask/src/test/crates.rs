//! Which crate uses which is written down once, in the code map of ARCHITECTURE.md, and holds:
//! nothing uses what is not in that table, and nothing is in it that is not used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Outcome, conclude};
use crate::{examples, project};

/// Names of crates, as those of their folders: `api`, `session-file`.
type Names = BTreeSet<String>;

/// Crates and parts of crates, or files, by their paths below `crates`; and the crates they use.
type Uses = BTreeMap<String, Names>;

/// Compare the table with the sources and the manifests of all crates.
pub fn run() -> Result<Outcome> {
    let document = fs::read_to_string(project::root().join("ARCHITECTURE.md"))
        .context("could not read ARCHITECTURE.md")?;
    let folder = project::root().join("crates");
    let mut files = Uses::new();
    collect(&folder, &folder, &mut files)?;
    let mut complaints = complaints(&table(&document), &files);
    complaints.extend(forgotten(&folder)?);
    conclude(&complaints, &[])
}

/// Files of tests that would never run: a crate with `tests/all.rs` lists them itself.
fn forgotten(crates: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for folder in examples::entries(crates)? {
        let Ok(all) = fs::read_to_string(folder.join("tests/all.rs")) else { continue };
        let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
        for file in examples::entries(&folder.join("tests"))? {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let is_listed = all.contains(&format!("mod {name};"))
                || manifest.contains(&format!("name = \"{name}\""));
            if file.extension().is_some_and(|extension| extension == "rs") && !is_listed {
                complaints.push(format!("{} is not in all.rs beside it", project::shown(&file)));
            }
        }
    }
    Ok(complaints)
}

/// The rows of the table in the code map: a path, and what it may use.
fn table(document: &str) -> Uses {
    let map = document.split("\n## ").find(|section| section.starts_with("Code map"));
    let head = map.unwrap_or_default().split("\n### ").next().unwrap_or_default();
    let rows = head.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let uses = |cells: &str| {
        let cell = cells.split('|').nth(1).unwrap_or_default();
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    rows.map(|(path, cells)| (path.to_owned(), uses(cells))).collect()
}

/// The names of the project's crates in all sources and manifests.
fn collect(crates: &Path, folder: &Path, files: &mut Uses) -> Result<()> {
    for path in examples::entries(folder)? {
        let prefix = match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => {
                collect(crates, &path, files)?;
                continue;
            }
            Some("rs") => "mw_",
            Some("toml") if path.ends_with("Cargo.toml") => "mw-",
            _ => continue,
        };
        let text = fs::read_to_string(&path)
            .with_context(|| format!("could not read {}", project::shown(&path)))?;
        let path = path.strip_prefix(crates).expect("it was found there");
        files.insert(path.display().to_string(), named(&text, prefix));
    }
    Ok(())
}

fn named(text: &str, prefix: &str) -> Names {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !prefix.contains(c));
    words.filter_map(|word| word.strip_prefix(prefix)).map(|name| name.replace('_', "-")).collect()
}

/// What the table says and the files do not do, and the other way round.
fn complaints(table: &Uses, files: &Uses) -> Vec<String> {
    let mut complaints = Names::new();
    let mut unused = table.clone();
    for (file, names) in files {
        let own = file.split('/').next().unwrap_or_default();
        if !table.contains_key(own) {
            complaints.insert(format!("crates/{own} is not in the table of ARCHITECTURE.md"));
        }
        // A manifest is for all parts of its crate.
        let is_manifest = file.ends_with("Cargo.toml");
        let rows = || {
            let concerns = |row: &&String| match is_manifest {
                true => row.split('/').next() == Some(own),
                false => is_within(file, row),
            };
            table.keys().filter(concerns)
        };
        for name in names.iter().filter(|name| *name != own && table.contains_key(*name)) {
            if !rows().any(|row| table[row].contains(name)) {
                complaints.insert(format!(
                    "crates/{file} uses {name}, which it may not by the table of ARCHITECTURE.md"
                ));
            }
            if !is_manifest {
                for row in rows() {
                    unused.get_mut(row).expect("it is a row").remove(name);
                }
            }
        }
    }
    for (row, names) in &unused {
        complaints.extend(names.iter().map(|name| {
            format!("crates/{row} does not use {name}, as the table of ARCHITECTURE.md says")
        }));
    }
    complaints.into_iter().collect()
}

/// Is it this file, or in this folder? A module `run` is `run.rs` and all in `run`.
fn is_within(file: &str, row: &str) -> bool {
    file.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "
## Bird's-eye view
| `not` | `this` |
## Code map
| crate | uses | for |
|---|---|---|
| `vm` | | |
| `session-file` | `vm` | |
| `cli` | `session-file` | |
| `cli/src/run` | `vm` | `mw run` |
### `crates/vm`
| `lower` | `this` neither |
";

    const MANIFEST: (&str, &str) = ("cli/Cargo.toml", "mw-cli mw-session-file.workspace mw-vm");
    const FINE: [(&str, &str); 4] = [
        ("vm/src/lib.rs", "mw_vm::a; mw_tail_calls"),
        ("session-file/src/lib.rs", "use mw_vm::Module;"),
        ("cli/src/main.rs", "mw_session_file::open"),
        ("cli/src/run/drive.rs", "mw_vm::{Machine}; mw_session_file"),
    ];

    fn complaints_about(files: &[(&str, &str)]) -> Vec<String> {
        let uses = |(path, text): &(&str, &str)| {
            let prefix = if path.ends_with(".rs") { "mw_" } else { "mw-" };
            ((*path).to_owned(), named(text, prefix))
        };
        complaints(&table(DOCUMENT), &files.iter().map(uses).collect())
    }

    #[test]
    fn what_the_table_allows_passes() {
        assert_eq!(complaints_about(&[&FINE[..], &[MANIFEST]].concat()), [""; 0]);
    }

    #[test]
    fn what_the_table_does_not_allow_is_complained_of() {
        for (file, text, complaint) in [
            ("vm/src/up.rs", "use mw_session_file::A", "crates/vm/src/up.rs uses session-file"),
            ("cli/src/running.rs", "mw_vm::Value", "crates/cli/src/running.rs uses vm"),
            ("vm/Cargo.toml", "mw-cli.workspace = true", "crates/vm/Cargo.toml uses cli"),
            ("new/src/lib.rs", "", "crates/new is not in the table"),
        ] {
            let found = complaints_about(&[&FINE[..], &[MANIFEST, (file, text)]].concat());
            assert!(found.len() == 1 && found[0].starts_with(complaint), "{found:?}");
        }
    }

    #[test]
    fn what_is_allowed_and_not_used_is_complained_of() {
        let found = complaints_about(&[FINE[0], FINE[1], FINE[2], MANIFEST]);
        let complaint = "crates/cli/src/run does not use vm, as the table of ARCHITECTURE.md says";
        assert_eq!(found, [complaint]);
    }
}
