//! `mw attach`: the debugger in the terminal, with the program on a device.

use std::path::{Path, PathBuf};

use mw_api::{Address, ApiError, Debugger, Key, RunOn, Setup, Unattended};

use crate::debug::Opening;
use crate::failure::{Exit, Failure};
use crate::{agent, debug};

const AFTER_HELP: &str = "\
A device runs the agent: a microcontroller with the firmware, or `mw agent`. Everything that
`mw debug` can do works on it; `info link` shows how the link is doing.

With --run-on host the machine runs here at full speed and only primitives are called on the device:
for when the device is slow and its timing does not matter.

With --detach the program is started and left alone, and the device records its last choices; after a
trap in the field, --read-trace reads them and debugs here what happened.

Examples:
  mw attach serial:/dev/ttyACM0 program.wasm
  mw attach tcp:192.168.1.20:8192 --key device.key program.wasm
  mw attach serial:/dev/ttyACM0 --detach program.wasm
  mw attach serial:/dev/ttyACM0 --read-trace program.wasm
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
    run_on: Place,
    /// The key that the device has; needed for one beyond this machine
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Start the program and leave: it runs on by itself, and the device records
    #[arg(long, conflicts_with_all = ["run_on", "read_trace"])]
    detach: bool,
    /// Debug here what the device has recorded while nobody watched
    #[arg(long, conflicts_with = "run_on")]
    read_trace: bool,
    #[command(flatten)]
    debug: debug::Arguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Place {
    /// On the device
    Device,
    /// Here; only primitives are called on the device
    Host,
}

/// Opens the debugger on a device.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let opening = &arguments.debug.opening;
    let (address, key) = (&arguments.address, arguments.key.as_deref());
    let debugger = match (arguments.detach, arguments.read_trace) {
        (true, _) => {
            let (setup, key) = set_up(opening, key)?;
            Debugger::leave_running(&setup, address, key.as_ref()).map_err(unusable)?;
            return Ok(Exit::Done);
        }
        (_, true) => {
            let (setup, key) = set_up(opening, key)?;
            Debugger::read_trace(setup, address, key.as_ref(), &mut Unattended).map_err(unusable)?
        }
        _ => {
            let run_on = match arguments.run_on {
                Place::Device => RunOn::Device,
                Place::Host => RunOn::Host,
            };
            open(opening, address, key, run_on)?
        }
    };
    debug::converse(debugger, &arguments.debug)
}

/// A session on a device.
pub fn open(
    opening: &Opening,
    address: &Address,
    key: Option<&Path>,
    run_on: RunOn,
) -> Result<Debugger, Failure> {
    let (setup, key) = set_up(opening, key)?;
    Debugger::attach(setup, address, key.as_ref(), run_on).map_err(unusable)
}

/// What it takes to begin one.
fn set_up(opening: &Opening, key: Option<&Path>) -> Result<(Setup, Option<Key>), Failure> {
    let key = key.map(agent::read_key).transpose()?;
    if opening.session.is_some() {
        let text =
            "a session on a device is not kept in a file; write its traces with `trace FILE`";
        return Err(Failure::Usage(text.into()));
    }
    Ok((opening.set_up()?, key))
}

fn unusable(error: ApiError) -> Failure {
    Failure::Unusable(error.message)
}
