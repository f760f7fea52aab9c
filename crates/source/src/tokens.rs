//! A text as tokens with matched brackets. Comments are left out; a string is one token.

use std::ops::Range;

/// A token is just its text.
pub(crate) type Token<'a> = &'a str;

/// Operators of more than one character, so that `<=` is not taken for an assignment; longest
/// first.
const OPERATORS: [&str; 29] = [
    "<<=", ">>=", "===", "!==", "**=", "..=", "==", "!=", "<=", ">=", "=>", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "&&", "||", "??", "?.", "::", "->", "++", "--", "<<", "..",
];

/// The tokens of a text.
pub(crate) struct Tokens<'a> {
    text: &'a str,
    spans: Vec<Range<usize>>,
    /// For each token the bracket that it belongs to, if it is one and has one.
    partners: Vec<Option<usize>>,
}

impl<'a> Tokens<'a> {
    /// Splits a text. With a preprocessor, a line that begins with `#` is none of the program.
    pub fn new(text: &'a str, preprocessor: bool) -> Self {
        let mut spans = Vec::new();
        let mut at = 0;
        let mut line_begins = true;
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            let (length, is_token) = match first {
                '\n' => (1, false),
                _ if first.is_whitespace() => (first.len_utf8(), false),
                '#' if preprocessor && line_begins => (line_length(rest), false),
                _ if rest.starts_with("//") => (line_length(rest), false),
                _ if rest.starts_with("/*") => {
                    (rest[2..].find("*/").map_or(rest.len(), |end| end + 4), false)
                }
                '"' | '`' => (quoted_length(rest, first), true),
                '\'' => (character_length(rest), true),
                _ if is_word(first) => {
                    (rest.find(|next| !is_word(next)).unwrap_or(rest.len()), true)
                }
                _ => {
                    let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
                    (operator.map_or(first.len_utf8(), |operator| operator.len()), true)
                }
            };
            if is_token {
                spans.push(at..at + length);
            }
            line_begins = first == '\n' || (line_begins && !is_token);
            at += length;
        }
        let partners = partners(text, &spans);
        Tokens { text, spans, partners }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// A token that is there.
    pub fn text(&self, index: usize) -> Token<'a> {
        &self.text[self.spans[index].clone()]
    }

    /// A token, unless the text has ended.
    pub fn get(&self, index: usize) -> Option<Token<'a>> {
        self.spans.get(index).map(|span| &self.text[span.clone()])
    }

    /// Where a token begins in the text.
    pub fn start(&self, index: usize) -> usize {
        self.spans[index].start
    }

    /// Where a token ends in the text.
    pub fn end(&self, index: usize) -> usize {
        self.spans[index].end
    }

    /// The text of some tokens with all that is between them; nothing, if there is no token.
    pub fn between(&self, tokens: Range<usize>) -> Option<&'a str> {
        let spans = self.spans.get(tokens)?;
        Some(&self.text[spans.first()?.start..spans.last()?.end])
    }

    /// The bracket that closes this one.
    pub fn closing(&self, index: usize) -> Option<usize> {
        self.partners[index].filter(|partner| *partner > index)
    }

    /// The bracket that opens this one.
    pub fn opening(&self, index: usize) -> Option<usize> {
        self.partners[index].filter(|partner| *partner < index)
    }
}

/// How many open brackets are looked through for the one that a stray bracket may close.
const REACH: usize = 16;

/// Matches brackets. One that does not fit closes all that were opened since its own.
fn partners(text: &str, spans: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; spans.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (index, span) in spans.iter().enumerate() {
        let opening = match &text[span.clone()] {
            opening @ ("(" | "[" | "{") => {
                open.push((index, opening));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        let reach = open.len().saturating_sub(REACH);
        if let Some(found) = open[reach..].iter().rposition(|(_, other)| *other == opening) {
            let partner = open[reach + found].0;
            open.truncate(reach + found);
            partners[index] = Some(partner);
            partners[partner] = Some(index);
        }
    }
    partners
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// A string ends with its quote; one that is never closed, with its line.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '\n' if quote != '`' => return at,
            _ if character == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// `'a'` and `'text'` are quoted, `'a` is the name of a lifetime.
fn character_length(rest: &str) -> usize {
    let lifetime = rest[1..].find(|next| !is_word(next)).unwrap_or(rest.len() - 1);
    let quoted = rest[1 + lifetime..].starts_with('\'');
    if lifetime > 0 && !quoted { 1 + lifetime } else { quoted_length(rest, '\'') }
}
