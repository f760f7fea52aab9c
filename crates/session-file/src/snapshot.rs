//! What there is to a session besides its tree, in the form in which it is kept.
//!
//! All of it is small. A save compares it with what was saved last and writes the differences.

use std::collections::BTreeMap;

use mw_ensemble::TaskId;
use mw_multiverse::{NodeId, Place};
use mw_session::{Breakpoint, Condition, HitRule, Names, Session, SkipSet, Trigger};
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
    /// Segments from which suggestions were removed, and how many choices they have since.
    pub cuts: BTreeMap<u32, u32>,
    /// As JSON, by their numbers.
    pub breakpoints: BTreeMap<u32, String>,
    /// As JSON, by their numbers.
    pub mocks: BTreeMap<u32, String>,
    /// As JSON, by their numbers.
    pub properties: BTreeMap<u32, String>,
    /// As JSON, by their numbers.
    pub scenarios: BTreeMap<u32, String>,
    /// What inputs were set to before the program began, as JSON.
    pub readings: String,
    /// What steps pass through, as JSON.
    pub skips: String,
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
        let (properties, scenarios) = (session.properties().iter(), session.scenarios().iter());
        Snapshot {
            place: session.here(),
            preferences: session.multiverse().preferences().collect(),
            bookmarks: bookmarks.map(|(name, place)| (name.to_owned(), place)).collect(),
            labels: labels.map(|(node, text)| (node, text.to_owned())).collect(),
            unvisited: session.multiverse().unvisited().map(|node| (node, ())).collect(),
            furthest: session.furthest().collect(),
            cuts: session.multiverse().cuts().clone(),
            breakpoints: breakpoints
                .map(|(id, breakpoint)| (id.0, to_json(&KeptBreakpoint::from(breakpoint))))
                .collect(),
            mocks: mocks.map(|(id, mock)| (id.0, to_json(mock))).collect(),
            properties: properties.map(|(id, text, _)| (id.0, to_json(text))).collect(),
            scenarios: scenarios.map(|(id, text, _)| (id.0, to_json(text))).collect(),
            readings,
            skips: skips(session.skips()),
        }
    }
}

/// What steps pass through: numbers and patterns.
pub(crate) fn skips(skips: &SkipSet) -> String {
    to_json(&skips.iter().collect::<Vec<_>>())
}

pub(crate) fn to_json(value: &impl Serialize) -> String {
    // Writing plain data to memory cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// A breakpoint whose condition is text: it is read again when restored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptBreakpoint {
    trigger: Trigger,
    /// A condition from when there were two kinds of them: only cells, by number or by name.
    #[serde(default, skip_serializing)]
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
    // Not before version 8.
    #[serde(default, skip_serializing_if = "is_first")]
    program: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task: Option<TaskId>,
}

/// Whether a program is the first one, which is mostly the only one.
fn is_first(program: &u16) -> bool {
    *program == 0
}

impl From<&Breakpoint> for KeptBreakpoint {
    fn from(breakpoint: &Breakpoint) -> Self {
        let Breakpoint { trigger, program, task, condition, hits, log, .. } = breakpoint.clone();
        let Breakpoint { enabled, temporary, passed, .. } = *breakpoint;
        let expression = condition.as_ref().map(Condition::to_string);
        let condition = None;
        KeptBreakpoint {
            trigger,
            condition,
            enabled,
            expression,
            hits,
            log,
            temporary,
            passed,
            program,
            task,
        }
    }
}

impl KeptBreakpoint {
    /// The breakpoint in a session.
    pub fn restore(self, session: &Session) -> Breakpoint {
        let KeptBreakpoint { trigger, enabled, hits, log, temporary, passed, .. } = self;
        let KeptBreakpoint { program, task, .. } = self;
        let sources = Some(session.sources());
        let old = Names { sources, ..Names::of(session.module()) };
        let names = Names { sources, ..Names::default() };
        let old = self.condition.map(|text| Condition::kept(&text, &old));
        let condition = self.expression.map(|text| Condition::kept(&text, &names)).or(old);
        Breakpoint { trigger, program, task, condition, hits, log, enabled, temporary, passed }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mw_session::Watch;
    use mw_vm::{Cell, Module};
    use mw_world::Description;

    use super::*;

    fn session() -> Session {
        let wasm = wat::parse_str("(module (global $g i32 (i32.const 1)) (func))").unwrap();
        let module = Module::from_binary(&wasm, &Default::default()).unwrap();
        let world = Arc::new(Description::board(Default::default()));
        Session::new(Arc::new(module), &world, None, Default::default()).unwrap()
    }

    fn restored(json: &str) -> Breakpoint {
        serde_json::from_str::<KeptBreakpoint>(json).unwrap().restore(&session())
    }

    #[test]
    fn a_breakpoint_of_version_1_stops_always() {
        let json = r#"{"trigger":{"Function":0},"condition":"global 0 > 5","enabled":false}"#;
        let session = session();
        let names = Names::of(session.module());
        let expected = Breakpoint {
            condition: Some(Condition::parse("global 0 > 5", &names).unwrap()),
            enabled: false,
            ..Breakpoint::new(Trigger::Function(0))
        };
        assert_eq!(restored(json), expected);
        assert_eq!(restored(&json.replace("global 0", "g")).condition, {
            Some(Condition::kept("g > 5", &names))
        });
    }

    #[test]
    fn breakpoints_of_version_5_mean_what_they_meant() {
        let kept = |trigger: &str, expression: &str| {
            restored(&format!(
                r#"{{"trigger":{{"Watch":{trigger}}},"condition":null,"enabled":true,
                    "expression":{expression},"temporary":false,"passed":0}}"#
            ))
        };
        let local = Cell::Local { depth: 1, local: 2 };
        for (json, watch) in [
            (r#"{"Memory":{"address":16,"length":6}}"#, Watch::new(Cell::bytes(16, 6), 0)),
            (r#"{"Global":3}"#, Watch::new(Cell::Global(3), 0)),
            (r#"{"Local":{"depth":2,"local":2}}"#, Watch::new(local, 3)),
        ] {
            assert_eq!(kept(json, "null"), Breakpoint::new(Trigger::Watch(watch)));
        }
        // The source may call something else `g`.
        let condition = kept(r#"{"Global":3}"#, r#""g > 3""#).condition;
        assert_eq!(condition, Some(Condition::kept("g > 3", &Names::default())));
    }
}
