//! Checked-in modules are what their sources build to, byte for byte.

use std::fs;

use anyhow::Result;

use super::{Outcome, conclude};
use crate::examples::{self, Language, Program};
use crate::project;
use crate::scratch::ScratchFolder;

/// Rebuild every program into a temporary folder and compare. A language whose compiler cannot
/// be had is left out, with the reason.
pub fn run() -> Result<Outcome> {
    let programs = examples::find_all()?;
    let mut complaints = missing_readmes()?;
    let mut skipped = Vec::new();

    for language in Language::ALL {
        if let Err(reason) = language.set_up().and_then(|()| language.gives_the_same_bytes()) {
            skipped.push(format!("{language:?} sources not rebuilt: {reason:#}"));
            continue;
        }
        for program in programs.iter().filter(|program| program.language() == language) {
            complaints.extend(differences(program)?);
        }
    }

    conclude(&complaints, &skipped)
}

fn differences(program: &Program) -> Result<Vec<String>> {
    let scratch = ScratchFolder::new()?;
    program.build(scratch.path())?;
    let mut differences = Vec::new();
    for product in program.products() {
        let checked_in = program.folder().join(&product);
        let rebuilt = fs::read(scratch.path().join(&product))?;
        if fs::read(&checked_in).ok().as_ref() != Some(&rebuilt) {
            let file = project::shown(&checked_in);
            differences.push(format!(
                "{file} is not what {} builds to; run `cargo xtask examples`",
                program.shown()
            ));
        }
    }
    Ok(differences)
}

/// Every example tells what there is to find in it.
fn missing_readmes() -> Result<Vec<String>> {
    let folders = examples::entries(&project::examples())?.into_iter().filter(|path| {
        path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules")
    });
    let readmes = folders.map(|folder| folder.join("README.md"));
    let missing = readmes.filter(|readme| !readme.is_file());
    Ok(missing.map(|readme| format!("{} is missing", project::shown(&readme))).collect())
}
