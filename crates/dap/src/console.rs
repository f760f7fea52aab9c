//! Expressions and the debug console.

use mw_api::request::{self, Names, Print};
use mw_api::{Printed, ScopeRef};
use serde_json::{Value, json};

use crate::actors::FrameRef;
use crate::adapter::{Adapter, Answer, Then};
use crate::inspect::Handle;
use crate::movement::Movement;
use crate::protocol::{Client, Evaluate, Refusal, Request};

impl Adapter {
    pub(crate) fn evaluate(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let Evaluate { expression, frame_id, context } = request.arguments()?;
        let frame = FrameRef::from_number(frame_id.unwrap_or(0))?;
        if context.as_deref() != Some("repl") {
            return self.value(&expression, frame, client);
        }
        let before = self.place(client)?;
        match self.console()?.execute(&expression) {
            Ok(text) => {
                let body = json!({ "result": text, "variablesReference": 0 });
                let then = match before == self.place(client)? {
                    true => self.invalidation(),
                    false => Then::Move(Movement::here("goto")),
                };
                Ok(Answer { body, then })
            }
            // What is no command may be an expression.
            Err(problem) => self.value(&expression, frame, client).map_err(|_| Refusal(problem)),
        }
    }

    fn value(
        &mut self,
        expression: &str,
        of: FrameRef,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let (frame, actor) = (of.to_ask(), of.actor());
        let evaluate = request::Evaluate { expression: expression.into(), frame, actor };
        let problem = match self.ask(evaluate, client) {
            Ok(found) => {
                let scope = ScopeRef::Expression { expression: expression.into(), frame };
                let handle = Handle::Source { actor: of.actor, of: scope, path: Vec::new() };
                let view = self.variable(&found, handle);
                return Ok(result(view).into());
            }
            Err(problem) => problem,
        };
        // The machine's own variables and memory: `local 2`, `i32 @ 1024`.
        match self.ask(Print { frame, actor: of.actor(), ..Print::new(expression) }, client) {
            Ok(Printed::Machine(found)) => {
                let (value, ty) = (found.value.text, found.value.ty);
                Ok(json!({ "result": value, "type": ty, "variablesReference": 0 }).into())
            }
            _ => Err(problem),
        }
    }

    pub(crate) fn completions(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let text = request.arguments["text"].as_str().unwrap_or_default();
        let column = request.arguments["column"].as_i64().unwrap_or(i64::MAX);
        let column = column.saturating_sub(self.first_column);
        let before: String = text.chars().take(usize::try_from(column).unwrap_or(0)).collect();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '/';
        let start = before.rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
        let word = &before[start..];
        let mut known = match before[..start].trim().is_empty() {
            true => self.console()?.commands(),
            false => Vec::new(),
        };
        let names = self.ask(Names {}, client)?;
        known.extend(names.variables);
        known.extend(names.functions);
        known.extend(names.inputs);
        known.extend(names.outputs);
        known.extend(names.bookmarks);
        known.retain(|name| name.starts_with(word));
        known.dedup();
        let length = word.chars().count();
        let target = |name: String| json!({ "label": name, "start": before[..start].chars().count(), "length": length });
        let targets: Vec<Value> = known.into_iter().take(200).map(target).collect();
        Ok(json!({ "targets": targets }).into())
    }
}

/// A variable as the result of an expression.
fn result(mut view: Value) -> Value {
    view["result"] = view["value"].take();
    if let Some(view) = view.as_object_mut() {
        view.remove("value");
        view.remove("name");
    }
    view
}
