//! What every request has in common: it knows the type of its answer.

use serde::{Deserialize, Serialize};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;

/// A request. Each is a type of its own, which lies with what it is about; [`request`] lists them.
///
/// [`request`]: crate::request
pub trait Ask {
    /// What it is answered with.
    type Reply;

    /// Whether it only looks: nothing is different afterwards.
    const ONLY_LOOKS: bool = false;

    /// Whether it can be served in the middle of a long operation, too.
    const IN_PASSING: bool = Self::ONLY_LOOKS;

    /// Whether it only looks, of one that may be of any kind.
    fn only_looks(&self) -> bool {
        Self::ONLY_LOOKS
    }

    /// Whether it can be served in passing, of one that may be of any kind.
    fn in_passing(&self) -> bool {
        Self::IN_PASSING
    }

    /// Does it. Front ends call [`Debugger::ask`], which also keeps the session and has a device
    /// follow.
    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self>;
}

/// The answer to a request, or why it was not granted.
pub type Answered<A> = Result<<A as Ask>::Reply, ApiError>;

/// A request with what may be said of any: as JSON, beside its own fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope<A = crate::Request> {
    /// What is asked for.
    #[serde(flatten)]
    pub request: A,
    /// Whether to go back over outputs that cannot be undone.
    #[serde(default)]
    pub confirm: bool,
}

impl<A: Ask> Ask for Envelope<A> {
    type Reply = A::Reply;

    fn only_looks(&self) -> bool {
        self.request.only_looks()
    }

    fn in_passing(&self) -> bool {
        self.request.in_passing()
    }

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let was_dry = debugger.session.options().dry;
        debugger.session.set_dry(was_dry || self.confirm);
        let answered = self.request.serve(debugger, listener);
        debugger.session.set_dry(was_dry);
        answered
    }
}
