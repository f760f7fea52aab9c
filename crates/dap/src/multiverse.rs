//! What the protocol has no words for: requests of our own, and a scope about where one is.

use mw_api::{Exploration, PlaceRef, Reply, Request as Ask};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer, Then};
use crate::movement::Movement;
use crate::protocol::{Client, Refusal, Request};

impl Adapter {
    /// `mw/mock { call, value, once? }`
    pub(crate) fn mock(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let (call, value) = (text(request, "call")?, text(request, "value")?);
        let once = request.arguments["once"].as_bool().unwrap_or(false);
        let mock = Ask::Mock { call: call.as_str().into(), value, once };
        data(&self.ask(mock, client)?)
    }

    /// `mw/slide { to, confirm? }`
    pub(crate) fn slide(&mut self, request: &Request) -> Result<Answer, Refusal> {
        self.console()?;
        let to = PlaceRef::Text(text(request, "to")?);
        let confirm = request.arguments["confirm"].as_bool().unwrap_or(false);
        let movement = Movement { asks: vec![Ask::Slide { to, confirm }], reason: "goto" };
        Ok(Answer { body: json!({}), then: Then::Move(movement) })
    }

    /// `mw/suggest { … }`, with what an exploration takes.
    pub(crate) fn suggest(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let exploration: Exploration = request.arguments()?;
        data(&self.ask(Ask::Suggest(exploration), client)?)
    }

    /// `mw/tree`
    pub(crate) fn tree(&mut self, client: &mut dyn Client) -> Result<Answer, Refusal> {
        data(&self.ask(Ask::Tree { from: None, limit: None }, client)?)
    }

    pub(crate) fn multiverse_variables(
        &mut self,
        client: &mut dyn Client,
    ) -> Result<Vec<Value>, Refusal> {
        let Reply::Position(here) = self.ask(Ask::Where, client)? else { return Ok(Vec::new()) };
        let mut all = vec![
            ("place".to_owned(), here.place.text.clone()),
            ("choices".to_owned(), here.choices.to_string()),
            ("in the past".to_owned(), here.in_the_past.to_string()),
        ];
        if let Reply::Bookmarks(bookmarks) = self.ask(Ask::Bookmarks, client)? {
            all.extend(bookmarks.into_iter().map(|mark| (mark.name, mark.place.text)));
        }
        if let Reply::Universe(universe) =
            self.ask(Ask::Universe { place: None, limit: Some(0) }, client)?
        {
            let branches = universe.next.into_iter();
            all.extend(branches.map(|branch| (format!("branch {}", branch.node), branch.text)));
        }
        let shown =
            |(name, value)| json!({ "name": name, "value": value, "variablesReference": 0 });
        Ok(all.into_iter().map(shown).collect::<Vec<Value>>())
    }
}

fn text(request: &Request, name: &str) -> Result<String, Refusal> {
    let found = request.arguments[name].as_str().map(str::to_owned);
    found.ok_or_else(|| Refusal(format!("{} needs `{name}`, a text", request.command)))
}

/// What a reply says.
fn data(reply: &Reply) -> Result<Answer, Refusal> {
    let mut shown = serde_json::to_value(reply).map_err(|error| Refusal(error.to_string()))?;
    Ok(shown["data"].take().into())
}
