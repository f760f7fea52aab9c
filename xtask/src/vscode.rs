//! The extension for VS Code: compiled, packaged, and tested with the debugger.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{process, project, setup};

/// `cargo xtask vscode`: make the file that VS Code installs.
pub fn package() -> Result<()> {
    compile()?;
    let file = project::root().join("target/manyworlds.vsix");
    std::fs::create_dir_all(project::root().join("target"))?;
    process::run(npm().args(["run", "--silent", "package", "--", "--out"]).arg(&file))?;
    println!("install it with: code --install-extension {}", project::shown(&file));
    Ok(())
}

/// Turn TypeScript into what VS Code runs.
pub fn compile() -> Result<()> {
    setup::vscode()?;
    process::run(npm().args(["run", "--silent", "compile"]))
}

/// npm in the folder of the extension.
pub fn npm() -> Command {
    let mut npm = process::command("npm");
    npm.current_dir(project::vscode());
    npm
}

/// Builds the debugger and says where it is.
pub fn debugger() -> Result<PathBuf> {
    let mut build = process::command("cargo");
    build.args(["build", "--package=mw-cli", "--message-format=json-render-diagnostics"]);
    let messages = process::output(&mut build).context("mw does not build")?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_mw = message["target"]["name"] == "mw";
        message["executable"].as_str().filter(|_| is_mw).map(PathBuf::from)
    };
    messages.lines().find_map(executable).context("cargo does not say where it has put mw")
}
