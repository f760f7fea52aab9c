//! Names for people.

use alloc::string::{String, ToString};
use core::fmt::{Result, Write};

/// A longer name than this tells nobody more than the one that stands for it.
const LONGEST: usize = 1000;

/// A name as people write it: without what compilers add to tell things apart. Rust's names are
/// read; others stay as they are.
pub fn readable_name(name: &str) -> String {
    let mut readable = Bounded(String::new());
    let read = rustc_demangle::try_demangle(name).ok();
    let written = read.and_then(|name| write!(readable, "{name:#}").ok());
    written.map_or_else(|| name.to_string(), |()| readable.0)
}

/// Text up to a length: a short name may stand for an endless one.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> Result {
        match self.0.len() + text.len() <= LONGEST {
            true => self.0.write_str(text),
            false => Err(core::fmt::Error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_people_write_them() {
        for (name, expected) in [
            ("_ZN4lamp4Lamp6update17h6fc208a2ac3d16ecE", "lamp::Lamp::update"),
            (
                "_ZN4core3ptr57drop_in_place$LT$alloc..boxed..Box$LT$garden..Bed$GT$$GT$17h81e92b3f289be540E",
                "core::ptr::drop_in_place<alloc::boxed::Box<garden::Bed>>",
            ),
            ("_RNvNtCsgXGp5Oqx2Ny_4core9panicking9panic_fmt", "core::panicking::panic_fmt"),
            ("while/loop", "while/loop"),
            ("_ZN", "_ZN"),
            ("", ""),
        ] {
            assert_eq!(readable_name(name), expected);
        }
    }

    /// Each part of it refers to the one before twice.
    #[test]
    fn a_name_that_stands_for_an_endless_one_stays_short() {
        let parts: String = (0..40).map(|_| "TB_B_E").collect();
        let name = alloc::format!("_RINvC1a1b{parts}E");
        assert!(readable_name(&name).len() <= LONGEST.max(name.len()));
    }
}
