//! The program as text: every instruction as WebAssembly's text format writes it, and the names of
//! locals.

use std::collections::BTreeMap;

use mw_source::LocalNames;

/// The text of a module's instructions.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// By the byte offset in the binary.
    instructions: BTreeMap<u32, String>,
    locals: LocalNames,
}

impl Listing {
    /// Prints a binary. What cannot be printed is left out: a debugger without texts still works.
    pub fn new(binary: &[u8]) -> Listing {
        let mut storage = String::new();
        let mut config = wasmprinter::Config::new();
        config.indent_text("");
        let mut instructions = BTreeMap::new();
        if let Ok(lines) = config.offsets_and_lines(binary, &mut storage) {
            for (offset, line) in lines {
                let Some(offset) = offset.and_then(|offset| u32::try_from(offset).ok()) else {
                    continue;
                };
                instructions.insert(offset, tidy(line));
            }
        }
        Listing { instructions, locals: LocalNames::new(binary) }
    }

    /// The instruction at a byte offset.
    pub fn instruction(&self, offset: u32) -> Option<&str> {
        self.instructions.get(&offset).map(String::as_str)
    }

    /// The names of locals.
    pub fn locals(&self) -> &LocalNames {
        &self.locals
    }
}

/// The line without blanks and remarks, and without the parenthesis that closes the function.
fn tidy(line: &str) -> String {
    // `block ;; label = @1` says nothing that the nesting does not.
    let line = line.split(" ;;").next().unwrap_or_default().trim();
    let opened = line.matches('(').count();
    let mut closed = line.matches(')').count();
    let mut line = line;
    while closed > opened {
        line = line.strip_suffix(')').unwrap_or(line).trim_end();
        closed -= 1;
    }
    match line.split_once('$') {
        Some((before, name)) if before.ends_with("call ") => {
            format!("{before}${}", mw_vm::readable_name(name))
        }
        _ => line.to_owned(),
    }
}
