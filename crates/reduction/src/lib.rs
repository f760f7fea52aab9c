//! Schedules: of all orders in which something concurrent can happen, one of each class.
//!
//! Two events are *dependent* if one changes what the other touches; executions that differ only
//! in the order of independent events are *equivalent* (one class, or Mazurkiewicz trace) and end in
//! the same state. An [`Exploration`] goes through one execution of each class, depth first, for
//! anything that is a [`System`]. It is optimal dynamic partial-order reduction with wakeup trees
//! (Abdulla, Aronis, Jonsson, Sagonas: *Source Sets*, JACM 2017): a complete execution shows its
//! races (`races`), each is reversed by a sequence that is planned where its first event was performed
//! (`wakeup`), and what was explored sleeps until something dependent happens (`sleep`).
//!
//! Two things are different here. An act is a whole turn, so what it touches may depend on what
//! it reads: of the second event of a race it is not known what it will do when it comes
//! first. And an act may have several *outcomes*, which something else than the schedule decides (an input).
//!
//! # Outcomes
//!
//! Think of what decides as fixed but unknown: in each such *world* every act has one outcome and
//! there is nothing but the schedule. All worlds are explored at once, and each must get what it
//! would get alone.
//!
//! - A planned sequence has been seen, so its events have the outcomes that they had: worlds in
//!   which they have others did not ask for it. The last event has not been seen yet: it is an act with
//!   any outcome, and each of them is explored.
//! - *Nothing is lost.* Say that an execution `w` from a node was not explored, in some world.
//!   Of what was explored from there, or sleeps, take the event `p` that is independent of the
//!   longest beginning `u` of `w`, and let `d` be what comes next in `w`. Then `p u d` was
//!   explored, with a race of `p` and `d`, and `u d` was planned or included in something. So some
//!   other act, explored or asleep, is independent of all of `u d`, or could begin it: there was a longer
//!   beginning. This asks for care in each place where something is left out on account of another act:
//!   - An act that does not occur in a sequence stands for it only with *all* its outcomes, as
//!     in each world it has one of them, and each must be independent of all of it. So a sleeper is
//!     a *whole* act then, and a branch of the plan that others rely on is explored with all outcomes.
//!   - What an act of the plan does at the node is looked up there, not guessed: it is performed
//!     at once, and its states are kept until it is its turn. For `d` itself that is needed, since
//!     without `p` it may touch more. For other acts the footprint that `d` had after `p` is
//!     enough: of all `p` that meet `d`, take the one that meets it last; what `d` touched until then includes
//!     where it meets the others.
//!   - Where everything was promised for others that were included, what was asleep before
//!     is *weak*: it is not done again, but stands for nothing else.
//! - *Nothing is explored twice.* What is asleep is never performed, and everything that was
//!   explored from a node sleeps there: an event if everything after it was explored, otherwise what was
//!   explored after it as well, as a sequence. If two equivalent executions part at a node, the
//!   first event of the one explored earlier sleeps in the other one until it would happen.
//! - *Nothing is begun in vain* ([`Statistics::blocked`] is zero), as in the original, if what an
//!   act touches does not depend on what it reads, nor on its outcome. Otherwise a guess may turn out wrong, and what
//!   was planned because of it is given up on the way: this costs some events, never an execution.
//!   It cannot be had without knowing beforehand which outcomes go together.
//!
//! # Ends
//!
//! An outcome that [ends](Performed::ends) an execution is dependent on everything, and what was
//! enabled beside it is performed before it in other executions. So nothing is lost: each set of
//! events that can come before an end is a class, and there may be many. Where something is wrong
//! with one actor only, it is better to let it do nothing from then on: that costs nothing.
//!
//! All this holds if whether an event ends follows from its causal past, as with a bound on the turns
//! of each actor. With a bound on the number of all events it does not, since it depends
//! on how many independent ones came before. Then each execution that is told is a real one and
//! of another class than all others, and those that are complete before the bound were all
//! found in the tests; but of those that the bound cuts off, many are missing.

mod event;
mod execution;
mod exploration;
mod history;
mod node;
mod races;
mod sleep;
mod statistics;
mod system;
mod wakeup;

pub use event::Event;
pub use execution::{Execution, Fate};
pub use exploration::{Exploration, Reduction};
pub use history::Happened;
pub use statistics::Statistics;
pub use system::{Footprint, Performed, Stopped, System};
