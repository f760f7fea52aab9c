//! The frame within one block: which slots hold the same number, and how numbers came about.
//!
//! A branch is decided by a number on the operand stack, such as the result of `x < 10`; what it
//! says of the local `x` is only known to who remembers that. So within a block slots do not hold
//! ranges but the names of numbers, a number has a range and an origin, and whatever is learned of
//! a number is known of all slots that hold it, and of what it was made from.

use mw_vm::{NumericOp, Reg};

use crate::arithmetic::{self, Asks, Comparison, bits_of};
use crate::range::{Integer, Range};

/// The slots of a frame in terms of numbers.
pub(crate) struct Numbers {
    known: Vec<Number>,
    slots: Vec<u32>,
    /// What ranges were before something was assumed, the latest last.
    before: Vec<(u32, Range)>,
}

struct Number {
    range: Range,
    origin: Option<Origin>,
}

/// The instruction that made a number, and its operands.
#[derive(Clone, Copy)]
struct Origin {
    op: NumericOp,
    lhs: u32,
    rhs: Option<u32>,
}

/// How far back through instructions an assumption is followed.
const FOLLOWED: u32 = 8;

impl Numbers {
    /// A frame that holds these.
    pub fn new(state: &[Range], frame: usize) -> Numbers {
        let range = |slot| state.get(slot).copied().unwrap_or(Range::ANY);
        let known = (0..frame).map(|slot| Number { range: range(slot), origin: None }).collect();
        Numbers { known, slots: (0..frame as u32).collect(), before: Vec::new() }
    }

    /// What a slot may hold.
    pub fn get(&self, slot: Reg) -> Range {
        self.known[self.slots[slot as usize] as usize].range
    }

    /// Writes something new.
    pub fn set(&mut self, slot: Reg, range: Range) {
        self.add(slot, range, None);
    }

    /// Writes the result of an instruction.
    pub fn compute(&mut self, op: NumericOp, dst: Reg, lhs: Reg, rhs: Option<Reg>, result: Range) {
        let number = |slot: Reg| self.slots[slot as usize];
        let origin = Origin { op, lhs: number(lhs), rhs: rhs.map(number) };
        self.add(dst, result, Some(origin));
    }

    fn add(&mut self, slot: Reg, range: Range, origin: Option<Origin>) {
        self.slots[slot as usize] = self.known.len() as u32;
        self.known.push(Number { range, origin });
    }

    /// Copies what consecutive slots hold.
    pub fn copy(&mut self, to: Reg, from: Reg, count: u16) {
        let (to, from) = (to as usize, from as usize);
        self.slots.copy_within(from..from + count as usize, to);
    }

    /// The first slots, as the next block finds them if values are carried there.
    pub fn carried(&self, live: u16, to: Reg, from: Reg, count: u16) -> Vec<Range> {
        let source = |slot: Reg| match slot.checked_sub(to) {
            Some(offset) if offset < count => from + offset,
            _ => slot,
        };
        (0..live).map(|slot| self.get(source(slot))).collect()
    }

    /// Assumes that a slot holds none but these. Says whether that can be; nothing is then known if
    /// it cannot. [`forget`](Self::forget) takes it back.
    pub fn assume(&mut self, slot: Reg, range: Range) -> bool {
        self.narrow(self.slots[slot as usize], range, FOLLOWED)
    }

    /// Assumes that a condition holds, or does not.
    pub fn assume_truth(&mut self, slot: Reg, truth: bool) -> bool {
        let number = self.slots[slot as usize];
        match truth {
            true => self.trim(number, 32, 0, FOLLOWED),
            false => self.narrow(number, Range::exact(0), FOLLOWED),
        }
    }

    /// Makes what was assumed something that is known.
    pub fn keep(&mut self) {
        self.before.clear();
    }

    /// Takes back all that was assumed.
    pub fn forget(&mut self) {
        while let Some((number, range)) = self.before.pop() {
            self.known[number as usize].range = range;
        }
    }

    fn range(&self, number: u32) -> Range {
        self.known[number as usize].range
    }

    fn narrow(&mut self, number: u32, range: Range, depth: u32) -> bool {
        let old = self.range(number);
        let Some(new) = old.meet(range) else { return false };
        if new == old {
            return true;
        }
        self.before.push((number, old));
        self.known[number as usize].range = new;
        match (self.known[number as usize].origin, depth) {
            (None, _) | (_, 0) => true,
            (Some(origin), _) => self.follow(origin, new, depth - 1),
        }
    }

