//! Whatever a command is given, it ends, and within bounds: files without an end, numbers without
//! measure, programs that print for ever.
#![cfg(target_os = "linux")] // For `sh`, `ulimit`, `timeout`, `mkfifo` and `/dev/zero`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a line of `sh` in a folder of its own with so many MiB of memory. The time is only there to
/// end what does not end.
fn limited(folder: &Path, mebibytes: u64, line: &str) -> (Option<i32>, String, String) {
    let mw = Path::new(env!("CARGO_BIN_EXE_mw"));
    let path = std::env::var("PATH").unwrap_or_default();
    let line = format!("ulimit -v {}; ulimit -c 0; {line}", mebibytes << 10);
    let Output { status, stdout, stderr } = Command::new("timeout")
        .args(["--signal=KILL", "100", "bash", "-c", &line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", mw.parent().expect("a folder").display()))
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code(), text(&stdout), text(&stderr))
}

/// A folder with a program in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let hello = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/hello.wat");
    std::fs::copy(hello, folder.path().join("p.wat")).expect("a copy");
    folder
}

#[test]
fn what_is_no_file_is_not_read() {
    let folder = folder();
    let world = "[input.\"a.b\"]\nresult = \"i32\"\nsource = { recording = \"pipe\" }\n";
    std::fs::write(folder.path().join("recorded.toml"), world).unwrap();
    for line in [
        "mw run IT",
        "mw inspect IT",
        "mw run --world IT p.wat",
        "mw replay IT p.wat",
        "mw debug --script IT p.wat",
        "mw debug --debug-file IT p.wat </dev/null",
        "mw debug --session IT p.wat </dev/null",
        "mw debug --session IT </dev/null",
        "echo 'replay IT' | mw debug p.wat",
        "mw attach --key IT tcp:127.0.0.1:1 p.wat",
        "mw agent --key IT",
    ] {
        for it in ["/dev/zero", "pipe"] {
            let line = format!("mkfifo pipe; {}", line.replace("IT", it));
            let _ = std::fs::remove_file(folder.path().join("pipe"));
            let (code, stdout, stderr) = limited(folder.path(), 1024, &line);
            // A command of the debugger that fails is 1, and is on standard output.
            assert!(matches!(code, Some(3 | 1)), "{line}: {code:?}\n{stdout}{stderr}");
            let said = format!("{stdout}{stderr}");
            assert!(said.contains("it is no"), "{line}:\n{said}");
        }
    }
}

#[test]
fn pipes_of_the_shell_are_read() {
    let folder = folder();
    let script = "mw debug --script <(echo where) p.wat";
    let (code, stdout, stderr) = limited(folder.path(), 1024, script);
    assert_eq!((code, stdout.contains("> where")), (Some(0), true), "{stdout}{stderr}");
    let (code, stdout, stderr) = limited(folder.path(), 1024, "cat p.wat | mw run /dev/stdin");
    assert_eq!((code, stdout.contains("worlds: 1024")), (Some(0), true), "{stderr}");
    let endless = "mw debug --script <(cat /dev/zero) p.wat";
    let (code, _, stderr) = limited(folder.path(), 1024, endless);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("larger than 268435456 bytes"), "{stderr}");
}

#[test]
fn a_line_of_a_script_has_an_end() {
    let (code, _, stderr) = limited(folder().path(), 1024, "mw debug p.wat </dev/zero");
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("line 1 of standard input"), "{stderr}");
}

#[test]
fn numbers_have_a_bound_that_is_said() {
    let folder = folder();
    for (line, code, said) in [
        ("mw explore --jobs 100000 p.wat", 2, "100000 jobs are too many; 256 are the most"),
        ("mw check --jobs 257 p.wat", 3, "257 jobs are too many; 256 are the most"),
        ("mw explore --time 1e12 p.wat", 2, "milliseconds of time are too many; 31536000000 are"),
        ("mw explore --memory 99999999999 p.wat", 2, "bytes of memory are too many; 1000000000000"),
        ("echo suggest jobs 1000000 | mw debug p.wat", 1, "1000000 jobs are too many; 256 are"),
        ("mw run --budget 99999999999999999999 p.wat", 2, "write a whole number"),
        ("mw debug --checkpoint-memory 99999999999G p.wat", 2, "write a number of bytes"),
        ("mw agent --memory 5G", 2, "a device has 4294967296 bytes at most"),
    ] {
        let (found, stdout, stderr) = limited(folder.path(), 1024, line);
        assert_eq!(found, Some(code), "{line}: {stdout}{stderr}");
        assert!(format!("{stdout}{stderr}").contains(said), "{line}: {stdout}{stderr}");
    }
}

