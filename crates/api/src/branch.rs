//! Ranges of branches: one universe for each of several values of an input.

use mw_session::{Direction, Halt, SessionError};
use mw_world::{Call, Domain};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::inputs::CallPattern;
use crate::notation::{CallRef, ValuesRef, read_values};
use crate::position::Position;
use crate::views::ChoiceView;

/// Creates a branch for each of several values, where an input is read next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The input; the one that is to be read here without.
    #[serde(default)]
    pub call: Option<CallRef>,
    /// The values.
    pub values: ValuesRef,
}

impl Ask for Branch {
    type Reply = Branched;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        if let Some(call) = &self.call {
            let input = debugger.find_input(call)?;
            // A mistake in the values is told before going anywhere.
            debugger.check_values(&input, &self.values)?;
            debugger.go_to_read(input, listener)?;
        }
        let Some((import, args)) = debugger.session.pending_input() else {
            return Err(ApiError::not_here(
                "no input is read here; name the input: branch chip_analog_read(12) 0..4095 \
                 step 512",
            ));
        };
        let call = Call { import, args: &args };
        let domain = debugger.session.world().domain(call)?.into_owned();
        let values = read_values(&self.values, &domain, debugger.input_type(import))?;
        let before = debugger.session.multiverse().len();
        let nodes = debugger.session.branch(&values, &mut Bridge { listener })?;
        Ok(Branched {
            call: debugger.session.world().show(call),
            branches: nodes.into_iter().filter_map(|node| debugger.choice_view(node)).collect(),
            created: (debugger.session.multiverse().len() - before) as u64,
            position: debugger.position(),
        })
    }
}

/// Branches that have been created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branched {
    /// Where the input is read; the session stands there now.
    pub position: Position,
    /// The input.
    pub call: String,
    /// The branches, in the order of the values.
    pub branches: Vec<ChoiceView>,
    /// How many of them are new.
    pub created: u64,
}

impl Debugger {
    fn check_values(&self, input: &CallPattern, values: &ValuesRef) -> Result<(), ApiError> {
        let ty = self.input_type(input.import);
        let Some(domain) = self.usual_domain(input.import).or(Domain::all(ty)) else {
            return Ok(());
        };
        for value in read_values(values, &domain, ty)? {
            domain.check(value).map_err(|refusal| {
                ApiError::new(ErrorKind::Refused, format!("{}: {refusal}", input.text()))
            })?;
        }
        Ok(())
    }

    fn go_to_read(
        &mut self,
        input: CallPattern,
        listener: &mut dyn Listener,
    ) -> Result<(), ApiError> {
        let text = input.text();
        self.moving(Direction::Forward, listener, |session, control| {
            match session.run_to_input(input.returning(None), control)? {
                Halt::Ended(_) => Err(SessionError::Unknown(format!(
                    "the program ends without reading {text} again"
                ))),
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
