//! What debugging on a device costs: bytes on the wire, of both directions.

use std::io;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use mw_api::{Debugger, Direction, Options, RunOn, Setup, Unattended, Unit, request};
use mw_remote::agent::{Agent, Config};
use mw_remote::host::{Device, SimulatedBoard, Stream};
use mw_remote::link::Counters;
use mw_vm::{Limits, Module};

use crate::program::{Program, board};

const INSTRUCTIONS: u64 = 50_000;
const PROGRAM: &str = "examples/breakout/breakout.wasm";

/// What a turn of the agent takes, in microseconds, and a byte at 115,200 bauds: of use only for
/// which messages travel together, and the same in every run.
const TURN: u64 = 50;
const BYTE: u64 = 87;

pub fn run(_: u32) -> Result<()> {
    let program = Program::file(PROGRAM)?;
    let after = program.primitives(INSTRUCTIONS)?;
    println!("{INSTRUCTIONS} instructions of breakout on a device, {} calls of", after.len());
    println!("primitives among them: bytes on the wire. Lower is better.\n");
    println!(
        "| what travels                                  | to the device | from it |    total |  ratio |"
    );
    println!(
        "|-----------------------------------------------|--------------:|--------:|---------:|-------:|"
    );
    let session = session()?;
    let row = |what: &str, bytes: Bytes| {
        let total = bytes.total();
        let ratio = total as f64 / session.total() as f64;
        let Bytes { sent, received } = bytes;
        println!("| {what:<45} | {sent:>13} | {received:>7} | {total:>8} | {ratio:>5.2}x |");
    };
    row("traces: a session that the device follows", session);
    row("traces: the device runs and tells its choices", play()?);
    row("what has changed, after each primitive", snapshots(&after, false)?);
    row("everything, after each primitive", snapshots(&after, true)?);
    println!();
    Ok(())
}

/// Bytes of both directions.
#[derive(Clone, Copy)]
struct Bytes {
    sent: u64,
    received: u64,
}

impl Bytes {
    fn total(self) -> u64 {
        self.sent + self.received
    }
}

/// `mw attach`, and a step of so many instructions.
fn session() -> Result<Bytes> {
    let setup =
        Setup::new(&Program::read(PROGRAM)?)?.options(Options::default()).usual_entry(&[])?;
    let mut debugger = Debugger::attach_stream(
        setup,
        Box::new(Wire::new()?),
        RunOn::Device,
        None,
        &mut Unattended,
    )?;
    let before = link(&mut debugger)?;
    let (unit, direction, count) = (Unit::Instruction, Direction::Forward, INSTRUCTIONS);
    debugger.ask(request::Step { unit, direction, count }, &mut Unattended)?;
    let after = link(&mut debugger)?;
    Ok(Bytes { sent: after.sent - before.sent, received: after.received - before.received })
}

fn link(debugger: &mut Debugger) -> Result<Bytes> {
    let link = debugger.ask(request::Link {}, &mut Unattended)?;
    let device = link.device_side.context("the device does not answer")?;
    agree(link.host.bytes_received, device.bytes_sent)?;
    Ok(Bytes { sent: link.host.bytes_sent, received: link.host.bytes_received })
}

/// The device runs by itself and streams what inputs returned.
fn play() -> Result<Bytes> {
    measure(|device| {
        device.play(INSTRUCTIONS)?;
        let stopped = device.wait(&mut || false)?;
        ensure!(stopped.count == INSTRUCTIONS, "the program ended early");
        ensure!(std::iter::from_fn(|| device.next_choice()).count() > 0, "it read nothing");
        Ok(())
    })
}

/// The device stops after each primitive and sends its state.
fn snapshots(after: &[u64], all: bool) -> Result<Bytes> {
    measure(|device| {
        for &count in after {
            device.play(count)?;
            let stopped = device.wait(&mut || false)?;
            ensure!(stopped.count == count, "the device went elsewhere");
            device.inspect(all)?;
        }
        Ok(())
    })
}

/// What goes to and from a device that has been given the program.
fn measure(task: impl FnOnce(&mut Device) -> Result<()>) -> Result<Bytes> {
    let module = Module::from_binary(&Program::read(PROGRAM)?, &Limits::default())?;
    let entry = module.exported_func("main").context("no `main`")?;
    let mut device = Device::connect(Box::new(Wire::new()?), 1)?;
    device.load(&module, Some((entry, &[])))?;
    let before = counters(&mut device)?;
    task(&mut device)?;
    let after = counters(&mut device)?;
    Ok(Bytes {
        sent: after.bytes_sent - before.bytes_sent,
        received: after.bytes_received - before.bytes_received,
    })
}

fn counters(device: &mut Device) -> Result<Counters> {
    let (its, _) = device.its_counters()?;
    agree(device.counters().bytes_received, its.bytes_sent)?;
    Ok(*device.counters())
}

/// Both sides have to have counted the same, but for the answer that says so.
fn agree(received: u64, sent: u64) -> Result<()> {
    ensure!((sent..sent + 200).contains(&received), "{sent} bytes sent, {received} received");
    Ok(())
}

/// A serial line with an agent at its other end, in a time of its own.
struct Wire {
    agent: Agent<SimulatedBoard>,
    now: u64,
    /// What is under way to the host.
    down: Vec<u8>,
}

impl Wire {
    fn new() -> Result<Wire> {
        let config = Config { memory: 256 << 10, ..Config::SMALL };
        let agent = Agent::new(SimulatedBoard::new(&board())?, 1, config);
        Ok(Wire { agent, now: 1, down: Vec::new() })
    }

    fn turn(&mut self) {
        self.agent.work(self.now);
        self.now += TURN;
        let before = self.down.len();
        while self.agent.transmit(self.now, &mut self.down) {}
        self.now += BYTE * (self.down.len() - before) as u64;
    }
}

impl Stream for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.now += BYTE * bytes.len() as u64;
        self.agent.receive(bytes, self.now);
        self.turn();
        Ok(())
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        let end = self.now + wait.as_micros() as u64;
        while self.down.is_empty() && self.now < end {
            self.turn();
        }
        Ok(std::mem::take(&mut self.down))
    }

    fn reopen(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn now(&self) -> u64 {
        self.now
    }

    fn describe(&self) -> String {
        "a serial line".into()
    }
}
