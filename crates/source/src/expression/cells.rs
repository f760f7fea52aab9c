//! Cells of the machine in an expression: `global 3`, `local x of frame 1`, `i32 @ 1024`,
//! `1024..1030`, and those that have names.

use mw_vm::{Cell, Load};

use super::EvaluateError;
use super::parse::{Parsed, Parser, Tree};

impl<'a> Parser<'a> {
    /// A cell that is not called by a name alone, if there is one.
    pub(super) fn cell(&mut self) -> Parsed<Option<Tree>> {
        let start = self.at;
        let Some(cell) = self.spelled_out() else {
            self.at = start;
            return Ok(None);
        };
        Ok(Some(self.bound(start, cell?)))
    }

    fn spelled_out(&mut self) -> Option<Parsed<Cell>> {
        let names = self.names;
        Some(match self.word()? {
            "global" => {
                let word = self.which()?;
                let global = number(word).or_else(|| names.global(word));
                global.map(Cell::Global).ok_or_else(|| unknown("global", word))
            }
            "local" => {
                let word = self.which()?;
                let depth = match self.keyword("of") && self.keyword("frame") {
                    true => self.natural("the number of a frame was expected"),
                    false => Ok(names.depth),
                };
                depth.and_then(|depth| {
                    let local = number(word).or_else(|| names.local(depth, word));
                    let local = local.ok_or_else(|| unknown("local", word))?;
                    Ok(Cell::Local { depth, local })
                })
            }
            word => {
                let load = Load::named(word).filter(|_| self.take("@"))?;
                let address = self.natural("an address was expected");
                address.map(|address| Cell::Memory { address, load })
            }
        })
    }

    /// A range of memory, of which the beginning has been read.
    pub(super) fn range(&mut self, from: i128) -> Parsed<Tree> {
        self.take("..");
        let to = self.natural("an address was expected")?;
        let from = u32::try_from(from).ok().filter(|from| *from < to);
        let from = from.ok_or_else(|| self.error("the end of a range is after its beginning"))?;
        Ok(Tree::Cell(Cell::bytes(from, to - from)))
    }

    /// A cell whose name has characters in it that names of the source have not, such as
    /// `light-sensor/light`.
    pub(super) fn odd_name(&mut self) -> Option<Tree> {
        let start = self.at;
        let rest = self.rest();
        let first = self.path().unwrap_or_default();
        self.at = start;
        if self.names.is_in_source(&first) {
            return None;
        }
        let is_end = |next: char| next.is_whitespace();
        let words = [run(rest, is_end), run(rest, |next| is_end(next) || OPERATORS.contains(next))];
        let mut longer = words.into_iter().filter(|word| word.len() > first.len());
        let (word, cell) = longer.find_map(|word| Some((word, self.names.cell(word)?)))?;
        self.at += word.len();
        Some(self.bound(start, cell))
    }

    /// Notes where a cell is written.
    pub(super) fn bound(&mut self, start: usize, cell: Cell) -> Tree {
        self.cells.push((start..self.at, cell));
        Tree::Cell(cell)
    }

    /// What is said after `global` or `local`. Nothing, if that is itself a name.
    fn which(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let rest = self.rest();
        let word = match rest.chars().next()? {
            first if first.is_ascii_digit() => self.word()?,
            first if first.is_alphabetic() || "_$~".contains(first) => {
                run(rest, |next| next.is_whitespace() || OPERATORS.contains(next))
            }
            _ => return None,
        };
        if ["and", "or", "as"].contains(&word) {
            return None;
        }
        self.at = self.text.len() - rest.len() + word.len();
        Some(word)
    }

    fn natural(&mut self, expected: &str) -> Parsed<u32> {
        self.skip_blanks();
        let start = self.at;
        let found = self.word().and_then(number);
        found.ok_or_else(|| {
            self.at = start;
            self.error(expected)
        })
    }
}

/// What ends the name of a cell.
const OPERATORS: &str = "=!<>@&|()[]";

/// The beginning of a text.
fn run(text: &str, is_end: impl Fn(char) -> bool) -> &str {
    &text[..text.find(is_end).unwrap_or(text.len())]
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

fn unknown(kind: &str, word: &str) -> EvaluateError {
    EvaluateError::UnknownName(format!("{kind} {word}"))
}
