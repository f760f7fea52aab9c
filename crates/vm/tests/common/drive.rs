//! Running a machine against an outside that always answers the same.

use std::sync::Arc;

use mw_vm::{
    Breakpoints, ImportName, ImportValues, Limits, Machine, Memory, Module, NoProbe, Probe, Stop,
    Table, TrapKind, ValType, Value,
};

use crate::common::generate::Rng;

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Results(Vec<Value>),
    Trap(TrapKind),
}

/// What an imported function returns: it depends on which one it is, on its arguments and on how
/// many calls there were before.
pub fn answer(calls: u64, func: u32, args: &[Value], results: &[ValType]) -> Vec<Value> {
    let mut seed = calls << 32 | u64::from(func);
    for arg in args {
        let bits = match *arg {
            // A function is known by another name to every engine.
            Value::FuncRef(func) => u64::from(func.is_some()),
            arg => arg.to_slot(),
        };
        seed = Rng::new(seed ^ bits).next();
    }
    Rng::new(seed).values(results)
}

/// What is given for an imported global.
pub fn imported_global(name: &ImportName, ty: ValType) -> Value {
    Rng::from_bytes(name.field.as_bytes()).value(ty)
}

/// What an imported memory holds, from its start.
pub fn imported_bytes(name: &ImportName, size: u64) -> Vec<u8> {
    Rng::from_bytes(name.field.as_bytes()).bytes(size.min(300) as usize)
}

/// Whether an import's name is not used for another of the same kind: only then can it be given.
pub fn is_unique<'a>(name: &ImportName, all: impl Iterator<Item = &'a ImportName>) -> bool {
    all.filter(|other| *other == name).count() == 1
}

/// What the outside gives to a module besides functions.
pub fn import_values(module: &Module) -> ImportValues {
    let mut values = ImportValues::default();
    let names = || module.memories().iter().filter_map(|decl| decl.import.as_ref());
    for decl in module.memories() {
        if let Some(name) = decl.import.as_ref().filter(|name| is_unique(name, names())) {
            let maximum = decl.size.maximum.unwrap_or(decl.size.minimum + 2);
            let mut memory = Memory::new(decl.size.minimum, maximum);
            let bytes = imported_bytes(name, memory.byte_size());
            memory.write(0, &bytes).expect("not more than there is room for");
            values.memories.insert(name.clone(), memory);
        }
    }
    let names = || module.tables().iter().filter_map(|decl| decl.import.as_ref());
    for decl in module.tables() {
        if let Some(name) = decl.import.as_ref().filter(|name| is_unique(name, names())) {
            let maximum = decl.size.maximum.unwrap_or(decl.size.minimum + 2);
            let table = Table::new(decl.ty, decl.size.minimum, maximum, 0);
            values.tables.insert(name.clone(), table);
        }
    }
    let names = || module.globals().iter().filter_map(|decl| decl.import.as_ref());
    for decl in module.globals() {
        if let Some(name) = decl.import.as_ref().filter(|name| is_unique(name, names())) {
            values.globals.insert(name.clone(), imported_global(name, decl.ty));
        }
    }
    values
}

/// Loads a module that has to be valid.
pub fn load(binary: &[u8]) -> Arc<Module> {
    let module = Module::from_binary(binary, &Limits::default());
    Arc::new(module.unwrap_or_else(|error| panic!("a valid module was refused: {error}")))
}

/// A machine, and how many imported calls of it have been answered.
pub struct Session {
    pub machine: Machine,
    pub calls: u64,
}

impl Session {
    /// A machine in its outside. `None` if a segment does not fit.
    pub fn new(module: &Arc<Module>) -> Option<Session> {
        let machine =
            Machine::new(module.clone(), Limits::default(), import_values(module)).ok()?;
        Some(Session { machine, calls: 0 })
    }

    pub fn fork(&mut self) -> Session {
        Session { machine: self.machine.fork(), calls: self.calls }
    }

    /// Answers the imported call that the machine is stopped at.
    pub fn answer(&mut self) {
        let (func, args) = self.machine.import_call().expect("stopped at an import");
        let module = self.machine.module().clone();
        let ty = module.func_type(&module.funcs()[func as usize]);
        let results = answer(self.calls, func, &args, &ty.results);
        self.machine.resume(&results).expect("results of the right types");
        self.calls += 1;
    }

    /// Goes on until the call ends; `advance` is asked to run the machine as it likes.
    pub fn finish_with(&mut self, mut advance: impl FnMut(&mut Machine) -> Stop) -> End {
        loop {
            match advance(&mut self.machine) {
                Stop::Import(_) => self.answer(),
                Stop::Trap(kind) => return End::Trap(kind),
                Stop::Finished => return End::Results(self.machine.results()),
                Stop::Budget | Stop::Breakpoint | Stop::Probe => {}
            }
        }
    }

    /// Goes on at full speed until the call ends.
    pub fn finish(&mut self) -> End {
        self.finish_with(|machine| machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe))
    }

    /// Goes on until exactly `count` instructions have been executed, or the call has ended.
    pub fn run_to<P: Probe>(&mut self, count: u64, probe: &mut P) {
        while self.machine.count() < count {
            let budget = count - self.machine.count();
            match self.machine.run(budget, &Breakpoints::default(), probe) {
                Stop::Import(_) => self.answer(),
                Stop::Trap(_) | Stop::Finished => return,
                Stop::Budget => assert_eq!(self.machine.count(), count, "a budget is exact"),
                Stop::Breakpoint | Stop::Probe => panic!("not asked for"),
            }
        }
    }
}
