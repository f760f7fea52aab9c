//! Connections that nobody says anything on: they come to an end, and others get their turn.

use crate::common;

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use common::{LIGHT, Page, serve};

/// More than there is room for, and how many are too many at least.
const MANY: usize = 100;
const TOO_MANY: usize = 20;

#[test]
fn those_who_say_nothing_or_half_of_something_keep_nobody_out() {
    let (server, _service) = serve(LIGHT);
    let (mut page, _) = Page::open(&server);
    let strangers: Vec<TcpStream> = (0..MANY)
        .map(|index| {
            let mut stranger = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
            if index % 2 == 0 {
                stranger.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
            }
            stranger
        })
        .collect();
    // A page that is there notices nothing, and another one gets in behind all of them.
    assert!(page.ask(1, r#"{"request": "where"}"#)["reply"].is_object());
    let (mut other, _) = Page::open(&server);
    assert!(other.ask(1, r#"{"request": "where"}"#)["reply"].is_object());
    // It had to wait until some of them had been sent away: there is not room for all.
    let is_over = |mut stranger: &TcpStream| {
        stranger.set_nonblocking(true).unwrap();
        let read = stranger.read(&mut [0; 8]);
        stranger.set_nonblocking(false).unwrap();
        read.map_or_else(|error| error.kind() != ErrorKind::WouldBlock, |_| true)
    };
    let over = strangers.iter().filter(|stranger| is_over(stranger)).count();
    assert!(over >= TOO_MANY, "only {over} were sent away");
    for mut stranger in strangers {
        // It is closed: nothing else would end this.
        let _ = stranger.read_to_end(&mut Vec::new());
    }
}
