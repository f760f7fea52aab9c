//! Breakpoints of all kinds. The protocol sets all of a kind, or of a file, at once.

use mw_api::request::{AddBreakpoint, Evaluate, Print, RemoveBreakpoint, SourceVariables};
use mw_api::{BreakpointView, Printed, ScopeRef, TriggerRef, TriggerSpec};
use serde_json::{Value, json};

use crate::actors::FrameRef;
use crate::adapter::{Adapter, Answer};
use crate::inspect::Handle;
use crate::protocol::{
    Client, Named, OtherBreakpoint, Refusal, Request, SetBreakpoints, SetOthers, SourceBreakpoint,
    address,
};

/// When a breakpoint stops the program: its condition, its hits, what it logs instead.
type When = [Option<String>; 3];

impl Adapter {
    pub(crate) fn set_breakpoints(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: SetBreakpoints = request.arguments()?;
        let file = match self.find_source(&given.source, client) {
            Ok((_, file)) => file,
            // Editors set breakpoints in all files; those of other programs are no mistake.
            Err(Refusal(problem)) => {
                self.console()?;
                let unknown = json!({ "verified": false, "message": problem });
                let all = vec![unknown; given.breakpoints.len()];
                return Ok(json!({ "breakpoints": all }).into());
            }
        };
        self.forget(&file.path, client)?;
        let mut shown = Vec::new();
        for breakpoint in given.breakpoints {
            let SourceBreakpoint { condition, hit_condition, log_message, line } = breakpoint;
            let line = self.line_from(line);
            let trigger = TriggerSpec::Line { file: file.path.clone(), line };
            let when = [condition, hit_condition, log_message];
            let set = self.set(&file.path, TriggerRef::Parts(trigger), when, client);
            shown.push(self.shown(set));
        }
        Ok(json!({ "breakpoints": shown }).into())
    }

    /// Breakpoints on functions and primitives, instructions, or data.
    pub(crate) fn set_others(
        &mut self,
        request: &Request,
        kind: &str,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: SetOthers = request.arguments()?;
        self.forget(kind, client)?;
        let mut shown = Vec::new();
        for breakpoint in given.breakpoints {
            let trigger = trigger_of(&breakpoint);
            let when = [breakpoint.condition, breakpoint.hit_condition, None];
            let set = trigger.and_then(|trigger| self.set(kind, trigger, when, client));
            shown.push(self.shown(set));
        }
        Ok(json!({ "breakpoints": shown }).into())
    }

    /// Removes the breakpoints that were set for a kind or a file.
    fn forget(&mut self, key: &str, client: &mut dyn Client) -> Result<(), Refusal> {
        for id in self.breakpoints.remove(key).unwrap_or_default() {
            // Somebody may have removed it in the console.
            let _ = self.ask(RemoveBreakpoint { id: Some(id.into()) }, client);
        }
        self.console().map(|_| ())
    }

    fn set(
        &mut self,
        key: &str,
        trigger: TriggerRef,
        [condition, hits, log]: When,
        client: &mut dyn Client,
    ) -> Result<BreakpointView, Refusal> {
        let add = AddBreakpoint { trigger, condition, hits, log, temporary: false };
        let view = self.ask(add, client)?;
        self.breakpoints.entry(key.to_owned()).or_default().push(view.id);
        Ok(view)
    }

