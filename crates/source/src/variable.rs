//! Variables with their values.

use mw_vm::{Cell, Load};

use crate::dwarf::Evaluator;
use crate::elements::Text;
use crate::frame::Frame;
use crate::info::types::{Encoding, Kind, Record};
use crate::info::{Declaration, Home, Info, Language, ScopeKind, Unit};
use crate::show::{MISSING, Shower};
use crate::sources::Sources;
use crate::storage::{Nothing, Storage};
use crate::value::{Data, Reader, Value};

/// How many elements of a value are listed.
const MOST_CHILDREN: u64 = 1000;

/// A variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name: of a variable or member, or `[3]`, or `*` for what a pointer leads to.
    pub name: String,
    /// Its type.
    pub type_name: String,
    /// Its value on one line.
    pub value: String,
    /// Where it is, if that is in memory.
    pub address: Option<u64>,
    /// What it leads to in memory, if it is a pointer or has elements.
    pub content: Option<Content>,
    /// Whether it has parts, to be had from [`Sources::children`].
    pub has_children: bool,
    /// Whether it is the same as long as the program runs.
    pub constant: bool,
    pub(crate) data: Option<Value>,
    pub(crate) language: Language,
}

/// A stretch of memory that a variable leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    /// Its first address.
    pub address: u64,
    /// How many bytes it has; of what a pointer leads to, nobody knows.
    pub size: Option<u64>,
}

impl Sources {
    /// The variables of a frame of [`Sources::frames`]: those of inner scopes first, and only
    /// those that no other of the same name hides.
    pub fn variables(&self, frame: &Frame, storage: &dyn Storage) -> Vec<Variable> {
        let info = self.info();
        let mut found: Vec<Variable> = Vec::new();
        for scope in &frame.scopes {
            for declaration in &info.scope(*scope).variables {
                let name = &*declaration.name;
                if !name.is_empty() && found.iter().all(|known| known.name != name) {
                    found.push(self.variable(declaration, frame.offset, storage));
                }
            }
        }
        found
    }

    /// The variables outside of functions.
    pub fn globals(&self, storage: &dyn Storage) -> Vec<Variable> {
        let globals = self.info().globals.iter().filter(|global| !global.name.is_empty());
        globals.map(|global| self.variable(global, 0, storage)).collect()
    }

    /// The parts of a variable: members, elements, or what a pointer leads to.
    pub fn children(&self, variable: &Variable, storage: &dyn Storage) -> Vec<Variable> {
        let reader = Reader { info: self.info(), storage };
        let Some(value) = &variable.data else { return Vec::new() };
        let children = reader.children(value, MOST_CHILDREN);
        let shown = |(name, value)| reader.variable(name, Some(value), variable.language);
        children.into_iter().map(shown).collect()
    }

    /// How many bytes a variable has.
    pub fn size(&self, variable: &Variable) -> Option<u64> {
        let info = self.info();
        let storage = &Nothing;
        Reader { info, storage }.size(variable.data.as_ref()?.ty)
    }

    /// The cell that all of a variable is in. Memory is read as the number that it is, if it is
    /// one.
    pub fn cell(&self, variable: &Variable) -> Option<Cell> {
        let value = variable.data.as_ref()?;
        if let Data::Slot(cell, _) = value.data {
            return Some(cell);
        }
        let address = u32::try_from(value.address()?).ok()?;
        let size = u32::try_from(self.size(variable)?).ok()?;
        let reader = Reader { info: self.info(), storage: &Nothing };
        let kind = reader.resolve(value.ty).map(|(_, ty)| &ty.kind);
        let load = match (kind.filter(|_| value.bits.is_none()), size) {
            (Some(Kind::Base(Encoding::Float)), 4) => Load::F32,
            (Some(Kind::Base(Encoding::Float)), 8) => Load::F64,
            (Some(Kind::Base(Encoding::Signed | Encoding::Character)), 1) => Load::I8,
            (Some(Kind::Base(Encoding::Signed | Encoding::Character)), 2) => Load::I16,
            (Some(Kind::Base(_) | Kind::Enumeration(_) | Kind::Pointer(_)), _) => {
                let bytes = Load::Bytes(size);
                bytes.number().unwrap_or(bytes)
            }
            _ => Load::Bytes(size),
        };
        Some(Cell::Memory { address, load })
    }

    fn variable(&self, declaration: &Declaration, offset: u32, storage: &dyn Storage) -> Variable {
        let reader = Reader { info: self.info(), storage };
        let data = self.data(declaration, offset, storage);
        let language = reader.info.language(declaration.unit);
        let name = declaration.name.to_string();
        let mut variable =
            reader.variable(name, data.map(|data| Value::new(declaration.ty, data)), language);
        variable.type_name = reader.type_name(declaration.ty);
        variable.constant =
            matches!(declaration.place, Home::Constant(_) | Home::Global { mutable: false, .. });
        variable
    }

    /// Where the value of a variable is.
    pub(crate) fn data(
        &self,
        declaration: &Declaration,
        offset: u32,
        storage: &dyn Storage,
    ) -> Option<Data> {
        let info = self.info();
        let unit = *info.units.get(declaration.unit as usize)?;
        let evaluate = |expression: &[u8]| {
            self.evaluator(unit, storage, self.frame_base(info, unit, offset, storage))
                .data(expression)
        };
        let slot = |cell| Some(Data::Slot(cell, storage.cell(cell)?.to_slot()));
        match &declaration.place {
            Home::Nowhere => None,
            Home::Constant(bytes) => Some(Data::Bytes(bytes.iter().copied().map(Some).collect())),
            Home::Local(local) => slot(Cell::Local { depth: storage.depth(), local: *local }),
            Home::Global { index, .. } => slot(Cell::Global(*index)),
            Home::Expression(expression) => evaluate(expression),
            Home::List(_) => evaluate(declaration.place.at(offset)?),
        }
    }

