//! Calling primitives of a device for a machine that runs here.

use std::format;
use std::string::String;
use std::vec::Vec;

use mw_vm::{Machine, PAGE_SIZE, Value};

use super::{Device, unexpected};
use crate::host::error::DeviceError;
use crate::message::{Command, Reply};

/// How many pieces of a program's memory a primitive may need.
const RANGES: usize = 16;

impl Device {
    /// Reads an input for a machine that runs here; `value` if it is known already.
    pub fn read_primitive(
        &mut self,
        primitive: u32,
        args: &[Value],
        value: Option<Value>,
        count: u64,
    ) -> Result<Option<Value>, DeviceError> {
        match self.call(&Command::Read { primitive, args: args.to_vec(), value, count })? {
            Reply::Returned(value) => Ok(value),
            Reply::Aborted(message) => Err(DeviceError::Nonsense(message)),
            _ => Err(unexpected()),
        }
    }

    /// Performs an output for a machine that runs here. Returns the message with which the device
    /// ended the program, if it did, and what the output returned.
    pub fn perform_primitive(
        &mut self,
        primitive: u32,
        args: &[Value],
        count: u64,
        machine: &Machine,
    ) -> Result<(Option<String>, Option<Value>), DeviceError> {
        let mut ranges: Vec<(u32, Vec<u8>)> = Vec::new();
        loop {
            let mut parts = Vec::new();
            for (address, bytes) in &ranges {
                parts.extend(address.to_le_bytes());
                parts.extend((bytes.len() as u32).to_le_bytes());
                parts.extend(bytes);
            }
            self.parts(&parts)?;
            match self.call(&Command::Perform { primitive, args: args.to_vec(), count })? {
                Reply::Returned(value) => return Ok((None, value)),
                Reply::Aborted(message) => return Ok((Some(message), None)),
                Reply::NeedsMemory { address, length } => {
                    let memory = machine.memories().first();
                    let bytes = memory.and_then(|m| m.read_vec(address.into(), length.into()).ok());
                    let asked =
                        ranges.iter().any(|(at, b)| (*at, b.len()) == (address, length as usize));
                    let Some(bytes) = bytes.filter(|_| !asked && length <= PAGE_SIZE as u32) else {
                        let text =
                            format!("address {address:#x} (+{length}) is outside of the memory");
                        return Ok((Some(text), None));
                    };
                    if ranges.len() == RANGES {
                        return Err(DeviceError::nonsense("it asks for memory without end"));
                    }
                    ranges.push((address, bytes));
                }
                _ => return Err(unexpected()),
            }
        }
    }
}
