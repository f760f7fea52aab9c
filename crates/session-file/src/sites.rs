//! Sites as they stand in a file, whatever its version.
//!
//! Before version 6 an input was named by the import of its module, and an interrupt was a site of
//! its own. Such rows stay as they are: what they mean today is found out with the program that the
//! file has.

use mw_multiverse::{Addition, Multiverse, Site};
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

    /// Adds the site that stands in a row to a tree; says whether it is the next one there.
    pub fn add(&mut self, json: &str, to: &mut Multiverse) -> Result<bool, Trouble> {
        let Ok(older) = serde_json::from_str(json) else {
            return Ok(to.apply(&Addition::Site(from_json("site", json)?)));
        };
        let site = self.today(older)?;
        if !to.apply(&Addition::Site(site.clone())) {
            to.repeat_site(site);
        }
        Ok(true)
    }

    /// What a site of an earlier version is called today.
    fn today(&mut self, older: Older) -> Result<Site, Trouble> {
        match older {
            Older::Input { import, args } => {
                let port = self.world()?.port(import);
                let port = port.map_err(|error| damaged(format!("in the table site: {error}")))?;
                Ok(Site::Input { port, args })
            }
            Older::Interrupt { pin, table_index } => {
                Ok(Site::Event(Event::Interrupt { pin, table_index }))
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::WorldSource;

    #[test]
    fn two_imports_of_one_primitive_were_two_sites() {
        let import = r#"(import "env" "random_int" (func (result i32)))"#;
        let program = Program {
            path: "p.wasm".into(),
            wasm: wat::parse_str(format!("(module {import} {import})")).unwrap(),
            system: None,
            world: WorldSource::Board,
            entry: None,
            start: None,
            options: Default::default(),
            sources: Default::default(),
        };
        let (mut sites, mut tree) = (Sites::of(&program), Multiverse::default());
        for import in [0, 1] {
            let row = format!(r#"{{"Input":{{"import":{import},"args":[]}}}}"#);
            assert!(sites.add(&row, &mut tree).unwrap());
        }
        assert_eq!(tree.site(0), tree.site(1));
        let today = serde_json::to_string(tree.site(0).unwrap()).unwrap();
        assert!(!sites.add(&today, &mut tree).unwrap(), "one of today stands there once");
        let nowhere = r#"{"Input":{"import":9,"args":[]}}"#;
        assert!(sites.add(nowhere, &mut tree).is_err());
    }
}