/// Reads twelve bits and decides about each: 4096 paths, which take longer to follow than one
/// thread works alone.
const MANY: &str = r#"(module
    (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
    (func (export "main") (local $i i32) (loop $again
        (if (call $read (i32.const 2)) (then nop))
        (br_if $again (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                                (i32.const 12))))))"#;

/// The system gives no thread to a process that has no room for its stack.
#[test]
fn without_threads_one_does_the_work() {
    let folder = folder();
    std::fs::write(folder.path().join("many.wat"), MANY).unwrap();
    let explore = "mw explore --jobs 8 --paths 5000 --time 80 many.wat";
    let line = format!("export RUST_MIN_STACK=600000000; {explore}");
    let (code, stdout, stderr) = limited(folder.path(), 1000, &line);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("4,096 paths, complete"), "{stdout}{stderr}");
}

#[test]
fn what_is_found_is_shown_up_to_a_number_of_lines() {
    let folder = folder();
    std::fs::write(folder.path().join("many.wat"), MANY).unwrap();
    let explore = "mw explore --paths 5000 --time 80 many.wat";
    let (code, stdout, stderr) = limited(folder.path(), 1024, explore);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.lines().count() < 1100, "{} lines", stdout.lines().count());
    assert!(stdout.contains("lines more; --lines N shows N"), "{stdout}{stderr}");
}

/// A program that prints a MiB with each call, for ever.
const TALKATIVE: &str = r#"(module
    (import "env" "print_string" (func $print (param i32 i32)))
    (memory 16)
    (func (export "main")
        (memory.fill (i32.const 0) (i32.const 97) (i32.const 0x100000))
        (loop $again (call $print (i32.const 0) (i32.const 0x100000)) (br $again))))"#;

#[test]
fn what_is_printed_is_not_kept() {
    let folder = folder();
    std::fs::write(folder.path().join("talk.wat"), TALKATIVE).unwrap();
    for line in [
        "mw run --budget 640 talk.wat | wc -c",
        "mw run --json --budget 640 talk.wat | wc -c",
        "mw run --json --trace --budget 640 talk.wat | wc -c",
    ] {
        let (code, stdout, stderr) = limited(folder.path(), 128, line);
        let bytes: u64 = stdout.trim().parse().unwrap_or_default();
        assert!(code == Some(0) && bytes > 150 << 20, "{line}: {code:?} {stdout}{stderr}");
    }
    // It is JSON all the same.
    let (_, stdout, _) = limited(folder.path(), 256, "mw run --json --budget 30 talk.wat");
    let object: serde_json::Value = serde_json::from_str(&stdout).expect("an object");
    assert_eq!(object["transcript"].as_str().map(str::len), Some(6 << 20));
    assert_eq!(object["outcome"], "budget");
    let (_, stdout, _) = limited(folder.path(), 256, "mw run --json --trace --budget 30 talk.wat");
    let object: serde_json::Value = serde_json::from_str(&stdout).expect("an object");
    let interactions = object["interactions"].as_array().expect("interactions");
    assert_eq!(interactions[0]["printed"].as_str().map(str::len), Some(1 << 20));
}

/// Two bytes of a character, and what is none at all.
#[test]
fn characters_are_put_together_from_pieces() {
    let folder = folder();
    let program = r#"(module
        (import "env" "print_string" (func $print (param i32 i32)))
        (memory 1) (data (i32.const 0) "a\c3\a4\ff\e2\82b\e2")
        (func (export "main")
            (call $print (i32.const 0) (i32.const 2)) (call $print (i32.const 2) (i32.const 6))))"#;
    std::fs::write(folder.path().join("pieces.wat"), program).unwrap();
    let (_, stdout, stderr) = limited(folder.path(), 256, "mw run --json pieces.wat");
    let object: serde_json::Value = serde_json::from_str(&stdout).expect(&stderr);
    assert_eq!(object["transcript"], "aä\u{fffd}\u{fffd}b\u{fffd}");
}

