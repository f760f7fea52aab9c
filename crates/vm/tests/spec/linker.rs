//! Instances that are linked with one another.
//!
//! A [`Machine`] is one module with memories, tables and globals of its own, and it stops where it
//! calls an imported function. The linker makes a program of several out of that: it runs the
//! other instance when one stops at an import, and keeps what two instances share in step by
//! copying it out of a machine whenever that stops and into it before it goes on.

use std::sync::Arc;

use mw_vm::{
    Breakpoints, Extern, ImportValues, InstantiateError, Limits, Machine, Memory, Module, NoProbe,
    Op, Probe, Size, Status, Stop, Table, TrapKind, ValType, Value,
};

use crate::script::Problem;

/// Functions of other instances have no index in a module. Where a reference to one gets into a
/// machine all the same, through a table, a global or an argument, it is this plus its address.
const FOREIGN: u32 = 1 << 30;

/// A function: its instance, and its index there. Never an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    instance: usize,
    index: u32,
}

/// Something that instances can share: what it is declared to be and, if it is shared, what it
/// holds while no machine runs.
struct Cell<D, T> {
    declared: D,
    /// Where it was made: an instance, and an index there.
    home: (usize, u32),
    shared: Option<T>,
}

struct Instance {
    module: Arc<Module>,
    /// Away while it runs.
    machine: Option<Machine>,
    funcs: Vec<Function>,
    /// For each memory, table and global, its cell.
    memories: Vec<usize>,
    tables: Vec<usize>,
    globals: Vec<usize>,
}

/// All instances of a script.
#[derive(Default)]
pub struct Linker {
    instances: Vec<Instance>,
    /// All functions that were referred to from elsewhere, by address.
    addresses: Vec<Function>,
    memories: Vec<Cell<Size, Memory>>,
    tables: Vec<Cell<(ValType, Size), Table>>,
    globals: Vec<Cell<(ValType, bool), Value>>,
}

/// What an instance gives to others.
enum Export {
    Func(Function),
    Memory(usize),
    Table(usize),
    Global(usize),
}

/// Why a module was not instantiated.
pub enum Refusal {
    /// Its imports do not fit.
    Unlinkable(&'static str),
    /// A segment does not fit or its start function trapped.
    Trap(TrapKind),
}

/// Looks at everything and changes nothing.
struct Watcher;

impl Probe for Watcher {}

const UNKNOWN: Refusal = Refusal::Unlinkable("unknown import");
const INCOMPATIBLE: Refusal = Refusal::Unlinkable("incompatible import type");

impl Linker {
    /// The limits that all machines have: those of the format, where tests go up to them.
    pub fn limits() -> Limits {
        Limits { memory_pages: 65536, ..Limits::default() }
    }

    fn export(&self, instance: usize, name: &str) -> Option<Export> {
        let instance = &self.instances[instance];
        Some(match *instance.module.exports().get(name)? {
            Extern::Func(index) => Export::Func(instance.funcs[index as usize]),
            Extern::Memory(index) => Export::Memory(instance.memories[index as usize]),
            Extern::Table(index) => Export::Table(instance.tables[index as usize]),
            Extern::Global(index) => Export::Global(instance.globals[index as usize]),
        })
    }

    /// The function that an instance exports.
    pub fn exported_func(&self, instance: usize, name: &str) -> Option<Function> {
        match self.export(instance, name)? {
            Export::Func(function) => Some(function),
            _ => None,
        }
    }

    /// The value of the global that an instance exports.
    pub fn exported_global(&self, instance: usize, name: &str) -> Option<Value> {
        let Export::Global(cell) = self.export(instance, name)? else { return None };
        let (home, index) = self.globals[cell].home;
        match self.globals[cell].shared {
            Some(value) => Some(value),
            None => self.instances[home].machine.as_ref()?.global(index),
        }
    }

