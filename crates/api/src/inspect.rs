//! Looking at the machine where the session stands, and at its world wherever.

use mw_session::{frames_of, globals_of};
use mw_vm::Cell;
use mw_world::View;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::event::Listener;
use crate::looked::Looked;
use crate::notation::PlaceRef;
use crate::variables::Variable;

/// The functions being executed, innermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frames {
    /// Of this actor, by its name or address; of the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for Frames {
    type Reply = Vec<Frame>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.look_at(self.actor.as_deref())?.frames())
    }
}

/// A function that is being executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// How many calls out from the innermost.
    pub depth: u64,
    /// The function's index.
    pub func: u32,
    /// The function's name.
    pub function: String,
    /// The byte offset of the instruction in the binary; for a caller, of its call.
    pub offset: Option<u32>,
    /// The instruction.
    pub instruction: Option<String>,
    /// Parameters and locals.
    pub locals: Vec<Variable>,
    /// The operand stack, lowest first; the types are not known.
    pub operands: Vec<u64>,
}

/// The globals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Globals {
    /// Of this actor, by its name or address; of the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for Globals {
    type Reply = Vec<Variable>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.look_at(self.actor.as_deref())?.globals())
    }
}

/// The world as it is here, or at another place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// Where; here without.
    #[serde(default)]
    pub at: Option<PlaceRef>,
}

impl Ask for World {
    type Reply = View;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let Some(at) = &self.at else { return Ok(debugger.session.world().view()) };
        let place = debugger.resolve(at)?;
        let seen =
            debugger.session.look_at(place, &mut Bridge { listener }, |now| now.world.view());
        seen.map_err(|error| debugger.unreachable(&[place], error.into()))
    }
}

impl Looked<'_> {
    pub(crate) fn frames(self) -> Vec<Frame> {
        let frame = |(depth, frame): (usize, mw_session::FrameView)| {
            let local = |(index, local): (usize, &mw_session::VariableView)| Variable {
                term: Cell::Local { depth: depth as u32, local: index as u32 }.to_string(),
                name: self.listing().locals().name(frame.func, index as u32).map(str::to_owned),
                value: local.value.into(),
            };
            Frame {
                depth: depth as u64,
                func: frame.func,
                function: frame.name.clone(),
                offset: frame.offset,
                instruction: frame.offset.map(|offset| self.instruction_text(offset)),
                locals: frame.locals.iter().enumerate().map(local).collect(),
                operands: frame.operands.clone(),
            }
        };
        frames_of(self.machine).into_iter().enumerate().map(frame).collect()
    }

    pub(crate) fn globals(self) -> Vec<Variable> {
        let globals = globals_of(self.machine).into_iter().enumerate();
        let variable = |(index, global): (usize, mw_session::VariableView)| Variable {
            term: Cell::Global(index as u32).to_string(),
            name: self.global_name(index as u32),
            value: global.value.into(),
        };
        globals.map(variable).collect()
    }
}
