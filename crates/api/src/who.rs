//! Who wrote this: back to the last write of a variable, or of what made the program trap.

use mw_session::{Direction, Outcome};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::movement::Stopped;

/// Goes back to before the last write of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhoWrote {
    /// A variable, as it is written for watching; without, whatever made the program trap here.
    #[serde(default)]
    pub term: Option<String>,
}

impl Ask for WhoWrote {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        if let Some(term) = &self.term {
            let cell = debugger.find_cell(term)?;
            return debugger.moving(Direction::Back, listener, |session, control| {
                session.go_to_last_write(cell, control)
            });
        }
        let (here, multiverse) = (debugger.session.here(), debugger.session.multiverse());
        let trap = match multiverse.ended(here.node) {
            Some((count, Outcome::Trapped(trap))) if *count == here.count => *trap,
            _ => {
                return Err(ApiError::not_here(
                    "the program has not trapped here; name a variable: `who total`",
                ));
            }
        };
        debugger.moving(Direction::Back, listener, |session, control| {
            session.go_to_origin(trap, control)
        })
    }
}
