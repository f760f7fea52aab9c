//! The page: building it, trying it in a browser, measuring it.
//!
//! `mw` has the page's files in it, so whoever wants them there builds the page first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, project, setup};

/// `cargo xtask ui`: build the page, to be part of the next `mw` that is built.
pub fn build() -> Result<()> {
    install()?;
    npm(&["run", "build"])
}

/// The checks of the page that need no browser.
pub fn check() -> Result<()> {
    install()?;
    npm(&["run", "check"])?;
    npm(&["test"])
}

/// Drive a `mw` that has the page in it with a real browser.
pub fn try_out(mw: &Path) -> Result<()> {
    process::run(in_ui("npm").args(["run", "e2e"]).env("MW", mw))
}

/// Measure frame times.
pub fn bench() -> Result<()> {
    setup::chromium()?;
    install()?;
    npm(&["run", "bench"])
}

/// Have the packages of `ui/package-lock.json`, exactly those.
fn install() -> Result<()> {
    setup::node()?;
    // npm notes here what it has installed; the lock file is newer when it has changed.
    let installed = modified(&folder().join("node_modules/.package-lock.json"));
    let wanted = modified(&folder().join("package-lock.json"));
    if installed.is_some() && installed >= wanted {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund"]).context("could not install the packages of the page")
}

fn modified(path: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

fn npm(words: &[&str]) -> Result<()> {
    process::run(in_ui("npm").args(words))
}

fn in_ui(program: &str) -> Command {
    let mut command = process::command(program);
    command.current_dir(folder());
    command
}

fn folder() -> PathBuf {
    project::root().join("ui")
}
