//! Gathering what is in a module.
//!
//! Straight from the binary and with every proposal allowed, so that a module which the machine
//! refuses is surveyed as well, and a damaged one as far as it can be read.

use std::collections::BTreeMap;

use mw_api::Description;
use serde::Serialize;
use wasmparser::{
    BinaryReaderError, CompositeInnerType, CustomSectionReader, ExternalKind, FuncType, GlobalType,
    KnownCustom, MemoryType, Name, Parser, Payload, TableType, TypeRef, ValType,
};

use super::summaries::{self, Known};
use super::{features, kinds};
use crate::program::Program;

/// What is in a module. The keys of the JSON form are documented in `mw inspect --help`.
#[derive(Default, Serialize)]
pub struct Survey {
    pub file: String,
    pub text: bool,
    pub bytes: usize,
    pub runnable: bool,
    pub refusal: Option<String>,
    pub fingerprint: Option<String>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub functions: Vec<Function>,
    pub memories: Vec<Item>,
    pub tables: Vec<Item>,
    pub globals: Vec<Item>,
    pub tags: Vec<Item>,
    pub segments: Segments,
    pub start: Option<Start>,
    pub features: Option<Vec<String>>,
    pub debug: Debug,
    pub custom_sections: Vec<CustomSection>,
}

#[derive(Serialize)]
pub struct Import {
    pub module: String,
    pub name: String,
    pub item: &'static str,
    #[serde(rename = "type")]
    pub ty: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Serialize)]
pub struct Export {
    pub name: String,
    pub item: &'static str,
    pub index: u32,
    #[serde(rename = "type")]
    pub ty: String,
}

#[derive(Serialize)]
pub struct Function {
    pub index: u32,
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub ty: String,
    pub bytes: usize,
    pub instructions: Option<u32>,
    /// What is known of it, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Known>,
}

#[derive(Serialize)]
pub struct Item {
    pub index: u32,
    #[serde(rename = "type")]
    pub ty: String,
    pub imported: bool,
}

#[derive(Default, Serialize)]
pub struct Segments {
    pub data: u32,
    pub data_bytes: usize,
    pub elements: u32,
}

#[derive(Serialize)]
pub struct Start {
    pub index: u32,
    pub name: Option<String>,
}

/// What there is for a debugger.
#[derive(Default, Serialize)]
pub struct Debug {
    /// How many functions the `name` section names; `None` if there is no such section.
    pub names: Option<usize>,
    /// The DWARF sections.
    pub dwarf: Vec<CustomSection>,
    /// Where the source map is.
    pub source_map: Option<String>,
    /// Where debug information in another file is.
    pub external: Option<String>,
    /// Languages and tools that made the module.
    pub producers: BTreeMap<String, Vec<String>>,
}

#[derive(Serialize)]
pub struct CustomSection {
    pub name: String,
    pub bytes: usize,
}

impl Survey {
    /// Surveys a program, with what is known of each function if asked for; the second value says
    /// why it is not a valid module, if it is not.
    pub fn of(
        program: &Program,
        world: &Description,
        with_summaries: bool,
    ) -> (Survey, Option<String>) {
        let mut surveyor = Surveyor::new(world);
        let read = surveyor.read(&program.binary);
        let mut survey = surveyor.finish();
        survey.file = program.path.display().to_string();
        survey.text = program.is_text;
        survey.bytes = program.binary.len();
        let broken = match features::needed(&program.binary) {
            Ok(features) => {
                survey.features = Some(features);
                None
            }
            Err(problem) => Some(problem),
        };
        match program.module() {
            Ok(module) => {
                survey.runnable = true;
                survey.fingerprint = Some(format!("{:032x}", module.fingerprint()));
                for function in &mut survey.functions {
                    function.instructions = Some(module.func_code(function.index).len);
                }
                if with_summaries {
                    summaries::add(&mut survey, &module);
                }
            }
            Err(error) => survey.refusal = Some(error.to_string()),
        }
        (survey, broken.or(read.err().map(|error| error.to_string())))
    }
}

