//! What there is to a session besides its tree, in the form in which it is kept.
//!
//! All of it is small. A save compares it with what was saved last and writes the differences.

use std::collections::BTreeMap;

use mw_multiverse::{NodeId, Place};
use mw_session::{Breakpoint, Condition, HitRule, Session, Trigger};
use mw_vm::Module;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub place: Place,
    pub preferences: BTreeMap<NodeId, Option<NodeId>>,
    pub bookmarks: BTreeMap<String, Place>,
    /// What was found out about the values that lead to a node.
    pub labels: BTreeMap<NodeId, String>,
    /// Nodes that were suggested and where the program has not been.
    pub unvisited: BTreeMap<NodeId, ()>,
    /// How far the program has come after a node.
    pub furthest: BTreeMap<NodeId, u64>,
    /// As JSON, by their numbers.
    pub breakpoints: BTreeMap<u32, String>,
    /// As JSON, by their numbers.
    pub mocks: BTreeMap<u32, String>,
    /// What inputs were set to before the program began, as JSON.
    pub readings: String,
}

impl Snapshot {
    /// The session as it is now. `before` is what was saved last, if anything was.
    pub fn of(session: &Session, before: Option<&Snapshot>) -> Snapshot {
        let readings = match before {
            // They cannot be set any more once the program has begun.
            Some(before) if !session.is_fresh() => before.readings.clone(),
            _ => to_json(&session.world().view().readings),
        };
        let bookmarks = session.bookmarks().iter();
        let labels = session.labels();
        let breakpoints = session.breakpoints().iter();
        let mocks = session.mocks().iter();
        Snapshot {
            place: session.here(),
            preferences: session.multiverse().preferences().collect(),
            bookmarks: bookmarks.map(|(name, place)| (name.to_owned(), place)).collect(),
            labels: labels.map(|(node, text)| (node, text.to_owned())).collect(),
            unvisited: session.multiverse().unvisited().map(|node| (node, ())).collect(),
            furthest: session.furthest().collect(),
            breakpoints: breakpoints
                .map(|(id, breakpoint)| (id.0, to_json(&KeptBreakpoint::from(breakpoint))))
                .collect(),
            mocks: mocks.map(|(id, mock)| (id.0, to_json(mock))).collect(),
            readings,
        }
    }
}

pub(crate) fn to_json(value: &impl Serialize) -> String {
    // Writing plain data to memory cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// A breakpoint whose condition is the text that a person wrote: it is read again when restored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptBreakpoint {
    trigger: Trigger,
    condition: Option<String>,
    enabled: bool,
    // Not before version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hits: Option<HitRule>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    #[serde(default)]
    temporary: bool,
    #[serde(default)]
    passed: u64,
}

impl From<&Breakpoint> for KeptBreakpoint {
    fn from(breakpoint: &Breakpoint) -> Self {
        let Breakpoint { trigger, condition, expression, hits, log, enabled, temporary, passed } =
            breakpoint.clone();
        let condition = condition.as_ref().map(Condition::to_string);
        KeptBreakpoint { trigger, condition, enabled, expression, hits, log, temporary, passed }
    }
}

impl KeptBreakpoint {
    /// The breakpoint in a module, or why its condition makes no sense there.
    pub fn restore(self, module: &Module) -> Result<Breakpoint, String> {
        let KeptBreakpoint {
            trigger,
            condition,
            enabled,
            expression,
            hits,
            log,
            temporary,
            passed,
        } = self;
        let condition = condition.map(|text| Condition::parse(&text, module)).transpose();
        let condition = condition.map_err(|error| error.to_string())?;
        Ok(Breakpoint { trigger, condition, expression, hits, log, enabled, temporary, passed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breakpoint_of_version_1_stops_always() {
        let json = r#"{"trigger":{"Function":0},"condition":"global 0 > 5","enabled":false}"#;
        let wasm = wat::parse_str("(module (global i32 (i32.const 1)) (func))").unwrap();
        let module = Module::from_binary(&wasm, &Default::default()).unwrap();
        let kept: KeptBreakpoint = serde_json::from_str(json).unwrap();
        let expected = Breakpoint {
            condition: Some(Condition::parse("global 0 > 5", &module).unwrap()),
            enabled: false,
            ..Breakpoint::new(Trigger::Function(0))
        };
        assert_eq!(kept.restore(&module), Ok(expected));
    }
}
