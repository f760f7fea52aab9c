//! Whatever the bytes are: as a module, as an image and as a saved machine they are an error, or
//! something that can be used.

#![no_main]

#[path = "../../crates/vm/tests/common"]
mod common {
    pub mod generate;
    pub mod survive;
}

use std::sync::{Arc, LazyLock};

use common::generate::{self, Rng};
use common::survive::{LIMITS, look, run, use_module};
use mw_vm::{Machine, Module};

/// The module that saved machines are restored into.
static MODULE: LazyLock<Arc<Module>> = LazyLock::new(|| {
    let binary = (0..).find_map(|seed| generate::module(&Rng::new(seed).bytes(4000)));
    let binary = binary.expect("one of them is a module");
    Arc::new(Module::from_binary(&binary, &LIMITS).expect("it is valid"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
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
    let mut saved = Machine::new(MODULE.clone(), LIMITS, Default::default())
        .map(|machine| machine.save())
        .unwrap_or_default();
    if let Ok(mut machine) = Machine::restore(MODULE.clone(), bytes) {
        look(&mut machine);
        run(&mut machine, &mut rng);
    }
    // Version and fingerprint as they should be, and anything after them.
    saved.truncate(20);
    saved.extend(bytes);
    if let Ok(mut machine) = Machine::restore(MODULE.clone(), &saved) {
        look(&mut machine);
        run(&mut machine, &mut rng);
    }
});
