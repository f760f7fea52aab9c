//! One page: takes its messages, hands them to the session, sends it what comes back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use mw_api::{ApiError, Client, Envelope, ErrorKind, Ticket};

use crate::console::{Consoles, Lines};
use crate::message::{Cancel, FromPage, Hello, ToPage};
use crate::outgoing::{self, Outgoing, Waiting};
use crate::rate::Rate;

/// How long a message of a page may be: a trace with some hundred thousand choices.
const MESSAGE_BYTES: usize = 16 << 20;
/// A page that sends more than this at once is not even told why it is cut off.
pub const FRAME_BYTES: usize = 2 * MESSAGE_BYTES;
/// How many requests of a page may wait.
const PENDING: usize = 256;

/// What a page waits for.
type Pending = Arc<Mutex<HashMap<u64, Ongoing>>>;

/// Something that has not been answered.
enum Ongoing {
    /// A request that is being handed over.
    Handed,
    /// A request.
    Asked(Ticket),
    /// A line of the console.
    Line,
}

/// Serves a page until it goes away. What it has asked for is served nevertheless: it may come
/// back.
pub async fn serve(socket: WebSocket, client: Client, consoles: Consoles, hello: Hello) {
    let (outgoing, waiting) = outgoing::queue();
    // From here on nothing is missed, so that what the page asks for next is complete.
    let events = outgoing.clone();
    let greet =
        |busy| outgoing.push(ToPage::Hello { hello: Hello { busy, ..hello } }.text().into());
    let _subscription = client.join(greet, move |event| {
        events.push(ToPage::Event { event: event.clone() }.text().into());
    });
    let (sink, mut stream) = socket.split();
    let overflow = waiting.overflow();
    let mut page = Page {
        client,
        consoles,
        lines: None,
        outgoing,
        pending: Pending::default(),
        rate: Rate::new(),
        began: Instant::now(),
    };
    let listen = async {
        while let Some(Ok(message)) = stream.next().await {
            match message {
                Message::Text(text) => page.take(&text),
                Message::Binary(_) => page.refuse(None, "messages are text; this one is binary"),
                Message::Close(_) => break,
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    };
    tokio::select! {
        () = listen => {}
        () = send(sink, waiting) => {}
        () = overflow => {}
    }
}

/// Sends what waits.
async fn send(mut sink: SplitSink<WebSocket, Message>, mut waiting: Waiting) {
    while let Some(message) = waiting.next().await {
        let length = message.len();
        if sink.send(Message::Text(message)).await.is_err() {
            return;
        }
        waiting.sent(length);
    }
}

struct Page {
    client: Client,
    consoles: Consoles,
    /// The console, from its first line on.
    lines: Option<Lines>,
    outgoing: Outgoing,
    pending: Pending,
    rate: Rate,
    began: Instant,
}

impl Page {
    /// Takes a message.
    fn take(&mut self, text: &Utf8Bytes) {
        if text.len() > MESSAGE_BYTES {
            let most = MESSAGE_BYTES >> 20;
            return self.refuse(None, &format!("the message is too long: {most} MiB is the most"));
        }
        match FromPage::read(text) {
            // Whoever wants less done may always say so.
            Ok(FromPage::Cancel { cancel }) => self.cancel(cancel),
            Ok(FromPage::Request { id, .. } | FromPage::Line { id, .. })
                if !self.rate.allows(self.began.elapsed()) =>
            {
                self.refuse(Some(id), "too many requests in too short a time; wait a little");
            }
            Ok(FromPage::Request { id, request }) => self.request(id, *request),
            Ok(FromPage::Line { id, line }) => {
                if let Err(message) = self.line(id, line) {
                    self.refuse(Some(id), &message);
                }
            }
            Err((id, message)) => self.refuse(id, &message),
        }
    }

    fn request(&self, id: u64, request: Envelope) {
        if let Err(message) = reserve(&self.pending, id, Ongoing::Handed) {
            return self.refuse(Some(id), &message);
        }
        let pending = self.pending.clone();
        let outgoing = self.outgoing.clone();
        let ticket = self.client.send(request, move |result| {
            lock(&pending).remove(&id);
            let message = match result {
                Ok(reply) => ToPage::Reply { id, reply: reply.into() },
                Err(error) => ToPage::Error { id: Some(id), error },
            };
            outgoing.push(message.text().into());
        });
        // It may have been answered already.
        if let Some(waiting) = lock(&self.pending).get_mut(&id) {
            *waiting = Ongoing::Asked(ticket);
        }
    }

    fn line(&mut self, id: u64, line: String) -> Result<(), String> {
        let lines = match self.lines.take() {
            Some(lines) => lines,
            None => Lines::open(self.consoles.clone(), self.client.clone())
                .map_err(|error| format!("there is no console: {error}"))?,
        };
        let lines = self.lines.insert(lines);
        reserve(&self.pending, id, Ongoing::Line)?;
        let (pending, outgoing) = (self.pending.clone(), self.outgoing.clone());
        lines.push(line, move |said| {
            lock(&pending).remove(&id);
            let message = match said {
                Ok(said) => ToPage::Said { id, said },
                Err(message) => refusal(Some(id), &message),
            };
            outgoing.push(message.text().into());
        });
        Ok(())
    }

    fn cancel(&self, cancel: Cancel) {
        match cancel {
            // One that has been answered in the meantime needs no cancelling.
            Cancel::Request(id) => match lock(&self.pending).get(&id) {
                Some(Ongoing::Asked(ticket)) => ticket.cancel(),
                Some(Ongoing::Line) => self.client.cancel_current(),
                Some(Ongoing::Handed) | None => {}
            },
            Cancel::Current(_) => self.client.cancel_current(),
        }
    }

    fn refuse(&self, id: Option<u64>, message: &str) {
        self.outgoing.push(refusal(id, message).text().into());
    }
}

/// Notes that something is waited for, unless there is too much of it already.
fn reserve(pending: &Pending, id: u64, what: Ongoing) -> Result<(), String> {
    let mut pending = lock(pending);
    if pending.contains_key(&id) {
        return Err(format!("request {id} has not been answered yet; number them otherwise"));
    }
    if pending.len() >= PENDING {
        return Err(format!("{PENDING} requests wait already; wait for answers, or cancel some"));
    }
    pending.insert(id, what);
    Ok(())
}

fn refusal(id: Option<u64>, message: &str) -> ToPage {
    ToPage::Error { id, error: ApiError::new(ErrorKind::Notation, message) }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