    /// Makes an instance and runs its start function.
    pub fn instantiate(
        &mut self,
        module: &Arc<Module>,
        find: impl Fn(&str) -> Option<Result<usize, Problem>>,
    ) -> Result<Result<usize, Refusal>, Problem> {
        let id = self.instances.len();
        let mut instance = Instance {
            module: module.clone(),
            machine: None,
            funcs: Vec::new(),
            memories: Vec::new(),
            tables: Vec::new(),
            globals: Vec::new(),
        };
        let mut values = ImportValues::default();
        // Whether the machine itself has to notice that the imports do not fit.
        let (mut refusal, mut visible) = (None, false);
        let mut refuse = |with: Refusal, is_visible: bool| {
            refusal.get_or_insert(with);
            visible |= is_visible;
        };
        macro_rules! import {
            ($name:expr, $kind:ident) => {
                match find(&$name.module).transpose()?.and_then(|i| self.export(i, &$name.field)) {
                    Some(Export::$kind(item)) => Some(item),
                    None => {
                        refuse(UNKNOWN, false);
                        None
                    }
                    Some(_) => {
                        refuse(INCOMPATIBLE, false);
                        None
                    }
                }
            };
        }
        for (index, func) in module.funcs().iter().enumerate() {
            let Some(name) = &func.import else {
                instance.funcs.push(Function { instance: id, index: index as u32 });
                continue;
            };
            let Some(function) = import!(name, Func) else { continue };
            let theirs = &self.instances[function.instance].module;
            let ty = theirs.func_type(&theirs.funcs()[function.index as usize]);
            if ty != module.func_type(func) {
                refuse(INCOMPATIBLE, false);
            }
            instance.funcs.push(function);
        }
        for decl in module.memories() {
            let Some(name) = &decl.import else { continue };
            let Some(cell) = import!(name, Memory) else { continue };
            let memory = self.share_memory(cell);
            let declared = self.memories[cell].declared.maximum;
            let fits = is_within(decl.size, memory.size(), declared);
            if !fits {
                refuse(INCOMPATIBLE, !is_within(decl.size, memory.size(), Some(memory.maximum())));
            }
            values.memories.insert(name.clone(), memory);
            instance.memories.push(cell);
        }
        for decl in module.tables() {
            let Some(name) = &decl.import else { continue };
            let Some(cell) = import!(name, Table) else { continue };
            let table = self.share_table(cell);
            let (ty, declared) = self.tables[cell].declared;
            if ty != decl.ty {
                refuse(INCOMPATIBLE, true);
            } else if !is_within(decl.size, table.size(), declared.maximum) {
                refuse(INCOMPATIBLE, !is_within(decl.size, table.size(), Some(table.maximum())));
            }
            values.tables.insert(name.clone(), table);
            instance.tables.push(cell);
        }
        for decl in module.globals() {
            let Some(name) = &decl.import else { continue };
            let Some(cell) = import!(name, Global) else { continue };
            let value = self.share_global(cell);
            let (ty, mutable) = self.globals[cell].declared;
            if (ty, mutable) != (decl.ty, decl.mutable) {
                refuse(INCOMPATIBLE, ty != decl.ty);
            }
            values.globals.insert(name.clone(), value);
            instance.globals.push(cell);
        }
        if let Some(refusal) = refusal {
            let made = Machine::new(module.clone(), Self::limits(), values);
            return match made {
                Ok(_) if visible => {
                    Err(Problem::failed("the machine accepts what does not fit an import"))
                }
                _ => Ok(Err(refusal)),
            };
        }
        let writable = |cell: &&usize| self.globals[**cell].declared.1;
        let twice =
            |cells: Vec<usize>| (1..cells.len()).any(|i| cells[i..].contains(&cells[i - 1]));
        if twice(instance.memories.clone())
            || twice(instance.tables.clone())
            || twice(instance.globals.iter().filter(writable).copied().collect())
        {
            return Err(Problem::out_of_scope("one thing imported twice, under two indices"));
        }

        // Function references are relative to a module: make those of imports so.
        self.instances.push(instance);
        let imported = &self.instances[id];
        for (decl, &cell) in module.tables().iter().zip(&imported.tables) {
            let name = decl.import.as_ref().expect("only imports so far");
            let table = values.tables.get_mut(name).expect("just inserted");
            *table = self.translate_table(self.tables[cell].shared.as_ref().unwrap(), id);
        }
        for (decl, &cell) in module.globals().iter().zip(&imported.globals) {
            let name = decl.import.as_ref().expect("only imports so far");
            let value = self.globals[cell].shared.expect("just shared");
            values.globals.insert(name.clone(), self.localise(id, value));
        }
        let mut machine = match Machine::new(module.clone(), Self::limits(), values) {
            Ok(machine) => machine,
            Err(InstantiateError::Segment { kind, .. }) => {
                self.instances.pop();
                return Ok(Err(Refusal::Trap(kind)));
            }
            Err(error) => {
                self.instances.pop();
                return Err(Problem::failed(format!("cannot be instantiated: {error}")));
            }
        };
        self.add_own_cells(id);
        let mut shadow = machine.fork();
        self.store(id, &mut machine);
        let outcome = self.drive(id, &mut machine, &mut shadow);
        self.instances[id].machine = Some(machine);
        let outcome = match module.start().map(|start| self.instances[id].funcs[start as usize]) {
            // An imported start function is not the machine's to run.
            Some(start) if start.instance != id => self.call(start, &[])?,
            _ => outcome?,
        };
        Ok(outcome.map(|_| id).map_err(Refusal::Trap))
    }

