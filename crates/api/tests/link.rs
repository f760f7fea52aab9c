//! What front ends learn of a device while its cable is pulled out, put back and cut.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mw_api::request::{Link, Step, Where};
use mw_api::{
    Answered, Client, Debugger, DeviceView, Direction, Event, LinkState, LinkView, Position, RunOn,
    Service, Setup, Unattended, Unit,
};
use mw_remote::agent::{Agent, Config};
use mw_remote::host::{SimulatedBoard, Stream};
use mw_world::Description;

const PROGRAM: &str = r#"
(module
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (func (export "main")
    (call $write (i32.const 13) (i32.const 1)) (call $write (i32.const 13) (i32.const 0))))
"#;

/// What is done to a cable.
#[derive(Debug, Default)]
enum Hand {
    #[default]
    In,
    /// Put back when somebody has waited so often for it.
    Out(u32),
    /// Pulled out while the device is switched off and on again.
    Restarting,
    Cut,
}

/// A stream through a cable, with the agent at its other end. Time is made up where it matters; it
/// passes by itself, too, for whoever waits for the service to do something.
struct Cable {
    agent: Agent<SimulatedBoard>,
    hand: Arc<Mutex<Hand>>,
    now: u64,
    since: Instant,
    down: Vec<u8>,
}

impl Cable {
    fn holds(&self) -> io::Result<()> {
        match *self.hand.lock().unwrap() {
            Hand::In => Ok(()),
            _ => Err(io::Error::other("no cable")),
        }
    }

    fn turn(&mut self, bytes: &[u8]) {
        self.now += 200;
        let now = self.now();
        self.agent.receive(bytes, now);
        self.agent.work(now);
        while self.agent.transmit(now, &mut self.down) {}
    }
}

impl Stream for Cable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.holds()?;
        self.turn(bytes);
        Ok(())
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        self.holds()?;
        let end = self.now() + wait.as_micros() as u64;
        while self.down.is_empty() && self.now() < end {
            self.turn(&[]);
        }
        Ok(std::mem::take(&mut self.down))
    }

    fn reopen(&mut self) -> io::Result<()> {
        if matches!(*self.hand.lock().unwrap(), Hand::Cut) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let mut hand = self.hand.lock().unwrap();
        if matches!(*hand, Hand::Restarting) {
            (*hand, self.agent) = (Hand::In, agent(2));
        }
        drop(hand);
        self.holds()?;
        self.agent.reconnect(self.now());
        Ok(())
    }

    fn now(&self) -> u64 {
        self.now + self.since.elapsed().as_micros() as u64
    }

    fn pause(&mut self, time: Duration) {
        self.now += time.as_micros() as u64;
        let mut hand = self.hand.lock().unwrap();
        match *hand {
            Hand::Out(0) => *hand = Hand::In,
            Hand::Out(waits) => *hand = Hand::Out(waits - 1),
            _ => {}
        }
    }

    fn describe(&self) -> String {
        "a cable".into()
    }
}

fn agent(boot: u32) -> Agent<SimulatedBoard> {
    let board = SimulatedBoard::new(&Arc::new(Description::board(Default::default()))).unwrap();
    Agent::new(board, boot, Config { name: "bench", ..Config::SMALL })
}

fn attach() -> (Service, Arc<Mutex<Hand>>) {
    let hand = Arc::new(Mutex::new(Hand::In));
    let cable = Cable {
        agent: agent(1),
        hand: hand.clone(),
        now: 1,
        since: Instant::now(),
        down: Vec::new(),
    };
    let setup = Setup::new(&wat::parse_str(PROGRAM).unwrap()).unwrap();
    let setup = setup.usual_entry(&[]).unwrap();
    let debugger =
        Debugger::attach_stream(setup, Box::new(cable), RunOn::Device, None, &mut Unattended)
            .unwrap();
    (Service::start(debugger).unwrap(), hand)
}

fn step(client: &mut Client) -> Answered<Step> {
    let (unit, direction) = (Unit::Instruction, Direction::Forward);
    client.ask(Step { unit, direction, count: 3 }, &mut Unattended)
}

