//! Questions about the past as people write them: events, then what to do with them, after bars.
//!
//! ```text
//! calls foo where arg 0 > 3 | last
//! writes x between 100 and here | count
//! calls malloc | diff calls free
//! lines main.c:12 where x > y | show x, y
//! exists failures
//! ```
//!
//! | events | what they are |
//! |---|---|
//! | `calls [F]`, `returns [F]` | of a function by its name or a pattern with `*`, or of any |
//! | `primitives [P]`, `outputs` | calls of primitives, or of those that act on the outside |
//! | `lines L` | the program comes to a line: `lines 12`, `lines main.c:12`, or a function |
//! | `writes V`, `reads V` | of a variable, a field, `global 3`, `i32 @ 1024`, `1024..1088` |
//! | `growth` | a memory is asked to grow |
//! | `choices`, `turns`, `sends`, `receives` | what was decided, who ran next, messages |
//! | `failures` | traps, aborts, deadlocks |

use crate::error::ApiError;
use crate::notation::{did_you_mean, list, parse_integer};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuerySpec {
    pub about: About,
    pub events: EventsSpec,
    pub stages: Vec<Stage>,
}

/// Which universes it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The one that leads through a place, as text; this one without.
    One(Option<String>),
    /// All of them.
    All,
    /// Whether it happens in any of them, or in all.
    Exists,
    ForAll,
    /// What two of them, by places, do not have in common.
    Compare(String, String),
}

/// Events that are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EventsSpec {
    pub kind: KindSpec,
    /// What they are about: a function, a line, a variable. Empty for all.
    pub target: String,
    /// What has to hold of each.
    pub tests: Vec<String>,
    /// From one place on, before another.
    pub between: Option<(String, String)>,
}

/// What is done with events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Count,
    First(usize),
    Last(usize),
    /// The values of expressions at each.
    Show(Vec<String>),
    /// These as well.
    And(EventsSpec),
    /// Those after which there is none of the others with the same number.
    Diff(EventsSpec),
    /// With the last of these before each, or the next after it.
    With(EventsSpec, bool),
    /// How many there are in each universe.
    ByUniverse,
}

macro_rules! kinds {
    ($($kind:ident $name:literal,)*) => {
        /// A kind of events.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum KindSpec {
            $($kind,)*
        }

        const KINDS: &[(&str, KindSpec)] = &[$(($name, KindSpec::$kind),)*];
    };
}

kinds! {
    Calls "calls",
    Returns "returns",
    Primitives "primitives",
    Outputs "outputs",
    Lines "lines",
    Writes "writes",
    Reads "reads",
    Growth "growth",
    Choices "choices",
    Turns "turns",
    Sends "sends",
    Receives "receives",
    Failures "failures",
}

const STAGES: [&str; 11] =
    ["count", "first", "last", "show", "and", "diff", "with", "by", "where", "between", "in"];

/// A part of the text, with where it begins.
#[derive(Clone, Copy, Debug)]
struct Piece<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Piece<'a> {
    fn trim(self) -> Piece<'a> {
        let trimmed = self.text.trim_start();
        let at = self.at + self.text.len() - trimmed.len();
        Piece { text: trimmed.trim_end(), at }
    }

    /// The first word, and what follows it.
    fn word(self) -> (&'a str, Piece<'a>) {
        let Piece { text, at } = self.trim();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        (&text[..end], Piece { text: &text[end..], at: at + end }.trim())
    }

    /// What comes before a word that stands outside of brackets, and what comes after it.
    fn split_at_word(self, word: &str) -> Option<(Piece<'a>, Piece<'a>)> {
        let bytes = self.text.as_bytes();
        let is_space = |index: usize| bytes.get(index).is_none_or(u8::is_ascii_whitespace);
        let mut nested = 0i32;
        for (index, letter) in self.text.char_indices() {
            nested += i32::from("([{".contains(letter)) - i32::from(")]}".contains(letter));
            let is_here = nested == 0
                && self.text[index..].starts_with(word)
                && (index == 0 || is_space(index - 1))
                && is_space(index + word.len());
            if is_here {
                let after = index + word.len();
                let before = Piece { text: &self.text[..index], at: self.at };
                let rest = Piece { text: &self.text[after..], at: self.at + after };
                return Some((before.trim(), rest.trim()));
            }
        }
        None
    }

    fn wrong(self, help: impl std::fmt::Display) -> ApiError {
        let there = match self.text.is_empty() {
            true => "where it ends".to_owned(),
            false => format!("at `{}`", self.text),
        };
        ApiError::notation(format!(
            "cannot understand the query {there}, after {} letters: {help}",
            self.at
        ))
    }
}