    /// Makes cells for what an instance does not import.
    fn add_own_cells(&mut self, id: usize) {
        let instance = &mut self.instances[id];
        let module = &instance.module;
        macro_rules! add {
            ($list:ident, $decls:expr, $declared:expr) => {
                for (index, decl) in $decls.iter().enumerate().skip(instance.$list.len()) {
                    instance.$list.push(self.$list.len());
                    self.$list.push(Cell {
                        declared: $declared(decl),
                        home: (id, index as u32),
                        shared: None,
                    });
                }
            };
        }
        add!(memories, module.memories(), |decl: &mw_vm::MemoryDecl| decl.size);
        add!(tables, module.tables(), |decl: &mw_vm::TableDecl| (decl.ty, decl.size));
        add!(globals, module.globals(), |decl: &mw_vm::GlobalDecl| (decl.ty, decl.mutable));
    }

    fn share_memory(&mut self, cell: usize) -> Memory {
        let (home, index) = self.memories[cell].home;
        if self.memories[cell].shared.is_none() {
            let machine = self.instances[home].machine.as_mut().expect("nothing runs");
            self.memories[cell].shared = machine.memory_mut(index).map(Memory::fork);
        }
        self.memories[cell].shared.as_mut().expect("just shared").fork()
    }

    fn share_table(&mut self, cell: usize) -> Table {
        let (home, index) = self.tables[cell].home;
        if self.tables[cell].shared.is_none() {
            let machine = self.instances[home].machine.as_ref().expect("nothing runs");
            let table = machine.tables()[index as usize].clone();
            self.tables[cell].shared = Some(self.shared_table(home, &table));
        }
        self.tables[cell].shared.clone().expect("just shared")
    }

    fn share_global(&mut self, cell: usize) -> Value {
        let (home, index) = self.globals[cell].home;
        if self.globals[cell].shared.is_none() {
            let machine = self.instances[home].machine.as_ref().expect("nothing runs");
            let value = machine.global(index).expect("it was declared");
            self.globals[cell].shared = Some(self.globalise(home, value));
        }
        self.globals[cell].shared.expect("just shared")
    }

    /// A value as all instances understand it: functions by address.
    fn globalise(&mut self, instance: usize, value: Value) -> Value {
        match value {
            Value::FuncRef(Some(index)) if index < FOREIGN => {
                let function = self.instances[instance].funcs[index as usize];
                let known = self.addresses.iter().position(|&known| known == function);
                let address = known.unwrap_or_else(|| {
                    self.addresses.push(function);
                    self.addresses.len() - 1
                });
                Value::FuncRef(Some(FOREIGN + address as u32))
            }
            value => value,
        }
    }

