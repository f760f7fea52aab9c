//! A debugging session on disk: one SQLite file, written as the session goes.
//!
//! Kill the process at any moment and open the file again: the same multiverse, bookmarks,
//! labels, breakpoints, mocks and place are there. The traces are the truth, so nothing else is kept:
//! the machine and the world come back by replaying to the place. Only the machine that a session
//! begins with is kept as it is, if that is not the start of the program.
//!
//! ```
//! # use mw_session::{Direction, Unattended};
//! # use mw_session_file::{Program, SessionFile, WorldSource};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("blink.mw");
//! # let wasm = wat::parse_str(r#"(module (func (export "main") nop))"#)?;
//! let program = Program {
//!     path: "blink.wasm".into(),
//!     wasm,
//!     world: WorldSource::Board,
//!     entry: Some((0, vec![])),
//!     system: None,
//!     start: None,
//!     options: Default::default(),
//!     sources: Default::default(),
//! };
//! let mut session = program.session()?;
//! let mut file = SessionFile::create(&path, &program, &mut session)?;
//! session.run(Direction::Forward, &mut Unattended)?;
//! file.save(&mut session)?; // after every command, and now and then during long ones
//! drop(file);
//!
//! let (mut file, recovered) = SessionFile::open(&path)?;
//! let mut again = recovered.program.session()?;
//! recovered.restore_into(&mut again, &mut Unattended)?;
//! assert_eq!(again.here(), session.here());
//! # file.save(&mut again)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Format
//!
//! `application_id` is [`APPLICATION_ID`], `user_version` the version of the schema ([`VERSION`]).
//! The tables of version 5, described in `docs/session-file.md`:
//!
//! | table | a row is |
//! |---|---|
//! | `meta` | something there is one of, as JSON: entry, options, readings, the writer's version |
//! | `program` | the module: its bytes, fingerprint, and the path that it came from |
//! | `world` | the world: name and text of its file (null: the board), fingerprint |
//! | `recording` | a file with recorded values that the world file names |
//! | `source` | a file that debug information names |
//! | `start` | the machine that the session begins with, if not at the start of the program |
//! | `site` | what can be decided, as JSON |
//! | `choices` | choices in a row: a few bytes each |
//! | `ending` | how a universe ended |
//! | `preference` | which way on is preferred, where it is not the segment's own |
//! | `label` | the values that lead to the same future as a choice, as far as that is known |
//! | `unvisited` | a node that was suggested and where the program has not been |
//! | `furthest` | how far the program has come after a node, where the tree does not say so |
//! | `bookmark`, `breakpoint`, `mock` | one of them |
//! | `place` | where the session stands, and how much there is of everything |
//!
//! What is small and of interest to people is JSON; what is large is packed. Every row has a
//! `seal`, a checksum, because SQLite does not notice changed bytes within a value.
//!
//! # Surviving
//!
//! - A save is one transaction, so it is in the file as a whole or not at all. SQLite's rollback
//!   journal is used, not a write-ahead log: after every save, the one file has everything. The
//!   `-journal` beside it matters only if the process died in the middle of a save.
//! - `synchronous = FULL`: what was saved also survives a loss of power.
//! - The lock is the operating system's and held as long as the [`SessionFile`] lives
//!   (`locking_mode = EXCLUSIVE`). It dies with its process, so it is never stale.
//! - Whatever is in a file is checked before it is believed. A file that is foreign, damaged or too
//!   new is refused and left as it is.
//!
//! **Architecture invariant:** this is the only crate that knows SQLite, and no crate below knows
//! that sessions are kept.

mod batch;
mod connection;
mod error;
mod file;
mod load;
mod program;
mod recovered;
mod schema;
mod seal;
mod sites;
mod snapshot;
mod system;
mod write;

pub use error::FileError;
pub use file::SessionFile;
pub use program::{Program, WorldSource};
pub use recovered::Recovered;
pub use schema::{APPLICATION_ID, VERSION};
pub use system::{SystemFiles, SystemSource};
