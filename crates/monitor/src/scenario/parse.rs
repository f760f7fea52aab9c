//! From the text of a scenario to what it does.

use super::{
    Action, Formula, Piece, Reaction, Scenario, Scope, Statement, StatementKind, Trigger, What,
    Which,
};
use crate::error::{Checked, did_you_mean, mistake};
use crate::syntax::Scanner;

/// How deep blocks may be nested.
const DEEPEST: usize = 32;
/// The longest text that is read.
const LONGEST: usize = 1 << 20;

/// What is known of a scenario while its statements are read.
struct Reader {
    branch: Vec<String>,
}

/// Reads a scenario.
pub(super) fn parse(text: &str) -> Checked<Scenario> {
    if text.len() > LONGEST {
        return mistake(0, format!("a scenario has at most {LONGEST} bytes"));
    }
    let mut scanner = Scanner::new(text);
    let (mut session, mut branch, mut reactions) = (Vec::new(), Vec::new(), Vec::new());
    while !scanner.is_end() {
        let (word, at) = (scanner.peek(), scanner.at);
        let variables = match word {
            "session" | "initialization" => &mut session,
            "branch" => &mut branch,
            "on" | "action" => {
                let names = branch.iter().map(|(name, _): &(String, Formula)| name.clone());
                let reader = Reader { branch: names.collect() };
                scanner.at += word.len();
                let trigger = match word {
                    "on" => trigger(&mut scanner)?,
                    _ => Trigger::Action(scanner.name("the name of an action")?.text),
                };
                let statements = reader.block(&mut scanner, DEEPEST)?;
                reactions.push(Reaction { trigger, statements, at });
                continue;
            }
            _ => {
                let known = ["on", "action", "session", "branch"];
                let (found, hint) = (scanner.found(), did_you_mean(word, known));
                return scanner.error(format!(
                    "on, action, session or branch was expected here, and {found}{hint}"
                ));
            }
        };
        scanner.at += word.len();
        let mut inside = scanner.bracketed("{", '}')?;
        while !inside.is_end() {
            let name = inside.name("a variable")?;
            inside.expect("=")?;
            let (text, at) = line(&mut inside)?;
            variables.push((name.text, Formula::parse(text, at)?));
            while inside.take(";") {}
        }
    }
    let (name, text) = (String::new(), String::new());
    Ok(Scenario { name, text, session, branch, reactions })
}

/// When: `entering non-accepting state`, `leaving state ready`, `moving`.
fn trigger(scanner: &mut Scanner<'_>) -> Checked<Trigger> {
    let word = scanner.name("entering, leaving or moving")?;
    let known = ["entering", "leaving", "moving"];
    if !known.contains(&word.text.as_str()) {
        let hint = did_you_mean(&word.text, known);
        return mistake(word.at, format!("a scenario reacts on entering, leaving or moving{hint}"));
    }
    let _ = scanner.keyword("to") || scanner.keyword("any");
    let which = match scanner.peek_annotation() {
        "" => Which::Any,
        "accepting" => {
            scanner.at += "accepting".len();
            Which::Accepting
        }
        "non-accepting" => {
            scanner.at += "non-accepting".len();
            Which::NonAccepting
        }
        "state" => {
            scanner.keyword("state");
            match scanner.peek().is_empty() {
                true => Which::Any,
                false => Which::Named(scanner.name("the name of a state")?.text),
            }
        }
        _ => Which::Named(scanner.name("the name of a state")?.text),
    };
    scanner.keyword("state");
    Ok(match word.text.as_str() {
        "entering" => Trigger::Entering(which),
        "leaving" => Trigger::Leaving(which),
        _ => Trigger::Moving(which),
    })
}

impl Reader {
    /// Statements in braces.
    fn block(&self, scanner: &mut Scanner<'_>, depth: usize) -> Checked<Vec<Statement>> {
        scanner.skip();
        let Some(depth) = depth.checked_sub(1) else {
            return scanner.error("this is nested too deeply");
        };
        let mut inside = scanner.bracketed("{", '}')?;
        let mut found = Vec::new();
        loop {
            while inside.take(";") {}
            if inside.is_end() {
                return Ok(found);
            }
            let line = inside.text[..inside.at].matches('\n').count() as u32 + 1;
            let kind = self.statement(&mut inside, depth)?;
            found.push(Statement { line, kind });
        }
    }