    /// Why a breakpoint stops the program, by the protocol's words.
    pub(crate) fn kind_of(&self, id: u32) -> &'static str {
        let is_of = |kind: &str| self.breakpoints.get(kind).is_some_and(|ids| ids.contains(&id));
        let kinds = [
            ("function", "function breakpoint"),
            ("instruction", "instruction breakpoint"),
            ("data", "data breakpoint"),
        ];
        kinds.into_iter().find(|(kind, _)| is_of(kind)).map_or("breakpoint", |(_, word)| word)
    }

    fn shown(&self, set: Result<BreakpointView, Refusal>) -> Value {
        match set {
            Ok(view) => {
                let mut shown = json!({ "id": view.id, "verified": true });
                if let Some(at) = view.source {
                    shown["line"] = self.line_to(at.line).into();
                }
                if let Some(offset) = view.offset {
                    shown["instructionReference"] = format!("{offset:#x}").into();
                }
                shown
            }
            Err(Refusal(problem)) => json!({ "verified": false, "message": problem }),
        }
    }

    pub(crate) fn data_breakpoint_info(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Named = request.arguments()?;
        let bytes = request.arguments["bytes"].as_u64();
        let no = |why: String| json!({ "dataId": Value::Null, "description": why });
        let yes = |id: String| json!({ "description": id, "dataId": id, "accessTypes": ["write"], "canPersist": false });
        if request.arguments["asAddress"].as_bool() == Some(true) {
            let first = u64::try_from(address(&given.name)?).ok();
            let last = first.and_then(|first| first.checked_add(bytes.unwrap_or(4)));
            let Some((first, last)) = first.zip(last) else {
                return Ok(no(format!("{} is no address", given.name)).into());
            };
            return Ok(yes(format!("watch {first}..{last}")).into());
        }
        let handle = given.variables_reference.checked_sub(1);
        let handle = handle.and_then(|index| self.handles.get(index)).cloned();
        if let Some(Handle::Source { actor, of, path }) = handle {
            let actor = actor.map(|actor| actor.to_string());
            let variables = self.ask(SourceVariables { of: of.clone(), path, actor }, client)?;
            let found = variables.into_iter().find(|variable| variable.name == given.name);
            let Some(found) = found else {
                return Ok(no(format!("there is no {} here", given.name)).into());
            };
            if let Some((first, size)) = found.address.zip(found.size) {
                return Ok(yes(format!("watch {first}..{}", first.saturating_add(size))).into());
            }
            if !matches!(of, ScopeRef::Frame(_) | ScopeRef::Globals) {
                return Ok(no(format!("{} is not in memory", given.name)).into());
            }
        }
        let name = given.name.trim();
        let of = FrameRef::from_number(request.arguments["frameId"].as_u64().unwrap_or(0))?;
        let value = Evaluate { expression: name.into(), frame: of.to_ask(), actor: of.actor() };
        if let Ok(found) = self.ask(value, client)
            && let Some((first, size)) = found.address.zip(found.size)
        {
            return Ok(yes(format!("watch {first}..{}", first.saturating_add(size))).into());
        }
        // The machine's own variables have names too.
        match self.ask(Print { actor: of.actor(), ..Print::new(name) }, client) {
            Ok(Printed::Machine(variable)) => Ok(yes(format!("watch {}", variable.term)).into()),
            Ok(Printed::Source(_)) => Ok(no(format!("{name} cannot be watched")).into()),
            Err(Refusal(problem)) => Ok(no(problem).into()),
        }
    }

    pub(crate) fn set_exception_breakpoints(
        &mut self,
        request: &Request,
    ) -> Result<Answer, Refusal> {
        let names = |key: &str| {
            let list = request.arguments[key].as_array().cloned().unwrap_or_default();
            let name = |item: Value| match item {
                Value::String(name) => Some(name),
                item => item["filterId"].as_str().map(str::to_owned),
            };
            list.into_iter().filter_map(name).collect::<Vec<_>>()
        };
        let all = [names("filters"), names("filterOptions")].concat();
        self.stops_at_traps = all.iter().any(|name| name == "trap");
        Ok(json!({}).into())
    }
}

fn trigger_of(breakpoint: &OtherBreakpoint) -> Result<TriggerRef, Refusal> {
    if let Some(reference) = &breakpoint.instruction_reference {
        let offset = address(reference)?.checked_add(breakpoint.offset);
        let offset = offset.and_then(|offset| u32::try_from(offset).ok());
        let offset = offset.ok_or("there is no such instruction")?;
        return Ok(TriggerRef::Parts(TriggerSpec::Offset(offset)));
    }
    let text = breakpoint.name.as_deref().or(breakpoint.data_id.as_deref());
    text.map(Into::into).ok_or_else(|| "the breakpoint does not say where".into())
}
