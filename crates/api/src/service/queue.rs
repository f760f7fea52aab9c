//! What waits to be served: in its order, but for what can be served in passing.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::{Job, Message};

/// The session's end of all lines to it.
pub(super) struct Queue {
    lines: Receiver<Message>,
    /// What has been taken from there and was left for later.
    left: VecDeque<Message>,
}

impl Queue {
    pub fn new(lines: Receiver<Message>) -> Queue {
        Queue { lines, left: VecDeque::new() }
    }

    /// The next message, waiting for it for so long.
    pub fn next(&mut self, patience: Option<Duration>) -> Result<Message, RecvTimeoutError> {
        match (self.left.pop_front(), patience) {
            (Some(message), _) => Ok(message),
            (None, Some(patience)) => self.lines.recv_timeout(patience),
            (None, None) => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// The next request for which something holds, if there is one. None overtakes another one of
    /// the same front end.
    pub fn overtaking(&mut self, may: impl Fn(&Job) -> bool) -> Option<Box<Job>> {
        self.left.extend(self.lines.try_iter());
        let mut held = Vec::new();
        let at = self.left.iter().position(|message| {
            let Message::Job(job) = message else { return false };
            let is_free = !held.contains(&&*job.by);
            held.push(&*job.by);
            is_free && may(job)
        })?;
        match self.left.remove(at) {
            Some(Message::Job(job)) => Some(job),
            _ => None,
        }
    }
}