    fn statement(&self, scanner: &mut Scanner<'_>, depth: usize) -> Checked<StatementKind> {
        match scanner.peek() {
            "if" => {
                scanner.keyword("if");
                return self.condition(scanner, depth);
            }
            word @ ("while" | "for" | "loop") => {
                return scanner.error(format!(
                    "there are no loops here, so no {word}: a reaction has to end"
                ));
            }
            _ => {}
        }
        let before = scanner.clone();
        let word = scanner.peek();
        scanner.at += word.len();
        let sets = !word.is_empty() && {
            let rest = scanner.rest().trim_start_matches([' ', '\t']);
            rest.starts_with('=') && !rest.starts_with("==")
        };
        if sets {
            scanner.expect("=")?;
            let variable = word.to_owned();
            let scope = match self.branch.contains(&variable) {
                true => Scope::Branch,
                false => Scope::Session,
            };
            if let Some(action) = self.call(scanner, depth)? {
                return Ok(StatementKind::SetToResult { variable, scope, action });
            }
            let (text, at) = line(scanner)?;
            return Ok(StatementKind::Set { variable, scope, value: Formula::parse(text, at)? });
        }
        *scanner = before;
        if let Some(action) = self.call(scanner, depth)? {
            return Ok(StatementKind::Do(action));
        }
        self.command(scanner, depth).map(StatementKind::Do)
    }

    fn condition(&self, scanner: &mut Scanner<'_>, depth: usize) -> Checked<StatementKind> {
        scanner.skip();
        let at = scanner.at;
        let text = scanner.until(&['{'])?;
        let condition = Formula::parse(text, at)?;
        let then = self.block(scanner, depth)?;
        let otherwise = match scanner.keyword("else") {
            true if scanner.peek() == "if" => {
                let line = scanner.text[..scanner.at].matches('\n').count() as u32 + 1;
                scanner.keyword("if");
                let Some(depth) = depth.checked_sub(1) else {
                    return scanner.error("this is nested too deeply");
                };
                vec![Statement { line, kind: self.condition(scanner, depth)? }]
            }
            true => self.block(scanner, depth)?,
            false => Vec::new(),
        };
        Ok(StatementKind::If { condition, then, otherwise })
    }

    /// An action that is called like a function, if one comes next.
    fn call(&self, scanner: &mut Scanner<'_>, depth: usize) -> Checked<Option<Action>> {
        let mut ahead = scanner.clone();
        let name = ahead.peek();
        ahead.at += name.len();
        if name.is_empty() || !ahead.rest().starts_with('(') {
            return Ok(None);
        }
        let mut inside = ahead.bracketed("(", ')')?;
        // What goes on after it is an expression or a line, no call.
        let rest = ahead.rest().trim_start_matches([' ', '\t']);
        let ends = rest.is_empty() || rest.starts_with(['\n', '\r', ';', '{', '#']);
        if !ends && !rest.starts_with("//") {
            return Ok(None);
        }
        let mut arguments = Vec::new();
        while !inside.is_end() {
            let at = inside.at;
            arguments.push(Formula::parse(inside.until(&[','])?, at)?);
            if !inside.is_end() {
                inside.expect(",")?;
            }
        }
        let name = name.to_owned();
        *scanner = ahead;
        let handled = rest.starts_with('{');
        let handler = if handled { Some(self.block(scanner, depth)?) } else { None };
        Ok(Some(Action { what: What::Call { name, arguments }, handler }))
    }

    /// A line of the terminal's language; what follows `do` is a handler.
    fn command(&self, scanner: &mut Scanner<'_>, depth: usize) -> Checked<Action> {
        let (text, at) = line(scanner)?;
        let (text, handler) = match text.split_once(" do {") {
            Some((text, _)) => {
                scanner.at = at + text.len() + " do ".len();
                (text, Some(self.block(scanner, depth)?))
            }
            None => (text, None),
        };
        let mut pieces = Vec::new();
        let (mut rest, mut place) = (text, at);
        while let Some(open) = rest.find('{') {
            if open > 0 {
                pieces.push(Piece::Text(rest[..open].to_owned()));
            }
            let mut inside = Scanner { text: scanner.text, at: place + open, end: at + text.len() };
            let mut value = inside.bracketed("{", '}')?;
            let (start, end) = (value.at, value.end);
            value.skip();
            pieces.push(Piece::Value(Formula::parse(&scanner.text[start..end], start)?));
            (place, rest) = (inside.at, &scanner.text[inside.at..at + text.len()]);
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Action { what: What::Command(pieces), handler })
    }
}

/// What is left of a line, up to `;`, outside of brackets.
fn line<'a>(scanner: &mut Scanner<'a>) -> Checked<(&'a str, usize)> {
    scanner.skip();
    let at = scanner.at;
    let text = scanner.until(&['\n', ';'])?;
    let text = text.find(" //").map_or(text, |comment| &text[..comment]).trim_end();
    Ok((text, at))
}
