//! Going back to where a function that is being executed began.

use crate::breakpoints::Trigger;
use crate::control::Control;
use crate::error::SessionError;
use crate::session::{Halt, Session};
use crate::step::{Direction, Unit};

impl Session {
    /// Goes back to where the function of a frame began; frames are counted from the innermost.
    pub fn restart_frame(
        &mut self,
        depth: usize,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let stack = self.machine().call_stack();
        let Some(func) = stack.get(depth).map(|frame| frame.func) else {
            return Err(SessionError::Unknown(format!("there is no frame {depth} here")));
        };
        if depth + 1 < stack.len() {
            // Back to the call, and into it again.
            let halt = self.step(Unit::Out, Direction::Back, depth as u64 + 1, control)?;
            if halt == Halt::Edge {
                return Ok(halt);
            }
            return self.step(Unit::Instruction, Direction::Forward, 1, control);
        }
        self.slide(self.start(), false, control)?;
        if self.machine().pc() == self.module().func_code(func).start {
            return Ok(Halt::Reached);
        }
        let outermost = self.machine().call_stack().last().map(|frame| frame.func);
        if !self.has_whole_past() && outermost == Some(func) {
            // It began before the session did.
            return Ok(Halt::Edge);
        }
        // What the machine runs first is not what was asked for.
        self.run_until(Trigger::Function(func), Direction::Forward, control)
    }
}
