//! What a program asks where it branches: the condition of an `if`, `while`, `for`, `switch`,
//! `match` or `?:`, and the value of a `case`.
//!
//! This reads the text, not the language: brackets, strings and comments are told apart, nothing
//! more. It is meant for languages that look like C, and for Rust; where it finds nothing, the
//! line is all there is to say.

use std::ops::Range;

use crate::tokens::{Token, Tokens};

/// Tokens that a header can have: more than people write, less than it takes to waste time on a
/// text that is none.
const LONGEST: usize = 300;

/// The part of a statement that decides what is executed next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// From its keyword to the end of what decides.
    pub span: Range<usize>,
    /// What decides.
    pub text: String,
}

/// The headers in a text, in the order of their beginnings.
pub(crate) fn headers(text: &str, path: &str) -> Vec<Header> {
    let bare = path.ends_with(".rs") || path.ends_with(".go") || path.ends_with(".swift");
    let tokens = Tokens::new(text, !path.ends_with(".rs"));
    let mut headers: Vec<Header> = (0..tokens.len())
        .filter_map(|index| header_at(&tokens, index, bare))
        .filter(|header| !header.text.is_empty())
        .collect();
    headers.sort_by_key(|header| header.span.start);
    headers
}

/// What decides at a position of the text: the innermost header around it.
pub(crate) fn innermost(headers: &[Header], position: usize) -> Option<&Header> {
    let before = headers.partition_point(|header| header.span.start <= position);
    // Headers nest, so the innermost is the last that has not ended.
    headers[..before].iter().rev().find(|header| position < header.span.end)
}

/// The header whose keyword or question mark is this token. `bare` languages need no parentheses.
fn header_at(tokens: &Tokens<'_>, index: usize, bare: bool) -> Option<Header> {
    // A member that is called like a keyword is none.
    if index > 0 && matches!(tokens.text(index - 1), "." | "->" | "::") {
        return None;
    }
    match tokens.text(index) {
        "if" | "while" | "switch" | "match" | "for" if bare => {
            let brace = tokens.next_beside(index + 1, |token| token == "{")?;
            tokens.header(index, index + 1..brace)
        }
        "if" | "while" | "switch" if tokens.get(index + 1)? == "(" => {
            let close = tokens.closing(index + 1)?;
            let header = tokens.header(index, index + 2..close)?;
            Some(Header { span: header.span.start..tokens.end(close), ..header })
        }
        "for" if tokens.get(index + 1)? == "(" => {
            let close = tokens.closing(index + 1)?;
            let semicolon = |from| {
                tokens.next_beside(from, |token| token == ";").filter(|found| *found < close)
            };
            let condition = match semicolon(index + 2) {
                Some(first) => first + 1..semicolon(first + 1)?,
                None => index + 2..close,
            };
            let header = tokens.header(index, condition)?;
            Some(Header { span: header.span.start..tokens.end(close), ..header })
        }
        "case" => {
            let colon = tokens.next_beside(index + 1, |token| token == ":")?;
            tokens.header(index, index..colon)
        }
        "?" if !bare && !matches!(tokens.get(index + 1)?, ":" | ")" | "," | ";") => {
            let start = condition_start(tokens, index);
            let header = tokens.header(start, start..index)?;
            Some(Header { span: header.span.start..tokens.end(index), ..header })
        }
        _ => None,
    }
}

/// The first token of the condition before a question mark.
fn condition_start(tokens: &Tokens<'_>, question: usize) -> usize {
    let mut start = question;
    while let Some(before) = start.checked_sub(1).filter(|at| question - at <= LONGEST) {
        let before = match tokens.opening(before) {
            Some(opening) => opening,
            None if ends_condition(tokens.text(before)) => break,
            None => before,
        };
        start = before;
    }
    start
}

/// Whether a condition cannot go on to the left of this.
fn ends_condition(token: &str) -> bool {
    let assignment =
        token.ends_with('=') && !matches!(token, "==" | "===" | "!=" | "!==" | "<=" | ">=");
    let other = matches!(token, "return" | "?" | ":" | "," | ";" | "=>" | "(" | "[" | "{" | "}");
    assignment || other
}

