//! Code that steps by lines pass through.

use mw_session::Skip as Skipped;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;

/// The word for the code of libraries.
const LIBRARY: &str = "library";

/// Lets steps by lines pass through code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skip {
    /// Files and functions by their names, or the ends of them: `vendor/*`, `core::fmt::*`;
    /// `library` for what languages bring along, which is passed through to begin with.
    pub pattern: String,
}

impl Ask for Skip {
    type Reply = Vec<SkipView>;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.skip(&self.pattern)?;
        Ok(debugger.skips())
    }
}

/// Lets steps stop in code again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveSkip {
    /// The number of what was passed through.
    pub id: u32,
}

impl Ask for RemoveSkip {
    type Reply = Vec<SkipView>;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        match debugger.session.skips_mut().remove(self.id) {
            true => Ok(debugger.skips()),
            false => Err(ApiError::unknown(format!(
                "there is no skip {}; `skip list` shows them",
                self.id
            ))),
        }
    }
}

/// What steps by lines pass through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skips {}

impl Ask for Skips {
    type Reply = Vec<SkipView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.skips())
    }
}

/// Code that steps by lines pass through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkipView {
    /// Its number.
    pub id: u32,
    /// As it could have been written.
    pub pattern: String,
}

impl Debugger {
    /// Lets steps by lines pass through code, as [`Skip`] says.
    pub fn skip(&mut self, pattern: &str) -> Result<(), ApiError> {
        let skip = match pattern.trim() {
            "" => return Err(ApiError::notation("name a file or a function to pass through")),
            LIBRARY => Skipped::Library,
            pattern => Skipped::Named(pattern.to_owned()),
        };
        self.session.skips_mut().add(skip);
        Ok(())
    }

    fn skips(&self) -> Vec<SkipView> {
        let view = |(id, skip): (u32, &Skipped)| SkipView {
            id,
            pattern: match skip {
                Skipped::Library => LIBRARY.to_owned(),
                Skipped::Named(pattern) => pattern.clone(),
            },
        };
        self.session.skips().iter().map(view).collect()
    }
}
