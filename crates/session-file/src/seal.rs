//! Checksums of rows.
//!
//! SQLite notices when the structure of a file is damaged, but not when bytes within a value are.
//! A choice with another value would be a universe that never was, so every row is sealed.

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Trouble, damaged};

/// The checksum of a row: of its table's name and its columns.
pub(crate) fn seal(table: &str, row: &impl Serialize) -> i64 {
    // Writing plain data to memory cannot fail.
    let bytes = postcard::to_allocvec(&(table, row)).unwrap_or_default();
    i64::from(xxh3_64(&bytes) as u32)
}

/// Compares the checksum of a row with the one that it was written with.
pub(crate) fn check(table: &str, row: &impl Serialize, written: i64) -> Result<(), Trouble> {
    match seal(table, row) == written {
        true => Ok(()),
        false => Err(damaged(format!("a row of the table {table} has been changed"))),
    }
}
