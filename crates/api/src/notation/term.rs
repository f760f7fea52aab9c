//! Terms: what can be looked at, watched and set.
//!
//! `current` or `global 3` is a global, `local 0` a parameter or local of the innermost function,
//! `local 0 of frame 2` one of a caller, `i32 @ 1024` a number in memory; a plain name is a local
//! of the innermost function, else a global.

use mw_vm::{ValType, Value};

use crate::error::ApiError;
use crate::notation::parse_integer;

/// Something with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    Global(u32),
    Local { depth: u32, local: u32 },
    Memory { address: u32, load: Load },
}

/// What kind of number stands in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    U8,
    I8,
    U16,
    I16,
    Number(ValType),
}

impl Load {
    const ALL: [(&'static str, Load); 8] = [
        ("u8", Load::U8),
        ("i8", Load::I8),
        ("u16", Load::U16),
        ("i16", Load::I16),
        ("i32", Load::Number(ValType::I32)),
        ("i64", Load::Number(ValType::I64)),
        ("f32", Load::Number(ValType::F32)),
        ("f64", Load::Number(ValType::F64)),
    ];

    /// How many bytes it takes.
    pub fn size(self) -> u8 {
        match self {
            Load::U8 | Load::I8 => 1,
            Load::U16 | Load::I16 => 2,
            Load::Number(ValType::I32 | ValType::F32) => 4,
            Load::Number(_) => 8,
        }
    }

    /// The value of these bytes, the lowest first.
    pub fn value(self, bits: u64) -> Value {
        match self {
            Load::U8 => Value::I32(i32::from(bits as u8)),
            Load::I8 => Value::I32(i32::from(bits as i8)),
            Load::U16 => Value::I32(i32::from(bits as u16)),
            Load::I16 => Value::I32(i32::from(bits as i16)),
            Load::Number(ty) => Value::from_slot(ty, bits),
        }
    }
}

impl std::fmt::Display for Load {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = Load::ALL.iter().find(|(_, load)| load == self);
        f.write_str(named.map_or("i32", |(name, _)| name))
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Term::Global(global) => write!(f, "global {global}"),
            Term::Local { depth: 0, local } => write!(f, "local {local}"),
            Term::Local { depth, local } => write!(f, "local {local} of frame {depth}"),
            Term::Memory { address, load } => write!(f, "{load} @ {address}"),
        }
    }
}

const HELP: &str = "write a variable's name, `global 3`, `local 0`, `local 0 of frame 1`, or \
                    memory such as `i32 @ 1024`";

/// Reads a term. `local` and `global` find variables by name, a local in the frame given.
pub(crate) fn read_term(
    text: &str,
    local: impl Fn(u32, &str) -> Option<u32>,
    global: impl Fn(&str) -> Option<u32>,
) -> Result<Term, ApiError> {
    let spaced = text.replace('@', " @ ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let wrong =
        || ApiError::notation(format!("cannot understand the term `{}`; {HELP}", text.trim()));
    let number = |word: &str| parse_integer(word).and_then(|number| u32::try_from(number).ok());
    let find_local = |depth, word: &str| match number(word).or_else(|| local(depth, word)) {
        Some(local) => Ok(Term::Local { depth, local }),
        None => Err(ApiError::unknown(format!("frame {depth} has no local {word}; {HELP}"))),
    };
    match words.as_slice() {
        ["global", word] => match number(word).or_else(|| global(word)) {
            Some(global) => Ok(Term::Global(global)),
            None => Err(ApiError::unknown(format!("there is no global {word}; {HELP}"))),
        },
        ["local", word] => find_local(0, word),
        ["local", word, "of", "frame", depth] => find_local(number(depth).ok_or_else(wrong)?, word),
        [kind, "@", address] => {
            let load = Load::ALL.iter().find(|(name, _)| name == kind).ok_or_else(wrong)?;
            let address = number(address).ok_or_else(wrong)?;
            Ok(Term::Memory { address, load: load.1 })
        }
        [word] if number(word).is_none() => {
            let found = local(0, word).map(|local| Term::Local { depth: 0, local });
            let found = found.or_else(|| global(word).map(Term::Global));
            found.ok_or_else(|| {
                ApiError::unknown(format!("there is no variable {word} here; {HELP}"))
            })
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms() {
        let read = |text: &str| {
            let local = |_: u32, name: &str| (name == "x").then_some(2);
            read_term(text, local, |name| (name == "g").then_some(7)).ok()
        };
        let local = |depth, local| Some(Term::Local { depth, local });
        let memory = |address, load| Some(Term::Memory { address, load });
        assert_eq!(read("x"), local(0, 2));
        assert_eq!(read("g"), Some(Term::Global(7)));
        assert_eq!(read("global 3"), Some(Term::Global(3)));
        assert_eq!(read("local 4 of frame 1"), local(1, 4));
        assert_eq!(read("local x of frame 1"), local(1, 2));
        assert_eq!(read("i32@0x10"), memory(16, Load::Number(ValType::I32)));
        assert_eq!(read("u8 @ 5"), memory(5, Load::U8));
        for text in ["", "y", "5", "global", "local y", "i33 @ 5", "i32 @ x", "i32 @ -1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
