//! Messages as bytes: a head that says how long the message is, then JSON.
//!
//! A web page can make a browser send any text to a port of this machine, but only with a head of
//! HTTP before it. So a head that has anything in it but the length is refused, and what comes
//! after it is not read.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// More than this is no message that an editor would send.
const LARGEST: u64 = 64 << 20;

/// Reads a message; nothing, if there are no more.
pub fn read(mut input: &mut dyn BufRead) -> io::Result<Option<Value>> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length = None;
    loop {
        let mut line = String::new();
        if Read::by_ref(&mut input).take(4096).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            match length {
                Some(_) => break,
                None => return Err(wrong("a message without Content-Length".into())),
            }
        }
        let value = match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => value,
            _ => return Err(wrong(format!("no message of the protocol: `{}`", start(line)))),
        };
        let number = value.trim().parse().ok().filter(|length| *length <= LARGEST);
        let number = number.ok_or_else(|| wrong(format!("no length: `{}`", start(line))))?;
        if length.replace(number).is_some() {
            return Err(wrong("a message with two lengths".into()));
        }
    }
    let length = length.unwrap_or_default();
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(wrong("a message ends too early".into()));
    }
    serde_json::from_slice(&bytes).map(Some).map_err(|error| wrong(format!("no JSON: {error}")))
}

/// As much of a line as is worth showing.
fn start(line: &str) -> String {
    line.chars().take(60).flat_map(char::escape_debug).collect()
}

/// Writes a message.
pub fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let message = serde_json::json!({ "seq": 1, "text": "größer" });
        let mut bytes = Vec::new();
        write(&mut bytes, &message).unwrap();
        write(&mut bytes, &message).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).unwrap(), Some(message.clone()));
        assert_eq!(read(&mut input).unwrap(), Some(message));
        assert_eq!(read(&mut input).unwrap(), None);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 99999999999999\r\n\r\n",
            "Content-Length: 5\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{[",
            "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
            "Content-Length: 2\r\nHost: 127.0.0.1\r\n\r\n{}",
            "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
