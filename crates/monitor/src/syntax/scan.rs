//! The words and brackets of a property.

use super::Name;
use crate::error::{Checked, did_you_mean, mistake};

/// A place in the text of a property.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    pub text: &'a str,
    pub at: usize,
    /// Where the part of the text ends that is read.
    pub end: usize,
}

fn is_word(next: char) -> bool {
    next.is_alphanumeric() || next == '_' || next == '$'
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0, end: text.len() }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// Goes on to what comes next: blanks and comments mean nothing.
    pub fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            let rest = &rest[blanks..];
            let comment = match rest {
                _ if rest.starts_with("//") || rest.starts_with('#') => {
                    rest.find('\n').unwrap_or(rest.len())
                }
                _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                _ => 0,
            };
            self.at += blanks + comment;
            if comment == 0 {
                return;
            }
        }
    }

    pub fn is_end(&mut self) -> bool {
        self.skip();
        self.at >= self.end
    }

    pub fn error<T>(&mut self, message: impl Into<String>) -> Checked<T> {
        self.skip();
        mistake(self.at, message)
    }

    /// What comes next, for messages.
    pub fn found(&mut self) -> String {
        self.skip();
        let rest = self.rest();
        let word = &rest[..rest.find(|next| !is_word(next)).unwrap_or(rest.len())];
        match (word, rest.chars().next()) {
            (_, None) => "the text ends".to_owned(),
            ("", Some(other)) => format!("there is {other}"),
            (word, _) => format!("there is {word}"),
        }
    }

    pub fn take(&mut self, wanted: &str) -> bool {
        self.skip();
        let taken = self.rest().starts_with(wanted);
        self.at += if taken { wanted.len() } else { 0 };
        taken
    }

    pub fn expect(&mut self, wanted: &str) -> Checked<()> {
        match self.take(wanted) {
            true => Ok(()),
            false => {
                let found = self.found();
                self.error(format!("{wanted} was expected here, and {found}"))
            }
        }
    }

    /// The word that comes next.
    pub fn peek(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        &rest[..rest.find(|next| !is_word(next)).unwrap_or(rest.len())]
    }

    /// The word that comes next, which may have a `-` in it.
    pub fn peek_annotation(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        &rest[..rest.find(|next| !is_word(next) && next != '-').unwrap_or(rest.len())]
    }

    pub fn peek_keyword(&mut self, words: &[&str]) -> bool {
        words.contains(&self.peek())
    }

    pub fn keyword(&mut self, wanted: &str) -> bool {
        let found = self.peek() == wanted;
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    pub fn expect_keyword(&mut self, wanted: &str) -> Checked<()> {
        if self.keyword(wanted) {
            return Ok(());
        }
        let word = self.peek();
        let found = self.found();
        let hint = did_you_mean(word, [wanted]);
        self.error(format!("{wanted} was expected here, and {found}{hint}"))
    }

    /// A name.
    pub fn name(&mut self, what: &str) -> Checked<Name> {
        let text = self.peek();
        let at = self.at;
        if text.is_empty() || text.starts_with(|first: char| first.is_ascii_digit()) {
            let found = self.found();
            return self.error(format!("{what} was expected here, and {found}"));
        }
        self.at += text.len();
        Ok(Name { text: text.to_owned(), at })
    }

    /// A whole number.
    pub fn number(&mut self, what: &str) -> Checked<u64> {
        let text = self.peek();
        let digits = text.replace('_', "");
        match digits.parse() {
            Ok(number) => {
                self.at += text.len();
                Ok(number)
            }
            Err(_) => {
                let found = self.found();
                self.error(format!("{what} was expected here, and {found}"))
            }
        }
    }

    /// Whether what comes next is on another line than what was before.
    pub fn at_new_line(&mut self) -> bool {
        let before = self.at;
        self.skip();
        self.text[before..self.at].contains('\n')
    }

    /// The text up to one of some characters outside of brackets and texts, without that one.
    pub fn until(&mut self, ends: &[char]) -> Checked<&'a str> {
        let found = self.before(|rest, _| rest.starts_with(ends))?;
        Ok(found.unwrap_or_else(|| {
            let rest = self.rest();
            self.at = self.end;
            rest
        }))
    }

    /// The text up to one of some words outside of brackets and texts, if one is there.
    pub fn up_to(&mut self, words: &[&str]) -> Checked<Option<&'a str>> {
        self.before(|rest, last| {
            let is_word_end = |word: &&str| !rest[word.len()..].starts_with(is_word);
            !last.is_some_and(is_word)
                && words.iter().filter(|word| rest.starts_with(**word)).any(is_word_end)
        })
    }

    /// The text up to where something ends it, outside of brackets and texts. Without an end, the
    /// place stays as it is.
    fn before(&mut self, ends: impl Fn(&str, Option<char>) -> bool) -> Checked<Option<&'a str>> {
        self.skip();
        let (start, rest) = (self.at, self.rest());
        let mut open: Vec<(char, usize)> = Vec::new();
        let mut characters = rest.char_indices();
        let mut last = None;
        while let Some((at, next)) = characters.next() {
            if open.is_empty() && ends(&rest[at..], last) {
                self.at = start + at;
                return Ok(Some(&rest[..at]));
            }
            last = Some(next);
            match next {
                '"' => loop {
                    match characters.next() {
                        Some((_, '"')) => break,
                        Some((_, '\\')) => drop(characters.next()),
                        Some(_) => {}
                        None => return mistake(start + at, "this text has no end"),
                    }
                },
                '(' | '[' | '{' => open.push((next, start + at)),
                ')' | ']' | '}' => {
                    let opening = match next {
                        ')' => '(',
                        ']' => '[',
                        _ => '{',
                    };
                    match open.pop() {
                        Some((opened, _)) if opened == opening => {}
                        Some((opened, at)) => {
                            return mistake(at, format!("this {opened} is never closed"));
                        }
                        None => {
                            let why = format!("nothing is open that {next} closes");
                            return mistake(start + at, why);
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some((opened, at)) = open.pop() {
            return mistake(at, format!("this {opened} is never closed"));
        }
        Ok(None)
    }

    /// What is in brackets, as a part of the text; the bracket that opens it comes next.
    pub fn bracketed(&mut self, open: &str, close: char) -> Checked<Scanner<'a>> {
        self.expect(open)?;
        let opened = self.at - open.len();
        let start = self.at;
        self.until(&[close])?;
        if self.at >= self.end {
            return mistake(opened, format!("this {open} is never closed"));
        }
        let inside = Scanner { text: self.text, at: start, end: self.at };
        self.at += close.len_utf8();
        Ok(inside)
    }
}