    /// A shared value as one instance understands it: functions by index, where they have one.
    fn localise(&self, instance: usize, value: Value) -> Value {
        match value {
            Value::FuncRef(Some(address)) => {
                let function = self.addresses[(address - FOREIGN) as usize];
                let funcs = &self.instances[instance].funcs;
                let index = funcs.iter().position(|&known| known == function);
                Value::FuncRef(Some(index.map_or(address, |index| index as u32)))
            }
            value => value,
        }
    }

    /// Values of one instance as another understands them.
    fn pass(&mut self, values: &[Value], from: usize, to: usize) -> Vec<Value> {
        let mut pass = |&value| {
            let shared = self.globalise(from, value);
            self.localise(to, shared)
        };
        values.iter().map(&mut pass).collect()
    }

    fn shared_table(&mut self, instance: usize, table: &Table) -> Table {
        let globalise =
            |slot: &u64| self.globalise(instance, Value::from_slot(table.ty(), *slot)).to_slot();
        with_elements(table, table.elements().iter().map(globalise).collect())
    }

    fn translate_table(&self, shared: &Table, instance: usize) -> Table {
        let localise =
            |slot: &u64| self.localise(instance, Value::from_slot(shared.ty(), *slot)).to_slot();
        with_elements(shared, shared.elements().iter().map(localise).collect())
    }

    /// Copies what is shared out of a machine that has stopped.
    fn store(&mut self, id: usize, machine: &mut Machine) {
        for index in 0..self.instances[id].memories.len() {
            let cell = self.instances[id].memories[index];
            if self.memories[cell].shared.is_some() {
                self.memories[cell].shared = machine.memory_mut(index as u32).map(Memory::fork);
            }
        }
        for index in 0..self.instances[id].tables.len() {
            let cell = self.instances[id].tables[index];
            if self.tables[cell].shared.is_some() {
                let table = machine.tables()[index].clone();
                self.tables[cell].shared = Some(self.shared_table(id, &table));
            }
        }
        for index in 0..self.instances[id].globals.len() {
            let cell = self.instances[id].globals[index];
            if self.globals[cell].shared.is_some() {
                let value = machine.global(index as u32).expect("it was declared");
                self.globals[cell].shared = Some(self.globalise(id, value));
            }
        }
    }

    /// Copies what is shared into a machine that goes on.
    fn load(&mut self, id: usize, machine: &mut Machine) {
        for (index, &cell) in self.instances[id].memories.iter().enumerate() {
            if let Some(shared) = &mut self.memories[cell].shared {
                *machine.memory_mut(index as u32).expect("it was declared") = shared.fork();
            }
        }
        for (index, &cell) in self.instances[id].tables.iter().enumerate() {
            if let Some(shared) = &self.tables[cell].shared {
                let table = self.translate_table(shared, id);
                *machine.table_mut(index as u32).expect("it was declared") = table;
            }
        }
        for (index, &cell) in self.instances[id].globals.iter().enumerate() {
            if let Some(shared) = self.globals[cell].shared {
                assert!(machine.set_global(index as u32, self.localise(id, shared)));
            }
        }
    }

    /// Calls a function and runs until it returns or traps.
    pub fn call(
        &mut self,
        function: Function,
        args: &[Value],
    ) -> Result<Result<Vec<Value>, TrapKind>, Problem> {
        let id = function.instance;
        let Some(mut machine) = self.instances[id].machine.take() else {
            return Err(Problem::out_of_scope("an instance called while it waits for another"));
        };
        self.load(id, &mut machine);
        let mut shadow = machine.fork();
        let called = machine.call(function.index, args);
        let outcome = match called == shadow.call(function.index, args) {
            false => Err(Problem::failed("a fork refuses a call that the original accepts")),
            true => called.map_err(|error| Problem::failed(error.to_string())),
        };
        let outcome = outcome.and_then(|()| self.drive(id, &mut machine, &mut shadow));
        self.instances[id].machine = Some(machine);
        outcome
    }

