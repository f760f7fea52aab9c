//! Checked-in modules are what their sources build to, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, bail};

use super::{Outcome, conclude};
use crate::examples::{self, Language, Program};
use crate::{project, setup};

/// Rebuild every program into a temporary folder and compare. A language whose compiler cannot
/// be had is left out, with the reason.
pub fn run() -> Result<Outcome> {
    let programs = examples::find_all()?;
    let mut complaints = missing_readmes()?;
    let mut skipped = Vec::new();

    for language in [Language::AssemblyScript, Language::C, Language::Wat] {
        if let Err(reason) = comparable(language) {
            skipped.push(format!("{language:?} sources not rebuilt: {reason:#}"));
            continue;
        }
        for program in programs.iter().filter(|program| program.language() == language) {
            complaints.extend(differences(program)?);
        }
    }

    conclude(&complaints, &skipped)
}

/// Can this language be built here, with a compiler that gives the same bytes?
fn comparable(language: Language) -> Result<()> {
    language.set_up()?;
    if language == Language::C {
        let version = setup::clang_version().unwrap_or_else(|| "of unknown version".into());
        if version != setup::CLANG_VERSION {
            bail!("the modules come from clang {}, here is {version}", setup::CLANG_VERSION);
        }
    }
    Ok(())
}

fn differences(program: &Program) -> Result<Vec<String>> {
    let scratch = ScratchFolder::new()?;
    program.build(&scratch.0)?;
    let mut differences = Vec::new();
    for product in program.products() {
        let checked_in = program.folder().join(&product);
        let rebuilt = fs::read(scratch.0.join(&product))?;
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

/// A folder that is gone when this value is.
pub struct ScratchFolder(PathBuf);

impl ScratchFolder {
    pub fn new() -> Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("manyworlds-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).with_context(|| format!("could not make {}", path.display()))?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Nothing depends on it: what is left over is a few kilobytes in a temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}
