//! Code of guards and blocks: what is set, asked and returned. There are no loops and no calls, so
//! that all of it ends.

use mw_source::{EvaluateError, Expression, Names, Operator, Tree};

use super::{Name, Scanner};
use crate::error::{Checked, mistake};

/// An expression and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub tree: Tree,
    pub at: usize,
    pub text: String,
}

impl Written {
    /// Where a name is in it.
    pub fn place(&self, name: &str) -> usize {
        let is_word = |next: char| next.is_alphanumeric() || next == '_' || next == '$';
        let whole = |at: &usize| {
            let (before, after) = (&self.text[..*at], &self.text[*at + name.len()..]);
            !before.ends_with(is_word) && !after.starts_with(is_word)
        };
        let mut places = self.text.match_indices(name).map(|(at, _)| at);
        self.at + places.find(whole).unwrap_or(0)
    }
}

/// A part of code.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Set {
        variable: Name,
        value: Written,
    },
    If {
        condition: Written,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// What a guard says; without a value, that nothing happens.
    Return {
        value: Option<Written>,
        at: usize,
    },
}

impl Statement {
    /// Where it is written.
    pub fn at(&self) -> usize {
        match self {
            Statement::Set { variable, .. } => variable.at,
            Statement::If { condition, .. } => condition.at,
            Statement::Return { at, .. } => *at,
        }
    }
}

/// What a name is followed by where it is set.
const SETTING: [(&str, Option<Operator>); 6] = [
    ("+=", Some(Operator::Add)),
    ("-=", Some(Operator::Subtract)),
    ("*=", Some(Operator::Multiply)),
    ("/=", Some(Operator::Divide)),
    ("%=", Some(Operator::Remainder)),
    ("=", None),
];

impl<'a> Scanner<'a> {
    /// Code in braces.
    pub fn code(&mut self) -> Checked<Vec<Statement>> {
        self.bracketed("{", '}')?.statements()
    }

    /// All that is left, as code.
    pub fn statements(mut self) -> Checked<Vec<Statement>> {
        let mut found = Vec::new();
        loop {
            while self.take(";") {}
            if self.is_end() {
                return Ok(found);
            }
            found.push(self.statement()?);
        }
    }

    fn statement(&mut self) -> Checked<Statement> {
        let (word, at) = (self.peek(), self.at);
        match word {
            "if" => {
                self.keyword("if");
                return self.condition();
            }
            "return" => {
                self.keyword("return");
                // What is returned is on the same line.
                let line = self.rest();
                let nothing = line.trim_start_matches([' ', '\t']).starts_with(['\n', ';'])
                    || line.trim().is_empty()
                    || self.keyword("none")
                    || self.keyword("None");
                let value = if nothing { None } else { Some(self.expression_statement()?) };
                return Ok(Statement::Return { value, at });
            }
            "while" | "for" | "loop" | "do" => {
                return mistake(
                    at,
                    format!(
                        "there are no loops here, so no {word}: what a guard \
                    or block does has to end"
                    ),
                );
            }
            _ => {}
        }
        let before = self.clone();
        let variable = self.name("something that is set, if or return");
        if let Ok(variable) = variable {
            for step in ["++", "--"] {
                if self.take(step) {
                    let one = Box::new(Tree::Integer(1));
                    let operator = if step == "++" { Operator::Add } else { Operator::Subtract };
                    let own = Box::new(Tree::Name(variable.text.clone()));
                    let tree = Tree::Binary(operator, own, one);
                    let text = format!("{} {operator} 1", variable.text);
                    let value = Written { tree, at, text };
                    return Ok(Statement::Set { variable, value });
                }
            }
            for (text, operator) in SETTING {
                if self.rest().trim_start().starts_with("==") || !self.take(text) {
                    continue;
                }
                let mut value = self.expression_statement()?;
                if let Some(operator) = operator {
                    let own = Box::new(Tree::Name(variable.text.clone()));
                    value.text = format!("{} {operator} {}", variable.text, value.text);
                    value.tree = Tree::Binary(operator, own, Box::new(value.tree));
                }
                return Ok(Statement::Set { variable, value });
            }
        }
        *self = before;
        // A guard may be an expression alone.
        let value = self.expression_statement()?;
        Ok(Statement::Return { value: Some(value), at })
    }

    fn condition(&mut self) -> Checked<Statement> {
        let condition = self.expression(&['{'])?;
        let then = self.code()?;
        let otherwise = match self.keyword("else") {
            true if self.peek() == "if" => {
                self.keyword("if");
                vec![self.condition()?]
            }
            true => self.code()?,
            false => Vec::new(),
        };
        Ok(Statement::If { condition, then, otherwise })
    }

    /// An expression that ends with `;`, with the code, or with a line after which another
    /// statement begins.
    fn expression_statement(&mut self) -> Checked<Written> {
        self.skip();
        let start = self.at;
        let all = self.until(&[';'])?;
        let mut length = all.len();
        for (newline, _) in all.match_indices('\n') {
            let (line, next) = (all[..newline].trim_end(), all[newline..].trim_start());
            let goes_on = line.ends_with(|last| "+-*/%<>=&|^!~([,".contains(last))
                || line.ends_with(" and")
                || line.ends_with(" or")
                || next.is_empty()
                || next.starts_with(|first| "+-*/%<>=&|^)].".contains(first))
                || next.starts_with("and ")
                || next.starts_with("or ");
            let open = line.matches(['(', '[']).count() > line.matches([')', ']']).count();
            if !goes_on && !open {
                length = newline;
                break;
            }
        }
        let mut part = Scanner { text: self.text, at: start, end: start + length };
        let written = part.expression(&[])?;
        self.at = start + length;
        Ok(written)
    }

    /// An expression up to one of these characters.
    pub fn expression(&mut self, ends: &[char]) -> Checked<Written> {
        self.skip();
        let at = self.at;
        let text = self.until(ends)?;
        // Comments are none of it.
        let text = text.find("//").map_or(text, |comment| &text[..comment]).trim_end();
        parse(text, at)
    }
}

/// Reads an expression that is at some place. Nothing is known of its names yet.
pub(crate) fn parse(text: &str, at: usize) -> Checked<Written> {
    let joined = join_arguments(text);
    match Expression::parse(&joined, &Names::default()) {
        Ok(expression) => {
            let tree = expression.tree().clone();
            Ok(Written { tree, at, text: text.trim().to_owned() })
        }
        Err(EvaluateError::Syntax { message, position }) => mistake(at + position, message),
        Err(error) => mistake(at, error.to_string()),
    }
}

/// `arg 0` as one word of the same length, so that it is a name like any other.
fn join_arguments(text: &str) -> String {
    let mut joined = text.as_bytes().to_vec();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    for (at, _) in text.match_indices("arg") {
        let blanks = text[at + 3..].bytes().take_while(|byte| *byte == b' ').count();
        let after = text.as_bytes().get(at + 3 + blanks);
        let starts = at == 0 || !is_word(text.as_bytes()[at - 1]);
        if starts && blanks > 0 && after.is_some_and(u8::is_ascii_digit) {
            joined[at + 3..at + 3 + blanks].fill(b'$');
        }
    }
    String::from_utf8(joined).unwrap_or_else(|_| text.to_owned())
}

/// The argument that a name means, if it does.
pub(crate) fn argument(name: &str) -> Option<u16> {
    let rest = name.strip_prefix("arg")?;
    rest.starts_with('$').then(|| rest.trim_start_matches('$').parse().ok())?
}
