//! Looking: frames, scopes, variables.

use mw_api::request::{Alter, Frames, Properties, SetVariable, SourceFrames, SourceVariables};
use mw_api::{ScopeRef, SourceVariable};
use serde_json::{Value, json};

use crate::actors::{FrameRef, Thread};
use crate::adapter::{Adapter, Answer};
use crate::multiverse::Part;
use crate::properties::Known;
use crate::protocol::{Client, Named, Refusal, Request, SetExpression, Variables};

/// What a variables reference stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Handle {
    /// Variables of the source, of an actor or of whatever runs.
    Source { actor: Option<u32>, of: ScopeRef, path: Vec<usize> },
    /// The machine's own parameters and locals, of a frame of the source.
    Machine { actor: Option<u32>, frame: usize },
    /// Where one is in the multiverse.
    Multiverse(Part),
    /// What properties know.
    Properties(Known),
}

impl Adapter {
    pub(crate) fn stack_trace(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let start = request.arguments["startFrame"].as_u64().unwrap_or(0) as usize;
        let levels = request.arguments["levels"].as_u64().filter(|levels| *levels > 0);
        let thread = self.thread(request, client)?;
        let actor = thread.as_ref().map(|thread| thread.actor);
        let frames = self.ask(SourceFrames { actor: address(actor) }, client)?;
        let files = self.files(client)?;
        let total = frames.len();
        let mut shown = Vec::new();
        if let (Some(Thread { doing, .. }), 0) = (&thread, total) {
            // Something to choose, for whoever wants to see what it remembers.
            let id = FrameRef { actor, frame: None }.number();
            shown.push(json!({ "id": id, "name": doing, "line": 0, "column": 0,
                "presentationHint": "subtle" }));
            return Ok(json!({ "stackFrames": shown, "totalFrames": 1 }).into());
        }
        let levels = levels.map_or(usize::MAX, |levels| levels as usize);
        for (index, frame) in frames.into_iter().enumerate().skip(start).take(levels) {
            let id = FrameRef { actor, frame: Some(index) }.number();
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
            // An offset says nothing of which program it is in.
            let is_known = thread.as_ref().is_none_or(|thread| thread.in_running_program);
            if let Some(offset) = frame.offset.filter(|_| is_known) {
                view["instructionPointerReference"] = format!("{offset:#x}").into();
            }
            shown.push(view);
        }
        Ok(json!({ "stackFrames": shown, "totalFrames": total }).into())
    }

    pub(crate) fn scopes(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let number = request.arguments["frameId"].as_u64();
        let FrameRef { actor, frame } =
            FrameRef::from_number(number.ok_or("scopes needs a frameId")?)?;
        let source = |of| Handle::Source { actor, of, path: Vec::new() };
        let locals = frame.map(|frame| ("Locals", source(ScopeRef::Frame(frame)), "locals"));
        let machine = frame.map(|frame| ("Machine", Handle::Machine { actor, frame }, "registers"));
        let has_properties = !self.ask(Properties {}, client)?.is_empty();
        let properties = ("Properties", Handle::Properties(Known::All), "properties");
        let scopes = [
            locals,
            Some(("Globals", source(ScopeRef::Globals), "globals")),
            machine,
            has_properties.then_some(properties),
            Some(("Multiverse", Handle::Multiverse(Part::Here), "multiverse")),
        ];
        let scopes = scopes.into_iter().flatten().map(|(name, handle, hint)| {
            let reference = self.reference(handle);
            json!({ "name": name, "presentationHint": hint, "variablesReference": reference,
                "expensive": false })
        });
        Ok(json!({ "scopes": scopes.collect::<Vec<_>>() }).into())
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
            Handle::Source { actor, of, path } => {
                let (of_actor, path_there) = (address(actor), path.clone());
                let asked = SourceVariables { of: of.clone(), path: path_there, actor: of_actor };
                let variables = self.ask(asked, client)?;
                let shown = |(index, variable): (usize, SourceVariable)| {
                    let path = path.iter().copied().chain([index]).collect();
                    let child = Handle::Source { actor, of: of.clone(), path };
                    self.variable(&variable, child)
                };
                variables.into_iter().enumerate().map(shown).collect()
            }
            Handle::Machine { actor, frame } => self.machine_variables(actor, frame, client)?,
            Handle::Multiverse(part) => self.multiverse_variables(part, client)?,
            Handle::Properties(known) => self.property_variables(known, client)?,
        };
        let count = if given.count == 0 { usize::MAX } else { given.count };
        let part: Vec<Value> = all.into_iter().skip(given.start).take(count).collect();
        Ok(json!({ "variables": part }).into())
    }

    pub(crate) fn variable(&mut self, variable: &SourceVariable, handle: Handle) -> Value {
        let actor = match &handle {
            Handle::Source { actor, .. } | Handle::Machine { actor, .. } => *actor,
            Handle::Multiverse(_) | Handle::Properties(_) => None,
        };
        let reference = if variable.has_children { self.reference(handle) } else { 0 };
        let mut view = json!({ "name": variable.name, "value": variable.value,
            "type": variable.ty, "variablesReference": reference });
        if let Some(address) = variable.address {
            view["memoryReference"] = match actor {
                Some(actor) => format!("{address:#x}@{actor}").into(),
                None => format!("{address:#x}").into(),
            };
        }
        view
    }

    fn machine_variables(
        &mut self,
        actor: Option<u32>,
        frame: usize,
        client: &mut dyn Client,
    ) -> Result<Vec<Value>, Refusal> {
        let actor = address(actor);
        let source = self.ask(SourceFrames { actor: actor.clone() }, client)?;
        let depth = source.get(frame).map(|frame| frame.depth);
        let frames = self.ask(Frames { actor }, client)?;
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
            Handle::Source { actor, of, path } => {
                let actor = address(actor);
                let set = self.ask(SetVariable { of, path, name, value, actor }, client)?;
                Ok(json!({ "value": set.value, "type": set.ty }).into())
            }
            Handle::Machine { actor, .. } => self.alter(name, value, address(actor), client),
            Handle::Multiverse(_) => Err("the multiverse is not set by hand; slide".into()),
            Handle::Properties(_) => Err("what a property knows is not set by hand".into()),
        }
    }

    pub(crate) fn set_expression(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let SetExpression { expression: target, value, frame_id } = request.arguments()?;
        let of = FrameRef::from_number(frame_id.unwrap_or_default())?;
        self.alter(target, value, of.actor(), client)
    }

    fn alter(
        &mut self,
        target: String,
        value: String,
        actor: Option<String>,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let set = self.ask(Alter { target, value, actor }, client)?;
        Ok(json!({ "value": set.value.text }).into())
    }
}

/// An actor as requests take it.
fn address(actor: Option<u32>) -> Option<String> {
    actor.map(|actor| actor.to_string())
}
