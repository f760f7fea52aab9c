//! DWARF, as compilers of the LLVM family embed it: one custom section for each of its own.
//!
//! Addresses of code count from the start of the code section's content.

mod lines;

use gimli::{EndianSlice, LittleEndian};

use crate::binary::Binary;

pub(crate) use lines::read as read_lines;

/// The bytes of a section.
type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The debug information of a binary.
pub(crate) type Dwarf<'a> = gimli::Dwarf<Bytes<'a>>;

/// The sections of a binary, empty where they are not there.
pub(crate) fn sections<'a>(binary: &Binary<'a>) -> Dwarf<'a> {
    let section = |id: gimli::SectionId| {
        let data = binary.custom(id.name()).unwrap_or_default();
        Ok::<_, std::convert::Infallible>(EndianSlice::new(data, LittleEndian))
    };
    let Ok(dwarf) = gimli::Dwarf::load(section);
    dwarf
}
