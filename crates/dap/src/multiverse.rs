//! What the protocol has no words for: requests of our own, and a scope about where one is.

use mw_api::request::{Bookmarks, Mock, Slide, Tree, Universe, Where};
use mw_api::{Envelope, Exploration, PlaceRef, Reply};
use serde::Serialize;
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer, Then};
use crate::inspect::Handle;
use crate::movement::Movement;
use crate::protocol::{Client, Refusal, Request};

/// A part of what there is to say about where one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The place, and the other parts.
    Here,
    /// The choices that lead here.
    Choices,
    /// All bookmarks.
    Bookmarks,
    /// The ways on that are known.
    Branches,
}

impl Adapter {
    /// `mw/mock { call, value, once? }`
    pub(crate) fn mock(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let (call, value) = (text(request, "call")?, text(request, "value")?);
        let once = request.arguments["once"].as_bool().unwrap_or(false);
        let mock = Mock { call: call.as_str().into(), value, once, replace: false };
        shown(&self.ask(mock, client)?)
    }

    /// `mw/slide { to, confirm? }`
    pub(crate) fn slide(&mut self, request: &Request) -> Result<Answer, Refusal> {
        self.console()?;
        let to = PlaceRef::Text(text(request, "to")?);
        let confirm = request.arguments["confirm"].as_bool().unwrap_or(false);
        let slide = Envelope { request: Slide { to }.into(), confirm };
        let movement = Movement { asks: vec![slide], reason: "goto" };
        Ok(Answer { body: json!({}), then: Then::Move(movement) })
    }

    /// `mw/suggest { … }`, with what an exploration takes.
    pub(crate) fn suggest(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let exploration: Exploration = request.arguments()?;
        shown(&self.ask(exploration, client)?)
    }

    /// `mw/tree`
    pub(crate) fn tree(&mut self, client: &mut dyn Client) -> Result<Answer, Refusal> {
        shown(&self.ask(Tree { from: None, limit: None }, client)?)
    }

    /// `mw/request`, with a request of the api: all that it offers, and its reply as it is.
    pub(crate) fn any_request(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let ask: Envelope = request.arguments()?;
        let before = self.place(client)?;
        let reply = self.ask(ask, client)?;
        let Answer { body, .. } = shown(&reply)?;
        let then = match (before == self.place(client)?, reply) {
            (true, _) => self.invalidation(),
            (false, Reply::Stopped(stopped)) => {
                let mut events = self.thread_news(client);
                events.push(self.stopped(&stopped, "goto"));
                Then::Tell(events)
            }
            (false, _) => Then::Move(Movement::here("goto")),
        };
        Ok(Answer { body, then })
    }

    /// The place where one is.
    pub(crate) fn place(&mut self, client: &mut dyn Client) -> Result<String, Refusal> {
        Ok(self.ask(Where {}, client)?.place.text)
    }

    /// Tells that what is shown may have changed without anyone's moving.
    pub(crate) fn invalidation(&self) -> Then {
        match self.takes_invalidations {
            true => Then::Tell(vec![("invalidated", json!({ "areas": ["all"] }))]),
            false => Then::Nothing,
        }
    }

    pub(crate) fn multiverse_variables(
        &mut self,
        part: Part,
        client: &mut dyn Client,
    ) -> Result<Vec<Value>, Refusal> {
        let limit = if part == Part::Choices { None } else { Some(0) };
        let universe = self.ask(Universe { place: None, limit }, client)?;
        let bookmarks = self.ask(Bookmarks {}, client)?;
        let plain = |name: String, value: String| json!({ "name": name, "value": value, "variablesReference": 0 });
        let shown = match part {
            Part::Here => {
                let here = self.ask(Where {}, client)?;
                let groups = [
                    ("choices", Part::Choices, here.choices),
                    ("bookmarks", Part::Bookmarks, bookmarks.len() as u64),
                    ("branches", Part::Branches, universe.next.len() as u64),
                ];
                let groups = groups.map(|(name, part, count)| {
                    let is_there = count > 0;
                    let reference = is_there.then(|| self.reference(Handle::Multiverse(part)));
                    json!({ "name": name, "value": count.to_string(),
                        "variablesReference": reference.unwrap_or(0) })
                });
                let place = plain("place".into(), here.place.text);
                let past = plain("in the past".into(), here.in_the_past.to_string());
                [place, past].into_iter().chain(groups).collect()
            }
            Part::Choices => {
                let choices = universe.choices.into_iter();
                choices.map(|choice| plain(choice.node, choice.text)).collect()
            }
            Part::Bookmarks => {
                bookmarks.into_iter().map(|mark| plain(mark.name, mark.place.text)).collect()
            }
            Part::Branches => {
                universe.next.into_iter().map(|next| plain(next.node, next.text)).collect()
            }
        };
        Ok(shown)
    }
}

pub(crate) fn text(request: &Request, name: &str) -> Result<String, Refusal> {
    let found = request.arguments[name].as_str().map(str::to_owned);
    found.ok_or_else(|| Refusal(format!("{} needs `{name}`, a text", request.command)))
}

/// A reply as it is.
pub(crate) fn shown(reply: &impl Serialize) -> Result<Answer, Refusal> {
    let body = serde_json::to_value(reply).map_err(|error| Refusal(error.to_string()))?;
    Ok(body.into())
}
