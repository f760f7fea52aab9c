//! Where the value of an input comes from when nobody mocks it.
//!
//! A source never changes by being asked. How far it has come (the state of a generator, the
//! position in a recording) is part of the world's state and moves on when an input's value is
//! accepted, whatever that value is; so the state after a choice depends on the choice alone.

use std::sync::Arc;

use mw_vm::{ValType, Value};
use serde::Serialize;

use crate::domain::{Domain, Number};

/// A source of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Source {
    /// Always this value, or the nearest that is possible.
    Constant(Value),
    /// Any possible value, from a generator that starts at `seed`.
    Random {
        /// The start of the generator.
        seed: u64,
    },
    /// These values in order; after the last one the person is asked.
    Recorded(Arc<[Value]>),
    /// The person decides.
    Ask,
}

/// The step of the generator and the constants that mix its state: splitmix64, by Vigna.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

fn mixed(state: u64) -> u64 {
    let z = (state ^ state >> 30).wrapping_mul(MIX[0]);
    let z = (z ^ z >> 27).wrapping_mul(MIX[1]);
    z ^ z >> 31
}

impl Source {
    /// The value that the source has next, possible in `domain`; `None` to ask the person.
    pub(crate) fn peek(
        &self,
        progress: Option<u64>,
        domain: &Domain,
        ty: ValType,
    ) -> Option<Value> {
        let wish = match self {
            Source::Constant(value) => *value,
            Source::Random { .. } => return Some(domain.pick(mixed(self.next(progress)?), ty)),
            Source::Recorded(values) => {
                *values.get(usize::try_from(progress.unwrap_or(0)).ok()?)?
            }
            Source::Ask => return None,
        };
        Some(domain.nearest(Number::of(wish)?.to_value(ty)))
    }

    /// How far the source is after one more value; `None` for one that never moves.
    pub(crate) fn next(&self, progress: Option<u64>) -> Option<u64> {
        match self {
            Source::Random { seed } => Some(progress.unwrap_or(*seed).wrapping_add(STEP)),
            Source::Recorded(_) => Some(progress.unwrap_or(0).saturating_add(1)),
            Source::Constant(_) | Source::Ask => None,
        }
    }
}
