//! Building the example programs and those of the benchmarks.
//!
//! Modules are checked in beside their sources, so that only whoever changes a
//! source needs a compiler. A program is found by its place: any `.ts`, `.c`, `.rs` or
//! `.wat` file in a folder of `examples`, a `.c` or `.wat` file in `benches/kernels`,
//! `benches/explore` or `benches/actors`. What several programs share lies elsewhere: in `examples` itself,
//! in a folder within an example's folder, or in `bindings`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::scratch::ScratchFolder;
use crate::{process, project, setup, source_map};

/// A program with its source.
pub struct Program {
    source: PathBuf,
    language: Language,
}

/// What a source is written in, which decides how it is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Built by the npm package of `examples/package.json`, with a source map.
    AssemblyScript,
    /// Built by clang, without a standard library.
    C,
    /// Built by rustc, without a standard library; it may use the crate in `bindings/rust`.
    Rust,
    /// The text format of WebAssembly; no compiler needed.
    Wat,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::AssemblyScript, Self::C, Self::Rust, Self::Wat];

    fn of(source: &Path) -> Option<Self> {
        match source.extension()?.to_str()? {
            "ts" => Some(Self::AssemblyScript),
            "c" => Some(Self::C),
            "rs" => Some(Self::Rust),
            "wat" => Some(Self::Wat),
            _ => None,
        }
    }

    /// Install this language's compiler if it is missing.
    pub fn set_up(self) -> Result<()> {
        match self {
            Self::AssemblyScript => setup::assemblyscript(),
            Self::C => setup::clang(),
            Self::Rust => setup::wasm_target(),
            Self::Wat => Ok(()),
        }
    }

    /// Is its compiler, once it is installed, the one that the checked-in modules come from?
    pub fn gives_the_same_bytes(self) -> Result<()> {
        let (compiler, found, wanted) = match self {
            Self::C => ("clang", setup::clang_version(), setup::CLANG_VERSION),
            Self::Rust => ("rustc", setup::rustc_version(), setup::RUSTC_VERSION),
            // A package of exactly that version, and a library.
            Self::AssemblyScript | Self::Wat => return Ok(()),
        };
        let found = found.unwrap_or_else(|| "of unknown version".into());
        if found != wanted {
            bail!("the modules come from {compiler} {wanted}, here is {found}");
        }
        Ok(())
    }
}

impl Program {
    /// The language of the source.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The source's path from the root of the repository.
    pub fn shown(&self) -> String {
        project::shown(&self.source)
    }

    /// The folder of the source and the checked-in module.
    pub fn folder(&self) -> &Path {
        self.source.parent().expect("a source lies in a folder")
    }

    fn name(&self) -> String {
        self.source.file_stem().expect("a source has a name").to_string_lossy().into_owned()
    }

    /// The names of the files that building makes.
    pub fn products(&self) -> Vec<String> {
        let module = format!("{}.wasm", self.name());
        match self.language {
            Language::AssemblyScript => vec![module.clone(), format!("{module}.map")],
            Language::C | Language::Rust | Language::Wat => vec![module],
        }
    }

    /// Build the program into a folder. The result does not depend on where the repository or
    /// the folder is.
    pub fn build(&self, into: &Path) -> Result<()> {
        let module = into.join(format!("{}.wasm", self.name()));
        let built = match self.language {
            Language::AssemblyScript => self.build_assemblyscript(&module),
            Language::C => self.build_c(&module),
            Language::Rust => self.build_rust(&module),
            Language::Wat => self.build_wat(&module),
        };
        built.with_context(|| format!("could not build {}", self.shown()))
    }

    /// Unoptimised, so that every line and variable is still there to be debugged; `abort` traps
    /// instead of being an import.
    fn build_assemblyscript(&self, module: &Path) -> Result<()> {
        let compiler = project::examples().join("node_modules/assemblyscript/bin/asc.js");
        let source = self.source.file_name().expect("a source has a name");
        let mut node = process::command("node");
        // Paths in names and in the map are relative to where the compiler runs.
        node.current_dir(self.folder());
        node.arg(compiler).arg(source).arg("--outFile").arg(module);
        node.args(["--debug", "--sourceMap", "--runtime", "stub", "--use", "abort="]);
        process::run(&mut node)?;

        let map = module.with_extension("wasm.map");
        let text = fs::read_to_string(&map).context("the compiler wrote no source map")?;
        fs::write(&map, source_map::tidied(&text)?)?;
        Ok(())
    }

