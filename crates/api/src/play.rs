//! Playing: a run in which the clock of the world goes as the one on the wall does, or slower, or
//! faster by a factor.
//!
//! When something happens is all that this decides. What happens is as in any run: inputs return
//! what they are mocked to return, and what they returned is recorded.

use std::time::{Duration, Instant};

use mw_session::Direction;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::movement::Stopped;

/// Runs to the next breakpoint or the end, at the speed of the world's clock. Meanwhile, inputs can
/// be mocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Play {
    /// How fast, in hundredths of the real speed.
    #[serde(default = "real")]
    pub percent: u32,
}

fn real() -> u32 {
    100
}

/// A slower one would never seem to come to anything.
const SLOWEST: u32 = 1;
/// A faster one is a run.
const FASTEST: u32 = 100_000;

impl Ask for Play {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        if !(SLOWEST..=FASTEST).contains(&self.percent) {
            return Err(ApiError::notation("a speed is a factor from 0.01 to 1000, such as 0.5"));
        }
        let mut paced = Paced {
            listener,
            percent: self.percent,
            real: Instant::now(),
            clock: debugger.session.world().clock(),
        };
        debugger.moving(Direction::Forward, &mut paced, |session, control| {
            session.run(Direction::Forward, control)
        })
    }
}

/// Lets the world's clock run no faster than it should.
struct Paced<'a> {
    listener: &'a mut dyn Listener,
    percent: u32,
    /// When the world's clock was what it is in `clock`.
    real: Instant,
    clock: i64,
}

/// How often somebody who waits for the time to pass is looked after.
const LOOK_UP: Duration = Duration::from_millis(2);
/// What has been lost by more than this is not made up for.
const LATE: Duration = Duration::from_millis(100);

impl Listener for Paced<'_> {
    fn event(&mut self, event: Event) {
        self.listener.event(event);
    }

    fn is_cancelled(&mut self) -> bool {
        self.listener.is_cancelled()
    }

    fn meanwhile(&mut self, debugger: &mut Debugger) {
        let clock = debugger.session.world().clock();
        let passed = clock.saturating_sub(self.clock).max(0).unsigned_abs();
        let takes = Duration::from_micros(passed.saturating_mul(100) / u64::from(self.percent));
        loop {
            self.listener.meanwhile(debugger);
            let left = takes.saturating_sub(self.real.elapsed());
            if left.is_zero() || self.listener.is_cancelled() {
                break;
            }
            std::thread::sleep(left.min(LOOK_UP));
        }
        if self.real.elapsed() > takes + LATE {
            (self.real, self.clock) = (Instant::now(), clock);
        }
    }
}
