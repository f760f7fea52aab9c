//! Whatever comes out of untrusted bytes has to survive being used.

use std::sync::{Arc, LazyLock};

use mw_vm::{Breakpoints, Limits, Machine, Module, NoProbe, Probe, Stop, Value};

use crate::common::generate::{self, Rng};

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

/// The module that saved machines are restored into.
static MODULE: LazyLock<Arc<Module>> = LazyLock::new(|| {
    let binary = (0..).find_map(|seed| generate::module(&Rng::new(seed).bytes(4000)));
    let binary = binary.expect("one of them is a module");
    Arc::new(Module::from_binary(&binary, &LIMITS).expect("it is valid"))
});

/// Takes bytes for a module, for an image and for a saved machine. Shared with the fuzzer.
pub fn load(bytes: &[u8]) {
    let mut rng = Rng::from_bytes(bytes);
    if let Ok(module) = Module::from_binary(bytes, &LIMITS) {
        use_module(module, &mut rng);
    }
    let _ = Module::from_image(bytes);
    // With a header that is right, so that what comes after it is looked at.
    let checksum = xxhash_rust::xxh3::xxh3_128(bytes);
    let image = [b"MWI\0\x01\0", &checksum.to_le_bytes()[..], bytes].concat();
    if let Ok(module) = Module::from_image(&image) {
        use_module(module, &mut rng);
    }
    let mut restore = |saved: &[u8]| {
        if let Ok(mut machine) = Machine::restore(MODULE.clone(), saved) {
            look(&mut machine);
            run(&mut machine, &mut rng);
        }
    };
    restore(bytes);
    // Version and fingerprint as they should be, and anything after them.
    if let Ok(machine) = Machine::new(MODULE.clone(), LIMITS, Default::default()) {
        restore(&[&machine.save()[..20], bytes].concat());
    }
}
