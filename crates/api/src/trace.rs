//! Universes as text.

use mw_session::{Direction, Halt};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::reply::Reply;

impl Debugger {
    pub(crate) fn export_trace(&self) -> Reply {
        Reply::Trace(self.session.write_trace(&self.session.trace()))
    }

    pub(crate) fn replay_trace(
        &mut self,
        text: &str,
        confirm: bool,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let trace = self.session.read_trace(text)?;
        // The program begins anew, which may cross outputs that cannot be undone.
        let journey = self.session.plan(Default::default())?;
        if !journey.irreversible.is_empty() && !confirm && !self.session.options().dry {
            let crossed = journey.irreversible.join(", ");
            return Err(mw_session::SessionError::Irreversible(crossed).into());
        }
        self.moving(Direction::Back, true, listener, |session, control| {
            session.replay_trace(&trace, control).map(|_| Halt::Reached)
        })
    }
}
