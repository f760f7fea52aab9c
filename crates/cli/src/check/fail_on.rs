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
}

impl Kind {
    /// All of them, which count unless told otherwise.
    pub const ALL: [Kind; 4] = [Kind::Trap, Kind::Assertion, Kind::Memory, Kind::Abort];

    /// Whether a finding is of this kind.
    pub fn is(self, finding: &Finding) -> bool {
        finding.end
            == match self {
                Kind::Trap => "trapped",
                Kind::Assertion => "assertion-failed",
                Kind::Memory => "heap",
                Kind::Abort => "aborted",
            }
    }
}
