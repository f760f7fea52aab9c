//! The built-in world `board`: an Arduino-like chip with what WARDuino programs use around it.
//!
//! - `table`: every import with its name, types and meaning, as data
//! - `effects`: what each output does, as functions from the board's state to changes of it
//! - [`Board`]: the state; `BoardChange`: the only way in which it changes
//! - `screen`, `controller`: the display and the ST7735 command set in front of it
//! - `network`: Wi-Fi, MQTT and sockets
//!
//! **Invariant:** `Board::apply` returns the change that takes the applied one back, exactly.
//! Undoing an output is applying what its changes returned, last first; there is no second
//! description of how to undo something.
//!
//! The model of time and motors is integer arithmetic, so that going back and replaying are exact.
//! The clock counts microseconds and only a delay, a blocking motor command and a reading of the
//! time move it. A motor at speed 10,000 (full, as in WARDuino) turns 1,000 degrees per second;
//! angles are kept in steps of 10⁻⁷ degree, which is what speed 1 turns in a microsecond.

mod controller;
mod effects;
mod network;
mod screen;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod transcript;
mod view;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::state::put;
use controller::Controller;
pub(crate) use effects::{Effect, Scene, print_char};
pub use network::Question;
use screen::Patch;
pub use screen::Screen;
pub use settings::Settings;
pub use table::levels;
pub(crate) use table::primitives;
pub use transcript::Transcript;
pub use view::{BoardView, Direction, DisplayView, Level, MotorView, PinView};

/// A colour of a pixel on the strip: red, green, blue.
pub type Rgb = [u8; 3];

/// What the program has done to a pin; `None` where it has done nothing yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// The mode as the program gave it: 0 is input on every platform, the rest differs.
    pub mode: Option<i32>,
    /// The level last written.
    pub level: Option<bool>,
    /// The value last given to PWM.
    pub pwm: Option<i32>,
    /// The angle of the servo attached here.
    pub servo: Option<i32>,
    /// The channel of the PWM controller that drives it.
    pub channel: Option<u8>,
}

/// A motor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Motor {
    /// The speed, -10,000 to 10,000.
    pub speed: i32,
    /// The angle turned since the start, in 10⁻⁷ degrees, over any number of turns.
    pub angle: i64,
}

impl Motor {
    /// The largest speed; a request for more is cut down to it, as PWM does.
    pub const FULL_SPEED: i32 = 10_000;
    /// The steps in which angles are counted, per degree.
    pub const PER_DEGREE: i64 = 10_000_000;

    /// The motor after `microseconds`.
    fn after(self, microseconds: i64) -> Motor {
        let turned = i64::from(self.speed).wrapping_mul(microseconds);
        Motor { angle: self.angle.wrapping_add(turned), ..self }
    }
}

/// An interrupt that the program has asked to be told of. See [`crate::World::pending_interrupts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Interrupt {
    /// The pin whose signal interrupts.
    pub pin: u8,
    /// The callback, as an index into the module's table.
    pub table_index: u32,
    /// When it interrupts, as the program gave it (on most platforms 1 = change, 2 = falling,
    /// 3 = rising).
    pub mode: i32,
}

/// The state of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// Microseconds since the start.
    clock: i64,
    pins: BTreeMap<u8, Pin>,
    motors: BTreeMap<u8, Motor>,
    /// The strip of pixels as the program has set it and as it has last been shown.
    strip: BTreeMap<u8, Rgb>,
    shown: BTreeMap<u8, Rgb>,
    /// The frequency sounding.
    tone: Option<i32>,
    /// The modes of the sensors that have been set up, by port.
    sensors: BTreeMap<u8, i32>,
    /// The mode of each interrupt asked for, by pin and table index.
    interrupts: BTreeMap<(u8, u32), i32>,
    /// The duty of each channel of the PWM controller.
    channels: BTreeMap<u8, i32>,
    /// The network that the program has asked for.
    wifi: Option<Box<str>>,
    /// The MQTT broker that it has named.
    broker: Option<Box<str>>,
    /// The sockets that it has been given, by number, and whether they are open.
    sockets: BTreeMap<u32, bool>,
    /// How often it has asked for messages to call an entry of its table.
    handlers: BTreeMap<u32, u32>,
    transcript: Transcript,
    screen: Screen,
    controller: Controller,
}

/// One change of a board's state. Applying it returns the change that takes it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BoardChange {
    /// Time passes (backwards when negative): the clock and all motors move on.
    Elapse(i64),
    Pin(u8, Option<Pin>),
    Motor(u8, Option<Motor>),
    Pixel(u8, Option<Rgb>),
    Strip(BTreeMap<u8, Rgb>),
    Shown(BTreeMap<u8, Rgb>),
    Tone(Option<i32>),
    Sensor(u8, Option<i32>),
    Interrupt((u8, u32), Option<i32>),
    Channel(u8, Option<i32>),
    Wifi(Option<Box<str>>),
    Broker(Option<Box<str>>),
    Socket(u32, Option<bool>),
    Handler(u32, Option<u32>),
    Print(Box<[u8]>),
    /// Cuts the transcript down to this length.
    Unprint(u64),
    Paint(Box<Patch>),
    Controller(Box<Controller>),
}

