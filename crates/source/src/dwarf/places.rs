//! Where DWARF says that values are.

use std::sync::Arc;

use gimli::{AttributeValue, DwAt};

use super::attributes::{Attributes, Entry};
use crate::info::Home;

impl<'a> Attributes<'a, '_> {
    /// The place that an attribute says, if the entry has it.
    pub fn place(&mut self, entry: &Entry<'a>, name: DwAt) -> Home {
        match entry.attr_value(name) {
            Some(AttributeValue::Exprloc(expression)) => {
                self.copy(expression.0.slice()).map_or(Home::Nowhere, Home::Expression)
            }
            Some(value) => self.list(value),
            None => Home::Nowhere,
        }
    }

    fn list(&mut self, value: AttributeValue<super::Bytes<'a>>) -> Home {
        let Ok(Some(mut entries)) = self.dwarf.attr_locations(self.unit, value) else {
            return Home::Nowhere;
        };
        let mut list = Vec::new();
        while let Ok(Some(entry)) = entries.next() {
            let Some(range) = self.range(entry.range.begin, entry.range.end) else { continue };
            let Some(expression) = self.copy(entry.data.0.slice()) else { break };
            list.push((range, expression));
        }
        Home::List(list)
    }

    /// The value of an entry that has one for good.
    pub fn constant(&mut self, entry: &Entry<'a>) -> Option<Home> {
        let bytes = match entry.attr_value(gimli::DW_AT_const_value)? {
            AttributeValue::Block(block) => self.copy(block.slice())?,
            AttributeValue::String(text) => self.copy(text.slice())?,
            _ => self.wide(entry, gimli::DW_AT_const_value)?.to_le_bytes().into(),
        };
        Some(Home::Constant(bytes))
    }

    fn copy(&mut self, bytes: &[u8]) -> Option<Arc<[u8]>> {
        // What is around the bytes counts as well: most expressions are short.
        self.budget.take(bytes.len() + 64)?;
        Some(bytes.into())
    }
}
