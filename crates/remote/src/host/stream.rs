//! Streams of bytes: serial ports, TCP, commands, and the two ends of a pseudo-terminal.

use std::boxed::Box;
use std::collections::VecDeque;
use std::format;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::process::{Child, Command, Stdio};
use std::string::{String, ToString};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::vec;
use std::vec::Vec;

use super::address::Address;
use super::key::{Key, Opener, Sealed};
use crate::agent::{Agent, Outside};

/// How long a machine may take to answer that is to be connected with.
const CONNECTING: Duration = Duration::from_secs(5);

/// A stream to a device.
pub trait Stream: Send {
    /// Writes all bytes.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Reads what there is, waiting so long for it; nothing if nothing comes.
    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>>;
    /// Opens it again after it broke; `Unsupported` if that is no use.
    fn reopen(&mut self) -> io::Result<()>;
    /// The time, in microseconds.
    fn now(&self) -> u64;
    /// Lets time pass.
    fn pause(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
    /// Where it leads, for people.
    fn describe(&self) -> String;
}

/// A stream that is open: reading is done by a thread.
struct Open {
    writer: Box<dyn Write + Send>,
    arrived: Receiver<io::Result<Vec<u8>>>,
    /// Ends with the stream.
    child: Option<Child>,
}

impl Open {
    fn new(
        mut reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
    ) -> io::Result<Open> {
        let (sender, arrived) = sync_channel(64);
        std::thread::Builder::new().spawn(move || pump(&mut reader, &sender))?;
        Ok(Open { writer: Box::new(writer), arrived, child: None })
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        let mut bytes = match self.arrived.recv_timeout(wait) {
            Ok(result) => result?,
            Err(RecvTimeoutError::Timeout) => return Ok(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
        };
        while let Ok(more) = self.arrived.try_recv() {
            bytes.extend(more?);
        }
        Ok(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)?;
        self.writer.flush()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Reads until the end or until nobody listens.
fn pump(reader: &mut impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let result = match reader.read(&mut buffer) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => Ok(buffer[..length].to_vec()),
            Err(error) => match error.kind() {
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => continue,
                io::ErrorKind::Interrupted => continue,
                _ => Err(error),
            },
        };
        let ends = result.is_err();
        if sender.send(result).is_err() || ends {
            return;
        }
    }
}

struct Opened {
    address: Address,
    key: Option<Key>,
    open: Open,
    since: Instant,
}

impl Address {
    /// Opens a stream to there.
    pub fn open(&self, key: Option<&Key>) -> io::Result<Box<dyn Stream>> {
        let open = self.connect(key)?;
        let (address, key) = (self.clone(), key.cloned());
        Ok(Box::new(Opened { address, key, open, since: Instant::now() }))
    }

    fn connect(&self, key: Option<&Key>) -> io::Result<Open> {
        match self {
            Address::Serial(port, speed) => {
                let port = serialport::new(port, *speed).timeout(Duration::from_millis(50));
                let port = port.open()?;
                Open::new(port.try_clone()?, port)
            }
            Address::Tcp(host) => {
                let addresses: Vec<_> = host.to_socket_addrs()?.collect();
                if key.is_none() && !addresses.iter().all(|address| is_here(address.ip())) {
                    let text = "devices beyond this machine are spoken to with a key only; \
                                give one with --key FILE";
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
                }
                let mut result = Err(io::ErrorKind::AddrNotAvailable.into());
                for address in &addresses {
                    result = TcpStream::connect_timeout(address, CONNECTING);
                    if result.is_ok() {
                        break;
                    }
                }
                tcp(result?, key, true)
            }
            Address::Exec(command) => {
                let mut child = Command::new("sh");
                child.arg("-c").arg(format!("exec {command}"));
                child.stdin(Stdio::piped()).stdout(Stdio::piped());
                let mut child = child.spawn()?;
                let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
                    return Err(io::ErrorKind::BrokenPipe.into());
                };
                let mut open = Open::new(stdout, stdin)?;
                open.child = Some(child);
                Ok(open)
            }
        }
    }
}

fn is_here(address: IpAddr) -> bool {
    address.is_loopback()
}

fn tcp(mut stream: TcpStream, key: Option<&Key>, initiates: bool) -> io::Result<Open> {
    stream.set_nodelay(true)?;
    let Some(key) = key else { return Open::new(stream.try_clone()?, stream) };
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let noise = key.secure(&mut stream, initiates)?;
    stream.set_read_timeout(None)?;
    let reader = Opener { inner: stream.try_clone()?, noise: noise.clone(), nonce: 0 };
    Open::new(reader, Sealed { inner: stream, noise, nonce: 0 })
}

impl Stream for Opened {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open.write(bytes)
    }

    fn read(&mut self, wait: Duration) -> io::Result<Vec<u8>> {
        self.open.read(wait)
    }

    fn reopen(&mut self) -> io::Result<()> {
        // A command that is started again has forgotten everything.
        if matches!(self.address, Address::Exec(_)) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.open = self.address.connect(self.key.as_ref())?;
        Ok(())
    }

    fn now(&self) -> u64 {
        self.since.elapsed().as_micros() as u64
    }

