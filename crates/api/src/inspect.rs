//! Looking at where the session stands.

use std::collections::BTreeSet;

use mw_session::{Outcome, Site};
use mw_vm::{Cell, Status};
use mw_world::{Answer, Call, Kind, Sample};

use crate::debugger::Debugger;
use crate::reply::{Frame, Info, Names, PendingCall, Position, Variable};

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
        let ended = match ended {
            Some((count, outcome)) => Some(self.outcome_view(*count, outcome)),
            None if is_idle && is_over => Some(self.outcome_view(here.count, &Outcome::Finished)),
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
            depth: machine.call_depth() as u64,
            offset,
            instruction: offset.map(|offset| self.instruction_text(offset)),
            pending: if is_over { None } else { self.pending_call() },
            ended,
            device: self.device(),
        }
    }

    pub(crate) fn instruction_text(&self, offset: u32) -> String {
        let text = self.listing().instruction(offset).unwrap_or_default();
        // The end of a function's body is an instruction, but the text format does not show it.
        if text.is_empty() {
            return "end".into();
        }
        // The text format calls imports by their number; people do not.
        let callee = text.split_once("call ").and_then(|(start, callee)| {
            let func = callee.trim().parse::<u32>().ok()?;
            Some(format!("{start}call ${}", self.session.module().func_name(func)))
        });
        callee.unwrap_or_else(|| text.to_owned())
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
        self.session.mocks().answer_for(call).or_else(|| {
            let here = self.session.here();
            let step = self.session.multiverse().preferred(here.node)?;
            let is_input = matches!(step.choice.site, Site::Input { .. });
            let is_this = step.choice.count == here.count && is_input;
            is_this.then(|| step.choice.answer(self.input_type(call.import)))
        })
    }

    pub(crate) fn frames(&self) -> Vec<Frame> {
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
        self.session.frames().into_iter().enumerate().map(frame).collect()
    }

    pub(crate) fn globals(&self) -> Vec<Variable> {
        let globals = self.session.globals().into_iter().enumerate();
        let variable = |(index, global): (usize, mw_session::VariableView)| Variable {
            term: Cell::Global(index as u32).to_string(),
            name: self.global_name(index as u32),
            value: global.value.into(),
        };
        globals.map(variable).collect()
    }

    pub(crate) fn info(&self) -> Info {
        let session = &self.session;
        let description = session.world().description();
        let own = session.module().funcs().iter().filter(|func| func.import.is_none());
        Info {
            name: self.name.clone(),
            program: format!("{:032x}", session.module().fingerprint()),
            world: description.name().to_owned(),
            world_fingerprint: format!("{:032x}", description.fingerprint()),
            has_board: session.world().state().board().is_some(),
            has_sources: self.sources.is_some(),
            functions: own.count() as u64,
            primitives: session.world().imports().count() as u64,
            source_files: self.sources.as_ref().map_or(0, |sources| sources.files().count() as u64),
            nodes: session.multiverse().len() as u64,
            choice_bytes: session.multiverse().bytes_held() as u64,
            checkpoints: session.checkpoints().len() as u64,
            checkpoint_bytes: session.checkpoints().bytes_held() as u64,
            checkpoint_budget: session.options().checkpoint_memory as u64,
            dry: session.options().dry,
        }
    }

    pub(crate) fn names(&self) -> Names {
        let session = &self.session;
        let module = session.module();
        let own = (0..module.funcs().len() as u32)
            .filter(|index| module.funcs()[*index as usize].import.is_none());
        let primitives: Vec<(bool, String)> = (0..)
            .zip(session.world().imports())
            .map(|(import, (primitive, _))| {
                let is_input = matches!(session.world().kind(import), Ok(Kind::Input));
                (is_input, primitive.full_name())
            })
            .collect();
        let of_kind = |wanted: bool| {
            let chosen = primitives.iter().filter(|(is_input, _)| *is_input == wanted);
            chosen.map(|(_, name)| name.clone()).collect()
        };
        let globals = (0..module.globals().len() as u32).filter_map(|i| self.global_name(i));
        let func = session.machine().call_stack().first().map(|frame| frame.func);
        let locals = func.into_iter().flat_map(|func| self.listing().locals().in_function(func));
        let variables: BTreeSet<String> = globals
            .chain(locals.map(|(_, name)| name.to_owned()))
            .chain(self.source_names())
            .collect();
        Names {
            functions: own.map(|index| module.func_name(index)).collect(),
            inputs: of_kind(true),
            outputs: of_kind(false),
            variables: variables.into_iter().collect(),
            bookmarks: session.bookmarks().iter().map(|(name, _)| name.to_owned()).collect(),
            solvers: self.solvers.clone(),
        }
    }
}
