//! The numeric instructions as data: what a probe needs to compute with something else than the
//! machine's own numbers, and the way to ask what the machine would compute.

use crate::numeric::{self, Slot};
use crate::op::with_ops;
use crate::trap::TrapKind;
use crate::value::ValType;

macro_rules! define_numeric_ops {
    (
        unary { $($unary:ident $unary_fn:ident;)* }
        unary_trapping { $($unary_trapping:ident $unary_trapping_fn:ident;)* }
        binary { $($binary:ident $_bi:ident $binary_fn:ident;)* }
        compare { $($compare:ident $_ci:ident $_br:ident $_bri:ident $compare_fn:ident;)* }
        binary_trapping { $($binary_trapping:ident $_bti:ident $binary_trapping_fn:ident;)* }
        binary_float { $($float:ident $float_fn:ident;)* }
        load { $($_l:tt)* }
        store { $($_s:tt)* }
        other { $($_o:tt)* }
        fast { $($_f:tt)* }
    ) => {
        /// What a numeric instruction computes. The names are WebAssembly's own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are WebAssembly's own")]
        pub enum NumericOp {
            $($unary,)* $($unary_trapping,)* $($binary,)* $($compare,)* $($binary_trapping,)*
            $($float,)*
        }

        impl NumericOp {
            /// All of them.
            pub const ALL: &'static [NumericOp] = &[
                $(NumericOp::$unary,)* $(NumericOp::$unary_trapping,)* $(NumericOp::$binary,)*
                $(NumericOp::$compare,)* $(NumericOp::$binary_trapping,)* $(NumericOp::$float,)*
            ];

            /// Its name as in `I32Add`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(NumericOp::$unary => stringify!($unary),)*
                    $(NumericOp::$unary_trapping => stringify!($unary_trapping),)*
                    $(NumericOp::$binary => stringify!($binary),)*
                    $(NumericOp::$compare => stringify!($compare),)*
                    $(NumericOp::$binary_trapping => stringify!($binary_trapping),)*
                    $(NumericOp::$float => stringify!($float),)*
                }
            }

            /// Whether it has two operands.
            pub const fn is_binary(self) -> bool {
                !matches!(
                    self,
                    $(NumericOp::$unary)|* $(| NumericOp::$unary_trapping)*
                )
            }

            /// Whether there are operands for which it traps.
            pub const fn may_trap(self) -> bool {
                matches!(
                    self,
                    $(NumericOp::$unary_trapping)|* $(| NumericOp::$binary_trapping)*
                )
            }

            /// What the machine computes from the operands' slots; one with a single operand takes
            /// no notice of `b`.
            pub fn evaluate(self, a: u64, b: u64) -> Result<u64, TrapKind> {
                let _ = b;
                Ok(match self {
                    $(NumericOp::$unary => numeric::$unary_fn(Slot::from_slot(a)).to_slot(),)*
                    $(NumericOp::$unary_trapping => {
                        numeric::$unary_trapping_fn(Slot::from_slot(a))?.to_slot()
                    })*
                    $(NumericOp::$binary => {
                        numeric::$binary_fn(Slot::from_slot(a), Slot::from_slot(b)).to_slot()
                    })*
                    $(NumericOp::$compare => {
                        numeric::$compare_fn(Slot::from_slot(a), Slot::from_slot(b)).to_slot()
                    })*
                    $(NumericOp::$binary_trapping => {
                        let (a, b) = (Slot::from_slot(a), Slot::from_slot(b));
                        numeric::$binary_trapping_fn(a, b)?.to_slot()
                    })*
                    $(NumericOp::$float => {
                        numeric::$float_fn(Slot::from_slot(a), Slot::from_slot(b)).to_slot()
                    })*
                })
            }

            /// The same for many operands at once, in one tight loop. Where it would trap, the
            /// result is 0.
            pub fn evaluate_all(self, a: &[u64], b: &[u64], results: &mut [u64]) {
                macro_rules! one {
                    ($map:expr) => {
                        for (result, &a) in results.iter_mut().zip(a) {
                            *result = $map(Slot::from_slot(a));
                        }
                    };
                }
                macro_rules! two {
                    ($map:expr) => {
                        for ((result, &a), &b) in results.iter_mut().zip(a).zip(b) {
                            *result = $map(Slot::from_slot(a), Slot::from_slot(b));
                        }
                    };
                }
                match self {
                    $(NumericOp::$unary => one!(|a| numeric::$unary_fn(a).to_slot()),)*
                    $(NumericOp::$unary_trapping => {
                        one!(|a| numeric::$unary_trapping_fn(a).map_or(0, Slot::to_slot))
                    })*
                    $(NumericOp::$binary => two!(|a, b| numeric::$binary_fn(a, b).to_slot()),)*
                    $(NumericOp::$compare => two!(|a, b| numeric::$compare_fn(a, b).to_slot()),)*
                    $(NumericOp::$binary_trapping => {
                        two!(|a, b| numeric::$binary_trapping_fn(a, b).map_or(0, Slot::to_slot))
                    })*
                    $(NumericOp::$float => two!(|a, b| numeric::$float_fn(a, b).to_slot()),)*
                }
            }
        }
    };
}
with_ops!(define_numeric_ops);

