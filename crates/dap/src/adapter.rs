//! The adapter: a request comes in, a response and events go out.
//!
//! A response comes before the movement that the request asks for, and the event about where that
//! ended after it, as the protocol wants it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use mw_api::request::Where;
use mw_api::{Ask, DeviceView, Direction, Event, Subscription, Unit};
use serde_json::{Value, json};

use crate::host::{Console, Host};
use crate::inspect::Handle;
use crate::interrupt::Interrupt;
use crate::movement::Movement;
use crate::protocol::{Client, Refusal, Request};
use crate::report::Reporter;

/// Answers requests. See the [crate].
pub struct Adapter {
    host: Box<dyn Host>,
    interrupt: Interrupt,
    /// Called when something has happened that the client did not ask for.
    tell: Tell,
    /// Before the console, which it listens to.
    subscription: Option<Subscription>,
    console: Option<Box<dyn Console>>,
    seq: i64,
    /// Whether the client has said who it is.
    pub(crate) is_initialized: bool,
    /// Where relative paths of sources begin.
    pub(crate) folder: PathBuf,
    /// What the client counts lines and columns from.
    pub(crate) first_line: i64,
    pub(crate) first_column: i64,
    pub(crate) shows_progress: bool,
    /// Whether the client wants to know that what it shows is no longer so.
    pub(crate) takes_invalidations: bool,
    pub(crate) stops_on_entry: bool,
    pub(crate) stays_at_end: bool,
    /// Whether a trap is worth an exception.
    pub(crate) stops_at_traps: bool,
    /// Breakpoints by the kind, or the file, that they were set for.
    pub(crate) breakpoints: BTreeMap<String, Vec<u32>>,
    /// What variables references stand for, as long as nothing moves.
    pub(crate) handles: Vec<Handle>,
    /// The device, as the client was last told of it.
    pub(crate) device: Option<DeviceView>,
    /// The actors whose threads the client knows, once it has been told where one is.
    pub(crate) told_threads: Option<BTreeSet<u32>>,
}

/// Something that the client did not ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Another front end has moved the session.
    Moved,
    /// The link to the device is in another state.
    Device,
}

/// To be called with news, on another thread.
pub type Tell = Arc<dyn Fn(News) + Send + Sync>;

/// The answer to a request.
pub(crate) struct Answer {
    pub body: Value,
    /// What to do once it has been given.
    pub then: Then,
}

