//! Events as they are written.

use mw_source::NumberType;

use super::code::{self, Written};
use super::{Name, Scanner};
use crate::error::{Checked, did_you_mean, mistake};

/// An event with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct EventSyntax {
    pub before: bool,
    pub kind: Kind,
    pub parameters: Vec<ParameterSyntax>,
    pub at: usize,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A function is called or returns.
    Function(Name),
    /// A variable is read or written; of a function, if it is a local one.
    Access { kind: AccessKind, variable: Name, function: Option<Name> },
    /// A primitive of the world is called or has returned.
    Primitive(Name),
    /// A line of the source is come to: this one, or any, of a file or of all.
    Line { file: Option<Name>, line: Option<u32>, at: usize },
    /// Something becomes of a message; of any, or of those with this name.
    Message { kind: MessageKind, name: Option<Name> },
    /// An interrupt arrives.
    Interrupt,
    /// Another task goes on.
    Switch,
    /// The program has ended.
    End,
    /// The program has trapped.
    Trap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AccessKind {
    Read,
    Write,
    Any,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// It is sent.
    Sent,
    /// Somebody begins to handle it.
    Received,
    /// It is lost.
    Dropped,
}

/// A parameter of an event: what it is called, and how it is had.
#[derive(Clone, Debug)]
pub(crate) struct ParameterSyntax {
    /// A name that the property gives to it, else the one that it has in the source.
    pub name: Option<String>,
    pub how: How,
    pub at: usize,
}

/// How a parameter is had.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// `arg 0`.
    Argument(u16),
    /// `ret`.
    Return,
    /// `^p`: in the frame of the caller.
    Caller(Written),
    /// Anything else.
    Expression(Written),
    /// `_`: a place that is left out.
    Nothing,
}

/// What can happen beside calls.
const KINDS: [&str; 11] = [
    "every",
    "read",
    "write",
    "access",
    "primitive",
    "line",
    "message",
    "interrupt",
    "switch",
    "end",
    "trap",
];

impl<'a> Scanner<'a> {
    /// An event, from `before`, `after` or `event` on.
    pub fn event(&mut self) -> Checked<EventSyntax> {
        let (moment, at) = self.moment();
        self.expect_keyword("event")?;
        self.event_kind(moment, at, false)
    }

    /// An event in a short form, where `event` can be left out, and when.
    pub fn short_event(&mut self) -> Checked<EventSyntax> {
        let (moment, at) = self.moment();
        self.keyword("event");
        self.event_kind(moment, at, true)
    }

    fn moment(&mut self) -> (Option<bool>, usize) {
        self.skip();
        let at = self.at;
        let moment = match () {
            _ if self.keyword("before") => Some(true),
            _ if self.keyword("after") => Some(false),
            _ => None,
        };
        (moment, at)
    }

    fn event_kind(&mut self, moment: Option<bool>, at: usize, short: bool) -> Checked<EventSyntax> {
        let word = self.peek();
        let mut ahead = self.clone();
        ahead.at += word.len();
        // A function may be called `read`, too.
        let alone = ["interrupt", "switch", "end", "trap"].contains(&word);
        let is_function = ahead.take("(") && (moment.is_some() || !alone);
        let kind = match word {
            _ if is_function || !KINDS.contains(&word) => Kind::Function(self.function_name()?),
            "read" | "write" | "access" => {
                self.at += word.len();
                let kind = match word {
                    "read" => AccessKind::Read,
                    "write" => AccessKind::Write,
                    _ => AccessKind::Any,
                };
                let variable = self.variable_name()?;
                let function = if self.keyword("of") { Some(self.function_name()?) } else { None };
                Kind::Access { kind, variable, function }
            }
            "primitive" => {
                self.at += word.len();
                Kind::Primitive(self.function_name()?)
            }
            "line" => {
                self.at += word.len();
                self.line_kind()?
            }
            "message" => {
                self.at += word.len();
                self.message_kind()?
            }
            "every" => {
                self.at += word.len();
                self.expect_keyword("line")?;
                let at = self.at;
                let file = if self.keyword("of") { Some(self.function_name()?) } else { None };
                Kind::Line { file, line: None, at }
            }
            "interrupt" => self.plain(word, Kind::Interrupt),
            "switch" => self.plain(word, Kind::Switch),
            "end" => self.plain(word, Kind::End),
            _ => self.plain(word, Kind::Trap),
        };
        let has_moments =
            matches!(kind, Kind::Function(_) | Kind::Primitive(_) | Kind::Access { .. });
        let before = match (moment, &kind) {
            (Some(false), _) if !has_moments => {
                return mistake(
                    at,
                    format!("{word} has no before and after: write `event {word}`"),
                );
            }
            (Some(before), _) => before,
            (None, Kind::Access { kind: AccessKind::Write, .. }) if short => false,
            (None, _) if short => true,
            (None, Kind::Function(_) | Kind::Primitive(_) | Kind::Access { .. }) => {
                let hint = match &kind {
                    Kind::Function(name) => did_you_mean(&name.text, KINDS),
                    _ => String::new(),
                };
                return mistake(at, format!("say when: before event or after event{hint}"));
            }
            (None, _) => true,
        };
        let parameters = if self.take_here("(") { self.parameters()? } else { Vec::new() };
        // What is returned is known once it is.
        let returned = parameters.iter().any(|parameter| matches!(parameter.how, How::Return));
        let before = before && !(short && moment.is_none() && returned);
        Ok(EventSyntax { before, kind, parameters, at })
    }

