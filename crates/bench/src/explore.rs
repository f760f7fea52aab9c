//! What exploring costs: the programs of seed 000's Table 1, a workload that is heavy on memory,
//! and a loop that never ends.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use mw_concolic::solver::sat::Sat;
use mw_concolic::{Bounds, Class, Explorer, Options, Step, Stop, Tree};
use mw_session::Unattended;

use crate::allocation;
use crate::program::Program;

/// The programs, with what the seed says: paths, most options, seconds.
const TABLE_1: [(&str, u32, u32, f64); 12] = [
    ("crystal-ball", 11, 8, 0.283),
    ("knock", 2, 2, 0.038),
    ("touch-sensor-lamp", 2, 2, 0.003),
    ("switch", 4, 4, 0.131),
    ("keyboard", 5, 5, 0.116),
    ("love-o-meter", 4, 4, 1.172),
    ("while-no-calibrate", 3, 3, 0.063),
    ("while", 76, 65, 219.613),
    ("knock-lock", 13, 3, 0.074),
    ("zoetrope", 16, 2, 0.080),
    ("gesture-robot", 31, 2, 0.106),
    ("breakout-fall", 3, 3, 5.032),
];

pub fn run(repeat: u32) -> Result<()> {
    println!("Exploring the programs of seed 000's Table 1, each completely; best of {repeat}.");
    println!("The seed's times are from another machine and are given for the order of size.\n");
    println!(
        "| program            | paths | options | ms      | seed: paths | options | ms       |"
    );
    println!(
        "|--------------------|------:|--------:|--------:|------------:|--------:|---------:|"
    );
    let mut total = Duration::ZERO;
    for (name, paths, options, seconds) in TABLE_1 {
        let file = format!("examples/{name}/{name}.wasm");
        let (explored, _) = best(repeat, &file)?;
        let tree = Tree::new(&explored.leaves());
        total += explored.spent();
        println!(
            "| {name:18} | {:5} | {:7} | {:7.2} | {paths:11} | {options:7} | {:8.0} |",
            explored.leaves().len(),
            tree.max_options(),
            explored.spent().as_secs_f64() * 1e3,
            seconds * 1e3
        );
    }
    println!("\nAll twelve together: {:.1} ms\n", total.as_secs_f64() * 1e3);

    for (name, keys) in TREES {
        tree(repeat, name, keys)?;
    }
    switch(repeat)
}

/// B-trees, with the keys that are inserted.
const TREES: [(&str, &str); 3] = [
    ("btree", "6 open keys"),
    ("btree-4-3", "4 ordered and 3 open keys, which are assumed to differ,"),
    ("btree-6-3", "6 ordered and 3 open keys, which are assumed to differ,"),
];

fn tree(repeat: u32, name: &str, keys: &str) -> Result<()> {
    let (explored, held) = best(repeat, &format!("benches/explore/{name}.wasm"))?;
    let statistics = explored.statistics();
    let (paths, spent) = (explored.leaves().len(), explored.spent().as_secs_f64());
    let lengths: u64 = explored.leaves().iter().map(|leaf| leaf.count - explored.start()).sum();
    let share = |part: u64| 100.0 * part as f64 / statistics.queries() as f64;
    println!("Insertions of {keys} into a B-tree in C, with its own malloc; best of {repeat}.\n");
    println!("| what                                    |               |");
    println!("|-----------------------------------------|--------------:|");
    println!("| paths, all of them                      | {paths:13} |");
    println!("| paths a second                          | {:13.0} |", paths as f64 / spent);
    println!("| instructions executed                   | {:13} |", explored.executed());
    println!("| the same, were each path run by itself  | {lengths:13} |");
    println!(
        "| ratio: what sharing prefixes saves      | {:12.2}x |",
        lengths as f64 / explored.executed() as f64
    );
    println!("| questions                               | {:13} |", statistics.queries());
    println!("| answered by the set of one input        | {:11.1} % |", share(statistics.sets));
    println!("| by an earlier answer                    | {:11.1} % |", share(statistics.cache));
    println!(
        "| by comparing inputs with one another    | {:11.1} % |",
        share(statistics.differences)
    );
    println!(
        "| by trying all values                    | {:11.1} % |",
        share(statistics.enumeration)
    );
    println!("| by bit-blasting                         | {:11.1} % |", share(statistics.backend));
    println!(
        "| time in the solver                      | {:11.1} % |",
        100.0 * statistics.time.as_secs_f64() / spent
    );
    println!(
        "| memory at most                          | {:9.1} MiB |",
        held as f64 / (1 << 20) as f64
    );
    println!();
    Ok(())
}

/// The loop that reads a switch, up to so many readings and paths.
const READINGS: [(usize, usize); 3] = [(10, 2_000), (100, 1_000), (1_000, 1_000)];

fn switch(repeat: u32) -> Result<()> {
    println!("A loop that reads a switch and remembers the last reading; best of {repeat}.\n");
    println!("| readings | paths | ms       | questions | exact classes | waiting paths |");
    println!("|---------:|------:|---------:|----------:|--------------:|---------------|");
    for (inputs, paths) in READINGS {
        let bounds = |bounds: &mut Bounds| (bounds.inputs, bounds.paths) = (inputs, paths);
        let mut quickest: Option<Explorer> = None;
        for _ in 0..repeat {
            let (explorer, _) = explore("benches/explore/switch.wasm", bounds)?;
            if quickest.as_ref().is_none_or(|best| explorer.spent() < best.spent()) {
                quickest = Some(explorer);
            }
        }
        let explored = quickest.context("nothing was explored")?;
        let leaves = explored.leaves();
        let steps = leaves.iter().flat_map(|leaf| &leaf.steps);
        let is_exact = |step: &&Step| !matches!(step.class, Class::Example);
        let (exact, all) = (steps.clone().filter(is_exact).count(), steps.count());
        println!(
            "| {inputs:8} | {:5} | {:8.1} | {:9} | {:11.1} % | {:13} |",
            explored.leaves().len(),
            explored.spent().as_secs_f64() * 1e3,
            explored.statistics().queries(),
            100.0 * exact as f64 / all as f64,
            explored.stopped().map_or("none".to_owned(), |cut| format!("cut: {cut:?}")),
        );
    }
    println!();
    Ok(())
}

/// Explores a program completely several times; the quickest.
fn best(repeat: u32, file: &str) -> Result<(Explorer, usize)> {
    let mut best: Option<(Explorer, usize)> = None;
    for _ in 0..repeat {
        let (explorer, held) = explore(file, |_| {})?;
        ensure!(
            explorer.is_complete(),
            "{file}: not explored completely: {:?}",
            explorer.stopped()
        );
        if best.as_ref().is_none_or(|(best, _)| explorer.spent() < best.spent()) {
            best = Some((explorer, held));
        }
    }
    best.context("nothing was explored")
}

fn explore(file: &str, bounds: impl Fn(&mut Bounds)) -> Result<(Explorer, usize)> {
    let mut session = Program::file(file)?.session(Default::default())?;
    let mut options = Options { backends: vec![Box::new(Sat::new())], ..Options::default() };
    options.bounds.time = Duration::from_secs(120);
    bounds(&mut options.bounds);
    let from = session.here();
    let mut explorer = session.explorer(from, options, &mut Unattended)?;
    let before = allocation::held();
    // The most bytes that were allocated whenever a path ended.
    let mut peak = before;
    explorer.run(&Stop::default(), &mut |_| peak = peak.max(allocation::held()));
    Ok((explorer, peak - before))
}
