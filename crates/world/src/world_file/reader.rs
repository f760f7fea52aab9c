//! Reading TOML so that every mistake can be reported with its line.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::WorldFileError;
use crate::domain::Number;

/// The text that is read.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) file: &'a str,
    /// Where lines end in the text, so that finding one does not take reading all before it.
    pub(super) line_ends: &'a [usize],
}

/// The offsets at which the lines of a text end.
pub(super) fn line_ends(text: &str) -> Vec<usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset).collect()
}

impl Document<'_> {
    /// The line that an offset is in, counted from 1.
    fn line(&self, offset: usize) -> usize {
        self.line_ends.partition_point(|end| *end < offset) + 1
    }

    fn error_at(
        &self,
        offset: usize,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> WorldFileError {
        WorldFileError {
            file: self.file.to_owned(),
            line: self.line(offset),
            problem: problem.into(),
            help: help.into(),
        }
    }

    /// The text is not TOML.
    pub(super) fn broken(&self, error: &toml::de::Error) -> WorldFileError {
        let offset = error.span().map_or(0, |span| span.start);
        let problem = format!("this is not TOML: {}", error.message().replace('\n', ", "));
        self.error_at(offset, problem, "compare with the example in the guide to world files")
    }
}

/// A value in the document.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    document: Document<'a>,
    value: &'a DeValue<'a>,
    offset: usize,
}

impl<'a> Node<'a> {
    fn new(document: Document<'a>, value: &'a Spanned<DeValue<'a>>) -> Node<'a> {
        Node { document, value: value.get_ref(), offset: value.span().start }
    }

    pub(super) fn error(
        self,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> WorldFileError {
        self.document.error_at(self.offset, problem, help)
    }

    fn wanted(self, what: &str, kind: &str) -> WorldFileError {
        let problem = format!("{what} is {}", article(self.value.type_str()));
        self.error(problem, format!("write {}", article(kind)))
    }

    /// File and line, for people.
    pub(super) fn origin(self) -> String {
        format!("{}:{}", self.document.file, self.document.line(self.offset))
    }

    pub(super) fn as_string(self) -> Option<&'a str> {
        self.value.as_str()
    }

    pub(super) fn string(self, what: &str) -> Result<&'a str, WorldFileError> {
        self.as_string().ok_or_else(|| self.wanted(what, "string"))
    }

    pub(super) fn number(self) -> Option<Number> {
        match self.value {
            DeValue::Integer(v) => {
                i64::from_str_radix(v.as_str(), v.radix()).ok().map(Number::Integer)
            }
            DeValue::Float(v) => v.as_str().parse().ok().map(Number::Float),
            _ => None,
        }
    }

    pub(super) fn integer(self, what: &str) -> Result<i64, WorldFileError> {
        match self.number() {
            Some(Number::Integer(v)) => Ok(v),
            _ => Err(self.wanted(what, "whole number")),
        }
    }

    pub(super) fn between(self, low: i64, high: i64) -> Result<i64, WorldFileError> {
        let value = self.integer("this")?;
        match (low..=high).contains(&value) {
            true => Ok(value),
            false => Err(self.error(
                format!("{value} is out of range"),
                format!("write a number from {low} to {high}"),
            )),
        }
    }

    pub(super) fn as_list(self) -> Option<Vec<Node<'a>>> {
        let items = self.value.as_array()?;
        Some(items.iter().map(|item| Node::new(self.document, item)).collect())
    }

    pub(super) fn list(self, what: &str) -> Result<Vec<Node<'a>>, WorldFileError> {
        self.as_list().ok_or_else(|| self.wanted(what, "list"))
    }

    pub(super) fn as_entries(self) -> Option<Vec<(&'a str, Node<'a>)>> {
        let table = self.value.as_table()?;
        let entry = |(key, value): (&'a Spanned<_>, _)| {
            let key: &std::borrow::Cow<'a, str> = key.get_ref();
            (&**key, Node::new(self.document, value))
        };
        Some(table.iter().map(entry).collect())
    }

    pub(super) fn entries(self, what: &str) -> Result<Vec<(&'a str, Node<'a>)>, WorldFileError> {
        self.as_entries().ok_or_else(|| self.wanted(what, "table"))
    }

    /// A table with these keys at most.
    pub(super) fn fields(self, what: &str, keys: &[&str]) -> Result<Fields<'a>, WorldFileError> {
        let table = self.value.as_table().ok_or_else(|| self.wanted(what, "table"))?;
        let mut fields = Fields::new(self.document, table, what, keys)?;
        fields.offset = self.offset;
        Ok(fields)
    }
}

/// A table whose keys are known.
pub(super) struct Fields<'a> {
    document: Document<'a>,
    table: &'a DeTable<'a>,
    what: String,
    offset: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        document: Document<'a>,
        table: &'a DeTable<'a>,
        what: &str,
        keys: &[&str],
    ) -> Result<Fields<'a>, WorldFileError> {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !keys.contains(&name) {
                return Err(document.error_at(
                    key.span().start,
                    format!("{what} has no key {name:?}"),
                    format!("the keys are {}", keys.join(", ")),
                ));
            }
        }
        Ok(Fields { document, table, what: what.to_owned(), offset: 0 })
    }

    pub(super) fn get(&self, key: &str) -> Option<Node<'a>> {
        self.table.get(key).map(|value| Node::new(self.document, value))
    }

    pub(super) fn require(&self, key: &str) -> Result<Node<'a>, WorldFileError> {
        self.get(key).ok_or_else(|| {
            self.error(format!("{} has no {key}", self.what), format!("add {key} = …"))
        })
    }

    /// Refuses keys that mean nothing here.
    pub(super) fn forbid(&self, keys: &[&str], reason: &str) -> Result<(), WorldFileError> {
        match keys.iter().find_map(|key| Some((key, self.get(key)?))) {
            None => Ok(()),
            Some((key, node)) => {
                Err(node.error(format!("{} has a {key}, but {reason}", self.what), "remove it"))
            }
        }
    }

    pub(super) fn error(
        &self,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> WorldFileError {
        self.document.error_at(self.offset, problem, help)
    }
}

fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}
