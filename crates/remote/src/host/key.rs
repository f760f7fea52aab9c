//! Keys: who may talk to a device over a network, and nobody listens.
//!
//! Both sides have the same 32 bytes. A connection begins with the Noise handshake `NNpsk0` (by
//! `snow`), which succeeds only if they do, and everything after it is encrypted. So the two sides
//! know of each other that they have the key, and what was recorded cannot be played again.

use std::fmt;
use std::io::{self, Read, Write};
use std::string::String;
use std::sync::Arc;
use std::vec;
use std::vec::Vec;

use snow::{Builder, StatelessTransportState};

const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
/// The most plain bytes of a Noise message.
const CHUNK: usize = 16_000;

/// A key. See the [module](self).
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Something that is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key is 64 hexadecimal digits; `mw agent --new-key FILE` makes one")]
pub struct KeyError;

impl Key {
    /// A key from its 64 hexadecimal digits.
    pub fn parse(text: &str) -> Result<Key, KeyError> {
        let text = text.trim();
        let mut key = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(KeyError);
        }
        for (index, byte) in key.iter_mut().enumerate() {
            let digits = &text[2 * index..2 * index + 2];
            *byte = u8::from_str_radix(digits, 16).map_err(|_| KeyError)?;
        }
        Ok(Key(key))
    }

    /// A new key, in digits.
    pub fn generate() -> io::Result<String> {
        let builder = Builder::new(PATTERN.parse().map_err(io::Error::other)?);
        let pair = builder.generate_keypair().map_err(io::Error::other)?;
        Ok(pair.private.iter().map(|byte| std::format!("{byte:02x}")).collect())
    }

    /// Makes a connection one that only who has the key understands.
    pub(super) fn secure(
        &self,
        stream: &mut (impl Read + Write),
        initiates: bool,
    ) -> io::Result<Arc<StatelessTransportState>> {
        let wrong = |_| {
            let text = "the other side does not have the same key";
            io::Error::new(io::ErrorKind::PermissionDenied, text)
        };
        let builder = Builder::new(PATTERN.parse().map_err(io::Error::other)?);
        let builder = builder.psk(0, &self.0).map_err(io::Error::other)?;
        let mut noise = match initiates {
            true => builder.build_initiator(),
            false => builder.build_responder(),
        }
        .map_err(io::Error::other)?;
        let mut buffer = vec![0; 1024];
        while !noise.is_handshake_finished() {
            if noise.is_my_turn() {
                let length = noise.write_message(&[], &mut buffer).map_err(io::Error::other)?;
                write_framed(stream, &buffer[..length])?;
            } else {
                let message = read_framed(stream).map_err(|error| match error.kind() {
                    // Who has another key hangs up without a word.
                    io::ErrorKind::UnexpectedEof => wrong(snow::Error::Decrypt),
                    // Who has none waits for something else than a handshake.
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => io::Error::new(
                        io::ErrorKind::TimedOut,
                        "the other side does not answer as one that has a key does; start it with \
                         the same key, or leave out --key",
                    ),
                    _ => error,
                })?;
                noise.read_message(&message, &mut buffer).map_err(wrong)?;
            }
        }
        noise.into_stateless_transport_mode().map(Arc::new).map_err(io::Error::other)
    }
}

fn write_framed(stream: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = (message.len() as u16).to_be_bytes();
    stream.write_all(&[&length[..], message].concat())
}

fn read_framed(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut message = vec![0; u16::from_be_bytes(length).into()];
    stream.read_exact(&mut message)?;
    Ok(message)
}

/// Writes encrypted.
pub(super) struct Sealed<W> {
    pub inner: W,
    pub noise: Arc<StatelessTransportState>,
    pub nonce: u64,
}

impl<W: Write> Write for Sealed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = &bytes[..bytes.len().min(CHUNK)];
        let mut message = vec![0; bytes.len() + 16];
        let written = self.noise.write_message(self.nonce, bytes, &mut message);
        let length = written.map_err(io::Error::other)?;
        self.nonce += 1;
        write_framed(&mut self.inner, &message[..length])?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads what was encrypted, a message at a time.
pub(super) struct Opener<R> {
    pub inner: R,
    pub noise: Arc<StatelessTransportState>,
    pub nonce: u64,
}

impl<R: Read> Read for Opener<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let message = read_framed(&mut self.inner)?;
        if message.len() > buffer.len() + 16 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let read = self.noise.read_message(self.nonce, &message, buffer);
        self.nonce += 1;
        read.map_err(|_| io::ErrorKind::InvalidData.into())
    }
}
