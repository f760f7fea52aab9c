//! `mw check`: explores a program and reports what can go wrong in it, for people and for CI.

mod fail_on;
mod json;
mod junit;
mod properties;
mod sarif;
mod text;
mod traces;

use std::io::Write;
use std::path::{Path, PathBuf};

use mw_api::{Finding, Suggested};

use self::fail_on::Kind;
use self::traces::Kept;
use crate::console;
use crate::coverage::Wanted;
use crate::explore::{Defaults, Exploring};
use crate::failure::{Exit, Failure};

const AFTER_HELP: &str = "\
Reported are traps, aborts, failed assertions, misused memory and violated properties, each kind at each place once, with
the inputs that lead there (only those that matter), where it is in the source, and a trace, which
has been replayed to see that it leads there.

Examples:
  mw check examples/while/while.wasm
  mw check --sarif mw.sarif --junit mw.xml program.wasm
  mw check --entry parse --symbolic-params --time 300 program.wasm
  mw check --fail-on trap,memory program.wasm
  mw check --property doors.mwp examples/elevator/elevator.wasm
  mw check --json program.wasm | jq -r '.findings[].replay'

With --json, standard output is one object with these keys:
  findings   [{\"kind\", \"text\", \"place\", \"inputs\", \"paths\", \"counts\", \"trace\", \"replay\",
             \"debug\", \"replayed\"}]
  paths      how many paths there are, those that were cut off included
  complete   true when nothing was cut off, and nothing left out beyond at_most
  at_most    null, or up to where it may be complete: \"at most 1 interrupt\"
  left_out   what could have happened and was not explored: [\"more than 1 interrupt\"]
  cut_off    why paths were not explored further, and how many: {\"input bound\": 2}
  seconds    how long it took
  properties with --property: [{\"name\", \"violated\", \"inconclusive\", \"faults\", \"fault\"}], on how
             many paths each
  coverage   with --coverage: what was reached of files, functions and branches

Exit codes: 0 all paths explored, with at most as many interrupts as --interrupts says, and nothing
found that counts, 1 something found, 2 other bounds reached or something else left out and nothing
found, or a property is open at the end, 3 wrong usage, or program, world, solver or a file unusable.";

/// Find inputs that make a program trap, abort or fail an assertion
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(flatten)]
    exploring: Exploring,
    /// Where to write a trace for each finding
    #[arg(long, value_name = "DIR", default_value = "mw-findings")]
    traces: PathBuf,
    /// Write the findings as SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write the findings as a JUnit test suite
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    wanted: Wanted,
    /// What makes the check fail; all is reported. May be repeated
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_values_t = Kind::ALL)]
    #[arg(value_enum, hide_possible_values = true)]
    fail_on: Vec<Kind>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Longer than for somebody who waits.
const DEFAULTS: Defaults = Defaults { milliseconds: Some(60_000), paths: Some(100_000) };

/// Everything that is reported.
struct Report<'a> {
    program: &'a Path,
    suggested: &'a Suggested,
    findings: Vec<(Finding, Kept)>,
    fail_on: &'a [Kind],
}

impl Report<'_> {
    /// Whether a finding makes the check fail.
    fn counts(&self, finding: &Finding) -> bool {
        self.fail_on.iter().any(|kind| kind.is(finding))
    }

    /// How many findings do.
    fn counted(&self) -> usize {
        self.findings.iter().filter(|(finding, _)| self.counts(finding)).count()
    }
}

/// Checks the program.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    check(arguments).map_err(|failure| match failure {
        // 2 says that nothing was found.
        Failure::Usage(message) => Failure::Unusable(message),
        other => other,
    })
}

fn check(arguments: &Arguments) -> Result<Exit, Failure> {
    let Arguments { exploring, wanted, .. } = arguments;
    let (setup, mut debugger) = exploring.open()?;
    let suggested = exploring.explore(&mut debugger, DEFAULTS, wanted.any())?;
    let coverage = wanted.of(&mut debugger, &exploring.program)?;
    let findings = traces::keep(arguments, &setup, &mut debugger, suggested.findings.clone())?;
    let (program, fail_on) = (&exploring.program, &arguments.fail_on);
    let report = Report { program, suggested: &suggested, findings, fail_on };
    if let Some(path) = &arguments.sarif {
        write_file(path, &sarif::log(&report))?;
    }
    if let Some(path) = &arguments.junit {
        write_file(path, &junit::suite(&report))?;
    }
    match arguments.json {
        true => {
            let mut out = std::io::stdout().lock();
            writeln!(out, "{}", json::object(&report, coverage.as_ref())).and_then(|()| out.flush())
        }
        false => {
            let mut out = std::io::BufWriter::new(console::stdout());
            text::write(&mut out, &report)
                .and_then(|()| wanted.show(&mut out, coverage.as_ref()))
                .and_then(|()| out.flush())
        }
    }
    .or_else(|error| match error.kind() {
        // Whoever was reading has seen enough; what was found stays found.
        std::io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(Failure::Output(error)),
    })?;
    let is_open = suggested.properties.iter().any(|one| one.inconclusive + one.faults > 0);
    Ok(match (report.counted(), suggested.complete && !is_open) {
        (1.., _) => Exit::ProgramFailed,
        (0, false) => Exit::BoundsReached,
        (0, true) => Exit::Done,
    })
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| {
        Failure::Unusable(format!("{} cannot be written: {error}", path.display()))
    })
}
