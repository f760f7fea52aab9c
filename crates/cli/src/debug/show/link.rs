//! The link to a device.

use std::io::{self, Write};

use mw_api::{LinkState, LinkView, SideView};

use crate::console::FAINT;

/// Shows the figures of both sides.
pub fn show(out: &mut dyn Write, link: &LinkView) -> io::Result<()> {
    writeln!(out, "{} at {}, {} bytes for a program", link.device, link.address, link.memory)?;
    match &link.link {
        LinkState::Connected => {}
        LinkState::Interrupted { why } => writeln!(out, "the link is interrupted: {why}")?,
        LinkState::Broken { why } => writeln!(out, "the link is broken: {why}")?,
    }
    let none = "?".to_owned();
    writeln!(out, "{FAINT}{:<22}{:>12}{:>12}{FAINT:#}", "", "host", "device")?;
    let mut row = |name: &str, figure: fn(&SideView) -> u64| {
        let its = link.device_side.as_ref().map_or(none.clone(), |side| figure(side).to_string());
        writeln!(out, "{name:<22}{:>12}{its:>12}", figure(&link.host))
    };
    row("bytes sent", |side| side.bytes_sent)?;
    row("bytes received", |side| side.bytes_received)?;
    row("messages sent", |side| side.messages_sent)?;
    row("packets sent", |side| side.packets_sent)?;
    row("packets received", |side| side.packets_received)?;
    row("sent again", |side| side.resent)?;
    row("damaged", |side| side.damaged)?;
    row("duplicates", |side| side.duplicates)?;
    row("out of order", |side| side.early)?;
    row("waits for room", |side| side.waits)?;
    row("connections", |side| side.connections)?;
    row("round trip, µs", |side| side.round_trip)?;
    match link.stalls {
        Some(stalls) if stalls > 0 => writeln!(out, "the program had to wait {stalls} times"),
        _ => Ok(()),
    }
}
