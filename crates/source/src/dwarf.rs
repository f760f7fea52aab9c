//! DWARF, as compilers of the LLVM family embed it: one custom section for each of its own.
//!
//! Addresses of code count from the start of the code section's content.

mod attributes;
mod evaluate;
mod info;
mod lines;
mod places;
mod types;

use gimli::{EndianSlice, LittleEndian, SectionId};

use crate::binary::Binary;

pub(crate) use evaluate::Evaluator;
pub(crate) use info::read as read_info;
pub(crate) use lines::read as read_lines;

/// The bytes of a section.
type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The debug information of a binary.
pub(crate) type Dwarf<'a> = gimli::Dwarf<Bytes<'a>>;

/// The sections of DWARF that a binary has, kept for what is asked later.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sections(Vec<(SectionId, Vec<u8>)>);

impl Sections {
    /// Copies the sections of a binary.
    pub fn new(binary: &Binary<'_>) -> Sections {
        const USED: [SectionId; 12] = [
            SectionId::DebugAbbrev,
            SectionId::DebugAddr,
            SectionId::DebugInfo,
            SectionId::DebugLine,
            SectionId::DebugLineStr,
            SectionId::DebugLoc,
            SectionId::DebugLocLists,
            SectionId::DebugRanges,
            SectionId::DebugRngLists,
            SectionId::DebugStr,
            SectionId::DebugStrOffsets,
            SectionId::DebugTypes,
        ];
        let section = |id: SectionId| Some((id, binary.custom(id.name())?.to_vec()));
        Sections(USED.into_iter().filter_map(section).collect())
    }

    /// Whether there is no debug information.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|(id, data)| *id != SectionId::DebugInfo || data.is_empty())
    }

    /// The sections, to be read.
    pub fn dwarf(&self) -> Dwarf<'_> {
        let section = |id: SectionId| {
            let found = self.0.iter().find(|(known, _)| *known == id);
            let data = found.map(|(_, data)| data.as_slice()).unwrap_or_default();
            Ok::<_, std::convert::Infallible>(EndianSlice::new(data, LittleEndian))
        };
        let Ok(dwarf) = gimli::Dwarf::load(section);
        dwarf
    }
}
