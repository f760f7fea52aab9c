//! The protocol's own words: requests, responses, events, and the arguments that they come with.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Whoever the adapter talks to.
pub trait Client {
    /// Sends a message.
    fn send(&mut self, message: Value);
    /// Whether what is being done should end.
    fn is_cancelled(&mut self) -> bool;
}

/// A request.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Request {
    pub command: String,
    #[serde(default)]
    pub arguments: Value,
}

/// Why a request is refused, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub String);

impl From<mw_api::ApiError> for Refusal {
    fn from(error: mw_api::ApiError) -> Self {
        Refusal(error.message)
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        Refusal(message.into())
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Refusal(message)
    }
}

impl Request {
    /// The arguments of a request.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let given = match &self.arguments {
            Value::Null => json!({}),
            given => given.clone(),
        };
        let wrong =
            |error| Refusal(format!("the arguments of {} are wrong: {error}", self.command));
        serde_json::from_value(given).map_err(wrong)
    }
}

/// A file, by its path or a number that the adapter gave out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_reference: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetBreakpoints {
    pub source: Source,
    #[serde(default)]
    pub breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SourceBreakpoint {
    pub line: i64,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub log_message: Option<String>,
}

/// Breakpoints of the other kinds: each has one of the names.
#[derive(Debug, Deserialize)]
pub(crate) struct SetOthers {
    #[serde(default)]
    pub breakpoints: Vec<OtherBreakpoint>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct OtherBreakpoint {
    pub name: Option<String>,
    pub instruction_reference: Option<String>,
    pub offset: i64,
    pub data_id: Option<String>,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate {
    pub expression: String,
    #[serde(default)]
    pub frame_id: Option<u64>,
    #[serde(default)]
    pub context: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variables {
    pub variables_reference: usize,
    #[serde(default)]
    pub start: usize,
    #[serde(default)]
    pub count: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Named {
    #[serde(default)]
    pub variables_reference: usize,
    pub name: String,
    #[serde(default)]
    pub value: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetExpression {
    pub expression: String,
    pub value: String,
    #[serde(default)]
    pub frame_id: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Memory {
    pub memory_reference: String,
    pub offset: i64,
    pub count: u64,
    pub data: String,
    pub instruction_offset: i64,
    pub instruction_count: i64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Step {
    pub granularity: Option<String>,
}

/// A number as editors write addresses: `0x1a2`, or decimal.
pub(crate) fn address(text: &str) -> Result<i64, Refusal> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    number.ok_or_else(|| Refusal(format!("`{text}` is no address; write one like 0x1a2")))
}
