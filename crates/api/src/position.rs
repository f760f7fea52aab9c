//! Where the session stands.

use mw_session::Site;
use mw_vm::Status;
use mw_world::{Answer, Call, Kind, Sample};
use serde::{Deserialize, Serialize};

use crate::actors::{NextTurn, RunningActor, outcome_of};
use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::device::DeviceView;
use crate::event::Listener;
use crate::looked::Looked;
use crate::property_events::PropertyEvent;
use crate::source_views::SourceLine;
use crate::views::{OutcomeView, PlaceView};

/// Where the session stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Where {}

impl Ask for Where {
    type Reply = Position;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.position())
    }
}

/// Where the session stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The place.
    pub place: PlaceView,
    /// How many choices lie behind.
    pub choices: u64,
    /// Whether there is a recorded future.
    pub in_the_past: bool,
    /// Whether a person has reached into the program on the way to here.
    pub altered: bool,
    /// Bookmarks of exactly this place.
    pub bookmarks: Vec<String>,
    /// The function that is being executed, unless the program has ended.
    pub function: Option<String>,
    /// Where it is in the source that the program was built from, if that is known.
    pub source: Option<SourceLine>,
    /// The line of the program's own code that called the library in which it has trapped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<SourceLine>,
    /// How deep calls are nested.
    pub depth: u64,
    /// The byte offset of the next instruction in the binary.
    pub offset: Option<u32>,
    /// The next instruction.
    pub instruction: Option<String>,
    /// The call of a primitive that the next instruction makes.
    pub pending: Option<PendingCall>,
    /// The actor that runs, or ran last, in a program of several, and what it handles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<RunningActor>,
    /// Who can have the next turn, if the last one is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_turns: Vec<NextTurn>,
    /// What has violated a property on coming here, if something has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violated: Option<Box<PropertyEvent>>,
    /// How the program ended, if it has.
    pub ended: Option<OutcomeView>,
    /// The device that the program runs on, if it does not run here.
    pub device: Option<DeviceView>,
}

/// A call of a primitive that is about to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingCall {
    /// The call, such as `chip_analog_read(12)`.
    pub call: String,
    /// `input`, `output`, `irreversible` or `abort`.
    pub kind: String,
    /// What an input can return here.
    pub domain: Option<String>,
    /// What the input returns when one goes on, if that is known: by a mock, or as recorded.
    pub returns: Option<String>,
    /// Whether nobody knows what the input returns: one has to say.
    pub asks: bool,
}

impl Debugger {
    pub(crate) fn position(&self) -> Position {
        let session = &self.session;
        let (here, machine) = (session.here(), session.machine());
        let is_idle = machine.status() == Status::Idle;
        let pc = (!is_idle).then(|| machine.pc());
        let offset = pc.and_then(|pc| session.module().offset_of(pc));
        let function = pc.and_then(|pc| session.module().func_at(pc));
        let ended = session.multiverse().ended(here.node).filter(|(count, _)| *count == here.count);
        let is_over = is_idle || matches!(machine.status(), Status::Trapped(_));
        let is_over = is_over && session.turn_options().is_empty();
        let ended = match ended {
            Some((count, outcome)) => Some(self.outcome_view(*count, outcome)),
            None if is_idle && is_over => {
                Some(self.outcome_view(here.count, &outcome_of(session.now().rest())))
            }
            None => None,
        };
        let named_here = session.bookmarks().iter().filter(|(_, place)| *place == here);
        Position {
            place: self.place_view(here),
            choices: session.multiverse().depth(here.node),
            in_the_past: session.is_in_the_past(),
            altered: session.multiverse().is_altered(here.node),
            bookmarks: named_here.map(|(name, _)| name.to_owned()).collect(),
            function: function.map(|func| session.module().func_name(func)),
            source: offset.and_then(|offset| self.source_line(offset)),
            own: self.running().program().own_line(machine),
            depth: machine.call_depth() as u64,
            offset,
            instruction: offset.map(|offset| self.running().instruction_text(offset)),
            pending: if is_over { None } else { self.pending_call() },
            actor: self.running_actor(),
            next_turns: self.next_turns(),
            violated: self.violation().map(Box::new),
            ended,
            device: self.device(),
        }
    }

    fn pending_call(&self) -> Option<PendingCall> {
        let (import, args) = self.session.machine().import_call()?;
        let call = Call { import, args: &args };
        let world = self.session.world();
        let kind = match world.kind(import).ok()? {
            Kind::Input => "input",
            Kind::Output { irreversible: false } => "output",
            Kind::Output { irreversible: true } => "irreversible",
            Kind::Abort => "abort",
        };
        let domain = (kind == "input").then(|| world.domain(call).ok()).flatten();
        let known = (kind == "input").then(|| self.known_answer(call)).flatten();
        let asks =
            kind == "input" && known.is_none() && matches!(world.sample(call), Ok(Sample::Ask));
        Some(PendingCall {
            call: world.show(call),
            kind: kind.into(),
            returns: known.map(|answer| self.answer_text(import, &answer)),
            domain: domain.map(|domain| domain.to_string()),
            asks,
        })
    }

    /// What an input returns when one goes on, if a mock says so or it is recorded.
    fn known_answer(&self, call: Call<'_>) -> Option<Answer> {
        self.session.mocks().answer_for(self.session.world(), call).or_else(|| {
            let here = self.session.here();
            let step = self.session.multiverse().preferred(here.node)?;
            let is_input = matches!(step.choice.site, Site::Input { .. });
            let is_this = step.choice.count == here.count && is_input;
            is_this.then(|| step.choice.answer(self.input_type(call.import)))
        })
    }
}

impl Looked<'_> {
    pub(crate) fn instruction_text(self, offset: u32) -> String {
        let text = self.listing().instruction(offset).unwrap_or_default();
        // The end of a function's body is an instruction, but the text format does not show it.
        if text.is_empty() {
            return "end".into();
        }
        // The text format calls imports by their number; people do not.
        let callee = text.split_once("call ").and_then(|(start, callee)| {
            let func = callee.trim().parse::<u32>().ok()?;
            Some(format!("{start}call ${}", self.module().func_name(func)))
        });
        callee.unwrap_or_else(|| text.to_owned())
    }
}
