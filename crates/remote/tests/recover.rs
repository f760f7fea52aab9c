//! A cable that is pulled out: who is told, what waits, and what gives up.

use crate::common;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{Faults, Shared, Wire, agent};
use mw_remote::agent::Primitives;
use mw_remote::host::{Device, DeviceError, Stream};

/// What is done to a cable.
#[derive(Debug, Default)]
struct Hand {
    is_out: bool,
    /// Put back when somebody has waited so often for it.
    back_after: Option<u32>,
    /// There is no putting back.
    is_cut: bool,
    /// Microseconds that have passed beside those of the wire.
    passed: u64,
}

/// A stream through a cable.
struct Cable(Wire<Primitives<Shared>>, Arc<Mutex<Hand>>);

impl Cable {
    fn holds(&self) -> io::Result<()> {
        match self.1.lock().unwrap().is_out {
            true => Err(io::Error::other("no cable")),
            false => Ok(()),
        }
    }
}

impl Stream for Cable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.holds()?;
        self.0.write(bytes)
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        self.holds()?;
        self.0.read(wait)
    }

    fn reopen(&mut self) -> io::Result<()> {
        if self.1.lock().unwrap().is_cut {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.holds()?;
        self.0.reopen()
    }

    fn now(&self) -> u64 {
        self.0.now + self.1.lock().unwrap().passed
    }

    fn pause(&mut self, time: Duration) {
        self.0.pause(time);
        let mut hand = self.1.lock().unwrap();
        match &mut hand.back_after {
            Some(0) => hand.is_out = false,
            Some(waits) => *waits -= 1,
            None => {}
        }
    }

    fn describe(&self) -> String {
        "a cable".into()
    }
}

type Told = Arc<Mutex<Vec<Option<String>>>>;

fn connect() -> (Device, Arc<Mutex<Hand>>, Told) {
    let (wire, _) = Wire::new(agent(&Shared::default()), Faults::default(), 1);
    let (hand, told) = (Arc::new(Mutex::new(Hand::default())), Told::default());
    let mut device = Device::connect(Box::new(Cable(wire, hand.clone())), 2).unwrap();
    let heard = told.clone();
    device.watch(move |why| heard.lock().unwrap().push(why.map(str::to_owned)));
    (device, hand, told)
}

fn out() -> Option<String> {
    Some("no cable".into())
}

#[test]
fn an_operation_waits_for_the_cable() {
    let (mut device, hand, told) = connect();
    *hand.lock().unwrap() = Hand { is_out: true, back_after: Some(3), ..Hand::default() };
    device.status().unwrap();
    assert_eq!(*told.lock().unwrap(), [out(), None]);
    assert_eq!(device.interrupted(), None);
}

#[test]
fn an_operation_does_not_wait_for_ever() {
    let (mut device, hand, told) = connect();
    hand.lock().unwrap().is_out = true;
    assert!(matches!(device.status(), Err(DeviceError::Lost(_))));
    assert_eq!(*told.lock().unwrap(), [out()]);
}

#[test]
fn who_looks_after_the_link_sees_the_cable_go_and_come() {
    let (mut device, hand, told) = connect();
    device.attend().unwrap();
    assert!(told.lock().unwrap().is_empty());
    hand.lock().unwrap().is_out = true;
    device.attend().unwrap();
    device.attend().unwrap();
    assert_eq!(*told.lock().unwrap(), [out()]);
    assert_eq!(device.interrupted(), Some("no cable"));
    hand.lock().unwrap().is_out = false;
    // Not tried again yet.
    device.attend().unwrap();
    assert_eq!(device.interrupted(), Some("no cable"));
    for _ in 0..3 {
        hand.lock().unwrap().passed += 2_000_000;
        device.attend().unwrap();
    }
    assert_eq!(*told.lock().unwrap(), [out(), None]);
    device.status().unwrap();
}

#[test]
fn who_looks_after_the_link_sees_that_it_is_over() {
    let (mut device, hand, _) = connect();
    *hand.lock().unwrap() = Hand { is_out: true, is_cut: true, ..Hand::default() };
    let error = device.attend().unwrap_err();
    assert_eq!(error.to_string(), "the connection to the device is lost: no cable");
}
