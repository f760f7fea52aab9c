//! `mw dap`: the debugger for editors, over standard input and output or a port of this machine.
//!
//! The adapter is in [`mw_dap`]; here programs are opened for it, as `mw debug` and `mw attach` do, and the
//! commands of the debug console are carried out, as in the terminal.

use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mw_api::{Address, Client, RunOn, Service};
use mw_dap::{Console, Host, Interrupt, Launch};
use mw_web::{Server, Token};

use crate::debug::shell::Shell;
use crate::debug::{Opening, commands, page, properties};
use crate::failure::{Exit, Failure};
use crate::sources::Folders;
use crate::{agent, attach, console, files, world};

const AFTER_HELP: &str = "\
On standard input and output, whoever starts mw speaks to it, and may do what that person may do. A
port can be reached by others on this machine, so it takes a secret: a new one is printed each time,
and an editor gives it as `secret` in its launch configuration. A port starts no programs: devices
are not exec:COMMAND there, and solvers are those that --solver allows.";

/// Serve an editor: the Debug Adapter Protocol
///
/// Without a port, it speaks on standard input and output.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Listen on this port of 127.0.0.1, for one editor after the other; 0 for any that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Let editors use this solver: bitwuzla, cvc5, z3 or a path; may be given several times
    #[arg(long, value_name = "NAME|PATH")]
    solver: Vec<String>,
    #[command(flatten)]
    folders: Folders,
}

/// How long somebody who has connected may take to show the secret.
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves editors.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Arguments { solver, folders, .. } = arguments;
    let sessions = |port| Sessions { solvers: solver.clone(), folders: folders.clone(), port };
    let Some(port) = arguments.port else {
        let input = Box::new(BufReader::new(io::stdin()));
        let served = mw_dap::serve(input, &mut io::stdout().lock(), Box::new(sessions(None)));
        served.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => Failure::Unusable(error.to_string()),
            _ => Failure::Output(error),
        })?;
        return Ok(Exit::Done);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        Failure::Usage(format!("port {port} of 127.0.0.1 cannot be listened on: {error}"))
    })?;
    let port = listener.local_addr()?.port();
    let secret = Token::random()?;
    let mut out = console::stdout();
    writeln!(out, "listening on 127.0.0.1:{port}, secret {secret}")?;
    out.flush()?;
    for connection in listener.incoming() {
        let served = connection.and_then(|mut connection| {
            let port = Port { secret: secret.clone(), is_known: Arc::default() };
            let input = Visitor::new(connection.try_clone()?, &port.is_known, PATIENCE)?;
            let input = Box::new(BufReader::new(input));
            mw_dap::serve(input, &mut connection, Box::new(sessions(Some(port))))
        });
        // An editor that is gone is no reason not to wait for the next one.
        if let Err(error) = served {
            writeln!(console::stderr(), "{error}")?;
        }
    }
    Ok(Exit::Done)
}

/// Opens sessions as `mw debug` and `mw attach` do.
struct Sessions {
    /// The solvers that are allowed.
    solvers: Vec<String>,
    /// Where source may be read.
    folders: Folders,
    /// The port that the editor speaks through; without, it has started this process.
    port: Option<Port>,
}

/// A connection that anybody on this machine could have made.
struct Port {
    secret: Token,
    /// Whether whoever made it has shown the secret.
    is_known: Arc<AtomicBool>,
}

