//! `mw attach`: the debugger in the terminal, with the program on a device.

use std::path::PathBuf;

use mw_api::{Address, ApiError, Debugger, Key, RunOn, Setup};

use crate::debug::Opening;
use crate::debug::listener::Waiting;
use crate::failure::{Exit, Failure};
use crate::{agent, debug};

const AFTER_HELP: &str = "\
A device runs the agent: a microcontroller with the firmware, or `mw agent`. Everything that
`mw debug` can do works on it; `info link` shows how the link is doing.

With --run-on host the machine runs here at full speed and only primitives are called on the device:
for when the device is slow and its timing does not matter.

With --detach the program is started and left alone, and the device records its last choices; after a
trap in the field, --read-trace reads them and debugs here what happened. With --running, the program
that the device runs already is debugged from where it stands on; the command `detach` lets it go on.

With --session, the session is kept in a file. One that is there already goes on: the program is
started again on the device and brought to where the session stands.

Examples:
  mw attach serial:/dev/ttyACM0 program.wasm
  mw attach tcp:192.168.1.20:8192 --key device.key program.wasm
  mw attach serial:/dev/ttyACM0 --detach program.wasm
  mw attach serial:/dev/ttyACM0 --read-trace program.wasm
  mw attach serial:/dev/ttyACM0 --running program.wasm
  mw attach serial:/dev/ttyACM0 --session blink.mw program.wasm
  mw attach exec:'mw agent' examples/light-sensor/light-sensor.wasm

Exit codes: 0 done, 1 a command of a script failed, 2 wrong usage, 3 device, program or world
unusable.";

/// Debug a program on a device
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
#[group(id = "attach")]
pub struct Arguments {
    // No comment of documentation, which would take `[@SPEED]` for a link.
    #[arg(
        value_name = "ADDRESS",
        help = "Where the device is: serial:PORT[@SPEED], tcp:HOST:PORT or exec:COMMAND"
    )]
    address: Address,
    /// Where the machine runs
    #[arg(long, value_enum, default_value = "device")]
    run_on: Side,
    /// The key that the device has; needed for one beyond this machine
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Start the program and leave: it runs on by itself, and the device records
    #[arg(long, conflicts_with_all = ["run_on", "read_trace", "session"])]
    detach: bool,
    /// Debug here what the device has recorded while nobody watched
    #[arg(long, conflicts_with = "run_on")]
    read_trace: bool,
    /// Debug the program that the device runs already, from where it stands on
    #[arg(long, conflicts_with_all = ["run_on", "detach", "read_trace"])]
    running: bool,
    #[command(flatten)]
    debug: debug::Arguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Side {
    /// On the device
    Device,
    /// Here; only primitives are called on the device
    Host,
}

/// Opens the debugger on a device.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let opening = &arguments.debug.opening;
    let key = arguments.key.as_deref().map(agent::read_key).transpose()?;
    let run_on = match arguments.run_on {
        Side::Device => RunOn::Device,
        Side::Host => RunOn::Host,
    };
    let (at, file) = ((&arguments.address, key.as_ref()), opening.session.as_deref());
    if arguments.detach {
        Debugger::leave_running(&opening.set_up()?, at).map_err(unusable)?;
        return Ok(Exit::Done);
    }
    let debugger = match (arguments.read_trace, arguments.running) {
        (true, _) => Debugger::read_trace(opening.set_up()?, at, file, &mut Waiting::new()),
        (_, true) => Debugger::attach_running(opening.set_up()?, at, file, &mut Waiting::new()),
        _ => return debug::converse(open(opening, at, run_on)?, &arguments.debug),
    };
    debug::converse(debugger.map_err(unusable)?, &arguments.debug)
}

/// A session on a device.
pub fn open(
    opening: &Opening,
    at: (&Address, Option<&Key>),
    run_on: RunOn,
) -> Result<Debugger, Failure> {
    let file = opening.session.as_deref();
    let setup = match file {
        // What it was started with is in the file.
        Some(file) if opening.program.is_none() => Setup::of_session(file).map_err(unusable)?,
        _ => opening.set_up()?,
    };
    Debugger::attach(setup, at, run_on, file, &mut Waiting::new()).map_err(unusable)
}

fn unusable(error: ApiError) -> Failure {
    Failure::Unusable(error.message)
}
