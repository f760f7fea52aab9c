//! Finding the source that a program was built from, beside it.
//!
//! Debug information names files, and whoever made the program decides which: `/etc/passwd`, for
//! example. What is read is shown and becomes part of the session file, which people pass on. So
//! only files in the program's folder and below are read, and in folders that the person names;
//! where somebody is there to be asked, others are asked for once. Where a file really is counts,
//! not by which way it is named.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use mw_api::{DEBUG_FILE, Setup, without_detours};

use crate::console::{self, NOTE, count_of};
use crate::program::Program;

/// Files that are larger than this are no source that anyone reads.
const LARGEST: u64 = 64 << 20;

/// How many files are named in a question or a note.
const SHOWN: usize = 3;

/// Where source may be read.
#[derive(Clone, Default, clap::Args)]
pub struct Folders {
    /// Read source below this folder too, not only below the program's; may be given several times
    #[arg(long = "source-dir", value_name = "DIR")]
    pub named: Vec<PathBuf>,
    /// Whether nobody is to be asked about others.
    #[arg(skip)]
    pub unattended: bool,
}

/// With the source that a program was built from, as far as it may be read.
pub fn read(setup: Setup, program: &Program) -> Setup {
    read_if(setup, program, |outside| may_be_read(outside, program))
}

/// The same, with files elsewhere if somebody says so, who is asked for all of them together.
fn read_if(
    setup: Setup,
    program: &Program,
    may_be_read: impl FnOnce(&BTreeSet<PathBuf>) -> bool,
) -> Setup {
    let mut reader = Reader::new(program);
    let setup = setup.sources(&|name| reader.load(name));
    let outside = reader.outside.take();
    if outside.is_empty() {
        return setup;
    }
    if may_be_read(&outside) {
        reader.readable.extend(outside);
        return setup.sources(&|name| reader.load(name));
    }
    setup
}

/// A file by the name that the debug information of a program gives it, as far as it may be read.
pub fn load(program: &Program, name: &str) -> Option<Vec<u8>> {
    Reader::new(program).load(name)
}

/// Reads files by the names that debug information gives them, relative to the program.
struct Reader<'a> {
    program: &'a Program,
    /// Folders and files that may be read, as they really are.
    readable: Vec<PathBuf>,
    /// Files that are there, but elsewhere.
    outside: RefCell<BTreeSet<PathBuf>>,
}

impl Reader<'_> {
    fn new(program: &Program) -> Reader<'_> {
        let named = program.folders.named.iter().map(PathBuf::as_path);
        // One that is not there has nothing to be read.
        let readable = [folder(&program.path)].into_iter().chain(named).filter_map(real).collect();
        Reader { program, readable, outside: RefCell::default() }
    }

    fn load(&self, name: &str) -> Option<Vec<u8>> {
        if name == DEBUG_FILE {
            return self.program.debug_file.clone();
        }
        let path = real(&folder(&self.program.path).join(name))?;
        // Whatever a module names: something that cannot end, such as a device, is not read.
        let facts = std::fs::metadata(&path).ok()?;
        if !facts.is_file() || facts.len() > LARGEST {
            return None;
        }
        if !self.readable.iter().any(|folder| path.starts_with(folder)) {
            self.outside.borrow_mut().insert(path);
            return None;
        }
        std::fs::read(&path).ok()
    }
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Where something really is, links followed.
fn real(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    path.canonicalize().ok()
}

/// Asks whether files outside of the program's folder may be read; says how, if nobody is there.
fn may_be_read(outside: &BTreeSet<PathBuf>, program: &Program) -> bool {
    let mut err = console::stderr();
    let files = count_of(outside.len() as u64, "file of source", "files of source");
    // One's own are what one wants to see.
    let mut outside: Vec<&PathBuf> = outside.iter().collect();
    outside.sort_by_key(|path| mw_api::is_library(&path.to_string_lossy()));
    let mut shown: Vec<String> =
        outside.iter().take(SHOWN).map(|path| path.display().to_string()).collect();
    if outside.len() > SHOWN {
        shown.push("…".into());
    }
    let shown = shown.join(", ");
    let name = program.path.display();
    let is_attended = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if program.folders.unattended || !is_attended {
        let example = outside.first().map(|path| folder(path).display().to_string());
        let _ = writeln!(
            err,
            "{NOTE}{name} names {files} outside of its folder, not read: {shown}; allow them with \
             --source-dir DIR, such as {}{NOTE:#}",
            example.unwrap_or_default()
        );
        return false;
    }
    let _ = write!(
        err,
        "{NOTE}{name} names {files} outside of its folder: {shown}{NOTE:#}\n\
         read them, and keep them in the session? --source-dir DIR says so beforehand [y/N] "
    );
    let mut answer = String::new();
    let _ = err.flush().and_then(|()| std::io::stdin().read_line(&mut answer));
    matches!(answer.trim(), "y" | "Y" | "yes")
}

