//! The one thing that a world needs of the machine: its memory.

use mw_vm::Machine;

/// The memory of the running program, as primitives see it.
pub trait GuestMemory {
    /// Fills `buffer` from the bytes at `address`.
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), OutOfBounds>;
}

/// The memory of a program that has none.
#[derive(Clone, Copy, Debug)]
pub struct NoMemory;

impl GuestMemory for NoMemory {
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), OutOfBounds> {
        Err(OutOfBounds { address, length: buffer.len() as u64 })
    }
}

/// A primitive was handed an address that is not in the program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {length} bytes at address {address} are not all in the program's memory")]
pub struct OutOfBounds {
    /// The first address.
    pub address: u32,
    /// How many bytes were wanted.
    pub length: u64,
}

/// Primitives see the first memory; a module without one has no bytes at all.
impl GuestMemory for Machine {
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), OutOfBounds> {
        let outside = OutOfBounds { address, length: buffer.len() as u64 };
        let memory = self.memories().first().ok_or(outside)?;
        memory.read(address.into(), buffer).map_err(|_| outside)
    }
}

/// Text is read in pieces of this size, so that a wrong length fails before it costs memory.
const PIECE: usize = 4096;

/// Reads `length` bytes at `address`.
pub fn read_bytes(
    memory: &dyn GuestMemory,
    address: u32,
    length: u32,
) -> Result<Vec<u8>, OutOfBounds> {
    let wanted = length as usize;
    let outside = OutOfBounds { address, length: u64::from(length) };
    let mut bytes = Vec::new();
    while bytes.len() < wanted {
        let start = bytes.len();
        let at = u32::try_from(start).ok().and_then(|start| address.checked_add(start));
        bytes.resize(wanted.min(start + PIECE), 0);
        memory.read(at.ok_or(outside)?, &mut bytes[start..]).map_err(|_| outside)?;
    }
    Ok(bytes)
}

/// Reads the AssemblyScript string at `address`: UTF-16, its length in bytes just before it.
/// `None` for the null pointer and for anything that is not such a string.
pub(crate) fn read_utf16(memory: &dyn GuestMemory, address: u32) -> Option<String> {
    let mut length = [0; 4];
    memory.read(address.checked_sub(4)?, &mut length).ok()?;
    let bytes = read_bytes(memory, address, u32::from_le_bytes(length)).ok()?;
    let units: Vec<u16> = bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}

#[cfg(test)]
impl GuestMemory for Vec<u8> {
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), OutOfBounds> {
        let outside = OutOfBounds { address, length: buffer.len() as u64 };
        let start = address as usize;
        buffer.copy_from_slice(self.get(start..start + buffer.len()).ok_or(outside)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_stop_at_the_end_of_memory() {
        let memory = vec![7u8; 10_000];
        for (address, length, expected) in [
            (0, 0, Some(0)),
            (u32::MAX, 0, Some(0)),
            (0, 10_000, Some(10_000)),
            (9_999, 1, Some(1)),
            (9_999, 2, None),
            (0, u32::MAX, None),
            (u32::MAX, 1, None),
        ] {
            let read = read_bytes(&memory, address, length).ok().map(|bytes| bytes.len());
            assert_eq!(read, expected, "{length} bytes at {address}");
        }
    }

    #[test]
    fn assemblyscript_strings() {
        let mut memory = vec![0u8; 64];
        memory[8..12].copy_from_slice(&6u32.to_le_bytes());
        memory[12..18].copy_from_slice(&[b'o', 0, b'h', 0, 0xe9, 0]);
        memory[30..34].copy_from_slice(&u32::MAX.to_le_bytes());
        for (address, expected) in
            [(12, Some("ohé")), (0, None), (3, None), (34, None), (68, None), (u32::MAX, None)]
        {
            assert_eq!(read_utf16(&memory, address).as_deref(), expected, "at {address}");
        }
    }
}
