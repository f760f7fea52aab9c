//! The internal code: one [`Op`] for each source instruction, in register form.
//!
//! WebAssembly's operand stack has a height known at every instruction, so an operand *is* a slot
//! of the frame: parameters and locals first, then the operand stack. Every op names its slots.
//! That gives one op set two uses:
//!
//! * the **step code** has exactly one op per source instruction, operands on the stack, and is
//!   what single steps, probes and exact stops execute;
//! * the **fast code** (see [`fuse`](crate::fuse)) has the same ops with operands taken from where
//!   they already lie, and fewer of them.
//!
//! `block`, `loop` and inner `end` do nothing at run time: they have no op and are not counted.
//! `else` (the jump over it) and the `end` of a function (its return) do and are.

use serde::{Deserialize, Serialize};

use crate::operand::kind;

/// A slot of the current frame.
pub type Reg = u16;

/// A branch: where it goes and what that costs.
///
/// `delta` is by how much [the remaining budget](crate::machine) shrinks beyond what falling
/// through would cost; it makes counting free wherever control does not jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The index of the op to go to.
    pub to: u32,
    /// Position after the branch minus position of the target, both counted from the function's
    /// first instruction.
    pub delta: i32,
}

/// A branch that carries values down the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovingBranch {
    /// Where to go.
    pub target: Target,
    /// The first slot that the values are in.
    pub from: Reg,
    /// The first slot that they go to.
    pub to: Reg,
    /// How many there are.
    pub count: u16,
}

