//! Looking: threads, frames, scopes, variables.

use mw_api::request::{Alter, Frames, SetVariable, SourceFrames, SourceVariables, Where};
use mw_api::{ScopeRef, SourceVariable};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer};
use crate::movement::describe;
use crate::multiverse::Part;
use crate::protocol::{Client, Named, Refusal, Request, SetExpression, Variables};

/// What a variables reference stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Handle {
    /// Variables of the source.
    Source { of: ScopeRef, path: Vec<usize> },
    /// The machine's own parameters and locals, of a frame of the source.
    Machine(usize),
    /// Where one is in the multiverse.
    Multiverse(Part),
}

impl Adapter {
    pub(crate) fn threads(&mut self, client: &mut dyn Client) -> Result<Answer, Refusal> {
        let name = describe(&self.ask(Where {}, client)?);
        Ok(json!({ "threads": [{ "id": 1, "name": name }] }).into())
    }

    pub(crate) fn stack_trace(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let start = request.arguments["startFrame"].as_u64().unwrap_or(0) as usize;
        let levels = request.arguments["levels"].as_u64().filter(|levels| *levels > 0);
        let frames = self.ask(SourceFrames {}, client)?;
        let files = self.files(client)?;
        let total = frames.len();
        let mut shown = Vec::new();
        let levels = levels.map_or(usize::MAX, |levels| levels as usize);
        for (id, frame) in frames.into_iter().enumerate().skip(start).take(levels) {
            let inlined = if frame.inlined { " (inlined)" } else { "" };
            let column = i64::from(frame.column) - 1 + self.first_column;
            let mut view = json!({
                "id": id, "name": format!("{}{inlined}", frame.function),
                "line": 0, "column": 0,
            });
            if let Some(file) = &frame.file {
                view["source"] = json!(self.source_of(&files, file));
                view["line"] = self.line_to(frame.line).into();
                view["column"] = column.into();
            } else {
                view["presentationHint"] = "subtle".into();
            }
            if let Some(offset) = frame.offset {
                view["instructionPointerReference"] = format!("{offset:#x}").into();
            }
            shown.push(view);
        }
        Ok(json!({ "stackFrames": shown, "totalFrames": total }).into())
    }

    pub(crate) fn scopes(&mut self, request: &Request) -> Result<Answer, Refusal> {
        let frame = request.arguments["frameId"].as_u64();
        let frame = frame.ok_or("scopes needs a frameId")? as usize;
        let source = |of| Handle::Source { of, path: Vec::new() };
        let scopes = [
            ("Locals", source(ScopeRef::Frame(frame)), "locals"),
            ("Globals", source(ScopeRef::Globals), "globals"),
            ("Machine", Handle::Machine(frame), "registers"),
            ("Multiverse", Handle::Multiverse(Part::Here), "multiverse"),
        ];
        let scopes = scopes.map(|(name, handle, hint)| {
            let reference = self.reference(handle);
            json!({ "name": name, "presentationHint": hint, "variablesReference": reference,
                "expensive": false })
        });
        Ok(json!({ "scopes": scopes }).into())
    }

    /// A number that stands for something until one moves.
    pub(crate) fn reference(&mut self, handle: Handle) -> usize {
        let known = self.handles.iter().position(|other| *other == handle);
        known.map_or_else(
            || {
                self.handles.push(handle);
                self.handles.len()
            },
            |known| known + 1,
        )
    }

    fn handle_of(&self, reference: usize) -> Result<Handle, Refusal> {
        let handle = reference.checked_sub(1).and_then(|index| self.handles.get(index));
        handle.cloned().ok_or_else(|| "these variables are no longer there".into())
    }

    pub(crate) fn variables(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Variables = request.arguments()?;
        let all = match self.handle_of(given.variables_reference)? {
            Handle::Source { of, path } => {
                let asked = SourceVariables { of: of.clone(), path: path.clone() };
                let variables = self.ask(asked, client)?;
                let shown = |(index, variable): (usize, SourceVariable)| {
                    let path = path.iter().copied().chain([index]).collect();
                    let child = Handle::Source { of: of.clone(), path };
                    self.variable(&variable, child)
                };
                variables.into_iter().enumerate().map(shown).collect()
            }
            Handle::Machine(frame) => self.machine_variables(frame, client)?,
            Handle::Multiverse(part) => self.multiverse_variables(part, client)?,
        };
        let count = if given.count == 0 { usize::MAX } else { given.count };
        let part: Vec<Value> = all.into_iter().skip(given.start).take(count).collect();
        Ok(json!({ "variables": part }).into())
    }

    pub(crate) fn variable(&mut self, variable: &SourceVariable, handle: Handle) -> Value {
        let reference = if variable.has_children { self.reference(handle) } else { 0 };
        let mut view = json!({ "name": variable.name, "value": variable.value,
            "type": variable.ty, "variablesReference": reference });
        if let Some(address) = variable.address {
            view["memoryReference"] = format!("{address:#x}").into();
        }
        view
    }

    fn machine_variables(
        &mut self,
        frame: usize,
        client: &mut dyn Client,
    ) -> Result<Vec<Value>, Refusal> {
        let depth = self.ask(SourceFrames {}, client)?.get(frame).map(|frame| frame.depth);
        let frames = self.ask(Frames {}, client)?;
        let found = depth.and_then(|depth| frames.into_iter().nth(depth));
        let locals = found.map(|frame| frame.locals).unwrap_or_default();
        let shown = |local: mw_api::Variable| {
            json!({ "name": local.term, "value": local.value.text, "type": local.value.ty,
                "variablesReference": 0 })
        };
        Ok(locals.into_iter().map(shown).collect())
    }

    pub(crate) fn set_variable(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let Named { variables_reference, name, value } = request.arguments()?;
        match self.handle_of(variables_reference)? {
            Handle::Source { of, path } => {
                let set = self.ask(SetVariable { of, path, name, value }, client)?;
                Ok(json!({ "value": set.value, "type": set.ty }).into())
            }
            Handle::Machine(_) => self.alter(name, value, client),
            Handle::Multiverse(_) => Err("the multiverse is not set by hand; slide".into()),
        }
    }

    pub(crate) fn set_expression(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let SetExpression { expression: target, value } = request.arguments()?;
        self.alter(target, value, client)
    }

    fn alter(
        &mut self,
        target: String,
        value: String,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let set = self.ask(Alter { target, value }, client)?;
        Ok(json!({ "value": set.value.text }).into())
    }
}
