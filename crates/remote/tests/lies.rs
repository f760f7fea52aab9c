//! A device that lies is refused with a reason, and nothing is taken from it.

use crate::common;

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use mw_remote::choices::{Packer, Reading};
use mw_remote::host::{Device, DeviceError, Stream};
use mw_remote::link::{Config, Link};
use mw_remote::message::{Activity, Event, FromDevice, Reason, Reply, Status};
use mw_vm::{ImportValues, Limits, Machine};
use proptest::prelude::*;

/// A device that answers commands with whatever was prepared.
struct Liar {
    link: Link,
    now: u64,
    answers: VecDeque<Vec<FromDevice<'static>>>,
    noise: Vec<u8>,
    /// What it says over and over when it has answered everything.
    endless: Vec<u8>,
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
        if self.answers.is_empty() && !self.endless.is_empty() {
            while self.link.send(&self.endless, true, self.now).is_ok() {}
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
    let liar = Liar { link, now: 1, answers, noise, endless: Vec::new(), down: Vec::new() };
    Device::connect(Box::new(liar), 3)
}

/// A device that introduces itself properly and answers the next command with this.
fn answering(messages: &[FromDevice<'static>]) -> Device {
    liar(vec![vec![description(0)], messages.to_vec()], vec![]).unwrap()
}

/// A device that agrees to the next command and then says the same for ever.
fn endless(event: Event<'_>) -> Device {
    let event = postcard::to_allocvec(&FromDevice::Event(event)).unwrap();
    let answers = vec![vec![description(0)], vec![DONE]].into();
    let (link, noise) = (Link::responder(1, Config::HOST), Vec::new());
    let endless = event.repeat(500 / event.len());
    let liar = Liar { link, now: 1, answers, noise, endless, down: Vec::new() };
    Device::connect(Box::new(liar), 3).unwrap()
}

const DONE: FromDevice<'static> = FromDevice::Reply(Reply::Done);

fn stopped(count: u64) -> FromDevice<'static> {
    FromDevice::Event(Event::Stopped { count, reason: Reason::Reached, hash: 0 })
}

/// One choice, so many instructions after a count.
fn choice(from: u64, after: u64) -> FromDevice<'static> {
    let mut packer = Packer::default();
    packer.push(Reading { after, slot: 7 });
    FromDevice::Event(Event::Choices { from, choices: packer.take().leak() })
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
fn answers_to_no_question_are_refused() {
    let refused = reason(liar(vec![vec![description(0), DONE]], vec![]));
    assert_eq!(refused, "the device is not to be trusted: it answers what nobody asked");
}

/// What a device says to `play` and thereafter, and why it is not believed.
fn check_play(until: u64, says: &[FromDevice<'static>], expected: &str) {
    let mut device = answering(&[&[DONE][..], says].concat());
    let waited = device.play(until).and_then(|()| device.wait(&mut || false));
    assert_eq!(reason(waited), format!("the device is not to be trusted: {expected}"), "{says:?}");
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
        (&[][..], "it tells of inputs that were not read"),
        // The same choice over and over, for ever.
        (
            &[3, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f][..],
            "it reads inputs without end",
        ),
    ] {
        let choices = choices.to_vec().leak();
        check_play(u64::MAX, &[FromDevice::Event(Event::Choices { from: 0, choices })], expected);
    }
}

#[test]
fn impossible_counts_are_refused() {
    let beyond = "it executed 99 instructions and was to stop after 5";
    let backwards = "it counts instructions backwards";
    check_play(5, &[stopped(99)], beyond);
    check_play(5, &[choice(90, 9)], beyond);
    check_play(5, &[choice(2, 2), stopped(99)], beyond);
    check_play(9, &[choice(2, 2), stopped(3)], backwards);
    check_play(9, &[choice(2, 2), choice(2, 2)], "it tells of inputs that were not read");
    check_play(9, &[choice(2, 2), choice(5, 2)], "it tells of inputs that were not read");
    check_play(9, &[stopped(4), stopped(5)], "it stops without having run");
    check_play(9, &[stopped(4), choice(4, 1)], "it reads inputs without running");
    let most = u64::MAX;
    let expected = format!("it executed {most} instructions and was to stop after 9");
    check_play(9, &[stopped(most)], &expected);
}

#[test]
fn a_step_is_one_instruction() {
    let mut device = answering(&[DONE, stopped(4)]);
    // From wherever it is.
    assert_eq!(device.step().unwrap().count, 4);
    let answers = vec![vec![description(0)], vec![DONE], vec![DONE, stopped(2)]];
    let mut device = liar(answers, vec![]).unwrap();
    device.reset().unwrap();
    let expected = "it executed 2 instructions and was to stop after 1";
    assert_eq!(
        reason(device.step()),
        format!("the device is not to be trusted: {expected}"),
        "a device that begins again is at 0"
    );
}

#[test]
fn a_device_that_does_not_stop_when_told_is_left() {
    let mut device = liar(vec![vec![description(0)], vec![DONE], vec![DONE]], vec![]).unwrap();
    device.play(9).unwrap();
    let refused = reason(device.wait(&mut || true));
    assert_eq!(refused, "the device is not to be trusted: it does not stop");
}

#[test]
fn what_nobody_asked_for_is_refused() {
    let expected = "it sends something that nobody asked for";
    for event in [
        Event::Part(&[1]),
        Event::State,
        Event::Page { memory: 0, page: 0 },
        Event::StateEnds,
        Event::Trace { from: 0 },
        Event::TraceEnds { has_state: false, until: 0, lost: 0 },
    ] {
        check_play(9, &[FromDevice::Event(event)], expected);
    }
}

#[test]
fn endless_streams_are_cut_off() {
    let refused = |expected| format!("the device is not to be trusted: {expected}");
    // Asked for its state, the same for ever.
    for (event, expected) in [
        (Event::Part(&[1; 400]), "it sends something without end"),
        (Event::Part(&[]), "it sends something without end"),
        (Event::Page { memory: 0, page: 0 }, "it sends something without end"),
        (Event::State, "it sends a state that is none"),
        (Event::Trace { from: 0 }, "it sends something without end"),
    ] {
        assert_eq!(reason(endless(event.clone()).inspect(true)), refused(expected), "{event:?}");
    }
    let expected = "its recording begins with no state";
    let ends = Event::TraceEnds { has_state: true, until: 0, lost: 0 };
    assert_eq!(reason(endless(ends).read_trace()), refused(expected));
    // Told to run, the same for ever.
    let captured = Event::Captured { count: 1, primitive: 0, captured: &[1] };
    let mut device = endless(captured);
    let waited = device.play(9).and_then(|()| device.wait(&mut || false));
    assert_eq!(reason(waited), refused("it gives more to keep than there is room"));
}

#[test]
fn one_state_is_sent_at_a_time() {
    let (part, ends) = (FromDevice::Event(Event::Part(&[1])), FromDevice::Event(Event::StateEnds));
    let state = [part, FromDevice::Event(Event::State), ends];
    let mut device = answering(&[&[DONE][..], &state, &state].concat());
    let refused = reason(device.inspect(true));
    assert_eq!(refused, "the device is not to be trusted: it sends something without end");
}

#[test]
fn limits_that_protect_nobody_are_refused() {
    let module = common::module("(module (func (export \"main\")))");
    let believed = |limits: Limits| {
        let (activity, program, ended) = (Activity::Empty, None, None);
        let (count, has_trace, limits) = (0, false, Some(limits));
        let status = Status { activity, program, count, ended, has_trace, limits };
        let status = |limits| FromDevice::Reply(Reply::Status(Status { limits, ..status.clone() }));
        let mut asked = answering(&[status(limits)]);
        let loaded = FromDevice::Reply(Reply::Loaded(limits.unwrap()));
        let answers = [description(0), status(None), DONE, DONE, loaded];
        let mut device = liar(answers.into_iter().map(|answer| vec![answer]).collect(), vec![]);
        (reason(asked.status()), reason(device.as_mut().unwrap().load(&module, None)))
    };
    let expected = "the device is not to be trusted: it has room for more than any program may use";
    let most = Limits::default();
    for limits in [
        Limits { stack_slots: u32::MAX, ..most },
        Limits { call_depth: u32::MAX, ..most },
        Limits { memory_pages: u32::MAX, ..most },
        Limits { table_elements: u32::MAX, ..most },
    ] {
        assert_eq!(believed(limits), (expected.into(), expected.into()), "{limits:?}");
    }
    assert_eq!(believed(most), ("it was believed".into(), "it was believed".into()));
}

#[test]
fn a_primitive_needs_no_end_of_memory() {
    let wants = |page: u32| {
        let (address, length) = (page * 16, 16);
        vec![DONE, FromDevice::Reply(Reply::NeedsMemory { address, length })]
    };
    let module = common::module("(module (memory 1))");
    let machine = Machine::new(module, Limits::default(), ImportValues::default()).unwrap();
    // The first time there is nothing to send along.
    let mut answers = vec![vec![description(0)], vec![wants(0).remove(1)]];
    answers.extend((1..40).flat_map(|page| wants(page).into_iter().map(|message| vec![message])));
    let mut device = liar(answers, vec![]).unwrap();
    let refused = reason(device.perform_primitive(0, &[], 0, &machine));
    assert_eq!(refused, "the device is not to be trusted: it asks for memory without end");
}

#[test]
fn names_cannot_command_a_terminal() {
    let name = "\u{1b}[2Jpeace\r\n".into();
    let reply = Reply::Description { name, primitives: 0, memory: 1000, speed: 0 };
    let device = liar(vec![vec![FromDevice::Reply(reply)]], vec![]).unwrap();
    assert_eq!(device.name(), "[2Jpeace");
}

#[test]
fn a_state_of_another_program_is_not_taken() {
    let bench = common::Shared::default();
    let (wire, _) = common::Wire::new(common::agent(&bench), common::Faults::default(), 1);
    let mut device = Device::connect(Box::new(wire), 1).unwrap();
    let text = r#"(module (memory 1) (data (i32.const 0) "data") (func (export "main")))"#;
    let module = common::module(text);
    device.load(&module, Some((0, &[]))).unwrap();
    let snapshot = device.inspect(true).unwrap();
    let machine = |text| {
        let module = common::module(text);
        Machine::new(module, device.limits(), ImportValues::default()).unwrap()
    };
    let [(memory, page, content)] = &snapshot.pages[..] else { panic!("one page") };
    let mut same = machine(text);
    assert!(same.restore_without_pages(&snapshot.state).is_ok());
    assert!(same.restore_page(*memory, *page, content));
    let before = same.hash();
    assert!(!same.restore_page(*memory, 16, content), "a page beyond the end");
    assert!(!same.restore_page(*memory, u32::MAX, content));
    assert!(!same.restore_page(1, *page, content), "a memory that is not there");
    assert_eq!(same.hash(), before);
    let mut other = machine(r#"(module (memory 1) (func (export "main") (nop)))"#);
    assert!(other.restore_without_pages(&snapshot.state).is_err());
}

#[test]
fn pages_that_are_none_are_refused() {
    let page = [
        DONE,
        FromDevice::Event(Event::Part(&[1, 200, 7])),
        FromDevice::Event(Event::Page { memory: 0, page: 0 }),
    ];
    let refused = reason(answering(&page).inspect(true));
    assert_eq!(refused, "the device is not to be trusted: it sends a page that is none");
}

proptest! {
    #[test]
    fn noise_is_refused_and_never_believed(noise in prop::collection::vec(any::<u8>(), 1..300)) {
        // Whatever it says, it ends, with a reason or by being silent.
        let _ = reason(liar(vec![vec![description(3)]], noise));
    }
}
