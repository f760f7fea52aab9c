//! Puts the linker script of the board where the linker finds it, and the programs that are
//! measured where the binary that measures finds them.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let script = match env::var_os("CARGO_FEATURE_MEASURE") {
        Some(_) => "memory/mps2-an385.x",
        None => "memory/lm3s6965.x",
    };
    fs::copy(script, folder.join("memory.x")).expect("it is there");
    println!("cargo::rustc-link-search={}", folder.display());
    println!("cargo::rerun-if-changed={script}");
    #[cfg(feature = "measure")]
    images(&folder);
}

/// Programs as images, as the host would send them.
#[cfg(feature = "measure")]
fn images(folder: &std::path::Path) {
    let programs =
        [("breakout", "../examples/breakout/breakout.wasm"), ("sensor", "measure/sensor.wat")];
    for (name, path) in programs {
        println!("cargo::rerun-if-changed={path}");
        let wasm = wat::parse_file(path).expect("it is there, and a module");
        let module = mw_vm::Module::from_binary(&wasm, &mw_vm::Limits::default());
        let module = module.expect("it is valid");
        fs::write(folder.join(format!("{name}.image")), module.to_image(false))
            .expect("it is ours");
        let main = module.exported_func("main").expect("it has a `main`");
        fs::write(folder.join(format!("{name}.entry")), main.to_string()).expect("it is ours");
    }
}
