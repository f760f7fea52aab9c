//! A page's console: lines as a terminal takes them, carried out one after the other.
//!
//! Whoever starts the server knows the commands; here they are text. They are carried out beside
//! the page's messages, as one can take long, and can be cancelled.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use mw_api::Client;

/// Carries out a line; returns what it says, or what was wrong with it.
pub type Console = Box<dyn FnMut(&str) -> Result<String, String>>;
/// Opens a console for each page that wants one, in the thread in which it will be used.
pub type Consoles = Arc<dyn Fn(Client) -> Console + Send + Sync>;

/// What becomes of what a line says.
type Tell = Box<dyn FnOnce(Result<String, String>) + Send>;

/// The lines of a page that wait. With it goes the console.
pub struct Lines(Sender<(String, Tell)>);

impl Lines {
    /// Opens a console, which is there until this is dropped.
    pub fn open(consoles: Consoles, client: Client) -> std::io::Result<Lines> {
        let (sender, lines) = channel::<(String, Tell)>();
        thread::Builder::new().spawn(move || {
            let mut console = consoles(client);
            for (line, tell) in lines {
                tell(console(&line));
            }
        })?;
        Ok(Lines(sender))
    }

    /// Has a line carried out after those before it.
    pub fn push(&self, line: String, tell: impl FnOnce(Result<String, String>) + Send + 'static) {
        if let Err(unsent) = self.0.send((line, Box::new(tell))) {
            let (_, tell) = unsent.0;
            tell(Err("the console has failed; load the page anew".into()));
        }
    }
}
