//! Both decoders on what no honest side says: real conversations that are meddled with, and noise.

use crate::replay;
use crate::survive;

use proptest::prelude::*;

/// How many wishes a host has that nobody meddles with.
const ALL: u32 = 19;

#[test]
fn all_wishes_come_true_when_nobody_meddles() {
    assert_eq!(survive::meddled(&[]), ALL);
}

#[test]
fn what_a_fuzzer_found_is_survived() {
    replay::replay("link", survive::both);
}

/// Bytes of which few make the meddler do something, so that conversations get far.
fn plan() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![6 => Just(0u8), 2 => 0xf0..=0xffu8, 1 => any::<u8>()];
    prop::collection::vec(byte, 0..200)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn a_meddler_is_survived(plan in plan()) {
        prop_assert!(survive::meddled(&plan) <= ALL);
    }

    #[test]
    fn noise_is_survived_by_a_device(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        survive::commanded(&bytes);
    }
}
