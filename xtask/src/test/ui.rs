//! The page: its types and logic, and everything together in a real browser.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Outcome;
use crate::{process, setup, ui};

/// Check the page, build it, build `mw` with it, and drive that with Chromium.
pub fn run() -> Result<Outcome> {
    ui::check()?;
    ui::build()?;
    let mw = build_mw()?;
    if let Err(error) = setup::chromium() {
        return Ok(Outcome::Skipped(format!("not tried in a browser: {error:#}")));
    }
    ui::try_out(&mw)?;
    Ok(Outcome::Passed)
}

/// Build `mw`, and say where it is: the folder can be anywhere.
fn build_mw() -> Result<PathBuf> {
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--bin=mw"]);
    process::run(&mut cargo)?;
    let built = process::output(cargo.arg("--message-format=json")).context("mw did not build")?;
    executable(&built).context("cargo did not say where mw is")
}

/// The executable among what cargo says that it has built.
fn executable(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables =
        messages.filter_map(|message| Some(message["executable"].as_str()?.to_owned()));
    executables.next_back().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_says_where_the_executable_is() {
        let said = r#"{"reason":"compiler-artifact","executable":null}
{"reason":"compiler-artifact","executable":"/x/mw"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(said), Some(PathBuf::from("/x/mw")));
        assert_eq!(executable("nothing"), None);
    }
}
