//! What happens while a request is being served.

use serde::{Deserialize, Serialize};

use crate::debugger::Debugger;
use crate::device::DeviceView;
use crate::position::Position;
use crate::suggested::FoundView;
use crate::views::PlaceView;

/// Something that happened on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// How far a long operation is.
    Progress {
        /// How many instructions have been executed, or things looked at.
        done: u64,
        /// How many there are altogether, if that is known.
        goal: Option<u64>,
    },
    /// Exploring has found paths: each is told once, soon after it was found.
    Found {
        /// The place from which is explored.
        from: PlaceView,
        /// These.
        paths: Vec<FoundView>,
    },
    /// The program did something to the world.
    Effect(EffectView),
    /// The program read an input.
    Reading(ReadView),
    /// So much of what the program did and read comes before what is told, and is not kept.
    Omitted {
        /// How many outputs and readings.
        count: u64,
    },
    /// A breakpoint that does not stop the program was passed.
    Log {
        /// What it says.
        message: String,
    },
    /// Something that one should know but that did not stop the operation.
    Warning {
        /// What.
        message: String,
    },
    /// The link to the device is in another state: told to all front ends of a
    /// [`Service`](crate::Service) when it happens, even in the middle of a request.
    Link(DeviceView),
    /// A long operation is under way, and the session is as it is now: told to all front ends of a
    /// [`Service`](crate::Service) some times a second. Whoever wants to see more of it can ask.
    Passing {
        /// Where the session stands.
        position: Box<Position>,
    },
    /// Something is different now; told to all front ends of a [`Service`](crate::Service).
    Changed(Box<Changed>),
}

/// What a front end did to the session that it shares with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// The front end: `terminal`, or `page 2`.
    pub by: String,
    /// Where the session stands now.
    pub position: Position,
}

/// What an output did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectView {
    /// How many instructions had been executed before.
    pub count: u64,
    /// The call, such as `chip_digital_write(13, 1)`.
    pub call: String,
    /// What it did, such as `pin 13 = high`.
    pub effect: String,
}

/// What an input returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadView {
    /// How many instructions had been executed before.
    pub count: u64,
    /// The call and what it returned, such as `chip_analog_read(14) = 512`.
    pub text: String,
}

/// Whoever made a request.
pub trait Listener {
    /// Something happened.
    fn event(&mut self, event: Event);
    /// Whether to give up: asked often, so it has to be quick.
    fn is_cancelled(&mut self) -> bool;
    /// The debugger in the middle of a long operation, to be looked at: called every few
    /// milliseconds, and whenever the clock of the world has moved on.
    fn meanwhile(&mut self, debugger: &mut Debugger) {
        let _ = debugger;
    }
}

/// Nobody listens, nobody cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattended;

impl Listener for Unattended {
    fn event(&mut self, _: Event) {}

    fn is_cancelled(&mut self) -> bool {
        false
    }
}