    fn describe(&self) -> String {
        self.address.to_string()
    }
}

/// Listens for hosts. Beyond this machine only with a key.
pub fn listen_tcp(address: &str, key: Option<&Key>) -> io::Result<TcpListener> {
    let addresses: Vec<_> = address.to_socket_addrs()?.collect();
    if key.is_none() && !addresses.iter().all(|address| is_here(address.ip())) {
        let text = format!(
            "{address} can be reached from other machines: give a key with --key FILE, or listen \
             on 127.0.0.1"
        );
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    TcpListener::bind(&addresses[..])
}

/// What an agent in a process talks through.
pub enum Serving {
    /// Standard input and output.
    Stdio,
    /// A pseudo-terminal.
    Pty {
        /// The end that the agent reads and writes.
        port: serialport::TTYPort,
        /// The end that hosts open; kept open, so that there is a line without a host.
        line: std::fs::File,
    },
    /// Connections, one after the other.
    Tcp(TcpListener, Option<Key>),
}

impl Serving {
    /// A pseudo-terminal, and the path to attach to.
    pub fn pty() -> io::Result<(Serving, String)> {
        let (port, mut line) = serialport::TTYPort::pair().map_err(io::Error::other)?;
        let path = serialport::SerialPort::name(&line).unwrap_or_default();
        // The crate locks what it opens, and the host has to be able to open it.
        line.set_exclusive(false).map_err(io::Error::other)?;
        let line = std::fs::File::open(&path)?;
        Ok((Serving::Pty { port, line }, path))
    }
}

/// Lets an agent serve hosts, until there can be none any more.
pub fn serve<W: Outside>(agent: &mut Agent<W>, through: Serving) -> io::Result<()> {
    let since = Instant::now();
    match through {
        Serving::Stdio => converse(agent, &mut Open::new(io::stdin(), io::stdout())?, since, None),
        Serving::Pty { mut port, line } => {
            use serialport::SerialPort;
            port.set_timeout(Duration::from_millis(50)).map_err(io::Error::other)?;
            let reader = port.try_clone_native().map_err(io::Error::other)?;
            let result = converse(agent, &mut Open::new(reader, port)?, since, None);
            drop(line);
            result
        }
        Serving::Tcp(listener, key) => {
            let (sender, arrived) = sync_channel(1);
            let receive = move || receive(&listener, key.as_ref(), &sender);
            std::thread::Builder::new().spawn(receive)?;
            loop {
                // The listener is gone if nobody sends any more.
                let open: io::Result<Open> = arrived.recv().map_err(io::Error::other)?;
                agent.reconnect(since.elapsed().as_micros() as u64);
                let _ = converse(agent, &mut open?, since, Some(GREETING));
            }
        }
    }
}

/// So many connections may be open on which nothing has been said; then the oldest is closed.
const SILENT: usize = 16;

/// Accepts connections and hands over those on which somebody speaks, who has the key if there is
/// one. Who says nothing keeps nobody away.
fn receive(listener: &TcpListener, key: Option<&Key>, sender: &SyncSender<io::Result<Open>>) {
    let silent: Mutex<VecDeque<(u64, TcpStream)>> = Mutex::default();
    let lock = || silent.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        for number in 0.. {
            let accepted =
                listener.accept().and_then(|(stream, _)| Ok((stream.try_clone()?, stream)));
            let (known, stream) = match accepted {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            let mut silent = lock();
            silent.push_back((number, known));
            if silent.len() > SILENT
                && let Some((_, oldest)) = silent.pop_front()
            {
                // Whoever waits for it to speak is told that it has ended.
                let _ = oldest.shutdown(Shutdown::Both);
            }
            drop(silent);
            let greet = move || {
                let speaks = stream.peek(&mut [0]).is_ok_and(|length| length > 0);
                lock().retain(|(other, _)| *other != number);
                if speaks && let Ok(open) = tcp(stream, key, false) {
                    // Behind one who waits already there is no room: it may come again.
                    let _ = sender.try_send(Ok(open));
                }
            };
            // Without a thread for it, it is as if it had not come.
            let _ = std::thread::Builder::new().spawn_scoped(scope, greet);
        }
    });
}

/// How long somebody may speak over TCP without greeting as a host does.
const GREETING: Duration = Duration::from_secs(10);

fn converse<W: Outside>(
    agent: &mut Agent<W>,
    open: &mut Open,
    since: Instant,
    patience: Option<Duration>,
) -> io::Result<()> {
    let now = || since.elapsed().as_micros() as u64;
    let begun = Instant::now();
    loop {
        agent.work(now());
        if patience.is_some_and(|patience| begun.elapsed() > patience)
            && !agent.link().is_connected()
        {
            return Ok(());
        }
        let mut bytes = Vec::new();
        while agent.transmit(now(), &mut bytes) {}
        if !bytes.is_empty() {
            open.write(&bytes)?;
        }
        let at = now();
        let wait = agent.wake_at(at).map_or(50_000, |wake| wake.saturating_sub(at).min(50_000));
        match open.read(Duration::from_micros(wait)) {
            Ok(bytes) => agent.receive(&bytes, now()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}
