//! Help for whoever mistyped a name, the same in every front end.

pub use mw_api::notation::{did_you_mean, list};
