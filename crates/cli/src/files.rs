//! Reading files that a person names, and files that those name.
//!
//! **Invariant:** whatever is named, reading it ends and takes no more memory than is said. A
//! device may have no end, and opening a named pipe waits for somebody who writes to it: neither
//! is opened. The pipes of a shell, as in `--script <(…)`, have somebody at the other end; they are
//! read up to the same size as files.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Larger than anything that is worth reading as a whole: a trace of a million choices takes a
/// tenth of it.
pub const LARGEST: u64 = 256 << 20;

/// The content of a file, if it has no more than so many bytes.
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let facts = std::fs::metadata(path)?;
    // A folder is opened for the sake of what the system says about that.
    if !facts.is_file() && !facts.is_dir() && !is_pipe_of_a_shell(path, &facts) {
        return Err(io::Error::other(
            "it is no file, and reading it might never end; copy what it has to a file, or give \
             it as <(…)",
        ));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(largest.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > largest {
        true => Err(io::Error::other(format!("it is larger than {largest} bytes"))),
        false => Ok(bytes),
    }
}

/// The content of a file that is text.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path, LARGEST)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// Whether this is a pipe that has no name but the number that it is open under.
#[cfg(unix)]
fn is_pipe_of_a_shell(path: &Path, facts: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    let is_nameless = || path.canonicalize().map_or(true, |name| name.starts_with("/dev/fd"));
    facts.file_type().is_fifo() && is_nameless()
}

#[cfg(not(unix))]
fn is_pipe_of_a_shell(_: &Path, _: &Metadata) -> bool {
    false
}
