//! `mw explore`: the universes of a program that differ in control flow, as a tree.

mod json;
mod options;
mod shape;
pub mod summary;
pub mod tree;

use std::io::Write;

use mw_api::request::PrunedTurns;
use mw_api::{Debugger, Unattended};

pub use self::options::{Defaults, Exploring};
use crate::coverage::Wanted;
use crate::failure::{Exit, Failure};
use crate::{console, debug};

const AFTER_HELP: &str = "\
Every input that the program reads is left open; two universes are told apart where they take
different branches. The tree has the inputs in the order of reading, with the values that lead to
different futures, the conditions of the program that decide, and how each path ends. Ctrl-C stops
it and shows what was found so far; pressed again, it ends at once.

Examples:
  mw explore examples/while/while.wasm
  mw explore --inputs 6 examples/light-sensor/light-sensor.wasm
  mw explore --json examples/knock/knock.wasm | jq .paths
  mw explore --coverage --lcov lcov.info examples/while/while.wasm
  mw explore --entry add --symbolic-params program.wasm
  mw explore --graph examples/bad-interleaving/bad-interleaving.wasm

With --json, standard output is one object with these keys:
  paths              how many paths there are, those that were cut off included
  complete           true when nothing was cut off, and nothing left out beyond at_most
  at_most            null, or up to where it may be complete: \"at most 1 interrupt\"
  left_out           what could have happened and was not explored: [\"more than 1 interrupt\"]
  choices            how many places there are at which an input is read or something may happen
  max_options        the most options at one of them
  traps              [{\"kind\", \"place\": {\"function\", \"offset\", \"location\"},
                     \"inputs\": [{\"call\", \"value\", \"values\"}]}]
  instructions       how many were executed
  queries            how many questions about paths were answered
  seconds            how long it took
  tree               {\"options\": [{\"parent\", \"call\", \"value\", \"values\", \"conditions\", …}],
                     \"leaves\": [{\"option\", \"end\", \"text\", \"conditions\", …}]}: an option has
                     the index of the one before it and what is decided from there to the next
                     choice, a leaf the index of the last option on its way
  path_instructions  instructions of all paths together, each from the start
  query_stages       by what questions were answered
  solver_seconds     how long solvers took
  stopped            null, or why it stopped with paths waiting
  cut_off            why paths were not explored further, and how many: {\"input bound\": 2}
  findings           traps, aborts, failed assertions and misused memory, each once
  inexact            on how many paths there was no time to find out all values that take them
  untold             on how many paths there was no time to say anything; they are not in the tree
  pruned             with --pruned: {\"number\", \"turns\": [{\"turns\", \"after\", \"what\", \"why\"}]}
  coverage           with --coverage: what was reached of files, functions and branches
With --json and --graph it is another one:
  summary            {\"states\", \"edges\", \"ends\": [{\"state\", \"outcome\", \"ways\", \"way\",
                     \"variables\"}], \"livelocks\", \"open\": [{\"why\", \"states\"}], \"complete\",
                     \"left_out\", …}
  states             [{\"id\", \"kind\", \"text\", \"outcome\", \"open\", \"parent\", \"depth\", …}]
  edges              [{\"from\", \"to\", \"label\", \"kind\", \"fault\", \"length\"}]
Values are strings: a number may be larger than JSON's readers keep.

Exit codes: 0 explored, completely or not, 2 wrong usage, 3 program, world or solver unusable.";

/// Find the universes of a program that differ in control flow
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(flatten)]
    exploring: Exploring,
    #[command(flatten)]
    wanted: Wanted,
    /// Lines of the tree at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    lines: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Show all universes, with states that are equal as one, instead of those that differ in
    /// control flow
    #[arg(long)]
    graph: bool,
    /// States of the graph at most [default: 10000]
    #[arg(long, value_name = "N", requires = "graph", value_parser = options::whole)]
    states: Option<u64>,
    /// Choices from the start of the graph at most [default: all]
    #[arg(long, value_name = "N", requires = "graph")]
    depth: Option<u32>,
    /// Show N turns of actors that were not followed because another order comes to the same, and why
    #[arg(long, value_name = "N", conflicts_with = "graph", num_args = 0..=1, default_missing_value = "20")]
    pruned: Option<usize>,
}

/// Whether a set of values is nothing but its example.
pub fn is_one(values: &str, value: &str) -> bool {
    values.trim_start_matches('{').trim_end_matches('}') == value
}

/// Of a set of values with more ranges, so many are said.
const RANGES: usize = 6;

/// A set of values for people, who read no hundreds of ranges: `{4..7, 12..15, …}`.
pub fn readable(values: &str) -> String {
    match values.match_indices(", ").nth(RANGES - 1) {
        Some((end, _)) => format!("{}, …}}", &values[..end]),
        None => values.to_owned(),
    }
}

/// Explores the program.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let exploring = &arguments.exploring;
    let (_, mut debugger) = exploring.open()?;
    if arguments.graph {
        return graph(arguments, &mut debugger);
    }
    let wanted = &arguments.wanted;
    let suggested = exploring.explore(&mut debugger, Defaults::default(), wanted.any())?;
    let coverage = wanted.of(&mut debugger, &exploring.program)?;
    let asked = arguments.pruned.map(|most| PrunedTurns { limit: Some(most) });
    let pruned = asked.map(|asked| debugger.ask(asked, &mut Unattended)).transpose();
    let pruned = pruned.map_err(options::failure)?;
    if arguments.json {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", json::object(&suggested, coverage.as_ref(), pruned.as_ref()))?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    let mut out = std::io::BufWriter::new(console::stdout());
    let look =
        tree::Look { lines: Some(arguments.lines), more: Some("--lines N shows N"), nodes: false };
    tree::show(&mut out, &suggested, &look)?;
    summary::write(&mut out, &suggested)?;
    if let Some(view) = &pruned {
        debug::show::actors::pruned(&mut out, view)?;
    }
    wanted.show(&mut out, coverage.as_ref())?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Draws the graph of all universes.
fn graph(arguments: &Arguments, debugger: &mut Debugger) -> Result<Exit, Failure> {
    let states = arguments.states.map(|states| usize::try_from(states).unwrap_or(usize::MAX));
    let view = arguments.exploring.draw(debugger, states, arguments.depth)?;
    let mut out = std::io::BufWriter::new(console::stdout());
    match arguments.json {
        // Numbers, strings and lists: there is nothing that JSON could not hold.
        true => writeln!(out, "{}", serde_json::to_string(&view).unwrap_or_default())?,
        false => debug::show::graph::show(&mut out, &view, arguments.lines)?,
    }
    out.flush()?;
    Ok(Exit::Done)
}