    /// Runs a machine to the end of its call, and its shadow beside it in small pieces.
    fn drive(
        &mut self,
        id: usize,
        machine: &mut Machine,
        shadow: &mut Machine,
    ) -> Result<Result<Vec<Value>, TrapKind>, Problem> {
        loop {
            let stop = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe);
            let shadow_stop = loop {
                let stop = shadow.run(7, &Breakpoints::default(), &mut Watcher);
                if stop != Stop::Budget {
                    break stop;
                }
            };
            ensure(stop == shadow_stop, "stops elsewhere in pieces")?;
            ensure(machine == shadow, "is in another state in pieces")?;
            ensure(machine.hash() == shadow.hash(), "has another hash in pieces")?;
            ensure(machine.count() == shadow.count(), "has another count in pieces")?;
            self.store(id, machine);
            match stop {
                Stop::Finished => {
                    ensure(machine.results() == shadow.results(), "has other results in pieces")?;
                    return Ok(Ok(machine.results()));
                }
                Stop::Trap(kind) => {
                    let foreign = kind == TrapKind::IndirectCallTypeMismatch && is_foreign(machine);
                    machine.abandon();
                    return match foreign {
                        true => Err(Problem::out_of_scope(
                            "a function of another instance called through a table",
                        )),
                        false => Ok(Err(kind)),
                    };
                }
                Stop::Import(_) => {
                    let (func, args) = machine.import_call().expect("stopped at an import");
                    let function = self.instances[id].funcs[func as usize];
                    let args = self.pass(&args, id, function.instance);
                    let answer = match self.call(function, &args) {
                        Ok(answer) => {
                            answer.map(|results| self.pass(&results, function.instance, id))
                        }
                        Err(problem) => {
                            machine.abandon();
                            return Err(problem);
                        }
                    };
                    for machine in [&mut *machine, &mut *shadow] {
                        self.load(id, machine);
                        let answered = match &answer {
                            Ok(results) => machine.resume(results),
                            Err(_) => machine.refuse(),
                        };
                        answered.map_err(|error| Problem::failed(error.to_string()))?;
                    }
                    if let Err(kind) = answer {
                        machine.abandon();
                        return Ok(Err(kind));
                    }
                }
                Stop::Budget | Stop::Breakpoint | Stop::Probe => {
                    return Err(Problem::failed(format!("{stop:?} without being asked to")));
                }
            }
        }
    }
}

fn ensure(holds: bool, message: &str) -> Result<(), Problem> {
    if holds { Ok(()) } else { Err(Problem::failed(message)) }
}

/// Whether something of this size may be imported where `wanted` is declared.
fn is_within(wanted: Size, size: u32, maximum: Option<u32>) -> bool {
    size >= wanted.minimum
        && wanted.maximum.is_none_or(|wanted| maximum.is_some_and(|maximum| maximum <= wanted))
}

/// A table like another, with other elements.
fn with_elements(table: &Table, elements: Vec<u64>) -> Table {
    let mut copy = Table::new(table.ty(), table.size(), table.maximum(), 0);
    copy.write(0, &elements).expect("as many elements as before");
    copy
}

/// Whether a trapped machine wanted to call a function of another instance through a table.
fn is_foreign(machine: &Machine) -> bool {
    assert!(matches!(machine.status(), Status::Trapped(_)));
    let frame = machine.call_stack()[0];
    let index = *frame.operands.last().expect("the index of an indirect call") as u32;
    match machine.module().code()[machine.pc() as usize] {
        Op::CallIndirect { table, .. } | Op::ReturnCallIndirect { table, .. } => {
            machine.tables()[table as usize].get(index).is_some_and(|slot| slot > FOREIGN.into())
        }
        op => panic!("{op:?} is no indirect call"),
    }
}
