//! Makes a table of the page's files, so that they become part of the binary.
//!
//! The page is built by `cargo xtask ui` into `ui/dist`. Where it has not been built, the table
//! is empty, and the server says how to build it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui");
    let dist = root.join("dist");
    let mut files = Vec::new();
    if dist.is_dir() {
        list(&dist, &mut files)?;
        println!("cargo::rerun-if-changed={}", dist.display());
    } else if root.is_dir() {
        // Until `dist` appears in it.
        println!("cargo::rerun-if-changed={}", root.display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&dist).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        let path = fs::canonicalize(file)?;
        writeln!(table, "    ({name:?}, include_bytes!({path:?}).as_slice()),")
            .map_err(io::Error::other)?;
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    fs::write(out.join("files.rs"), table)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
