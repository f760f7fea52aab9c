//! Watching a run: what is shown of each call of a primitive, as it happens.

use std::io::{self, Write};

use mw_vm::Value;
use mw_world::{Call, Domain, World};

use crate::console::{self, ERROR, FAINT, INPUT, NOTE, OUTPUT, TITLE};

/// A call of a primitive that has been answered.
pub struct Interaction<'a> {
    /// How many instructions were executed before it.
    pub count: u64,
    /// The call.
    pub call: Call<'a>,
    /// What became of it.
    pub event: Event,
    /// What it printed.
    pub printed: &'a [u8],
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
    /// A call has been answered. It is told at once and not kept: a program may go on for ever.
    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()>;

    /// Somebody has the next turn, after so many instructions.
    fn turn(&mut self, count: u64, label: &str) -> io::Result<()> {
        let _ = (count, label);
        Ok(())
    }
}

/// Shows a line for each interaction.
pub struct Traced;

/// The columns that a trace has for calls and for values.
const CALL: usize = 28;
const VALUE: usize = 10;

impl Watcher for Traced {
    fn turn(&mut self, count: u64, label: &str) -> io::Result<()> {
        writeln!(console::stdout(), "{FAINT}{count:>9}{FAINT:#}  {NOTE}turn{NOTE:#} {label}")
    }

    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()> {
        let Interaction { count, call, event, world, .. } = interaction;
        let call = world.show(*call);
        let mut out = console::stdout();
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
pub struct Printed;

impl Watcher for Printed {
    fn interaction(&mut self, interaction: &Interaction<'_>) -> io::Result<()> {
        match interaction.printed {
            [] => Ok(()),
            printed => console::write_printed(printed),
        }
    }
}
