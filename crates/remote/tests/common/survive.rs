//! Whatever arrives on a link: both sides survive it. Checked on real conversations that are
//! meddled with here, and on what a fuzzer finds in `fuzz/`.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mw_remote::agent::{Agent, Captured, Config, Primitives};
use mw_remote::host::{Device, DeviceChoice, DeviceError, Stream};
use mw_remote::link::{self, Link};
use mw_remote::message::Command;
use mw_vm::{ImportValues, Limits, Machine, Module, Value};

/// `(module (import "e" "i" (func (result i32))) (import "e" "o" (func (param i32))) (memory 1)
/// (func (loop (i32.store (i32.mul (call 0) (i32.const 600)) (call 0)) (call 1 (call 0)) (br 0)))
/// (start 2))`
const PROGRAM: &[u8] = b"\0asm\x01\0\0\0\x01\x0c\x03\x60\0\x01\x7f\x60\x01\x7f\0\x60\0\0\
    \x02\x0d\x02\x01e\x01i\0\0\x01e\x01o\0\x01\x03\x02\x01\x02\x05\x03\x01\0\x01\x08\x01\x02\
    \x0a\x18\x01\x16\0\x03\x40\x10\0\x41\xd8\x04\x6c\x10\0\x36\x02\0\x10\0\x10\x01\x0c\0\x0b\x0b";

fn module() -> Arc<Module> {
    static MODULE: OnceLock<Arc<Module>> = OnceLock::new();
    let module = || Module::from_binary(PROGRAM, &Limits::default()).expect("it is valid");
    MODULE.get_or_init(|| Arc::new(module())).clone()
}

fn agent() -> Agent<Primitives<i32>> {
    let primitives = Primitives::new(0)
        .input("e", "i", ">i", 0..=9, |next, _| {
            *next = (*next + 3) % 10;
            Value::I32(*next)
        })
        .output(
            "e",
            "o",
            "i>",
            |_, call, memory| {
                memory.read(call.i32(0) as u32, &mut [0; 8])?;
                Ok(Captured::new([1]))
            },
            |_, _| {},
        );
    Agent::new(primitives, 1, Config::SMALL)
}

/// What a meddler makes of a message.
type Meddle<'a> = Box<dyn FnMut(Vec<u8>) -> Vec<Vec<u8>> + Send + 'a>;

/// A stream with a meddler in its middle, who speaks properly with both sides, and an agent at its
/// other end.
struct Meddled<'a> {
    agent: Agent<Primitives<i32>>,
    /// Towards the host, and towards the agent.
    to_host: Link,
    to_agent: Link,
    meddle: Meddle<'a>,
    waiting: [VecDeque<Vec<u8>>; 2],
    down: Vec<u8>,
    now: u64,
}

impl<'a> Meddled<'a> {
    fn new(meddle: Meddle<'a>) -> Self {
        let to_host = Link::responder(1, link::Config::HOST);
        let mut to_agent = Link::initiator(7, link::Config::HOST);
        to_agent.reconnect(1);
        let (waiting, down, now) = (Default::default(), Vec::new(), 1);
        Meddled { agent: agent(), to_host, to_agent, meddle, waiting, down, now }
    }

    fn turn(&mut self, bytes: &[u8]) {
        let now = self.now;
        self.to_host.receive(bytes, now);
        let (mut up, mut down) = (Vec::new(), Vec::new());
        while self.to_agent.transmit(now, &mut up) {}
        self.agent.receive(&up, now);
        self.agent.work(now);
        while self.agent.transmit(now, &mut down) {}
        self.to_agent.receive(&down, now);
        let [commands, messages] = &mut self.waiting;
        let mut pass = |from: &mut Link, to: &mut Link, waiting: &mut VecDeque<Vec<u8>>| {
            while waiting.len() < 100 {
                let Some(payload) = from.take(now) else { break };
                waiting.extend((self.meddle)(payload));
            }
            while let Some(payload) =
                waiting.pop_front_if(|next: &mut Vec<u8>| to.has_room(next.len()))
            {
                let _ = to.send(&payload, true, now);
            }
        };
        pass(&mut self.to_host, &mut self.to_agent, commands);
        pass(&mut self.to_agent, &mut self.to_host, messages);
        while self.to_host.transmit(now, &mut self.down) {}
    }
}

impl Stream for Meddled<'static> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.turn(bytes);
        Ok(())
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        for _ in 0..4 {
            self.now += (wait.as_micros() as u64 / 4).max(50);
            self.turn(&[]);
        }
        Ok(std::mem::take(&mut self.down))
    }

    fn reopen(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn now(&self) -> u64 {
        self.now
    }

    fn pause(&mut self, time: Duration) {
        self.now += time.as_micros() as u64;
    }

    fn describe(&self) -> String {
        String::new()
    }
}

