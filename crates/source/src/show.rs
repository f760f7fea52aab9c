//! Values on one line, as their language would write them.

mod names;
mod rust;

use std::cell::Cell;

use crate::info::Language;
use crate::info::types::{Encoding, Kind, Record, Type};
use crate::value::{Data, Reader, Value};

/// What is said of a value that is not there any more.
pub(crate) const MISSING: &str = "(optimised out)";
/// What is said of a value that cannot be read.
pub(crate) const UNREADABLE: &str = "(not readable)";
/// How deep values within values are shown.
const DEEPEST: usize = 4;
/// How many elements are shown on a line.
const MOST_ELEMENTS: u64 = 16;
/// How much of a text is shown on a line.
const LONGEST_TEXT: usize = 200;
/// How many values a line has, over all.
const MOST_VALUES: usize = 100;

/// Writes values. What is too much becomes `…`.
pub(crate) struct Shower<'a> {
    reader: Reader<'a>,
    language: Language,
    left: Cell<usize>,
}

impl<'a> Shower<'a> {
    pub fn new(reader: Reader<'a>, language: Language) -> Shower<'a> {
        Shower { reader, language, left: Cell::new(MOST_VALUES) }
    }

    /// A value on one line.
    pub fn show(&self, value: &Value) -> String {
        self.within(value, DEEPEST)
    }

    fn within(&self, value: &Value, depth: usize) -> String {
        match self.left.get().checked_sub(1) {
            Some(left) if depth > 0 => self.left.set(left),
            _ => return "…".to_owned(),
        }
        let Some((_, ty)) = self.reader.resolve(value.ty) else {
            return "(of unknown type)".to_owned();
        };
        self.known(value, ty, depth).unwrap_or_else(|| {
            let unreadable = matches!(value.data, Data::Memory(_));
            if unreadable { UNREADABLE.to_owned() } else { MISSING.to_owned() }
        })
    }

    fn known(&self, value: &Value, ty: &Type, depth: usize) -> Option<String> {
        match &ty.kind {
            Kind::Base(encoding) => self.base(value, *encoding, ty),
            Kind::Pointer(_) | Kind::Reference(_) => self.pointer(value, ty, depth),
            Kind::Enumeration(values) => {
                let number = self.reader.integer(value)?;
                let name = values.iter().find(|(value, _)| *value == number);
                Some(name.map_or_else(|| number.to_string(), |(_, name)| name.to_string()))
            }
            Kind::Array(..) | Kind::String | Kind::Sequence(_) => {
                match self.elements(value, depth) {
                    Some(shown) => Some(shown),
                    None => (self.reader.bits(value)? == 0).then(|| "null".to_owned()),
                }
            }
            Kind::Record(record) if self.language == Language::Rust => {
                self.rust_record(value, record, ty, depth)
            }
            Kind::Record(record) => Some(self.record(value, record, depth)),
            Kind::Function | Kind::Unknown | Kind::Alias(_) | Kind::Qualified(..) => {
                Some(format!("({})", self.reader.type_name(value.ty)))
            }
        }
    }

    fn base(&self, value: &Value, encoding: Encoding, ty: &Type) -> Option<String> {
        let bits = self.reader.bits(value)?;
        Some(match encoding {
            Encoding::Float => match self.reader.width(value)? {
                32 => format!("{:?}", f32::from_bits(bits as u32)),
                64 => format!("{:?}", f64::from_bits(bits as u64)),
                width => format!("(a float of {width} bits)"),
            },
            Encoding::Boolean => match bits {
                0 => "false".to_owned(),
                1 => "true".to_owned(),
                other => format!("{other} (neither true nor false)"),
            },
            Encoding::Unicode => match u32::try_from(bits).ok().and_then(char::from_u32) {
                Some(character) => format!("{character:?}"),
                None => format!("{bits:#x} (no character)"),
            },
            Encoding::Character if ty.name.as_deref() == Some("char") => {
                let number = self.reader.integer(value)?;
                match u8::try_from(number) {
                    Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => {
                        format!("{number} {:?}", char::from(byte))
                    }
                    _ => number.to_string(),
                }
            }
            Encoding::Signed | Encoding::Unsigned | Encoding::Character => {
                self.reader.integer(value)?.to_string()
            }
        })
    }

    fn pointer(&self, value: &Value, ty: &Type, depth: usize) -> Option<String> {
        let target = self.reader.target(value)?;
        let address = target.address()?;
        if address == 0 {
            let null = match self.language {
                Language::C => "NULL",
                Language::Cpp => "nullptr",
                Language::Rust | Language::AssemblyScript => "null",
            };
            return Some(null.to_owned());
        }
        let name = ty.name.as_deref().unwrap_or_default();
        if self.language == Language::Rust && !name.starts_with('*') {
            return Some(self.within(&target, depth));
        }
        if matches!(ty.kind, Kind::Reference(_)) {
            return Some(self.within(&target, depth));
        }
        let leads_to = self.reader.resolve(target.ty).map(|(_, ty)| &ty.kind);
        if matches!(leads_to, Some(Kind::Function)) {
            return Some(format!("function {address} of the table"));
        }
        if self.reader.is_character(target.ty)
            && let Some((text, whole)) = self.reader.c_string(address, LONGEST_TEXT)
        {
            return Some(format!("{address:#x} {text:?}{}", if whole { "" } else { "…" }));
        }
        Some(format!("{address:#x}"))
    }

    /// A text or a list.
    fn elements(&self, value: &Value, depth: usize) -> Option<String> {
        let elements = self.reader.elements(value)?;
        if elements.text.is_some() {
            let (text, whole) = elements.string(&self.reader, LONGEST_TEXT)?;
            return Some(format!("{text:?}{}", if whole { "" } else { "…" }));
        }
        let shown = (0..elements.count.min(MOST_ELEMENTS))
            .map_while(|index| Some(self.within(&elements.get(index)?, depth - 1)));
        let mut shown: Vec<String> = shown.collect();
        if elements.count > MOST_ELEMENTS {
            shown.push("…".to_owned());
        }
        let shown = shown.join(", ");
        Some(match self.language {
            Language::C | Language::Cpp => format!("{{{shown}}}"),
            Language::Rust | Language::AssemblyScript => format!("[{shown}]"),
        })
    }

    /// As C initialises it.
    fn record(&self, value: &Value, record: &Record, depth: usize) -> String {
        let member = |member: &crate::info::types::Member| {
            let shown = self.within(&value.member(member), depth - 1);
            match &member.name {
                Some(name) => format!(".{name} = {shown}"),
                None => shown,
            }
        };
        let members: Vec<String> = record.members.iter().map(member).collect();
        format!("{{{}}}", members.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::Info;
    use crate::info::types::{Member, TypeId, Variant, Variants};

    /// A memory in which every word is its own address.
    struct Memory;

    impl crate::Storage for Memory {
        fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
            for (byte, place) in buffer.iter_mut().zip(address..) {
                *byte = (place & !3).to_le_bytes()[(place % 4) as usize];
            }
            address < 1 << 20
        }

        fn cell(&self, _: mw_vm::Cell) -> Option<mw_vm::Value> {
            None
        }

        fn operand(&self, _: u32) -> Option<u64> {
            None
        }
    }

    /// What is shown of a value at 16 whose type is the first of these.
    fn shown(kinds: Vec<Kind>) -> String {
        let types = kinds.into_iter().enumerate().map(|(number, kind)| {
            (TypeId(number), Type { size: Some(4), kind, ..Type::default() })
        });
        let info = Info { types: types.collect(), ..Info::default() };
        let reader = Reader { info: &info, storage: &Memory };
        let value = Value::at(Some(TypeId(0)), 16);
        for language in [Language::C, Language::Cpp, Language::Rust, Language::AssemblyScript] {
            let variable = reader.variable("v".to_owned(), Some(value.clone()), language);
            assert!(variable.value.len() < 2000 && variable.type_name.len() < 200);
            assert!(reader.children(&value, 10).len() <= 10);
        }
        Shower::new(reader, Language::C).show(&value)
    }

    fn member(ty: usize) -> Member {
        let name = Some("m".into());
        Member { name, ty: Some(TypeId(ty)), offset: 0, bits: None }
    }

    #[test]
    fn circles_of_types_end() {
        let itself = Some(TypeId(0));
        assert_eq!(shown(vec![Kind::Alias(itself)]), "(of unknown type)");
        assert_eq!(shown(vec![Kind::Qualified("const", itself)]), "(of unknown type)");
        assert_eq!(shown(vec![Kind::Pointer(itself)]), "0x10");
        assert!(shown(vec![Kind::Reference(itself)]).ends_with('…'));
        let record = Record { members: vec![member(0)], ..Record::default() };
        assert_eq!(shown(vec![Kind::Record(record)]), "{.m = {.m = {.m = {.m = …}}}}");
        assert_eq!(shown(vec![Kind::Array(itself, vec![Some(2)])]), UNREADABLE);
        let variants = vec![Variant { value: None, member: Some(member(0)) }];
        let variants = Some(Variants { variants, ..Variants::default() });
        shown(vec![Kind::Record(Record { variants, ..Record::default() })]);
    }

    #[test]
    fn absurd_sizes_are_not_believed() {
        let number = Kind::Base(Encoding::Signed);
        let many = vec![Some(u64::MAX)];
        let text = shown(vec![Kind::Array(Some(TypeId(1)), many), number.clone()]);
        assert!(text.starts_with("{16, 20, 24, ") && text.ends_with(", …}"), "{text}");
        let far = Member { offset: u64::MAX, ..member(1) };
        let record = Record { members: vec![far], ..Record::default() };
        assert_eq!(shown(vec![Kind::Record(record), number.clone()]), "{.m = (not readable)}");
        let wide = Member { bits: Some((3, u64::MAX)), ..member(1) };
        let record = Record { members: vec![wide], ..Record::default() };
        assert_eq!(shown(vec![Kind::Record(record), number.clone()]), "{.m = (not readable)}");
        let empty = Member { bits: Some((0, 0)), ..member(1) };
        let record = Record { members: vec![empty], ..Record::default() };
        assert_eq!(shown(vec![Kind::Record(record), number]), "{.m = (not readable)}");
    }

    #[test]
    fn what_leads_nowhere_is_said() {
        let nowhere = Some(TypeId(9));
        assert_eq!(shown(vec![Kind::Alias(nowhere)]), "(of unknown type)");
        assert_eq!(shown(vec![Kind::Unknown]), "(?)");
        assert_eq!(shown(vec![Kind::Array(nowhere, vec![Some(2)])]), UNREADABLE);
        assert_eq!(shown(vec![Kind::Pointer(None)]), "0x10");
    }
}
