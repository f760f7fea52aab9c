//! What ops do with their operands: which registers they read and write, and what else they name.
//!
//! It is in the table of ops once, as the kind of each field. What an image is verified by, which
//! registers the fuser may exchange and what a probe has to know of an op follow from it.

use alloc::vec::Vec;
use core::ops::Range;

use crate::module::Module;
use crate::op::{Op, Reg, Target, with_fields};

/// The kinds of fields: what an op does with what a field names, and how wide it is.
pub(crate) mod kind {
    use crate::op::Reg;
    pub use crate::op::Target;
    use crate::value::ValType;

    /// A register that is read, and one that is written: any would do.
    pub type Read = Reg;
    pub type Write = Reg;
    /// The first of so many registers that are read.
    pub type Reads = Reg;
    /// The same, and the result goes to the first of them.
    pub type Update = Reg;
    /// The first of the registers that have what the function returns.
    pub type Results = Reg;
    /// The first of the registers of arguments, and then results, of what is called.
    pub type Base = Reg;
    /// A function of the module's own, an import, or something of that type is called.
    pub type Callee = u32;
    pub type Import = u32;
    pub type Signature = u32;
    /// Something of the module, by its index.
    pub type Func = u32;
    pub type Global = u32;
    pub type Memory = u16;
    pub type Table = u16;
    pub type Data = u32;
    pub type Elem = u32;
    /// One, or so many, of the module's list of branches.
    pub type Branch = u32;
    pub type Branches = u32;
    /// The position after the op, counted from the function's first.
    pub type Position = u32;
    /// Numbers and types that name nothing.
    pub type Slot = u64;
    pub type Count = u16;
    pub type BranchCount = u32;
    pub type Immediate = i32;
    pub type Offset = u32;
    pub type Type = ValType;
}

/// What an op does with what one of its fields names. See [`kind`].
pub(crate) enum Operand<'a> {
    Read(&'a mut Reg),
    Write(&'a mut Reg),
    /// Reads so many registers from the first one on, and may write that one.
    Consecutive {
        first: Reg,
        count: u16,
        is_written: bool,
    },
    Results {
        first: Reg,
        count: u16,
    },
    /// Calls a function that is imported or not.
    Call {
        func: u32,
        base: Reg,
        is_import: bool,
    },
    /// Calls whatever a table has, of this type.
    CallIndirect {
        ty: u32,
        base: Reg,
    },
    Func(u32),
    Global(u32),
    Memory(u16),
    Table(u16),
    Data(u32),
    Elem(u32),
    Target(&'a mut Target),
    Branches {
        first: u32,
        count: u32,
    },
    Position(u32),
}

/// Shows a field as what its [`kind`] says.
macro_rules! operand {
    ($each:ident Read $field:ident) => {
        $each(Operand::Read($field))
    };
    ($each:ident Write $field:ident) => {
        $each(Operand::Write($field))
    };
    ($each:ident Reads $first:ident $count:literal) => {
        $each(Operand::Consecutive { first: *$first, count: $count, is_written: false })
    };
    ($each:ident Update $first:ident $count:literal) => {
        $each(Operand::Consecutive { first: *$first, count: $count, is_written: true })
    };
    ($each:ident Results $first:ident $count:ident) => {
        $each(Operand::Results { first: *$first, count: *$count })
    };
    ($each:ident Callee $func:ident $base:ident) => {
        $each(Operand::Call { func: *$func, base: *$base, is_import: false })
    };
    ($each:ident Import $func:ident $base:ident) => {
        $each(Operand::Call { func: *$func, base: *$base, is_import: true })
    };
    ($each:ident Signature $ty:ident $base:ident) => {
        $each(Operand::CallIndirect { ty: *$ty, base: *$base })
    };
    ($each:ident Target $field:ident) => {
        $each(Operand::Target($field))
    };
    ($each:ident Branch $first:ident) => {
        $each(Operand::Branches { first: *$first, count: 1 })
    };
    ($each:ident Branches $first:ident $count:ident) => {
        $each(Operand::Branches { first: *$first, count: *$count })
    };
    // What names nothing, or is shown with another field.
    ($each:ident Base $field:ident) => {
        let _ = $field;
    };
    ($each:ident Slot $field:ident) => {
        let _ = $field;
    };
    ($each:ident Count $field:ident) => {
        let _ = $field;
    };
    ($each:ident BranchCount $field:ident) => {
        let _ = $field;
    };
    ($each:ident Immediate $field:ident) => {
        let _ = $field;
    };
    ($each:ident Offset $field:ident) => {
        let _ = $field;
    };
    ($each:ident Type $field:ident) => {
        let _ = $field;
    };
    ($each:ident $kind:ident $field:ident) => {
        $each(Operand::$kind(*$field))
    };
}

macro_rules! define_operands {
    ($($(#[$_doc:meta])* $op:ident { $($field:ident: $kind:ident $(($($of:tt)*))?),* };)*) => {
        impl Op {
            /// Shows `each` what the op does with what its fields name. Whoever changes what it is
            /// shown changes the op.
            pub(crate) fn operands(&mut self, mut each: impl FnMut(Operand<'_>)) {
                match self {
                    $(Op::$op { $($field),* } => {
                        $(operand!(each $kind $field $($($of)*)?);)*
                    })*
                }
            }
        }
    };
}
with_fields!(define_operands);

impl Op {
    /// The registers whose numbers it replaces by itself; not what a call returns or a branch
    /// carries.
    pub fn writes(mut self) -> Range<Reg> {
        let mut written = 0..0;
        self.operands(|operand| match operand {
            Operand::Write(&mut first) | Operand::Consecutive { first, is_written: true, .. } => {
                written = first..first + 1;
            }
            Operand::Results { count, .. } => written = 0..count,
            _ => {}
        });
        written
    }

    /// The ranges of memories that it is about as a whole: the memory, and the registers of the
    /// first address and of the length.
    pub fn ranges(mut self) -> Vec<(u16, Reg, Reg)> {
        let (mut base, mut memories) = (None, Vec::new());
        self.operands(|operand| match operand {
            Operand::Consecutive { first, count: 3, .. } => base = Some(first),
            Operand::Memory(memory) => memories.push(memory),
            _ => {}
        });
        let Some(base) = base else { return Vec::new() };
        (base..).zip(memories).map(|(start, memory)| (memory, start, base + 2)).collect()
    }

    /// Where control may go from it in a module, other than to the next op.
    pub fn jumps(mut self, module: &Module) -> Vec<u32> {
        let mut to = Vec::new();
        self.operands(|operand| match operand {
            Operand::Target(target) => to.push(target.to),
            Operand::Branches { first, count } => {
                let branches = &module.branches()[first as usize..(first + count) as usize];
                to.extend(branches.iter().map(|branch| branch.target.to));
            }
            Operand::Call { func, is_import: false, .. } => to.push(module.func_code(func).start),
            Operand::CallIndirect { ty, .. } => {
                let funcs = (0..).zip(module.funcs());
                let fits = funcs.filter(|(_, func)| func.ty == ty && func.import.is_none());
                to.extend(fits.map(|(func, _)| module.func_code(func).start));
            }
            _ => {}
        });
        to
    }

    /// The op with its result in another register.
    pub(crate) fn writing_to(mut self, dst: Reg) -> Op {
        self.operands(|operand| {
            if let Operand::Write(reg) = operand {
                *reg = dst;
            }
        });
        self
    }
}
