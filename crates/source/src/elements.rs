//! Values with many values of the same type in them: arrays, slices, vectors, strings.

use crate::info::types::{Encoding, Kind, Layout, Record, Sequence, TypeId};
use crate::value::{Reader, Value};
use crate::variable::Content;

/// Elements one after the other.
pub(crate) struct Elements {
    first: Value,
    stride: u64,
    pub count: u64,
    /// Whether they are the bytes or characters of a text.
    pub text: Option<Text>,
}

/// How a text is encoded, and whether it ends with a zero.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Text {
    C,
    Utf8,
    Utf16,
}

impl Elements {
    /// One of them.
    pub fn get(&self, index: u64) -> Option<Value> {
        let offset = index.checked_mul(self.stride)?;
        let element = self.first.part(self.first.ty, offset);
        Some(Value { dimension: self.first.dimension, ..element })
    }

    /// Where they are, if that is in memory.
    pub fn content(&self) -> Option<Content> {
        let address = self.first.address()?;
        Some(Content { address, size: self.stride.checked_mul(self.count) })
    }

    /// The text that they are, as far as it can be read.
    pub fn string(&self, reader: &Reader<'_>, longest: usize) -> Option<(String, bool)> {
        let text = self.text?;
        let width = if text == Text::Utf16 { 2 } else { 1 };
        let count = usize::try_from(self.count).unwrap_or(usize::MAX).min(longest);
        let bytes = reader.bytes(&self.first, (count * width) as u64)?;
        let whole = count as u64 == self.count;
        Some(match text {
            Text::Utf16 => {
                let (units, _) = bytes.as_chunks::<2>();
                let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
                (String::from_utf16_lossy(&units), whole)
            }
            Text::C => {
                let end = bytes.iter().position(|byte| *byte == 0);
                let text = &bytes[..end.unwrap_or(bytes.len())];
                (String::from_utf8_lossy(text).into_owned(), whole || end.is_some())
            }
            Text::Utf8 => (String::from_utf8_lossy(&bytes).into_owned(), whole),
        })
    }
}

impl Reader<'_> {
    /// The elements that a value consists of or leads to.
    pub fn elements(&self, value: &Value) -> Option<Elements> {
        let (_, ty) = self.resolve(value.ty)?;
        match &ty.kind {
            Kind::Array(element, counts) => self.array(value, *element, counts),
            Kind::Record(record) => self.rust_elements(value, record, ty.name.as_deref()?),
            Kind::String => {
                let start = u64::try_from(self.bits(value)?).ok().filter(|start| *start > 0)?;
                let count = self.object_size(start)? / 2;
                let first = Value::at(None, start);
                Some(Elements { first, stride: 2, count, text: Some(Text::Utf16) })
            }
            Kind::Sequence(sequence) => self.sequence(value, *sequence),
            _ => None,
        }
    }

    fn array(
        &self,
        value: &Value,
        element: Option<TypeId>,
        counts: &[Option<u64>],
    ) -> Option<Elements> {
        let (count, inner) = counts.get(value.dimension..)?.split_first()?;
        let size = self.size(element)?;
        let stride = inner.iter().try_fold(size, |size, count| size.checked_mul((*count)?))?;
        let first = if inner.is_empty() {
            value.part(element, 0)
        } else {
            Value { dimension: value.dimension + 1, ..value.clone() }
        };
        let text = (inner.is_empty() && self.is_character(element)).then_some(Text::C);
        // A last member without a size goes on behind its record.
        Some(Elements { first, stride, count: count.unwrap_or(0), text })
    }

    /// Whether a type is C's `char`.
    pub fn is_character(&self, ty: Option<TypeId>) -> bool {
        self.resolve(ty).is_some_and(|(_, ty)| {
            matches!(ty.kind, Kind::Base(Encoding::Character))
                && ty.name.as_deref() == Some("char")
                && ty.size == Some(1)
        })
    }

    /// The text at an address up to its zero, and whether that was reached.
    pub fn c_string(&self, address: u64, longest: usize) -> Option<(String, bool)> {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while bytes.len() < longest {
            if !self.storage.read(address.checked_add(bytes.len() as u64)?, &mut byte) {
                return None;
            }
            if byte[0] == 0 {
                return Some((String::from_utf8_lossy(&bytes).into_owned(), true));
            }
            bytes.push(byte[0]);
        }
        Some((String::from_utf8_lossy(&bytes).into_owned(), false))
    }

    /// `&[T]`, `&str`, `Box<[T]>`, `String` and `Vec<T>`.
    fn rust_elements(&self, value: &Value, record: &Record, name: &str) -> Option<Elements> {
        let member = |wanted: &str| {
            let found = record.members.iter().find(|member| member.name.as_deref() == Some(wanted));
            found.map(|member| value.member(member))
        };
        if let (Some(pointer), Some(length)) = (member("data_ptr"), member("length")) {
            let target = self.target(&pointer)?;
            let text = name.ends_with("str").then_some(Text::Utf8);
            return self.pointed(target, &length, text);
        }
        if name == "String" {
            let vector = member("vec")?;
            let Kind::Record(inner) = &self.resolve(vector.ty)?.1.kind else { return None };
            let bytes = self.rust_elements(&vector, inner, "Vec<u8>")?;
            return Some(Elements { text: Some(Text::Utf8), ..bytes });
        }
        if name.starts_with("Vec<") {
            let element = record.parameters.iter().find(|(name, _)| &**name == "T")?.1;
            // The pointer lies deep within, and deeper in some versions than in others.
            let pointer = self.first_pointer(&member("buf")?, 8)?;
            let target = Value { ty: Some(element), ..self.target(&pointer)? };
            return self.pointed(target, &member("len")?, None);
        }
        None
    }

    fn pointed(&self, first: Value, length: &Value, text: Option<Text>) -> Option<Elements> {
        let count = u64::try_from(self.bits(length)?).ok()?;
        Some(Elements { stride: self.size(first.ty)?, first, count, text })
    }

    /// The first pointer in a record or in those in it.
    fn first_pointer(&self, value: &Value, depth: usize) -> Option<Value> {
        match &self.resolve(value.ty)?.1.kind {
            Kind::Pointer(_) => Some(value.clone()),
            Kind::Record(record) if depth > 0 => record
                .members
                .iter()
                .find_map(|member| self.first_pointer(&value.member(member), depth - 1)),
            _ => None,
        }
    }

    /// The bytes of an object of AssemblyScript, which its header says.
    fn object_size(&self, start: u64) -> Option<u64> {
        self.word(start.checked_sub(4)?)
    }

    fn word(&self, address: u64) -> Option<u64> {
        let mut word = [0; 4];
        self.storage.read(address, &mut word).then(|| u32::from_le_bytes(word).into())
    }

    fn sequence(&self, value: &Value, sequence: Sequence) -> Option<Elements> {
        let object = u64::try_from(self.bits(value)?).ok().filter(|object| *object > 0)?;
        let stride = self.size(Some(sequence.element))?;
        let (start, count) = match sequence.layout {
            Layout::Array => (self.word(object + 4)?, self.word(object + 12)?),
            Layout::Typed => (self.word(object + 4)?, self.word(object + 8)?.checked_div(stride)?),
            Layout::Static => (object, self.object_size(object)?.checked_div(stride)?),
        };
        let first = Value::at(Some(sequence.element), start);
        Some(Elements { first, stride, count, text: None })
    }
}
