//! Whatever arrives on a link: both sides survive it, the device's agent and the host.

#![no_main]

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use mw_remote::agent::{Agent, Captured, Config, Primitives};
use mw_remote::host::{Device, Stream};
use mw_remote::link::Link;
use mw_remote::message::Command;
use mw_vm::{Limits, Module, Value};

/// A stream that says what the fuzzer wants, properly framed or not.
struct Fuzzed {
    link: Link,
    payloads: Vec<Vec<u8>>,
    raw: Vec<u8>,
    down: Vec<u8>,
    now: u64,
}

impl Stream for Fuzzed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.link.receive(bytes, self.now);
        while self.link.take(self.now).is_some() {
            if let Some(payload) = self.payloads.pop() {
                let _ = self.link.send(&payload, true, self.now);
            }
        }
        while self.link.transmit(self.now, &mut self.down) {}
        Ok(())
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        self.now += wait.as_micros() as u64 + 100_000;
        while self.link.transmit(self.now, &mut self.down) {}
        self.down.extend(std::mem::take(&mut self.raw));
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

fn image() -> &'static [u8] {
    static IMAGE: OnceLock<Vec<u8>> = OnceLock::new();
    IMAGE.get_or_init(|| {
        // (module (import "e" "i" (func (result i32))) (memory 1) (func (loop (i32.store (call 0) (call 0)) (br 0))) (start 1))
        let binary = b"\0asm\x01\0\0\0\x01\x08\x02\x60\0\x01\x7f\x60\0\0\x02\x07\x01\x01e\x01i\0\0\x03\x02\x01\x01\x05\x03\x01\0\x01\x08\x01\x01\x0a\x10\x01\x0e\0\x03\x40\x10\0\x10\0\x36\x02\0\x0c\0\x0b\x0b";
        Module::from_binary(binary, &Limits::default()).expect("it is valid").to_image(false)
    })
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let pieces: Vec<&[u8]> = bytes.split(|byte| *byte == 0xfe).collect();
    // The device: raw bytes, and then commands that arrive as they should.
    let mut agent = Agent::new(
        Primitives::new(())
            .input("e", "i", ">i", 0..=9, |_, _| Value::I32(4))
            .output("e", "o", "i>", |_, _, _| Ok(Captured::new([1])), |_, _| {}),
        1,
        Config::SMALL,
    );
    let mut host = Link::initiator(7, mw_remote::link::Config::HOST);
    host.reconnect(0);
    let image = image();
    let command = |command: &Command<'_>| postcard::to_allocvec(command).expect("it is written");
    let mut messages = vec![
        command(&Command::Load { image: image.len() as u32, module: 100 }),
        command(&Command::Part(image)),
        command(&Command::Start { entry: None }),
    ];
    messages.extend(pieces.iter().map(|piece| piece[..piece.len().min(500)].to_vec()));
    agent.receive(bytes, 0);
    let mut messages = messages.into_iter().peekable();
    for now in (0..200u64).map(|turn| turn * 10_000) {
        if let Some(message) = messages.next_if(|message| host.has_room(message.len())) {
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
    // The host.
    let payloads = pieces.iter().map(|piece| piece[..piece.len().min(500)].to_vec()).collect();
    let link = Link::responder(1, mw_remote::link::Config::HOST);
    let (raw, down, now) = (bytes.to_vec(), Vec::new(), 1);
    let _ = Device::connect(Box::new(Fuzzed { link, payloads, raw, down, now }), 3);
});
