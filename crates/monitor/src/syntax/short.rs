//! Short forms for the properties that people write most. They become states and transitions like
//! any others:
//!
//! | form | what is violated |
//! |---|---|
//! | `never E where C` | E happens, and C holds |
//! | `always C at E` | E happens, and C does not hold |
//! | `invariant C` | C does not hold after a variable in it has been written |
//! | `after A eventually B within T` | B has not happened T after A, or when the program ends |
//! | `A only after B` | A happens, and B has not happened before |
//! | `at most N A between B and C` | A happens more than N times after B and before C |
//!
//! An event is written as in a transition; `f(x)` alone is the call of a function, or its return if
//! `ret` is among its parameters. `where C` can follow every event.

use mw_source::{Operator, Tree};

use super::code::{self, Statement, Written};
use super::event::{AccessKind, EventSyntax, Kind};
use super::state::{BlockSyntax, Guard, StateSyntax, TransitionSyntax};
use super::{Name, Scanner, Syntax};
use crate::deadline::Span;
use crate::error::{Checked, did_you_mean, mistake};

/// Words that begin a short form.
const FORMS: [&str; 5] = ["never", "always", "invariant", "after", "at"];

/// An event with a condition.
struct Happening {
    event: EventSyntax,
    text: String,
    condition: Option<Written>,
}

impl Syntax {
    /// Reads a short form: all that is left of the text.
    pub(super) fn short(&mut self, mut scanner: Scanner<'_>) -> Checked<()> {
        scanner.skip();
        let at = scanner.at;
        let word = scanner.peek();
        let eventually = scanner.clone().up_to(&["eventually"])?.is_some();
        match word {
            "never" => self.never(&mut scanner)?,
            "always" => self.always(&mut scanner)?,
            "invariant" => self.invariant(&mut scanner)?,
            "after" if eventually => self.eventually(&mut scanner)?,
            "at" => self.at_most(&mut scanner)?,
            _ if scanner.clone().up_to(&["only"])?.is_some() => self.only_after(&mut scanner)?,
            _ => {
                let known = FORMS.into_iter().chain(["slice", "initialization", "state"]);
                let hint = did_you_mean(word, known);
                let found = scanner.found();
                return mistake(
                    at,
                    format!(
                        "a property begins with slice, initialization or state, or is one of never, \
                         always, invariant, after … eventually, … only after and at most … \
                         between; {found}{hint}"
                    ),
                );
            }
        }
        if !scanner.is_end() {
            let found = scanner.found();
            return scanner
                .error(format!("the property ends here, and {found}: one property a file"));
        }
        Ok(())
    }

    fn never(&mut self, scanner: &mut Scanner<'_>) -> Checked<()> {
        scanner.expect_keyword("never")?;
        let event = scanner.happening(&[])?;
        let at = event.event.at;
        self.states.push(state("init", Some(true), at, vec![event.leads_to("violated", at)]));
        self.states.push(state("violated", Some(false), at, vec![]));
        Ok(())
    }

    fn always(&mut self, scanner: &mut Scanner<'_>) -> Checked<()> {
        scanner.expect_keyword("always")?;
        scanner.skip();
        let at = scanner.at;
        let Some(condition) = scanner.up_to(&["at", "after", "before"])? else {
            return mistake(
                at,
                "say when: `always …` is followed by `at line`, `before` or `after`",
            );
        };
        let condition = code::parse(condition, at)?;
        scanner.keyword("at");
        let event = scanner.happening(&[])?;
        self.holds_at(condition, vec![event], at)
    }

