//! What recording costs: instructions of the processor for the same program, run plainly, by an
//! agent that nobody watches and that records, and by one that tells its choices to a host.
//!
//! It is for QEMU with `-icount`, where time is instructions, and says what it finds through
//! semihosting. `cargo xtask bench firmware` runs it. The host is in here as well; what it does is
//! not counted.

#![no_std]
#![no_main]

extern crate alloc;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hprintln};
use embedded_alloc::LlffHeap as Heap;
use mw_firmware::{Board, Pins, primitives};
use mw_remote::agent::{Agent, Call, Captured, Config, Outside, Primitives};
use mw_remote::link::{self, Link};
use mw_remote::message::{Command, Event, FromDevice, Kind, Reply};
use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop, Value};

const HEAP: usize = 1 << 20;
/// Instructions of the program that are measured.
const LENGTH: u64 = 200_000;
/// With room for breakout and for its checkpoints; all else is as on the small board.
const CONFIG: Config = Config { memory: 64 << 10, checkpoint: 4 << 10, ..Config::SMALL };
/// Microseconds between two turns of the agent, as its clock has them.
const TURN: u64 = 1_000;

#[global_allocator]
static ALLOCATOR: Heap = Heap::empty();

struct Room(UnsafeCell<[MaybeUninit<u8>; HEAP]>);
// SAFETY: only the allocator uses it, once it has been given it.
unsafe impl Sync for Room {}
static ROOM: Room = Room(UnsafeCell::new([MaybeUninit::uninit(); HEAP]));

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}

/// A program as the host sends it, and the function to call.
struct Program {
    name: &'static str,
    image: &'static [u8],
    entry: &'static str,
}

const PROGRAMS: [Program; 2] = [
    Program {
        name: "breakout",
        image: include_bytes!(concat!(env!("OUT_DIR"), "/breakout.image")),
        entry: include_str!(concat!(env!("OUT_DIR"), "/breakout.entry")),
    },
    Program {
        name: "sensor",
        image: include_bytes!(concat!(env!("OUT_DIR"), "/sensor.image")),
        entry: include_str!(concat!(env!("OUT_DIR"), "/sensor.entry")),
    },
];

/// Pins of which no two readings are alike, so that recording has no easy time.
struct Restless(u32);

impl Pins for Restless {
    const COUNT: u8 = 64;

    fn level(&mut self, _: u8) -> bool {
        self.voltage(0) > 2000
    }

    fn drive(&mut self, _: u8, _: bool) {}

    fn strength(&mut self, _: u8) -> u16 {
        0
    }

    fn set_strength(&mut self, _: u8, _: u16) {}

    fn voltage(&mut self, _: u8) -> u16 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 20) as u16
    }

    fn wait(&mut self, _: u64) {}
}

/// The primitives of the firmware, and a display.
fn outside() -> Primitives<Board<Restless>> {
    primitives(Restless(1))
        .output("env", "display_setup", ">", |_, _, _| Ok(Captured::nothing()), |_, _| {})
        .output(
            "env",
            "display_width",
            ">i",
            |_, _, _| Ok(Captured::nothing().returning(Value::I32(128))),
            |_, _| {},
        )
        .output(
            "env",
            "display_height",
            ">i",
            |_, _, _| Ok(Captured::nothing().returning(Value::I32(160))),
            |_, _| {},
        )
        .output(
            "env",
            "display_fill_rect",
            "iiiii>",
            |_, call, _| Ok(Captured::new([0, 1, 2, 3, 4].map(|argument| call.i32(argument)))),
            |_, _| {},
        )
}

/// Counts down with the time, which is instructions.
struct Stopwatch {
    timer: SYST,
    counted: u64,
}

impl Stopwatch {
    const REST: u32 = 0x00ff_ffff;

    fn new(mut timer: SYST) -> Self {
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(Self::REST);
        timer.clear_current();
        timer.enable_counter();
        Stopwatch { timer, counted: 0 }
    }

    /// Counts what this takes.
    fn during<R>(&mut self, task: impl FnOnce() -> R) -> R {
        let before = SYST::get_current();
        let result = task();
        let after = SYST::get_current();
        self.counted += u64::from(before.wrapping_sub(after) & Self::REST);
        result
    }

    fn take(&mut self) -> u64 {
        let _ = &self.timer;
        core::mem::take(&mut self.counted)
    }
}

/// The program with its primitives, and nothing else.
fn plain(program: &Program, length: u64, watch: &mut Stopwatch) -> u64 {
    let module = Arc::new(Module::from_image_compact(program.image).expect("it is an image"));
    let limits = Limits { stack_slots: CONFIG.stack_slots, ..Limits::default() };
    let imports = ImportValues::default();
    let mut machine = Machine::new(module.clone(), limits, imports).expect("it starts");
    machine.call_next(program.main(), &[]).expect("it is a function");
    let mut outside = outside();
    let found = module.imports().map(|(name, ty)| outside.find(&name.module, &name.field, ty));
    let found: Vec<u32> = found.map(|found| found.expect("there is one")).collect();
    let breakpoints = Breakpoints::default();
    while machine.count() < length {
        // Pieces that the stopwatch can count.
        let until = (machine.count() + 1_000).min(length);
        watch.during(|| {
            while machine.count() < until {
                let left = until - machine.count();
                let Stop::Import(import) = machine.run(left, &breakpoints, &mut NoProbe) else {
                    continue;
                };
                let Some((_, args)) = machine.import_call() else { continue };
                let call = Call { primitive: found[import as usize], args: &args };
                let answer = match outside.kind(call.primitive) {
                    Kind::Input => outside.read(call),
                    _ => outside.perform(call, &machine),
                };
                let result = answer.expect("it does").result;
                machine.resume(result.as_slice()).expect("it fits");
            }
        });
    }
    watch.take()
}

