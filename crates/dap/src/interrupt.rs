//! Ending what is being done, from the thread that reads requests.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// Requests that end whatever is being done.
const INTERRUPTING: [&str; 3] = ["pause", "disconnect", "terminate"];

/// Tells whether what is being done should end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Mutex<Ongoing>>);

#[derive(Debug, Default)]
struct Ongoing {
    /// The number of the request that is being served.
    current: i64,
    /// Whether that one should end.
    current_is_cancelled: bool,
    /// How many interrupting requests wait to be served.
    waiting: usize,
    /// Requests that wait to be served but are not wanted any more.
    cancelled: BTreeSet<i64>,
}

impl Interrupt {
    /// Whether what is being done should end.
    pub fn is_raised(&self) -> bool {
        let state = self.state();
        state.waiting > 0 || state.current_is_cancelled
    }

    fn state(&self) -> MutexGuard<'_, Ongoing> {
        // Whoever died with the lock has left nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request has arrived.
    pub(crate) fn arrived(&self, message: &Value) {
        let mut state = self.state();
        if interrupts(message) {
            state.waiting += 1;
        }
        if message["command"] != "cancel" {
            return;
        }
        match message["arguments"]["requestId"].as_i64() {
            Some(request) if request == state.current => state.current_is_cancelled = true,
            Some(request) => drop(state.cancelled.insert(request)),
            // There is progress of nothing but the request that is being served.
            None => state.current_is_cancelled = true,
        }
    }

    /// Nothing more will arrive.
    pub(crate) fn ended(&self) {
        self.state().waiting += 1;
    }

    /// A request begins to be served; says whether it is still wanted.
    pub(crate) fn begins(&self, message: &Value) -> bool {
        let mut state = self.state();
        if interrupts(message) {
            state.waiting -= 1;
        }
        state.current = message["seq"].as_i64().unwrap_or_default();
        state.current_is_cancelled = false;
        let current = state.current;
        !state.cancelled.remove(&current)
    }
}

fn interrupts(message: &Value) -> bool {
    message["command"].as_str().is_some_and(|command| INTERRUPTING.contains(&command))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_meant_is_interrupted() {
        let interrupt = Interrupt::default();
        let run = json!({ "seq": 1, "command": "continue" });
        interrupt.arrived(&run);
        assert!(interrupt.begins(&run));
        // A hover that is over is no reason to stop the program.
        interrupt
            .arrived(&json!({ "seq": 3, "command": "cancel", "arguments": { "requestId": 2 } }));
        assert!(!interrupt.is_raised());
        assert!(!interrupt.begins(&json!({ "seq": 2, "command": "evaluate" })));
        assert!(interrupt.begins(&json!({ "seq": 3, "command": "cancel" })));

        assert!(interrupt.begins(&run));
        interrupt
            .arrived(&json!({ "seq": 4, "command": "cancel", "arguments": { "requestId": 1 } }));
        assert!(interrupt.is_raised());
        assert!(interrupt.begins(&json!({ "seq": 5, "command": "threads" })));
        assert!(!interrupt.is_raised());

        let pause = json!({ "seq": 6, "command": "pause" });
        interrupt.arrived(&pause);
        assert!(interrupt.is_raised());
        assert!(interrupt.begins(&pause));
        assert!(!interrupt.is_raised());
    }
}
