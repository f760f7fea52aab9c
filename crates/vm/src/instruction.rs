//! The instructions of step code by families, for whoever has to say something about each of them.
//!
//! A program has more than two hundred ops, but they are few kinds of things: what computes a
//! number is one, what loads or stores one another. [`Instruction`] is made from the table of ops,
//! and is matched without a wildcard: an op that is new to the table does not compile until all who
//! follow what programs do know what it means.

use crate::numeric_op::{NumericOp, type_at};
use crate::op::{Op, Reg, with_ops};
use crate::operand::kind;
use crate::value::ValType;

/// A numeric instruction: what it computes, from where, to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numeric {
    /// What it computes.
    pub op: NumericOp,
    /// Where the result goes.
    pub dst: Reg,
    /// Its operand, or the left one.
    pub lhs: Reg,
    /// Its right operand, if it has one.
    pub rhs: Option<Reg>,
}

/// A load or store of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// The register of the address, to which the offset is added.
    pub address: Reg,
    /// The memory, by its index.
    pub memory: u16,
    /// What is added to the address.
    pub offset: u32,
    /// How many bytes.
    pub size: u8,
    /// Where the number comes from, or goes to.
    pub register: Reg,
    /// Its type there.
    pub ty: ValType,
    /// Whether it is a load.
    pub is_load: bool,
    /// Whether what is loaded has a sign, which fills what the bytes leave of the number.
    pub is_signed: bool,
}

macro_rules! define_instructions {
    (
        unary { $($unary:ident $_u:ident;)* }
        unary_trapping { $($unary_trapping:ident $_ut:ident;)* }
        binary { $($binary:ident $binary_imm:ident $_b:ident;)* }
        compare { $($compare:ident $compare_imm:ident $br_if:ident $br_if_imm:ident $_c:ident;)* }
        binary_trapping { $($binary_trapping:ident $binary_trapping_imm:ident $_bt:ident;)* }
        binary_float { $($binary_float:ident $_bf:ident;)* }
        load { $($load:ident $loaded:ident $_ls:ident;)* }
        store { $($store:ident $stored:ident;)* }
        other {
            $($(#[$doc:meta])* $other:ident { $($field:ident: $kind:ident $(($($_of:tt)*))?),* };)*
        }
        fast { $($(#[$_fast_doc:meta])* $fast:ident;)* }
    ) => {
        /// An instruction of step code. See the [module](self).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are WebAssembly's own, the fields slots")]
        pub enum Instruction {
            /// Computes a number.
            Numeric(Numeric),
            /// Loads or stores a number.
            Access(MemoryAccess),
            $($(#[$doc])* $other { $($field: kind::$kind),* },)*
        }

        impl Op {
            /// The instruction that it is, unless only fast code has it.
            ///
            /// Inlined into who asks at each instruction: matched at once, nothing is made for it.
            #[inline(always)]
            pub fn instruction(self) -> Option<Instruction> {
                let unary = |op, dst, src| {
                    Some(Instruction::Numeric(Numeric { op, dst, lhs: src, rhs: None }))
                };
                let binary = |op, dst, lhs, rhs| {
                    Some(Instruction::Numeric(Numeric { op, dst, lhs, rhs: Some(rhs) }))
                };
                match self {
                    $(Op::$unary { dst, src } => unary(NumericOp::$unary, dst, src),)*
                    $(Op::$unary_trapping { dst, src } => {
                        unary(NumericOp::$unary_trapping, dst, src)
                    })*
                    $(Op::$binary { dst, lhs, rhs } => binary(NumericOp::$binary, dst, lhs, rhs),)*
                    $(Op::$compare { dst, lhs, rhs } => {
                        binary(NumericOp::$compare, dst, lhs, rhs)
                    })*
                    $(Op::$binary_trapping { dst, lhs, rhs } => {
                        binary(NumericOp::$binary_trapping, dst, lhs, rhs)
                    })*
                    $(Op::$binary_float { dst, lhs, rhs } => {
                        binary(NumericOp::$binary_float, dst, lhs, rhs)
                    })*
                    $(Op::$load { dst, address, memory, offset } => {
                        Some(Instruction::Access(MemoryAccess {
                            address, memory, offset, size: size_of::<$loaded>() as u8,
                            register: dst, ty: const { type_of(stringify!($load)) },
                            is_load: true, is_signed: $loaded::MIN != 0,
                        }))
                    })*
                    $(Op::$store { address, value, memory, offset } => {
                        Some(Instruction::Access(MemoryAccess {
                            address, memory, offset, size: size_of::<$stored>() as u8,
                            register: value, ty: const { type_of(stringify!($store)) },
                            is_load: false, is_signed: false,
                        }))
                    })*
                    $(Op::$other { $($field),* } => Some(Instruction::$other { $($field),* }),)*
                    $(Op::$binary_imm { .. })|* $(| Op::$binary_trapping_imm { .. })*
                    $(| Op::$compare_imm { .. } | Op::$br_if { .. } | Op::$br_if_imm { .. })*
                    $(| Op::$fast {})* => None,
                }
            }
        }
    };
}
with_ops!(define_instructions);

impl Op {
    /// The load or store of a number that this is, if it is one.
    #[inline(never)]
    pub fn access(self) -> Option<MemoryAccess> {
        match self.instruction() {
            Some(Instruction::Access(access)) => Some(access),
            _ => None,
        }
    }
}

/// The type that an op's name begins with.
const fn type_of(name: &str) -> ValType {
    match type_at(name.as_bytes(), 0) {
        Some(ty) => ty,
        None => panic!("loads and stores begin with the type of their number"),
    }
}
