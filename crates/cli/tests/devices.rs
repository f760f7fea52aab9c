//! Devices that nobody watches, and who may talk to them.
#![cfg(target_os = "linux")] // For agents as in the other tests of sessions.

use crate::playing;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use playing::Agent;

/// Reads an input again and again, after more or less work each time so that no two recordings of it
/// are alike, then traps.
const ROUNDS: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (global $seed (mut i32) (i32.const 1))
  (func (export "main") (param $rounds i32) (local $i i32)
    (loop $again
      (global.set $seed
        (i32.add (i32.mul (global.get $seed) (i32.const 1103515245)) (i32.const 12345)))
      (local.set $i (i32.and (i32.shr_u (global.get $seed) (i32.const 16)) (i32.const 31)))
      (loop $work
        (br_if $work
          (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 1))) (i32.const 0))))
      (call $write (i32.const 2)
        (i32.gt_s (call $read (i32.const 12)) (i32.and (global.get $seed) (i32.const 127))))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    unreachable))
"#;

/// Debugs [`ROUNDS`] with these commands.
fn play(folder: &Path, arguments: &[&str], rounds: &str, commands: &str) -> Output {
    std::fs::write(folder.join("rounds.wat"), ROUNDS).expect("a program");
    std::fs::write(folder.join("script"), commands).expect("a script");
    let mut mw = Command::new(env!("CARGO_BIN_EXE_mw"));
    mw.args(arguments).current_dir(folder);
    if !arguments.contains(&"--detach") {
        mw.args(["--script", "script"]);
    }
    if !rounds.is_empty() {
        mw.args(["rounds.wat", "--", rounds]);
    }
    mw.output().expect("mw runs")
}

/// What such a session says; it has to succeed.
fn said(folder: &Path, arguments: &[&str], rounds: &str, commands: &str) -> String {
    let output = play(folder, arguments, rounds, commands);
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    out.into_owned()
}

/// What the last `where` said.
fn last_place(said: &str) -> &str {
    let (_, after) = said.rsplit_once("> where\n").expect("a place");
    after.lines().next().unwrap_or_default()
}

/// The number of instructions at a place.
fn count(place: &str) -> u64 {
    let count = place.split(" · ").nth(1).unwrap_or_else(|| panic!("{place}"));
    count.replace(|c: char| !c.is_ascii_digit(), "").parse().expect("a number")
}

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
    assert!(said.contains("the device runs no program"), "{said}");
    assert!(mw(folder, &["attach", &address, "--key", "right", "--detach"]).status.success());
    // The program ends by itself, sooner or later; until then a recording is read that is not yet
    // at its end, which is one as well.
    let read = mw(folder, &read);
    let said = String::from_utf8_lossy(&read.stdout);
    assert!(read.status.success() && said.contains("> where\n0."), "{said}");
}

#[test]
fn a_new_key_is_for_nobody_else_and_replaces_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("device.key");
    let new = ["agent", "--new-key", "device.key"];
    assert!(mw(folder.path(), &new).status.success());
    let mode = std::fs::metadata(&file).expect("a key").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let key = std::fs::read(&file).expect("a key");
    let refused = mw(folder.path(), &new);
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("device.key cannot be written: there is such a file"), "{said}");
    assert_eq!(std::fs::read(&file).expect("a key"), key, "the key is still there");
}

#[test]
fn nobody_listens_beyond_this_machine_without_a_key() {
    let refused = mw(Path::new("."), &["agent", "--tcp", "0.0.0.0:0"]);
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("give a key with --key FILE"), "{said}");
}

#[test]
fn a_recording_that_begins_in_the_middle_is_debugged_at_the_desk() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (_agent, address) = Agent::start("--tcp 127.0.0.1:0 --set chip_analog_read(12)=77", folder);
    let attach = ["attach", &*address];
    said(folder, &["attach", &address, "--detach"], "3000", "");
    // Whoever looks stops it and lets it go on, until there is nothing to go on with.
    let look = [&attach[..], &["--running"]].concat();
    let mut ended = String::new();
    while !ended.contains("the program has ended") {
        ended = said(folder, &look, "3000", "where\n-detach\n");
    }
    let end = count(last_place(&ended));

    let read = [&attach[..], &["--read-trace", "--session", "field.mw"]].concat();
    let script = "where\nreverse-continue\nwhere\nstepi 100\n-trace\ncontinue\nwhere\n";
    let story = said(folder, &read, "3000", script);
    assert!(last_place(&story).contains("unreachable · trapped"), "{story}");
    assert_eq!(count(last_place(&story)), end);
    assert!(story.contains("error: a trace begins at the start of the program"), "{story}");
    let start = story.split("> where\n").nth(2).expect("a place").lines().next().unwrap();
    assert!(start.starts_with("0.0 ") && count(start) > 0, "{story}");

    // It is in the file, and nothing has to be known but its name.
    let again = said(folder, &["debug", "--session", "field.mw"], "", "where\nreset\nwhere\n");
    assert!(again.contains(last_place(&story)), "{again}");
    assert_eq!(count(last_place(&again)), count(start));
    // Exploring begins there as well.
    let found = said(folder, &["debug", "--session", "field.mw"], "", "suggest inputs 2\ntree\n");
    assert!(found.contains("chip_analog_read(12) = "), "{found}");
    // The recording has been read, and the file is taken.
    let taken = play(folder, &read, "3000", "where\n");
    let why = String::from_utf8_lossy(&taken.stderr).into_owned();
    assert!(taken.status.code() == Some(3) && why.contains("has a session already"), "{why}");
    let nothing = play(folder, &[&attach[..], &["--read-trace"]].concat(), "3000", "where\n");
    let why = String::from_utf8_lossy(&nothing.stderr).into_owned();
    assert!(why.contains("the device has recorded nothing"), "{why}");
}

