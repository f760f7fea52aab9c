//! What the name section of a binary calls parameters and locals.

use std::collections::BTreeMap;

use wasmparser::{BinaryReader, Name, NameSectionReader};

use crate::binary::Binary;
use crate::warnings::Warnings;

/// The names of locals, by function and index.
#[derive(Clone, Debug, Default)]
pub struct LocalNames(BTreeMap<(u32, u32), String>);

impl LocalNames {
    /// Those in a binary. What cannot be read has no name.
    pub fn new(binary: &[u8]) -> LocalNames {
        LocalNames::of(&Binary::new(binary, &mut Warnings::default()))
    }

    pub(crate) fn of(binary: &Binary<'_>) -> LocalNames {
        let mut found = BTreeMap::new();
        let data = binary.custom("name").unwrap_or_default();
        for name in NameSectionReader::new(BinaryReader::new(data, 0)).map_while(Result::ok) {
            let Name::Local(functions) = name else { continue };
            for function in functions.into_iter().map_while(Result::ok) {
                for local in function.names.map_while(Result::ok) {
                    found.insert((function.index, local.index), local.name.to_owned());
                }
            }
        }
        LocalNames(found)
    }

    /// The name of a local.
    pub fn name(&self, func: u32, local: u32) -> Option<&str> {
        self.0.get(&(func, local)).map(String::as_str)
    }

    /// The named locals of a function.
    pub fn in_function(&self, func: u32) -> impl Iterator<Item = (u32, &str)> {
        let named = self.0.range((func, 0)..=(func, u32::MAX));
        named.map(|((_, local), name)| (*local, name.as_str()))
    }
}
