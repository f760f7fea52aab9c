//! What type something has, and what a type is made of.

use super::evaluate::{Evaluated, Evaluation, Operand, mistake};
use super::parse::{TypeName, Written, written};
use super::{EvaluateError, Names};
use crate::frame::Frame;
use crate::info::Language;
use crate::info::types::{Kind, Member, Type, TypeId};
use crate::sources::Sources;
use crate::storage::Storage;
use crate::value::Reader;

/// A type of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDescription {
    /// As its language writes it.
    pub name: String,
    /// Bytes of a value.
    pub size: Option<u64>,
    /// What it is made of, as its language would write that; its name, if it is made of nothing.
    pub definition: String,
}

impl TypeDescription {
    /// Describes a type that is written, or that of an expression.
    pub fn of(
        text: &str,
        names: &Names<'_>,
        sources: &Sources,
        frame: &Frame,
        storage: &dyn Storage,
    ) -> Result<TypeDescription, EvaluateError> {
        let evaluation = Evaluation::new(sources, frame, storage);
        match written(text, names)? {
            Written::Type(ty) => evaluation.describe_name(&ty),
            Written::Value(tree) => evaluation.describe(&evaluation.operand(&tree)?),
        }
    }
}

impl Evaluation<'_> {
    /// The bytes of a value of a type.
    pub fn type_size(&self, ty: &TypeName) -> Evaluated<u64> {
        let size = self.describe_name(ty)?.size;
        size.ok_or_else(|| EvaluateError::Type(format!("the size of {} is not known", ty.name)))
    }

    /// The bytes of a value.
    pub fn size(&self, operand: &Operand) -> Evaluated<u64> {
        match self.describe(operand)?.size {
            Some(size) => Ok(size),
            None => mistake("the size of this is not known"),
        }
    }

    fn describe(&self, operand: &Operand) -> Evaluated<TypeDescription> {
        Ok(match operand {
            Operand::Value(value) => {
                let name = self.reader.value_type(value);
                let mut found = self.reader.describe(value.ty);
                // What is left of an array from which has been chosen is not all of it.
                if value.dimension > 0 {
                    (found.size, found.definition) = (None, name.clone());
                }
                TypeDescription { name, ..found }
            }
            Operand::Number(number) => {
                let name = number.type_name(self.language());
                plain(name, Some(number.bytes()))
            }
            Operand::Pointer { target, .. } => {
                plain(format!("{} *", self.reader.type_name(*target)), Some(4))
            }
            Operand::Text(_) => return mistake("a text that is written here has no type"),
        })
    }

    fn describe_name(&self, ty: &TypeName) -> Evaluated<TypeDescription> {
        let mut found = match self.reader.info.type_named(&ty.name) {
            Some(id) => self.reader.describe(Some(id)),
            None => match super::convert::number_type(&ty.name) {
                Some(width) => plain(ty.name.clone(), Some((width / 8).into())),
                None if ty.name == "void" && ty.pointers > 0 => plain("void".to_owned(), None),
                None => return Err(EvaluateError::UnknownName(format!("type {}", ty.name))),
            },
        };
        if ty.pointers > 0 {
            let stars = format!(" {}", "*".repeat(ty.pointers));
            found.name.push_str(&stars);
            found.definition.push_str(&stars);
            found.size = Some(4);
        }
        Ok(found)
    }
}

fn plain(name: String, size: Option<u64>) -> TypeDescription {
    TypeDescription { definition: name.clone(), name, size }
}

impl Reader<'_> {
    fn describe(&self, ty: Option<TypeId>) -> TypeDescription {
        TypeDescription {
            name: self.type_name(ty),
            size: self.size(ty),
            definition: self.definition(ty).unwrap_or_else(|| self.type_name(ty)),
        }
    }

    /// What a type is made of; of a pointer, what it leads to.
    fn definition(&self, ty: Option<TypeId>) -> Option<String> {
        let (id, found) = self.resolve(ty)?;
        match &found.kind {
            Kind::Pointer(target) => {
                let (id, target) = self.resolve(*target)?;
                matches!(target.kind, Kind::Record(_))
                    .then(|| format!("{} *", self.definition(Some(id)).unwrap_or_default()))
            }
            Kind::Record(record) => {
                let language = self.language(Some(id));
                let variants = record.variants.iter().flat_map(|all| &all.variants);
                let members = record.members.iter().map(|member| self.member(member, language));
                let variants = variants
                    .filter_map(|variant| variant.member.as_ref())
                    .map(|member| self.written_variant(member));
                let lines = members.chain(variants).map(|line| format!("  {line}\n"));
                Some(format!("{} {{\n{}}}", self.type_name(Some(id)), lines.collect::<String>()))
            }
            Kind::Enumeration(values) => {
                let values = values.iter().map(|(value, name)| format!("{name} = {value}"));
                let values: Vec<String> = values.collect();
                Some(format!("{} {{{}}}", self.type_name(Some(id)), values.join(", ")))
            }
            // Another name, by what it stands for.
            _ => Some(self.type_name(Some(id))),
        }
    }

    /// A variant with its fields: `Nothing,`, `Tree(u32),` or `Flower { height: f32 },`.
    fn written_variant(&self, variant: &Member) -> String {
        let name = variant.name.as_deref().unwrap_or("(unnamed)");
        let fields = match self.resolve(variant.ty) {
            Some((_, Type { kind: Kind::Record(record), .. })) => record.members.as_slice(),
            _ => &[],
        };
        // What has no names is numbered.
        let is_tuple = |(at, field): (usize, &Member)| {
            field.name.as_deref() == Some(format!("__{at}").as_str())
        };
        match fields {
            [] => format!("{name},"),
            _ if fields.iter().enumerate().all(is_tuple) => {
                let types: Vec<String> =
                    fields.iter().map(|field| self.type_name(field.ty)).collect();
                format!("{name}({}),", types.join(", "))
            }
            _ => {
                let fields = fields.iter().map(|field| self.member(field, Language::Rust));
                let fields = fields.collect::<Vec<_>>().join(" ");
                format!("{name} {{ {} }},", fields.trim_end_matches(','))
            }
        }
    }

    fn member(&self, member: &Member, language: Language) -> String {
        let (name, ty) = (member.name.as_deref().unwrap_or("(unnamed)"), self.type_name(member.ty));
        let bits = member.bits.map(|(_, size)| format!(" : {size}")).unwrap_or_default();
        match language {
            Language::C | Language::Cpp => {
                let (ty, count) = ty.split_at(ty.find('[').unwrap_or(ty.len()));
                let space = if ty.ends_with('*') { "" } else { " " };
                format!("{ty}{space}{name}{count}{bits};")
            }
            Language::Rust | Language::AssemblyScript => format!("{name}: {ty},"),
        }
    }
}
