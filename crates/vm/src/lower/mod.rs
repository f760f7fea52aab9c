//! From a WebAssembly binary to a [`Module`]: `wasmparser` decodes and validates, this lowers.
//!
//! Everything that could go wrong with a module goes wrong here, as a [`LoadError`]; what comes
//! out is trusted by the machine.

mod error;
mod function;
mod names;

use alloc::{boxed::Box, collections::BTreeMap, string::ToString, vec, vec::Vec};

use wasmparser::{
    DataKind, ElementItems, ElementKind, ExternalKind, FuncValidatorAllocations, KnownCustom, Name,
    Operator, Parser, Payload, TableInit, TypeRef, ValidPayload, Validator, WasmFeatures,
};
use xxhash_rust::xxh3::xxh3_128;

pub use self::error::LoadError;
use self::function::FunctionLowerer;
pub use self::names::readable_name;
use crate::limits::Limits;
use crate::module::{
    Code, ConstExpr, ConstOp, DataSegment, ElemMode, ElemSegment, Extern, Func, GlobalDecl,
    ImportName, MemoryDecl, Module, Parts, Size, TableDecl,
};
use crate::value::{FuncType, ValType};

/// What the machine supports: WebAssembly 2.0 but for SIMD, and three proposals.
pub(crate) const FEATURES: WasmFeatures = WasmFeatures::WASM2
    .difference(WasmFeatures::SIMD)
    .union(WasmFeatures::EXTENDED_CONST)
    .union(WasmFeatures::MULTI_MEMORY)
    .union(WasmFeatures::TAIL_CALL);

impl Module {
    /// Decodes, validates and lowers a WebAssembly binary.
    pub fn from_binary(binary: &[u8], limits: &Limits) -> Result<Module, LoadError> {
        LoadError::check_limit("bytes", binary.len() as u64, limits.module_bytes as u64)?;
        if !binary.starts_with(b"\0asm") {
            return Err(LoadError::NotWasm);
        }
        // A component has a version of its own, and layer one where a module has zero.
        if binary.get(4..8) == Some(&[0x0d, 0, 1, 0]) {
            let feature = "component-model".into();
            return Err(LoadError::Unsupported { feature, offset: 4, function: None });
        }
        let mut lowerer = Lowerer::new(limits);
        lowerer.lower(binary).map_err(|error| match error {
            LoadError::Invalid { .. } => LoadError::explain(binary, error, &lowerer.parts.funcs),
            error => error,
        })?;
        Ok(Module::new(lowerer.parts, xxh3_128(binary)))
    }
}

struct Lowerer<'a> {
    limits: &'a Limits,
    parts: Parts,
    /// The canonical index of each type of the binary.
    types: Vec<u32>,
    interned: BTreeMap<FuncType, u32>,
    /// The next function of the code section.
    next_body: u32,
}

impl<'a> Lowerer<'a> {
    fn new(limits: &'a Limits) -> Self {
        Lowerer {
            limits,
            parts: Parts::default(),
            types: Vec::new(),
            interned: BTreeMap::new(),
            next_body: 0,
        }
    }

    fn lower(&mut self, binary: &[u8]) -> Result<(), LoadError> {
        let mut validator = Validator::new_with_features(FEATURES);
        let mut allocations = FuncValidatorAllocations::default();
        for payload in Parser::new(0).parse_all(binary) {
            let payload = payload?;
            if let ValidPayload::Func(func, body) = validator.payload(&payload)? {
                let validator = func.into_validator(allocations);
                let lowerer = FunctionLowerer::new(self, validator, self.next_body)?;
                allocations = lowerer.lower(&body)?;
                self.next_body += 1;
            }
            self.payload(payload)?;
        }
        self.name_from_exports();
        Ok(())
    }

