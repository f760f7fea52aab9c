//! A module: validated and lowered, shared by all machines that run it.

use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::fuse::FastCode;
use crate::op::{MovingBranch, Op};
use crate::value::{FuncType, ValType};

/// The kind and index of something that a module exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are WebAssembly's own")]
pub enum Extern {
    Func(u32),
    Table(u32),
    Memory(u32),
    Global(u32),
}

/// Where an import comes from: a module's name and a name in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ImportName {
    /// The name of the module.
    pub module: String,
    /// The name within that module.
    pub field: String,
}

impl core::fmt::Display for ImportName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.module, self.field)
    }
}

/// A function: an import, or code of the module's own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Func {
    /// Its type, as an index into [`Module::types`]; equal types have equal indices.
    pub ty: u32,
    /// Its name from the `name` section, else from an import or export.
    pub name: Option<String>,
    /// Where it is imported from, if it is.
    pub import: Option<ImportName>,
    /// The types of its locals after the parameters, as runs of equal ones.
    pub locals: Box<[(u32, ValType)]>,
}

/// Where a function's code is and what its frame needs. All zero for an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The first op in the step code.
    pub start: u32,
    /// The number of ops, which is that of source instructions.
    pub len: u32,
    /// Slots of the parameters.
    pub params: u16,
    /// Slots of the parameters and locals.
    pub locals: u16,
    /// Slots of the whole frame: locals and the operand stack at its highest.
    pub frame: u16,
}

/// The limits that a module declares for a memory or table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// The size at the start.
    pub minimum: u32,
    /// The size that it may grow to, if limited.
    pub maximum: Option<u32>,
}

/// A memory that a module has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemoryDecl {
    /// Its size in WebAssembly pages.
    pub size: Size,
    /// Where it is imported from, if it is.
    pub import: Option<ImportName>,
}

/// A table that a module has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableDecl {
    /// The type of its elements.
    pub ty: ValType,
    /// Its size in elements.
    pub size: Size,
    /// What its elements are at the start.
    pub init: ConstExpr,
    /// Where it is imported from, if it is.
    pub import: Option<ImportName>,
}

/// A global that a module has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GlobalDecl {
    /// The type of its value.
    pub ty: ValType,
    /// Whether the program may set it.
    pub mutable: bool,
    /// Its value at the start; not used for an import.
    pub init: ConstExpr,
    /// Its name from the `name` section.
    pub name: Option<String>,
    /// Where it is imported from, if it is.
    pub import: Option<ImportName>,
}

/// An expression that is evaluated at instantiation, in postfix order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConstExpr(pub Box<[ConstOp]>);

/// One instruction of a [`ConstExpr`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are WebAssembly's own")]
pub enum ConstOp {
    /// Any constant, null included, as its slot.
    Slot(u64),
    GlobalGet(u32),
    RefFunc(u32),
    I32Add,
    I32Sub,
    I32Mul,
    I64Add,
    I64Sub,
    I64Mul,
}

/// Bytes for a memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DataSegment {
    /// The memory and offset to copy it to at instantiation, unless it is passive.
    pub active: Option<(u32, ConstExpr)>,
    /// The bytes.
    pub bytes: Box<[u8]>,
}

/// References for a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ElemSegment {
    /// What happens to it at instantiation.
    pub mode: ElemMode,
    /// The references.
    pub items: Box<[ConstExpr]>,
}

/// What happens to an [`ElemSegment`] at instantiation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ElemMode {
    /// It is copied into a table, at an offset.
    Active(u32, ConstExpr),
    /// It stays for `table.init`.
    Passive,
    /// It only declares which functions may be referred to, and is dropped.
    Declared,
}

/// A validated, lowered WebAssembly program.
#[derive(Clone, Debug)]
pub struct Module {
    pub(crate) parts: Parts,
    pub(crate) fast: FastCode,
    /// See [`Module::fingerprint`].
    pub(crate) fingerprint: u128,
}

/// What a module consists of; everything else follows from it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Parts {
    pub types: Vec<FuncType>,
    /// Imported functions first.
    pub funcs: Vec<Func>,
    /// The code of each function.
    pub codes: Vec<Code>,
    pub memories: Vec<MemoryDecl>,
    pub tables: Vec<TableDecl>,
    pub globals: Vec<GlobalDecl>,
    pub exports: BTreeMap<String, Extern>,
    pub data: Vec<DataSegment>,
    pub elems: Vec<ElemSegment>,
    pub start: Option<u32>,
    /// The step code of all functions, one after the other.
    pub code: Vec<Op>,
    /// How many slots of the frame are alive before each op: locals and the operand stack.
    pub live: Vec<u16>,
    /// The byte offset in the binary of each op. Empty in an image that was stripped of it.
    pub offsets: Vec<u32>,
    pub branches: Vec<MovingBranch>,
}

impl Parts {
    /// The function that an op belongs to.
    pub fn func_at(&self, pc: u32) -> usize {
        // Imports start at zero and have no length, so they sort before the rest.
        self.codes.partition_point(|code| code.start <= pc) - 1
    }
}

impl Module {
    pub(crate) fn new(parts: Parts, fingerprint: u128) -> Module {
        let fast = FastCode::new(&parts);
        Module { parts, fast, fingerprint }
    }

    /// A module that is executed step by step, for a device with little memory.
    pub(crate) fn compact(parts: Parts, fingerprint: u128) -> Module {
        let fast = FastCode::none(&parts);
        Module { parts, fast, fingerprint }
    }