impl NumericOp {
    /// The type of the operands.
    pub const fn operand(self) -> ValType {
        // A conversion names the type that it comes from after the one that it leads to.
        let name = self.name().as_bytes();
        let mut at = name.len() - 2;
        while at > 0 {
            at -= 1;
            if let Some(ty) = type_at(name, at) {
                return ty;
            }
        }
        ValType::FuncRef
    }

    /// The type of the result.
    pub const fn result(self) -> ValType {
        match type_at(self.name().as_bytes(), 0) {
            Some(ty) if !self.is_comparison() => ty,
            _ => ValType::I32,
        }
    }

    /// Whether the result is 0 or 1.
    pub const fn is_comparison(self) -> bool {
        let name = self.name().as_bytes();
        // What comes after the type, without a sign.
        matches!(
            name,
            [_, _, _, b'E', b'q', ..]
                | [_, _, _, b'N', b'e']
                | [_, _, _, b'L' | b'G', b't' | b'e', ..]
                | [b'R', ..]
        )
    }
}

pub(crate) const fn type_at(name: &[u8], at: usize) -> Option<ValType> {
    match (name[at], name[at + 1], name[at + 2]) {
        (b'I', b'3', b'2') => Some(ValType::I32),
        (b'I', b'6', b'4') => Some(ValType::I64),
        (b'F', b'3', b'2') => Some(ValType::F32),
        (b'F', b'6', b'4') => Some(ValType::F64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ValType::{F32, F64, FuncRef, I32, I64};

    #[test]
    fn types_follow_from_names() {
        let types = |op: NumericOp| (op.operand(), op.result());
        assert_eq!(types(NumericOp::I32Add), (I32, I32));
        assert_eq!(types(NumericOp::I64LtU), (I64, I32));
        assert_eq!(types(NumericOp::I64Eqz), (I64, I32));
        assert_eq!(types(NumericOp::F64Ge), (F64, I32));
        assert_eq!(types(NumericOp::F32Neg), (F32, F32));
        assert_eq!(types(NumericOp::I64Extend32S), (I64, I64));
        assert_eq!(types(NumericOp::I64ExtendI32U), (I32, I64));
        assert_eq!(types(NumericOp::I32TruncSatF64S), (F64, I32));
        assert_eq!(types(NumericOp::F32ConvertI64U), (I64, F32));
        assert_eq!(types(NumericOp::F64ReinterpretI64), (I64, F64));
        assert_eq!(types(NumericOp::F32DemoteF64), (F64, F32));
        assert_eq!(types(NumericOp::RefIsNull), (FuncRef, I32));
        let comparisons = NumericOp::ALL.iter().filter(|op| op.is_comparison()).count();
        assert_eq!(comparisons, 20 + 12 + 2 + 1);
    }

    #[test]
    fn one_at_a_time_or_all_at_once() {
        let slots = [0, 1, 7, 0x8000_0000, 0xffff_ffff, 1 << 63, u64::MAX, 2.5f64.to_bits()];
        for op in NumericOp::ALL {
            for b in slots {
                let mut results = [9; 8];
                op.evaluate_all(&slots, &[b; 8], &mut results);
                let single = slots.map(|a| op.evaluate(a, b).unwrap_or(0));
                assert_eq!(results, single, "{op:?} with {b:#x}");
            }
        }
    }
}
