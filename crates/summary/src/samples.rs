//! Instructions with operands, and ranges that these are in, for tests.

use mw_vm::{NumericOp, ValType};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::range::Range;

/// The same cases in every run, whoever runs it.
pub fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A slot of a type, often at an edge.
fn slot(ty: ValType) -> BoxedStrategy<u64> {
    let mask = match ty {
        ValType::I32 | ValType::F32 => u64::from(u32::MAX),
        ValType::I64 | ValType::F64 => u64::MAX,
        ValType::FuncRef | ValType::ExternRef => 0xf,
    };
    let edges: [u64; 10] =
        [0, 1, 0x7f, 0x80, 0x7fff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 63, !0];
    let near = (prop::sample::select(edges.to_vec()), -3i64..=3);
    prop_oneof![
        near.prop_map(move |(edge, by)| edge.wrapping_add(by as u64) & mask),
        (0u64..40).prop_map(move |small| small & mask),
        (0u64..40).prop_map(move |small| small.wrapping_neg() & mask),
        any::<u64>().prop_map(move |any| any & mask),
    ]
    .boxed()
}

/// A range, and a value of it: what is joined of some values, or what a comparison leaves.
fn range(ty: ValType) -> BoxedStrategy<(Range, u64)> {
    let joined = prop::collection::vec(slot(ty), 1..4).prop_map(|slots| {
        let all = slots.iter().map(|&slot| Range::exact(slot)).reduce(Range::join);
        (all.expect("there is one"), slots[0])
    });
    let least = (slot(ty), slot(ty)).prop_map(move |(a, b)| {
        let range = Range::at_least(a.min(b)).meet(Range::of_type(ty));
        (range.expect("it has the greater one"), a.max(b))
    });
    prop_oneof![4 => joined, 1 => least].boxed()
}

/// An instruction, and a range and a value of it for each operand.
pub fn operands() -> impl Strategy<Value = (NumericOp, (Range, u64), (Range, u64))> {
    prop::sample::select(NumericOp::ALL.to_vec())
        .prop_flat_map(|op| (Just(op), range(op.operand()), range(op.operand())))
}
