//! When to stop: the one thing that everything which takes long looks at.
//!
//! Whoever explores hands a [`Stop`] down to all that it does. Whoever has had enough keeps a clone
//! of it, on whatever thread, and cancels that. So every phase ends within one slice of its work,
//! and nobody has to be asked in between.
//!
//! **Invariant:** what is over stays over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::leaf::Cut;

/// Says when it is enough. A clone is the same one.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Token>);

#[derive(Debug, Default)]
struct Token {
    cancelled: AtomicBool,
    found: AtomicBool,
    deadline: Option<Instant>,
    /// How often it has been looked at.
    looks: AtomicU64,
    /// How often it may be.
    most_looks: Option<u64>,
    /// It is over when this is.
    parent: Option<Stop>,
    /// Whether that counts as looking at it.
    is_quiet: bool,
}

impl Stop {
    /// Cancelled by itself when it has been looked at so often: a moment that does not depend on
    /// how fast the machine is.
    pub fn after_looks(looks: u64) -> Stop {
        Stop(Arc::new(Token { most_looks: Some(looks), ..Token::default() }))
    }

    /// Over when this one is, or when so much time has passed.
    pub fn within(&self, time: Duration) -> Stop {
        let deadline = Instant::now().checked_add(time);
        Stop(Arc::new(Token { deadline, parent: Some(self.clone()), ..Token::default() }))
    }

    /// Over when this one is, but not by being looked at.
    pub(crate) fn however_often(&self) -> Stop {
        let parent = Some(self.clone());
        Stop(Arc::new(Token { parent, is_quiet: true, ..Token::default() }))
    }

    /// Somebody has had enough.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Relaxed);
    }

    /// What was looked for has been found.
    pub fn found(&self) {
        self.0.found.store(true, Relaxed);
    }

    /// Why to stop, if there is a reason.
    pub fn why(&self) -> Option<Cut> {
        self.is_over_because(true)
    }

    fn is_over_because(&self, counts: bool) -> Option<Cut> {
        let token = &*self.0;
        let looks = match counts {
            true => token.looks.fetch_add(1, Relaxed),
            false => 0,
        };
        match () {
            () if token.found.load(Relaxed) => Some(Cut::Found),
            () if token.cancelled.load(Relaxed) => Some(Cut::Cancelled),
            () if token.most_looks.is_some_and(|most| looks >= most) => Some(Cut::Cancelled),
            () if token.deadline.is_some_and(|deadline| Instant::now() > deadline) => {
                Some(Cut::Time)
            }
            () => {
                let parent = token.parent.as_ref();
                parent.and_then(|parent| parent.is_over_because(counts && !token.is_quiet))
            }
        }
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.why().is_some()
    }

    /// How often it has been looked at.
    pub fn looks(&self) -> u64 {
        self.0.looks.load(Relaxed)
    }
}