/// Reads a question.
pub(crate) fn read_query(text: &str) -> Result<QuerySpec, ApiError> {
    let whole = Piece { text, at: 0 }.trim();
    let (word, rest) = whole.word();
    let (mut about, rest) = match word {
        "exists" => (About::Exists, rest),
        "forall" => (About::ForAll, rest),
        "compare" => {
            let (first, rest) = rest.word();
            let (second, rest) = rest.word();
            (About::Compare(first.into(), second.into()), rest)
        }
        _ => (About::One(None), whole),
    };
    let mut pieces = between_bars(rest).into_iter();
    let first = pieces.next().unwrap_or(rest);
    let first = match first.split_at_word("in") {
        Some((before, place)) if matches!(about, About::One(_)) => {
            about = match place.text {
                "" => return Err(place.wrong("write `in all`, or `in` and a place of a universe")),
                "all" => About::All,
                place => About::One(Some(place.into())),
            };
            before
        }
        _ => first,
    };
    let mut events = read_events(first)?;
    let mut stages = Vec::new();
    for piece in pieces {
        read_stage(piece, &mut events, &mut stages)?;
    }
    Ok(QuerySpec { about, events, stages })
}

/// The parts between bars; `||` is none.
fn between_bars(piece: Piece<'_>) -> Vec<Piece<'_>> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    let bytes = piece.text.as_bytes();
    let is_bar = |index: usize| bytes.get(index) == Some(&b'|');
    let mut index = 0;
    while index < bytes.len() {
        if is_bar(index) && is_bar(index + 1) {
            index += 1;
        } else if is_bar(index) {
            pieces.push(Piece { text: &piece.text[start..index], at: piece.at + start }.trim());
            start = index + 1;
        }
        index += 1;
    }
    pieces.push(Piece { text: &piece.text[start..], at: piece.at + start }.trim());
    pieces
}

fn read_events(piece: Piece<'_>) -> Result<EventsSpec, ApiError> {
    let names = || KINDS.iter().map(|(name, _)| *name);
    let (word, rest) = piece.word();
    let found =
        KINDS.iter().find(|(name, _)| *name == word || name.strip_suffix('s') == Some(word));
    let Some((_, kind)) = found else {
        let hint = did_you_mean(word, names());
        let known = list(names(), "");
        return Err(piece.wrong(format!("write what to look for first: {known}{hint}")));
    };
    let (rest, between) = match rest.split_at_word("between") {
        Some((before, after)) => (before, Some(read_between(after)?)),
        None => (rest, None),
    };
    // What comes between two places may be said before or after what has to hold.
    let (between, trailing) = match between {
        Some((between, trailing)) => (Some(between), trailing),
        None => (None, None),
    };
    let (target, tests) = match rest.split_at_word("where") {
        Some((target, test)) => (target, vec![needed(test, "write what has to hold: arg 0 > 3")?]),
        None => (rest, Vec::new()),
    };
    let tests = tests.into_iter().chain(trailing).collect();
    Ok(EventsSpec { kind: *kind, target: target.text.into(), tests, between })
}

/// Two places, and what has to hold if that follows.
#[allow(clippy::type_complexity, reason = "it is taken apart at once")]
fn read_between(piece: Piece<'_>) -> Result<((String, String), Option<String>), ApiError> {
    let (places, test) = match piece.split_at_word("where") {
        Some((places, test)) => (places, Some(needed(test, "write what has to hold: arg 0 > 3")?)),
        None => (piece, None),
    };
    let help = "write two places: between start and here";
    let (from, until) = places.split_at_word("and").ok_or_else(|| places.wrong(help))?;
    Ok(((needed(from, help)?, needed(until, help)?), test))
}

fn needed(piece: Piece<'_>, help: &str) -> Result<String, ApiError> {
    match piece.text {
        "" => Err(piece.wrong(help)),
        text => Ok(text.into()),
    }
}

fn read_stage(
    piece: Piece<'_>,
    events: &mut EventsSpec,
    stages: &mut Vec<Stage>,
) -> Result<(), ApiError> {
    let (word, rest) = piece.word();
    let number = || match rest.text {
        "" => Ok(1),
        text => {
            let number = parse_integer(text).and_then(|number| usize::try_from(number).ok());
            number.filter(|number| *number > 0).ok_or_else(|| rest.wrong("write how many: first 3"))
        }
    };
    let alone = |stage: Stage| match rest.text {
        "" => Ok(stage),
        _ => Err(rest.wrong(format!("nothing follows `{word}`; the next step comes after a |"))),
    };
    if stages.iter().any(|stage| matches!(stage, Stage::Count)) {
        return Err(piece.wrong("nothing comes after a number"));
    }
    stages.push(match word {
        "count" => alone(Stage::Count)?,
        "first" => Stage::First(number()?),
        "last" => Stage::Last(number()?),
        "show" => {
            let terms = between_commas(rest.text);
            match terms.is_empty() {
                true => return Err(rest.wrong("write what to show: show x, y")),
                false => Stage::Show(terms),
            }
        }
        "and" => Stage::And(read_events(rest)?),
        "diff" => Stage::Diff(read_events(rest)?),
        "with" => {
            let (which, rest) = rest.word();
            match which {
                "last" => Stage::With(read_events(rest)?, false),
                "next" => Stage::With(read_events(rest)?, true),
                _ => return Err(rest.wrong("write `with last` or `with next`, and events")),
            }
        }
        "by" if rest.text == "universe" => Stage::ByUniverse,
        "by" => return Err(rest.wrong("write `by universe`")),
        "where" | "between" if !stages.is_empty() => {
            return Err(piece.wrong(format!("write `{word}` right after the events")));
        }
        "where" => {
            events.tests.push(needed(rest, "write what has to hold: arg 0 > 3")?);
            return Ok(());
        }
        "between" => {
            let (between, test) = read_between(rest)?;
            events.between = Some(between);
            events.tests.extend(test);
            return Ok(());
        }
        _ => {
            let hint = did_you_mean(word, STAGES);
            let known = STAGES[..8].join(", ");
            return Err(piece.wrong(format!("after a | comes one of: {known}{hint}")));
        }
    });
    Ok(())
}

