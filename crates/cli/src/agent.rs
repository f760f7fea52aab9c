//! `mw agent`: a device without hardware. The agent as a process, on the simulated board.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use mw_remote::agent::{Agent, Config};
use mw_remote::host::{Key, Serving, SimulatedBoard, listen_tcp, serve};

use crate::failure::{Exit, Failure};
use crate::{files, world};

const AFTER_HELP: &str = "\
The agent waits for `mw attach` on standard input and output, on a pseudo-terminal or on TCP. It runs
what it is sent on the simulated board, or in the world that --world names, within the memory that
--memory says, as the agent on a microcontroller does.

TCP is for this machine alone unless there is a key: both sides have to have the same one, and what
they say is encrypted.

Examples:
  mw attach exec:'mw agent' program.wasm
  mw agent --tcp 127.0.0.1:8192
  mw agent --new-key device.key
  mw agent --tcp 0.0.0.0:8192 --key device.key

Exit codes: 0 done, 2 wrong usage, 3 the world, key or address is unusable.";

/// Be a device: run programs for `mw attach`
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The world of the device: board, or a world file
    #[arg(long, value_name = "board|FILE.toml", default_value = world::BOARD)]
    world: String,
    /// Make an input return a value, as a sensor would: CALL=VALUE
    #[arg(long, value_name = "CALL=VALUE")]
    set: Vec<String>,
    /// How much memory the device has
    #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = parse_size)]
    memory: usize,
    /// Listen here, such as 127.0.0.1:8192; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", conflicts_with = "pty")]
    tcp: Option<String>,
    /// Open a pseudo-terminal, to be attached to as a serial port
    #[arg(long)]
    pty: bool,
    /// The key that hosts have to have
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Write a new key to a file and do nothing else
    #[arg(long, value_name = "FILE")]
    new_key: Option<PathBuf>,
}

/// What a device needs for itself: buffers of the link, the log, a recording.
const RESERVED: usize = (64 << 10) - Config::SMALL.memory;

/// The most that a device has: what addresses of a WebAssembly program reach.
const MOST: u64 = 4 << 30;

fn parse_size(text: &str) -> Result<usize, String> {
    let size = crate::values::parse_size(text)?;
    if size as u64 > MOST {
        return Err(format!("a device has {MOST} bytes at most"));
    }
    match size.checked_sub(RESERVED) {
        Some(rest) if rest > 0 => Ok(size),
        _ => Err(format!("the agent itself needs {RESERVED} bytes; give more")),
    }
}

/// Serves until there is nobody to serve.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.new_key {
        return write_key(path).map(|()| Exit::Done).map_err(|error| {
            let why = match error.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    "there is such a file already; take another name, or delete it".into()
                }
                _ => error.to_string(),
            };
            Failure::Unusable(format!("the key {} cannot be written: {why}", path.display()))
        });
    }
    let key = arguments.key.as_deref().map(read_key).transpose()?;
    let mut board = SimulatedBoard::new(&world::describe(&arguments.world)?)
        .map_err(|error| Failure::Unusable(error.to_string()))?;
    for setting in &arguments.set {
        world::set(board.world(), setting)?;
    }
    board.set_start();
    let config = Config { name: "simulated", memory: arguments.memory - RESERVED, ..Config::SMALL };
    let boot = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.subsec_nanos());
    let mut agent = Agent::new(board, boot, config);
    let unusable = |error: std::io::Error| Failure::Unusable(error.to_string());
    let through = match &arguments.tcp {
        Some(address) => {
            let listener = listen_tcp(address, key.as_ref()).map_err(unusable)?;
            announce(&format!("tcp:{}", listener.local_addr().map_err(unusable)?))?;
            Serving::Tcp(listener, key)
        }
        None if arguments.pty => {
            let (serving, path) = Serving::pty().map_err(unusable)?;
            announce(&format!("serial:{path}"))?;
            serving
        }
        None => Serving::Stdio,
    };
    serve(&mut agent, through).map_err(unusable)?;
    Ok(Exit::Done)
}

/// Says where the agent can be found. On standard error: standard output may be the stream.
fn announce(address: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stderr(), "attach with: mw attach {address} PROGRAM")?)
}

/// Writes a new key to a new file, for nobody else to read.
fn write_key(path: &Path) -> std::io::Result<()> {
    let mut file = OpenOptions::new();
    file.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    let key = Key::generate()?;
    writeln!(file.open(path)?, "{key}")
}

/// The key that a file has.
pub fn read_key(path: &Path) -> Result<Key, Failure> {
    let unusable = |error: &dyn std::fmt::Display| {
        Failure::Unusable(format!("the key {} cannot be read: {error}", path.display()))
    };
    let text = files::read_text(path).map_err(|error| unusable(&error))?;
    Key::parse(&text).map_err(|error| unusable(&error))
}
