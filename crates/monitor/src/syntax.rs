//! A property as it is written, by its parts. Places are bytes of the text.

pub(crate) mod code;
pub(crate) mod event;
pub(crate) mod scan;
mod short;
pub(crate) mod state;

pub(crate) use code::{Statement, Written};
pub(crate) use event::{AccessKind, EventSyntax, How, Kind};
pub(crate) use scan::Scanner;
pub(crate) use state::{BlockSyntax, StateSyntax, TransitionSyntax};

use crate::error::Checked;

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub text: String,
    pub at: usize,
}

/// All of a property.
#[derive(Clone, Debug, Default)]
pub(crate) struct Syntax {
    pub slice_on: Vec<Name>,
    pub initialization: Vec<Statement>,
    pub states: Vec<StateSyntax>,
}

/// Reads a property.
pub(crate) fn parse(text: &str) -> Checked<Syntax> {
    let mut scanner = Scanner::new(text);
    let mut syntax = Syntax::default();
    if scanner.keyword("slice") {
        scanner.expect_keyword("on")?;
        loop {
            syntax.slice_on.push(scanner.name("the name of a parameter")?);
            // One line, or commas.
            let line_ends = scanner.at_new_line();
            if !scanner.take(",") && (line_ends || scanner.is_end()) {
                break;
            }
        }
    }
    if !scanner.is_end() && !scanner.peek_keyword(&["initialization", "state"]) {
        syntax.short(scanner)?;
        return Ok(syntax);
    }
    if scanner.keyword("initialization") {
        syntax.initialization = scanner.code()?;
    }
    while !scanner.is_end() {
        scanner.expect_keyword("state")?;
        syntax.states.push(scanner.state()?);
    }
    Ok(syntax)
}
