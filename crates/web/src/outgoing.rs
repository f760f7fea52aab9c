//! What waits to be sent to one page.
//!
//! The session puts messages here and goes on. A page that does not take them is dropped once too
//! much waits: it connects anew and asks for what it needs, which is less than what it missed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{Notify, mpsc};

/// How many messages may wait.
const MESSAGES: usize = 4096;
/// How many bytes may wait, beside a single message however long.
const BYTES: usize = 64 << 20;

/// The session's end.
#[derive(Clone)]
pub struct Outgoing {
    messages: mpsc::Sender<Utf8Bytes>,
    state: Arc<Queue>,
}

/// The page's end.
pub struct Waiting {
    messages: mpsc::Receiver<Utf8Bytes>,
    state: Arc<Queue>,
}

#[derive(Default)]
struct Queue {
    bytes: AtomicUsize,
    overflow: Notify,
}

/// A queue for one page.
pub fn queue() -> (Outgoing, Waiting) {
    let (sender, receiver) = mpsc::channel(MESSAGES);
    let state = Arc::new(Queue::default());
    (Outgoing { messages: sender, state: state.clone() }, Waiting { messages: receiver, state })
}

impl Outgoing {
    /// Adds a message, and never waits.
    pub fn push(&self, message: Utf8Bytes) {
        let length = message.len();
        let before = self.state.bytes.fetch_add(length, Ordering::Relaxed);
        let is_too_much = before > 0 && before + length > BYTES;
        if is_too_much || self.messages.try_send(message).is_err() {
            self.state.bytes.fetch_sub(length, Ordering::Relaxed);
            // Whoever is not there any more does not mind.
            self.state.overflow.notify_one();
        }
    }
}

impl Waiting {
    /// The next message; nothing if there will be none.
    pub async fn next(&mut self) -> Option<Utf8Bytes> {
        self.messages.recv().await
    }

    /// Call this when a message has been sent.
    pub fn sent(&self, message_length: usize) {
        self.state.bytes.fetch_sub(message_length, Ordering::Relaxed);
    }

    /// Waits until the page has fallen behind.
    pub fn overflow(&self) -> impl Future<Output = ()> + use<> {
        let state = self.state.clone();
        async move { state.overflow.notified().await }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_fallen_behind(waiting: &Waiting) -> bool {
        let mut overflow = std::pin::pin!(waiting.overflow());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        overflow.as_mut().poll(&mut context).is_ready()
    }

    #[test]
    fn too_many_messages() {
        let (outgoing, waiting) = queue();
        for _ in 0..MESSAGES {
            outgoing.push("x".into());
        }
        assert!(!has_fallen_behind(&waiting));
        outgoing.push("x".into());
        assert!(has_fallen_behind(&waiting));
    }

    #[test]
    fn too_many_bytes() {
        let (outgoing, mut waiting) = queue();
        let long = Utf8Bytes::from("x".repeat(BYTES + 1));
        outgoing.push(long.clone());
        assert!(!has_fallen_behind(&waiting), "one message may be as long as it is");
        outgoing.push("x".into());
        assert!(has_fallen_behind(&waiting));

        assert_eq!(waiting.messages.try_recv().map(|message| message.len()), Ok(long.len()));
        waiting.sent(long.len());
        outgoing.push(long);
        assert!(!has_fallen_behind(&waiting), "it has caught up");
    }
}
