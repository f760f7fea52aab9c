//! Functions, scopes, variables and types of DWARF.
//!
//! The entries of a unit are a tree, which is walked once from its beginning to its end; what an
//! entry means depends on those around it. References between entries are resolved afterwards, as
//! they can lead forward.

use std::collections::HashMap;
use std::sync::Arc;

use gimli::{DW_AT_name, DW_AT_type, DwAt, DwTag};

use super::attributes::{Attributes, Budget, Entry};
use super::{Dwarf, lines};
use crate::info::types::TypeId;
use crate::info::{Declaration, Home, Info, Language, Scope, ScopeId, ScopeKind, Unit};
use crate::location::{FileId, Location};
use crate::warnings::Warnings;

/// Reads everything. `files` are those of the line tables, by path.
pub(crate) fn read(
    dwarf: &Dwarf<'_>,
    code_start: u32,
    files: &HashMap<&str, FileId>,
) -> (Info, Warnings) {
    let mut warnings = Warnings::default();
    let mut reading = Reading::default();
    let mut budget = Budget::new();
    let mut units = dwarf.units();
    // What is wrong with the headers was said when the line tables were read.
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let attributes = Attributes { dwarf, unit: &unit, code_start, budget: &mut budget };
        if let Err(error) = reading.unit(attributes, files) {
            warnings.add(format_args!("debug information is damaged: {error}"));
        }
    }
    if budget.is_spent() {
        warnings.add("the debug information is larger than can be used");
    }
    (reading.finish(), warnings)
}

#[derive(Default)]
struct Reading {
    info: Info,
    /// What can be referred to from elsewhere, by its offset.
    known: HashMap<usize, Known>,
    /// Scopes and variables whose names are elsewhere, with where that is.
    scope_origins: Vec<(ScopeId, usize)>,
    variable_origins: Vec<(Option<ScopeId>, usize, usize)>,
}

/// A function, variable or parameter that others may be copies of.
struct Known {
    name: Option<Arc<str>>,
    ty: Option<TypeId>,
    origin: Option<usize>,
}

/// What an entry is in.
#[derive(Clone)]
pub(super) struct Context {
    depth: isize,
    /// The names around it, as a path.
    path: Arc<str>,
    pub inside: Inside,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Inside {
    /// Nothing in particular: a unit, a namespace.
    Outside,
    Scope(ScopeId),
    /// A function without code, of which others are copies.
    Abstract,
    Type(TypeId),
    /// Between the variants of a type.
    Variants(TypeId),
}

impl Reading {
    fn unit(
        &mut self,
        mut attributes: Attributes<'_, '_>,
        files: &HashMap<&str, FileId>,
    ) -> gimli::Result<()> {
        let unit = attributes.unit;
        let number = self.info.units.len() as u32;
        self.info.units.push(Unit {
            language: Language::C,
            encoding: unit.encoding(),
            address_base: unit.addr_base,
        });
        let mut entries = unit.entries_raw(None)?;
        let mut entry = Entry::null();
        let mut stack: Vec<Context> = Vec::new();
        while !entries.is_empty() {
            if !entries.read_entry(&mut entry)? {
                continue;
            }
            while stack.last().is_some_and(|around| around.depth >= entry.depth()) {
                stack.pop();
            }
            if entry.tag() == gimli::DW_TAG_compile_unit {
                self.info.units[number as usize].language = language(&entry);
            }
            let outermost = Context { depth: 0, path: Arc::default(), inside: Inside::Outside };
            let around = stack.last().unwrap_or(&outermost);
            let (path, inside) = self.entry(&mut attributes, &entry, around, number, files);
            if entry.has_children() {
                stack.push(Context { depth: entry.depth(), path, inside });
            }
        }
        Ok(())
    }

