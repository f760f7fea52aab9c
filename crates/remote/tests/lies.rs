//! A device that lies is refused with a reason, and nothing is taken from it.

mod common;

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use mw_remote::host::{Device, DeviceError, Stream};
use mw_remote::link::{Config, Link};
use mw_remote::message::{Event, FromDevice, Reason, Reply};
use proptest::prelude::*;

/// A device that answers commands with whatever was prepared.
struct Liar {
    link: Link,
    now: u64,
    answers: VecDeque<Vec<FromDevice<'static>>>,
    noise: Vec<u8>,
    down: Vec<u8>,
}

impl Liar {
    fn turn(&mut self, bytes: &[u8]) {
        self.link.receive(bytes, self.now);
        while let Some(payload) = self.link.take(self.now) {
            let mut said = match self.answers.pop_front() {
                Some(messages) => messages
                    .iter()
                    .flat_map(|message| postcard::to_allocvec(message).unwrap())
                    .collect(),
                None => self.noise.clone(),
            };
            let _ = payload;
            said.truncate(500);
            let _ = self.link.send(&said, true, self.now);
        }
        while self.link.transmit(self.now, &mut self.down) {}
    }
}

impl Stream for Liar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.turn(bytes);
        Ok(())
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        self.now += (wait.as_micros() as u64).max(100);
        self.turn(&[]);
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
        "a liar".into()
    }
}

fn description(primitives: u32) -> FromDevice<'static> {
    let name = "liar".into();
    FromDevice::Reply(Reply::Description { name, primitives, memory: 1000, speed: 0 })
}

fn liar(answers: Vec<Vec<FromDevice<'static>>>, noise: Vec<u8>) -> Result<Device, DeviceError> {
    let (link, answers) = (Link::responder(1, Config::HOST), answers.into());
    let liar = Liar { link, now: 1, answers, noise, down: Vec::new() };
    Device::connect(Box::new(liar), 3)
}

fn reason<T>(result: Result<T, DeviceError>) -> String {
    match result {
        Ok(_) => "it was believed".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn endless_lists_are_refused() {
    let refused = reason(liar(vec![vec![description(u32::MAX)]], vec![]));
    assert_eq!(refused, "the device is not to be trusted: it has too many primitives");
}

#[test]
fn answers_to_other_questions_are_refused() {
    let refused = reason(liar(vec![vec![FromDevice::Reply(Reply::Done)]], vec![]));
    let expected = "the device is not to be trusted: it answers something else than was asked";
    assert_eq!(refused, expected);
}

#[test]
fn impossible_choices_are_refused() {
    for (choices, expected) in [
        // Zero instructions after the last one.
        (&[0, 5][..], "it counts instructions backwards"),
        // More instructions than there are numbers.
        (
            &[
                0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 5, 0xfe, 0xff, 0xff, 0xff,
                0xff, 0xff, 0xff, 0xff, 0xff, 1, 5, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xff, 1, 5,
            ],
            "it counts instructions backwards",
        ),
        // Cut off.
        (&[0x80][..], "it sends choices that are none"),
        // The same choice over and over, for ever.
        (
            &[3, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f][..],
            "it reads inputs without end",
        ),
    ] {
        let choices = choices.to_vec().leak();
        let event = FromDevice::Event(Event::Choices { from: 0, choices });
        let refused = reason(liar(vec![vec![description(0), event]], vec![]));
        assert_eq!(refused, format!("the device is not to be trusted: {expected}"));
    }
}

#[test]
fn pages_that_are_none_are_refused() {
    let page = [
        description(0),
        FromDevice::Event(Event::Part(&[1, 200, 7])),
        FromDevice::Event(Event::Page { memory: 0, page: 0 }),
    ];
    let refused = reason(liar(vec![page.to_vec()], vec![]));
    assert_eq!(refused, "the device is not to be trusted: it sends a page that is none");
}

#[test]
fn a_stop_elsewhere_than_told_is_no_stop_here() {
    let stopped = Event::Stopped { count: 99, reason: Reason::Reached, hash: 0 };
    let mut device = liar(
        vec![
            vec![description(0)],
            vec![FromDevice::Reply(Reply::Done), FromDevice::Event(stopped)],
        ],
        vec![],
    )
    .unwrap();
    let replayed = device.replay(0, 5, 0, &[], &mut || false).unwrap();
    assert_eq!(replayed.count, 99, "who asked compares it with where the device should be");
}

proptest! {
    #[test]
    fn noise_is_refused_and_never_believed(noise in prop::collection::vec(any::<u8>(), 1..300)) {
        // Whatever it says, it ends, with a reason or by being silent.
        let _ = reason(liar(vec![vec![description(3)]], noise));
    }
}
