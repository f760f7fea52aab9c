//! The extension for VS Code: compiled, packaged, and tested with the debugger.

use std::process::Command;

use anyhow::Result;

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
