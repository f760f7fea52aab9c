//! The agent on an LM3S6965, a Cortex-M3 with 256 KiB of flash and 64 KiB of RAM, which QEMU has.
//!
//! Its pins are made up, so that a run in QEMU is like one on the simulated board: nothing is
//! connected, and waiting takes no time.

#![no_std]
#![no_main]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use core::ptr::{read_volatile, write_volatile};
use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SCB;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::{entry, exception};
use embedded_alloc::LlffHeap as Heap;
use mw_firmware::{Clock, Line, Pins, serve};
use mw_remote::agent::Config;

/// Of 64 KiB of RAM, 10 KiB are for the stack, and little for all else.
const HEAP: usize = 53 << 10;
/// Ticks of the clock in a millisecond.
const TICKS: u32 = 12_000;

#[global_allocator]
static ALLOCATOR: Heap = Heap::empty();

struct Room(UnsafeCell<[MaybeUninit<u8>; HEAP]>);
// SAFETY: only the allocator uses it, once it has been given it.
unsafe impl Sync for Room {}
static ROOM: Room = Room(UnsafeCell::new([MaybeUninit::uninit(); HEAP]));

static MILLISECONDS: AtomicU32 = AtomicU32::new(0);

/// Survives a restart, so that the host can tell that there was one.
#[unsafe(link_section = ".uninit.boots")]
static BOOTS: AtomicU32 = AtomicU32::new(0);

#[exception]
fn SysTick() {
    MILLISECONDS.fetch_add(1, Ordering::Relaxed);
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // The host finds a device that remembers nothing, and says so.
    SCB::sys_reset()
}

struct Uart;

impl Uart {
    const DATA: *mut u32 = 0x4000_C000 as *mut u32;
    const FLAGS: *const u32 = 0x4000_C018 as *const u32;
    const LINE: *mut u32 = 0x4000_C02C as *mut u32;
    const CONTROL: *mut u32 = 0x4000_C030 as *mut u32;

    fn new() -> Self {
        // SAFETY: registers of UART 0, which nothing else uses.
        unsafe {
            // Eight bits, with buffers; on, to send and to receive.
            write_volatile(Uart::LINE, 0x70);
            write_volatile(Uart::CONTROL, 0x301);
        }
        Uart
    }
}

impl Line for Uart {
    fn read(&mut self) -> Option<u8> {
        // SAFETY: as above.
        unsafe {
            let is_empty = read_volatile(Uart::FLAGS) & 0x10 != 0;
            (!is_empty).then(|| read_volatile(Uart::DATA) as u8)
        }
    }

    fn write(&mut self, byte: u8) -> bool {
        // SAFETY: as above.
        unsafe {
            let is_full = read_volatile(Uart::FLAGS) & 0x20 != 0;
            if !is_full {
                write_volatile(Uart::DATA, byte.into());
            }
            !is_full
        }
    }
}

struct Ticks;

impl Clock for Ticks {
    fn micros(&self) -> u64 {
        u64::from(MILLISECONDS.load(Ordering::Relaxed)) * 1000
    }
}

struct MadeUp {
    levels: u64,
    strengths: [u16; 64],
}

impl Pins for MadeUp {
    const COUNT: u8 = 64;

    fn level(&mut self, pin: u8) -> bool {
        self.levels >> (pin & 63) & 1 == 1
    }

    fn drive(&mut self, pin: u8, level: bool) {
        self.levels = self.levels & !(1 << (pin & 63)) | u64::from(level) << (pin & 63);
    }

    fn strength(&mut self, pin: u8) -> u16 {
        self.strengths[usize::from(pin & 63)]
    }

    fn set_strength(&mut self, pin: u8, strength: u16) {
        self.strengths[usize::from(pin & 63)] = strength;
    }

    fn voltage(&mut self, _: u8) -> u16 {
        0
    }

    fn wait(&mut self, _: u64) {}
}

#[entry]
fn main() -> ! {
    // SAFETY: called once, before anything is allocated.
    unsafe { ALLOCATOR.init(ROOM.0.get() as usize, HEAP) };
    if let Some(mut peripherals) = cortex_m::Peripherals::take() {
        peripherals.SYST.set_clock_source(SystClkSource::Core);
        peripherals.SYST.set_reload(TICKS - 1);
        peripherals.SYST.clear_current();
        peripherals.SYST.enable_counter();
        peripherals.SYST.enable_interrupt();
    }
    let boot = BOOTS.load(Ordering::Relaxed).wrapping_add(1);
    BOOTS.store(boot, Ordering::Relaxed);
    let config = Config { name: "lm3s6965", ..Config::SMALL };
    serve(Uart::new(), Ticks, MadeUp { levels: 0, strengths: [0; 64] }, boot, config)
}
