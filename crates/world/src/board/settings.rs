//! How a board is wired and what it is made of.

use serde::{Deserialize, Serialize};

/// What can differ between boards. In a world file: the `[board]` table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The pin that tells the display whether a byte on SPI is a command (low) or data (high).
    ///
    /// WARDuino does not know this pin: the program drives it. Its games in AssemblyScript use
    /// pin 15, which is the default; those in C for the NodeMCU use pin 4.
    pub data_command_pin: u8,
    /// The width of the display held upright.
    pub display_width: u16,
    /// The height of the display held upright.
    pub display_height: u16,
    /// What `random_int` starts from.
    pub seed: u64,
    /// How long reading the time takes, in microseconds. Without it a program that waits in a
    /// loop for a time to come would wait for ever.
    pub reading_time_takes: u32,
}

impl Settings {
    /// The largest width and height of a display.
    pub const LARGEST_DISPLAY: u16 = 1024;
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            data_command_pin: 15,
            display_width: 128,
            display_height: 160,
            seed: 1,
            reading_time_takes: 10,
        }
    }
}
