//! A session that a device follows: a real agent with the simulated board at the other end of a
//! wire, in this process, so that all of it can be looked at.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use mw_api::{ApiError, ErrorKind, RunOn, follower};
use mw_remote::agent::{Agent, Answer, Call, Config, Fault, Outside, ProgramMemory};
use mw_remote::host::{Device, SimulatedBoard};
use mw_remote::message::{Described, Kind};
use mw_session::{Options, Session, SessionError, Target};
use mw_vm::{FuncType, Limits, Machine, Value};
use mw_world::State;

use crate::common::walk::{Command, Walk};
use crate::common::{Setup, contents};
use crate::wire::{Faults, Random, Wire};

/// With room for every program, and the limits that there are without a device.
pub const ROOMY: Config = Config {
    memory: 64 << 20,
    stack_slots: 1 << 20,
    call_depth: 20_000,
    // So little that the host has to keep most of it.
    log: 300,
    ..Config::SMALL
};

/// The simulated board, some of whose compensations fail.
pub struct Board {
    pub simulated: SimulatedBoard,
    /// So many of a thousand.
    pub fail: u32,
    pub random: Random,
}

impl Outside for Board {
    fn describe(&self, primitive: u32) -> Option<Described> {
        self.simulated.describe(primitive)
    }

    fn find(&self, module: &str, name: &str, ty: &FuncType) -> Option<u32> {
        self.simulated.find(module, name, ty)
    }

    fn kind(&self, primitive: u32) -> Kind {
        self.simulated.kind(primitive)
    }

    fn admits(&self, call: Call<'_>, value: Value) -> bool {
        self.simulated.admits(call, value)
    }

    fn read(&mut self, call: Call<'_>) -> Result<Answer, Fault> {
        self.simulated.read(call)
    }

    fn accept(&mut self, call: Call<'_>, value: Value) -> Vec<u8> {
        self.simulated.accept(call, value)
    }

    fn perform(&mut self, call: Call<'_>, memory: &dyn ProgramMemory) -> Result<Answer, Fault> {
        self.simulated.perform(call, memory)
    }

    fn undo(&mut self, primitive: u32, captured: &[u8]) -> Result<(), String> {
        if self.random.below(1000) < self.fail.into() {
            return Err("the motor is stuck".into());
        }
        self.simulated.undo(primitive, captured)
    }

    fn start(&mut self) {
        self.simulated.start();
    }
}

/// An agent on a new board.
pub fn agent(setup: &Setup, config: Config, fail: u32, seed: u64) -> Agent<Board> {
    let simulated = SimulatedBoard::new(&setup.world).unwrap();
    let board = Board { simulated, fail, random: Random(seed) };
    Agent::new(board, seed as u32, config)
}

/// A wire to an agent on a new board.
pub fn wire(setup: &Setup, config: Config, faults: Faults, fail: u32, seed: u64) -> Wire<Board> {
    let (mut wire, _) = Wire::new(agent(setup, config, fail, seed), faults, seed);
    wire.restarted = Some(agent(setup, config, fail, seed + 1));
    wire
}

/// A device, from the desk and from within.
pub struct Desk {
    pub device: Arc<Mutex<Device>>,
    /// The agent, if it is in this process.
    pub agent: Option<Arc<Mutex<Agent<Board>>>>,
    writes: Arc<AtomicU64>,
    run_on: RunOn,
    target: Option<Box<dyn Target>>,
    limits: Limits,
}

impl Desk {
    /// A device on which the program is at its start.
    pub fn new(setup: &Setup, device: Device, run_on: RunOn) -> Result<Desk, ApiError> {
        let device = Arc::new(Mutex::new(device));
        let (func, args) = setup.entry();
        let program = (&*setup.module, &*setup.world);
        let (target, limits) = follower(&device, program, Some((func, &args)), run_on)?;
        let (target, limits) = (Some(target), limits.unwrap_or_default());
        Ok(Desk { device, agent: None, writes: Arc::default(), run_on, target, limits })
    }

    /// The same with an agent in this process.
    pub fn wired(setup: &Setup, wire: Wire<Board>, run_on: RunOn) -> Result<Desk, ApiError> {
        let (agent, writes, number) = (wire.agent.clone(), wire.writes.clone(), wire.random.0);
        let unusable = |error| ApiError::new(ErrorKind::Unusable, format!("{error}"));
        let device = Device::connect(Box::new(wire), number).map_err(unusable)?;
        Ok(Desk { agent: Some(agent), writes, ..Desk::new(setup, device, run_on)? })
    }

    /// A session that the device follows. The program keeps to the device's limits from now on.
    pub fn session(&mut self, setup: &mut Setup, options: Options) -> Session {
        setup.limits = self.limits;
        let mut session = setup.session(options);
        self.attach(&mut session);
        session
    }

    /// Follows a session.
    pub fn attach(&mut self, session: &mut Session) {
        session.attach(self.target.take().expect("attached once"));
    }

    /// Brings the device to where the session is.
    pub fn bring(&self, session: &mut Session) -> Result<(), SessionError> {
        session.bring_target(&mut mw_session::Unattended)
    }

    /// Brings the device, and sees that it is there: the same machine, and the same outside.
    pub fn follow(&self, session: &mut Session) {
        self.bring(session).unwrap();
        self.check(session);
    }

    /// The device is where the session is.
    pub fn check(&self, session: &Session) {
        if let Some(state) = self.outside() {
            assert_eq!(state, *session.world().state(), "another outside at {:?}", session.here());
        }
        if self.run_on == RunOn::Device {
            let is_same = self.machine(session) == *session.machine();
            assert!(is_same, "another machine at {:?}", session.here());
        }
    }

    /// The state of the outside, if it can be looked at.
    pub fn outside(&self) -> Option<State> {
        let agent = self.agent.as_ref()?;
        Some(agent.lock().unwrap().outside().simulated.world().state().clone())
    }

    /// How often the host has written.
    pub fn writes(&self) -> u64 {
        self.writes.load(Ordering::Relaxed)
    }

    /// The machine of the device, as it tells.
    fn machine(&self, session: &Session) -> Machine {
        let mut device = self.device.lock().unwrap();
        let status = device.status().unwrap();
        assert_eq!(status.count, session.machine().count());
        let snapshot = device.inspect(true).unwrap();
        let limits = session.options().limits;
        let mut machine =
            Machine::new(session.module().clone(), limits, Default::default()).unwrap();
        machine.restore_without_pages(&snapshot.state).unwrap();
        for (memory, page, content) in &snapshot.pages {
            assert!(machine.restore_page(*memory, *page, content));
        }
        machine
    }
}

/// Does all of it; returns what happened, and the session.
pub fn walk(mut walk: Walk<'_>, commands: &[Command]) -> (Vec<String>, Session) {
    let told = commands.iter().map(|command| walk.perform(command)).collect();
    (told, walk.session)
}

/// The same walk with a device and without: the same happens, and the same tree is left.
pub fn same_with_a_device(
    mut desk: Desk,
    setup: &mut Setup,
    options: Options,
    commands: &[Command],
) {
    let session = desk.session(setup, options);
    let followed = Walk::followed(setup, session, Box::new(|session| desk.follow(session)));
    let (told, there) = walk(followed, commands);
    let (expected, here) = walk(Walk::new(setup, options), commands);
    assert_eq!(told, expected);
    assert_eq!(contents(there.multiverse()), contents(here.multiverse()));
}
