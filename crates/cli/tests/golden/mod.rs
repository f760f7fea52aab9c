//! What golden tests have in common: text that is compared with a file, or written to it.

use std::path::{Path, PathBuf};

/// Compares what is said now with what the files of a folder of `tests` expect: `play` is given
/// each file with this extension and says with which file its text belongs. With `MW_BLESS=1` the
/// expectations are written anew. `marker` begins the lines that say what is done.
pub fn check(
    folder: &str,
    extension: &str,
    marker: &str,
    play: impl Fn(&Path) -> (PathBuf, String),
) {
    let bless = std::env::var_os("MW_BLESS").is_some();
    let folder = tests().join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder of expectations")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|other| other == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are expectations");
    let mut differing = Vec::new();
    for file in files {
        let (expectation, found) = play(&file);
        let expected = std::fs::read_to_string(&expectation).unwrap_or_default();
        if found == expected {
            continue;
        }
        match bless {
            true => std::fs::write(&expectation, found).expect("an expectation can be written"),
            false => {
                println!("=== {}\n{}", file.display(), difference(&expected, &found, marker));
                differing.push(file);
            }
        }
    }
    assert!(differing.is_empty(), "other than expected: {differing:?}, see above");
}

/// The folder of the tests.
pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A folder to work in with the programs of `tests/programs` in it.
#[allow(dead_code, reason = "not every golden test needs one")]
pub fn scratch(kind: &str, file: &Path) -> PathBuf {
    let name = file.file_stem().expect("a name");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(kind).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder to work in");
    for program in std::fs::read_dir(tests().join("programs")).expect("programs") {
        let path = program.expect("a program").path();
        std::fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}

/// The text without how long exploring took, and how.
#[allow(dead_code, reason = "not every golden test explores")]
pub fn without_cost(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("took ") {
        Some(_) => "took …\n".to_owned(),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The lines from the first one that differs on, with what was done before.
fn difference(expected: &str, found: &str, marker: &str) -> String {
    let (expected, found): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), found.lines().collect());
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let done = found[..same.min(found.len())].iter().rfind(|line| line.starts_with(marker));
    let rest = |lines: &[&str]| {
        let rest = lines.get(same..).unwrap_or_default();
        rest.iter().take(12).map(|line| format!("    {line}\n")).collect::<String>()
    };
    format!(
        "{}\n  expected from line {} on:\n{}  found:\n{}",
        done.unwrap_or(&"(before anything is done)"),
        same + 1,
        rest(&expected),
        rest(&found)
    )
}
