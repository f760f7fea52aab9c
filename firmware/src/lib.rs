//! The agent on a microcontroller: what all boards have in common.
//!
//! A board is three traits: how bytes come and go ([`Line`]), what time it is ([`Clock`]), and what
//! a program can reach ([`Pins`]). [`serve`] does the rest; `bin/lm3s6965.rs` is a board.

#![no_std]

extern crate alloc;

mod primitives;

use alloc::vec::Vec;

use mw_remote::agent::{Agent, Config};

pub use self::primitives::{Board, primitives};

/// A serial line.
pub trait Line {
    /// A byte that has arrived, if one has.
    fn read(&mut self) -> Option<u8>;
    /// Writes a byte if there is room for it; says whether there was.
    fn write(&mut self, byte: u8) -> bool;
}

/// A clock.
pub trait Clock {
    /// Microseconds since the start.
    fn micros(&self) -> u64;
}

/// What a program can reach.
pub trait Pins {
    /// How many pins there are.
    const COUNT: u8;
    /// The level of a pin: what comes from outside, or what it is driven to.
    fn level(&mut self, pin: u8) -> bool;
    /// Drives a pin.
    fn drive(&mut self, pin: u8, level: bool);
    /// How strongly a pin is driven, where it can be.
    fn strength(&mut self, pin: u8) -> u16;
    /// Drives a pin with some strength, as for dimming a light.
    fn set_strength(&mut self, pin: u8, strength: u16);
    /// The voltage of a pin, from 0 to 4095.
    fn voltage(&mut self, pin: u8) -> u16;
    /// Lets the program wait.
    fn wait(&mut self, micros: u64);
}

/// Serves hosts, for ever.
pub fn serve<L: Line, C: Clock, P: Pins>(
    mut line: L,
    clock: C,
    pins: P,
    boot: u32,
    config: Config,
) -> ! {
    let mut agent = Agent::new(primitives(pins), boot, config);
    let mut arrived = Vec::with_capacity(64);
    let mut outgoing: Vec<u8> = Vec::new();
    let mut written = 0;
    loop {
        arrived.clear();
        while arrived.len() < arrived.capacity() {
            let Some(byte) = line.read() else { break };
            arrived.push(byte);
        }
        agent.receive(&arrived, clock.micros());
        agent.work(clock.micros());
        if written == outgoing.len() {
            outgoing.clear();
            written = 0;
            agent.transmit(clock.micros(), &mut outgoing);
        }
        while written < outgoing.len() && line.write(outgoing[written]) {
            written += 1;
        }
    }
}
