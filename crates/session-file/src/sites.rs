//! Sites as they stand in a file, whatever its version.
//!
//! Before version 6 an input was named by the import of its module, and an interrupt was a site of
//! its own. Such rows stay as they are: what they mean today is found out with the program that the
//! file has.

use mw_multiverse::Site;
use mw_world::{Event, World};
use serde::Deserialize;

use crate::error::{Trouble, damaged};
use crate::load::from_json;
use crate::program::Program;

/// A site of version 5 or before that is written otherwise today.
#[derive(Deserialize)]
enum Older {
    Input { import: u32, args: Vec<u64> },
    Interrupt { pin: u8, table_index: u32 },
}

/// Reads the sites of a file.
pub(crate) struct Sites<'a> {
    program: &'a Program,
    /// The program's world, once it has been needed.
    world: Option<World>,
}

impl<'a> Sites<'a> {
    pub fn of(program: &'a Program) -> Sites<'a> {
        Sites { program, world: None }
    }

    /// The site that stands in a row.
    pub fn read(&mut self, json: &str) -> Result<Site, Trouble> {
        let site = from_json("site", json);
        match site.is_err().then(|| serde_json::from_str(json)) {
            Some(Ok(Older::Input { import, args })) => {
                let port = self.world()?.port(import);
                let port = port.map_err(|error| damaged(format!("in the table site: {error}")))?;
                Ok(Site::Input { port, args })
            }
            Some(Ok(Older::Interrupt { pin, table_index })) => {
                Ok(Site::Event(Event::Interrupt { pin, table_index }))
            }
            _ => site,
        }
    }

    fn world(&mut self) -> Result<&World, Trouble> {
        if self.world.is_none() {
            let session = self.program.session();
            let session = session.map_err(|error| damaged(format!("its program: {error}")))?;
            self.world = Some(session.world().clone());
        }
        self.world.as_ref().ok_or_else(|| damaged("it has no world"))
    }
}
