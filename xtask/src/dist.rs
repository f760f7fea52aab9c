//! `mw` for people who use it and do not build it: page and binary in one, small.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{debugger, process, project, ui};

/// The profile without what only whoever works on `mw` needs.
const PROFILE: &str = "--profile=dist";
/// What goes into the archive beside the binary: whatever is under version control of these.
const BESIDE: [&str; 8] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "bindings",
    "docs",
    "examples",
];

/// `cargo xtask install`: put `mw`, with its page, where cargo puts programs.
pub fn install() -> Result<()> {
    ui::build()?;
    process::run(process::command("cargo").args([
        "install",
        "--path=crates/cli",
        "--locked",
        "--force",
        PROFILE,
    ]))
}

/// `cargo xtask dist`: make an archive that is unpacked and used, without Rust or Node.js.
pub fn archive() -> Result<()> {
    ui::build()?;
    let mut build = process::command("cargo");
    build.args(["build", "--package=mw-cli", "--locked", PROFILE]);
    let mw = debugger::built_by(&mut build)?;
    let name = format!("manyworlds-{}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let folder = project::root().join("target/dist-archive");
    let staged = folder.join(&name);
    if staged.exists() {
        fs::remove_dir_all(&staged)?;
    }
    fs::create_dir_all(&staged)?;
    copy(&mw, &staged.join(mw.file_name().context("a binary has a name")?))?;
    for file in beside()? {
        copy(&project::root().join(&file), &staged.join(&file))?;
    }
    let archive = folder.join(format!("{name}.tar.gz"));
    process::run(
        process::command("tar").arg("-czf").arg(&archive).arg("-C").arg(&folder).arg(&name),
    )?;
    println!("{}: {}", project::shown(&mw), megabytes(&mw)?);
    println!("{}: {}", project::shown(&archive), megabytes(&archive)?);
    Ok(())
}

/// The files that go beside the binary, from the root.
fn beside() -> Result<Vec<PathBuf>> {
    let listed =
        process::output(process::command("git").args(["ls-files", "-z", "--"]).args(BESIDE))
            .context("`git ls-files` says what goes into the archive, and failed")?;
    Ok(listed.split_terminator('\0').map(PathBuf::from).collect())
}

/// What this machine is called among targets, such as x86_64-unknown-linux-gnu.
fn host() -> Result<String> {
    let said = process::output(process::command("rustc").arg("-vV")).context("no rustc")?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc did not say what it builds for")?.to_owned())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
    fs::copy(from, to).with_context(|| format!("could not copy {}", project::shown(from)))?;
    Ok(())
}

fn megabytes(file: &Path) -> Result<String> {
    Ok(format!("{:.1} MB", fs::metadata(file)?.len() as f64 / 1e6))
}
