//! A value of the program: bytes somewhere, with a type. Its parts are values too.

use std::sync::Arc;

use mw_vm::Cell;

use crate::info::types::{Encoding, Kind, Member, Type, TypeId};
use crate::info::{Info, Language};
use crate::storage::Storage;

/// The most bytes of a value that are looked at.
pub(crate) const LARGEST: usize = 1 << 16;
/// How many names a type may have: more are a circle.
const ALIASES: usize = 32;

/// Where the bytes of a value are.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// In memory, from this address on.
    Memory(u64),
    /// In a cell of the machine, as this slot.
    Slot(Cell, u64),
    /// Somewhere else; what is `None` is not known.
    Bytes(Arc<[Option<u8>]>),
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub ty: Option<TypeId>,
    pub data: Data,
    /// Where the value begins in the data.
    pub offset: u64,
    /// The value is only these bits: the first one and how many.
    pub bits: Option<(u64, u64)>,
    /// How many dimensions of an array have been chosen from already.
    pub dimension: usize,
}

/// What a value is read with.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub info: &'a Info,
    pub storage: &'a dyn Storage,
}

impl Value {
    pub fn new(ty: Option<TypeId>, data: Data) -> Value {
        Value { ty, data, offset: 0, bits: None, dimension: 0 }
    }

    /// A value that is at an address.
    pub fn at(ty: Option<TypeId>, address: u64) -> Value {
        Value::new(ty, Data::Memory(address))
    }

    /// The address of a value in memory.
    pub fn address(&self) -> Option<u64> {
        match self.data {
            Data::Memory(address) => address.checked_add(self.offset),
            Data::Slot(..) | Data::Bytes(_) => None,
        }
    }

    /// A part of it, some bytes from its beginning.
    pub fn part(&self, ty: Option<TypeId>, offset: u64) -> Value {
        let offset = self.offset.saturating_add(offset);
        Value { ty, data: self.data.clone(), offset, bits: None, dimension: 0 }
    }

    /// A member of a record.
    pub fn member(&self, member: &Member) -> Value {
        match member.bits {
            Some((first, size)) => {
                let part = self.part(member.ty, first / 8);
                Value { bits: Some((first % 8, size)), ..part }
            }
            None => self.part(member.ty, member.offset),
        }
    }
}

impl<'a> Reader<'a> {
    /// A type, without the other names that it has.
    pub fn resolve(&self, ty: Option<TypeId>) -> Option<(TypeId, &'a Type)> {
        let mut ty = ty?;
        for _ in 0..ALIASES {
            let found = self.info.types.get(&ty)?;
            match found.kind {
                Kind::Alias(Some(target)) | Kind::Qualified(_, Some(target)) => ty = target,
                _ => return Some((ty, found)),
            }
        }
        None
    }

    /// The bytes of a value of a type.
    pub fn size(&self, ty: Option<TypeId>) -> Option<u64> {
        self.size_within(ty, ALIASES)
    }

    fn size_within(&self, ty: Option<TypeId>, depth: usize) -> Option<u64> {
        let (_, found) = self.resolve(ty)?;
        match &found.kind {
            Kind::Pointer(_) | Kind::Reference(_) => Some(found.size.unwrap_or(4)),
            Kind::String | Kind::Sequence(_) => Some(4),
            Kind::Array(element, counts) => {
                let size = self.size_within(*element, depth.checked_sub(1)?)?;
                counts.iter().try_fold(size, |size, count| size.checked_mul((*count)?))
            }
            _ => found.size,
        }
    }

    /// Some bytes from the beginning of a value.
    pub fn bytes(&self, value: &Value, length: u64) -> Option<Vec<u8>> {
        let length = usize::try_from(length).ok().filter(|length| *length <= LARGEST)?;
        let range = || {
            let start = usize::try_from(value.offset).ok()?;
            Some(start..start.checked_add(length)?)
        };
        match &value.data {
            Data::Memory(_) => {
                let mut buffer = vec![0; length];
                self.storage.read(value.address()?, &mut buffer).then_some(buffer)
            }
            Data::Slot(_, slot) => slot.to_le_bytes().get(range()?).map(<[u8]>::to_vec),
            Data::Bytes(bytes) => bytes.get(range()?)?.iter().copied().collect(),
        }
    }

    /// The bits of a value of up to 16 bytes.
    pub fn bits(&self, value: &Value) -> Option<u128> {
        let length = match value.bits {
            Some((first, size)) => first.checked_add(size)?.div_ceil(8),
            None => self.size(value.ty)?,
        };
        let bytes = self.bytes(value, length)?;
        let mut buffer = [0; 16];
        buffer.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        let bits = u128::from_le_bytes(buffer);
        Some(match value.bits {
            Some((first, size)) => {
                let mask = 1_u128.checked_shl(size as u32).map_or(u128::MAX, |bit| bit - 1);
                (bits >> first) & mask
            }
            None => bits,
        })
    }

    /// How many bits a number of this value has.
    pub fn width(&self, value: &Value) -> Option<u32> {
        let width = match value.bits {
            Some((_, size)) => size,
            None => self.size(value.ty)?.checked_mul(8)?,
        };
        u32::try_from(width).ok().filter(|width| (1..=128).contains(width))
    }

    /// The value of an integer, with its sign.
    pub fn integer(&self, value: &Value) -> Option<i128> {
        let (_, ty) = self.resolve(value.ty)?;
        let signed = match &ty.kind {
            Kind::Base(Encoding::Signed | Encoding::Character) => true,
            Kind::Enumeration(values) => values.iter().any(|(value, _)| *value < 0),
            _ => false,
        };
        let (bits, width) = (self.bits(value)?, self.width(value)?);
        let above = 128 - width;
        Some(if signed { ((bits << above) as i128) >> above } else { bits as i128 })
    }

    /// Where a pointer leads to.
    pub fn target(&self, value: &Value) -> Option<Value> {
        let target = match self.resolve(value.ty)?.1.kind {
            Kind::Pointer(target) | Kind::Reference(target) => target,
            _ => return None,
        };
        Some(Value::at(target, u64::try_from(self.bits(value)?).ok()?))
    }

    /// The language that a type belongs to.
    pub fn language(&self, ty: Option<TypeId>) -> Language {
        let found = ty.and_then(|ty| self.info.types.get(&ty));
        found.map(|ty| self.info.language(ty.unit)).unwrap_or_default()
    }
}