    fn payload(&mut self, payload: Payload<'_>) -> Result<(), LoadError> {
        match payload {
            Payload::TypeSection(section) => {
                for ty in section.into_iter_err_on_gc_types() {
                    let ty = ty?;
                    let convert =
                        |types: &[wasmparser::ValType]| types.iter().map(val_type).collect();
                    let ty =
                        FuncType { params: convert(ty.params()), results: convert(ty.results()) };
                    let parts = &mut self.parts;
                    let index = *self.interned.entry(ty).or_insert_with_key(|ty| {
                        parts.types.push(ty.clone());
                        parts.types.len() as u32 - 1
                    });
                    self.types.push(index);
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    let name = Some(ImportName {
                        module: import.module.to_string(),
                        field: import.name.to_string(),
                    });
                    match import.ty {
                        TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                            self.parts.funcs.push(Func {
                                ty: self.types[ty as usize],
                                name: Some(import.name.to_string()),
                                import: name,
                                locals: Box::default(),
                            });
                            self.parts.codes.push(Code::default());
                            self.next_body += 1;
                        }
                        TypeRef::Table(ty) => self.add_table(&ty, ConstExpr::default(), name)?,
                        TypeRef::Memory(ty) => self.add_memory(&ty, name)?,
                        TypeRef::Global(ty) => self.parts.globals.push(GlobalDecl {
                            ty: val_type(&ty.content_type),
                            mutable: ty.mutable,
                            init: ConstExpr::default(),
                            name: Some(import.name.to_string()),
                            import: name,
                        }),
                        TypeRef::Tag(_) => {}
                    }
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    let ty = self.types[ty? as usize];
                    self.parts.funcs.push(Func {
                        ty,
                        name: None,
                        import: None,
                        locals: Box::default(),
                    });
                    self.parts.codes.push(Code::default());
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    let table = table?;
                    let init = match table.init {
                        TableInit::RefNull => ConstExpr(Box::new([ConstOp::Slot(0)])),
                        TableInit::Expr(expr) => const_expr(&expr)?,
                    };
                    self.add_table(&table.ty, init, None)?;
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    self.add_memory(&memory?, None)?;
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    let global = global?;
                    self.parts.globals.push(GlobalDecl {
                        ty: val_type(&global.ty.content_type),
                        mutable: global.ty.mutable,
                        init: const_expr(&global.init_expr)?,
                        name: None,
                        import: None,
                    });
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    let item = match export.kind {
                        ExternalKind::Func | ExternalKind::FuncExact => Extern::Func(export.index),
                        ExternalKind::Table => Extern::Table(export.index),
                        ExternalKind::Memory => Extern::Memory(export.index),
                        ExternalKind::Global => Extern::Global(export.index),
                        ExternalKind::Tag => continue,
                    };
                    self.parts.exports.insert(export.name.to_string(), item);
                }
            }
            Payload::StartSection { func, .. } => self.parts.start = Some(func),
            Payload::ElementSection(section) => {
                for element in section {
                    let element = element?;
                    let mode = match element.kind {
                        ElementKind::Passive => ElemMode::Passive,
                        ElementKind::Declared => ElemMode::Declared,
                        ElementKind::Active { table_index, offset_expr } => {
                            ElemMode::Active(table_index.unwrap_or(0), const_expr(&offset_expr)?)
                        }
                    };
                    let items = match element.items {
                        ElementItems::Functions(funcs) => funcs
                            .into_iter()
                            .map(|f| Ok(ConstExpr(Box::new([ConstOp::RefFunc(f?)]))))
                            .collect::<Result<_, LoadError>>()?,
                        ElementItems::Expressions(_, exprs) => exprs
                            .into_iter()
                            .map(|expr| const_expr(&expr?))
                            .collect::<Result<_, _>>()?,
                    };
                    self.parts.elems.push(ElemSegment { mode, items });
                }
            }
            Payload::DataSection(section) => {
                for data in section {
                    let data = data?;
                    let active = match data.kind {
                        DataKind::Passive => None,
                        DataKind::Active { memory_index, offset_expr } => {
                            Some((memory_index, const_expr(&offset_expr)?))
                        }
                    };
                    self.parts.data.push(DataSegment { active, bytes: data.data.into() });
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    // Names are a courtesy: what cannot be read of them is left out.
                    names.into_iter().map_while(Result::ok).for_each(|name| self.add_names(name));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_memory(
        &mut self,
        ty: &wasmparser::MemoryType,
        import: Option<ImportName>,
    ) -> Result<(), LoadError> {
        let size = size(ty.initial, ty.maximum);
        self.parts.memories.push(MemoryDecl { size, import });
        let sizes = self.parts.memories.iter().map(|memory| memory.size);
        let (count, pages) = (sizes.len() as u64, together(sizes));
        LoadError::check_limit("memories", count, self.limits.memories.into())?;
        LoadError::check_limit("pages of memory", pages, self.limits.memory_pages.into())
    }

    fn add_table(
        &mut self,
        ty: &wasmparser::TableType,
        init: ConstExpr,
        import: Option<ImportName>,
    ) -> Result<(), LoadError> {
        let size = size(ty.initial, ty.maximum);
        let element = val_type(&wasmparser::ValType::Ref(ty.element_type));
        self.parts.tables.push(TableDecl { ty: element, size, init, import });
        let sizes = self.parts.tables.iter().map(|table| table.size);
        let (count, elements) = (sizes.len() as u64, together(sizes));
        LoadError::check_limit("tables", count, self.limits.tables.into())?;
        LoadError::check_limit("table elements", elements, self.limits.table_elements.into())
    }

    fn add_names(&mut self, name: Name<'_>) {
        match name {
            Name::Function(names) => {
                for naming in names.into_iter().map_while(Result::ok) {
                    if let Some(func) = self.parts.funcs.get_mut(naming.index as usize) {
                        func.name = Some(readable_name(naming.name));
                    }
                }
            }
            Name::Global(names) => {
                for naming in names.into_iter().map_while(Result::ok) {
                    if let Some(global) = self.parts.globals.get_mut(naming.index as usize) {
                        global.name = Some(naming.name.to_string());
                    }
                }
            }
            _ => {}
        }
    }

    fn name_from_exports(&mut self) {
        for (name, item) in &self.parts.exports {
            let slot = match *item {
                Extern::Func(index) => &mut self.parts.funcs[index as usize].name,
                Extern::Global(index) => &mut self.parts.globals[index as usize].name,
                _ => continue,
            };
            slot.get_or_insert_with(|| name.clone());
        }
    }
}

fn size(minimum: u64, maximum: Option<u64>) -> Size {
    // Validation has checked that both fit, but for table maxima, where more is as good as most.
    let clamp = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Size { minimum: clamp(minimum), maximum: maximum.map(clamp) }
}

/// The least that all of these take.
fn together(sizes: impl Iterator<Item = Size>) -> u64 {
    sizes.map(|size| u64::from(size.minimum)).sum()
}

fn val_type(ty: &wasmparser::ValType) -> ValType {
    match ty {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::Ref(ty) if ty.is_func_ref() => ValType::FuncRef,
        wasmparser::ValType::Ref(_) => ValType::ExternRef,
        wasmparser::ValType::V128 => unreachable!("refused by validation"),
    }
}

fn const_expr(expr: &wasmparser::ConstExpr<'_>) -> Result<ConstExpr, LoadError> {
    let mut ops = vec![];
    for op in expr.get_operators_reader() {
        ops.push(match op? {
            Operator::I32Const { value } => ConstOp::Slot(u64::from(value as u32)),
            Operator::I64Const { value } => ConstOp::Slot(value as u64),
            Operator::F32Const { value } => ConstOp::Slot(value.bits().into()),
            Operator::F64Const { value } => ConstOp::Slot(value.bits()),
            Operator::RefNull { .. } => ConstOp::Slot(0),
            Operator::RefFunc { function_index } => ConstOp::RefFunc(function_index),
            Operator::GlobalGet { global_index } => ConstOp::GlobalGet(global_index),
            Operator::I32Add => ConstOp::I32Add,
            Operator::I32Sub => ConstOp::I32Sub,
            Operator::I32Mul => ConstOp::I32Mul,
            Operator::I64Add => ConstOp::I64Add,
            Operator::I64Sub => ConstOp::I64Sub,
            Operator::I64Mul => ConstOp::I64Mul,
            Operator::End => break,
            op => unreachable!("{op:?} in a validated constant expression"),
        });
    }
    Ok(ConstExpr(ops.into()))
}
