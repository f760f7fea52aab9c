//! Devices that nobody watches, and who may talk to them.
#![cfg(target_os = "linux")] // For agents as in the other tests of sessions.

mod playing;

use std::path::Path;
use std::process::{Command, Output};

use playing::Agent;

fn mw(folder: &Path, arguments: &[&str]) -> Output {
    let program = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/temperature-dashboard/temperature-dashboard.wasm");
    let mut mw = Command::new(env!("CARGO_BIN_EXE_mw"));
    mw.args(arguments).current_dir(folder);
    if arguments[0] == "attach" {
        mw.arg(program);
    }
    mw.output().expect("mw runs")
}

#[test]
fn a_recording_is_read_by_who_has_the_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for key in ["right", "wrong"] {
        assert!(mw(folder, &["agent", "--new-key", key]).status.success());
    }
    std::fs::write(folder.join("script"), "where\n").expect("a script");
    let arguments = "--tcp 127.0.0.1:0 --key right --set chip_analog_read(12)=77";
    let (_agent, address) = Agent::start(arguments, folder);
    let refused = mw(folder, &["attach", &address, "--key", "wrong", "--detach"]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("does not have the same key"), "{said}");
    let read = ["attach", &address, "--key", "right", "--read-trace", "--script", "script"];
    let nothing = mw(folder, &read);
    let said = String::from_utf8_lossy(&nothing.stderr);
    assert!(said.contains("the device runs another program"), "{said}");
    assert!(mw(folder, &["attach", &address, "--key", "right", "--detach"]).status.success());
    // The program ends by itself, sooner or later; until then a recording is read that is not yet
    // at its end, which is one as well.
    let read = mw(folder, &read);
    let said = String::from_utf8_lossy(&read.stdout);
    assert!(read.status.success() && said.contains("> where\n0."), "{said}");
}

#[test]
fn nobody_listens_beyond_this_machine_without_a_key() {
    let refused = mw(Path::new("."), &["agent", "--tcp", "0.0.0.0:0"]);
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("give a key with --key FILE"), "{said}");
}