impl Board {
    /// A board that has just been switched on.
    pub(crate) fn new(settings: &Settings) -> Board {
        let size = (settings.display_width, settings.display_height);
        Board {
            clock: 0,
            pins: BTreeMap::new(),
            motors: BTreeMap::new(),
            strip: BTreeMap::new(),
            shown: BTreeMap::new(),
            tone: None,
            sensors: BTreeMap::new(),
            interrupts: BTreeMap::new(),
            channels: BTreeMap::new(),
            wifi: None,
            broker: None,
            sockets: BTreeMap::new(),
            handlers: BTreeMap::new(),
            transcript: Transcript::default(),
            screen: Screen::new(size.0, size.1),
            controller: Controller::new(size),
        }
    }

    /// Makes a change and returns the one that takes it back.
    pub(crate) fn apply(&mut self, change: BoardChange) -> BoardChange {
        use std::mem::replace;
        match change {
            BoardChange::Elapse(microseconds) => {
                self.clock = self.clock.wrapping_add(microseconds);
                for motor in self.motors.values_mut() {
                    *motor = motor.after(microseconds);
                }
                BoardChange::Elapse(microseconds.wrapping_neg())
            }
            BoardChange::Pin(pin, new) => BoardChange::Pin(pin, put(&mut self.pins, pin, new)),
            BoardChange::Motor(motor, new) => {
                BoardChange::Motor(motor, put(&mut self.motors, motor, new))
            }
            BoardChange::Pixel(index, new) => {
                BoardChange::Pixel(index, put(&mut self.strip, index, new))
            }
            BoardChange::Strip(new) => BoardChange::Strip(replace(&mut self.strip, new)),
            BoardChange::Shown(new) => BoardChange::Shown(replace(&mut self.shown, new)),
            BoardChange::Tone(new) => BoardChange::Tone(replace(&mut self.tone, new)),
            BoardChange::Sensor(port, new) => {
                BoardChange::Sensor(port, put(&mut self.sensors, port, new))
            }
            BoardChange::Interrupt(key, new) => {
                BoardChange::Interrupt(key, put(&mut self.interrupts, key, new))
            }
            BoardChange::Channel(channel, new) => {
                BoardChange::Channel(channel, put(&mut self.channels, channel, new))
            }
            BoardChange::Wifi(new) => BoardChange::Wifi(replace(&mut self.wifi, new)),
            BoardChange::Broker(new) => BoardChange::Broker(replace(&mut self.broker, new)),
            BoardChange::Socket(number, new) => {
                BoardChange::Socket(number, put(&mut self.sockets, number, new))
            }
            BoardChange::Handler(table_index, new) => {
                BoardChange::Handler(table_index, put(&mut self.handlers, table_index, new))
            }
            BoardChange::Print(bytes) => {
                let length = self.transcript.len() as u64;
                self.transcript.print(&bytes);
                BoardChange::Unprint(length)
            }
            BoardChange::Unprint(length) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                BoardChange::Print(self.transcript.truncate(length).into())
            }
            BoardChange::Paint(patch) => BoardChange::Paint(self.screen.paint(*patch).into()),
            BoardChange::Controller(new) => {
                BoardChange::Controller(replace(&mut self.controller, *new).into())
            }
        }
    }

    /// Takes what was printed.
    pub(crate) fn take_printed(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.transcript).into()
    }

    /// Microseconds since the start.
    pub fn clock(&self) -> i64 {
        self.clock
    }

    /// What the program has done to `pin`.
    pub fn pin(&self, pin: u8) -> Pin {
        self.pins.get(&pin).copied().unwrap_or_default()
    }

    /// The motor `motor`.
    pub fn motor(&self, motor: u8) -> Motor {
        self.motors.get(&motor).copied().unwrap_or_default()
    }

    /// What has been printed.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The picture on the display's glass, held upright.
    pub fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Takes the picture out of it.
    pub(crate) fn take_screen(&mut self) -> Screen {
        std::mem::replace(&mut self.screen, Screen::new(0, 0))
    }

    /// The level at which the program itself holds `pin`: it is not an input and has been written.
    pub fn driven(&self, pin: u8) -> Option<bool> {
        let pin = self.pin(pin);
        pin.level.filter(|_| pin.mode.is_some_and(|mode| mode != 0))
    }

    /// The interrupts that the program has asked to be told of.
    pub(crate) fn interrupts(&self) -> impl Iterator<Item = Interrupt> + '_ {
        self.interrupts.iter().map(|((pin, table_index), mode)| Interrupt {
            pin: *pin,
            table_index: *table_index,
            mode: *mode,
        })
    }

    /// As much of `microseconds` as can pass before the clock ends (in 292,000 years).
    pub(crate) fn passing(&self, microseconds: i64) -> i64 {
        microseconds.min(i64::MAX - self.clock.max(0)).max(0)
    }
}
