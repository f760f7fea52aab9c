//! Puts the linker script of the board where the linker finds it.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::copy("memory.x", folder.join("memory.x")).expect("memory.x is beside this file");
    println!("cargo::rustc-link-search={}", folder.display());
    println!("cargo::rerun-if-changed=memory.x");
}
