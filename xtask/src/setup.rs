//! What a machine needs beside Rust, and how it gets there.
//!
//! Every requirement is checked first and installed only if it is missing. What
//! cannot be installed is an error that says what to type.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

use crate::{process, project};

/// The C compiler of the kernels. The release is part of the name, so that another one cannot
/// change the modules unnoticed.
pub const CLANG: &str = "clang-19";
/// The linker that belongs to [`CLANG`].
pub const WASM_LD: &str = "wasm-ld-19";
/// The exact version that the checked-in kernels were built with.
pub const CLANG_VERSION: &str = "19.1.7";

/// The target of example programs in Rust.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
/// The version of rustc that the checked-in examples were built with.
pub const RUSTC_VERSION: &str = "1.95.0";

/// The oldest Node.js that the AssemblyScript compiler and the page's tools run on.
const OLDEST_NODE: u32 = 20;

/// The browser that the page is tried in, and its package.
const CHROMIUM: &str = "chromium";

const CLANG_PACKAGES: [&str; 2] = ["clang-19", "lld-19"];

/// Solvers that the tests ask for a second opinion; their packages have the same names.
const SOLVERS: [&str; 2] = ["cvc5", "z3"];

/// A target without an operating system: what builds for it needs no standard library.
pub const BARE_METAL_TARGET: &str = "thumbv7em-none-eabi";

/// The target of the firmware: a Cortex-M3.
pub const FIRMWARE_TARGET: &str = "thumbv7m-none-eabi";

/// The emulator of the firmware's board.
pub const QEMU: &str = "qemu-system-arm";

/// `cargo xtask setup`: install all that any command needs, and list what is still missing.
pub fn install_everything() -> Result<()> {
    let requirements = [
        ("AssemblyScript, for the examples", assemblyscript()),
        ("TypeScript and VS Code's test client, for the extension", vscode()),
        ("clang and wasm-ld, for the kernels and the examples in C", clang()),
        ("Rust's target of WebAssembly, for the examples in Rust", wasm_target()),
        ("Node.js, for the page", node()),
        ("Chromium, to try the page in", chromium()),
        ("cvc5 and z3, for second opinions on the solver", solvers()),
        ("Rust's bare-metal target, for the no-std test", bare_metal_target()),
        ("Rust's target of the firmware", firmware_target()),
        ("QEMU, for the firmware", qemu()),
        ("Miri, for the machine's tests", miri()),
        ("cargo-fuzz, for the fuzz targets", cargo_fuzz()),
    ];
    for (name, result) in &requirements {
        match result {
            Ok(()) => println!("ready    {name}"),
            Err(error) => println!("MISSING  {name}: {error:#}"),
        }
    }
    if requirements.iter().any(|(_, result)| result.is_err()) {
        bail!("something is missing, see above");
    }
    Ok(())
}

/// Have the AssemblyScript compiler of `examples/package.json`, in exactly that version.
pub fn assemblyscript() -> Result<()> {
    npm_packages(&project::examples(), &["assemblyscript"])
}

/// Have what the extension for VS Code is compiled, packaged and tested with.
pub fn vscode() -> Result<()> {
    let needed = ["typescript", "@vscode/vsce", "@vscode/debugadapter-testsupport"];
    npm_packages(&project::vscode(), &needed)
}

/// Have packages of a folder's `package.json`, in exactly those versions.
fn npm_packages(folder: &Path, names: &[&str]) -> Result<()> {
    node()?;
    let mut complete = true;
    for name in names {
        let wanted = read_version(&folder.join("package.json"), &["devDependencies", name])?;
        let package = folder.join("node_modules").join(name).join("package.json");
        complete &= read_version(&package, &["version"]).is_ok_and(|found| found == wanted);
    }
    if complete {
        return Ok(());
    }
    let mut npm = process::command("npm");
    // None of the packages needs to run anything in order to be installed.
    npm.current_dir(folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    let file = project::shown(&folder.join("package.json"));
    process::run(&mut npm).with_context(|| format!("could not install the packages of {file}"))
}

/// Have Node.js and npm, new enough for the AssemblyScript compiler and the page's tools.
pub fn node() -> Result<()> {
    if !is_there("node") || !is_there("npm") {
        install_debian_packages(&["nodejs", "npm"])?;
    }
    let version = process::output(process::command("node").arg("--version")).unwrap_or_default();
    match major_version(&version) {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!(
            "Node.js {OLDEST_NODE} or newer is needed, here is {}; please install it",
            version.trim()
        ),
    }
}

/// 20 of `v20.1.2`.
fn major_version(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

fn read_version(path: &Path, keys: &[&str]) -> Result<String> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("could not read {}", project::shown(path)))?;
    let json: Value = serde_json::from_str(&text)
        .with_context(|| format!("{} is not JSON", project::shown(path)))?;
    let version = keys.iter().try_fold(&json, |value, key| value.get(key)).and_then(Value::as_str);
    let missing = || anyhow!("{} has no {}", project::shown(path), keys.join("."));
    version.map(str::to_owned).ok_or_else(missing)
}

