//! How much a page may ask for.

use std::time::Duration;

/// Messages that may come at once.
const BURST: u32 = 1000;
/// Time after which one more may come.
const REFILL: Duration = Duration::from_millis(2);

/// Counts messages: so many at once, then so many a second.
pub struct Rate {
    left: u32,
    /// The time up to which what is left has been counted.
    counted: Duration,
}

impl Rate {
    /// Nothing has come yet.
    pub fn new() -> Rate {
        Rate { left: BURST, counted: Duration::ZERO }
    }

    /// Whether one more message is all right, so long after the start.
    pub fn allows(&mut self, now: Duration) -> bool {
        let refills = now.saturating_sub(self.counted).as_micros() / REFILL.as_micros();
        let refills = u32::try_from(refills).unwrap_or(u32::MAX);
        self.left = self.left.saturating_add(refills).min(BURST);
        self.counted += REFILL.saturating_mul(refills);
        let is_allowed = self.left > 0;
        self.left -= u32::from(is_allowed);
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_a_steady_flow() {
        let mut rate = Rate::new();
        let at = Duration::from_millis;
        assert!((0..BURST).all(|_| rate.allows(at(0))));
        assert!(!rate.allows(at(1)));
        assert!(rate.allows(at(2)));
        assert!(!rate.allows(at(3)));
        assert!(rate.allows(at(4)));
        let later = at(1_000_000);
        assert!((0..BURST).all(|_| rate.allows(later)));
        assert!(!rate.allows(later), "no more than a burst is saved up");
    }
}
