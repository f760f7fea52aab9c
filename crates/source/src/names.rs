//! Functions and variables of a module without DWARF: what the name section calls them, with
//! WebAssembly's own types; for AssemblyScript, with those that its source declares.

use std::collections::HashMap;
use std::sync::Arc;

use mw_vm::{Module, ValType};

use crate::assemblyscript;
use crate::binary::Binary;
use crate::file::SourceFile;
use crate::info::types::{Encoding, Kind, Type, TypeId};
use crate::info::{Declaration, Home, Info, Language, Scope, ScopeKind, Unit};
use crate::line_table::LineTable;
use crate::local_names::LocalNames;

/// What is known of a module by its names.
pub(crate) fn read(
    module: &Module,
    binary: &Binary<'_>,
    table: &LineTable,
    files: &[SourceFile],
) -> Info {
    let scripts = files.iter().any(|file| file.path().ends_with(".ts"));
    let language = if scripts { Language::AssemblyScript } else { Language::C };
    let mut info = Info {
        units: vec![Unit {
            language,
            // Nothing here is written in DWARF.
            encoding: gimli::Encoding {
                format: gimli::Format::Dwarf32,
                version: 5,
                address_size: 4,
            },
            address_base: gimli::DebugAddrBase(0),
        }],
        ..Info::default()
    };
    let names = LocalNames::of(binary);
    for func in 0..module.funcs().len() as u32 {
        let Some(body) = binary.bodies.of(func) else { continue };
        let name: Arc<str> = module.func_name(func).into();
        let declared = match language {
            Language::AssemblyScript => {
                assemblyscript::declared(&name, &table.lines_in(body.clone()), files)
            }
            _ => HashMap::new(),
        };
        let mut variables = Vec::new();
        for (ty, index) in module.local_types(func).into_iter().zip(0..) {
            let name = match names.name(func, index) {
                Some(name) => plain_name(name),
                None if language == Language::AssemblyScript => continue,
                None => format!("local{index}"),
            };
            // What the compiler needs for itself has a number for a name.
            if name.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let ty = info.declared_or(declared.get(&name).map(String::as_str), ty);
            let place = Home::Local(index);
            let parameter = index < u32::from(module.func_code(func).params);
            variables.push(Declaration { name: name.into(), ty, unit: 0, place, parameter });
        }
        let scope = info.scopes.len() as u32;
        info.functions.push((body.clone(), scope));
        info.scopes.push(Scope {
            parent: None,
            unit: 0,
            kind: ScopeKind::Function { name: Some(name), frame_base: Home::Nowhere },
            ranges: vec![body],
            children: Vec::new(),
            variables,
        });
    }
    for (global, index) in module.globals().iter().zip(0..) {
        let Some(name) = &global.name else { continue };
        let short = name.rsplit('/').next().unwrap_or_default();
        let declared = assemblyscript::declared_anywhere(short, files);
        let ty = info.declared_or(declared.as_deref(), global.ty);
        let place = Home::Global { index, mutable: global.mutable };
        let parameter = false;
        info.globals.push(Declaration { name: short.into(), ty, unit: 0, place, parameter });
    }
    info
}

impl Info {
    /// The type that a source declares if its values fit into one of the machine, else that.
    fn declared_or(&mut self, declared: Option<&str>, machine: ValType) -> Option<TypeId> {
        let by_machine = match machine {
            ValType::I32 => "i32",
            ValType::I64 => "i64",
            ValType::F32 => "f32",
            ValType::F64 => "f64",
            ValType::FuncRef | ValType::ExternRef => return None,
        };
        let name = declared.filter(|name| assemblyscript::machine_type(name) == by_machine);
        self.named_type(name.unwrap_or(by_machine), 4).or_else(|| self.named_type(by_machine, 1))
    }

    /// A type of AssemblyScript by its name.
    fn named_type(&mut self, name: &str, depth: usize) -> Option<TypeId> {
        let same = |ty: &Type| ty.name.as_deref() == Some(name);
        if let Some((known, _)) = self.types.iter().find(|(_, ty)| same(ty)) {
            return Some(*known);
        }
        let depth = depth.checked_sub(1)?;
        let (kind, size) = match name {
            "i8" => (Kind::Base(Encoding::Signed), 1),
            "i16" => (Kind::Base(Encoding::Signed), 2),
            "i32" | "isize" => (Kind::Base(Encoding::Signed), 4),
            "i64" => (Kind::Base(Encoding::Signed), 8),
            "u8" => (Kind::Base(Encoding::Unsigned), 1),
            "u16" => (Kind::Base(Encoding::Unsigned), 2),
            "u32" | "usize" => (Kind::Base(Encoding::Unsigned), 4),
            "u64" => (Kind::Base(Encoding::Unsigned), 8),
            "f32" => (Kind::Base(Encoding::Float), 4),
            "f64" | "number" => (Kind::Base(Encoding::Float), 8),
            "bool" | "boolean" => (Kind::Base(Encoding::Boolean), 1),
            "string" | "String" => (Kind::String, 4),
            _ => {
                let (element, layout) = assemblyscript::sequence(name)?;
                let element = self.named_type(element, depth)?;
                (Kind::Sequence(crate::info::types::Sequence { element, layout }), 4)
            }
        };
        let id = TypeId(self.types.len());
        self.types.insert(id, Type { name: Some(name.into()), size: Some(size), kind, unit: 0 });
        Some(id)
    }
}

/// A name without what the compiler adds to tell variables of the same name apart.
fn plain_name(name: &str) -> String {
    name.split('|').next().unwrap_or_default().to_owned()
}