/// Calls the macro `$then` with the table of all ops: those that come in families with their name
/// (which is also `wasmparser`'s) and what gives them meaning (a function of
/// [`numeric`](crate::numeric), or the types in memory and in the slot), the others with their
/// fields and the [kind of each](crate::operand::kind), and those that only fast code has. The
/// order is that of the ops' numbers.
macro_rules! with_ops {
    ($then:ident) => {
        $crate::op::with_ops! { [$then] }
    };
    ([$($then:tt)*] $($for:ident)?) => {
        $($then)*! {
            $($for)?
            unary {
                I32Clz i32_clz;
                I32Ctz i32_ctz;
                I32Popcnt i32_popcnt;
                I32Eqz i32_eqz;
                I64Clz i64_clz;
                I64Ctz i64_ctz;
                I64Popcnt i64_popcnt;
                I64Eqz i64_eqz;
                I32Extend8S i32_extend8_s;
                I32Extend16S i32_extend16_s;
                I64Extend8S i64_extend8_s;
                I64Extend16S i64_extend16_s;
                I64Extend32S i64_extend32_s;
                F32Abs f32_abs;
                F32Neg f32_neg;
                F32Ceil f32_ceil;
                F32Floor f32_floor;
                F32Trunc f32_trunc;
                F32Nearest f32_nearest;
                F32Sqrt f32_sqrt;
                F64Abs f64_abs;
                F64Neg f64_neg;
                F64Ceil f64_ceil;
                F64Floor f64_floor;
                F64Trunc f64_trunc;
                F64Nearest f64_nearest;
                F64Sqrt f64_sqrt;
                I32WrapI64 i32_wrap_i64;
                I64ExtendI32S i64_extend_i32_s;
                I64ExtendI32U i64_extend_i32_u;
                I32TruncSatF32S i32_trunc_sat_f32_s;
                I32TruncSatF32U i32_trunc_sat_f32_u;
                I32TruncSatF64S i32_trunc_sat_f64_s;
                I32TruncSatF64U i32_trunc_sat_f64_u;
                I64TruncSatF32S i64_trunc_sat_f32_s;
                I64TruncSatF32U i64_trunc_sat_f32_u;
                I64TruncSatF64S i64_trunc_sat_f64_s;
                I64TruncSatF64U i64_trunc_sat_f64_u;
                F32ConvertI32S f32_convert_i32_s;
                F32ConvertI32U f32_convert_i32_u;
                F32ConvertI64S f32_convert_i64_s;
                F32ConvertI64U f32_convert_i64_u;
                F64ConvertI32S f64_convert_i32_s;
                F64ConvertI32U f64_convert_i32_u;
                F64ConvertI64S f64_convert_i64_s;
                F64ConvertI64U f64_convert_i64_u;
                F32DemoteF64 f32_demote_f64;
                F64PromoteF32 f64_promote_f32;
                I32ReinterpretF32 i32_reinterpret_f32;
                I64ReinterpretF64 i64_reinterpret_f64;
                F32ReinterpretI32 f32_reinterpret_i32;
                F64ReinterpretI64 f64_reinterpret_i64;
                RefIsNull ref_is_null;
            }
            unary_trapping {
                I32TruncF32S i32_trunc_f32_s;
                I32TruncF32U i32_trunc_f32_u;
                I32TruncF64S i32_trunc_f64_s;
                I32TruncF64U i32_trunc_f64_u;
                I64TruncF32S i64_trunc_f32_s;
                I64TruncF32U i64_trunc_f32_u;
                I64TruncF64S i64_trunc_f64_s;
                I64TruncF64U i64_trunc_f64_u;
            }
            binary {
                I32Add I32AddImm i32_add;
                I32Sub I32SubImm i32_sub;
                I32Mul I32MulImm i32_mul;
                I32And I32AndImm i32_and;
                I32Or I32OrImm i32_or;
                I32Xor I32XorImm i32_xor;
                I32Shl I32ShlImm i32_shl;
                I32ShrS I32ShrSImm i32_shr_s;
                I32ShrU I32ShrUImm i32_shr_u;
                I32Rotl I32RotlImm i32_rotl;
                I32Rotr I32RotrImm i32_rotr;
                I64Add I64AddImm i64_add;
                I64Sub I64SubImm i64_sub;
                I64Mul I64MulImm i64_mul;
                I64And I64AndImm i64_and;
                I64Or I64OrImm i64_or;
                I64Xor I64XorImm i64_xor;
                I64Shl I64ShlImm i64_shl;
                I64ShrS I64ShrSImm i64_shr_s;
                I64ShrU I64ShrUImm i64_shr_u;
                I64Rotl I64RotlImm i64_rotl;
                I64Rotr I64RotrImm i64_rotr;
            }
            compare {
                I32Eq I32EqImm BrIfI32Eq BrIfI32EqImm i32_eq;
                I32Ne I32NeImm BrIfI32Ne BrIfI32NeImm i32_ne;
                I32LtS I32LtSImm BrIfI32LtS BrIfI32LtSImm i32_lt_s;
                I32LtU I32LtUImm BrIfI32LtU BrIfI32LtUImm i32_lt_u;
                I32GtS I32GtSImm BrIfI32GtS BrIfI32GtSImm i32_gt_s;
                I32GtU I32GtUImm BrIfI32GtU BrIfI32GtUImm i32_gt_u;
                I32LeS I32LeSImm BrIfI32LeS BrIfI32LeSImm i32_le_s;
                I32LeU I32LeUImm BrIfI32LeU BrIfI32LeUImm i32_le_u;
                I32GeS I32GeSImm BrIfI32GeS BrIfI32GeSImm i32_ge_s;
                I32GeU I32GeUImm BrIfI32GeU BrIfI32GeUImm i32_ge_u;
                I64Eq I64EqImm BrIfI64Eq BrIfI64EqImm i64_eq;
                I64Ne I64NeImm BrIfI64Ne BrIfI64NeImm i64_ne;
                I64LtS I64LtSImm BrIfI64LtS BrIfI64LtSImm i64_lt_s;
                I64LtU I64LtUImm BrIfI64LtU BrIfI64LtUImm i64_lt_u;
                I64GtS I64GtSImm BrIfI64GtS BrIfI64GtSImm i64_gt_s;
                I64GtU I64GtUImm BrIfI64GtU BrIfI64GtUImm i64_gt_u;
                I64LeS I64LeSImm BrIfI64LeS BrIfI64LeSImm i64_le_s;
                I64LeU I64LeUImm BrIfI64LeU BrIfI64LeUImm i64_le_u;
                I64GeS I64GeSImm BrIfI64GeS BrIfI64GeSImm i64_ge_s;
                I64GeU I64GeUImm BrIfI64GeU BrIfI64GeUImm i64_ge_u;
            }
            binary_trapping {
                I32DivS I32DivSImm i32_div_s;
                I32DivU I32DivUImm i32_div_u;
                I32RemS I32RemSImm i32_rem_s;
                I32RemU I32RemUImm i32_rem_u;
                I64DivS I64DivSImm i64_div_s;
                I64DivU I64DivUImm i64_div_u;
                I64RemS I64RemSImm i64_rem_s;
                I64RemU I64RemUImm i64_rem_u;
            }
            binary_float {
                F32Add f32_add;
                F32Sub f32_sub;
                F32Mul f32_mul;
                F32Div f32_div;
                F32Min f32_min;
                F32Max f32_max;
                F32Copysign f32_copysign;
                F32Eq f32_eq;
                F32Ne f32_ne;
                F32Lt f32_lt;
                F32Gt f32_gt;
                F32Le f32_le;
                F32Ge f32_ge;
                F64Add f64_add;
                F64Sub f64_sub;
                F64Mul f64_mul;
                F64Div f64_div;
                F64Min f64_min;
                F64Max f64_max;
                F64Copysign f64_copysign;
                F64Eq f64_eq;
                F64Ne f64_ne;
                F64Lt f64_lt;
                F64Gt f64_gt;
                F64Le f64_le;
                F64Ge f64_ge;
            }
            load {
                I32Load u32 u32;
                I64Load u64 u64;
                F32Load u32 u32;
                F64Load u64 u64;
                I32Load8S i8 i32;
                I32Load8U u8 u32;
                I32Load16S i16 i32;
                I32Load16U u16 u32;
                I64Load8S i8 i64;
                I64Load8U u8 u64;
                I64Load16S i16 i64;
                I64Load16U u16 u64;
                I64Load32S i32 i64;
                I64Load32U u32 u64;
            }
            store {
                I32Store u32;
                I64Store u64;
                F32Store u32;
                F64Store u64;
                I32Store8 u8;
                I32Store16 u16;
                I64Store8 u8;
                I64Store16 u16;
                I64Store32 u32;
            }
            other {
                Unreachable {};
                /// `nop` and `drop`: only the count changes.
                Nop {};
                /// `local.get`, `local.set` and `local.tee`.
                Copy { dst: Write, src: Read };
                Const { dst: Write, value: Slot };
                /// The type is for probes.
                Select { dst: Write, condition: Read, then: Read, otherwise: Read, ty: Type };
                GlobalGet { dst: Write, global: Global };
                GlobalSet { src: Read, global: Global };
                Br { target: Target };
                BrIf { condition: Read, target: Target };
                BrUnless { condition: Read, target: Target };
                /// A branch of the module's list of [`MovingBranch`](crate::MovingBranch)es.
                BrMoving { branch: Branch };
                BrIfMoving { condition: Read, branch: Branch };
                /// `count` consecutive branches of that list, the last one the default.
                BrTable { index: Read, first: Branches(count), count: BranchCount };
                /// `next` is the position after this instruction, counted from the function's first.
                Return { first: Results(count), count: Count, next: Position };
                Call { base: Base, func: Callee(base), next: Position };
                CallIndirect { table: Table, index: Read, base: Base, ty: Signature(base), next: Position };
                /// A call of an imported function stops the machine.
                CallImport { base: Base, func: Import(base) };
                ReturnCall { base: Base, func: Callee(base), next: Position };
                ReturnCallImport { base: Base, func: Import(base) };
                ReturnCallIndirect { table: Table, index: Read, base: Base, ty: Signature(base), next: Position };
                RefFunc { dst: Write, func: Func };
                MemorySize { dst: Write, memory: Memory };
                MemoryGrow { slot: Update(1), memory: Memory };
                /// The operands of this and the following are in consecutive slots from `base`.
                MemoryFill { base: Reads(3), memory: Memory };
                MemoryCopy { base: Reads(3), to: Memory, from: Memory };
                MemoryInit { base: Reads(3), memory: Memory, segment: Data };
                DataDrop { segment: Data };
                TableGet { slot: Update(1), table: Table };
                TableSet { base: Reads(2), table: Table };
                TableSize { dst: Write, table: Table };
                TableGrow { base: Update(2), table: Table };
                TableFill { base: Reads(3), table: Table };
                TableCopy { base: Reads(3), to: Table, from: Table };
                TableInit { base: Reads(3), table: Table, segment: Elem };
                ElemDrop { segment: Elem };
            }
            fast {
                /// Go on in step code: there is something to stop at or to look at in this block.
                Leave;
            }
        }
    };
}
pub(crate) use with_ops;

