//! Time between events: by the board's clock, or in instructions.

/// How long something may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Span {
    /// By the board's clock.
    Microseconds(u64),
    /// By what is executed.
    Instructions(u64),
}

/// When something happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct When {
    /// How many instructions have been executed.
    pub count: u64,
    /// The board's clock, in microseconds.
    pub clock: u64,
}

impl When {
    /// The last moment at which something is still in time that may take so long.
    pub(crate) fn until(self, span: Span) -> u64 {
        match span {
            Span::Microseconds(span) => self.clock.saturating_add(span),
            Span::Instructions(span) => self.count.saturating_add(span),
        }
    }
}

/// Up to these moments nothing happens by itself. Later something may: a slice that it was for may
/// have gone on since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline {
    /// The count of instructions.
    pub count: Option<u64>,
    /// The board's clock, in microseconds.
    pub clock: Option<u64>,
}

impl Deadline {
    /// Something is due after this moment, too.
    pub(crate) fn notice(&mut self, span: Span, until: u64) {
        let least = match span {
            Span::Instructions(_) => &mut self.count,
            Span::Microseconds(_) => &mut self.clock,
        };
        *least = Some(least.map_or(until, |least| least.min(until)));
    }

    /// Whether it is over.
    pub fn is_past(self, now: When) -> bool {
        self.count.is_some_and(|last| now.count > last)
            || self.clock.is_some_and(|last| now.clock > last)
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Span::Microseconds(span) if span % 1_000_000 == 0 => {
                write!(f, "{} s", span / 1_000_000)
            }
            Span::Microseconds(span) if span % 1_000 == 0 => write!(f, "{} ms", span / 1_000),
            Span::Microseconds(span) => write!(f, "{span} us"),
            Span::Instructions(count) => write!(f, "{count} instructions"),
        }
    }
}