impl Program {
    fn main(&self) -> u32 {
        self.entry.parse().expect("it is a number")
    }
}

/// An agent and a host that talks to it.
struct Pair {
    agent: Agent<Primitives<Board<Restless>>>,
    host: Link,
    now: u64,
    /// Replies that have arrived; what arrived last.
    replies: u32,
    last: Option<Reply>,
    choices: u32,
    lost: Option<u64>,
}

impl Pair {
    fn new(program: &Program, watch: &mut Stopwatch) -> Pair {
        let mut host = Link::initiator(1, link::Config::HOST);
        host.reconnect(0);
        let agent = Agent::new(outside(), 1, CONFIG);
        let mut pair = Pair { agent, host, now: 0, replies: 0, last: None, choices: 0, lost: None };
        let size = program.image.len() as u32;
        pair.call(&Command::Load { image: size, module: 0 }, watch);
        for part in program.image.chunks(400) {
            pair.call(&Command::Part(part), watch);
        }
        pair.call(&Command::Start { entry: Some((program.main(), Vec::new())) }, watch);
        match &pair.last {
            Some(Reply::Loaded(_)) => pair,
            other => panic!("{other:?}"),
        }
    }

    /// What a firmware does over and over, counted; and what the host does with it.
    fn turn(&mut self, watch: &mut Stopwatch) {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        while self.host.transmit(self.now, &mut up) {}
        self.now += TURN;
        watch.during(|| {
            self.agent.receive(&up, self.now);
            self.agent.work(self.now);
            self.agent.transmit(self.now, &mut down);
        });
        while self.agent.transmit(self.now, &mut down) {}
        self.host.receive(&down, self.now);
        while let Some(payload) = self.host.take(self.now) {
            let mut rest = &payload[..];
            while let Ok((message, left)) = postcard::take_from_bytes::<FromDevice<'_>>(rest) {
                rest = left;
                match message {
                    FromDevice::Reply(reply) => {
                        self.replies += 1;
                        self.last = Some(reply);
                    }
                    FromDevice::Event(Event::Choices { .. }) => self.choices += 1,
                    FromDevice::Event(Event::TraceEnds { lost, .. }) => self.lost = Some(lost),
                    FromDevice::Event(_) => {}
                }
            }
        }
    }

    fn call(&mut self, command: &Command<'_>, watch: &mut Stopwatch) {
        let bytes = postcard::to_allocvec(command).expect("vectors grow");
        let expected = self.replies + 1;
        while self.host.send(&bytes, true, self.now).is_err() {
            self.turn(watch);
        }
        while self.replies < expected {
            self.turn(watch);
        }
    }

    /// Runs the program for at least so many instructions: what that took, and how many.
    fn run(&mut self, command: &Command<'_>, watch: &mut Stopwatch) -> (u64, u64) {
        watch.take();
        self.call(command, watch);
        while self.agent.count() < LENGTH {
            self.turn(watch);
        }
        (watch.take(), self.agent.count())
    }
}

fn report(program: &Program, what: &str, length: u64, took: u64, watch: &mut Stopwatch) {
    let plain = plain(program, length, watch);
    let name = program.name;
    hprintln!("measured {} {} {} {} {}", name, what, length, plain, took);
}

#[entry]
fn main() -> ! {
    // SAFETY: called once, before anything is allocated.
    unsafe { ALLOCATOR.init(ROOM.0.get() as usize, HEAP) };
    let peripherals = cortex_m::Peripherals::take().expect("it is the first time");
    let mut watch = Stopwatch::new(peripherals.SYST);
    for program in &PROGRAMS {
        let mut pair = Pair::new(program, &mut watch);
        let (took, length) = pair.run(&Command::Detach, &mut watch);
        report(program, "recording", length, took, &mut watch);
        // A new host, for what was recorded.
        pair.host = Link::initiator(2, link::Config::HOST);
        pair.host.reconnect(pair.now);
        pair.call(&Command::ReadTrace, &mut watch);
        while pair.lost.is_none() {
            pair.turn(&mut watch);
        }
        assert_eq!(pair.lost, Some(0), "it has recorded everything");
        drop(pair);
        let mut pair = Pair::new(program, &mut watch);
        let (took, length) = pair.run(&Command::Play { until: LENGTH }, &mut watch);
        assert!(pair.choices > 0, "it has told what inputs returned");
        report(program, "streaming", length, took, &mut watch);
    }
    debug::exit(debug::EXIT_SUCCESS);
    loop {}
}
