//! Actors in Rust: the imports of module `actor`, with types.
//!
//! ```ignore
//! actor! { client {
//!     fn start(math: Actor) {
//!         math.tell("double", 12); // wants no answer
//!         math.send("getResult", ()).when("print", ()); // `print` gets the answer, in a later turn
//!     }
//!
//!     fn print(res: i32) { … }
//! } }
//! ```
//!
//! A message is a name and [`Data`]: a number, an actor, a text, bytes, or a tuple of these, which
//! arrive as the parameters of the handler. What an actor remembers is in statics of type
//! [`State`]; every actor has its own. Nothing in this crate remembers anything.
//!
//! | feature | what it adds |
//! |---|---|
//! | `std` | `String` and `Vec<u8>` in messages, [`payload`] as a `Vec<u8>` |
//! | `panic` | a panic handler that traps, for programs without `std` |

#![no_std]

#[cfg(feature = "std")]
extern crate std;

mod data;
mod imports;
mod state;

pub use data::{Bytes, Data};
pub use state::State;

/// An actor, by its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Actor(pub i32);

/// The answer to a message that this actor has sent, now or later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Future(pub i32);

/// The answer to a message that this actor has got, left open by [`defer`]. It is given once.
#[derive(PartialEq, Eq, Debug)]
#[repr(transparent)]
#[must_use = "whoever waits for the answer waits until it is resolved or ruined"]
pub struct Answer(pub i32);

impl Actor {
    /// Sends a message that wants no answer.
    pub fn tell(self, name: &str, data: impl Data) {
        // SAFETY: both are slices of this module's memory, which the host only reads. The same
        // holds below.
        data.with_bytes(|data| unsafe {
            imports::tell(self.0, name.as_ptr(), name.len(), data.as_ptr(), data.len())
        });
    }

    /// Sends a message. Its answer is the future's value.
    pub fn send(self, name: &str, data: impl Data) -> Future {
        // SAFETY: as above.
        Future(data.with_bytes(|data| unsafe {
            imports::send(self.0, name.as_ptr(), name.len(), data.as_ptr(), data.len())
        }))
    }
}

impl Future {
    /// Once there is an answer, this actor's handler `name` gets it, followed by `data`.
    pub fn when(self, name: &str, data: impl Data) -> Self {
        // SAFETY: as above.
        data.with_bytes(|data| unsafe {
            imports::when(self.0, name.as_ptr(), name.len(), data.as_ptr(), data.len())
        });
        self
    }

    /// If there will be none, the handler gets the reason, followed by `data`.
    pub fn rescue(self, name: &str, data: impl Data) -> Self {
        // SAFETY: as above.
        data.with_bytes(|data| unsafe {
            imports::rescue(self.0, name.as_ptr(), name.len(), data.as_ptr(), data.len())
        });
        self
    }
}

impl Answer {
    /// Answers.
    pub fn resolve(self, value: impl Data) {
        // SAFETY: as above.
        value.with_bytes(|data| unsafe { imports::resolve(self.0, data.as_ptr(), data.len()) });
    }

    /// Says that there will be no answer, and why.
    pub fn ruin(self, reason: impl Data) {
        // SAFETY: as above.
        reason.with_bytes(|data| unsafe { imports::ruin(self.0, data.as_ptr(), data.len()) });
    }
}

/// A new actor. Its handler `init`, if it has one, gets the data before any other message.
pub fn spawn(kind: &str, data: impl Data) -> Actor {
    // SAFETY: as above.
    Actor(data.with_bytes(|data| unsafe {
        imports::spawn(kind.as_ptr(), kind.len(), data.as_ptr(), data.len())
    }))
}

/// This actor.
pub fn this() -> Actor {
    // SAFETY: it takes nothing. The same holds below.
    Actor(unsafe { imports::this() })
}

/// Who sent the message of this turn.
pub fn sender() -> Option<Actor> {
    // SAFETY: as above.
    somebody(unsafe { imports::sender() })
}

/// An actor of the system file, by name.
pub fn find(name: &str) -> Option<Actor> {
    // SAFETY: a slice of this module's memory, which the host only reads.
    somebody(unsafe { imports::find(name.as_ptr(), name.len()) })
}

fn somebody(address: i32) -> Option<Actor> {
    (address >= 0).then_some(Actor(address))
}

/// Leaves the answer to this turn's message open.
pub fn defer() -> Answer {
    // SAFETY: it takes nothing.
    Answer(unsafe { imports::defer() })
}

/// This actor takes no further turns after this one.
pub fn stop() {
    // SAFETY: it takes nothing.
    unsafe { imports::stop() }
}

/// Copies the bytes of this turn's message, as many as fit, and returns how many there are. For
/// handlers without parameters, which take any message.
pub fn payload_into(room: &mut [u8]) -> usize {
    // SAFETY: the host writes within the slice only.
    unsafe { imports::payload(room.as_mut_ptr(), room.len()) }
}

/// The bytes of this turn's message.
#[cfg(feature = "std")]
pub fn payload() -> std::vec::Vec<u8> {
    let mut bytes = std::vec![0; payload_into(&mut [])];
    payload_into(&mut bytes);
    bytes
}

/// The handlers of a kind of actor: functions in a module of that name, exported as `kind.name`.
///
/// Parameters and results are what WebAssembly has: `i32`, `i64`, `f32`, `f64`, [`Actor`].
#[macro_export]
macro_rules! actor {
    ($kind:ident { $(
        $(#[$attribute:meta])*
        fn $name:ident($($parameter:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    )* }) => {
        mod $kind {
            use super::*;
            $(
                $(#[$attribute])*
                #[unsafe(export_name = concat!(stringify!($kind), ".", stringify!($name)))]
                pub extern "C" fn $name($($parameter: $type),*) $(-> $result)? $body
            )*
        }
    };
}

#[cfg(all(feature = "panic", not(feature = "std")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