    /// What is known of an instruction's operands when its result is one of these.
    fn follow(&mut self, Origin { op, lhs, rhs }: Origin, result: Range, depth: u32) -> bool {
        use NumericOp::*;
        let bits = bits_of(op.operand());
        let truth = match result.unsigned() {
            (0, 0) => Some(false),
            (1.., _) => Some(true),
            _ => None,
        };
        match (op, rhs) {
            (I32Eqz | I64Eqz, _) => match truth {
                Some(true) => self.narrow(lhs, Range::exact(0), depth),
                Some(false) => self.trim(lhs, bits, 0, depth),
                None => true,
            },
            (I32Add | I32Sub | I64Add | I64Sub, Some(rhs)) => {
                let inverse = match op {
                    I32Add => I32Sub,
                    I32Sub => I32Add,
                    I64Add => I64Sub,
                    _ => I64Add,
                };
                let without = |other| arithmetic::compute(inverse, result, Some(other)).result;
                let (a, b) = (self.range(lhs), self.range(rhs));
                let is_sum = matches!(op, I32Add | I64Add);
                without(b).is_none_or(|operand| self.narrow(lhs, operand, depth))
                    && (!is_sum || without(a).is_none_or(|other| self.narrow(rhs, other, depth)))
            }
            (_, Some(rhs)) => match (Comparison::of(op), truth) {
                (Some(comparison), Some(truth)) => {
                    let asks = match truth {
                        true => comparison.asks,
                        false => comparison.asks.denied(),
                    };
                    self.constrain(Comparison { asks, ..comparison }, bits, lhs, rhs, depth)
                }
                _ => true,
            },
            (_, None) => true,
        }
    }

    fn constrain(
        &mut self,
        comparison: Comparison,
        bits: u32,
        lhs: u32,
        rhs: u32,
        depth: u32,
    ) -> bool {
        let integer = |number: u32| self.range(number).integer(bits);
        let (mut less, mut more) = match comparison.asks {
            Asks::Equal => {
                let (a, b) = (self.range(lhs), self.range(rhs));
                return self.narrow(lhs, b, depth) && self.narrow(rhs, a, depth);
            }
            Asks::Different => {
                let (a, b) = (self.range(lhs).single(), self.range(rhs).single());
                return b.is_none_or(|b| self.trim(lhs, bits, b, depth))
                    && a.is_none_or(|a| self.trim(rhs, bits, a, depth));
            }
            Asks::Less | Asks::LessOrEqual => (integer(lhs), integer(rhs)),
            Asks::Greater | Asks::GreaterOrEqual => (integer(rhs), integer(lhs)),
        };
        let gap = i128::from(matches!(comparison.asks, Asks::Less | Asks::Greater));
        let (low, high) = match comparison.is_signed {
            true => (&mut less.signed, &mut more.signed),
            false => (&mut less.unsigned, &mut more.unsigned),
        };
        let (most, least) = (low.1.min(high.1 - gap), high.0.max(low.0 + gap));
        (low.1, high.0) = (most, least);
        let (Some(less), Some(more)) = (less.range(), more.range()) else { return false };
        let (a, b) = match comparison.asks {
            Asks::Less | Asks::LessOrEqual => (less, more),
            _ => (more, less),
        };
        self.narrow(lhs, a, depth) && self.narrow(rhs, b, depth)
    }

    /// Excludes one value, which only shows where it is the first or the last one.
    fn trim(&mut self, number: u32, bits: u32, slot: u64, depth: u32) -> bool {
        let Integer { mut signed, mut unsigned, .. } = self.range(number).integer(bits);
        let value = match bits {
            32 => (i128::from(slot as i32), i128::from(slot as u32)),
            _ => (i128::from(slot as i64), i128::from(slot)),
        };
        for (interval, value) in [(&mut signed, value.0), (&mut unsigned, value.1)] {
            interval.0 += i128::from(interval.0 == value);
            interval.1 -= i128::from(interval.1 == value);
        }
        match (Integer { bits, signed, unsigned }).range() {
            Some(range) => self.narrow(number, range, depth),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{config, operands};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config())]

        /// What is assumed is true here, so the operands that made it so must remain possible.
        #[test]
        fn what_is_true_is_never_excluded((op, (a, x), (b, y)) in operands()) {
            let Ok(result) = op.evaluate(x, y) else { return Ok(()) };
            let mut numbers = Numbers::new(&[a, b], 4);
            let rhs = op.is_binary().then_some(1);
            let outcome = arithmetic::compute(op, a, rhs.map(|_| b));
            numbers.compute(op, 2, 0, rhs, outcome.result.unwrap());
            numbers.copy(3, 0, 1);
            prop_assert!(numbers.assume(2, Range::exact(result)), "{op:?}");
            prop_assert!(numbers.get(0).contains(x), "{op:?} {a:?} {x:#x} {y:#x}");
            prop_assert!(numbers.get(1).contains(y), "{op:?} {b:?} {x:#x} {y:#x}");
            prop_assert_eq!(numbers.get(3), numbers.get(0));
            numbers.forget();
            prop_assert_eq!((numbers.get(0), numbers.get(1)), (a, b));
            if result as u32 as u64 == result {
                prop_assert!(numbers.assume_truth(2, result != 0), "{op:?}");
                prop_assert!(numbers.get(0).contains(x) && numbers.get(1).contains(y), "{op:?}");
            }
        }
    }
}