#[test]
fn a_running_program_is_debugged_and_left_running() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (_agent, address) = Agent::start("--tcp 127.0.0.1:0 --set chip_analog_read(12)=77", folder);
    let running = ["attach", &*address, "--running"];
    let refused = |rounds| {
        let output = play(folder, &running, rounds, "where\n");
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused("3").contains("the device runs no program"));
    let forever = "2000000000";
    said(folder, &["attach", &address, "--detach"], forever, "");
    // Forward, and back to where the session began and no further; the device follows.
    let script = "where\nstepi 500\nreverse-stepi 100000\nwhere\nstepi 250\nwhere\ndetach\n";
    let story = said(folder, &running, forever, script);
    let places: Vec<&str> =
        story.split("> where\n").skip(1).map(|s| s.lines().next().unwrap()).collect();
    assert!(places[0].starts_with("0.0 ") && places[1].starts_with("0.0 "), "{story}");
    assert_eq!(count(places[0]), count(places[1]), "{story}");
    assert_eq!(count(places[2]), count(places[1]) + 250, "{story}");
    assert!(story.ends_with("the program runs on by itself; attach --running comes back to it\n"));
    // It went on from there: it was not started again.
    let later = said(folder, &running, forever, "where\nreset\nstepi 3\n");
    assert!(count(last_place(&later)) >= count(places[2]), "{later}");
    // Left standing, it stands there for the next one.
    let again = said(folder, &running, forever, "where\n-detach\n");
    assert_eq!(count(last_place(&again)), count(last_place(&later)) + 3, "{again}");
    // Another program is not taken for it.
    let other = mw(folder, &["attach", &address, "--running"]);
    let why = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(why.contains("the device runs another program"), "{why}");
}

#[test]
fn a_session_on_a_device_is_kept_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let board = "--tcp 127.0.0.1:0 --set chip_analog_read(12)=77";
    let (_agent, address) = Agent::start(board, folder);
    let (_small, smaller) = Agent::start(&format!("{board} --memory 44KiB"), folder);
    for run_on in ["device", "host"] {
        let file = format!("{run_on}.mw");
        let keep = ["attach", &*address, "--run-on", run_on, "--session", &file];
        let script = "stepi 300\nmock chip_analog_read(12) = 5\nstepi 300\nwhere\n";
        let story = said(folder, &keep, "3000", script);
        // The program is on the device again, and the device where the session was left.
        let script = "where\ninfo mocks\nstepi 400\nreverse-stepi 700\nwhere\n";
        let again = said(folder, &keep, "", script);
        assert_eq!(last_place(again.split("> info").next().unwrap()), last_place(&story));
        assert!(again.contains("chip_analog_read(12) returns 5"), "{again}");
        assert_eq!(count(last_place(&again)), 300, "{again}");
    }
    // With other limits the program may do other things.
    let other = play(folder, &["attach", &smaller, "--session", "device.mw"], "", "where\n");
    let why = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(other.status.code() == Some(3) && why.contains("other limits"), "{why}");

    // So is one that begins in the middle of a run, wherever it is opened again.
    said(folder, &["attach", &address, "--detach"], "2000000000", "");
    let keep = ["attach", &*address, "--running", "--session", "running.mw"];
    let story = said(folder, &keep, "2000000000", "stepi 100\nwhere\n");
    let again = ["attach", &*address, "--session", "running.mw"];
    let again = said(folder, &again, "", "where\nstepi 50\nreverse-continue\nwhere\n");
    assert_eq!(last_place(again.split("> stepi").next().unwrap()), last_place(&story));
    assert_eq!(count(last_place(&again)) + 100, count(last_place(&story)), "{again}");
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

#[test]
fn a_person_at_the_terminal_is_told_at_once_that_the_device_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (agent, address) = Agent::start("--memory 2M --tcp 127.0.0.1:0", folder);
    std::fs::write(folder.join("rounds.wat"), ROUNDS).expect("a program");
    let mw = env!("CARGO_BIN_EXE_mw");
    let attach = format!("{mw} attach --no-browser {address} rounds.wat -- 3");
    // What `script` starts believes that it is at a terminal.
    let mut terminal = Command::new("script")
        .args(["-qfc", &attach, "/dev/null"])
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script runs");
    let mut said = terminal.stdout.take().expect("a pipe");
    let mut read_until = |wanted: &str| {
        let (mut all, mut bytes) = (Vec::new(), [0; 1024]);
        while !String::from_utf8_lossy(&all).contains(wanted) {
            let count = said.read(&mut bytes).expect("more");
            assert!(count > 0, "{wanted} is not in {}", String::from_utf8_lossy(&all));
            all.extend(&bytes[..count]);
        }
    };
    read_until("(mw) ");
    drop(agent);
    // Nobody has written a line.
    read_until("the link to the device is interrupted");
    terminal.stdin.take().expect("a pipe").write_all(b"quit\n").expect("a line");
    terminal.wait().expect("an end");
}
