//! Two sides over a stream that loses, damages, repeats, delays and cuts off.

use alloc::{collections::VecDeque, vec, vec::Vec};

use proptest::prelude::*;

use super::*;

/// How bad a stream is: so many of a thousand writes suffer it.
#[derive(Clone, Copy, Debug)]
struct Faults {
    lost: u32,
    flipped: u32,
    repeated: u32,
    delayed: u32,
    /// Of a thousand rounds, so many end with the connection's breaking.
    broken: u32,
}

fn faults() -> impl Strategy<Value = Faults> {
    (0..300u32, 0..300u32, 0..300u32, 0..300u32, 0..30u32).prop_map(
        |(lost, flipped, repeated, delayed, broken)| Faults {
            lost,
            flipped,
            repeated,
            delayed,
            broken,
        },
    )
}

/// A small generator, so that a case is its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn happens(&mut self, of_thousand: u32) -> bool {
        self.below(1000) < u64::from(of_thousand)
    }
}

/// One direction: writes that arrive at a time.
#[derive(Default)]
struct Channel(VecDeque<(u64, Vec<u8>)>);

impl Channel {
    fn write(&mut self, mut bytes: Vec<u8>, now: u64, faults: &Faults, random: &mut Random) {
        if random.happens(faults.lost) {
            return;
        }
        if random.happens(faults.flipped) {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << random.below(8);
        }
        let delay = match random.happens(faults.delayed) {
            true => random.below(400_000),
            false => 500,
        };
        if random.happens(faults.repeated) {
            self.0.push_back((now + random.below(400_000), bytes.clone()));
        }
        self.0.push_back((now + delay, bytes));
    }

    fn arrived(&mut self, now: u64) -> Vec<Vec<u8>> {
        let (mut arrived, rest): (Vec<_>, Vec<_>) =
            self.0.drain(..).partition(|(at, _)| *at <= now);
        self.0 = rest.into();
        arrived.sort_by_key(|(at, _)| *at);
        arrived.into_iter().map(|(_, bytes)| bytes).collect()
    }
}

struct Side {
    link: Link,
    to_send: VecDeque<Vec<u8>>,
    received: Vec<u8>,
}

impl Side {
    fn new(link: Link, messages: &[Vec<u8>]) -> Side {
        Side { link, to_send: messages.iter().cloned().collect(), received: vec![] }
    }

    fn turn(&mut self, now: u64, out: &mut Channel, faults: &Faults, random: &mut Random) {
        // A device has nobody to talk to before the first session.
        while let Some(message) = self.to_send.front().filter(|_| self.link.session != NO_SESSION) {
            match self.link.send(message, random.below(4) == 0, now) {
                Ok(()) => self.to_send.pop_front(),
                Err(SendError::Full) => break,
                Err(error) => panic!("{error}"),
            };
        }
        let mut bytes = Vec::new();
        while self.link.transmit(now, &mut bytes) {
            out.write(core::mem::take(&mut bytes), now, faults, random);
        }
        // Sometimes nobody takes what has arrived.
        if random.below(3) > 0
            && let Some(payload) = self.link.take(now)
        {
            self.received.extend(payload);
        }
    }
}

const PERFECT: Faults = Faults { lost: 0, flipped: 0, repeated: 0, delayed: 0, broken: 0 };

fn messages(count: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut random = Random(seed);
    let message = |index: usize| {
        let mut message = vec![index as u8; 1 + random.below(60) as usize];
        message[0] = (index >> 8) as u8;
        message
    };
    (0..count).map(message).collect()
}

