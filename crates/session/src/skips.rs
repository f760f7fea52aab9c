//! Code that steps by lines pass through: that of libraries, and what a person has named.
//!
//! Invariant: whether a line is passed through depends on where it is written, on nothing else; so
//! steps back pass through what steps forward did.

use mw_source::{FileId, Sources};
use serde::{Deserialize, Serialize};

/// Which code is passed through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Skip {
    /// What a language brings along, and what a tool has fetched.
    Library,
    /// Files and functions that a pattern fits: their names, or the ends of them. `*` stands for
    /// anything.
    Named(String),
}

/// All that is passed through.
#[derive(Clone, Debug)]
pub struct SkipSet {
    /// With numbers that are never used again.
    skips: Vec<(u32, Skip)>,
    next: u32,
}

impl Default for SkipSet {
    /// Only the libraries.
    fn default() -> SkipSet {
        SkipSet { skips: vec![(1, Skip::Library)], next: 2 }
    }
}

impl SkipSet {
    /// Those that were kept, oldest first. Nothing if their numbers cannot be theirs.
    pub fn kept(skips: Vec<(u32, Skip)>) -> Option<SkipSet> {
        let in_order = skips.is_sorted_by(|(one, _), (next, _)| one < next);
        let last = skips.last().map_or(0, |(id, _)| *id);
        let next = last.checked_add(1).filter(|_| in_order)?;
        Some(SkipSet { skips, next })
    }

    /// Adds one, unless it is there already.
    pub fn add(&mut self, skip: Skip) {
        if self.skips.iter().all(|(_, known)| *known != skip) {
            self.skips.push((self.next, skip));
            self.next += 1;
        }
    }

    /// Removes one; says whether it was there.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.skips.len();
        self.skips.retain(|(other, _)| *other != id);
        self.skips.len() < before
    }

    /// All of them, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Skip)> {
        self.skips.iter().map(|(id, skip)| (*id, skip))
    }

    /// Whether code at a byte offset, which is written in a file, is passed through.
    pub(crate) fn covers(&self, sources: &Sources, file: FileId, offset: u32) -> bool {
        let file = sources.file(file);
        self.skips.iter().any(|(_, skip)| match skip {
            Skip::Library => file.is_library(),
            Skip::Named(pattern) => {
                let function = || sources.frames(offset).into_iter().next()?.function;
                fits_end(pattern, file.path())
                    || function().is_some_and(|name| fits_end(pattern, &name))
            }
        })
    }
}

/// Whether a pattern, with `*` for anything, fits a name, or what comes after some of its parts.
pub fn fits_end(pattern: &str, name: &str) -> bool {
    let parts = name.match_indices(['/', '\\', ':', '#']).map(|(at, mark)| at + mark.len());
    std::iter::once(0).chain(parts).any(|start| fits(pattern, &name[start..]))
}

/// Whether a pattern fits a whole text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_has_numbers_in_order_and_room_for_more() {
        let named = |id| (id, Skip::Named(format!("{id}")));
        let mut kept = SkipSet::kept(vec![(1, Skip::Library), named(4)]).unwrap();
        kept.add(Skip::Named("more".into()));
        assert_eq!(kept.iter().map(|(id, _)| id).collect::<Vec<_>>(), [1, 4, 5]);
        assert!(SkipSet::kept(vec![]).is_some());
        assert!(SkipSet::kept(vec![named(2), named(2)]).is_none());
        assert!(SkipSet::kept(vec![named(3), named(2)]).is_none());
        assert!(SkipSet::kept(vec![named(u32::MAX)]).is_none());
    }

    #[test]
    fn patterns_fit_names_and_their_ends() {
        for (pattern, name, expected) in [
            ("main.c", "main.c", true),
            ("main.c", "src/main.c", true),
            ("main.c", "domain.c", false),
            ("src/*", "src/main.c", true),
            ("src/*", "/home/me/src/main.c", true),
            ("vendor/*.c", "vendor/deep/zip.c", true),
            ("vendor/*.c", "vendor/zip.h", false),
            ("core::*", "core::fmt::write", true),
            ("fmt::write", "core::fmt::write", true),
            ("write", "core::fmt::write", true),
            ("rite", "core::fmt::write", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*a", "a", false),
            ("*", "anything", true),
            ("", "anything", false),
        ] {
            assert_eq!(fits_end(pattern, name), expected, "{pattern} {name}");
        }
    }
}