    /// Takes an entry in, and says what its children are in.
    fn entry<'a>(
        &mut self,
        attributes: &mut Attributes<'a, '_>,
        entry: &Entry<'a>,
        around: &Context,
        unit: u32,
        files: &HashMap<&str, FileId>,
    ) -> (Arc<str>, Inside) {
        let same = (around.path.clone(), around.inside);
        let Some(offset) = attributes.global(entry.offset().0) else { return same };
        match entry.tag() {
            gimli::DW_TAG_namespace => match attributes.string(entry, DW_AT_name) {
                Some(name) => (join(&around.path, &name, attributes.budget), Inside::Outside),
                None => same,
            },
            gimli::DW_TAG_subprogram => {
                let name = attributes.string(entry, DW_AT_name);
                let name = name.map(|name| join(&around.path, &name, attributes.budget));
                let origin = self.know(attributes, entry, offset, name.clone());
                let ranges = attributes.ranges(entry);
                let path = name.clone().unwrap_or_default();
                if ranges.is_empty() {
                    return (path, Inside::Abstract);
                }
                let frame_base = attributes.place(entry, gimli::DW_AT_frame_base);
                let kind = ScopeKind::Function { name, frame_base };
                let scope = Scope::new(None, unit, kind, ranges);
                (path, Inside::Scope(self.scope(scope, origin)))
            }
            gimli::DW_TAG_inlined_subroutine => {
                let Inside::Scope(parent) = around.inside else { return same };
                let call = call_site(attributes, entry, files);
                let kind = ScopeKind::Inlined { name: None, call };
                let scope = Scope::new(Some(parent), unit, kind, attributes.ranges(entry));
                let origin = attributes.reference(entry, gimli::DW_AT_abstract_origin);
                (same.0, Inside::Scope(self.scope(scope, origin)))
            }
            gimli::DW_TAG_lexical_block => {
                let Inside::Scope(parent) = around.inside else { return same };
                let ranges = attributes.ranges(entry);
                if ranges.is_empty() {
                    return same;
                }
                let scope = Scope::new(Some(parent), unit, ScopeKind::Block, ranges);
                (same.0, Inside::Scope(self.scope(scope, None)))
            }
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                self.variable(attributes, entry, offset, around.inside, unit);
                same
            }
            tag => {
                let inside = self.info.type_entry(attributes, entry, around.inside, unit);
                match inside {
                    // Methods are declared in their types.
                    Some(inside) if is_named_type(tag) => {
                        let name = attributes.string(entry, DW_AT_name).unwrap_or_default();
                        (join(&around.path, &name, attributes.budget), inside)
                    }
                    Some(inside) => (same.0, inside),
                    None => same,
                }
            }
        }
    }

    fn variable<'a>(
        &mut self,
        attributes: &mut Attributes<'a, '_>,
        entry: &Entry<'a>,
        offset: usize,
        inside: Inside,
        unit: u32,
    ) {
        let name = attributes.string(entry, DW_AT_name);
        let origin = self.know(attributes, entry, offset, name.clone());
        let place = match attributes.constant(entry) {
            Some(constant) => constant,
            None => attributes.place(entry, gimli::DW_AT_location),
        };
        let declaration = Declaration {
            name: name.unwrap_or_default(),
            ty: attributes.reference(entry, DW_AT_type).map(TypeId),
            unit,
            place,
            parameter: entry.tag() == gimli::DW_TAG_formal_parameter,
        };
        let (scope, list) = match inside {
            Inside::Scope(scope) => (Some(scope), &mut self.info.scopes[scope as usize].variables),
            // Only what is somewhere is more than a declaration.
            Inside::Outside if !matches!(declaration.place, Home::Nowhere) => {
                (None, &mut self.info.globals)
            }
            _ => return,
        };
        if let Some(origin) = origin {
            self.variable_origins.push((scope, list.len(), origin));
        }
        list.push(declaration);
    }

    /// Remembers an entry that others can refer to; returns the one that it refers to itself.
    fn know<'a>(
        &mut self,
        attributes: &Attributes<'a, '_>,
        entry: &Entry<'a>,
        offset: usize,
        name: Option<Arc<str>>,
    ) -> Option<usize> {
        let reference = |name: DwAt| attributes.reference(entry, name);
        let origin = reference(gimli::DW_AT_abstract_origin)
            .or_else(|| reference(gimli::DW_AT_specification));
        let ty = reference(DW_AT_type).map(TypeId);
        self.known.insert(offset, Known { name, ty, origin });
        origin
    }

    fn scope(&mut self, scope: Scope, origin: Option<usize>) -> ScopeId {
        let id = self.info.scopes.len() as ScopeId;
        if let Some(parent) = scope.parent {
            self.info.scopes[parent as usize].children.push(id);
        }
        if let Some(origin) = origin {
            self.scope_origins.push((id, origin));
        }
        self.info.scopes.push(scope);
        id
    }

    /// Resolves what was left open.
    fn finish(mut self) -> Info {
        for (scope, origin) in &self.scope_origins {
            let (found, _) = self.resolve(*origin);
            match &mut self.info.scopes[*scope as usize].kind {
                ScopeKind::Function { name, .. } | ScopeKind::Inlined { name, .. } => {
                    *name = name.take().or(found);
                }
                ScopeKind::Block => {}
            }
        }
        for (scope, index, origin) in &self.variable_origins {
            let (name, ty) = self.resolve(*origin);
            let list = match scope {
                Some(scope) => &mut self.info.scopes[*scope as usize].variables,
                None => &mut self.info.globals,
            };
            let variable = &mut list[*index];
            if variable.name.is_empty() {
                variable.name = name.unwrap_or_default();
            }
            variable.ty = variable.ty.or(ty);
        }
        for (scope, id) in self.info.scopes.iter().zip(0..) {
            if scope.parent.is_none() {
                let ranges = scope.ranges.iter().map(|range| (range.clone(), id));
                self.info.functions.extend(ranges);
            }
        }
        self.info.functions.sort_by_key(|(range, _)| range.start);
        self.info
    }

    /// The name and type of something that others refer to.
    fn resolve(&self, origin: usize) -> (Option<Arc<str>>, Option<TypeId>) {
        // A copy of a copy of a declaration; longer chains are circles.
        const STEPS: usize = 4;
        let (mut name, mut ty, mut next) = (None, None, Some(origin));
        for _ in 0..STEPS {
            let Some(known) = next.and_then(|offset| self.known.get(&offset)) else { break };
            name = name.or_else(|| known.name.clone());
            ty = ty.or(known.ty);
            next = known.origin;
        }
        (name, ty)
    }
}

