//! The primitives of the firmware: those of the simulated board that every board can have.

use alloc::format;
use core::ops::RangeInclusive;

use mw_remote::agent::{Call, Captured, Fault, Primitives};
use mw_vm::Value;

use crate::Pins;

/// A board, and what the program has made of its pins.
pub struct Board<P> {
    pins: P,
    modes: [i32; 64],
}

const LEVEL: RangeInclusive<i64> = 0..=1;

fn pin<P: Pins>(call: Call<'_>) -> Result<u8, Fault> {
    let number = call.i32(0);
    let pin = u8::try_from(number).ok().filter(|pin| *pin < P::COUNT);
    pin.ok_or_else(|| Fault::Abort(format!("there is no pin {number}")))
}

/// The primitives, over the pins of a board.
pub fn primitives<P: Pins>(pins: P) -> Primitives<Board<P>> {
    Primitives::new(Board { pins, modes: [0; 64] })
        .input("env", "chip_digital_read", "i>i", LEVEL, |board, call| {
            Value::I32(board.pins.level(call.i32(0) as u8).into())
        })
        .input("env", "chip_analog_read", "i>i", 0..=4095, |board, call| {
            Value::I32(board.pins.voltage(call.i32(0) as u8).into())
        })
        .input("env", "color_sensor", "i>i", 0..=100, |board, call| {
            Value::I32(i32::from(board.pins.voltage(call.i32(0) as u8)) * 100 / 4095)
        })
        .output(
            "env",
            "chip_pin_mode",
            "ii>",
            |board, call, _| {
                let pin = pin::<P>(call)?;
                let mode = board.modes.get_mut(usize::from(pin));
                let before = mode.map(|mode| core::mem::replace(mode, call.i32(1)));
                Ok(Captured::new([pin.into(), before.unwrap_or(0)]))
            },
            |board, captured| {
                if let [pin, before] = *captured
                    && let Some(mode) = board.modes.get_mut(pin as usize)
                {
                    *mode = before;
                }
            },
        )
        .output(
            "env",
            "chip_digital_write",
            "ii>",
            |board, call, _| {
                let pin = pin::<P>(call)?;
                let before = board.pins.level(pin);
                board.pins.drive(pin, call.i32(1) != 0);
                Ok(Captured::new([pin.into(), before.into()]))
            },
            |board, captured| {
                if let [pin, before] = *captured {
                    board.pins.drive(pin as u8, before != 0);
                }
            },
        )
        .output(
            "env",
            "chip_analog_write",
            "ii>",
            |board, call, _| {
                let pin = pin::<P>(call)?;
                let before = board.pins.strength(pin);
                board.pins.set_strength(pin, call.i32(1) as u16);
                Ok(Captured::new([pin.into(), before.into()]))
            },
            |board, captured| {
                if let [pin, before] = *captured {
                    board.pins.set_strength(pin as u8, before as u16);
                }
            },
        )
        .output(
            "env",
            "chip_delay",
            "i>",
            |board, call, _| {
                board.pins.wait(u64::from(call.i32(0).max(0) as u32) * 1000);
                Ok(Captured::nothing())
            },
            |_, _| {},
        )
        .output(
            "env",
            "chip_delay_us",
            "i>",
            |board, call, _| {
                board.pins.wait(u64::from(call.i32(0).max(0) as u32));
                Ok(Captured::nothing())
            },
            |_, _| {},
        )
        // The host shows what is printed; a board may have nothing to show it on.
        .output("env", "print_int", "i>", |_, _, _| Ok(Captured::nothing()), |_, _| {})
        .output("env", "print_string", "ii>", |_, _, _| Ok(Captured::nothing()), |_, _| {})
        .abort("env", "abort", ">")
        .abort("env", "abort", "iiii>")
}
