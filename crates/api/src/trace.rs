//! Universes as text.

use mw_session::{Direction, Halt, SessionError, Trace, Unattended};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::reply::Reply;

impl Debugger {
    pub(crate) fn export_trace(&self) -> Result<Reply, ApiError> {
        self.session.check_traceable()?;
        Ok(Reply::Trace(self.session.write_trace(&self.trace())))
    }

    /// The universe up to here.
    pub(crate) fn trace(&self) -> Trace {
        // A line has room for what has no breaks in it.
        let name = self.program_name().replace(char::is_control, "?");
        Trace { name: Some(name).filter(|name| !name.is_empty()), ..self.session.trace() }
    }

    pub(crate) fn replay_trace(
        &mut self,
        text: &str,
        confirm: bool,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let trace = self.session.read_trace(text)?;
        // The program begins anew, which may cross outputs that cannot be undone.
        let journey = self.session.plan(self.session.start(), &mut Unattended)?;
        if !journey.irreversible.is_empty() && !confirm && !self.session.options().dry {
            let crossed = journey.irreversible.join(", ");
            return Err(SessionError::Irreversible(crossed).into());
        }
        self.moving(Direction::Back, true, listener, |session, control| {
            let place = session.replay_trace(&trace, control)?;
            let ended = session.multiverse().ended(place.node);
            let ended = ended.filter(|(count, _)| *count == place.count);
            if let Some((_, outcome)) = ended {
                return Ok(Halt::Ended(outcome.clone()));
            }
            Ok(session.misuse_here(control).map_or(Halt::Reached, Halt::Misuse))
        })
    }
}
