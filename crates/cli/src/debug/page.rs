//! The page beside the terminal: when it is served, and who opens it.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, mpsc};

use mw_api::Service;
use mw_web::{Consoles, Server};

use super::shell::Shell;
use crate::console::{self, FAINT, TITLE};
use crate::failure::{Exit, Failure};

/// What can be said about the page.
#[derive(clap::Args)]
#[command(next_help_heading = "The page")]
pub struct Options {
    /// Serve the page, but do not open the browser
    #[arg(long)]
    no_browser: bool,
    /// Serve the page on this port [default: any that is free]
    #[arg(long, value_name = "NUMBER")]
    port: Option<u16>,
    /// Use the page alone: read no commands, and go on until Ctrl-C
    #[arg(long, conflicts_with_all = ["script", "yes"])]
    no_terminal: bool,
    /// Use the terminal alone: serve no page
    #[arg(long, conflicts_with_all = ["no_browser", "port", "no_terminal"])]
    no_page: bool,
}

/// The page of a session.
pub struct Page {
    /// Ends with its being dropped.
    _server: Server,
}

impl Options {
    /// Whether there is nothing but the page.
    pub fn is_alone(&self) -> bool {
        self.no_terminal
    }

    /// Serves the page if it is wanted: by somebody at a terminal, or by an option.
    pub fn serve(&self, service: &Service, is_scripted: bool) -> Result<Option<Page>, Failure> {
        let is_attended = std::io::stdin().is_terminal() && !is_scripted;
        let is_asked_for = self.no_browser || self.port.is_some() || self.no_terminal;
        if self.no_page || !(is_attended || is_asked_for) {
            return Ok(None);
        }
        let server = start(service, self.port).map_err(|error| {
            let port = self.port.map(|port| format!(" on port {port}")).unwrap_or_default();
            Failure::Unusable(format!(
                "the page cannot be served{port}: {error}; take another --port, or --no-page"
            ))
        })?;
        let url = server.url();
        // Beside what was asked for, so that a script's output is the same with a page.
        let mut err = console::stderr();
        let _ = writeln!(err, "{FAINT}page:{FAINT:#} {TITLE}{url}{TITLE:#}");
        if !self.no_browser && (is_attended || self.no_terminal) && has_browser() {
            // If it does not open, the address is there to be opened by hand.
            let _ = open_browser(&server);
        }
        Ok(Some(Page { _server: server }))
    }
}

/// Serves the page of a session, with the terminal's commands in it.
pub fn start(service: &Service, port: Option<u16>) -> std::io::Result<Server> {
    let consoles: Consoles = Arc::new(|client| {
        let mut shell = Shell::new(client, false).of_a_page();
        Box::new(move |line| shell.say(line))
    });
    Server::start(service.client("page"), consoles, port)
}

/// Opens the browser. Other people on this machine can see with which words a program is started,
/// a browser too. So those name a file, which nobody else can read and which leads to the page; it
/// is there until the page has come in.
fn open_browser(server: &Server) -> std::io::Result<()> {
    let url = server.url();
    let mut file = tempfile::Builder::new().prefix("manyworlds-").suffix(".html").tempfile()?;
    writeln!(
        file,
        "<!doctype html>
<meta charset=\"utf-8\">
<title>Manyworlds</title>
<meta http-equiv=\"refresh\" content=\"0; url={url}\">
<p><a href=\"{url}\">To the page of the debugger</a></p>"
    )?;
    let door = file.into_temp_path();
    let path = door.to_path_buf();
    // Before it is opened: a page may be quick.
    server.when_opened(move || drop(door));
    open::that_detached(path)
}

impl Page {
    /// Waits for Ctrl-C.
    pub fn wait(&self) -> Result<Exit, Failure> {
        let (interrupt, interrupted) = mpsc::channel();
        let caught = ctrlc::set_handler(move || {
            let _ = interrupt.send(());
        });
        caught.map_err(|error| Failure::Unusable(format!("Ctrl-C cannot be heard: {error}")))?;
        let _ = writeln!(console::stderr(), "{FAINT}Ctrl-C ends the session{FAINT:#}");
        // The handler lives as long as the program does.
        let _ = interrupted.recv();
        Ok(Exit::Done)
    }
}

/// Whether there is a screen for a browser. Without one, what would open might be one for text,
/// in this very terminal.
fn has_browser() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let needs_display = cfg!(all(unix, not(target_os = "macos")));
    !needs_display || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].into_iter().any(is_set)
}
