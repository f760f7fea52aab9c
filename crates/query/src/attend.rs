//! Asking with somebody attending: whoever works looks at a token, and whoever waits hears how far it
//! is and may cancel.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use mw_session::{Control, Learnt, Progress};

/// What those who work have in common. Clones are of the same one.
#[derive(Clone, Debug)]
pub struct Token(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    is_cancelled: AtomicBool,
    told: Option<Sender<Progress>>,
    /// How many stretches of the past were replayed.
    replays: AtomicU64,
    /// What replays have found out on the way.
    learnt: Mutex<Learnt>,
}

impl Default for Token {
    fn default() -> Self {
        Token::telling(None)
    }
}

impl Token {
    fn telling(told: Option<Sender<Progress>>) -> Token {
        let (is_cancelled, replays, learnt) = Default::default();
        Token(Arc::new(Shared { is_cancelled, told, replays, learnt }))
    }

    /// Makes everybody who works give up.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Relaxed);
    }

    /// Whether to give up.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Relaxed)
    }

    /// How many stretches of the past were replayed.
    pub fn replays(&self) -> u64 {
        self.0.replays.load(Relaxed)
    }

    pub(crate) fn learn(&self, learnt: Learnt) {
        self.0.replays.fetch_add(1, Relaxed);
        let mut all = self.0.learnt.lock().unwrap_or_else(PoisonError::into_inner);
        *all = std::mem::take(&mut *all).and(learnt);
    }

    /// What replays have found out, for the session.
    pub fn take_learnt(&self) -> Learnt {
        std::mem::take(&mut *self.0.learnt.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Control for Token {
    fn is_cancelled(&mut self) -> bool {
        Token::is_cancelled(self)
    }

    fn progress(&mut self, progress: Progress) {
        if let Some(told) = &self.0.told {
            let _ = told.send(progress);
        }
    }
}

/// Works on a thread of its own while this one hears how far it is, and cancels it if asked to.
pub fn attended<R: Send>(
    control: &mut dyn Control,
    work: impl FnOnce(Token) -> R + Send,
) -> (R, Learnt) {
    let (told, hears) = mpsc::channel();
    let token = Token::telling(Some(told));
    let stop = Arc::downgrade(&token.0);
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let worked = work(token.clone());
            (worked, token.take_learnt())
        });
        // It ends when nobody is left to tell anything.
        for progress in hears {
            control.progress(progress);
            if control.is_cancelled()
                && let Some(shared) = stop.upgrade()
            {
                Token(shared).cancel();
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