impl Tokens<'_> {
    /// A header that begins with a token; others decide.
    fn header(&self, keyword: usize, decides: Range<usize>) -> Option<Header> {
        if decides.len() > LONGEST {
            return None;
        }
        let span = self.start(keyword)..self.end(decides.end.checked_sub(1)?);
        let words: Vec<&str> = self.between(decides)?.split_whitespace().collect();
        (span.start < span.end).then(|| Header { span, text: words.join(" ") })
    }

    /// The next token that fulfils a condition, from `index` on, in the same brackets; not beyond
    /// the end of a statement, unless that is what is looked for.
    fn next_beside(&self, mut index: usize, wanted: impl Fn(Token<'_>) -> bool) -> Option<usize> {
        for _ in 0..LONGEST {
            let token = self.get(index)?;
            if wanted(token) {
                return Some(index);
            }
            match token {
                "(" | "[" | "{" => index = self.closing(index)? + 1,
                ")" | "]" | "}" | ";" => return None,
                _ => index += 1,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What decides at `@` in a text.
    #[track_caller]
    fn check(path: &str, marked: &str, expected: Option<&str>) {
        let position = marked.find('@').expect("a position is marked");
        let text = marked.replace('@', "");
        let headers = headers(&text, path);
        let found = innermost(&headers, position).map(|header| header.text.as_str());
        assert_eq!(found, expected, "{marked}");
    }

    #[test]
    fn conditions_are_found_from_anywhere_in_their_header() {
        check("a.ts", "@if (light < THRESHOLD) { on(); }", Some("light < THRESHOLD"));
        check("a.ts", "if (light @< THRESHOLD) { on(); }", Some("light < THRESHOLD"));
        check("a.ts", "if (light < THRESHOLD) { @on(); }", None);
        check("a.c", "while @(more(a, (b)) && !(c))\n  x();", Some("more(a, (b)) && !(c)"));
        check("a.c", "do { x(); } @while (x > 1);", Some("x > 1"));
        check("a.c", "if (a) b(); else if (@c ==\n    /* why */ 1) d();", Some("c == /* why */ 1"));
        check("a.c", "@switch (kind) { case 1: break; }", Some("kind"));
        check("a.c", "switch (kind) { @case A + 1: break; }", Some("case A + 1"));
    }

    #[test]
    fn loops_ask_their_middle_part() {
        check("a.c", "for (int i = 0; @i < n; i++) {}", Some("i < n"));
        check("a.c", "@for (int i = f(1, 2); i < n; i++) {}", Some("i < n"));
        check("a.c", "@for (;;) {}", None);
        check("a.ts", "@for (const x of list) {}", Some("const x of list"));
    }

    #[test]
    fn question_marks_ask_what_is_before_them() {
        check("a.c", "return @a > b ? a : b;", Some("a > b"));
        check("a.c", "int x = f(1) @== 2 ? a : b;", Some("f(1) == 2"));
        check("a.c", "f(a, (b) || c @? d : e)", Some("(b) || c"));
        check("a.c", "x += a ? b : @c ? d : e;", Some("c"));
        check("a.ts", "function f(a@?: i32) {}", None);
        check("a.ts", "a @?? b", None);
        check("a.rs", "let a = b@?;", None);
    }

    #[test]
    fn the_innermost_header_counts() {
        check("a.c", "if (f(a @> 1 ? 2 : 3)) {}", Some("a > 1"));
        check("a.c", "if (@f(a > 1 ? 2 : 3)) {}", Some("f(a > 1 ? 2 : 3)"));
    }

    #[test]
    fn rust_needs_no_parentheses() {
        check("a.rs", "@if light < 3 { x }", Some("light < 3"));
        check("a.rs", "if (a) && @b { x }", Some("(a) && b"));
        check("a.rs", "while let Some(x) = @it.next() {}", Some("let Some(x) = it.next()"));
        check("a.rs", "@match x.kind { 'a' => 1, '{' => 2 }", Some("x.kind"));
        check("a.rs", "fn f<'a>(x: &'a str) { @if x.len() > 1 {} }", Some("x.len() > 1"));
        check("a.rs", "@for x in 0..n {}", Some("x in 0..n"));
    }

    #[test]
    fn strings_and_comments_are_no_code() {
        check("a.c", "x(\"if (@no)\"); // if (no)", None);
        check("a.c", "x(')'); if (@a == '(') {}", Some("a == '('"));
        check("a.c", "/* if (*/ if (@\"\\\")\" == s) {}", Some("\"\\\")\" == s"));
        check("a.c", "#if (@A)\nx();", None);
        check("a.ts", "x(`if (@a) ${b}`);", None);
    }

    #[test]
    fn what_is_no_statement_is_no_header() {
        check("a.ts", "a.if(@b)", None);
        check("a.c", "if @(a", None);
        check("a.c", "@if", None);
        check("a.c", "@? : ) ] }", None);
        check("a.c", "(((@if (((", None);
    }

    #[test]
    fn hostile_texts_take_no_time() {
        for unit in ["if ", "if (", "a ? ", "for (;", "case ", "(", "a"] {
            let close = unit.replace(|other| other != '(', "").replace('(', ")]");
            for path in ["a.c", "a.rs"] {
                headers(&(unit.repeat(100_000) + &close.repeat(100_000)), path);
            }
        }
    }
}
