//! A machine from a module: memories, tables and globals get their first content.

use alloc::{collections::BTreeMap, sync::Arc, vec, vec::Vec};

use crate::limits::Limits;
use crate::machine::{Core, Machine, Status};
use crate::memory::Memory;
use crate::module::{ConstExpr, ConstOp, ElemMode, ImportName, Module, Size};
use crate::numeric::{self, Slot};
use crate::table::Table;
use crate::trap::TrapKind;
use crate::value::Value;

/// What the outside gives for imports that are not functions. What is not given gets what its
/// declaration says: a memory or table of its least size, a global of zero.
#[derive(Debug, Default)]
pub struct ImportValues {
    /// Values of imported globals.
    pub globals: BTreeMap<ImportName, Value>,
    /// Imported memories.
    pub memories: BTreeMap<ImportName, Memory>,
    /// Imported tables.
    pub tables: BTreeMap<ImportName, Table>,
}

/// A module that cannot be instantiated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InstantiateError {
    /// What was given for an import does not fit its declaration.
    #[error("incompatible import type: {name} ({reason})")]
    Import {
        /// The import.
        name: ImportName,
        /// In which way it does not fit.
        reason: &'static str,
    },
    /// The module asks for more than the limits allow.
    #[error("too large: {what}: {found}, but the limit is {limit}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        found: u32,
        /// How much there may be.
        limit: u32,
    },
    /// A segment does not fit where it is to be copied.
    #[error("segment {segment}: {kind}")]
    Segment {
        /// The segment's index.
        segment: usize,
        /// In which way it does not fit.
        kind: TrapKind,
    },
}

impl Machine {
    /// A machine for a module, with its start function, if it has one, ready to run.
    pub fn new(
        module: Arc<Module>,
        limits: Limits,
        mut imports: ImportValues,
    ) -> Result<Machine, InstantiateError> {
        let parts = &module.parts;
        let mut memories = Vec::with_capacity(parts.memories.len());
        let mut pages: u32 = 0;
        for decl in &parts.memories {
            let limit = decl.size.maximum.unwrap_or(u32::MAX).min(limits.memory_pages);
            let given = decl.import.as_ref().and_then(|name| imports.memories.remove(name));
            memories.push(match given {
                None => {
                    pages = pages.saturating_add(decl.size.minimum);
                    within("pages of memory", pages, limits.memory_pages)?;
                    Memory::new(decl.size.minimum, limit).with_room(limits.resident_pages)
                }
                Some(memory) => {
                    fits(&decl.import, decl.size, memory.size(), memory.maximum())?;
                    memory
                }
            });
        }
        let mut globals = Vec::with_capacity(parts.globals.len());
        for decl in &parts.globals {
            let given = decl.import.as_ref().map(|name| imports.globals.get(name).copied());
            globals.push(match given {
                None => evaluate(&decl.init, &globals),
                Some(None) => 0,
                Some(Some(value)) if value.ty() == decl.ty => value.to_slot(),
                Some(Some(_)) => return Err(misfit(&decl.import, "another type")),
            });
        }
        let mut tables = Vec::with_capacity(parts.tables.len());
        let mut elements: u32 = 0;
        for decl in &parts.tables {
            let limit = decl.size.maximum.unwrap_or(u32::MAX).min(limits.table_elements);
            let given = decl.import.as_ref().and_then(|name| imports.tables.remove(name));
            tables.push(match given {
                None => {
                    elements = elements.saturating_add(decl.size.minimum);
                    within("table elements", elements, limits.table_elements)?;
                    let init = evaluate(&decl.init, &globals);
                    Table::new(decl.ty, decl.size.minimum, limit, init)
                }
                Some(table) => {
                    fits(&decl.import, decl.size, table.size(), table.maximum())?;
                    if table.ty() != decl.ty {
                        return Err(misfit(&decl.import, "another type"));
                    }
                    table
                }
            });
        }
        let core = Core {
            limits,
            status: Status::Idle,
            next: None,
            func: 0,
            pc: 0,
            fp: 0,
            frames: Vec::new(),
            stack: Vec::new(),
            globals,
            tables,
            dropped_data: vec![false; parts.data.len()],
            dropped_elems: vec![false; parts.elems.len()],
        };
        let mut machine = Machine { module: module.clone(), count: 0, core, memories };
        machine.copy_segments(&module)?;
        if let Some(start) = module.start() {
            // An imported start function has nothing of the module to run.
            let _ = machine.call(start, &[]);
        }
        Ok(machine)
    }