/// Calls the macro `$then` with all ops in the order of their numbers, whatever their family, each
/// with its fields and the [kind of each](crate::operand::kind).
macro_rules! with_fields {
    ($then:ident) => {
        $crate::op::with_ops! { [$crate::op::add_fields] $then }
    };
}
pub(crate) use with_fields;

macro_rules! add_fields {
    (
        $then:ident
        unary { $($unary:ident $_u:ident;)* }
        unary_trapping { $($unary_trapping:ident $_ut:ident;)* }
        binary { $($binary:ident $binary_imm:ident $_b:ident;)* }
        compare { $($compare:ident $compare_imm:ident $br_if:ident $br_if_imm:ident $_c:ident;)* }
        binary_trapping { $($binary_trapping:ident $binary_trapping_imm:ident $_bt:ident;)* }
        binary_float { $($binary_float:ident $_bf:ident;)* }
        load { $($load:ident $_lm:ident $_ls:ident;)* }
        store { $($store:ident $_sm:ident;)* }
        other { $($other:tt)* }
        fast { $($(#[$fast_doc:meta])* $fast:ident;)* }
    ) => {
        $then! {
            $($unary { dst: Write, src: Read };)*
            $($unary_trapping { dst: Write, src: Read };)*
            $(
                $binary { dst: Write, lhs: Read, rhs: Read };
                $binary_imm { dst: Write, lhs: Read, imm: Immediate };
            )*
            $(
                $compare { dst: Write, lhs: Read, rhs: Read };
                $compare_imm { dst: Write, lhs: Read, imm: Immediate };
                $br_if { lhs: Read, rhs: Read, target: Target };
                $br_if_imm { lhs: Read, imm: Immediate, target: Target };
            )*
            $(
                $binary_trapping { dst: Write, lhs: Read, rhs: Read };
                $binary_trapping_imm { dst: Write, lhs: Read, imm: Immediate };
            )*
            $($binary_float { dst: Write, lhs: Read, rhs: Read };)*
            $($load { dst: Write, address: Read, memory: Memory, offset: Offset };)*
            $($store { address: Read, value: Read, memory: Memory, offset: Offset };)*
            $($other)*
            $($(#[$fast_doc])* $fast {};)*
        }
    };
}
pub(crate) use add_fields;

macro_rules! define_ops {
    ($($(#[$doc:meta])* $op:ident { $($field:ident: $kind:ident $(($($_of:tt)*))?),* };)*) => {
        /// One instruction of the internal code. See the [module](self).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the names are WebAssembly's own, the fields slots")]
        #[repr(u16)]
        pub enum Op {
            $($(#[$doc])* $op { $($field: kind::$kind),* },)*
        }
    };
}
with_fields!(define_ops);

// The interpreter's speed rests on this size (four ops to a cache line), and on fields that lie in
// the order in which they are declared.
const _: () = assert!(size_of::<Op>() == 16);

/// An op that computes something from two registers, and its other forms.
pub(crate) struct Binary {
    pub dst: Reg,
    pub lhs: Reg,
    pub rhs: Reg,
    pub immediate: Option<MakeImmediate>,
    pub branch: Option<MakeBranch>,
}

/// The forms of a comparison that decides a branch: of two registers, and with an immediate.
pub(crate) type MakeBranch = (fn(Reg, Reg, Target) -> Op, fn(Reg, i32, Target) -> Op);

/// The form of a binary op whose right operand is a constant.
#[derive(Clone, Copy)]
pub(crate) struct MakeImmediate {
    pub make: fn(Reg, Reg, i32) -> Op,
    /// Whether the operands have 64 bits, so that not every constant is an immediate.
    pub wide: bool,
}

impl MakeImmediate {
    pub fn fit(self, slot: u64) -> Option<i32> {
        match self.wide {
            true => i32::try_from(slot as i64).ok(),
            false => Some(slot as i32),
        }
    }
}

impl Op {
    /// The op's number, by which the interpreter finds what to do.
    #[inline(always)]
    pub(crate) fn number(&self) -> u16 {
        // SAFETY: an enum with `repr(u16)` starts with its discriminant.
        unsafe { *(&raw const *self).cast::<u16>() }
    }

    /// The op with its other forms, if it computes something from two registers.
    pub(crate) fn binary(self) -> Option<Binary> {
        macro_rules! immediate {
            ($op:ident $op_imm:ident) => {
                Some(MakeImmediate {
                    make: |dst, lhs, imm| Op::$op_imm { dst, lhs, imm },
                    wide: is_wide(stringify!($op)),
                })
            };
        }
        macro_rules! binaries {
            (
                unary { $($_u:tt)* } unary_trapping { $($_ut:tt)* }
                binary { $($binary:ident $binary_imm:ident $_b:ident;)* }
                compare { $($compare:ident $compare_imm:ident $br_if:ident $br_if_imm:ident $_c:ident;)* }
                binary_trapping { $($binary_trapping:ident $binary_trapping_imm:ident $_bt:ident;)* }
                binary_float { $($binary_float:ident $_bf:ident;)* }
                load { $($_l:tt)* } store { $($_s:tt)* } other { $($_o:tt)* } fast { $($_f:tt)* }
            ) => {
                match self {
                    $(Op::$binary { dst, lhs, rhs } => {
                        (dst, lhs, rhs, immediate!($binary $binary_imm), None)
                    })*
                    $(Op::$compare { dst, lhs, rhs } => {
                        let branch: MakeBranch = (
                            |lhs, rhs, target| Op::$br_if { lhs, rhs, target },
                            |lhs, imm, target| Op::$br_if_imm { lhs, imm, target },
                        );
                        (dst, lhs, rhs, immediate!($compare $compare_imm), Some(branch))
                    })*
                    $(Op::$binary_trapping { dst, lhs, rhs } => {
                        (dst, lhs, rhs, immediate!($binary_trapping $binary_trapping_imm), None)
                    })*
                    $(Op::$binary_float { dst, lhs, rhs } => (dst, lhs, rhs, None, None),)*
                    _ => return None,
                }
            };
        }
        let (dst, lhs, rhs, immediate, branch) = with_ops!(binaries);
        Some(Binary { dst, lhs, rhs, immediate, branch })
    }

    /// The comparison that is true when this one is false; not for floats, which have NaN.
    pub(crate) fn negated(self) -> Option<Op> {
        macro_rules! opposites {
            ($($a:ident $b:ident;)*) => {
                match self {
                    $(Op::$a { dst, lhs, rhs } => Op::$b { dst, lhs, rhs },
                      Op::$b { dst, lhs, rhs } => Op::$a { dst, lhs, rhs },)*
                    _ => return None,
                }
            };
        }
        Some(opposites! {
            I32Eq I32Ne; I32LtS I32GeS; I32LtU I32GeU; I32GtS I32LeS; I32GtU I32LeU;
            I64Eq I64Ne; I64LtS I64GeS; I64LtU I64GeU; I64GtS I64LeS; I64GtU I64LeU;
        })
    }

    /// The op that computes the same from swapped operands, if there is one.
    pub(crate) fn swapped(self) -> Option<Op> {
        macro_rules! mirrors {
            (same { $($same:ident)* } $($a:ident $b:ident;)*) => {
                match self {
                    $(Op::$same { dst, lhs, rhs } => Op::$same { dst, lhs: rhs, rhs: lhs },)*
                    $(Op::$a { dst, lhs, rhs } => Op::$b { dst, lhs: rhs, rhs: lhs },
                      Op::$b { dst, lhs, rhs } => Op::$a { dst, lhs: rhs, rhs: lhs },)*
                    _ => return None,
                }
            };
        }
        Some(mirrors! {
            same { I32Add I32Mul I32And I32Or I32Xor I32Eq I32Ne I64Add I64Mul I64And I64Or I64Xor I64Eq I64Ne }
            I32LtS I32GtS; I32LtU I32GtU; I32LeS I32GeS; I32LeU I32GeU;
            I64LtS I64GtS; I64LtU I64GtU; I64LeS I64GeS; I64LeU I64GeU;
        })
    }
}

/// Whether an op's name says that it works on 64-bit integers.
const fn is_wide(name: &str) -> bool {
    name.as_bytes()[1] == b'6'
}
