//! Whatever comes out of untrusted bytes has to survive being used.

use std::sync::Arc;

use mw_vm::{Breakpoints, Limits, Machine, Module, NoProbe, Probe, Stop, Value};

use crate::common::generate::Rng;

/// So little that nothing made from untrusted bytes can take much.
pub const LIMITS: Limits = Limits {
    module_bytes: 1 << 20,
    function_instructions: 100_000,
    memory_pages: 32,
    resident_pages: 400,
    memories: 10,
    table_elements: 10_000,
    tables: 10,
    call_depth: 200,
    stack_slots: 100_000,
};

/// How many instructions are executed of one call.
const BUDGET: u64 = 3000;

struct Watcher;

impl Probe for Watcher {}

/// Looks at everything that there is to see of a machine.
pub fn look(machine: &mut Machine) {
    machine.hash();
    machine.save();
    machine.results();
    machine.import_call();
    machine.trap().iter().for_each(|trap| drop(trap.to_string()));
    let module = machine.module().clone();
    for frame in machine.call_stack() {
        module.func_name(frame.func);
        module.offset_of(frame.pc);
        module.local_types(frame.func);
    }
    for index in 0..module.globals().len() as u32 {
        assert!(machine.global(index).is_some());
    }
    let mut fork = machine.fork();
    assert!(*machine == fork);
    assert_eq!(machine.hash(), fork.hash());
    let _ = fork.set_local(0, 0, Value::I32(1));
    fork.abandon();
}

/// Runs a machine for a while, answering with zeros.
pub fn run(machine: &mut Machine, rng: &mut Rng) {
    let code = machine.module().code().len() as u64;
    let pcs: Vec<u32> = (0..rng.below(3)).map(|_| rng.below(code.max(1)) as u32).collect();
    let breakpoints = Breakpoints::new(machine.module(), pcs);
    let end = machine.count().saturating_add(BUDGET);
    while machine.count() < end {
        let budget = end - machine.count();
        let stop = match rng.below(3) {
            0 => machine.run(1 + rng.below(20), &breakpoints, &mut Watcher),
            1 => machine.run(budget, &breakpoints, &mut NoProbe),
            _ => machine.run(budget, &Breakpoints::default(), &mut NoProbe),
        };
        match stop {
            Stop::Import(func) => {
                let module = machine.module().clone();
                let ty = module.func_type(&module.funcs()[func as usize]);
                let zeros: Vec<Value> = ty.results.iter().map(|&ty| Value::zero(ty)).collect();
                machine.resume(&zeros).expect("zeros of the right types");
            }
            Stop::Trap(_) | Stop::Finished => break,
            Stop::Budget | Stop::Breakpoint | Stop::Probe => {}
        }
        if rng.below(30) == 0 {
            *machine = machine.fork();
        }
    }
    look(machine);
}

/// Makes machines of a module and calls all of its functions.
pub fn use_module(module: Module, rng: &mut Rng) {
    let module = Arc::new(module);
    let image = module.to_image(rng.below(2) == 0);
    Module::from_image(&image).expect("the image of a module is one");
    for index in 0..module.funcs().len().min(20) as u32 {
        let Ok(mut machine) = Machine::new(module.clone(), LIMITS, Default::default()) else {
            return;
        };
        run(&mut machine, rng);
        machine.abandon();
        let func = &module.funcs()[index as usize];
        let args = rng.values(&module.func_type(func).params);
        if machine.call(index, &args).is_ok() {
            run(&mut machine, rng);
        }
    }
}
