//! Values of Rust: structs, tuples, enums, and what the library makes of them.

use super::Shower;
use crate::info::types::{Member, Record, Type, Variants};
use crate::value::{Reader, Value};

impl Shower<'_> {
    /// A struct, tuple, enum, slice, vector or string.
    pub(super) fn rust_record(
        &self,
        value: &Value,
        record: &Record,
        ty: &Type,
        depth: usize,
    ) -> Option<String> {
        if let Some(elements) = self.elements(value, depth) {
            return Some(elements);
        }
        if let Some(variants) = &record.variants {
            let variant = self.reader.variant(value, variants)?;
            return Some(self.within(&variant, depth));
        }
        let name = ty.name.as_deref().unwrap_or_default();
        // Generic parameters say nothing new beside the values.
        let name = name.split('<').next().unwrap_or_default();
        let tuple = name.starts_with('(');
        let name = if tuple { "" } else { name };
        if record.members.is_empty() {
            return Some(if tuple { "()".to_owned() } else { name.to_owned() });
        }
        let shown = |member: &Member| self.within(&value.member(member), depth - 1);
        if record.members.iter().all(is_positional) {
            let members: Vec<String> = record.members.iter().map(shown).collect();
            let comma = if tuple && members.len() == 1 { "," } else { "" };
            return Some(format!("{name}({}{comma})", members.join(", ")));
        }
        let named = |member: &Member| {
            format!("{}: {}", member.name.as_deref().unwrap_or("_"), shown(member))
        };
        let members: Vec<String> = record.members.iter().map(named).collect();
        Some(format!("{name} {{ {} }}", members.join(", ")))
    }
}

impl Reader<'_> {
    /// The variant that an enum is.
    pub fn variant(&self, value: &Value, variants: &Variants) -> Option<Value> {
        let chosen = match &variants.discriminant {
            Some(discriminant) => {
                let discriminant = value.member(discriminant);
                let bits = self.bits(&discriminant)?;
                let width = self.width(&discriminant)?;
                // What DWARF says may have been extended with its sign.
                let fits = |stated: u128| (stated ^ bits) << (128 - width) == 0;
                let by_value = variants.variants.iter();
                by_value
                    .clone()
                    .find(|variant| variant.value.is_some_and(fits))
                    .or_else(|| by_value.clone().find(|variant| variant.value.is_none()))
            }
            None => variants.variants.first(),
        };
        Some(value.member(chosen?.member.as_ref()?))
    }
}

/// Whether a member is one of a tuple.
fn is_positional(member: &Member) -> bool {
    member.name.as_deref().is_some_and(|name| name.starts_with("__"))
}
