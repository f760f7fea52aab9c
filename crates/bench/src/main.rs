//! The benchmarks behind every figure that the documentation gives. `cargo xtask bench` runs them.
//!
//! Everything is a ratio of two measurements of the same run, taken in turns, so that a noisy
//! machine disturbs both alike.

mod actors;
mod allocation;
mod explore;
mod forks;
mod kernels;
mod program;
mod recording;
mod remote;
mod solver;
mod travel;

use anyhow::{Result, bail};
use clap::Parser;

/// Runs all benchmarks, or those named.
#[derive(Parser)]
struct Args {
    /// Which to run: kernels, forks, recording, travel, explore, actors, solver, remote.
    names: Vec<String>,
    /// How often each measurement is taken; the best one counts.
    #[arg(long, default_value_t = 5)]
    repeat: u32,
}

type Benchmark = fn(u32) -> Result<()>;
const BENCHMARKS: &[(&str, Benchmark)] = &[
    ("kernels", kernels::run),
    ("forks", forks::run),
    ("recording", recording::run),
    ("travel", travel::run),
    ("explore", explore::run),
    ("actors", actors::run),
    ("solver", solver::run),
    ("remote", remote::run),
];

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(name) = args.names.iter().find(|name| BENCHMARKS.iter().all(|b| b.0 != *name)) {
        let known: Vec<_> = BENCHMARKS.iter().map(|b| b.0).collect();
        bail!("there is no benchmark `{name}`; there are: {}", known.join(", "));
    }
    for (name, benchmark) in BENCHMARKS {
        if args.names.is_empty() || args.names.iter().any(|n| n == name) {
            benchmark(args.repeat)?;
        }
    }
    Ok(())
}
