//! Why the program goes one way and not another, in a line beside the way.

use crate::suggested::ConditionView;

/// So many conditions are said in a line.
const CONDITIONS: usize = 3;

/// What was decided after a choice, in a line; nothing where nothing was.
pub(crate) fn reason(decided: &[ConditionView]) -> Option<String> {
    // How it ends is said elsewhere.
    let says_something = |condition: &&ConditionView| {
        condition.outcome != "does not trap" && !condition.outcome.starts_with("traps")
    };
    let mut sentences: Vec<String> =
        decided.iter().filter(says_something).map(ConditionView::sentence).collect();
    sentences.dedup();
    let more = if sentences.len() > CONDITIONS { ", …" } else { "" };
    sentences.truncate(CONDITIONS);
    (!sentences.is_empty()).then(|| sentences.join(", ") + more)
}
