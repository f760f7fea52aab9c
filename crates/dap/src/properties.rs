//! Properties: a scope of their own, and what is said where one is violated.

use mw_api::request::{Properties, Slices};
use mw_api::{NamedValue, PropertyEvent, SliceView, VerdictView};
use serde_json::{Value, json};

use crate::adapter::Adapter;
use crate::inspect::Handle;
use crate::protocol::{Client, Refusal};

/// So many slices are listed; the terminal and the page search all of them.
const SLICES: usize = 100;

/// What properties know, as variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Whether each of them holds.
    All,
    /// The slices of one.
    Of(u32),
    /// The variables of a slice.
    Slice(Vec<NamedValue>),
}

impl Adapter {
    pub(crate) fn property_variables(
        &mut self,
        known: Known,
        client: &mut dyn Client,
    ) -> Result<Vec<Value>, Refusal> {
        Ok(match known {
            Known::All => {
                let all = self.ask(Properties {}, client)?;
                let shown = all.into_iter().map(|property| {
                    let reference = self.reference(Handle::Properties(Known::Of(property.id)));
                    json!({ "name": property.name, "value": verdict(property.verdict),
                        "type": property.text, "variablesReference": reference })
                });
                shown.collect()
            }
            Known::Of(property) => {
                let slices =
                    Slices { property, at: None, search: None, skip: 0, limit: Some(SLICES) };
                let found = self.ask(slices, client)?;
                let others = found.total - found.slices.len() as u64;
                let mut shown: Vec<Value> =
                    found.slices.into_iter().map(|slice| self.slice(slice)).collect();
                if others > 0 {
                    shown.push(plain("…", &format!("{others} more")));
                }
                shown
            }
            Known::Slice(variables) => {
                variables.iter().map(|one| plain(&one.name, &one.value)).collect()
            }
        })
    }

    /// A slice by what tells it from others, with its state.
    fn slice(&mut self, slice: SliceView) -> Value {
        let SliceView { instance, state, accepting, variables, .. } = slice;
        let parts: Vec<String> =
            instance.iter().map(|one| format!("{} = {}", one.name, one.value)).collect();
        let name = if parts.is_empty() { "state".into() } else { parts.join(", ") };
        let value = if accepting { state } else { format!("{state}, non-accepting") };
        let reference = match variables.is_empty() {
            true => 0,
            false => self.reference(Handle::Properties(Known::Slice(variables))),
        };
        json!({ "name": name, "value": value, "variablesReference": reference })
    }

    /// What is the matter where a property is violated: why, and what it demands.
    pub(crate) fn violation(
        &mut self,
        event: &PropertyEvent,
        client: &mut dyn Client,
    ) -> Result<Value, Refusal> {
        let all = self.ask(Properties {}, client)?;
        let text = all.into_iter().find(|property| property.id == event.property);
        let text = text.map(|property| property.text).unwrap_or_default();
        let because = event.violation();
        Ok(
            json!({ "exceptionId": event.name, "description": format!("{because}\n\n{}", text.trim()),
            "breakMode": "always", "details": { "message": because, "typeName": "property" } }),
        )
    }
}

fn plain(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": value, "variablesReference": 0 })
}

fn verdict(verdict: VerdictView) -> &'static str {
    match verdict {
        VerdictView::Holds => "holds so far",
        VerdictView::Violated => "violated",
        VerdictView::Inconclusive => "inconclusive",
    }
}
