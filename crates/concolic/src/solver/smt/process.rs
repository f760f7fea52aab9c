//! A solver's process: text in, replies out, never waited for without asking whether it is over,
//! and never listened to for longer than a reply can be.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::stop::Stop;

/// How long to wait before asking whether it is over.
const PATIENCE: Duration = Duration::from_millis(2);

/// How long a process may take to tell its version.
const VERSION: Duration = Duration::from_secs(5);

/// How long a process may take to end once it has closed its output.
const CLOSED: Duration = Duration::from_millis(500);

/// How much of what a solver complains about is kept.
const COMPLAINTS: usize = 500;

/// How much is read at once, and how often that before somebody takes it.
const CHUNK: usize = 1 << 13;
const CHUNKS: usize = 8;

/// A reply is not longer than this: the values of a hundred thousand inputs.
const LONGEST: usize = 1 << 23;

/// Why there is no reply.
#[derive(Debug, PartialEq, Eq)]
pub enum NoReply {
    /// It is over.
    Over,
    /// It says more than a reply can be.
    TooLong,
    /// The process has ended; what it last said about that.
    Ended(String),
}

/// A running solver. It ends with this value.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// To the thread that writes, since a full pipe blocks whoever writes to it.
    input: Sender<String>,
    /// From the thread that reads, which waits when nobody takes what it has read.
    output: Receiver<Vec<u8>>,
    /// What has been said after the last reply.
    unread: Vec<u8>,
    complaints: Arc<Mutex<Vec<u8>>>,
    /// The thread that reads those.
    complaining: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts a program.
    pub fn start(program: &str, arguments: &[&str]) -> std::io::Result<Process> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, texts) = mpsc::channel::<String>();
        let (sender, output) = mpsc::sync_channel(CHUNKS);
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for text in texts {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || listen(stdout, |said| sender.send(said.to_vec()).is_ok()));
        }
        let complaining = child.stderr.take().map(|stderr| {
            let complaints = Arc::downgrade(&complaints);
            // All of it is read, so that the process does not wait for somebody to do so.
            thread::spawn(move || {
                listen(stderr, |said| {
                    let Some(complaints) = complaints.upgrade() else { return false };
                    if let Ok(mut complaints) = complaints.lock() {
                        let room = COMPLAINTS.saturating_sub(complaints.len());
                        complaints.extend(&said[..room.min(said.len())]);
                    }
                    true
                });
            })
        });
        Ok(Process { child, input, output, unread: Vec::new(), complaints, complaining })
    }

    /// Writes. That the process has ended shows when its reply is read.
    pub fn write(&mut self, text: String) {
        let _ = self.input.send(text);
    }

    /// The next reply: a word, or everything up to the parenthesis that closes the first one.
    pub fn reply(&mut self, stop: &Stop) -> Result<String, NoReply> {
        let mut reply = Reply::default();
        loop {
            let said = std::mem::take(&mut self.unread);
            if let Some(used) = said.iter().position(|&byte| reply.ends_with(byte)) {
                self.unread = said[used + 1..].to_vec();
                return Ok(String::from_utf8_lossy(&reply.text).trim().to_owned());
            }
            if stop.is_over() {
                return Err(NoReply::Over);
            }
            if reply.heard > LONGEST {
                return Err(NoReply::TooLong);
            }
            match self.output.recv_timeout(PATIENCE) {
                Ok(said) => self.unread = said,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let last = String::from_utf8_lossy(&reply.text).trim().to_owned();
                    let how = self.how_it_ended();
                    return Err(NoReply::Ended(format!("{last} {how}").trim().to_owned()));
                }
            }
        }
    }

    fn how_it_ended(&mut self) -> String {
        let status = match end(&mut self.child, CLOSED) {
            Some(status) => {
                // What it said last may still be on its way.
                let is_read = || self.complaining.as_ref().is_none_or(JoinHandle::is_finished);
                wait(CLOSED, || is_read().then_some(()));
                status
            }
            None => "it closed its output".to_owned(),
        };
        let complaints =
            self.complaints.lock().map(|said| String::from_utf8_lossy(&said).trim().to_owned());
        match complaints {
            Ok(text) if !text.is_empty() => format!("{status}: {text}"),
            _ => status,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, which is just as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a program tells its version, and what it does instead if it does not.
pub fn version(program: &str) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => "is not installed".to_owned(),
        _ => format!("cannot be started ({error})"),
    })?;
    let ended = end(&mut child, VERSION);
    let _ = child.kill();
    match (ended, child.wait()) {
        (Some(_), Ok(status)) if status.success() => Ok(()),
        (Some(how), _) => Err(format!("does not tell its version ({how})")),
        (None, _) => Err(format!("does not tell its version within {} seconds", VERSION.as_secs())),
    }
}

/// How a process has ended, if it does within some time.
fn end(child: &mut Child, within: Duration) -> Option<String> {
    wait(within, || match child.try_wait() {
        Ok(status) => status.map(|status| status.to_string()),
        Err(error) => Some(error.to_string()),
    })
}

/// Waits some time for something to be there.
fn wait<T>(within: Duration, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let found = ready();
        if found.is_some() || start.elapsed() > within {
            return found;
        }
        thread::sleep(PATIENCE);
    }
}

/// Hands on what is said, piece by piece, as long as that is wanted.
fn listen(mut from: impl Read, mut wants: impl FnMut(&[u8]) -> bool) {
    let mut chunk = [0; CHUNK];
    while let Ok(read @ 1..) = from.read(&mut chunk) {
        if !wants(&chunk[..read]) {
            break;
        }
    }
}

/// A reply as it is being read.
#[derive(Default)]
struct Reply {
    text: Vec<u8>,
    /// How many bytes there were, blank ones included.
    heard: usize,
    /// How many parentheses have not been closed; those in strings do not count.
    open: i32,
    is_string: bool,
}

impl Reply {
    /// Reads a byte, and says whether it is the end of the reply: that of a line that leaves
    /// nothing open.
    fn ends_with(&mut self, byte: u8) -> bool {
        self.heard += 1;
        match byte {
            b'"' => self.is_string = !self.is_string,
            b'(' if !self.is_string => self.open += 1,
            b')' if !self.is_string => self.open -= 1,
            b'\n' if self.open == 0 && !self.text.is_empty() => return true,
            _ => {}
        }
        let is_blank = byte.is_ascii_whitespace();
        // Blanks are worth one, and none at the beginning.
        match is_blank {
            true if matches!(self.text.last(), None | Some(b' ')) => {}
            true => self.text.push(b' '),
            false => self.text.push(byte),
        }
        false
    }
}
