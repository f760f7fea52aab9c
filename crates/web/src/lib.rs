//! The page of the debugger: its files, and the line between it and a session.
//!
//! A [`Server`] listens on this machine only. `GET /` gives the page, whose files are part of the
//! binary ([`files`]); `GET /ws` becomes a WebSocket, over which a page makes requests of
//! [`mw_api`], has lines of a terminal carried out ([`console`]) and hears what happens
//! ([`message`], [`page`]). Everybody else is kept out by
//! [`guard`], and kept from using anything up by [`connections`].
//!
//! **Architecture invariant:** there is no debugger logic here. A page can do what the api offers,
//! on the session that it shares with the terminal and with other pages.

mod connections;
mod console;
mod files;
mod guard;
mod message;
mod outgoing;
mod page;
mod rate;
mod server;
mod token;

pub use console::{Console, Consoles};
pub use message::{Cancel, FromPage, Hello, ToPage};
pub use server::Server;
pub use token::Token;
