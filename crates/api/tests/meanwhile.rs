//! What can be seen and decided while a long operation is under way, and how fast it goes.

use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use mw_api::{
    Client, Debugger, Direction, Event, HaltView, Level, Listener, Service, Setup, Stopped,
    Subscription, Unattended, request,
};

/// Switches an LED on when it is bright, a thousand times a second.
const LIGHT: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (import "env" "chip_delay" (func $delay (param i32)))
  (func (export "main")
    (loop $again
      (call $write (i32.const 13) (i32.gt_s (call $read (i32.const 5)) (i32.const 100)))
      (call $delay (i32.const 1))
      (br $again))))
"#;

/// Does nothing, for ever.
const SPIN: &str = r#"(module (func (export "main") (loop $again (br $again))))"#;

fn debugger(program: &str) -> Debugger {
    let binary = wat::parse_str(program).unwrap();
    Debugger::new(Setup::new(&binary).unwrap().usual_entry(&[]).unwrap()).unwrap()
}

fn serve(program: &str) -> Service {
    Service::start(debugger(program)).unwrap()
}

/// Whoever waits for what is told to all.
struct Watching(
    Receiver<Event>,
    #[expect(dead_code, reason = "it ends when dropped")] Subscription,
);

impl Watching {
    fn new(client: &Client) -> Watching {
        let (tell, told) = mpsc::channel();
        let subscription = client.subscribe(move |event| drop(tell.send(event.clone())));
        Watching(told, subscription)
    }

    fn until<T>(&self, what: impl Fn(Event) -> Option<T>) -> T {
        loop {
            if let Some(found) = what(self.0.recv_timeout(Duration::from_secs(60)).unwrap()) {
                return found;
            }
        }
    }

    fn until_passing(&self) -> u64 {
        self.until(|event| match event {
            Event::Passing { position } => Some(position.place.count),
            _ => None,
        })
    }
}

/// Makes a request that takes long; what it is answered with comes later.
fn begin<A>(client: &Client, ask: A) -> Receiver<mw_api::Answered<A>>
where
    A: mw_api::Ask<Reply: Send> + Send + 'static,
{
    let (answer, answered) = mpsc::channel();
    client.send(ask, move |result| drop(answer.send(result)));
    answered
}

const RUN: request::Run = request::Run { direction: Direction::Forward };

#[test]
fn looking_does_not_wait_for_a_run() {
    let service = serve(SPIN);
    let (runner, mut other) = (service.client("runner"), service.client("other"));
    let watching = Watching::new(&other);
    let stopped = begin(&runner, RUN);
    let passed = watching.until_passing();
    let seen = other.ask(request::Where {}, &mut Unattended).unwrap();
    assert!(seen.place.count >= passed);
    assert!(stopped.try_recv().is_err(), "it runs on");
    assert!(watching.until_passing() > passed);
    other.cancel_current();
    assert_eq!(stopped.recv().unwrap().unwrap().halt, HaltView::Cancelled);
}

#[test]
fn nothing_overtakes_what_the_same_front_end_asked_for_before() {
    let service = serve(SPIN);
    let (runner, other) = (service.client("runner"), service.client("other"));
    let watching = Watching::new(&other);
    let stopped = begin(&runner, RUN);
    watching.until_passing();
    let marked = begin(&other, request::Bookmark { name: "mark".into(), place: None });
    let listed = begin(&other, request::Bookmarks {});
    watching.until_passing();
    watching.until_passing();
    assert!(marked.try_recv().is_err() && listed.try_recv().is_err(), "both wait");
    other.cancel_current();
    stopped.recv().unwrap().unwrap();
    marked.recv().unwrap().unwrap();
    assert_eq!(listed.recv().unwrap().unwrap()[0].name, "mark");
}

#[test]
fn looking_does_not_wait_for_an_exploration() {
    let service = serve(SPIN);
    let (explorer, mut other) = (service.client("explorer"), service.client("other"));
    let watching = Watching::new(&other);
    let endless = mw_api::Exploration {
        instructions: Some(1 << 36),
        milliseconds: Some(600_000),
        ..Default::default()
    };
    let found = begin(&explorer, endless);
    watching.until_passing();
    other.ask(request::World { at: None }, &mut Unattended).unwrap();
    assert!(found.try_recv().is_err(), "it goes on exploring");
    other.cancel_current();
    found.recv().unwrap().unwrap();
}

/// What an input returned on the way to the end, as choices say it.
fn readings(client: &mut Client) -> Vec<String> {
    let all = request::Universe { place: Some("end".into()), limit: Some(100_000) };
    let universe = client.ask(all, &mut Unattended).unwrap();
    universe.choices.into_iter().map(|choice| choice.text).collect()
}

/// The level of the LED.
fn level(client: &mut Client) -> Option<Level> {
    let world = client.ask(request::World { at: None }, &mut Unattended).unwrap();
    world.board.unwrap().pins.get(&13).and_then(|pin| pin.level)
}

#[test]
fn what_is_mocked_while_it_plays_is_read_next_and_is_recorded() {
    let service = serve(LIGHT);
    let (player, mut other) = (service.client("player"), service.client("other"));
    let watching = Watching::new(&other);
    let stopped = begin(&player, request::Play { percent: 100 });
    watching.until_passing();
    other.ask(request::Mock::new("chip_analog_read(5)", "777"), &mut Unattended).unwrap();
    while level(&mut other) != Some(Level::High) {
        watching.until_passing();
    }
    other.cancel_current();
    let Stopped { position, .. } = stopped.recv().unwrap().unwrap();
    let played = readings(&mut other);
    let first = played.iter().position(|text| text.ends_with("= 777")).unwrap();
    assert!(first > 0 && played[first..].iter().all(|text| text.ends_with("= 777")), "{played:?}");

    // Without the mock, what was played comes again.
    other.ask(request::Unmock { id: None }, &mut Unattended).unwrap();
    other.ask(request::Slide { to: "start".into() }, &mut Unattended).unwrap();
    let there = request::Slide { to: position.place.text.as_str().into() };
    other.ask(there, &mut Unattended).unwrap();
    assert_eq!(level(&mut other), Some(Level::High));
    assert_eq!(readings(&mut other), played);
}

/// Has enough when the board's clock shows so many microseconds.
struct Until {
    clock: i64,
    now: i64,
}

impl Listener for Until {
    fn event(&mut self, _: Event) {}

    fn is_cancelled(&mut self) -> bool {
        self.now >= self.clock
    }

    fn meanwhile(&mut self, debugger: &mut Debugger) {
        let world = debugger.ask(request::World { at: None }, &mut Unattended).unwrap();
        self.now = world.board.unwrap().clock_us;
    }
}

#[test]
fn the_clock_goes_as_fast_as_it_should() {
    for (percent, least) in [(50, 200), (100, 100), (1000, 10)] {
        let mut debugger = debugger(LIGHT);
        let begun = Instant::now();
        // The last millisecond is not waited for, as it is enough then.
        let mut until = Until { clock: 101_000, now: 0 };
        let stopped = debugger.ask(request::Play { percent }, &mut until).unwrap();
        let taken = begun.elapsed();
        assert_eq!((stopped.halt, until.now), (HaltView::Cancelled, 101_000));
        assert!(taken >= Duration::from_millis(least), "{percent}: {taken:?}");
    }
    for percent in [0, 100_001] {
        let refused = debugger(LIGHT).ask(request::Play { percent }, &mut Unattended).unwrap_err();
        assert!(refused.message.contains("from 0.01 to 1000"), "{refused}");
    }
}
