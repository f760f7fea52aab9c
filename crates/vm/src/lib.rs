//! A deterministic, forkable WebAssembly machine.
//!
//! ```
//! # #[cfg(feature = "lower")] {
//! use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop, Value};
//!
//! let wasm = wat::parse_str(
//!     r#"(module
//!          (import "env" "read" (func $read (result i32)))
//!          (func (export "double") (result i32) (i32.mul (call $read) (i32.const 2))))"#,
//! )?;
//! let module = std::sync::Arc::new(Module::from_binary(&wasm, &Limits::default())?);
//! let mut machine = Machine::new(module.clone(), Limits::default(), ImportValues::default())?;
//! machine.call(module.exported_func("double").unwrap(), &[])?;
//!
//! // The machine stops where it needs the outside: here the program reads an input.
//! let stop = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe);
//! assert_eq!(stop, Stop::Import(0));
//!
//! // In another universe the same input reads something else.
//! let mut other = machine.fork();
//! for (machine, input) in [(&mut machine, 4), (&mut other, 33)] {
//!     machine.resume(&[Value::I32(input)])?;
//!     assert_eq!(machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe), Stop::Finished);
//!     assert_eq!(machine.results(), [Value::I32(2 * input)]);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `lower` | yes | [`Module::from_binary`]: decoding, validating and lowering WebAssembly. A device leaves it out and loads an image with [`Module::from_image`]. |
//! | `fast` | with `lower` | executing fast code. Without, every module is executed step by step, in half the flash. |
//!
//! The crate is `no_std`, does no I/O and has no global state; everything is `Send`.

#![no_std]

extern crate alloc;

mod breakpoints;
mod cell;
mod fuse;
mod image;
mod instruction;
mod limits;
#[cfg(feature = "lower")]
mod lower;
mod machine;
mod memory;
mod module;
mod numeric;
mod numeric_op;
mod op;
mod operand;
mod probe;
mod table;
mod trap;
mod value;

pub use breakpoints::Breakpoints;
pub use cell::{Cell, Load};
pub use image::ImageError;
pub use instruction::{Instruction, MemoryAccess, Numeric};
pub use limits::Limits;
#[cfg(feature = "lower")]
pub use lower::{LoadError, readable_name};
pub use machine::{
    CallError, CallFrame, Frozen, ImportValues, InstantiateError, Machine, RestoreError,
    ResumeError, Status, Stop, TrapReport,
};
pub use memory::{Memory, OutOfBounds, PAGE_SIZE, WASM_PAGE_SIZE, WriteError};
pub use module::{
    Code, ConstExpr, ConstOp, DataSegment, ElemMode, ElemSegment, Extern, Func, GlobalDecl,
    ImportName, MemoryDecl, Module, Size, TableDecl,
};
pub use numeric_op::NumericOp;
pub use op::{MovingBranch, Op, Reg, Target};
pub use probe::{Access, Frame, NoProbe, Probe};
pub use table::Table;
pub use trap::TrapKind;
pub use value::{FuncType, ValType, Value};
