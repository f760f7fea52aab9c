//! Types of DWARF.

use gimli::{DW_AT_name, DW_AT_type};

use super::attributes::{Attributes, Entry};
use super::info::Inside;
use crate::info::Info;
use crate::info::types::{Encoding, Kind, Member, Record, Type, TypeId, Variant, Variants};

impl Info {
    /// Takes in an entry that is a type or a part of one, and says what its children are in.
    pub(super) fn type_entry<'a>(
        &mut self,
        attributes: &mut Attributes<'a, '_>,
        entry: &Entry<'a>,
        inside: Inside,
        unit: u32,
    ) -> Option<Inside> {
        let id = TypeId(attributes.global(entry.offset().0)?);
        let target = attributes.reference(entry, DW_AT_type).map(TypeId);
        let kind = match entry.tag() {
            gimli::DW_TAG_base_type => Kind::Base(encoding(entry)?),
            gimli::DW_TAG_pointer_type => Kind::Pointer(target),
            gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
                Kind::Reference(target)
            }
            gimli::DW_TAG_typedef => Kind::Alias(target),
            gimli::DW_TAG_const_type => Kind::Qualified("const", target),
            gimli::DW_TAG_volatile_type => Kind::Qualified("volatile", target),
            gimli::DW_TAG_restrict_type | gimli::DW_TAG_atomic_type => Kind::Alias(target),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                Kind::Record(Record::default())
            }
            gimli::DW_TAG_union_type => Kind::Record(Record { union: true, ..Record::default() }),
            gimli::DW_TAG_array_type => Kind::Array(target, Vec::new()),
            gimli::DW_TAG_enumeration_type => Kind::Enumeration(Vec::new()),
            gimli::DW_TAG_subroutine_type => Kind::Function,
            gimli::DW_TAG_unspecified_type => Kind::Unknown,
            _ => return self.part(attributes, entry, inside),
        };
        let name = attributes.string(entry, DW_AT_name);
        let size = attributes.number(entry, gimli::DW_AT_byte_size);
        attributes.budget.take(size_of::<Type>())?;
        self.types.insert(id, Type { name, size, kind, unit });
        Some(Inside::Type(id))
    }

    fn part<'a>(
        &mut self,
        attributes: &mut Attributes<'a, '_>,
        entry: &Entry<'a>,
        inside: Inside,
    ) -> Option<Inside> {
        let (Inside::Type(id) | Inside::Variants(id)) = inside else { return None };
        let ty = self.types.get_mut(&id)?;
        match (&mut ty.kind, entry.tag()) {
            (Kind::Enumeration(values), gimli::DW_TAG_enumerator) => {
                let name = attributes.string(entry, DW_AT_name)?;
                values.push((attributes.wide(entry, gimli::DW_AT_const_value)?, name));
            }
            (Kind::Array(_, counts), gimli::DW_TAG_subrange_type) => {
                let count = attributes
                    .number(entry, gimli::DW_AT_count)
                    .or_else(|| attributes.number(entry, gimli::DW_AT_upper_bound)?.checked_add(1));
                counts.push(count);
            }
            (Kind::Record(record), gimli::DW_TAG_variant_part) => {
                let discriminant_at = attributes.reference(entry, gimli::DW_AT_discr);
                record.variants = Some(Variants { discriminant_at, ..Variants::default() });
                return Some(Inside::Variants(id));
            }
            (Kind::Record(record), gimli::DW_TAG_variant) => {
                let value = attributes.wide(entry, gimli::DW_AT_discr_value);
                let value = value.map(|value| value as u128);
                record.variants.as_mut()?.variants.push(Variant { value, member: None });
                return Some(Inside::Variants(id));
            }
            (Kind::Record(record), gimli::DW_TAG_member) => {
                // A static member of C++ is declared here and lies elsewhere.
                if entry.has_attr(gimli::DW_AT_external) {
                    return None;
                }
                let member = member(attributes, entry);
                let here = attributes.global(entry.offset().0);
                match (&mut record.variants, inside) {
                    (Some(variants), Inside::Variants(_)) => {
                        if variants.discriminant_at == here {
                            variants.discriminant = Some(member);
                        } else if let Some(variant) = variants.variants.last_mut() {
                            variant.member = Some(member);
                        }
                    }
                    _ => record.members.push(member),
                }
            }
            (Kind::Record(record), gimli::DW_TAG_template_type_parameter) => {
                let name = attributes.string(entry, DW_AT_name)?;
                let ty = attributes.reference(entry, DW_AT_type).map(TypeId)?;
                record.parameters.push((name, ty));
            }
            // A base class is its first, nameless member.
            (Kind::Record(record), gimli::DW_TAG_inheritance) => {
                record.members.push(member(attributes, entry));
            }
            _ => {}
        }
        None
    }
}

fn encoding(entry: &Entry<'_>) -> Option<Encoding> {
    let gimli::AttributeValue::Encoding(encoding) = entry.attr_value(gimli::DW_AT_encoding)? else {
        return None;
    };
    Some(match encoding {
        gimli::DW_ATE_signed => Encoding::Signed,
        gimli::DW_ATE_float => Encoding::Float,
        gimli::DW_ATE_boolean => Encoding::Boolean,
        gimli::DW_ATE_signed_char => Encoding::Character,
        gimli::DW_ATE_UTF => Encoding::Unicode,
        _ => Encoding::Unsigned,
    })
}

fn member<'a>(attributes: &mut Attributes<'a, '_>, entry: &Entry<'a>) -> Member {
    let offset = attributes.number(entry, gimli::DW_AT_data_member_location).unwrap_or(0);
    let first = attributes.number(entry, gimli::DW_AT_data_bit_offset);
    let bits = first.zip(attributes.number(entry, gimli::DW_AT_bit_size));
    Member {
        name: attributes.string(entry, DW_AT_name),
        ty: attributes.reference(entry, DW_AT_type).map(TypeId),
        offset,
        bits,
    }
}
