//! Reading attributes of entries, none of which can be relied on.

use std::ops::Range;
use std::sync::Arc;

use gimli::{AttributeValue, DebuggingInformationEntry, DwAt, Unit};

use super::{Bytes, Dwarf};

pub(super) type Entry<'a> = DebuggingInformationEntry<Bytes<'a>>;

/// What reading may use, over all: entries can refer to the same long string or list again and
/// again.
const BUDGET: usize = 64 << 20;
/// The longest name that is kept. Generic types have long ones.
const LONGEST_NAME: usize = 1 << 14;

/// Reads attributes of the entries of one unit.
pub(super) struct Attributes<'a, 'd> {
    pub dwarf: &'d Dwarf<'a>,
    pub unit: &'d Unit<Bytes<'a>>,
    pub code_start: u32,
    pub budget: &'d mut Budget,
}

/// Bytes that may still be taken.
pub(super) struct Budget(usize);

impl Budget {
    pub fn new() -> Budget {
        Budget(BUDGET)
    }

    /// Takes some bytes, unless there are not so many left.
    pub fn take(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes)?;
        Some(())
    }

    pub fn is_spent(&self) -> bool {
        self.0 < LONGEST_NAME
    }
}

impl<'a> Attributes<'a, '_> {
    pub fn string(&mut self, entry: &Entry<'a>, name: DwAt) -> Option<Arc<str>> {
        let text = self.dwarf.attr_string(self.unit, entry.attr_value(name)?).ok()?;
        let text = text.slice();
        self.budget.take(text.len())?;
        let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST_NAME)]);
        Some(text.into()).filter(|text: &Arc<str>| !text.is_empty())
    }

    /// The offset of another entry in the whole section.
    pub fn reference(&self, entry: &Entry<'a>, name: DwAt) -> Option<usize> {
        match entry.attr_value(name)? {
            AttributeValue::UnitRef(offset) => self.global(offset.0),
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }

    /// The offset of an entry of this unit in the whole section.
    pub fn global(&self, offset: usize) -> Option<usize> {
        self.unit.header.offset().0.checked_add(offset)
    }

    pub fn number(&self, entry: &Entry<'a>, name: DwAt) -> Option<u64> {
        entry.attr_value(name)?.udata_value()
    }

    /// A number that may be negative or of up to 128 bits.
    pub fn wide(&self, entry: &Entry<'a>, name: DwAt) -> Option<i128> {
        Some(match entry.attr_value(name)? {
            AttributeValue::Data1(value) => value.into(),
            AttributeValue::Data2(value) => value.into(),
            AttributeValue::Data4(value) => value.into(),
            AttributeValue::Data8(value) => value.into(),
            AttributeValue::Data16(value) => value as i128,
            AttributeValue::Udata(value) => value.into(),
            AttributeValue::Sdata(value) => value.into(),
            AttributeValue::Block(block) if block.slice().len() <= 16 => {
                let mut bytes = [0; 16];
                bytes[..block.slice().len()].copy_from_slice(block.slice());
                i128::from_le_bytes(bytes)
            }
            _ => return None,
        })
    }

    /// The code of an entry, as byte offsets in the binary.
    pub fn ranges(&mut self, entry: &Entry<'a>) -> Vec<Range<u32>> {
        let mut ranges = Vec::new();
        if let Some(value) = entry.attr_value(gimli::DW_AT_ranges) {
            if let Ok(Some(mut list)) = self.dwarf.attr_ranges(self.unit, value) {
                while let Ok(Some(range)) = list.next() {
                    if self.budget.take(size_of::<Range<u32>>()).is_none() {
                        break;
                    }
                    ranges.extend(self.range(range.begin, range.end));
                }
            }
        } else if let Some(low) = self.address(entry, gimli::DW_AT_low_pc) {
            let high = match entry.attr_value(gimli::DW_AT_high_pc) {
                Some(AttributeValue::Udata(size)) => low.checked_add(size),
                Some(value) => self.dwarf.attr_address(self.unit, value).ok().flatten(),
                None => None,
            };
            ranges.extend(high.and_then(|high| self.range(low, high)));
        }
        ranges
    }

    /// Addresses as byte offsets in the binary. Code that was left out is at zero or near the end.
    pub fn range(&self, low: u64, high: u64) -> Option<Range<u32>> {
        let offset = |address: u64| u32::try_from(address).ok()?.checked_add(self.code_start);
        let range = offset(low)?..offset(high)?;
        (low > 0 && !range.is_empty()).then_some(range)
    }

    fn address(&self, entry: &Entry<'a>, name: DwAt) -> Option<u64> {
        self.dwarf.attr_address(self.unit, entry.attr_value(name)?).ok()?
    }
}