impl Port {
    /// Whether this is somebody whom the person has told the secret.
    fn admit(&self, launch: &Launch) -> Result<(), String> {
        if !self.secret.is(&launch.secret) {
            return Err("the `secret` is missing or wrong; give the one that `mw dap --port` \
                        printed when it was started"
                .into());
        }
        self.is_known.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// What comes over such a connection: as long as it likes from somebody who has shown the secret.
struct Visitor {
    connection: TcpStream,
    is_known: Arc<AtomicBool>,
    began: Instant,
    /// How long it may take to show the secret.
    patience: Duration,
}

impl Visitor {
    fn new(
        connection: TcpStream,
        is_known: &Arc<AtomicBool>,
        patience: Duration,
    ) -> io::Result<Visitor> {
        connection.set_read_timeout(Some(patience))?;
        let (is_known, began) = (is_known.clone(), Instant::now());
        Ok(Visitor { connection, is_known, began, patience })
    }
}

impl Read for Visitor {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{TimedOut, WouldBlock};
        loop {
            if !self.is_known.load(Ordering::Relaxed) && self.began.elapsed() >= self.patience {
                let problem = "somebody connected and did not show the secret in time";
                return Err(io::Error::new(TimedOut, problem));
            }
            match self.connection.read(bytes) {
                Err(error) if matches!(error.kind(), TimedOut | WouldBlock) => {}
                read => return read,
            }
        }
    }
}

impl Host for Sessions {
    fn open(&mut self, launch: &Launch, interrupt: Interrupt) -> Result<Box<dyn Console>, String> {
        if let Some(port) = &self.port {
            port.admit(launch)?;
        }
        let named = [&self.folders.named[..], &launch.source_dirs].concat();
        let opening = Opening {
            program: launch.program.clone(),
            world: launch.world.clone().unwrap_or_else(|| world::BOARD.into()),
            entry: launch.entry.clone(),
            debug_file: launch.debug_file.clone(),
            folders: Folders { named, unattended: true },
            solver: Vec::new(),
            skip: Vec::new(),
            property: launch.properties.clone(),
            scenario: Vec::new(),
            session: launch.session.clone(),
            checkpoint_memory: None,
            dry: launch.dry,
            args: launch.args.clone(),
        };
        let debugger = match &launch.device {
            None => opening.open(),
            Some(device) => {
                let address: Address = device.parse().map_err(|error| format!("{error}"))?;
                if self.port.is_some() && matches!(address, Address::Exec(_)) {
                    return Err(
                        "a port starts no programs, so the device cannot be exec:COMMAND; \
                                give its serial: or tcp: address, or let the editor start `mw dap` \
                                itself"
                            .into(),
                    );
                }
                let run_on = launch.run_on.unwrap_or(RunOn::Device);
                let key = launch.key.as_deref().map(agent::read_key).transpose();
                let key = key.map_err(|failure| failure.to_string())?;
                attach::open(&opening, (&address, key.as_ref()), run_on)
            }
        };
        let mut debugger = debugger.map_err(|failure| failure.to_string())?;
        for solver in &self.solvers {
            debugger.allow_solver(solver);
        }
        for pattern in &launch.skip {
            debugger.skip(pattern).map_err(|error| error.message)?;
        }
        debugger.read_files(|path| files::read_text(Path::new(path)).ok());
        for path in &opening.property {
            properties::load(&mut debugger, path).map_err(|failure| failure.to_string())?;
        }
        let service = Service::start(debugger).map_err(|error| error.to_string())?;
        // The editor is the front end that counts: without a page, there is just none to show.
        let page = page::start(&service, None).ok();
        let mut shell = Shell::new(service.client("editor"), false).interrupted_by(interrupt);
        if self.port.is_some() {
            shell = shell.of_a_port();
        }
        Ok(Box::new(Editor { shell, page, _service: service }))
    }
}

/// A session in an editor, and its page. The session goes last.
struct Editor {
    shell: Shell,
    page: Option<Server>,
    _service: Service,
}

impl Console for Editor {
    fn debugger(&mut self) -> &mut Client {
        self.shell.debugger()
    }

    fn page(&self) -> Option<String> {
        self.page.as_ref().map(Server::url)
    }

    fn execute(&mut self, line: &str) -> Result<String, String> {
        self.shell.say(line)
    }

    fn commands(&self) -> Vec<String> {
        commands::all().map(|command| command.name.to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who has hardly any time to show the secret, or has shown it; and their end.
    fn visitor(is_known: bool) -> (Visitor, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let guest = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (connection, _) = listener.accept().unwrap();
        let is_known = Arc::new(is_known.into());
        (Visitor::new(connection, &is_known, Duration::from_millis(1)).unwrap(), guest)
    }

    #[test]
    fn who_does_not_show_the_secret_in_time_is_not_listened_to() {
        let (mut stranger, mut guest) = visitor(false);
        // Who says nothing, and then who says something after all.
        for said in ["", "Content-Length: 2"] {
            guest.write_all(said.as_bytes()).unwrap();
            let refusal = stranger.read(&mut [0; 8]).unwrap_err();
            assert!(refusal.to_string().contains("did not show the secret"), "{refusal}");
        }
        let (mut editor, mut guest) = visitor(true);
        let said = std::thread::spawn(move || guest.write_all(b"{}"));
        assert!(editor.read(&mut [0; 8]).unwrap() > 0, "it has all the time it wants");
        said.join().unwrap().unwrap();
    }
}