    fn invariant(&mut self, scanner: &mut Scanner<'_>) -> Checked<()> {
        scanner.expect_keyword("invariant")?;
        scanner.skip();
        let at = scanner.at;
        let condition = match scanner.up_to(&["at"])? {
            Some(text) => {
                let condition = code::parse(text, at)?;
                scanner.keyword("at");
                let event = scanner.happening(&[])?;
                return self.holds_at(condition, vec![event], at);
            }
            None => scanner.expression(&[])?,
        };
        let mut names = condition.tree.names();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() {
            return mistake(
                at,
                "no variable is named here, so nobody knows when to look: write `always … at line`",
            );
        }
        let written = names.iter().map(|name| {
            let place = condition.text.find(name).unwrap_or(0);
            let variable = Name { text: (*name).to_owned(), at: at + place };
            let kind = Kind::Access { kind: AccessKind::Write, variable, function: None };
            let event = EventSyntax { before: false, kind, parameters: vec![], at };
            Happening { event, text: format!("after event write {name}"), condition: None }
        });
        let written = written.collect();
        self.holds_at(condition, written, at)
    }

    /// A condition that holds whenever one of these events happens.
    fn holds_at(&mut self, condition: Written, events: Vec<Happening>, at: usize) -> Checked<()> {
        let transitions = events.into_iter().map(|event| {
            let mut transition = event.leads_to("violated", at);
            // Only where what is said of the event holds, it has to.
            let code = match transition.guard.take().map(|guard| guard.code) {
                Some(only) => match only.into_iter().next() {
                    Some(Statement::Return { value: Some(only), .. }) => {
                        let then = vec![returned(condition.clone())];
                        vec![Statement::If { condition: only, then, otherwise: vec![] }]
                    }
                    _ => vec![returned(condition.clone())],
                },
                None => vec![returned(condition.clone())],
            };
            transition.guard = Some(Guard { code, text: condition.text.clone() });
            transition.failure = transition.success.take();
            transition
        });
        let transitions = transitions.collect();
        self.states.push(state("init", Some(true), at, transitions));
        self.states.push(state("violated", Some(false), at, vec![]));
        Ok(())
    }

    fn eventually(&mut self, scanner: &mut Scanner<'_>) -> Checked<()> {
        scanner.skip();
        let at = scanner.at;
        scanner.expect_keyword("after")?;
        let first = scanner.happening(&["eventually"])?;
        scanner.expect_keyword("eventually")?;
        let then = scanner.happening(&["within"])?;
        let within: Option<Span> = match scanner.peek() {
            "within" => Some(scanner.within()?),
            _ => None,
        };
        // An object for which all is done is forgotten, so that it can begin anew.
        let done = if self.slice_on.is_empty() { "init" } else { "done" };
        self.states.push(state("init", Some(true), at, vec![first.leads_to("waiting", at)]));
        let end = EventSyntax { before: true, kind: Kind::End, parameters: vec![], at };
        let end = Happening { event: end, text: "event end".to_owned(), condition: None };
        let transitions = vec![then.leads_to(done, at), end.leads_to("violated", at)];
        let deadline = within.map(|within| (within, block("violated", at)));
        self.states.push(StateSyntax { deadline, ..state("waiting", None, at, transitions) });
        if done == "done" {
            let is_final = true;
            self.states.push(StateSyntax { is_final, ..state("done", Some(true), at, vec![]) });
        }
        self.states.push(state("violated", Some(false), at, vec![]));
        Ok(())
    }

    fn only_after(&mut self, scanner: &mut Scanner<'_>) -> Checked<()> {
        let then = scanner.happening(&["only"])?;
        let at = then.event.at;
        scanner.expect_keyword("only")?;
        scanner.expect_keyword("after")?;
        let first = scanner.happening(&[])?;
        let transitions = vec![first.leads_to("allowed", at), then.leads_to("violated", at)];
        self.states.push(state("init", Some(true), at, transitions));
        self.states.push(state("allowed", Some(true), at, vec![]));
        self.states.push(state("violated", Some(false), at, vec![]));
        Ok(())
    }

