//! Where a device is, as people write it.

use std::fmt;
use std::str::FromStr;
use std::string::{String, ToString};

/// Where a device is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A serial port, and its speed.
    Serial(String, u32),
    /// A host and a port.
    Tcp(String),
    /// The standard input and output of a command.
    Exec(String),
}

/// The speed of a serial port unless another one is given.
const SPEED: u32 = 115_200;

/// Something that is no address of a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no address of a device; write serial:/dev/ttyACM0, serial:/dev/ttyACM0@9600, \
     tcp:HOST:PORT or exec:COMMAND"
)]
pub struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let error = || AddressError(text.to_string());
        match text.split_once(':').filter(|(_, rest)| !rest.is_empty()) {
            Some(("serial", port)) => match port.rsplit_once('@') {
                None => Ok(Address::Serial(port.to_string(), SPEED)),
                Some((port, speed)) => {
                    let speed = speed.parse().map_err(|_| error())?;
                    Ok(Address::Serial(port.to_string(), speed))
                }
            },
            Some(("tcp", host)) if host.contains(':') => Ok(Address::Tcp(host.to_string())),
            Some(("exec", command)) => Ok(Address::Exec(command.to_string())),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Serial(port, SPEED) => write!(f, "serial:{port}"),
            Address::Serial(port, speed) => write!(f, "serial:{port}@{speed}"),
            Address::Tcp(host) => write!(f, "tcp:{host}"),
            Address::Exec(command) => write!(f, "exec:{command}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for text in ["serial:/dev/ttyACM0", "serial:COM3@9600", "tcp:[::1]:8192", "exec:mw agent"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in ["", "serial:", "tcp:host", "serial:/dev/x@fast", "usb:1", "exec"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