#[test]
fn memories_are_bounded_together() {
    let folder = folder();
    let program = format!("(module {} (func (export \"main\")))", "(memory 16384)".repeat(100));
    std::fs::write(folder.path().join("large.wat"), program).unwrap();
    let (code, _, stderr) = limited(folder.path(), 1024, "mw run large.wat");
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("pages of memory: 32768, but the limit is 16384"), "{stderr}");
}

#[test]
fn names_do_not_command_the_terminal() {
    let folder = folder();
    let program = r#"(module
        (func $main (export "main") (call $"x\u{202e}y\1b[2Jz"))
        (func $"x\u{202e}y\1b[2Jz" unreachable))"#;
    std::fs::write(folder.path().join("named.wat"), program).unwrap();
    for line in ["mw run named.wat", "mw check named.wat", "echo continue | mw debug named.wat"] {
        for colours in ["NO_COLOR=1", "CLICOLOR_FORCE=1"] {
            let line = format!("export {colours}; {line}");
            let (_, stdout, stderr) = limited(folder.path(), 1024, &line);
            let said = format!("{stdout}{stderr}");
            assert!(said.contains("x\\u{202e}y\\u{1b}[2Jz"), "{line}: {said}");
            assert!(!said.contains('\u{202e}') && !said.contains("\x1b[2J"), "{line}: {said}");
        }
    }
    // Data is as it is.
    let (_, stdout, _) = limited(folder.path(), 1024, "mw inspect --json named.wat");
    assert!(serde_json::from_str::<serde_json::Value>(&stdout).is_ok(), "{stdout}");
}

#[test]
fn what_an_editor_sends_wrongly_is_told_as_such() {
    let line = r"printf 'Content-Length: x\r\n\r\n' | mw dap";
    let (code, _, stderr) = limited(folder().path(), 1024, line);
    assert_eq!(code, Some(3), "{stderr}");
    let told = "error: what the editor sends cannot be read: no length";
    assert!(stderr.starts_with(told), "{stderr}");
}

#[test]
fn an_interrupt_ends_exploring_with_what_there_is() {
    let folder = folder();
    let breakout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/breakout");
    let breakout = breakout.join("breakout.wasm");
    for command in ["explore", "check"] {
        // Without the interrupt, it would be the time that cuts it off.
        let timeout = "timeout --foreground --signal=INT 2";
        let bounds = "--time 80 --paths 1000000";
        let line = format!("{timeout} mw {command} {bounds} {}", breakout.display());
        let (_, stdout, stderr) = limited(folder.path(), 3072, &line);
        assert!(stdout.contains("by cancelled"), "{command}: {stdout}{stderr}");
        assert!(stdout.contains("\ntook "), "{command}: {stdout}{stderr}");
    }
}

#[test]
fn memory_that_inputs_fill_is_bounded() {
    let folder = folder();
    let program = |fill: &str| {
        let text = format!(
            r#"(module
              (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
              (memory 16384)
              (func (export "main") (memory.fill {fill})))"#
        );
        std::fs::write(folder.path().join("fill.wat"), text).unwrap();
    };
    let open = "(call $read (i32.const 1))";
    let large = "(i32.mul (call $read (i32.const 2)) (i32.const 100000))";
    for (fill, options, said) in [
        (format!("(i32.const 0) {open} (i32.const 0x40000000)"), "--memory 64", "memory bound"),
        (format!("{large} {open} {large}"), "--values 20", "more addresses or values"),
    ] {
        program(&fill);
        let line = format!("mw explore --time 60 {options} fill.wat | tail -n 2");
        let (_, stdout, stderr) = limited(folder.path(), 1024, &line);
        assert!(stdout.contains(said), "{fill}: {stdout}{stderr}");
    }
}
