//! The debugger as the tests use it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// Builds `mw` and says where it is: the folder can be anywhere.
///
/// Cargo chooses features of dependencies by all that it is asked to build. With a test among it,
/// it chooses those that the tests were built with, and compiles nothing a second time.
pub fn build() -> Result<PathBuf> {
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--workspace", "--bin=mw", "--test=spec"]);
    built_by(&mut cargo)
}

/// Runs a build of cargo and says where it has put `mw`.
pub fn built_by(cargo: &mut Command) -> Result<PathBuf> {
    process::run(cargo)?;
    let built = process::output(cargo.arg("--message-format=json")).context("mw did not build")?;
    executable(&built).context("cargo did not say where mw is")
}

/// The debugger among what cargo says that it has built.
fn executable(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = messages.filter(|message| message["target"]["name"] == "mw");
    built.find_map(|message| Some(message["executable"].as_str()?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_says_where_the_executable_is() {
        let said = r#"{"reason":"compiler-artifact","executable":null}
{"reason":"compiler-artifact","target":{"name":"spec"},"executable":"/x/spec"}
{"reason":"compiler-artifact","target":{"name":"mw"},"executable":"/x/mw"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(said), Some(PathBuf::from("/x/mw")));
        assert_eq!(executable("nothing"), None);
    }
}
