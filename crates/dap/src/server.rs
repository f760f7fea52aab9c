//! Reading requests while one is being served, so that a long run can be stopped.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use serde_json::Value;

use crate::adapter::Adapter;
use crate::codec;
use crate::host::Host;
use crate::protocol::Client;

/// Requests that end what is being done.
const INTERRUPTING: [&str; 4] = ["pause", "cancel", "disconnect", "terminate"];

struct Connection<'a> {
    output: &'a mut dyn Write,
    /// How many interrupting requests wait to be served.
    waiting: Arc<AtomicUsize>,
    failed: Option<io::Error>,
}

impl Client for Connection<'_> {
    fn send(&mut self, message: Value) {
        if let Err(error) = codec::write(self.output, &message) {
            self.failed.get_or_insert(error);
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.failed.is_some() || self.waiting.load(Ordering::Relaxed) > 0
    }
}

/// Serves an editor until it says goodbye or is gone.
pub fn serve(
    mut input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
    host: Box<dyn Host>,
) -> io::Result<()> {
    let waiting = Arc::new(AtomicUsize::new(0));
    let (sender, receiver) = mpsc::channel();
    let counter = waiting.clone();
    // It ends with the input, or with the process.
    thread::spawn(move || {
        loop {
            let message = codec::read(&mut *input);
            let is_last = !matches!(message, Ok(Some(_)));
            if is_last || message.as_ref().is_ok_and(|m| m.as_ref().is_some_and(interrupts)) {
                counter.fetch_add(1, Ordering::Relaxed);
            }
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    });
    let mut adapter = Adapter::new(host);
    let mut connection = Connection { output, waiting, failed: None };
    for message in receiver {
        let Some(message) = message? else { break };
        if interrupts(&message) {
            connection.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        let goes_on = adapter.handle(message, &mut connection);
        if let Some(error) = connection.failed.take() {
            return Err(error);
        }
        if !goes_on {
            break;
        }
    }
    Ok(())
}

fn interrupts(message: &Value) -> bool {
    message["command"].as_str().is_some_and(|command| INTERRUPTING.contains(&command))
}
