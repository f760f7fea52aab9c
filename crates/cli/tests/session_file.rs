//! `mw debug --session FILE`: what one process has seen, the next one finds.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = "../../examples/light-sensor/light-sensor.wasm";

/// Runs `mw debug` with a session file and commands; its exit code, output and errors.
fn debug(file: &Path, program: &str, commands: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mw"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["debug", "--session"])
        .arg(file)
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mw starts");
    let written = child.stdin.take().map(|mut stdin| stdin.write_all(commands.as_bytes()));
    // A process that refuses its file may be gone before it has read anything.
    let _ = written;
    let output = child.wait_with_output().expect("mw ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("mw writes text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_next_process_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("light.mw");
    let commands = "continue\nbookmark done\nreverse-step 5\nmock color_sensor(0) 77\nbreak color_sensor\ntree\n";
    let (code, first, _) = debug(&file, PROGRAM, commands);
    assert_eq!(code, Some(0), "{first}");
    let tree = |text: &str| text.split("> tree\n").nth(1).map(str::to_owned);
    let looks = "info bookmarks\ninfo mocks\ninfo breakpoints\ntree\n";
    let (code, second, _) = debug(&file, PROGRAM, looks);
    assert_eq!(code, Some(0), "{second}");
    for expected in ["done", "77", "color_sensor"] {
        assert!(second.contains(expected), "no {expected} in {second}");
    }
    assert!(tree(&first).is_some());
    assert_eq!(tree(&second), tree(&first), "the same tree, and the same place in it");
}

#[test]
fn files_that_do_not_fit_are_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("light.mw");
    assert_eq!(debug(&file, PROGRAM, "continue\n").0, Some(0));
    let before = std::fs::read(&file).expect("the session file");
    let (code, _, error) = debug(&file, "../../examples/blink/blink.wat", "");
    assert_eq!(code, Some(3));
    assert!(error.contains("another program"), "{error}");
    assert_eq!(std::fs::read(&file).expect("the session file"), before);

    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "not a session").expect("notes");
    let (code, _, error) = debug(&notes, PROGRAM, "");
    assert_eq!(code, Some(3));
    assert!(error.contains("not a session file"), "{error}");
    assert_eq!(std::fs::read_to_string(&notes).expect("notes"), "not a session");
}

/// Whoever leaves with something that could not be saved is told, and so is a script.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_when_one_leaves() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    let rounds = "(module
      (import \"env\" \"chip_analog_read\" (func $read (param i32) (result i32)))
      (func (export \"main\") (local $i i32)
        (loop $again
          (drop (call $read (i32.const 1)))
          (br_if $again
            (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1)))
              (i32.const 200000))))))";
    std::fs::write(folder.path().join("rounds.wat"), rounds).expect("a program");
    // A small disk of its own, which nobody else sees.
    let script = "mount -t tmpfs -o size=512k disk disk || exit 77
        echo continue | \"$MW\" debug --session disk/a.mw rounds.wat";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .env("MW", env!("CARGO_BIN_EXE_mw"))
        .current_dir(folder.path())
        .output();
    let output = match output {
        Ok(output) if output.status.code() != Some(77) => output,
        problem => {
            eprintln!("SKIPPED: no small disk can be made here: {problem:?}");
            return;
        }
    };
    let (out, error) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if error.contains("unshare") {
        eprintln!("SKIPPED: no small disk can be made here: {error}");
        return;
    }
    assert!(out.contains("the program finished"), "{out}{error}");
    assert_eq!(output.status.code(), Some(3), "{out}{error}");
    let last = error.lines().last().unwrap_or_default();
    assert!(last.starts_with("error:") && last.contains("choices are not in it"), "{error}");
}
