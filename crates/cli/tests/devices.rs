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

/// What is said when a program is debugged on an agent with another world than here.
fn between(device: &str, here: &str, script: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file");
    };
    write("device.toml", device);
    write("here.toml", here);
    write("script", script);
    write(
        "program.wat",
        r#"(module
            (import "env" "heat" (func $heat (result i32)))
            (import "env" "valve" (func $valve (param i32)))
            (func (export "main")
                (call $valve (call $heat)) (call $valve (call $heat))))"#,
    );
    let agent = format!("exec:{} agent --world device.toml", env!("CARGO_BIN_EXE_mw"));
    let said = Command::new(env!("CARGO_BIN_EXE_mw"))
        .args(["attach", &agent, "--world", "here.toml", "--script", "script", "program.wat"])
        .current_dir(folder.path())
        .output()
        .expect("mw runs");
    (String::from_utf8_lossy(&said.stdout).into(), String::from_utf8_lossy(&said.stderr).into())
}

fn world(heat: &str, valve: &str) -> String {
    format!(
        "name = 'oven'\n[registers]\nvalve = 0\n[import.env.heat]\n{heat}\nresult = 'i32'\n\
         [import.env.valve]\n{valve}\nparams = ['i32']\n"
    )
}

const HEAT: &str = "kind = 'input'\ndomain = '0..100'\nsource = { constant = 7 }";
const VALVE: &str = "kind = 'output'\nsets = { valve = '$0' }\ncompensation = 'restore'";

#[test]
fn a_device_that_means_something_else_is_refused() {
    let same = world(HEAT, VALVE);
    let cases = [
        (
            world(&HEAT.replace("100", "99"), VALVE),
            "heat: on the device it is an input that returns 0..99, in the world oven it is an \
             input that returns 0..100; give the world of the device with --world FILE",
        ),
        (
            world("kind = 'output'\nreturns = 3\ncompensation = 'none'", VALVE),
            "heat: on the device it is an output, in the world oven it is an input that returns \
             0..100; give",
        ),
        (
            world(HEAT, &VALVE.replace("restore", "irreversible")),
            "valve: on the device it is an output that cannot be undone, in the world oven it is \
             an output; give",
        ),
        (world(HEAT, "kind = 'abort'"), "valve: on the device it is the end of the program,"),
    ];
    for (device, expected) in cases {
        let (said, refused) = between(&device, &same, "where\n");
        let expected = format!("the device and the world do not agree on {expected}");
        assert!(said.is_empty() && refused.contains(&expected), "{said}{refused}");
    }
    // What it reads by itself, and what its values are called, is its own affair.
    let named = HEAT.replace("'0..100'", "['0..49', '50..100']").replace('7', "8");
    let (said, refused) = between(&world(&named, VALVE), &same, "step 2\ntree\n");
    assert!(said.contains("heat() = 8") && refused.is_empty(), "{said}{refused}");
}

#[test]
fn what_an_input_was_set_to_is_what_the_device_returns() {
    let here = world(HEAT, VALVE);
    let script = "reading heat() 42\nstepi 4\ntree\ninfo world\nreverse-stepi 4\nstepi 2\n";
    let (said, refused) = between(&world(&HEAT.replace('7', "9"), VALVE), &here, script);
    assert!(said.contains("heat() = 42") && said.contains("valve = 42"), "{said}");
    assert!(refused.is_empty(), "{refused}");
}