    /// Bytes of memory that the module takes, but for what allocating costs.
    pub fn footprint(&self) -> usize {
        fn bytes<T>(items: &[T]) -> usize {
            size_of_val(items)
        }
        let parts = &self.parts;
        let funcs = parts.funcs.iter().map(|func| {
            let import =
                func.import.as_ref().map_or(0, |name| name.module.len() + name.field.len());
            func.name.as_ref().map_or(0, String::len) + import + bytes(&func.locals)
        });
        let types = parts.types.iter().map(|ty| bytes(&ty.params) + bytes(&ty.results));
        let exports = parts.exports.keys().map(|name| name.len() + size_of::<(String, Extern)>());
        let data = parts.data.iter().map(|data| data.bytes.len());
        let elems = parts.elems.iter().map(|elem| bytes(&elem.items));
        let lists = [
            bytes(&parts.types),
            bytes(&parts.funcs),
            bytes(&parts.codes),
            bytes(&parts.globals),
            bytes(&parts.data),
            bytes(&parts.elems),
            bytes(&parts.code),
            bytes(&parts.live),
            bytes(&parts.offsets),
            bytes(&parts.branches),
            self.fast.footprint(),
        ];
        let parts = funcs.chain(types).chain(exports).chain(data).chain(elems);
        lists.into_iter().chain(parts).sum()
    }

    /// Identifies the program: equal for equal binaries. Traces and saved machines carry it.
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// The function types that occur, each once.
    pub fn types(&self) -> &[FuncType] {
        &self.parts.types
    }

    /// All functions, imported ones first.
    pub fn funcs(&self) -> &[Func] {
        &self.parts.funcs
    }

    /// The functions that the outside has to provide.
    pub fn imports(&self) -> impl Iterator<Item = (&ImportName, &FuncType)> {
        self.funcs().iter().map_while(|f| Some((f.import.as_ref()?, self.func_type(f))))
    }

    /// Where a function's code is.
    pub fn func_code(&self, index: u32) -> Code {
        self.parts.codes[index as usize]
    }

    /// The types of a function's parameters and locals.
    pub fn local_types(&self, index: u32) -> Vec<ValType> {
        let func = &self.parts.funcs[index as usize];
        let locals = func.locals.iter().flat_map(|&(n, ty)| core::iter::repeat_n(ty, n as usize));
        self.func_type(func).params.iter().copied().chain(locals).collect()
    }

    /// The type of a function of this module.
    pub fn func_type(&self, func: &Func) -> &FuncType {
        &self.parts.types[func.ty as usize]
    }

    /// The type of the first value that a function returns, if it returns one.
    pub fn result_type(&self, func: u32) -> Option<ValType> {
        self.func_type(self.funcs().get(func as usize)?).results.first().copied()
    }

    /// All memories, imported ones first.
    pub fn memories(&self) -> &[MemoryDecl] {
        &self.parts.memories
    }

    /// All tables, imported ones first.
    pub fn tables(&self) -> &[TableDecl] {
        &self.parts.tables
    }

    /// All globals, imported ones first.
    pub fn globals(&self) -> &[GlobalDecl] {
        &self.parts.globals
    }

    /// What the module exports, by name.
    pub fn exports(&self) -> &BTreeMap<String, Extern> {
        &self.parts.exports
    }

    /// The function that is exported under this name.
    pub fn exported_func(&self, name: &str) -> Option<u32> {
        match self.parts.exports.get(name) {
            Some(&Extern::Func(index)) => Some(index),
            _ => None,
        }
    }

    /// Bytes for memories.
    pub fn data(&self) -> &[DataSegment] {
        &self.parts.data
    }

    /// References for tables.
    pub fn elems(&self) -> &[ElemSegment] {
        &self.parts.elems
    }

    /// The function to run at instantiation.
    pub fn start(&self) -> Option<u32> {
        self.parts.start
    }

    /// The step code: one op per source instruction.
    pub fn code(&self) -> &[Op] {
        &self.parts.code
    }

    /// How many slots of the frame are alive before the op at `pc`: locals and the operand stack.
    pub fn live_at(&self, pc: u32) -> Option<u16> {
        self.parts.live.get(pc as usize).copied()
    }

    /// Branches that ops refer to by index.
    pub fn branches(&self) -> &[MovingBranch] {
        &self.parts.branches
    }

    /// The function that the op at `pc` belongs to.
    pub fn func_at(&self, pc: u32) -> Option<u32> {
        (pc < self.parts.code.len() as u32).then(|| self.parts.func_at(pc) as u32)
    }

    /// What to call a function in front of people.
    pub fn func_name(&self, index: u32) -> String {
        let func = self.parts.funcs.get(index as usize);
        match func.and_then(|f| f.name.as_ref()) {
            Some(name) => name.clone(),
            None => alloc::format!("func[{index}]"),
        }
    }

    /// The byte offset in the binary of the instruction at `pc`.
    pub fn offset_of(&self, pc: u32) -> Option<u32> {
        self.parts.offsets.get(pc as usize).copied()
    }

    /// The first instruction at or after a byte offset in the binary, within one function.
    pub fn pc_at_offset(&self, offset: u32) -> Option<u32> {
        let pc = self.parts.offsets.partition_point(|&o| o < offset);
        (pc < self.parts.offsets.len()).then_some(pc as u32)
    }
}
