//! `mw dap`: the debugger for editors, over standard input and output or a port of this machine.
//!
//! The adapter is in [`mw_dap`]; here programs are opened for it, as `mw debug` does, and the
//! commands of the debug console are carried out, as in the terminal.

use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use mw_api::Debugger;
use mw_dap::{Console, Host, Interrupt, Launch};

use crate::debug::shell::{Problem, Shell};
use crate::debug::{self, commands};
use crate::failure::{Exit, Failure};

/// Serve an editor: the Debug Adapter Protocol
///
/// Without a port, it speaks on standard input and output.
#[derive(clap::Args)]
pub struct Arguments {
    /// Listen on this port of 127.0.0.1, for one editor after the other; 0 for any that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
}

/// Serves editors.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Some(port) = arguments.port else {
        let input = Box::new(BufReader::new(std::io::stdin()));
        mw_dap::serve(input, &mut std::io::stdout().lock(), Box::new(Sessions))?;
        return Ok(Exit::Done);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        Failure::Usage(format!("port {port} of 127.0.0.1 cannot be listened on: {error}"))
    })?;
    let port = listener.local_addr()?.port();
    let mut out = anstream::stdout();
    writeln!(out, "listening on 127.0.0.1:{port}")?;
    out.flush()?;
    for connection in listener.incoming() {
        // An editor that is gone is no reason not to wait for the next one.
        if let Err(error) = connection.and_then(serve) {
            writeln!(anstream::stderr(), "{error}")?;
        }
    }
    Ok(Exit::Done)
}

fn serve(mut connection: TcpStream) -> std::io::Result<()> {
    let input = Box::new(BufReader::new(connection.try_clone()?));
    mw_dap::serve(input, &mut connection, Box::new(Sessions))
}

/// Opens sessions as `mw debug` does.
struct Sessions;

impl Host for Sessions {
    fn open(&mut self, launch: &Launch, interrupt: Interrupt) -> Result<Box<dyn Console>, String> {
        let debugger = debug::open_for_editor(launch).map_err(|failure| failure.to_string())?;
        Ok(Box::new(Shell::new(debugger, false).interrupted_by(interrupt)))
    }
}

impl Console for Shell {
    fn debugger(&mut self) -> &mut Debugger {
        Shell::debugger(self)
    }

    fn execute(&mut self, line: &str) -> Result<String, String> {
        let mut out = anstream::StripStream::new(Vec::new());
        let result = Shell::execute(self, line, &mut out, &mut |_| None);
        let text = String::from_utf8_lossy(&out.into_inner()).trim_end().to_owned();
        match result {
            Ok(_) => Ok(text),
            Err(Problem::Refused(message)) => Err(message),
            Err(Problem::Output(error)) => Err(error.to_string()),
        }
    }

    fn commands(&self) -> Vec<String> {
        commands::all().map(|command| command.name.to_owned()).collect()
    }
}
