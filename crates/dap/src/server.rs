//! Reading requests while one is being served, so that a long run can be stopped.

use std::io::{self, BufRead, Write};
use std::sync::{Arc, mpsc};
use std::thread;

use serde_json::Value;

use crate::adapter::{Adapter, News};
use crate::codec;
use crate::host::Host;
use crate::interrupt::Interrupt;
use crate::protocol::Client;

/// What the adapter has to see to.
enum Incoming {
    /// A message of the editor, or the end of them.
    Message(io::Result<Option<Value>>),
    /// Something that the editor did not ask for.
    News(News),
}

struct Connection<'a> {
    output: &'a mut dyn Write,
    interrupt: Interrupt,
    failed: Option<io::Error>,
}

impl Client for Connection<'_> {
    fn send(&mut self, message: Value) {
        if let Err(error) = codec::write(self.output, &message) {
            self.failed.get_or_insert(error);
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.failed.is_some() || self.interrupt.is_raised()
    }
}

/// Serves an editor until it says goodbye or is gone. What cannot be read is an error of the kind
/// `InvalidData`; all others are about writing.
pub fn serve(
    mut input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
    host: Box<dyn Host>,
) -> io::Result<()> {
    let unreadable = |error: io::Error| {
        let what = format!("what the editor sends cannot be read: {error}");
        io::Error::new(io::ErrorKind::InvalidData, what)
    };
    let interrupt = Interrupt::default();
    let (sender, receiver) = mpsc::channel();
    let notice = interrupt.clone();
    let news = sender.clone();
    // It ends with the input, or with the process.
    let read = move || {
        loop {
            let message = codec::read(&mut *input);
            let is_last = !matches!(message, Ok(Some(_)));
            match &message {
                Ok(Some(message)) => notice.arrived(message),
                _ => notice.ended(),
            }
            if sender.send(Incoming::Message(message)).is_err() || is_last {
                return;
            }
        }
    };
    thread::Builder::new().spawn(read).map_err(unreadable)?;
    let tell = Arc::new(move |what| drop(news.send(Incoming::News(what))));
    let mut adapter = Adapter::new(host, interrupt.clone(), tell);
    let mut connection = Connection { output, interrupt: interrupt.clone(), failed: None };
    for incoming in receiver {
        let goes_on = match incoming {
            Incoming::News(news) => {
                adapter.tell(news, &mut connection);
                true
            }
            Incoming::Message(message) => {
                let Some(message) = message.map_err(unreadable)? else { break };
                match interrupt.begins(&message) {
                    true => adapter.handle(message, &mut connection),
                    false => {
                        adapter.decline(&message, &mut connection);
                        true
                    }
                }
            }
        };
        if let Some(error) = connection.failed.take() {
            return Err(error);
        }
        if !goes_on {
            break;
        }
    }
    Ok(())
}