/// Runs until all has arrived everywhere; returns both sides.
fn converse(faults: Faults, seed: u64, there: &[Vec<u8>], back: &[Vec<u8>]) -> (Side, Side) {
    let small = Config { payload: 64, queue: 5, inbox: 2, delay: 3_000 };
    let mut host = Side::new(Link::initiator(seed | 1, Config { inbox: 7, ..small }), there);
    let mut device = Side::new(Link::responder(seed as u32, small), back);
    let (mut up, mut down) = (Channel::default(), Channel::default());
    let mut random = Random(seed);
    let (expected_there, expected_back) = (there.concat(), back.concat());
    host.link.reconnect(0);
    for round in 0..200_000u64 {
        let now = round * 1_000;
        // In the end the stream gets better, or nothing would ever be sure to arrive.
        let faults = if round < 20_000 { faults } else { PERFECT };
        host.turn(now, &mut up, &faults, &mut random);
        device.turn(now, &mut down, &faults, &mut random);
        up.arrived(now).iter().for_each(|bytes| device.link.receive(bytes, now));
        down.arrived(now).iter().for_each(|bytes| host.link.receive(bytes, now));
        assert!(expected_there.starts_with(&device.received), "round {round}");
        assert!(expected_back.starts_with(&host.received), "round {round}");
        if random.happens(faults.broken) {
            // What is under way may be gone, or come late into the next connection.
            if random.below(2) == 0 {
                (up, down) = (Channel::default(), Channel::default());
            }
            host.link.reconnect(now);
            device.link.reconnect(now);
        }
        let all = host.received.len() == expected_back.len()
            && device.received.len() == expected_there.len();
        if all && host.link.is_idle() && device.link.is_idle() {
            return (host, device);
        }
    }
    panic!(
        "stuck: host {:?} has {} of {}, device {:?} has {} of {}",
        host.link.counters(),
        host.received.len(),
        expected_back.len(),
        device.link.counters(),
        device.received.len(),
        expected_there.len()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn everything_arrives_once_and_in_order(
        faults in faults(),
        seed: u64,
        there in 0..80usize,
        back in 0..80usize,
    ) {
        converse(faults, seed, &messages(there, seed), &messages(back, !seed));
    }
}

#[test]
fn each_fault_is_noticed() {
    let text = messages(300, 1);
    let with = |faults: Faults| {
        let (host, device) = converse(faults, 11, &text, &text);
        (*host.link.counters(), *device.link.counters())
    };
    let (host, device) = with(PERFECT);
    for side in [host, device] {
        assert_eq!((side.resent, side.damaged, side.duplicates, side.early), (0, 0, 0, 0));
        assert_eq!((side.overruns, side.connections), (0, 1));
    }
    assert!(host.waits > 0, "the device has room for two packets only");
    let (host, device) = with(Faults { lost: 100, ..PERFECT });
    assert!(host.resent > 0 && device.early > 0);
    let (host, device) = with(Faults { flipped: 100, ..PERFECT });
    assert!(host.damaged > 0 && device.damaged > 0);
    let (host, device) = with(Faults { repeated: 100, ..PERFECT });
    assert!(host.duplicates + device.duplicates > 0);
    let (host, _) = with(Faults { broken: 20, ..PERFECT });
    assert!(host.connections > 1);
}

/// Lets two links talk over a perfect stream for some milliseconds.
fn talk(host: &mut Link, device: &mut Link, from: u64, milliseconds: u64) {
    let mut bytes = Vec::new();
    for now in (0..milliseconds).map(|ms| from + ms * 1_000) {
        while host.transmit(now, &mut bytes) {}
        device.receive(&core::mem::take(&mut bytes), now);
        while device.transmit(now, &mut bytes) {}
        host.receive(&core::mem::take(&mut bytes), now);
    }
}

#[test]
fn a_device_that_restarted_is_not_taken_for_the_one_before() {
    let mut host = Link::initiator(5, Config::HOST);
    let mut device = Link::responder(1, Config::DEVICE);
    host.reconnect(0);
    host.send(b"first", true, 0).unwrap();
    talk(&mut host, &mut device, 0, 20);
    assert_eq!(device.take(20_000).as_deref(), Some(&b"first"[..]));
    host.send(b"second", true, 20_000).unwrap();
    let mut device = Link::responder(2, Config::DEVICE);
    host.reconnect(30_000);
    talk(&mut host, &mut device, 30_000, 300);
    assert_eq!(host.broken(), Some(&Broken::Forgotten));
    assert_eq!(device.take(400_000), None, "half a conversation reaches nobody");
}

#[test]
fn another_host_takes_over_and_an_old_greeting_does_not() {
    let mut first = Link::initiator(5, Config::HOST);
    let mut device = Link::responder(1, Config::DEVICE);
    first.reconnect(0);
    let mut old_greeting = Vec::new();
    first.transmit(0, &mut old_greeting);
    device.receive(&old_greeting, 0);
    talk(&mut first, &mut device, 0, 200);
    assert!(device.take_new_session());
    let mut second = Link::initiator(6, Config::HOST);
    second.reconnect(200_000);
    talk(&mut second, &mut device, 200_000, 20);
    assert!(second.is_connected() && device.take_new_session());
    device.receive(&old_greeting, 220_000);
    second.send(b"still here", true, 220_000).unwrap();
    talk(&mut second, &mut device, 220_000, 20);
    assert_eq!(device.take(240_000).as_deref(), Some(&b"still here"[..]));
    assert!(!device.take_new_session());
}

#[test]
fn versions_that_do_not_meet_are_told() {
    let mut device = Link::responder(1, Config::DEVICE);
    let mut bytes = Vec::new();
    let (session, attempt) = (9, 1);
    write(&Packet::Hello { magic: MAGIC, oldest: 70, newest: 80, session, attempt }, 0, &mut bytes);
    device.receive(&bytes, 0);
    bytes.clear();
    device.transmit(0, &mut bytes);
    let mut host = Link::initiator(9, Config::HOST);
    host.reconnect(0);
    host.receive(&bytes, 0);
    assert_eq!(host.broken(), Some(&Broken::Incompatible { oldest: OLDEST, newest: NEWEST }));
}

#[test]
fn a_batch_waits_no_longer_than_its_delay() {
    let mut host = Link::initiator(5, Config::HOST);
    let mut device = Link::responder(1, Config::DEVICE);
    host.reconnect(0);
    talk(&mut host, &mut device, 0, 20);
    for _ in 0..5 {
        device.send(b"choice", false, 20_000).unwrap();
    }
    let due = 20_000 + Config::DEVICE.delay;
    assert_eq!(device.wake_at(), Some(due));
    assert!(!device.transmit(due - 1, &mut Vec::new()));
    talk(&mut host, &mut device, due, 2);
    assert_eq!(host.take(due).unwrap(), b"choice".repeat(5), "one packet");
    assert_eq!(device.send(&[0; PAYLOAD + 1], true, due), Err(SendError::TooLong(PAYLOAD + 1)));
}

#[test]
fn a_host_that_takes_nothing_is_not_drowned() {
    let mut host = Link::initiator(5, Config { inbox: 4, ..Config::HOST });
    let mut device = Link::responder(1, Config::DEVICE);
    host.reconnect(0);
    talk(&mut host, &mut device, 0, 20);
    let mut now = 20_000;
    let mut taken = 0;
    while device.send(&[7; 400], true, now).is_ok() {
        taken += 1;
        talk(&mut host, &mut device, now, 50);
        now += 50_000;
    }
    assert!(taken <= 4 + Config::DEVICE.queue + 1, "{taken}");
    assert_eq!(host.counters().overruns, 0);
    while host.take(now).is_some() {
        talk(&mut host, &mut device, now, 50);
        now += 50_000;
    }
    assert!(device.is_idle());
}