/// All that a debugger does with a device; says how many of its wishes came true.
fn debug(device: &mut Device) -> u32 {
    let module = module();
    let mut machine = Machine::new(module.clone(), Limits::default(), ImportValues::default())
        .expect("it can be started");
    let mut done = 0;
    let mut note = |result: Result<(), DeviceError>| done += u32::from(result.is_ok());
    note(device.load(&module, None).map(drop));
    let mut turns = 0;
    let mut impatient = move || {
        turns += 1;
        turns > 30
    };
    note(device.play(40).and_then(|()| device.wait(&mut impatient).map(drop)));
    let choices: Vec<DeviceChoice> =
        std::iter::from_fn(|| device.next_choice()).take(100).collect();
    for all in [true, false] {
        note(device.inspect(all).map(|snapshot| {
            // It may not be one of this machine.
            if machine.restore_without_pages(&snapshot.state).is_ok() {
                for (memory, page, content) in &snapshot.pages {
                    let _ = machine.restore_page(*memory, *page, content);
                }
                let _ = machine.hash();
            }
        }));
    }
    note(device.undo(0));
    // To the first input, which then returns something else.
    note(device.reset());
    let first = choices.first().map_or(1, |choice| choice.count);
    note(device.replay(0, first, 0, &[], &mut || false).map(drop));
    note(device.mock(Value::I32(3)).map(drop));
    note(device.step().map(drop));
    note(device.reset());
    note(device.replay(0, 30, 10, &choices, &mut || false).map(drop));
    note(device.set_breakpoint(1, true));
    note(device.its_counters().map(drop));
    note(device.detach());
    note(device.pause());
    note(device.read_trace().map(drop));
    note(device.unload());
    note(device.read_primitive(0, &[], None, 5).map(drop));
    note(device.perform_primitive(1, &[Value::I32(4)], 6, &machine).map(drop));
    done
}

/// All that bytes can be taken for.
pub fn both(bytes: &[u8]) {
    commanded(bytes);
    meddled(bytes);
}

/// A conversation of host and agent in which a meddler does what the bytes say; returns how many
/// of the host's wishes came true.
pub fn meddled(bytes: &[u8]) -> u32 {
    // Streams own what they need.
    let mut plan = Vec::from(bytes).into_iter();
    let meddle = move |mut message: Vec<u8>| {
        // Most messages are left alone, or no conversation would get far.
        let Some(action) = plan.next() else { return vec![message] };
        match action {
            0xf0 => vec![],
            0xf1 => vec![message.clone(), message],
            0xf2 => {
                let at = usize::from(plan.next().unwrap_or(0)) % message.len().max(1);
                message.truncate(at);
                vec![message]
            }
            0xf3 => {
                let length = usize::from(plan.next().unwrap_or(0));
                message.extend(plan.by_ref().take(length));
                message.truncate(link::PAYLOAD);
                vec![message]
            }
            0xf4 => {
                let length = usize::from(plan.next().unwrap_or(0));
                vec![plan.by_ref().take(length).collect()]
            }
            0xf5.. => {
                let at = usize::from(plan.next().unwrap_or(0)) % message.len().max(1);
                let with = plan.next().unwrap_or(0);
                message.iter_mut().skip(at).take(1).for_each(|byte| *byte = with);
                vec![message]
            }
            _ => vec![message],
        }
    };
    match Device::connect(Box::new(Meddled::new(Box::new(meddle))), 3) {
        Ok(mut device) => debug(&mut device),
        Err(_) => 0,
    }
}

/// The bytes as commands that arrive at an agent with a program, and as bytes on the wire.
pub fn commanded(bytes: &[u8]) {
    let pieces = bytes.split(|byte| *byte == 0xfe).map(|piece| &piece[..piece.len().min(500)]);
    let mut agent = agent();
    let mut host = Link::initiator(7, link::Config::HOST);
    host.reconnect(0);
    let image = module().to_image(false);
    let command = |command: &Command<'_>| postcard::to_allocvec(command).expect("vectors grow");
    let mut messages = VecDeque::from([
        command(&Command::Load { image: image.len() as u32, module: 100 }),
        command(&Command::Part(&image)),
        command(&Command::Start { entry: None }),
    ]);
    messages.extend(pieces.map(<[u8]>::to_vec));
    agent.receive(bytes, 0);
    for now in (0..200u64).map(|turn| turn * 10_000) {
        if let Some(message) =
            messages.pop_front_if(|message: &mut Vec<u8>| host.has_room(message.len()))
        {
            let _ = host.send(&message, true, now);
        }
        let (mut up, mut down) = (Vec::new(), Vec::new());
        while host.transmit(now, &mut up) {}
        agent.receive(&up, now);
        agent.work(now);
        while agent.transmit(now, &mut down) {}
        host.receive(&down, now);
        while host.take(now).is_some() {}
    }
}