fn position(client: &mut Client) -> Position {
    client.ask(Where {}, &mut Unattended).unwrap()
}

fn link(client: &mut Client) -> LinkView {
    client.ask(Link {}, &mut Unattended).unwrap()
}

fn device(link: LinkState) -> DeviceView {
    let (name, address) = ("bench".into(), "a cable".into());
    DeviceView { name, address, run_on: RunOn::Device, link }
}

/// What a front end is told of the device, and of the positions after changes.
fn listen(client: &Client) -> (mw_api::Subscription, Arc<Mutex<Vec<DeviceView>>>) {
    let told: Arc<Mutex<Vec<DeviceView>>> = Arc::default();
    let heard = told.clone();
    let subscription = client.subscribe(move |event| match event {
        Event::Link(device) => heard.lock().unwrap().push(device.clone()),
        Event::Changed(changed) => {
            let device = changed.position.device.clone();
            heard.lock().unwrap().push(device.expect("a device"));
        }
        _ => {}
    });
    (subscription, told)
}

#[test]
fn an_interruption_is_told_while_it_lasts() {
    let (service, hand) = attach();
    let mut client = service.client("page");
    let (_subscription, told) = listen(&client);
    assert_eq!(position(&mut client).device, Some(device(LinkState::Connected)));
    *hand.lock().unwrap() = Hand::Out(3);
    step(&mut client).unwrap();
    // What is asked for next is served when all of that has been told.
    position(&mut client);
    let interrupted = LinkState::Interrupted { why: "no cable".into() };
    let connected = device(LinkState::Connected);
    assert_eq!(
        *told.lock().unwrap(),
        [device(interrupted), connected.clone(), connected],
        "interrupted, connected, and the change"
    );
}

#[test]
fn a_link_that_is_over_is_broken_for_good() {
    let (service, hand) = attach();
    let mut client = service.client("page");
    let (_subscription, told) = listen(&client);
    assert!(link(&mut client).device_side.is_some_and(|side| side.bytes_sent > 0));
    *hand.lock().unwrap() = Hand::Cut;
    let error = step(&mut client).unwrap_err();
    assert!(error.message.contains("no cable; attach again"), "{}", error.message);
    let why = "the connection to the device is lost: no cable".to_owned();
    let broken = LinkState::Broken { why };
    assert_eq!(position(&mut client).device, Some(device(broken.clone())));
    let told = told.lock().unwrap().clone();
    assert_eq!(told, [device(broken.clone()), device(broken.clone())], "the state, and the change");
    // It is not touched again, even if it could be.
    *hand.lock().unwrap() = Hand::In;
    let figures = link(&mut client);
    assert_eq!((figures.link, figures.device_side), (broken, None));
}

#[test]
fn a_device_that_has_restarted_is_brought_to_where_the_session_stands() {
    let (service, hand) = attach();
    let mut client = service.client("page");
    step(&mut client).unwrap();
    // Machine and outputs are compared with those here after every stretch.
    *hand.lock().unwrap() = Hand::Restarting;
    let error = step(&mut client).unwrap_err();
    assert!(error.message.contains("has restarted, and has been brought"), "{}", error.message);
    assert_eq!(position(&mut client).device, Some(device(LinkState::Connected)));
    step(&mut client).unwrap();
    assert!(link(&mut client).device_side.is_some(), "it answers");
}

#[test]
fn a_device_that_restarts_while_nothing_is_done_is_brought_back() {
    let (service, hand) = attach();
    let mut client = service.client("page");
    step(&mut client).unwrap();
    let (_subscription, told) = listen(&client);
    *hand.lock().unwrap() = Hand::Restarting;
    let interrupted = |view: &DeviceView| matches!(view.link, LinkState::Interrupted { .. });
    let is_back = || {
        let told = told.lock().unwrap();
        told.iter().any(interrupted) && told.last() == Some(&device(LinkState::Connected))
    };
    // The number is only there to end a test that fails.
    let pause = Duration::from_millis(20);
    (0..1000).take_while(|_| !is_back()).for_each(|_| std::thread::sleep(pause));
    assert!(is_back(), "{:?}", told.lock().unwrap());
    step(&mut client).unwrap();
}
