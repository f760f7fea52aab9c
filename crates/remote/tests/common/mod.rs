//! A device without hardware: its agent lives in the stream, and time is made up.
#![allow(dead_code, reason = "not every test uses everything")]

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mw_remote::agent::{Agent, Captured, Config, Fault, Outside, Primitives};
use mw_remote::host::Stream;
use mw_vm::{Limits, Module, Value};

/// A small generator, so that a case is its seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn happens(&mut self, of_thousand: u32) -> bool {
        self.below(1000) < u64::from(of_thousand)
    }
}

/// So many of a thousand writes suffer it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    pub lost: u32,
    pub flipped: u32,
    pub repeated: u32,
    /// They arrive after those that are written next.
    pub delayed: u32,
    /// The stream breaks and has to be opened again.
    pub broken: u32,
    /// What happens for good, after so many writes of the host.
    pub fate: Option<(u64, Fate)>,
}

/// What no link gets over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The stream breaks and cannot be opened again.
    Breaks,
    /// The stream is open, but nothing arrives on either side.
    FallsSilent,
    /// The device starts again and has forgotten everything.
    Restarts,
}

/// What a device has on its desk.
#[derive(Debug, Default)]
pub struct Bench {
    pub pins: [i32; 4],
    pub readings: Vec<i32>,
    pub read: usize,
    pub printed: Vec<i32>,
    pub text: String,
}

pub type Shared = Arc<Mutex<Bench>>;

/// Primitives over the bench: an input, an output with compensation, one that reads memory, one
/// that cannot be undone, and the end.
pub fn primitives(bench: &Shared) -> Primitives<Shared> {
    Primitives::new(bench.clone())
        .input("env", "sensor", "i>i", 0..=100, |bench, _| {
            let mut bench = bench.lock().unwrap();
            bench.read += 1;
            let index = bench.read - 1;
            Value::I32(bench.readings.get(index).copied().unwrap_or((index * 7 % 101) as i32))
        })
        .output(
            "env",
            "pin",
            "ii>",
            |bench, call, _| {
                let mut bench = bench.lock().unwrap();
                let Some(pin) = bench.pins.get_mut(call.i32(0) as usize) else {
                    return Err(Fault::Abort(format!("there is no pin {}", call.i32(0))));
                };
                let before = std::mem::replace(pin, call.i32(1));
                Ok(Captured::new([call.i32(0), before]))
            },
            |bench, captured| bench.lock().unwrap().pins[captured[0] as usize] = captured[1],
        )
        .output(
            "env",
            "say",
            "ii>",
            |bench, call, memory| {
                let mut bytes = vec![0; call.i32(1) as usize];
                memory.read(call.i32(0) as u32, &mut bytes)?;
                let mut bench = bench.lock().unwrap();
                let before = bench.text.len() as i32;
                bench.text.push_str(&String::from_utf8_lossy(&bytes));
                Ok(Captured::new([before]))
            },
            |bench, captured| bench.lock().unwrap().text.truncate(captured[0] as usize),
        )
        .irreversible("env", "print", "i>", |bench, call, _| {
            bench.lock().unwrap().printed.push(call.i32(0));
            Ok(Captured::nothing())
        })
        .abort("env", "abort", ">")
}

/// A stream with the device at its other end.
pub struct Wire<W> {
    pub agent: Arc<Mutex<Agent<W>>>,
    pub now: u64,
    pub faults: Faults,
    pub random: Random,
    /// The device after it has started again.
    pub restarted: Option<Agent<W>>,
    /// Microseconds that a byte takes.
    pub byte_takes: u64,
    /// How often the host has written.
    pub writes: Arc<AtomicU64>,
    /// What is under way to the host.
    down: Vec<u8>,
    /// What arrives later than it should: at the device, and at the host.
    late: [Vec<u8>; 2],
    broken: bool,
}

impl<W: Outside> Wire<W> {
    pub fn new(agent: Agent<W>, faults: Faults, seed: u64) -> (Wire<W>, Arc<Mutex<Agent<W>>>) {
        let agent = Arc::new(Mutex::new(agent));
        (Wire::to(agent.clone(), faults, seed), agent)
    }

    /// A stream to an agent that there is already.
    pub fn to(agent: Arc<Mutex<Agent<W>>>, faults: Faults, seed: u64) -> Wire<W> {
        Wire {
            agent,
            now: 1,
            faults,
            random: Random(seed),
            restarted: None,
            byte_takes: 0,
            writes: Arc::default(),
            down: Vec::new(),
            late: Default::default(),
            broken: false,
        }
    }

    /// What has become of the link for good.
    fn fate(&mut self) -> Option<Fate> {
        let (_, fate) =
            self.faults.fate.filter(|(after, _)| self.writes.load(Ordering::Relaxed) > *after)?;
        if fate == Fate::Restarts
            && let Some(restarted) = self.restarted.take()
        {
            *self.agent.lock().unwrap() = restarted;
        }
        Some(fate)
    }

    /// What becomes of bytes on their way.
    fn carry(&mut self, mut bytes: Vec<u8>, to_host: bool) -> Vec<u8> {
        self.now += bytes.len() as u64 * self.byte_takes;
        if bytes.is_empty()
            || self.random.happens(self.faults.lost)
            || self.fate() == Some(Fate::FallsSilent)
        {
            return Vec::new();
        }
        if self.random.happens(self.faults.flipped) {
            let at = self.random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << self.random.below(8);
        }
        if self.random.happens(self.faults.repeated) {
            bytes.extend_from_within(..);
        }
        let late = &mut self.late[usize::from(to_host)];
        if self.random.happens(self.faults.delayed) {
            return std::mem::replace(late, bytes);
        }
        bytes.append(late);
        bytes
    }

    fn turn(&mut self, arrives: &[u8]) {
        let mut said = Vec::new();
        {
            let mut agent = self.agent.lock().unwrap();
            agent.receive(arrives, self.now);
            agent.work(self.now);
            while agent.transmit(self.now, &mut said) {}
        }
        let said = self.carry(said, true);
        self.down.extend(said);
    }
}

impl<W: Outside + Send> Stream for Wire<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        if self.broken || self.fate() == Some(Fate::Breaks) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let bytes = self.carry(bytes.to_vec(), false);
        self.turn(&bytes);
        Ok(())
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        if self.broken || self.fate() == Some(Fate::Breaks) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let end = self.now + (wait.as_micros() as u64).max(1);
        while self.down.is_empty() && self.now < end {
            self.now += 200;
            self.turn(&[]);
        }
        if self.random.happens(self.faults.broken) {
            self.broken = true;
            // What is under way may be lost with it.
            if self.random.below(2) == 0 {
                self.down.clear();
            }
        }
        Ok(std::mem::take(&mut self.down))
    }

    fn reopen(&mut self) -> io::Result<()> {
        if self.fate() == Some(Fate::Breaks) {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.broken = false;
        self.agent.lock().unwrap().reconnect(self.now);
        Ok(())
    }

    fn now(&self) -> u64 {
        self.now
    }

    fn pause(&mut self, time: Duration) {
        self.now += time.as_micros() as u64;
    }

    fn describe(&self) -> String {
        "a wire".into()
    }
}

pub fn module(text: &str) -> Arc<Module> {
    let wasm = wat::parse_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap())
}

/// A device on a bench.
pub fn agent(bench: &Shared) -> Agent<Primitives<Shared>> {
    Agent::new(primitives(bench), 1, Config::SMALL)
}