fn join(path: &Arc<str>, name: &Arc<str>, budget: &mut Budget) -> Arc<str> {
    if path.is_empty() || budget.take(path.len() + name.len()).is_none() {
        return name.clone();
    }
    format!("{path}::{name}").into()
}

fn is_named_type(tag: DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type
    )
}

fn language(entry: &Entry<'_>) -> Language {
    let Some(gimli::AttributeValue::Language(language)) = entry.attr_value(gimli::DW_AT_language)
    else {
        return Language::C;
    };
    match language {
        gimli::DW_LANG_Rust => Language::Rust,
        gimli::DW_LANG_C_plus_plus
        | gimli::DW_LANG_C_plus_plus_03
        | gimli::DW_LANG_C_plus_plus_11
        | gimli::DW_LANG_C_plus_plus_14
        | gimli::DW_LANG_C_plus_plus_17
        | gimli::DW_LANG_C_plus_plus_20 => Language::Cpp,
        _ => Language::C,
    }
}

/// Where an inlined function was called.
fn call_site<'a>(
    attributes: &Attributes<'a, '_>,
    entry: &Entry<'a>,
    files: &HashMap<&str, FileId>,
) -> Option<Location> {
    let header = attributes.unit.line_program.as_ref()?.header();
    let index = match entry.attr_value(gimli::DW_AT_call_file)? {
        gimli::AttributeValue::FileIndex(index) => index,
        value => value.udata_value()?,
    };
    let number = |name| u32::try_from(attributes.number(entry, name)?).ok();
    let paths = lines::paths(attributes.dwarf, attributes.unit, header, header.file(index)?)?;
    Some(Location {
        file: *files.get(paths.full.as_str())?,
        line: number(gimli::DW_AT_call_line).filter(|line| *line > 0)?,
        column: number(gimli::DW_AT_call_column).filter(|column| *column > 0).unwrap_or(1),
    })
}

impl Scope {
    fn new(
        parent: Option<ScopeId>,
        unit: u32,
        kind: ScopeKind,
        ranges: Vec<std::ops::Range<u32>>,
    ) -> Scope {
        Scope { parent, unit, kind, ranges, children: Vec::new(), variables: Vec::new() }
    }
}