pub(crate) enum Then {
    Nothing,
    Tell(Vec<(&'static str, Value)>),
    Move(Movement),
    Leave,
}

impl From<Value> for Answer {
    fn from(body: Value) -> Self {
        Answer { body, then: Then::Nothing }
    }
}

type Answered = Result<Answer, Refusal>;

impl Adapter {
    /// An adapter that has not been asked for anything yet.
    pub fn new(host: Box<dyn Host>, interrupt: Interrupt, tell: Tell) -> Adapter {
        Adapter {
            host,
            interrupt,
            tell,
            subscription: None,
            console: None,
            seq: 0,
            is_initialized: false,
            folder: PathBuf::new(),
            first_line: 1,
            first_column: 1,
            shows_progress: false,
            takes_invalidations: false,
            stops_on_entry: false,
            stays_at_end: true,
            stops_at_traps: true,
            breakpoints: BTreeMap::new(),
            handles: Vec::new(),
            device: None,
            told_threads: None,
        }
    }

    /// Serves a message; says whether more can come.
    pub fn handle(&mut self, message: Value, client: &mut dyn Client) -> bool {
        let (seq, command) = (message["seq"].clone(), message["command"].clone());
        let answered = match serde_json::from_value::<Request>(message) {
            Ok(request) => self.answer(&request, client),
            Err(error) => Err(Refusal(format!("this is no request: {error}"))),
        };
        let (success, body, then, problem) = match answered {
            Ok(answer) => (true, answer.body, answer.then, None),
            Err(Refusal(problem)) => {
                let error = json!({ "id": 1, "format": "{problem}", "showUser": true,
                    "variables": { "problem": problem } });
                (false, json!({ "error": error }), Then::Nothing, Some(problem))
            }
        };
        self.respond(seq, command, success, body, problem, client);
        match then {
            Then::Nothing => {}
            Then::Tell(events) => {
                for (name, body) in events {
                    self.reporter(client).event(name, body);
                }
            }
            Then::Move(movement) => self.make(movement, client),
            Then::Leave => return false,
        }
        true
    }

    /// Says that a request was cancelled before it was served.
    pub(crate) fn decline(&mut self, message: &Value, client: &mut dyn Client) {
        let (seq, command) = (message["seq"].clone(), message["command"].clone());
        self.respond(seq, command, false, json!({}), Some("cancelled".into()), client);
    }

    fn respond(
        &mut self,
        request: Value,
        command: Value,
        success: bool,
        body: Value,
        problem: Option<String>,
        client: &mut dyn Client,
    ) {
        self.seq += 1;
        let mut response = json!({ "seq": self.seq, "type": "response", "request_seq": request,
            "command": command, "success": success, "body": body });
        if let Some(problem) = problem {
            response["message"] = problem.into();
        }
        client.send(response);
    }

    fn answer(&mut self, request: &Request, client: &mut dyn Client) -> Answered {
        use Direction::{Back, Forward};
        if !self.is_initialized && request.command != "initialize" {
            return Err("the first request is `initialize`".into());
        }
        match request.command.as_str() {
            "initialize" => self.initialize(request),
            "launch" | "attach" => self.launch(request, client),
            "configurationDone" => self.configuration_done(),
            "disconnect" => Ok(Answer { body: json!({}), then: Then::Leave }),
            "terminate" => self.told("terminated"),
            "restart" => self.restart(),
            "cancel" | "pause" => Ok(json!({}).into()),
            "setBreakpoints" => self.set_breakpoints(request, client),
            "setFunctionBreakpoints" => self.set_others(request, "function", client),
            "setInstructionBreakpoints" => self.set_others(request, "instruction", client),
            "setDataBreakpoints" => self.set_others(request, "data", client),
            "dataBreakpointInfo" => self.data_breakpoint_info(request, client),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(request),
            "breakpointLocations" => self.breakpoint_locations(request, client),
            "threads" => self.threads(client),
            "stackTrace" => self.stack_trace(request, client),
            "scopes" => self.scopes(request, client),
            "variables" => self.variables(request, client),
            "setVariable" => self.set_variable(request, client),
            "evaluate" => self.evaluate(request, client),
            "completions" => self.completions(request, client),
            "continue" => self.run(Forward, client),
            "reverseContinue" => self.run(Back, client),
            "next" => self.step(request, [Unit::Over, Unit::LineOver], Forward),
            "stepIn" => self.step(request, [Unit::Instruction, Unit::Line], Forward),
            "stepOut" => self.step(request, [Unit::Out, Unit::LineOut], Forward),
            "stepBack" => self.step(request, [Unit::Over, Unit::LineOver], Back),
            "mw/stepInBack" => self.step(request, [Unit::Instruction, Unit::Line], Back),
            "mw/stepOutBack" => self.step(request, [Unit::Out, Unit::LineOut], Back),
            "gotoTargets" => self.goto_targets(request, client),
            "goto" => self.goto(request, client),
            "restartFrame" => self.restart_frame(request, client),
            "exceptionInfo" => self.exception_info(client),
            "setExpression" => self.set_expression(request, client),
            "readMemory" => self.read_memory(request, client),
            "writeMemory" => self.write_memory(request, client),
            "disassemble" => self.disassemble(request, client),
            "source" => self.source(request, client),
            "loadedSources" => self.loaded_sources(client),
            "mw/mock" => self.mock(request, client),
            "mw/slide" => self.slide(request),
            "mw/suggest" => self.suggest(request, client),
            "mw/tree" => self.tree(client),
            "mw/actors" => self.actors(client),
            "mw/nextTurn" => self.step_turn(request, Forward),
            "mw/previousTurn" => self.step_turn(request, Back),
            "mw/giveTurn" => self.give_turn(request),
            "mw/stepMessage" => self.step_message(request),
            "mw/pauseActor" => self.pause_actor(request, true, client),
            "mw/resumeActor" => self.pause_actor(request, false, client),
            "mw/request" => self.any_request(request, client),
            command => Err(Refusal(format!("there is no request {command}"))),
        }
    }

    /// Opens a session.
    pub(crate) fn open(&mut self, launch: &crate::host::Launch) -> Result<(), Refusal> {
        // Whoever opens the same session again must find it closed.
        self.console = None;
        self.subscription = None;
        let console = self.console.insert(self.host.open(launch, self.interrupt.clone())?);
        let debugger = console.debugger();
        let (own, tell) = (debugger.name().to_owned(), self.tell.clone());
        let mut last = None;
        self.device = None;
        self.told_threads = None;
        self.subscription = Some(debugger.subscribe(move |event| match event {
            Event::Changed(changed) => {
                let place = Some(changed.position.place.clone());
                let is_elsewhere = std::mem::replace(&mut last, place.clone()) != place;
                if is_elsewhere && changed.by != own {
                    tell(News::Moved);
                }
            }
            Event::Link(_) => tell(News::Device),
            _ => {}
        }));
        Ok(())
    }

    /// Passes on what the client did not ask for.
    pub(crate) fn tell(&mut self, news: News, client: &mut dyn Client) {
        match news {
            News::Moved => self.make(Movement::here("goto"), client),
            News::Device => {
                // Whoever is gone needs no news.
                if let Ok(Some(device)) = self.news_of_device(client) {
                    self.reporter(client).event("mw/device", device);
                }
            }
        }
    }

    /// The device, if the client has not been told that it is as it is.
    pub(crate) fn news_of_device(
        &mut self,
        client: &mut dyn Client,
    ) -> Result<Option<Value>, Refusal> {
        let here = self.ask(Where {}, client)?;
        if here.device == self.device {
            return Ok(None);
        }
        self.device = here.device;
        Ok(self.device.as_ref().map(|device| json!(device)))
    }

    /// The session that has been opened.
    pub(crate) fn console(&mut self) -> Result<&mut dyn Console, Refusal> {
        match &mut self.console {
            Some(console) => Ok(&mut **console),
            None => Err("no program has been launched yet".into()),
        }
    }

    /// Asks the debugger.
    pub(crate) fn ask<A: Ask<Reply: Send> + Send + 'static>(
        &mut self,
        ask: A,
        client: &mut dyn Client,
    ) -> Result<A::Reply, Refusal> {
        let progress = self.shows_progress.then_some(None);
        let Some(console) = &mut self.console else {
            return Err("no program has been launched yet".into());
        };
        let said = Instant::now();
        let (seq, device) = (&mut self.seq, &mut self.device);
        let mut reporter = Reporter { client, seq, progress, said, device };
        let reply = console.debugger().ask(ask, &mut reporter);
        reporter.end();
        Ok(reply?)
    }

    pub(crate) fn reporter<'a>(&'a mut self, client: &'a mut dyn Client) -> Reporter<'a> {
        let (seq, device) = (&mut self.seq, &mut self.device);
        Reporter { client, seq, progress: None, said: Instant::now(), device }
    }
}
