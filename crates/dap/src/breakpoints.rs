//! Breakpoints of all kinds. The protocol sets all of a kind, or of a file, at once.

use mw_api::{BreakpointView, Reply, Request as Ask, ScopeRef, TriggerRef, TriggerSpec};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer};
use crate::inspect::Handle;
use crate::protocol::{
    Client, Named, OtherBreakpoint, Refusal, Request, SetBreakpoints, SetOthers, SourceBreakpoint,
    address,
};

/// When a breakpoint stops the program.
#[derive(Default)]
struct When<'a> {
    condition: Option<&'a str>,
    hits: Option<&'a str>,
    log: Option<&'a str>,
}

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
        for breakpoint in &given.breakpoints {
            let SourceBreakpoint { condition, hit_condition, log_message, line } = breakpoint;
            let when = When {
                condition: condition.as_deref(),
                hits: hit_condition.as_deref(),
                log: log_message.as_deref(),
            };
            let line = self.line_from(*line);
            let trigger = TriggerSpec::Line { file: file.path.clone(), line };
            let set = self.set(&file.path, TriggerRef::Parts(trigger), &when, client);
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
        for breakpoint in &given.breakpoints {
            let OtherBreakpoint { condition, hit_condition, .. } = breakpoint;
            let when =
                When { condition: condition.as_deref(), hits: hit_condition.as_deref(), log: None };
            let set =
                trigger_of(breakpoint).and_then(|trigger| self.set(kind, trigger, &when, client));
            shown.push(self.shown(set));
        }
        Ok(json!({ "breakpoints": shown }).into())
    }

    /// Removes the breakpoints that were set for a kind or a file.
    fn forget(&mut self, key: &str, client: &mut dyn Client) -> Result<(), Refusal> {
        for id in self.breakpoints.remove(key).unwrap_or_default() {
            // Somebody may have removed it in the console.
            let _ = self.ask(Ask::RemoveBreakpoint { id: Some(id) }, client);
        }
        self.console().map(|_| ())
    }

    fn set(
        &mut self,
        key: &str,
        trigger: TriggerRef,
        when: &When<'_>,
        client: &mut dyn Client,
    ) -> Result<BreakpointView, Refusal> {
        let ignore = match when.hits.map(str::trim) {
            None | Some("") => 0,
            Some(text) => {
                let number = text.trim_start_matches(['>', '=', ' ']).parse::<u64>();
                let number = number.map_err(|_| {
                    Refusal(format!("`{text}` is no number of hits; write one like 3"))
                })?;
                number.saturating_sub(1)
            }
        };
        let add = Ask::AddBreakpoint { trigger, condition: None, temporary: false };
        let Reply::Breakpoint(view) = self.ask(add, client)? else {
            return Err("the breakpoint was not set".into());
        };
        self.breakpoints.entry(key.to_owned()).or_default().push(view.id);
        let text = |text: Option<&str>| text.map(str::to_owned).filter(|text| !text.is_empty());
        let (expression, log) = (text(when.condition), text(when.log));
        if expression.is_some() || ignore > 0 || log.is_some() {
            self.ask(Ask::RefineBreakpoint { id: view.id, expression, ignore, log }, client)?;
        }
        Ok(view)
    }

    fn shown(&self, set: Result<BreakpointView, Refusal>) -> Value {
        match set {
            Ok(view) => {
                let mut shown = json!({ "id": view.id, "verified": true });
                let line = view.trigger.rsplit_once(':').and_then(|(_, line)| line.parse().ok());
                if let Some(line) = line {
                    shown["line"] = self.line_to(line).into();
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
            let first = address(&given.name)?;
            let last = first + bytes.unwrap_or(4) as i64;
            return Ok(yes(format!("watch {first}..{last}")).into());
        }
        let handle = given.variables_reference.checked_sub(1);
        let handle = handle.and_then(|index| self.handles.get(index)).cloned();
        if let Some(Handle::Source { of, path }) = handle {
            let variables = Ask::SourceVariables { of: of.clone(), path };
            let Reply::SourceVariables(variables) = self.ask(variables, client)? else {
                return Ok(no("there is no such variable".into()).into());
            };
            let found = variables.into_iter().find(|variable| variable.name == given.name);
            let Some(found) = found else {
                return Ok(no(format!("there is no {} here", given.name)).into());
            };
            if let Some((first, size)) = found.address.zip(found.size) {
                return Ok(yes(format!("watch {first}..{}", first + size)).into());
            }
            if !matches!(of, ScopeRef::Frame(_) | ScopeRef::Globals) {
                return Ok(no(format!("{} is not in memory", given.name)).into());
            }
        }
        // The machine's own variables have names too.
        let name = given.name.trim();
        match self.ask(Ask::Print { term: name.into() }, client) {
            Ok(Reply::Variable(variable)) => Ok(yes(format!("watch {}", variable.term)).into()),
            Ok(_) => Ok(no(format!("{name} cannot be watched")).into()),
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
        let offset = address(reference)? + breakpoint.offset;
        let offset = u32::try_from(offset).map_err(|_| Refusal("no such instruction".into()))?;
        return Ok(TriggerRef::Parts(TriggerSpec::Offset(offset)));
    }
    let text = breakpoint.name.as_deref().or(breakpoint.data_id.as_deref());
    text.map(Into::into).ok_or_else(|| "the breakpoint says not where".into())
}