    fn frame_base(
        &self,
        info: &Info,
        unit: Unit,
        offset: u32,
        storage: &dyn Storage,
    ) -> Option<u64> {
        let function = *info.scopes_at(offset).last()?;
        let ScopeKind::Function { frame_base, .. } = &info.scope(function).kind else {
            return None;
        };
        self.evaluator(unit, storage, None).number(frame_base.at(offset)?)
    }

    fn evaluator<'a>(
        &'a self,
        unit: Unit,
        storage: &'a dyn Storage,
        frame_base: Option<u64>,
    ) -> Evaluator<'a> {
        Evaluator { dwarf: self.dwarf(), unit, storage, frame_base }
    }
}

impl Home {
    /// The expression that holds at a byte offset.
    fn at(&self, offset: u32) -> Option<&[u8]> {
        match self {
            Home::Expression(expression) => Some(expression),
            Home::List(list) => {
                let found = list.iter().find(|(range, _)| range.contains(&offset));
                found.map(|(_, expression)| &**expression)
            }
            _ => None,
        }
    }
}

impl Reader<'_> {
    /// A value with all that is shown of it.
    pub(crate) fn variable(
        &self,
        name: String,
        value: Option<Value>,
        language: Language,
    ) -> Variable {
        let shown = value.as_ref().map(|value| Shower::new(*self, language).show(value));
        Variable {
            name,
            type_name: value.as_ref().map(|value| self.value_type(value)).unwrap_or_default(),
            value: shown.unwrap_or_else(|| MISSING.to_owned()),
            address: value.as_ref().and_then(Value::address),
            content: value.as_ref().and_then(|value| self.content(value)),
            has_children: value.as_ref().is_some_and(|value| !self.children(value, 1).is_empty()),
            constant: false,
            data: value,
            language,
        }
    }

    /// Where the elements of a value are, or what it points to.
    fn content(&self, value: &Value) -> Option<Content> {
        if let Some(elements) = self.elements(value) {
            return elements.content();
        }
        let is_pointer = |kind: &Kind| matches!(kind, Kind::Pointer(_) | Kind::Reference(_));
        self.resolve(value.ty).filter(|(_, ty)| is_pointer(&ty.kind))?;
        let target = self.target(value)?;
        let content = self.elements(&target).and_then(|elements| elements.content());
        let alone = target.address().map(|address| Content { address, size: None });
        content.or(alone).filter(|content| content.address > 0)
    }

    /// The type of a value; of an array from which has been chosen, what is left of it.
    pub(crate) fn value_type(&self, value: &Value) -> String {
        let mut name = self.type_name(value.ty);
        for _ in 0..value.dimension {
            let (Some(start), Some(end)) = (name.find('['), name.find(']')) else { break };
            name.replace_range(start..=end, "");
        }
        name
    }

    /// The named parts of a value; of elements, only so many.
    pub(crate) fn children(&self, value: &Value, most: u64) -> Vec<(String, Value)> {
        let Some((_, ty)) = self.resolve(value.ty) else { return Vec::new() };
        match &ty.kind {
            Kind::Pointer(_) | Kind::Reference(_) => {
                let Some(target) = self.target(value).filter(|t| t.address() != Some(0)) else {
                    return Vec::new();
                };
                match self.resolve(target.ty).map(|(_, ty)| &ty.kind) {
                    None | Some(Kind::Function | Kind::Unknown) => Vec::new(),
                    Some(Kind::Record(record)) => self.members(&target, record, most),
                    _ => vec![("*".to_owned(), target)],
                }
            }
            Kind::Record(record) => self.members(value, record, most),
            _ => self.listed(value, most).unwrap_or_default(),
        }
    }

    fn listed(&self, value: &Value, most: u64) -> Option<Vec<(String, Value)>> {
        let elements = self.elements(value)?;
        if elements.text.is_some_and(|text| text != Text::C) {
            return Some(Vec::new());
        }
        let element = |index| Some((format!("[{index}]"), elements.get(index)?));
        Some((0..elements.count.min(most)).map_while(element).collect())
    }

    fn members(&self, value: &Value, record: &Record, most: u64) -> Vec<(String, Value)> {
        if let Some(listed) = self.listed(value, most) {
            return listed;
        }
        if let Some(variants) = &record.variants {
            let Some(variant) = self.variant(value, variants) else { return Vec::new() };
            return match self.resolve(variant.ty).map(|(_, ty)| &ty.kind) {
                // An enum within an enum is a circle.
                Some(Kind::Record(inner)) if inner.variants.is_none() => {
                    self.members(&variant, inner, most)
                }
                _ => Vec::new(),
            };
        }
        let name = |name: &str| name.strip_prefix("__").unwrap_or(name).to_owned();
        let member = |member: &crate::info::types::Member| {
            let name = member.name.as_deref().map_or("(unnamed)".to_owned(), name);
            (name, value.member(member))
        };
        record.members.iter().map(member).collect()
    }
}