/// The parts between commas that are in no brackets.
fn between_commas(text: &str) -> Vec<String> {
    let mut nested = 0i32;
    let parts = text.split(|c: char| {
        nested += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        c == ',' && nested == 0
    });
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// A test that compares a number which is part of an event: `arg 0 > 3`, `value != -1`.
pub(crate) struct ComparisonSpec<'a> {
    /// Which argument; what is written, read or returned without.
    pub argument: Option<usize>,
    /// How.
    pub comparison: &'a str,
    /// With what.
    pub number: &'a str,
}

/// Reads a test about a number of the event itself; anything else is an expression.
pub(crate) fn read_comparison(text: &str) -> Option<ComparisonSpec<'_>> {
    let (argument, rest) = match text.strip_prefix("arg ") {
        Some(rest) => {
            let rest = rest.trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            (Some(rest[..end].parse().ok()?), &rest[end..])
        }
        None => (None, text.strip_prefix("value")?),
    };
    let rest = rest.trim();
    let end = rest.find(|c: char| !"=!<>".contains(c)).unwrap_or(rest.len());
    let (comparison, number) = rest.split_at(end);
    (end > 0).then_some(ComparisonSpec { argument, comparison, number: number.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(kind: KindSpec, target: &str) -> EventsSpec {
        EventsSpec { kind, target: target.into(), tests: Vec::new(), between: None }
    }

    #[test]
    fn questions() {
        let read = |text: &str| read_query(text).unwrap();
        let spec = read("calls foo where arg 0 > 3 | last");
        assert_eq!(spec.events.tests, ["arg 0 > 3"]);
        assert_eq!((spec.events.target.as_str(), &*spec.stages), ("foo", &[Stage::Last(1)][..]));
        let spec = read("writes x between 1.2 and here where value > 2 | count");
        assert_eq!(spec.events.between, Some(("1.2".into(), "here".into())));
        assert_eq!(spec.events.tests, ["value > 2"]);
        assert_eq!(spec.stages, [Stage::Count]);
        let spec = read("writes x where a || b between A and B");
        assert_eq!(spec.events.tests, ["a || b"]);
        assert_eq!(spec.events.between, Some(("A".into(), "B".into())));
        let spec = read("call malloc | diff call free | first 2");
        assert_eq!(spec.events, events(KindSpec::Calls, "malloc"));
        let free = events(KindSpec::Calls, "free");
        assert_eq!(spec.stages, [Stage::Diff(free), Stage::First(2)]);
        let spec = read("lines 12 in all | show f(a, b), c | by universe");
        assert_eq!(spec.about, About::All);
        let shown = Stage::Show(vec!["f(a, b)".into(), "c".into()]);
        assert_eq!(spec.stages, [shown, Stage::ByUniverse]);
        assert_eq!(read("exists failures").about, About::Exists);
        let compared = read("compare 1.2 2.3 calls foo");
        assert_eq!(compared.about, About::Compare("1.2".into(), "2.3".into()));
        assert_eq!(compared.events, events(KindSpec::Calls, "foo"));
    }

    #[test]
    fn mistakes_say_where_they_are() {
        for (text, expected) in [
            ("", "where it ends, after 0 letters: write what to look for first"),
            ("cals foo", "at `cals foo`, after 0 letters"),
            ("calls foo | las", "at `las`, after 12 letters"),
            ("calls foo | las", "did you mean last?"),
            ("calls foo | first x", "at `x`, after 18 letters: write how many"),
            ("calls foo | count | last", "nothing comes after a number"),
            ("calls foo where", "where it ends, after 15 letters"),
            ("writes x between 3", "at `3`, after 17 letters: write two places"),
            ("calls foo | by name", "write `by universe`"),
            ("calls a | and cals b", "at `cals b`, after 14 letters"),
        ] {
            let message = read_query(text).unwrap_err().message;
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn numbers_of_events() {
        let read = |text: &'static str| {
            read_comparison(text).map(|spec| (spec.argument, spec.comparison, spec.number))
        };
        assert_eq!(read("arg 0 > 3"), Some((Some(0), ">", "3")));
        assert_eq!(read("value==-1"), Some((None, "==", "-1")));
        assert_eq!(read("values > 3"), None);
        assert_eq!(read("arg x > 3"), None);
        assert_eq!(read("x > 3"), None);
    }
}
