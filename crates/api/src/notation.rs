//! What people write, the same in every front end.
//!
//! | what | how it is written |
//! |---|---|
//! | a value | `77`, `-1`, `0xff`, `0.5`, or a name that the input's domain gives to one |
//! | calls | `chip_analog_read(12)`, or `chip_analog_read` whatever its arguments |
//! | values for branches | `0..4095 step 512`, `10, 90`, `all` |
//! | a place | see [`place`] |
//! | a breakpoint | see [`trigger`] |
//! | how to explore | `inputs 6 paths 100 time 2.5 merge` |
//! | what graph to draw | `from start limit 500`, `turn-of math` |
//! | what to look for in it | `math: result == 66`, see [`mw_session::Query`] |
//! | a question about the past | `calls foo where arg 0 > 3 \| last`, see [`query`] |
//! | a variable, an expression | see [`mw_source::Expression`] |

mod call;
mod exploration;
mod graph;
pub mod place;
pub mod query;
mod suggest;
pub mod trigger;
mod value;
mod values;
mod which;

pub(crate) use call::read_call;
pub use call::{CallRef, CallSpec};
pub use exploration::{EXPLORATION, parse_exploration};
pub use graph::{GRAPH, parse_graph};
pub use place::{PlaceRef, PlaceSpec};
pub(crate) use query::read_query;
pub use suggest::{did_you_mean, list};
pub use trigger::{TriggerRef, TriggerSpec};
pub(crate) use value::parse_integer;
pub use value::parse_value;
pub use values::ValuesRef;
pub(crate) use values::{read_value, read_values};
pub use which::Which;
