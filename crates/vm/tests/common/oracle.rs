//! The same program in `wasmi`.

use mw_vm::{Extern, ImportName, Machine, TrapKind, ValType, Value};
use wasmi::{AsContext, ExternType, Nullable, TrapCode, Val};
use wasmparser::{BlockType, Operator, Parser, Payload};

use crate::common::drive::{self, End};

/// An instance in `wasmi`, in the same outside as a [`Session`](drive::Session). The store holds
/// the number of imported calls that were answered.
pub struct Oracle {
    store: wasmi::Store<u64>,
    instance: wasmi::Instance,
}

/// Whether `wasmi` 2.0.0 can be trusted with a module: it loses what lies on the stack below an
/// `if` with parameters that has a `loop` in it. See `differential.rs`.
fn is_trusted(binary: &[u8]) -> bool {
    let mut types = Vec::new();
    for payload in Parser::new(0).parse_all(binary) {
        match payload.expect("the module is valid") {
            Payload::TypeSection(section) => {
                let all = section.into_iter_err_on_gc_types();
                types.extend(all.map(|ty| ty.expect("the module is valid").params().len()));
            }
            Payload::CodeSectionEntry(body) => {
                // For each open block, whether it is in an `if` with parameters.
                let mut blocks = Vec::new();
                let is_within = |blocks: &[bool]| blocks.last().is_some_and(|&within| within);
                for op in body.get_operators_reader().expect("the module is valid") {
                    match op.expect("the module is valid") {
                        Operator::If { blockty: BlockType::FuncType(ty) } => {
                            blocks.push(is_within(&blocks) || types[ty as usize] > 0);
                        }
                        Operator::Loop { .. } if is_within(&blocks) => return false,
                        Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                            blocks.push(is_within(&blocks));
                        }
                        Operator::End => drop(blocks.pop()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    true
}

/// A module for the oracle, if that can be trusted with it.
pub fn load_trusted(binary: &[u8]) -> Option<wasmi::Module> {
    is_trusted(binary).then(|| load(binary))
}

/// A valid module for the oracle.
pub fn load(binary: &[u8]) -> wasmi::Module {
    let mut config = wasmi::Config::default();
    config.set_max_recursion_depth(20_000).set_max_stack_height(64 << 20);
    config.wasm_multi_memory(true).wasm_tail_call(true).wasm_extended_const(true);
    let module = wasmi::Module::new(&wasmi::Engine::new(&config), binary);
    module.unwrap_or_else(|error| panic!("wasmi refuses a valid module: {error}"))
}

fn val_type(ty: wasmi::ValType) -> ValType {
    match ty {
        wasmi::ValType::I32 => ValType::I32,
        wasmi::ValType::I64 => ValType::I64,
        wasmi::ValType::F32 => ValType::F32,
        wasmi::ValType::F64 => ValType::F64,
        wasmi::ValType::FuncRef => ValType::FuncRef,
        wasmi::ValType::ExternRef => ValType::ExternRef,
        wasmi::ValType::V128 => panic!("there is no SIMD"),
    }
}

fn to_val(store: impl wasmi::AsContextMut, value: Value) -> Val {
    match value {
        Value::I32(v) => Val::I32(v),
        Value::I64(v) => Val::I64(v),
        Value::F32(bits) => Val::F32(wasmi::F32::from_bits(bits)),
        Value::F64(bits) => Val::F64(wasmi::F64::from_bits(bits)),
        Value::FuncRef(None) => Val::FuncRef(Nullable::Null),
        Value::ExternRef(None) => Val::ExternRef(Nullable::Null),
        Value::ExternRef(Some(number)) => {
            Val::ExternRef(Nullable::Val(wasmi::ExternRef::new(store, number)))
        }
        Value::FuncRef(Some(_)) => panic!("only a program can refer to a function"),
    }
}

/// Functions have no numbers in the oracle: all that are not null become the same.
fn from_val(store: &impl AsContext, value: &Val) -> Value {
    match value {
        Val::I32(v) => Value::I32(*v),
        Val::I64(v) => Value::I64(*v),
        Val::F32(v) => Value::F32(v.to_bits()),
        Val::F64(v) => Value::F64(v.to_bits()),
        Val::FuncRef(v) => Value::FuncRef((!v.is_null()).then_some(0)),
        Val::ExternRef(v) => Value::ExternRef(v.val().map(|v| {
            *v.data(store.as_context()).downcast_ref::<u32>().expect("made from a number")
        })),
        Val::V128(_) => panic!("there is no SIMD"),
    }
}

/// A value with functions as [`from_val`] has them.
fn anonymous(value: Value) -> Value {
    match value {
        Value::FuncRef(func) => Value::FuncRef(func.map(|_| 0)),
        value => value,
    }
}

/// The kinds of traps that the oracle tells apart.
pub fn trap_code(kind: TrapKind) -> TrapCode {
    match kind {
        TrapKind::Unreachable => TrapCode::UnreachableCodeReached,
        TrapKind::DivisionByZero => TrapCode::IntegerDivisionByZero,
        TrapKind::IntegerOverflow => TrapCode::IntegerOverflow,
        TrapKind::InvalidConversion => TrapCode::BadConversionToInteger,
        TrapKind::MemoryOutOfBounds => TrapCode::MemoryOutOfBounds,
        TrapKind::TableOutOfBounds | TrapKind::UndefinedElement => TrapCode::TableOutOfBounds,
        TrapKind::UninitializedElement => TrapCode::IndirectCallToNull,
        TrapKind::IndirectCallTypeMismatch => TrapCode::BadSignature,
        TrapKind::CallStackExhausted | TrapKind::ValueStackExhausted => TrapCode::StackOverflow,
        kind => panic!("{kind} does not happen here"),
    }
}

impl Oracle {
    /// An instance whose start function, if there is one, has run. The error is the trap of that,
    /// or none if a segment did not fit.
    pub fn new(module: &wasmi::Module) -> Result<Oracle, Option<TrapCode>> {
        let mut store = wasmi::Store::new(module.engine(), 0);
        let mut imports = Vec::new();
        let mut funcs = 0;
        let name_of = |import: &wasmi::ImportType<'_>| ImportName {
            module: import.module().into(),
            field: import.name().into(),
        };
        for import in module.imports() {
            let name = name_of(&import);
            let is_same_kind = |other: &wasmi::ImportType<'_>| {
                std::mem::discriminant(other.ty()) == std::mem::discriminant(import.ty())
            };
            let rivals: Vec<_> =
                module.imports().filter(is_same_kind).map(|i| name_of(&i)).collect();
            let unique = drive::is_unique(&name, rivals.iter());
            imports.push(match import.ty() {
                ExternType::Func(ty) => {
                    let index = funcs;
                    funcs += 1;
                    let types: Vec<ValType> = ty.results().iter().map(|&t| val_type(t)).collect();
                    wasmi::Extern::Func(wasmi::Func::new(
                        &mut store,
                        ty.clone(),
                        move |mut caller: wasmi::Caller<'_, u64>, args, results| {
                            let args: Vec<Value> =
                                args.iter().map(|arg| from_val(&caller, arg)).collect();
                            let calls = *caller.data();
                            *caller.data_mut() += 1;
                            let answer = drive::answer(calls, index, &args, &types);
                            for (result, value) in results.iter_mut().zip(answer) {
                                *result = to_val(&mut caller, value);
                            }
                            Ok(())
                        },
                    ))
                }
                ExternType::Global(ty) => {
                    let value = match unique {
                        true => drive::imported_global(&name, val_type(ty.content())),
                        false => Value::zero(val_type(ty.content())),
                    };
                    let value = to_val(&mut store, value);
                    wasmi::Extern::Global(wasmi::Global::new(&mut store, value, ty.mutability()))
                }
                ExternType::Memory(ty) => {
                    let memory = wasmi::Memory::new(&mut store, *ty).expect("small enough");
                    if unique {
                        let size = memory.data_size(&store) as u64;
                        let bytes = drive::imported_bytes(&name, size);
                        memory.write(&mut store, 0, &bytes).expect("there is room");
                    }
                    wasmi::Extern::Memory(memory)
                }
                ExternType::Table(ty) => {
                    let null = wasmi::Ref::null(ty.element());
                    let table = wasmi::Table::new(&mut store, *ty, null);
                    wasmi::Extern::Table(table.expect("small enough"))
                }
            });
        }
        match wasmi::Instance::new(&mut store, module, &imports) {
            Ok(instance) => Ok(Oracle { store, instance }),
            Err(error) => Err(error.as_trap_code()),
        }
    }

    /// Calls an exported function and compares how that ends. `None` says that they differ only in
    /// how deep calls may be nested, after which nothing can be compared any more.
    pub fn check_call(&mut self, name: &str, args: &[Value], ours: &End) -> Option<()> {
        let func = self.instance.get_func(&self.store, name).expect("exported there too");
        let types = func.ty(&self.store);
        let args: Vec<Val> = args.iter().map(|&arg| to_val(&mut self.store, arg)).collect();
        let mut results: Vec<Val> =
            types.results().iter().map(|&ty| Val::default_for_ty(ty)).collect();
        let outcome = func.call(&mut self.store, &args, &mut results);
        let theirs = match outcome {
            Ok(()) => Ok(results.iter().map(|value| from_val(&self.store, value)).collect()),
            Err(error) => Err(error.as_trap_code().unwrap_or_else(|| panic!("{error}"))),
        };
        let ours = match ours {
            End::Results(results) => Ok(results.iter().copied().map(anonymous).collect::<Vec<_>>()),
            End::Trap(kind) => Err(trap_code(*kind)),
        };
        if [&ours, &theirs].iter().any(|end| **end == Err(TrapCode::StackOverflow)) {
            return None;
        }
        assert_eq!(ours, theirs, "call of {name}: ours, then wasmi's");
        Some(())
    }

    /// Compares all memories, tables and globals; all are exported.
    pub fn check_state(&self, machine: &Machine) {
        for (name, item) in machine.module().exports() {
            let theirs = self.instance.get_export(&self.store, name).expect("exported there too");
            match (*item, theirs) {
                (Extern::Func(_), wasmi::Extern::Func(_)) => {}
                (Extern::Memory(index), wasmi::Extern::Memory(theirs)) => {
                    let ours = &machine.memories()[index as usize];
                    let theirs = theirs.data(&self.store);
                    let ours = ours.read_vec(0, ours.byte_size()).expect("all of it");
                    let difference = ours.iter().zip(theirs).position(|(a, b)| a != b);
                    assert_eq!(ours.len(), theirs.len(), "size of memory {name}");
                    assert_eq!(difference, None, "address in memory {name}");
                }
                (Extern::Global(index), wasmi::Extern::Global(theirs)) => {
                    let ours = machine.global(index).expect("it is exported");
                    let theirs = from_val(&self.store, &theirs.get(&self.store));
                    assert_eq!(anonymous(ours), theirs, "global {name}");
                }
                (Extern::Table(index), wasmi::Extern::Table(theirs)) => {
                    let ours = &machine.tables()[index as usize];
                    assert_eq!(u64::from(ours.size()), theirs.size(&self.store), "table {name}");
                    for (at, &slot) in ours.elements().iter().enumerate() {
                        let theirs = theirs.get(&self.store, at as u64).expect("as large");
                        let theirs = from_val(&self.store, &Val::from(theirs));
                        let ours = anonymous(Value::from_slot(ours.ty(), slot));
                        assert_eq!(ours, theirs, "table {name}, element {at}");
                    }
                }
                _ => panic!("{name} is something else there"),
            }
        }
    }
}
