//! Messages as bytes: a head that says how long the message is, then JSON.

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
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        if name.eq_ignore_ascii_case("content-length") {
            let number = value.trim().parse().ok().filter(|length| *length <= LARGEST);
            length = Some(number.ok_or_else(|| wrong(format!("no length: `{line}`")))?);
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
        ] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