    fn build_c(&self, module: &Path) -> Result<()> {
        let mut clang = process::command(setup::CLANG);
        clang.current_dir(self.folder());
        clang.args(["--target=wasm32", "-Wall", "-Wextra", "-Werror"]);
        // No library, and no loop turned into a call of one.
        clang.args(["-nostdlib", "-ffreestanding", "-fno-builtin"]);
        // No compiler version in the module.
        clang.arg("-Qn");
        clang.arg(format!("-fuse-ld={}", path_of(setup::WASM_LD)?.display()));
        // A kernel exports `run`; other programs say themselves what they export.
        clang.args(["-Wl,--no-entry", "-Wl,--export-if-defined=run"]);
        if self.is_example() {
            // Every function stays one, for breakpoints and properties.
            clang.args(["-Og", "-fno-inline", "-g", "-fdebug-compilation-dir=."]);
        } else {
            clang.args(["-O2", "-Wl,--strip-debug"]);
        }
        clang.arg(self.source.file_name().expect("a source has a name"));
        clang.arg("-o").arg(module);
        process::run(&mut clang)?;
        make_plain_file(module)
    }

    /// With the whole program optimised as one: otherwise the linker keeps the debug information
    /// of whole libraries.
    fn build_rust(&self, module: &Path) -> Result<()> {
        let scratch = ScratchFolder::new()?;
        let library = scratch.path().join("libmanyworlds_actor.rlib");
        let mut rustc = self.rustc();
        rustc.args(["--crate-type=rlib", "--crate-name=manyworlds_actor"]);
        rustc.args(["--cfg", "feature=\"panic\""]).arg(project::rust_bindings().join("src/lib.rs"));
        process::run(rustc.arg("-o").arg(&library))?;

        let mut rustc = self.rustc();
        // A small stack, as every actor has one.
        rustc.args(["--crate-type=cdylib", "-Clto=fat", "-Clink-arg=-zstack-size=16384"]);
        rustc.arg("--extern").arg(format!("manyworlds_actor={}", library.display()));
        rustc.arg(self.source.file_name().expect("a source has a name"));
        process::run(rustc.arg("-o").arg(module))?;
        make_plain_file(module)
    }

    fn rustc(&self) -> Command {
        let mut rustc = process::command("rustc");
        rustc.current_dir(self.folder());
        rustc.args(["--edition=2024", "--target", setup::WASM_TARGET, "--deny=warnings"]);
        rustc.args(["-Copt-level=s", "-Cpanic=abort", "-Ccodegen-units=1", "-Cdebuginfo=2"]);
        // Paths are relative to the module. Of several that fit, the last one counts.
        for (from, to) in [(project::root(), "../.."), (self.folder(), ".")] {
            rustc.arg(format!("--remap-path-prefix={}={to}", from.display()));
        }
        rustc
    }

    /// Examples are there to be debugged, programs of the benchmarks to be quick.
    fn is_example(&self) -> bool {
        self.source.starts_with(project::examples())
    }

    fn build_wat(&self, module: &Path) -> Result<()> {
        let text = fs::read_to_string(&self.source)?;
        // From a string, not from the file: no path can get into the module.
        fs::write(module, wat::parse_str(text)?)?;
        Ok(())
    }
}

/// `cargo xtask examples`: build everything in place.
pub fn rebuild_all() -> Result<()> {
    let programs = find_all()?;
    for program in &programs {
        program.language().set_up()?;
        program.build(program.folder())?;
    }
    println!("{} programs rebuilt", programs.len());
    for language in [Language::C, Language::Rust] {
        if let Err(reason) = language.gives_the_same_bytes() {
            println!(
                "CAUTION: {reason}; before {language:?} programs are checked in, change the \
                 version in xtask/src/setup.rs"
            );
        }
    }
    Ok(())
}

/// All programs whose modules are checked in, examples first, by name.
pub fn find_all() -> Result<Vec<Program>> {
    let mut sources = Vec::new();
    for folder in entries(&project::examples())? {
        let name = folder.file_name().unwrap_or_default();
        if folder.is_dir() && name != "node_modules" {
            sources.extend(entries(&folder)?);
        }
    }
    sources.extend(entries(&project::kernels())?);
    sources.extend(entries(&project::explored())?);
    sources.extend(entries(&project::actors())?);
    let program =
        |source: PathBuf| Language::of(&source).map(|language| Program { source, language });
    Ok(sources.into_iter().filter_map(program).collect())
}

/// What is in a folder, sorted.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut entries =
        read().with_context(|| format!("could not list {}", project::shown(folder)))?;
    entries.sort();
    Ok(entries)
}

/// clang wants its linker by full path when the name has a version in it.
fn path_of(program: &str) -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
        .with_context(|| format!("{program} is not on the PATH"))
}

/// The linker marks modules as executable, which they are not for the operating system.
#[cfg(unix)]
fn make_plain_file(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o644))?)
}

#[cfg(not(unix))]
fn make_plain_file(_path: &Path) -> Result<()> {
    Ok(())
}
