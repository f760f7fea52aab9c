//! What types are called.

use crate::info::Language;
use crate::info::types::{Kind, TypeId};
use crate::value::Reader;

/// How many words a name may consist of: pointers to pointers to pointers.
const DEEPEST: usize = 16;

impl Reader<'_> {
    /// A type as its language writes it.
    pub fn type_name(&self, ty: Option<TypeId>) -> String {
        self.name_within(ty, DEEPEST)
    }

    fn name_within(&self, id: Option<TypeId>, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".to_owned() };
        let Some(id) = id else { return "void".to_owned() };
        let Some(ty) = self.info.types.get(&id) else { return "?".to_owned() };
        let language = self.language(Some(id));
        let name = ty.name.as_deref();
        let tagged = |tag: &str| match (name, language) {
            (Some(name), Language::C) => format!("{tag} {name}"),
            (Some(name), _) => name.to_owned(),
            (None, _) => format!("{tag} (unnamed)"),
        };
        match &ty.kind {
            Kind::Record(record) => tagged(if record.union { "union" } else { "struct" }),
            Kind::Enumeration(_) => tagged("enum"),
            _ if name.is_some() => name.unwrap_or_default().to_owned(),
            Kind::Pointer(target) if language == Language::Rust => {
                format!("*const {}", self.name_within(*target, depth))
            }
            Kind::Pointer(target) => pointer(&self.name_within(*target, depth), '*'),
            Kind::Reference(target) => pointer(&self.name_within(*target, depth), '&'),
            Kind::Alias(target) => self.name_within(*target, depth),
            Kind::Qualified(word, target) => {
                let target = self.name_within(*target, depth);
                // A pointer that is itself constant has the word behind it.
                if target.ends_with(['*', '&']) {
                    format!("{target}{word}")
                } else {
                    format!("{word} {target}")
                }
            }
            Kind::Array(element, counts) => {
                let mut name = self.name_within(*element, depth);
                if language == Language::Rust {
                    for count in counts.iter().rev() {
                        name = format!("[{name}; {}]", count.unwrap_or(0));
                    }
                    return name;
                }
                for count in counts {
                    name.push_str(&count.map_or("[]".to_owned(), |count| format!("[{count}]")));
                }
                name
            }
            Kind::Function => "function".to_owned(),
            Kind::Base(_) | Kind::Unknown | Kind::String | Kind::Sequence(_) => "?".to_owned(),
        }
    }
}

fn pointer(target: &str, mark: char) -> String {
    let space = if target.ends_with(['*', '&']) { "" } else { " " };
    format!("{target}{space}{mark}")
}
