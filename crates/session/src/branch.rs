//! Ranges of branches: one universe for each of several values of an input.

use mw_multiverse::NodeId;
use mw_vm::Value;
use mw_world::{Call, Kind};

use crate::breakpoints::{PrimitivePattern, Trigger};
use crate::control::{Control, Progress};
use crate::error::SessionError;
use crate::session::{Halt, Session};
use crate::step::Direction;

impl Session {
    /// The input that the next instruction reads, if it reads one.
    pub fn pending_input(&self) -> Option<(u32, Vec<Value>)> {
        let (import, args) = self.machine().import_call()?;
        matches!(self.world().kind(import), Ok(Kind::Input)).then_some((import, args))
    }

    /// Runs to where an input is read next, whatever breakpoints there are; stays if it is here,
    /// or if the program ends before.
    pub fn run_to_input(
        &mut self,
        input: PrimitivePattern,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        if let Some((import, args)) = self.pending_input()
            && input.import == import
            && input.args.as_ref().is_none_or(|wanted| *wanted == args)
        {
            return Ok(Halt::Reached);
        }
        let start = self.here();
        let halt = self.run_to_aim(Trigger::Primitive(input), true, Direction::Forward, control)?;
        if matches!(halt, Halt::Ended(_)) {
            self.slide(start, false, control)?;
        }
        Ok(halt)
    }

    /// Creates a branch for each value of the input that is read here. Each is a real one: the
    /// input is read, and then undone. Going on leads where it led before, or to the first of
    /// them. Cancelled, those that there are stay.
    pub fn branch(
        &mut self,
        values: &[Value],
        control: &mut dyn Control,
    ) -> Result<Vec<NodeId>, SessionError> {
        let Some((import, args)) = self.pending_input() else {
            return Err(SessionError::Unknown("no input is read here".into()));
        };
        for value in values {
            self.world().check(Call { import, args: &args }, &(*value).into())?;
        }
        let here = self.here();
        let future =
            self.multiverse().preferred(here.node).map(|_| self.multiverse().leaf(here.node));
        let mut nodes = Vec::with_capacity(values.len());
        for (count, value) in (0..).zip(values) {
            if control.is_cancelled() {
                break;
            }
            control.progress(Progress { count, goal: Some(values.len() as u64) });
            self.answer(*value)?;
            nodes.push(self.here().node);
            self.slide(here, true, control)?;
        }
        if let Some(node) = future.or(nodes.first().copied()) {
            self.multiverse_mut().prefer_path_to(node);
        }
        Ok(nodes)
    }
}
