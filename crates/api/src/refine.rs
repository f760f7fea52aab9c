//! Breakpoints that ask the source: expressions, passes, logs.

use mw_session::BreakpointId;

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::reply::{HaltView, Reply};

/// When a breakpoint stops the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refinement {
    /// An expression that must hold.
    pub expression: Option<String>,
    /// How often it is still passed.
    pub ignore: u64,
    /// What to log instead of stopping.
    pub log: Option<String>,
}

impl Debugger {
    pub(crate) fn refine_breakpoint(
        &mut self,
        id: u32,
        refinement: Refinement,
    ) -> Result<Reply, ApiError> {
        let id = self.find_breakpoint(id)?;
        match refinement == Refinement::default() {
            true => self.refined.remove(&id),
            false => self.refined.insert(id, refinement),
        };
        Ok(Reply::Done)
    }

    /// Whether a run that has come to a breakpoint ends there.
    pub(crate) fn stops_for(
        &mut self,
        reply: &Reply,
        listener: &mut dyn Listener,
    ) -> Result<bool, ApiError> {
        let Reply::Stopped(stopped) = reply else { return Ok(true) };
        let HaltView::Breakpoint { id, .. } = stopped.halt else { return Ok(true) };
        let Some(refinement) = self.refined.get(&BreakpointId(id)) else { return Ok(true) };
        if let Some(expression) = &refinement.expression {
            match self.holds(expression) {
                Ok(true) => {}
                Ok(false) => return Ok(listener.is_cancelled()),
                Err(error) => {
                    let message = format!("the condition `{expression}`: {}", error.message);
                    listener.event(Event::Warning { message });
                    return Ok(true);
                }
            }
        }
        let log = refinement.log.clone();
        if let Some(refinement) = self.refined.get_mut(&BreakpointId(id))
            && refinement.ignore > 0
        {
            refinement.ignore -= 1;
            return Ok(listener.is_cancelled());
        }
        let Some(log) = log else { return Ok(true) };
        listener.event(Event::Log { message: self.log_text(&log) });
        Ok(listener.is_cancelled())
    }

    /// A text with the values of the expressions that are in braces.
    fn log_text(&self, text: &str) -> String {
        let mut shown = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((expression, after)) = after.split_once('}') else { break };
            shown.push_str(before);
            match self.evaluate(expression, 0) {
                Ok(Reply::SourceVariable(value)) => shown.push_str(&value.value),
                Ok(_) => {}
                Err(error) => shown.push_str(&format!("<{}>", error.message)),
            }
            rest = after;
        }
        shown + rest
    }
}
