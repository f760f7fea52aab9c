//! What has to be known of a binary: where the code of its functions is, and its custom sections.
//!
//! Invariant: the bodies are in ascending order, without overlap, within the binary.

use std::ops::Range;

use wasmparser::{Parser, Payload, TypeRef};

use crate::warnings::Warnings;

/// A binary, as far as debug information refers to it.
#[derive(Default)]
pub(crate) struct Binary<'a> {
    /// Where the functions are.
    pub bodies: Bodies,
    /// What byte offset the addresses of DWARF count from: the content of the code section.
    pub code_start: u32,
    customs: Vec<(&'a str, &'a [u8])>,
}

impl<'a> Binary<'a> {
    /// Reads what can be read of the bytes.
    pub fn new(bytes: &'a [u8], warnings: &mut Warnings) -> Self {
        let mut binary = Binary::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload {
                Ok(Payload::ImportSection(imports)) => {
                    let imports = imports.into_imports().map_while(Result::ok);
                    let func =
                        |ty: &TypeRef| matches!(ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
                    binary.bodies.imported =
                        imports.filter(|import| func(&import.ty)).count() as u32;
                }
                Ok(Payload::CodeSectionStart { unchecked_range: range, .. }) => {
                    binary.code_start = offset(range.start);
                }
                Ok(Payload::CodeSectionEntry(body)) => {
                    let range = body.range();
                    binary.bodies.ranges.push(offset(range.start)..offset(range.end));
                }
                Ok(Payload::CustomSection(section)) => {
                    binary.customs.push((section.name(), section.data()));
                }
                Ok(_) => {}
                Err(error) => {
                    warnings.add(format_args!("the module cannot be read to its end: {error}"));
                    break;
                }
            }
        }
        binary
    }

    /// The content of a custom section.
    pub fn custom(&self, name: &str) -> Option<&'a [u8]> {
        self.customs.iter().find(|(known, _)| *known == name).map(|(_, data)| *data)
    }

    /// A custom section that holds one string: the address of something.
    pub fn url(&self, section: &str) -> Option<&'a str> {
        let mut reader = wasmparser::BinaryReader::new(self.custom(section)?, 0);
        reader.read_unlimited_string().ok()
    }
}

/// Where the code of functions is in a binary.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bodies {
    /// How many functions are imported, and come before those with code.
    imported: u32,
    ranges: Vec<Range<u32>>,
}

impl Bodies {
    #[cfg(test)]
    pub fn new(imported: u32, ranges: Vec<Range<u32>>) -> Bodies {
        Bodies { imported, ranges }
    }

    /// The function with this byte offset in its code, and all of its code.
    pub fn at(&self, offset: u32) -> Option<(u32, Range<u32>)> {
        let index = self.ranges.partition_point(|body| body.end <= offset);
        let body = self.ranges.get(index).filter(|body| body.start <= offset)?;
        Some((self.imported + index as u32, body.clone()))
    }

    /// The code of a function, unless it is imported.
    pub fn of(&self, func: u32) -> Option<Range<u32>> {
        self.ranges.get(func.checked_sub(self.imported)? as usize).cloned()
    }
}

/// A place in a binary; a module that the machine accepts is smaller than this can count.
fn offset(position: u64) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
