//! States and transitions as they are written.

use super::code::Statement;
use super::event::EventSyntax;
use super::{Name, Scanner};
use crate::deadline::Span;
use crate::error::{Checked, did_you_mean, mistake};

/// A state.
#[derive(Clone, Debug)]
pub(crate) struct StateSyntax {
    pub name: Name,
    pub accepting: Option<bool>,
    pub is_final: bool,
    pub action: Option<Name>,
    pub deadline: Option<(Span, BlockSyntax)>,
    pub transitions: Vec<TransitionSyntax>,
}

/// A transition.
#[derive(Clone, Debug)]
pub(crate) struct TransitionSyntax {
    pub event: EventSyntax,
    /// The event as it is written.
    pub event_text: String,
    pub guard: Option<Guard>,
    pub success: Option<BlockSyntax>,
    pub failure: Option<BlockSyntax>,
}

/// The code of a guard, and how it is written.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub code: Vec<Statement>,
    pub text: String,
}

/// What is done on the way to a state.
#[derive(Clone, Debug)]
pub(crate) struct BlockSyntax {
    pub code: Vec<Statement>,
    pub text: String,
    pub action: Option<Name>,
    pub to: Name,
}

/// Words that begin another part of a property.
pub(crate) const BLOCKS: [&str; 6] =
    ["success", "failure", "transition", "state", "within", "else"];

impl<'a> Scanner<'a> {
    /// A state, after that word.
    pub fn state(&mut self) -> Checked<StateSyntax> {
        let name = self.name("the name of a state")?;
        let mut state = StateSyntax {
            name,
            accepting: None,
            is_final: false,
            action: None,
            deadline: None,
            transitions: Vec::new(),
        };
        loop {
            let word = self.peek_annotation();
            match word {
                "" | "state" => break,
                "accepting" => state.accepting = Some(true),
                "non-accepting" => state.accepting = Some(false),
                "final" => state.is_final = true,
                _ if state.action.is_some() || word.contains('-') => {
                    let known = ["accepting", "non-accepting", "final", "state"];
                    let hint = did_you_mean(word, known);
                    return self.error(format!("{word} means nothing here{hint}"));
                }
                _ => {
                    // An action is not called almost like an annotation.
                    let hint = did_you_mean(word, ["accepting"]);
                    if !hint.is_empty() {
                        return self.error(format!("{word} means nothing here{hint}"));
                    }
                    state.action = Some(Name { text: word.to_owned(), at: self.at });
                }
            }
            self.at += word.len();
        }
        if self.take("{") {
            while !self.take("}") {
                match self.peek() {
                    "transition" => {
                        self.keyword("transition");
                        state.transitions.push(self.transition()?);
                    }
                    "within" => {
                        let at = self.at;
                        let deadline = (self.within()?, self.otherwise()?);
                        if state.deadline.replace(deadline).is_some() {
                            return mistake(
                                at,
                                "a state has one deadline: join the two, or use two states",
                            );
                        }
                    }
                    word => {
                        let hint = did_you_mean(word, ["transition", "within"]);
                        let found = self.found();
                        return self.error(format!(
                            "a transition, within or }} was expected in the state {}, and {found}{hint}",
                            state.name.text
                        ));
                    }
                }
            }
        }
        Ok(state)
    }

    fn otherwise(&mut self) -> Checked<BlockSyntax> {
        self.expect_keyword("else")?;
        self.block()
    }

    /// How long something may take: `within 500 ms`, `within 10000 instructions`.
    pub fn within(&mut self) -> Checked<Span> {
        self.expect_keyword("within")?;
        let number = self.number("how long it may take")?;
        let unit = self.name("ms or instructions")?;
        let span = |factor: u64| number.checked_mul(factor).filter(|all| *all <= i64::MAX as u64);
        let span = match unit.text.as_str() {
            "us" => span(1).map(Span::Microseconds),
            "ms" => span(1_000).map(Span::Microseconds),
            "s" => span(1_000_000).map(Span::Microseconds),
            "instructions" | "instruction" => Some(Span::Instructions(number)),
            other => {
                let hint = did_you_mean(other, ["ms", "us", "s", "instructions"]);
                return mistake(unit.at, format!("time is in us, ms, s or instructions{hint}"));
            }
        };
        match span {
            Some(span) => Ok(span),
            None => mistake(unit.at, "that is longer than any program runs"),
        }
    }

    fn transition(&mut self) -> Checked<TransitionSyntax> {
        self.expect("{")?;
        self.skip();
        let at = self.at;
        let event = self.event()?;
        let event_text = self.text[at..self.at].split_whitespace().collect::<Vec<_>>().join(" ");
        self.skip();
        let guard = match self.rest().starts_with('{') {
            true => {
                let inside = self.bracketed("{", '}')?;
                let text = inside.rest().split_whitespace().collect::<Vec<_>>().join(" ");
                Some(Guard { code: inside.statements()?, text })
            }
            false => None,
        };
        let (mut success, mut failure) = (None, None);
        while !self.take("}") {
            let (word, at) = (self.peek(), self.at);
            let block = match word {
                "success" => &mut success,
                "failure" => &mut failure,
                _ => {
                    let hint = did_you_mean(word, ["success", "failure"]);
                    let found = self.found();
                    return self.error(format!(
                        "success, failure or }} was expected here, and {found}{hint}"
                    ));
                }
            };
            self.at += word.len();
            let read = self.block()?;
            if block.replace(read).is_some() {
                return mistake(at, format!("this transition has two blocks for {word}"));
            }
        }
        if success.is_none() && failure.is_none() {
            return mistake(at, "this transition leads nowhere: write `success` and a state");
        }
        if guard.is_none()
            && let Some(block) = &failure
        {
            return mistake(
                block.to.at,
                "without a guard nothing fails: write one after the event, in braces",
            );
        }
        Ok(TransitionSyntax { event, event_text, guard, success, failure })
    }

    /// Code, an action and a state, of which only the last has to be there.
    pub fn block(&mut self) -> Checked<BlockSyntax> {
        self.skip();
        let (mut code, mut text) = (Vec::new(), String::new());
        if self.rest().starts_with('{') {
            let inside = self.bracketed("{", '}')?;
            text = inside.rest().split_whitespace().collect::<Vec<_>>().join(" ");
            code = inside.statements()?;
        }
        let first = self.name("the name of a state")?;
        let next = self.peek();
        let (action, to) = match next.is_empty() || BLOCKS.contains(&next) {
            true => (None, first),
            false => (Some(first), self.name("the name of a state")?),
        };
        Ok(BlockSyntax { code, text, action, to })
    }
}
