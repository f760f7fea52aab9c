//! The program as text: every instruction as WebAssembly's text format writes it, and the names of
//! locals.

use std::collections::{BTreeMap, HashMap};

use wasmparser::{KnownCustom, Name, Parser, Payload};

/// The text of a module's instructions.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// By the byte offset in the binary.
    instructions: BTreeMap<u32, String>,
    /// By function and local.
    locals: HashMap<(u32, u32), String>,
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
        Listing { instructions, locals: local_names(binary) }
    }

    /// The instruction at a byte offset.
    pub fn instruction(&self, offset: u32) -> Option<&str> {
        self.instructions.get(&offset).map(String::as_str)
    }

    /// The name of a local.
    pub fn local(&self, func: u32, local: u32) -> Option<&str> {
        self.locals.get(&(func, local)).map(String::as_str)
    }

    /// The local of this name.
    pub fn find_local(&self, func: u32, name: &str) -> Option<u32> {
        let found = self.locals.iter().find(|((f, _), known)| *f == func && *known == name);
        found.map(|((_, local), _)| *local)
    }

    /// The named locals of a function.
    pub fn locals_of(&self, func: u32) -> impl Iterator<Item = &str> {
        self.locals.iter().filter(move |((f, _), _)| *f == func).map(|(_, name)| name.as_str())
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

fn local_names(binary: &[u8]) -> HashMap<(u32, u32), String> {
    let mut found = HashMap::new();
    for payload in Parser::new(0).parse_all(binary) {
        let Ok(Payload::CustomSection(section)) = payload else { continue };
        let KnownCustom::Name(names) = section.as_known() else { continue };
        for name in names.into_iter().flatten() {
            let Name::Local(functions) = name else { continue };
            for function in functions.into_iter().flatten() {
                for local in function.names.flatten() {
                    found.insert((function.index, local.index), local.name.to_owned());
                }
            }
        }
    }
    found
}