    fn copy_segments(&mut self, module: &Module) -> Result<(), InstantiateError> {
        for (segment, elem) in module.parts.elems.iter().enumerate() {
            if let ElemMode::Active(table, offset) = &elem.mode {
                let at = evaluate(offset, &self.core.globals) as u32;
                let slots = self.elem_slots(segment);
                self.core.tables[*table as usize]
                    .write(at, &slots)
                    .map_err(|kind| InstantiateError::Segment { segment, kind })?;
            }
            self.core.dropped_elems[segment] = !matches!(elem.mode, ElemMode::Passive);
        }
        for (segment, data) in module.parts.data.iter().enumerate() {
            if let Some((memory, offset)) = &data.active {
                let at = u64::from(evaluate(offset, &self.core.globals) as u32);
                self.memories[*memory as usize]
                    .write(at, &data.bytes)
                    .map_err(|error| InstantiateError::Segment { segment, kind: error.trap() })?;
                self.core.dropped_data[segment] = true;
            }
        }
        Ok(())
    }

    /// The references of a segment; none if it has been dropped.
    pub(super) fn elem_slots(&self, segment: usize) -> Vec<u64> {
        if self.core.dropped_elems[segment] {
            return Vec::new();
        }
        let items = &self.module.parts.elems[segment].items;
        items.iter().map(|item| evaluate(item, &self.core.globals)).collect()
    }
}

fn within(what: &'static str, found: u32, limit: u32) -> Result<(), InstantiateError> {
    if found > limit {
        return Err(InstantiateError::Limit { what, found, limit });
    }
    Ok(())
}

fn misfit(name: &Option<ImportName>, reason: &'static str) -> InstantiateError {
    let name = name.clone().unwrap_or(ImportName { module: "".into(), field: "".into() });
    InstantiateError::Import { name, reason }
}

fn fits(
    name: &Option<ImportName>,
    declared: Size,
    size: u32,
    maximum: u32,
) -> Result<(), InstantiateError> {
    if size < declared.minimum {
        return Err(misfit(name, "too small"));
    }
    if declared.maximum.is_some_and(|declared| maximum > declared) {
        return Err(misfit(name, "may grow too large"));
    }
    Ok(())
}

fn evaluate(expr: &ConstExpr, globals: &[u64]) -> u64 {
    let mut stack = Vec::new();
    for op in &expr.0 {
        macro_rules! binary {
            ($function:ident) => {{
                let (b, a) = (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
                numeric::$function(Slot::from_slot(a), Slot::from_slot(b)).to_slot()
            }};
        }
        let slot = match *op {
            ConstOp::Slot(slot) => slot,
            ConstOp::GlobalGet(index) => globals[index as usize],
            ConstOp::RefFunc(index) => Value::FuncRef(Some(index)).to_slot(),
            ConstOp::I32Add => binary!(i32_add),
            ConstOp::I32Sub => binary!(i32_sub),
            ConstOp::I32Mul => binary!(i32_mul),
            ConstOp::I64Add => binary!(i64_add),
            ConstOp::I64Sub => binary!(i64_sub),
            ConstOp::I64Mul => binary!(i64_mul),
        };
        stack.push(slot);
    }
    stack.pop().unwrap_or(0)
}
