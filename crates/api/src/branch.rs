//! Ranges of branches: one universe for each of several values of an input.

use mw_session::{Direction, Halt, NodeId, PrimitivePattern, SessionError, Trigger};
use mw_vm::Value;
use mw_world::{Call, Domain};

use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::{Event, Listener};
use crate::inputs::CallPattern;
use crate::notation::read_values;
use crate::reply::{Branched, Reply};
use crate::request::{CallRef, ValuesRef};

impl Debugger {
    /// Goes to where the input is read next, and creates a branch for each value there. Each is a
    /// real one: the input is read, and then undone.
    pub(crate) fn branch(
        &mut self,
        call: Option<&CallRef>,
        values: &ValuesRef,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let pattern = match call {
            Some(call) => Some(self.find_input(call)?),
            None => None,
        };
        if let Some(pattern) = &pattern {
            // A mistake in the values is told before going anywhere.
            let ty = self.input_type(pattern.import);
            let domain = self.usual_domain(pattern.import).or(Domain::all(ty));
            if let Some(domain) = domain {
                for value in read_values(values, &domain, ty)? {
                    domain.check(value).map_err(|refusal| {
                        let message = format!("{}: {refusal}", pattern.text());
                        ApiError::new(ErrorKind::Refused, message)
                    })?;
                }
            }
            self.go_to_read(pattern, listener)?;
        }
        let Some((import, args)) = self.pending_input() else {
            return Err(ApiError::not_here(
                "no input is read here; name the input: branch chip_analog_read(12) 0..4095 \
                 step 512",
            ));
        };
        let call = Call { import, args: &args };
        let domain = self.session.world().domain(call)?.into_owned();
        let values = read_values(values, &domain, self.input_type(import))?;
        for value in &values {
            self.session.world().check(call, &(*value).into())?;
        }
        let here = self.session.here();
        let future = self.session.multiverse().preferred(here.node).map(|_| self.leaf());
        let before = self.session.multiverse().len();
        let mut nodes = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            if listener.is_cancelled() {
                break;
            }
            let goal = Some(values.len() as u64);
            listener.event(Event::Progress { done: index as u64, goal });
            nodes.push(self.read_and_return(*value, listener)?);
        }
        // Going on leads where it led before, or to the first of the new ones.
        if let Some(node) = future.or(nodes.first().copied()) {
            self.session.multiverse_mut().prefer_path_to(node);
        }
        Ok(Reply::Branched(Branched {
            call: self.session.world().show(call),
            branches: nodes.into_iter().filter_map(|node| self.choice_view(node)).collect(),
            created: (self.session.multiverse().len() - before) as u64,
            position: Box::new(self.position()),
        }))
    }

    /// Reads an input with this value, and goes back to before.
    fn read_and_return(
        &mut self,
        value: Value,
        listener: &mut dyn Listener,
    ) -> Result<NodeId, ApiError> {
        let here = self.session.here();
        self.session.answer(value)?;
        let node = self.session.here().node;
        self.session.slide(here, true, &mut Bridge { listener, keeper: None })?;
        Ok(node)
    }

    /// Runs to where the input is read next, whatever breakpoints there are; stays if it is here.
    fn go_to_read(
        &mut self,
        pattern: &CallPattern,
        listener: &mut dyn Listener,
    ) -> Result<(), ApiError> {
        if let Some((import, args)) = self.pending_input()
            && pattern.matches(Call { import, args: &args })
        {
            return Ok(());
        }
        let pattern_text = pattern.text();
        let start = self.session.here();
        let trigger = Trigger::Primitive(PrimitivePattern {
            import: pattern.import,
            args: pattern.args.clone(),
            value: None,
        });
        self.moving(Direction::Forward, false, listener, |session, control| {
            match session.run_past_breakpoints(trigger, control)? {
                Halt::Ended(_) => {
                    session.slide(start, false, control)?;
                    Err(SessionError::Unknown(format!(
                        "the program ends without reading {pattern_text} again"
                    )))
                }
                Halt::Asks => Err(SessionError::Unknown(
                    "before that, another input is read that nobody has decided; `answer` it first"
                        .into(),
                )),
                halt => Ok(halt),
            }
        })?;
        Ok(())
    }
}