struct Surveyor<'w> {
    world: &'w Description,
    survey: Survey,
    /// The function types; other types have none.
    types: Vec<Option<FuncType>>,
    /// The type of every function, as an index into `types`.
    funcs: Vec<u32>,
    names: BTreeMap<u32, String>,
    /// The next function of the code section.
    next_body: u32,
    start: Option<u32>,
}

impl<'w> Surveyor<'w> {
    fn new(world: &'w Description) -> Self {
        Surveyor {
            world,
            survey: Survey::default(),
            types: Vec::new(),
            funcs: Vec::new(),
            names: BTreeMap::new(),
            next_body: 0,
            start: None,
        }
    }

    fn read(&mut self, binary: &[u8]) -> Result<(), BinaryReaderError> {
        for payload in Parser::new(0).parse_all(binary) {
            self.payload(payload?)?;
        }
        Ok(())
    }

    fn payload(&mut self, payload: Payload<'_>) -> Result<(), BinaryReaderError> {
        match payload {
            Payload::TypeSection(section) => {
                for group in section {
                    for ty in group?.into_types() {
                        self.types.push(match ty.composite_type.inner {
                            CompositeInnerType::Func(ty) => Some(ty),
                            _ => None,
                        });
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    self.import(import.module, import.name, import.ty);
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.funcs.push(ty?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    add(&mut self.survey.tables, table_type(&table?.ty), false);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    add(&mut self.survey.memories, memory_type(&memory?), false);
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    add(&mut self.survey.globals, global_type(&global?.ty), false);
                }
            }
            Payload::TagSection(section) => {
                for tag in section {
                    let ty = self.func_type(tag?.func_type_idx);
                    add(&mut self.survey.tags, ty, false);
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    self.export(export.name, export.kind, export.index);
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::CodeSectionEntry(body) => {
                let (index, bytes) = (self.next_body, body.as_bytes().len());
                self.next_body += 1;
                let ty = self.type_of(index);
                self.survey.functions.push(Function {
                    index,
                    name: None,
                    ty,
                    bytes,
                    instructions: None,
                    summary: None,
                });
            }
            Payload::ElementSection(section) => self.survey.segments.elements = section.count(),
            Payload::DataSection(section) => {
                self.survey.segments.data = section.count();
                for data in section {
                    self.survey.segments.data_bytes += data?.data.len();
                }
            }
            Payload::CustomSection(section) => self.custom(&section),
            _ => {}
        }
        Ok(())
    }

    fn import(&mut self, module: &str, name: &str, ty: TypeRef) {
        let survey = &mut self.survey;
        let (item, ty, list) = match ty {
            TypeRef::Func(index) | TypeRef::FuncExact(index) => {
                self.funcs.push(index);
                self.next_body += 1;
                ("function", self.func_type(index), None)
            }
            TypeRef::Table(ty) => ("table", table_type(&ty), Some(&mut survey.tables)),
            TypeRef::Memory(ty) => ("memory", memory_type(&ty), Some(&mut survey.memories)),
            TypeRef::Global(ty) => ("global", global_type(&ty), Some(&mut survey.globals)),
            TypeRef::Tag(ty) => {
                let ty = self.func_type(ty.func_type_idx);
                ("tag", ty, Some(&mut self.survey.tags))
            }
        };
        let (kind, detail) = match list {
            Some(list) => {
                add(list, ty.clone(), true);
                (None, None)
            }
            None => {
                let (kind, detail) = kinds::kind(self.world, module, name, &ty);
                (Some(kind), Some(detail))
            }
        };
        let (module, name) = (module.to_owned(), name.to_owned());
        self.survey.imports.push(Import { module, name, item, ty, kind, detail });
    }

    fn export(&mut self, name: &str, kind: ExternalKind, index: u32) {
        let survey = &self.survey;
        let of = |items: &[Item]| items.get(index as usize).map(|item| item.ty.clone());
        let (item, ty) = match kind {
            ExternalKind::Func | ExternalKind::FuncExact => {
                self.names.entry(index).or_insert_with(|| name.to_owned());
                ("function", Some(self.type_of(index)))
            }
            ExternalKind::Table => ("table", of(&survey.tables)),
            ExternalKind::Memory => ("memory", of(&survey.memories)),
            ExternalKind::Global => ("global", of(&survey.globals)),
            ExternalKind::Tag => ("tag", of(&survey.tags)),
        };
        let (name, ty) = (name.to_owned(), ty.unwrap_or_default());
        self.survey.exports.push(Export { name, item, index, ty });
    }

    fn custom(&mut self, section: &CustomSectionReader<'_>) {
        let (name, bytes) = (section.name(), section.data().len());
        let found = || CustomSection { name: name.to_owned(), bytes };
        let debug = &mut self.survey.debug;
        match section.as_known() {
            KnownCustom::Name(names) => {
                let mut count = 0;
                for name in names.into_iter().map_while(Result::ok) {
                    let Name::Function(names) = name else { continue };
                    for naming in names.into_iter().map_while(Result::ok) {
                        self.names.insert(naming.index, mw_vm::readable_name(naming.name));
                        count += 1;
                    }
                }
                debug.names = Some(count);
            }
            KnownCustom::Producers(fields) => {
                for field in fields.into_iter().map_while(Result::ok) {
                    let values = field.values.into_iter().map_while(Result::ok);
                    let values = values.map(|v| format!("{} {}", v.name, v.version));
                    let values = values.map(|value| value.trim_end().to_owned()).collect();
                    debug.producers.insert(field.name.to_owned(), values);
                }
            }
            _ if name.starts_with(".debug_") => debug.dwarf.push(found()),
            _ if name == "sourceMappingURL" => debug.source_map = Some(address(section.data())),
            _ if name == "external_debug_info" => debug.external = Some(address(section.data())),
            _ => {}
        }
        self.survey.custom_sections.push(found());
    }

    fn func_type(&self, index: u32) -> String {
        match self.types.get(index as usize) {
            Some(Some(ty)) => {
                let list = |types: &[ValType]| {
                    types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
                };
                format!("({}) -> ({})", list(ty.params()), list(ty.results()))
            }
            _ => "?".into(),
        }
    }

    fn type_of(&self, func: u32) -> String {
        self.funcs.get(func as usize).map_or("?".into(), |ty| self.func_type(*ty))
    }

    fn finish(mut self) -> Survey {
        for function in &mut self.survey.functions {
            function.name = self.names.get(&function.index).cloned();
        }
        let name = |index| self.names.get(&index).cloned();
        self.survey.start = self.start.map(|index| Start { index, name: name(index) });
        self.survey
    }
}

fn add(items: &mut Vec<Item>, ty: String, imported: bool) {
    items.push(Item { index: items.len() as u32, ty, imported });
}

/// A size and the most that it may become.
fn limits(initial: u64, maximum: Option<u64>) -> String {
    match maximum {
        None => format!("{initial} or more"),
        Some(maximum) if maximum == initial => format!("{initial}"),
        Some(maximum) => format!("{initial} to {maximum}"),
    }
}

fn memory_type(ty: &MemoryType) -> String {
    let width = if ty.memory64 { "64-bit, " } else { "" };
    let shared = if ty.shared { ", shared" } else { "" };
    format!("{width}{} pages{shared}", limits(ty.initial, ty.maximum))
}

fn table_type(ty: &TableType) -> String {
    format!("{} of {}", limits(ty.initial, ty.maximum), ValType::Ref(ty.element_type))
}

fn global_type(ty: &GlobalType) -> String {
    format!("{}{}", if ty.mutable { "mut " } else { "" }, ty.content_type)
}

/// The text of a section that holds an address: its length, then its bytes.
fn address(data: &[u8]) -> String {
    match wasmparser::BinaryReader::new(data, 0).read_string() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(data).into_owned(),
    }
}
