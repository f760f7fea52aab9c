//! From a binary to the source that it was built from, and back.
//!
//! ```
//! use mw_source::Sources;
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/light-sensor/");
//! # let load = |name: &str| std::fs::read(format!("{folder}{name}")).ok();
//! let wasm = load("light-sensor.wasm").unwrap();
//! let module = mw_vm::Module::from_binary(&wasm, &Default::default())?;
//! let sources = Sources::new(&module, &wasm, &load);
//! let file = sources.find_file("light-sensor.ts")?;
//!
//! // From a line to code, and from code to a line.
//! let offset = sources.entries(file, 26)[0];
//! let location = sources.location(offset).unwrap();
//! assert_eq!(sources.show(location), "light-sensor.ts:26:9");
//! assert_eq!(sources.branch_text(offset).unwrap(), "light < THRESHOLD");
//!
//! // A line without code is none to stop at.
//! assert_eq!(sources.line_with_code(file, 14), Some(16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where code comes from is read from DWARF 4 and 5 (clang, rustc) or from a source map
//! (AssemblyScript); [`Sources::disassembled`] takes the module's own text for modules without
//! either. Offsets are those of the binary, as [`mw_vm::Module::offset_of`] gives them.
//!
//! Beyond lines there are [frames](Sources::frames), with those of inlined functions; their
//! [variables](Sources::variables), whose values are read from a [`Storage`]; and
//! [expressions](Expression) over these and the machine's own cells, for all programs.
//!
//! **Architecture invariant:** no I/O; files come through a [`Loader`].
//!
//! **Architecture invariant:** debug information is not trusted. What is wrong with it costs
//! information and becomes a warning ([`Sources::warnings`]).

mod assemblyscript;
mod binary;
mod branch;
mod disassembly;
mod dwarf;
mod elements;
mod expression;
mod file;
mod frame;
mod functions;
mod info;
mod line_table;
mod local_names;
mod location;
mod names;
mod parameters;
mod path;
mod show;
mod source_map;
mod sources;
mod storage;
mod suggest;
mod tokens;
mod value;
mod variable;
mod warnings;

pub use expression::{
    EvaluateError, Expression, Format, Names, Number, NumberType, Operator, Tree, TypeDescription,
    TypeName,
};
pub use file::{FindFileError, SourceFile, is_library};
pub use frame::Frame;
pub use functions::{function_names, functions_named};
pub use info::Language;
pub use local_names::LocalNames;
pub use location::{FileId, Location};
pub use parameters::Parameter;
pub use sources::Sources;
pub use storage::{MachineFrame, Storage};
pub use suggest::did_you_mean;
pub use variable::{Content, Variable};

/// Gives the content of a file by its name: a source map, a source, separate debug information.
///
/// The names are written in the module, which need not be trusted; relative ones are relative to
/// it. Whoever loads decides what may be read.
///
/// [`DEBUG_FILE`] is asked for first: debug information that a person names, before all that the
/// module says about it.
pub type Loader<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// Stands for the name of separate debug information that a person has given.
pub const DEBUG_FILE: &str = "the debug file";
