//! What was reached: asked for by the commands that explore.

mod lcov;
pub mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use mw_api::{CoverageView, Debugger, Unattended, request};

use crate::failure::Failure;

/// What is wanted of coverage.
#[derive(clap::Args)]
#[command(next_help_heading = "Coverage")]
pub struct Wanted {
    /// Show which lines, functions and branches were reached
    #[arg(long)]
    coverage: bool,
    /// Show the source with a mark for each line: ✓ reached, ◐ not on all ways, ✗ not reached
    #[arg(long)]
    annotate: bool,
    /// Write what was reached in lcov's format
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
}

impl Wanted {
    /// Whether anything is.
    pub fn any(&self) -> bool {
        self.coverage || self.annotate || self.lcov.is_some()
    }

    /// What was reached, if it is wanted; writes it to the file that is wanted.
    pub fn of(
        &self,
        debugger: &mut Debugger,
        program: &Path,
    ) -> Result<Option<CoverageView>, Failure> {
        if !self.any() {
            return Ok(None);
        }
        let view = debugger
            .ask(request::Coverage {}, &mut Unattended)
            .map_err(|error| Failure::Unusable(error.message))?;
        if let Some(path) = &self.lcov {
            if view.files.is_empty() {
                return Err(Failure::Unusable(format!(
                    "no line of {} is known, and --lcov needs lines: build it with debug \
                     information (-g, or --sourceMap for AssemblyScript), or use --coverage",
                    program.display()
                )));
            }
            std::fs::write(path, lcov::records(&view, program)).map_err(|error| {
                Failure::Unusable(format!("{} cannot be written: {error}", path.display()))
            })?;
        }
        Ok(Some(view))
    }

    /// Shows what was reached, as far as it is to be shown.
    pub fn show(&self, out: &mut dyn Write, view: Option<&CoverageView>) -> io::Result<()> {
        let Some(view) = view else { return Ok(()) };
        if self.coverage {
            text::show(out, view)?;
        }
        if self.annotate {
            text::annotate(out, view)?;
        }
        Ok(())
    }
}