/// Have the compiler and the linker of the C kernels.
pub fn clang() -> Result<()> {
    if is_there(CLANG) && is_there(WASM_LD) {
        return Ok(());
    }
    install_debian_packages(&CLANG_PACKAGES)
}

/// Have a browser to try the page in.
pub fn chromium() -> Result<()> {
    if is_there(CHROMIUM) {
        return Ok(());
    }
    install_debian_packages(&[CHROMIUM])
}

/// Have the solvers for second opinions.
pub fn solvers() -> Result<()> {
    if SOLVERS.into_iter().all(is_there) {
        return Ok(());
    }
    install_debian_packages(&SOLVERS)
}

/// The version of [`CLANG`] as it names itself, `19.1.7` for example.
pub fn clang_version() -> Option<String> {
    word_after("version", process::command(CLANG).arg("--version"))
}

/// The version of rustc as it names itself, `1.95.0` for example.
pub fn rustc_version() -> Option<String> {
    word_after("rustc", process::command("rustc").arg("--version"))
}

fn word_after(word: &str, command: &mut Command) -> Option<String> {
    let text = process::output(command)?;
    text.split_whitespace().skip_while(|found| *found != word).nth(1).map(str::to_owned)
}

fn install_debian_packages(packages: &[&str]) -> Result<()> {
    let packages_text = packages.join(" ");
    if !is_there("apt-get") {
        bail!("please install {packages_text} (the names of Debian's packages)");
    }
    if !is_root() {
        bail!(
            "please run `sudo apt-get update && sudo apt-get install {packages_text}`, \
             then this again"
        );
    }
    let apt_get = || {
        let mut command = process::command("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    process::run(apt_get().args(["update", "--quiet=2"]))?;
    process::run(
        apt_get().args(["install", "--yes", "--quiet=2", "--no-install-recommends"]).args(packages),
    )
}

/// Have QEMU for ARM.
pub fn qemu() -> Result<()> {
    match is_there(QEMU) {
        true => Ok(()),
        false => install_debian_packages(&[QEMU]),
    }
}

/// Have the standard library's core for [`WASM_TARGET`].
pub fn wasm_target() -> Result<()> {
    rust_target(WASM_TARGET)
}

/// Have the standard library's core for [`BARE_METAL_TARGET`].
pub fn bare_metal_target() -> Result<()> {
    rust_target(BARE_METAL_TARGET)
}

/// Have the standard library's core for [`FIRMWARE_TARGET`].
pub fn firmware_target() -> Result<()> {
    rust_target(FIRMWARE_TARGET)
}

fn rust_target(target: &str) -> Result<()> {
    let installed =
        process::output(process::command("rustup").args(["target", "list", "--installed"]));
    match installed {
        Some(list) if list.lines().any(|line| line == target) => Ok(()),
        Some(_) => process::run(process::command("rustup").args(["target", "add", target])),
        None => bail!("rustup is not installed, so the target {target} cannot be added"),
    }
}

/// Have Miri, where there is a nightly toolchain: that is too much to install unasked.
pub fn miri() -> Result<()> {
    nightly()?;
    if process::output(process::nightly_cargo().args(["miri", "--version"])).is_some() {
        return Ok(());
    }
    let add = ["component", "add", "--toolchain=nightly", "miri", "rust-src"];
    process::run(process::command("rustup").args(add))
}

/// Have `cargo fuzz`, where there is a nightly toolchain.
pub fn cargo_fuzz() -> Result<()> {
    nightly()?;
    match is_there("cargo-fuzz") {
        true => Ok(()),
        false => {
            process::run(process::command("cargo").args(["install", "--locked", "cargo-fuzz"]))
        }
    }
}

fn nightly() -> Result<()> {
    match process::output(process::nightly_cargo().arg("--version")) {
        Some(_) => Ok(()),
        None => bail!("please run `rustup toolchain install nightly`, then this again"),
    }
}

/// Is there a program of this name that starts?
pub fn is_there(program: &str) -> bool {
    process::output(Command::new(program).arg("--version")).is_some()
}

fn is_root() -> bool {
    process::output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::major_version;

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major_version("v20.20.2\n"), Some(20));
        assert_eq!(major_version("9"), Some(9));
        assert_eq!(major_version(""), None);
    }
}
