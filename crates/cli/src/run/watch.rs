//! Watching a run: what is shown of each call of a primitive, as it happens.

use std::io::{self, Write};

use mw_vm::Value;
use mw_world::{Call, Domain, World};

use crate::console::{ERROR, FAINT, INPUT, OUTPUT, TITLE};

/// A call of a primitive that has been answered.
pub struct Interaction<'a> {
    /// How many instructions were executed before it.
    pub count: u64,
    /// The call.
    pub call: Call<'a>,
    /// What became of it.
    pub event: Event,
    /// The world after it.
    pub world: &'a World,
}

/// What became of a call.
pub enum Event {
    /// A choice: this value, out of all that were possible.
    Input { value: Value, domain: Domain },
    /// Something that was done to the outside.
    Output { effect: String },
    /// The end of the program.
    Abort { message: String },
}

/// Somebody who is told of everything that happens between a program and its world.
pub trait Watcher {
    /// A call has been answered.
    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()>;

    /// Nothing more happens for the time being: show what is still to be shown.
    fn end(&mut self, world: &World) -> io::Result<()> {
        let _ = world;
        Ok(())
    }
}

/// Shows a line for each interaction.
pub struct Traced;

/// The columns that a trace has for calls and for values.
const CALL: usize = 28;
const VALUE: usize = 10;

impl Watcher for Traced {
    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()> {
        let Interaction { count, call, event, world } = interaction;
        let call = world.show(*call);
        let mut out = anstream::stdout();
        write!(out, "{FAINT}{count:>9}{FAINT:#}  ")?;
        match event {
            Event::Input { value, domain } => {
                let value = format!("→ {}", domain.show(*value));
                writeln!(
                    out,
                    "{TITLE}{call:CALL$}{TITLE:#}  {INPUT}{value:VALUE$}{INPUT:#} {FAINT}of {domain}{FAINT:#}"
                )
            }
            Event::Output { effect } => writeln!(out, "{call:CALL$}  {OUTPUT}{effect}{OUTPUT:#}"),
            Event::Abort { message } => writeln!(out, "{call:CALL$}  {ERROR}{message}{ERROR:#}"),
        }
    }
}

/// Shows what the program prints, and nothing else.
#[derive(Default)]
pub struct Printed {
    /// How many bytes have been shown.
    shown: usize,
}

/// A transcript up to this length is looked at whenever it grows.
const SHORT: usize = 16 << 10;

impl Watcher for Printed {
    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()> {
        let Some(board) = interaction.world.state().board() else { return Ok(()) };
        let length = board.transcript().len();
        // A transcript can only be had as a whole. Looking at a long one each time would take time
        // that grows with the square of its length, so it is shown in pieces of some size.
        let piece = if length <= SHORT { 1 } else { length / 64 };
        match length - self.shown.min(length) >= piece {
            true => self.end(interaction.world),
            false => Ok(()),
        }
    }

    fn end(&mut self, world: &World) -> io::Result<()> {
        let Some(board) = world.state().board() else { return Ok(()) };
        if board.transcript().len() <= self.shown {
            return Ok(());
        }
        let bytes = board.transcript().bytes();
        // Not through `anstream`: the bytes are the program's own, colours and all.
        let mut out = io::stdout().lock();
        out.write_all(&bytes[self.shown..])?;
        self.shown = bytes.len();
        out.flush()
    }
}
