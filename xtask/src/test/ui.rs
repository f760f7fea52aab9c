//! The page: its types and logic, and everything together in a real browser.

use anyhow::Result;

use super::Outcome;
use crate::{debugger, setup, ui};

/// Check the page, build it, build `mw` with it, and drive that with Chromium.
pub fn run() -> Result<Outcome> {
    ui::check()?;
    ui::build()?;
    let mw = debugger::build()?;
    if let Err(error) = setup::chromium() {
        return Ok(Outcome::Skipped(format!("not tried in a browser: {error:#}")));
    }
    ui::try_out(&mw)?;
    Ok(Outcome::Passed)
}
