//! A solver's process: text in, replies out, never waited for without asking whether it is over.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::stop::Stop;

/// How long to wait before asking whether it is over.
const PATIENCE: Duration = Duration::from_millis(2);

/// How much of what a solver complains about is kept.
const COMPLAINTS: u64 = 2000;

/// Why there is no reply.
#[derive(Debug, PartialEq, Eq)]
pub enum NoReply {
    /// It is over.
    Over,
    /// The process has ended; what it last said about that.
    Ended(String),
}

/// A running solver. It ends with this value.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// To the thread that writes, since a full pipe blocks whoever writes to it.
    input: Sender<String>,
    /// From the thread that reads.
    lines: Receiver<String>,
    complaints: Arc<Mutex<String>>,
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
        let (sender, lines) = mpsc::channel();
        let complaints = Arc::new(Mutex::new(String::new()));
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
            thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stderr) = child.stderr.take() {
            let complaints = complaints.clone();
            thread::spawn(move || collect(stderr, &complaints));
        }
        Ok(Process { child, input, lines, complaints })
    }

    /// Writes. That the process has ended shows when its reply is read.
    pub fn write(&mut self, text: String) {
        let _ = self.input.send(text);
    }

    /// The next reply: a word, or everything up to the parenthesis that closes the first one.
    pub fn reply(&mut self, stop: &Stop) -> Result<String, NoReply> {
        let mut reply = String::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    reply.push_str(line.trim());
                    reply.push(' ');
                    if !reply.trim().is_empty() && open_parentheses(&reply) == 0 {
                        return Ok(reply.trim().to_owned());
                    }
                }
                Err(RecvTimeoutError::Timeout) if stop.is_over() => return Err(NoReply::Over),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(NoReply::Ended(format!("{reply}{}", self.complaints())));
                }
            }
        }
    }

    fn complaints(&mut self) -> String {
        let status = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let complaints = self.complaints.lock().map(|text| text.trim().to_owned());
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

fn collect(from: impl Read, into: &Mutex<String>) {
    let mut from = BufReader::new(from).take(COMPLAINTS);
    let mut line = Vec::new();
    while let Ok(1..) = from.read_until(b'\n', &mut line) {
        if let Ok(mut into) = into.lock() {
            into.push_str(&String::from_utf8_lossy(&line));
        }
        line.clear();
    }
    // The rest is read too, so that the process does not wait for somebody to do so.
    let _ = std::io::copy(&mut from.into_inner(), &mut std::io::sink());
}

/// How many parentheses have not been closed; those in strings do not count.
fn open_parentheses(text: &str) -> i32 {
    let mut is_string = false;
    text.chars().fold(0, |open, character| {
        is_string ^= character == '"';
        match character {
            '(' if !is_string => open + 1,
            ')' if !is_string => open - 1,
            _ => open,
        }
    })
}
