//! How a session begins and ends.

use std::path::PathBuf;

use mw_api::Direction;
use mw_api::request::{Info, Reset};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer, Then};
use crate::host::Launch;
use crate::movement::{self, Movement};
use crate::protocol::{Client, Refusal, Request};

/// What the adapter can do, by the protocol's names.
const ABLE: [&str; 27] = [
    "supportsConfigurationDoneRequest",
    "supportsFunctionBreakpoints",
    "supportsConditionalBreakpoints",
    "supportsHitConditionalBreakpoints",
    "supportsEvaluateForHovers",
    "supportsStepBack",
    "supportsSetVariable",
    "supportsGotoTargetsRequest",
    "supportsCompletionsRequest",
    "supportsRestartRequest",
    "supportsExceptionInfoRequest",
    "supportsSetExpression",
    "supportsRestartFrame",
    "supportTerminateDebuggee",
    "supportsDelayedStackTraceLoading",
    "supportsLoadedSourcesRequest",
    "supportsLogPoints",
    "supportsTerminateRequest",
    "supportsDataBreakpoints",
    "supportsReadMemoryRequest",
    "supportsWriteMemoryRequest",
    "supportsDisassembleRequest",
    "supportsCancelRequest",
    "supportsBreakpointLocationsRequest",
    "supportsSteppingGranularity",
    "supportsInstructionBreakpoints",
    "supportsExceptionFilterOptions",
];

impl Adapter {
    pub(crate) fn initialize(&mut self, request: &Request) -> Result<Answer, Refusal> {
        self.is_initialized = true;
        let given = &request.arguments;
        let first = |from_one: &Value| i64::from(from_one.as_bool().unwrap_or(true));
        self.first_line = first(&given["linesStartAt1"]);
        self.first_column = first(&given["columnsStartAt1"]);
        self.shows_progress = given["supportsProgressReporting"].as_bool().unwrap_or(false);
        self.takes_invalidations = given["supportsInvalidatedEvent"].as_bool().unwrap_or(false);
        let mut able: serde_json::Map<String, Value> =
            ABLE.into_iter().map(|name| (name.to_owned(), true.into())).collect();
        let trap = json!({ "filter": "trap", "label": "Traps and aborts", "default": true });
        able.insert("exceptionBreakpointFilters".into(), json!([trap]));
        Ok(Value::Object(able).into())
    }

    pub(crate) fn launch(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let launch: Launch = request.arguments()?;
        let is_attach = request.command == "attach";
        if is_attach && launch.session.is_none() && launch.device.is_none() {
            return Err("name the file of the `session` to go on with, or a `device`".into());
        }
        if launch.device.is_none() && (launch.key.is_some() || launch.run_on.is_some()) {
            return Err("`key` and `runOn` are for a `device`; name one, or leave them out".into());
        }
        if launch.program.is_none() && launch.session.is_none() {
            return Err("name a `program` to debug, or the file of a `session`".into());
        }
        self.open(&launch)?;
        let program = PathBuf::from(self.ask(Info {}, client)?.name);
        let program = std::path::absolute(&program).unwrap_or(program);
        self.folder = program.parent().map(ToOwned::to_owned).unwrap_or_default();
        // A session that was kept is where it was left.
        self.stops_on_entry = launch.stop_on_entry || is_attach;
        self.stays_at_end = launch.stay_at_end.unwrap_or(true);
        let mut events = Vec::new();
        if let Some(url) = self.console()?.page() {
            events.push(("mw/page", json!({ "url": url })));
        }
        if let Some(device) = self.news_of_device(client)? {
            events.push(("mw/device", device));
        }
        events.push(("initialized", json!({})));
        Ok(Answer { body: json!({}), then: Then::Tell(events) })
    }

    pub(crate) fn configuration_done(&mut self) -> Result<Answer, Refusal> {
        self.console()?;
        let movement = match self.stops_on_entry {
            true => Movement::here("entry"),
            false => Movement::run(Direction::Forward),
        };
        Ok(Answer { body: json!({}), then: Then::Move(movement) })
    }

    pub(crate) fn restart(&mut self) -> Result<Answer, Refusal> {
        self.console()?;
        let movement = match self.stops_on_entry {
            true => Movement::to(Reset {}, "entry"),
            false => {
                let mut movement = Movement::run(Direction::Forward);
                movement.asks.insert(0, movement::plain(Reset {}));
                movement
            }
        };
        Ok(Answer { body: json!({}), then: Then::Move(movement) })
    }

    pub(crate) fn told(&mut self, event: &'static str) -> Result<Answer, Refusal> {
        Ok(Answer { body: json!({}), then: Then::Tell(vec![(event, json!({}))]) })
    }
}
