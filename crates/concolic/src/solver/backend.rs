//! What answers when nothing cheaper does.

use crate::expr::{Expr, Exprs, Var};
use crate::stop::Stop;

/// What a solver says about some constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They hold for these values of the inputs that they are about, as slots.
    Satisfiable(Vec<(Var, u64)>),
    /// No values make them all hold.
    Unsatisfiable,
    /// It did not find out in time.
    Unknown,
}

/// A decision procedure.
pub trait Backend: Send {
    /// What to call it.
    fn name(&self) -> &str;

    /// Another one of its kind, which knows nothing yet, for another thread; `None` if there can
    /// only be one.
    fn fresh(&self) -> Option<Box<dyn Backend>> {
        None
    }

    /// About how many bytes it holds.
    fn held(&self) -> usize {
        0
    }

    /// What went wrong with the last question, if anything did.
    fn problem(&self) -> Option<&str> {
        None
    }

    /// Looks for values, each within its input's domain, with which no constraint (an `i32`) is
    /// zero. Looks every few milliseconds whether to give up.
    fn solve(&mut self, exprs: &Exprs, constraints: &[Expr], stop: &Stop) -> Verdict;
}
