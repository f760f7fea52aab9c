//! A lamp with more levels than it has entries for them.
//!
//! Built in its folder with `rustc --edition 2024 --target wasm32-unknown-unknown --crate-type cdylib
//! -C opt-level=s -C lto=fat -C panic=abort -C debuginfo=2 --remap-path-prefix $PWD=. lamp.rs`.

#![no_std]

unsafe extern "C" {
    fn chip_analog_read(pin: i32) -> i32;
    fn print_int(number: i32);
}

pub struct Lamp {
    level: i32,
}

impl Lamp {
    #[inline(never)]
    pub fn update(&mut self, reading: i32) -> i32 {
        let table = [1, 2, 3, 4];
        self.level = table[reading as usize % 8];
        self.level
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

#[unsafe(no_mangle)]
pub extern "C" fn main() {
    let mut lamp = Lamp { level: 0 };
    for _ in 0..3 {
        let reading = unsafe { chip_analog_read(1) };
        let level = lamp.update(reading);
        unsafe { print_int(level) };
    }
}