    fn plain(&mut self, word: &str, kind: Kind) -> Kind {
        self.at += word.len();
        kind
    }

    fn take_here(&mut self, wanted: &str) -> bool {
        self.skip();
        self.rest().starts_with(wanted)
    }

    /// The name of a function, as compilers and people write it: up to its parameters.
    fn function_name(&mut self) -> Checked<Name> {
        self.skip();
        let (at, rest) = (self.at, self.rest());
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(end) = quoted.find('"') else { return mistake(at, "this text has no end") };
            self.at += end + 2;
            return Ok(Name { text: quoted[..end].to_owned(), at });
        }
        let is_part = |next: char| next.is_alphanumeric() || "_$:/#.~-[]".contains(next);
        let text = &rest[..rest.find(|next| !is_part(next)).unwrap_or(rest.len())];
        if text.is_empty() {
            let found = self.found();
            return self.error(format!("the name of a function was expected here, and {found}"));
        }
        self.at += text.len();
        Ok(Name { text: text.to_owned(), at })
    }

    /// A variable, or a part of one: `count`, `queue.count`, `cells[3]`.
    fn variable_name(&mut self) -> Checked<Name> {
        let name = self.name("the name of a variable")?;
        let start = name.at;
        loop {
            let rest = self.rest();
            let step = match rest {
                _ if rest.starts_with("::") => 2,
                _ if rest.starts_with("->") => 2,
                _ if rest.starts_with('.') || rest.starts_with('/') => 1,
                _ if rest.starts_with('[') => {
                    self.bracketed("[", ']')?;
                    continue;
                }
                _ => break,
            };
            self.at += step;
            self.name("the name of a part")?;
        }
        Ok(Name { text: self.text[start..self.at].to_owned(), at: start })
    }

    fn line_kind(&mut self) -> Checked<Kind> {
        self.skip();
        let (at, rest) = (self.at, self.rest());
        let end = rest.find(|next: char| next.is_whitespace() || "(){}".contains(next));
        let text = &rest[..end.unwrap_or(rest.len())];
        let parts = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let Some((file, line)) = parts else {
            return mistake(at, "a line was expected here, such as main.c:12");
        };
        self.at += text.len();
        let file = Some(Name { text: file.to_owned(), at });
        Ok(Kind::Line { file, line: Some(line), at })
    }

    fn message_kind(&mut self) -> Checked<Kind> {
        let word = self.name("sent, received or dropped")?;
        let kind = match word.text.as_str() {
            "sent" => MessageKind::Sent,
            "received" => MessageKind::Received,
            "dropped" => MessageKind::Dropped,
            other => {
                let hint = did_you_mean(other, ["sent", "received", "dropped"]);
                return mistake(word.at, format!("a message is sent, received or dropped{hint}"));
            }
        };
        let is_end = self.take_here("(") || self.take_here("{") || self.take_here("}");
        let next = self.peek();
        let words = ["where", "eventually", "only", "between", "and"];
        let is_end = is_end
            || next.is_empty()
            || words.contains(&next)
            || super::state::BLOCKS.contains(&next);
        let name = if is_end { None } else { Some(self.function_name()?) };
        Ok(Kind::Message { kind, name })
    }

    fn parameters(&mut self) -> Checked<Vec<ParameterSyntax>> {
        let mut inside = self.bracketed("(", ')')?;
        let mut found = Vec::new();
        while !inside.is_end() {
            found.push(inside.parameter()?);
            if !inside.is_end() {
                inside.expect(",")?;
            }
        }
        Ok(found)
    }

    fn parameter(&mut self) -> Checked<ParameterSyntax> {
        self.skip();
        let at = self.at;
        let text = self.until(&[','])?.trim_end();
        // `as` gives a name, unless what follows is a type.
        let named = text.rsplit_once(" as ").map(|(value, name)| (value.trim_end(), name.trim()));
        let is_name = |name: &str| {
            !name.is_empty()
                && NumberType::named(name).is_none()
                && name.chars().all(|next| next.is_alphanumeric() || next == '_')
        };
        let (value, name) = match named.filter(|(_, name)| is_name(name)) {
            Some((value, name)) => (value, Some(name.to_owned())),
            None => (text, None),
        };
        let how = match value {
            "ret" => How::Return,
            "_" => How::Nothing,
            _ if value.starts_with('^') => {
                let rest = value[1..].trim_start();
                How::Caller(code::parse(rest, at + value.len() - rest.len())?)
            }
            _ => {
                let written = code::parse(value, at)?;
                let argument = match &written.tree {
                    mw_source::Tree::Name(name) => code::argument(name),
                    _ => None,
                };
                argument.map_or(How::Expression(written), How::Argument)
            }
        };
        Ok(ParameterSyntax { name, how, at })
    }
}