    fn at_most(&mut self, scanner: &mut Scanner<'_>) -> Checked<()> {
        scanner.skip();
        let at = scanner.at;
        scanner.expect_keyword("at")?;
        scanner.expect_keyword("most")?;
        let most = scanner.number("how often it may happen")?;
        let counted = scanner.happening(&["between"])?;
        scanner.expect_keyword("between")?;
        let first = scanner.happening(&["and"])?;
        scanner.expect_keyword("and")?;
        let last = scanner.happening(&[])?;
        let times = || Tree::Name("times".to_owned());
        let set = |tree: Tree| {
            let variable = Name { text: "times".to_owned(), at };
            let value = Written { text: tree.to_string(), tree, at };
            Statement::Set { variable, value }
        };
        self.initialization.push(set(Tree::Integer(0)));
        let mut begins = first.leads_to("counting", at);
        if let Some(block) = &mut begins.success {
            block.code = vec![set(Tree::Integer(0))];
            block.text = "times = 0".to_owned();
        }
        self.states.push(state("init", Some(true), at, vec![begins]));
        let below =
            Tree::Binary(Operator::Less, Box::new(times()), Box::new(Tree::Integer(most.into())));
        let below = Written { text: format!("times < {most}"), tree: below, at };
        let only = counted.condition.clone();
        let mut counts = Happening { condition: None, ..counted }.leads_to("counting", at);
        let text = match &only {
            Some(only) => format!("if {} {{ {} }}", only.text, below.text),
            None => below.text.clone(),
        };
        let code = match only {
            Some(condition) => {
                vec![Statement::If { condition, then: vec![returned(below)], otherwise: vec![] }]
            }
            None => vec![returned(below)],
        };
        counts.guard = Some(Guard { code, text });
        let one = Box::new(Tree::Integer(1));
        let more = Tree::Binary(Operator::Add, Box::new(times()), one);
        if let Some(block) = &mut counts.success {
            block.code = vec![set(more)];
            block.text = "times = times + 1".to_owned();
        }
        counts.failure = Some(block("violated", at));
        let transitions = vec![last.leads_to("init", at), counts];
        self.states.push(state("counting", Some(true), at, transitions));
        self.states.push(state("violated", Some(false), at, vec![]));
        Ok(())
    }
}

impl Happening {
    /// A transition that is taken when it happens.
    fn leads_to(self, to: &str, at: usize) -> TransitionSyntax {
        let guard = self.condition.map(|condition| {
            let text = condition.text.clone();
            Guard { code: vec![returned(condition)], text }
        });
        let success = Some(block(to, at));
        TransitionSyntax { event: self.event, event_text: self.text, guard, success, failure: None }
    }
}

impl<'a> Scanner<'a> {
    /// An event and what is said of it, up to one of these words.
    fn happening(&mut self, ends: &[&str]) -> Checked<Happening> {
        self.skip();
        let start = self.at;
        let event = self.short_event()?;
        let text = self.text[start..self.at].split_whitespace().collect::<Vec<_>>().join(" ");
        if !self.keyword("where") {
            return Ok(Happening { event, text, condition: None });
        }
        self.skip();
        let at = self.at;
        let condition = match self.up_to(ends)? {
            Some(text) => code::parse(text, at)?,
            None => self.expression(&[])?,
        };
        Ok(Happening { event, text, condition: Some(condition) })
    }
}

fn returned(value: Written) -> Statement {
    let at = value.at;
    Statement::Return { value: Some(value), at }
}

fn block(to: &str, at: usize) -> BlockSyntax {
    let to = Name { text: to.to_owned(), at };
    BlockSyntax { code: vec![], text: String::new(), action: None, to }
}

fn state(
    name: &str,
    accepting: Option<bool>,
    at: usize,
    transitions: Vec<TransitionSyntax>,
) -> StateSyntax {
    StateSyntax {
        name: Name { text: name.to_owned(), at },
        accepting,
        is_final: false,
        action: None,
        deadline: None,
        transitions,
    }
}
