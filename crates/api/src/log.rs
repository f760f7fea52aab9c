//! What the program printed in this universe, line by line, each with the place that printed it.

use mw_session::Place;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::views::PlaceView;

/// How many lines there are unless told otherwise.
const LINES: usize = 1000;
/// How many there are at most.
const MOST: usize = 100_000;

/// What the program printed in this universe, what lies ahead included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// How many lines at most, the last ones; never more than 100,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for Log {
    type Reply = LogView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let here = debugger.session.here();
        let leaf = debugger.leaf();
        let mut lines = Lines::default();
        let mut nodes: Vec<_> = debugger.session.multiverse().ancestors(leaf).collect();
        nodes.reverse();
        for node in nodes {
            let until = debugger.left_at(node, leaf);
            for seen in debugger.chronicle.outputs_after(node) {
                if let Some(printed) = &seen.printed
                    && seen.count < until
                {
                    // It stands there once the call has been made.
                    lines.print(printed, Place { node, count: seen.count + 1 });
                }
            }
        }
        let lines = lines.finish();
        let omitted = lines.len().saturating_sub(self.limit.unwrap_or(LINES).min(MOST));
        let line = |(text, place): &(Vec<u8>, Place)| LogLine {
            text: String::from_utf8_lossy(text).into_owned(),
            place: debugger.place_view(*place),
            ahead: place.count > here.count,
        };
        let shown = lines[omitted..].iter().map(line).collect();
        Ok(LogView { lines: shown, omitted: omitted as u64 })
    }
}

/// What the program printed in a universe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogView {
    /// The lines, as far as they were seen; the last ones.
    pub lines: Vec<LogLine>,
    /// Earlier ones that are not listed.
    pub omitted: u64,
}

/// A line that was printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Without the end of the line.
    pub text: String,
    /// The place at which it had begun to be printed.
    pub place: PlaceView,
    /// Whether that is still to come.
    pub ahead: bool,
}

/// Puts lines together from what was printed piece by piece.
#[derive(Default)]
struct Lines {
    done: Vec<(Vec<u8>, Place)>,
    /// The line that has not ended, and where it began.
    open: Option<(Vec<u8>, Place)>,
}

impl Lines {
    fn print(&mut self, printed: &[u8], place: Place) {
        for piece in printed.split_inclusive(|byte| *byte == b'\n') {
            let (text, _) = self.open.get_or_insert_with(|| (Vec::new(), place));
            text.extend_from_slice(piece);
            if text.ends_with(b"\n") {
                text.pop();
                self.done.extend(self.open.take());
            }
        }
    }

    fn finish(mut self) -> Vec<(Vec<u8>, Place)> {
        self.done.extend(self.open.take());
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_where_it_began() {
        let mut lines = Lines::default();
        let at = |count| Place { count, ..Place::default() };
        for (count, text) in [(1, "a\nb"), (2, "c"), (3, "\n\n"), (4, "d")] {
            lines.print(text.as_bytes(), at(count));
        }
        let found: Vec<(String, u64)> = lines
            .finish()
            .into_iter()
            .map(|(text, place)| (String::from_utf8(text).unwrap(), place.count))
            .collect();
        let expected = [("a", 1), ("bc", 1), ("", 3), ("d", 4)];
        assert_eq!(found, expected.map(|(text, count)| (text.to_owned(), count)));
    }
}