/// A file that debug information names, which is relative to the program; as it is named, if there
/// is none.
pub fn beside(program: &Path, name: &str) -> PathBuf {
    let path = folder(program).join(name);
    if !path.exists() {
        return PathBuf::from(name);
    }
    without_detours(&path)
}

#[cfg(test)]
mod tests {
    use mw_api::{Debugger, Unattended, request};

    use super::*;

    #[test]
    fn files_beside_a_program() {
        assert_eq!(beside(Path::new("src/./../src/main.rs"), "main.rs"), Path::new("src/main.rs"));
        assert_eq!(beside(Path::new("src/main.rs"), "~lib/x.ts"), Path::new("~lib/x.ts"));
    }

    #[test]
    #[cfg(unix)] // For links.
    fn only_what_is_below_a_folder_is_read() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for folder in ["project/src", "project-2", "lib"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        for file in ["project/a.c", "project/src/b.c", "project-2/c.c", "lib/d.c", "secret"] {
            std::fs::write(at(file), file).unwrap();
        }
        std::os::unix::fs::symlink(at("secret"), at("project/link.c")).unwrap();
        std::os::unix::fs::symlink(at("project"), at("way")).unwrap();
        let program = |path: &str| Program {
            path: at(path),
            is_text: false,
            binary: Vec::new(),
            debug_file: None,
            folders: Folders { named: vec![at("lib"), at("nothing")], unattended: true },
        };
        let secret = at("secret").display().to_string();
        for path in ["project/p.wasm", "way/p.wasm", "project/src/../p.wasm"] {
            let program = program(path);
            let reader = Reader::new(&program);
            for name in ["a.c", "src/b.c", "../lib/d.c", "src/../a.c", "../project/a.c"] {
                assert!(reader.load(name).is_some(), "{path}: {name}");
            }
            assert!(reader.outside.borrow().is_empty());
            for name in ["../secret", &secret, "../project-2/c.c", "link.c", "src/../../secret"] {
                assert_eq!(reader.load(name), None, "{path}: {name}");
            }
            assert_eq!(reader.outside.borrow().len(), 2, "the secret, and the other project's");
            assert_eq!(reader.load("nothing.c"), None);
            assert_eq!(reader.load("../lib"), None);
        }
    }

    #[test]
    fn others_are_asked_for_once_and_together() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("project");
        std::fs::create_dir(&folder).unwrap();
        for name in ["own.ts", "../a.ts", "../b.ts"] {
            std::fs::write(folder.join(name), name).unwrap();
        }
        let text = r#"(module (@custom "sourceMappingURL" "\05p.map") (func (export "main") nop nop nop nop))"#;
        std::fs::write(folder.join("p.wat"), text).unwrap();
        // Each byte of the program comes from another one of three sources.
        let mappings = format!("AAAA{}", ",CCAA,CCAA,CFAA".repeat(70));
        // What it names, what is answered if something is asked, and whose text is known then.
        for (named, answer, known) in [
            (["own.ts"; 3], None, [true; 3]),
            (["own.ts", "../a.ts", "../b.ts"], Some(false), [true, false, false]),
            (["own.ts", "../a.ts", "../b.ts"], Some(true), [true; 3]),
        ] {
            let map = serde_json::json!({
                "version": 3, "sources": named, "names": [], "mappings": mappings
            });
            std::fs::write(folder.join("p.map"), map.to_string()).unwrap();
            let program = Program::read(&folder.join("p.wat")).unwrap();
            let setup = Setup::new(&program.binary).unwrap().usual_entry(&[]).unwrap();
            let mut asked = Vec::new();
            let setup = read_if(setup, &program, |outside| {
                asked.push(outside.len());
                answer.expect("nothing is asked")
            });
            assert_eq!(asked, Vec::from_iter(answer.map(|_| 2)), "{named:?}");
            let mut debugger = Debugger::new(setup).unwrap();
            let files = debugger.ask(request::SourceFiles {}, &mut Unattended).unwrap();
            let has_text = |name: &str| {
                let name = name.trim_start_matches("../");
                files.iter().any(|file| file.path.ends_with(name) && file.has_text)
            };
            assert_eq!(named.map(has_text), known, "{named:?} {answer:?}");
        }
    }
}
