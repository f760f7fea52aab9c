//! Universes as text.

use mw_session::{Control, Direction, Halt, Session, SessionError, Unit};
use mw_world::Kind;

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
            return Err(SessionError::Irreversible(crossed).into());
        }
        self.moving(Direction::Back, true, listener, |session, control| {
            session.replay_trace(&trace, control)?;
            look_for_the_end(session, control)
        })
    }
}

/// A trace ends before the instruction that cannot be executed: sees whether the next one is.
fn look_for_the_end(
    session: &mut Session,
    control: &mut dyn Control,
) -> Result<Halt, SessionError> {
    let here = session.here();
    let ended = session.multiverse().ended(here.node).filter(|(count, _)| *count == here.count);
    if let Some((_, outcome)) = ended {
        return Ok(Halt::Ended(outcome.clone()));
    }
    // Whatever acts on the world is left alone, unless it is the end.
    let call = session.machine().import_call();
    if call.is_some_and(|(import, _)| !matches!(session.world().kind(import), Ok(Kind::Abort))) {
        return Ok(Halt::Reached);
    }
    let halt = session.step(Unit::Instruction, Direction::Forward, 1, control)?;
    match &halt {
        Halt::Ended(_) if session.here() == here => Ok(halt),
        _ => session.slide(here, true, control).map(|_| Halt::Reached),
    }
}
