//! What counts: the kinds of findings that make a check fail. All are reported.

use mw_api::Finding;

/// A kind of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Traps of the machine
    Trap,
    /// Assertions that do not hold
    Assertion,
    /// Misused blocks of memory
    Memory,
    /// Calls of abort
    Abort,
    /// Actors that wait for each other, or go round in circles
    Deadlock,
    /// Answers that nobody gives
    Unanswered,
    /// Messages that nobody handles
    Unhandled,
    /// Properties that do not hold
    Property,
}

impl Kind {
    /// All of them, which count unless told otherwise.
    pub const ALL: [Kind; 8] = [
        Kind::Trap,
        Kind::Assertion,
        Kind::Memory,
        Kind::Abort,
        Kind::Deadlock,
        Kind::Unanswered,
        Kind::Unhandled,
        Kind::Property,
    ];

    /// Whether a finding is of this kind.
    pub fn is(self, finding: &Finding) -> bool {
        let ends: &[&str] = match self {
            Kind::Trap => &["trapped"],
            Kind::Assertion => &["assertion-failed"],
            Kind::Memory => &["heap"],
            Kind::Abort => &["aborted"],
            Kind::Deadlock => &["deadlocked", "livelocked"],
            Kind::Unanswered => &["unanswered"],
            Kind::Unhandled => &["unhandled"],
            Kind::Property => &["violated"],
        };
        ends.contains(&finding.end.as_str())
    }
}
