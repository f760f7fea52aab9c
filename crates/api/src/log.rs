//! What the program printed in this universe, line by line, each with the place that printed it.

use mw_session::Place;

use crate::debugger::Debugger;
use crate::reply::{LogLine, LogView, Reply};

/// How many lines there are unless told otherwise.
const LINES: usize = 1000;
/// How many there are at most.
const MOST: usize = 100_000;

impl Debugger {
    /// The lines of this universe, what lies ahead included.
    pub(crate) fn log(&self, limit: Option<usize>) -> Reply {
        let here = self.session.here();
        let leaf = self.leaf();
        let mut lines = Lines::default();
        let mut nodes: Vec<_> = self.session.multiverse().ancestors(leaf).collect();
        nodes.reverse();
        for node in nodes {
            let until = self.left_at(node, leaf);
            for seen in self.chronicle.outputs_after(node) {
                if let Some(printed) = &seen.printed
                    && seen.count < until
                {
                    // It stands there once the call has been made.
                    lines.print(printed, Place { node, count: seen.count + 1 });
                }
            }
        }
        let lines = lines.finish();
        let omitted = lines.len().saturating_sub(limit.unwrap_or(LINES).min(MOST));
        let line = |(text, place): &(Vec<u8>, Place)| LogLine {
            text: String::from_utf8_lossy(text).into_owned(),
            place: self.place_view(*place),
            ahead: place.count > here.count,
        };
        Reply::Log(LogView {
            lines: lines[omitted..].iter().map(line).collect(),
            omitted: omitted as u64,
        })
    }
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
