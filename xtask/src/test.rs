//! `cargo xtask test`: everything that must pass, as named parts.
//!
//! Invariant: a part passes, fails, or is skipped *with a reason that is printed
//! at the end*. Nothing is left out silently.

mod bounds;
mod crates;
mod dap;
mod docs;
mod examples;
mod firmware;
mod miri;
mod no_std;
mod ui;
mod unit;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;

use crate::process;

/// A part of the tests.
struct Part {
    name: &'static str,
    about: &'static str,
    work: Work,
}

/// What a part does.
enum Work {
    /// Run this command.
    Command(&'static str),
    /// Call this function.
    Function(fn() -> Result<Outcome>),
}

/// How a part ended that did not fail.
enum Outcome {
    Passed,
    /// All that could be done passed, but something could not be done.
    Skipped(String),
}

/// All parts, in the order in which they run: the quick ones first.
const PARTS: &[Part] = &[
    Part {
        name: "fmt",
        about: "rustfmt would change nothing",
        work: Work::Command("cargo fmt --all --check"),
    },
    Part {
        name: "crates",
        about: "crates use what ARCHITECTURE.md says they may, and no others",
        work: Work::Function(crates::run),
    },
    Part {
        name: "clippy",
        about: "no warning from the compiler or clippy",
        work: Work::Command("cargo clippy --workspace --all-targets -- --deny=warnings"),
    },
    Part {
        name: "no-std",
        about: "the machine and actors in Rust build without a standard library",
        work: Work::Function(no_std::run),
    },
    Part {
        name: "unit",
        about: "unit, integration and documentation tests",
        work: Work::Function(unit::run),
    },
    Part {
        name: "spec",
        about: "the WebAssembly specification's tests",
        work: Work::Command("cargo test --workspace --test=spec -- --nocapture"),
    },
    Part {
        name: "fuzz",
        about: "generated modules behave as in wasmi",
        work: Work::Command("cargo test --workspace --test=differential -- --nocapture"),
    },
    Part {
        name: "miri",
        about: "what is unsafe in the machine keeps the rules of the language",
        work: Work::Function(miri::run),
    },
    Part {
        name: "examples",
        about: "checked-in modules are what their sources build to",
        work: Work::Function(examples::run),
    },
    Part {
        name: "bounds",
        about: "every command on every example ends, in time and within memory",
        work: Work::Function(bounds::run),
    },
    Part {
        name: "firmware",
        about: "the agent on a Cortex-M, in QEMU, says what a local session says",
        work: Work::Function(firmware::run),
    },
    Part {
        name: "ui",
        about: "the page: types, logic, and all of it in a real browser",
        work: Work::Function(ui::run),
    },
    Part {
        name: "dap",
        about: "VS Code's own client drives the debugger",
        work: Work::Function(dap::run),
    },
    Part {
        name: "docs",
        about: "documentation builds, and its commands and links exist",
        work: Work::Function(docs::run),
    },
];

/// What `cargo xtask test` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The parts to run [default: all]
    #[arg(value_name = "PART", value_parser = PossibleValuesParser::new(names()))]
    parts: Vec<String>,
    /// List the parts and what they check
    #[arg(long, conflicts_with = "parts")]
    list: bool,
}

fn names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|part| part.name)
}

/// A part that was run.
struct Report {
    name: &'static str,
    result: Result<Outcome>,
    time: Duration,
}

/// Run the parts that were asked for and sum up.
pub fn run(arguments: &Arguments) -> ExitCode {
    if arguments.list {
        for part in PARTS {
            println!("{:9} {}", part.name, part.about);
        }
        return ExitCode::SUCCESS;
    }
    let asked_for =
        |part: &&Part| arguments.parts.is_empty() || arguments.parts.iter().any(|p| p == part.name);
    let reports: Vec<Report> = PARTS.iter().filter(asked_for).map(run_part).collect();
    println!("\n=== summary");
    for report in &reports {
        println!("{}", line(report));
    }
    println!("{}", totals(&reports));
    let failed = reports.iter().any(|report| report.result.is_err());
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn run_part(part: &Part) -> Report {
    println!("\n=== {}: {}", part.name, part.about);
    let start = Instant::now();
    let result = match part.work {
        Work::Function(function) => function(),
        Work::Command(command) => run_command(command),
    };
    let report = Report { name: part.name, result, time: start.elapsed() };
    println!("--- {}", line(&report));
    report
}

fn run_command(command: &str) -> Result<Outcome> {
    let mut words = command.split_whitespace();
    let program = words.next().expect("a command names its program");
    process::run(process::command(program).args(words))?;
    Ok(Outcome::Passed)
}

/// The end of a part that collected complaints and reasons to skip: any complaint fails it.
fn conclude(complaints: &[String], skipped: &[String]) -> Result<Outcome> {
    for complaint in complaints {
        println!("{complaint}");
    }
    match complaints {
        [] if skipped.is_empty() => Ok(Outcome::Passed),
        [] => Ok(Outcome::Skipped(skipped.join("; "))),
        [only] => bail!("{only}"),
        [first, rest @ ..] => bail!("{first} (and {} more, see above)", rest.len()),
    }
}

fn line(report: &Report) -> String {
    let (verdict, reason) = match &report.result {
        Ok(Outcome::Passed) => ("passed", String::new()),
        Ok(Outcome::Skipped(reason)) => ("SKIPPED", format!("  {reason}")),
        Err(error) => ("FAILED", format!("  {error:#}")),
    };
    format!("{:9} {verdict:8} {:6.1} s{reason}", report.name, report.time.as_secs_f64())
}

fn totals(reports: &[Report]) -> String {
    let count = |wanted: fn(&Result<Outcome>) -> bool| {
        reports.iter().filter(|report| wanted(&report.result)).count()
    };
    format!(
        "{} passed, {} failed, {} skipped",
        count(|result| matches!(result, Ok(Outcome::Passed))),
        count(|result| result.is_err()),
        count(|result| matches!(result, Ok(Outcome::Skipped(_)))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(result: Result<Outcome>) -> Report {
        Report { name: "part", result, time: Duration::from_millis(1500) }
    }

    #[test]
    fn totals_count_every_part_once() {
        let reports = [
            report(Ok(Outcome::Passed)),
            report(Ok(Outcome::Passed)),
            report(Err(anyhow::anyhow!("broken"))),
            report(Ok(Outcome::Skipped("no compiler".into()))),
        ];
        assert_eq!(totals(&reports), "2 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn a_skipped_part_says_why() {
        let skipped = report(Ok(Outcome::Skipped("no compiler".into())));
        assert_eq!(line(&skipped), "part      SKIPPED     1.5 s  no compiler");
    }

    #[test]
    fn complaints_outweigh_reasons_to_skip() {
        let texts = ["one".to_owned(), "two".to_owned()];
        assert!(matches!(conclude(&[], &[]), Ok(Outcome::Passed)));
        let Ok(Outcome::Skipped(reason)) = conclude(&[], &texts) else { panic!("not skipped") };
        assert_eq!(reason, "one; two");
        let Err(error) = conclude(&texts, &texts) else { panic!("not failed") };
        assert_eq!(error.to_string(), "one (and 1 more, see above)");
    }

    #[test]
    fn a_failed_command_fails_the_part() {
        assert!(run_command("cargo no-such-subcommand").is_err());
        assert!(run_command("cargo --version").is_ok());
    }
}
