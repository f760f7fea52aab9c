//! What it costs to explore systems of actors: who runs next, on the real programs.
//!
//! Each protocol is a program in `benches/actors` and a model of `stateright`, which looks at states
//! instead of executions. How many states there are is counted here as well, by executing the
//! program and merging what is equal: the two have to agree, or they are not the same protocol.

mod model;

use std::collections::HashSet;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use mw_concolic::{Bounds, Explorer, Options, Stop};
use mw_ensemble::{Answered, Moment, Rest};
use mw_vm::{Breakpoints, NoProbe, Stop as Halt, Value};
use mw_world::Call;

use crate::allocation;
use crate::program::Program;
use model::Checked;

/// What is explored.
#[derive(Clone, Copy)]
pub enum Protocol {
    /// Each sender tells one of the receivers something, once.
    Senders { senders: usize, receivers: usize },
    /// So many philosophers dine.
    Philosophers(usize),
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Protocol::Senders { senders, receivers: 1 } => write!(f, "{senders} dependent senders"),
            Protocol::Senders { senders, .. } => write!(f, "{senders} independent senders"),
            Protocol::Philosophers(count) => write!(f, "{count} philosophers"),
        }
    }
}

impl Protocol {
    fn all() -> impl Iterator<Item = Protocol> {
        let senders = 2..=7;
        let independent = senders.clone().map(|n| Protocol::Senders { senders: n, receivers: n });
        let dependent = senders.map(|n| Protocol::Senders { senders: n, receivers: 1 });
        independent.chain(dependent).chain((2..=5).map(Protocol::Philosophers))
    }

    /// The program at its beginning.
    fn moment(self) -> Result<Moment> {
        let number = |number: usize| Value::I32(number as i32);
        let (name, args) = match self {
            Protocol::Senders { senders, receivers } => {
                ("senders", vec![number(senders), number(receivers)])
            }
            Protocol::Philosophers(count) => ("philosophers", vec![number(count)]),
        };
        Program::file(&format!("benches/actors/{name}.wasm"))?.begin(&args)
    }

    /// How many executions there are that differ in the order of turns which depend on each other,
    /// where that is easy to say.
    fn classes(self) -> Option<u64> {
        match self {
            Protocol::Senders { senders, receivers: 1 } => Some((1..=senders as u64).product()),
            Protocol::Senders { .. } => Some(1),
            Protocol::Philosophers(_) => None,
        }
    }
}

/// So long all orders are followed at most, and so long those that differ. A quarter of it is left
/// for what inputs decide.
const ALL_ORDERS: Duration = Duration::from_secs(4);
const ORDERS: Duration = Duration::from_secs(120);

/// So many moments are kept at most.
const KEPT: usize = 20_000;

pub fn run(repeat: u32) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("Exploring programs of actors, with all ends; best of {repeat}. Without reduction");
    let most = ALL_ORDERS * 3 / 4;
    println!("every order of turns is followed, for {} s at most. One thread.\n", most.as_secs());
    println!(
        "| program               | executions | turns    | ms       | executions/s | turns/s | all orders | ms       |"
    );
    println!(
        "|-----------------------|-----------:|---------:|---------:|-------------:|--------:|-----------:|---------:|"
    );
    let mut explored = Vec::new();
    for protocol in Protocol::all() {
        let reduced = best(repeat, || Explored::of(protocol, false))?;
        let all = Explored::of(protocol, true)?;
        ensure!(reduced.is_complete, "{protocol}: not explored completely");
        let expected = protocol.classes().unwrap_or(reduced.executions);
        let found = reduced.executions;
        ensure!(found == expected, "{protocol}: {found} executions instead of {expected}");
        let seconds = reduced.time.as_secs_f64();
        println!(
            "| {:21} | {found:10} | {:8} | {:8.2} | {:12.0} | {:7.0} | {:>10} | {:>8} |",
            protocol.to_string(),
            reduced.turns,
            seconds * 1e3,
            found as f64 / seconds,
            reduced.turns as f64 / seconds,
            all.at_least(all.executions.to_string()),
            all.at_least(format!("{:.0}", all.time.as_secs_f64() * 1e3)),
        );
        explored.push((protocol, reduced));
    }

    println!(
        "\nThe same as models of stateright, which looks at states, on {threads} threads; its"
    );
    println!("turns are functions of the model, ours the program's own instructions.\n");
    println!(
        "| program               | executions | ms       | stateright: states | met      | ms       | executions to states | time    |"
    );
    println!(
        "|-----------------------|-----------:|---------:|-------------------:|---------:|---------:|---------------------:|--------:|"
    );
    let mut models = Vec::new();
    for (protocol, reduced) in &explored {
        let checked = best(repeat, || model::check(*protocol, threads))?;
        let (ours, others) = (reduced.time.as_secs_f64(), checked.time.as_secs_f64());
        println!(
            "| {:21} | {:10} | {:8.2} | {:18} | {:8} | {:8.2} | {:19.3}x | {:6.2}x |",
            protocol.to_string(),
            reduced.executions,
            ours * 1e3,
            checked.states,
            checked.met,
            others * 1e3,
            reduced.executions as f64 / checked.states as f64,
            ours / others,
        );
        models.push((protocol, checked));
    }

    println!(
        "\nStates of the programs, by executing each turn from each state and merging what is"
    );
    println!(
        "equal, on one thread; bytes of a moment that is kept after each turn, {KEPT} at most.\n"
    );
    println!(
        "| program               | states   | turns    | ms       | states/s | bytes per turn | bytes per state |"
    );
    println!(
        "|-----------------------|---------:|---------:|---------:|---------:|---------------:|----------------:|"
    );
    for (protocol, checked) in models {
        let merged = best(repeat, || Merged::of(*protocol))?;
        let (states, others) = (merged.states, checked.states);
        ensure!(states == others, "{protocol}: {states} states here, {others} in the model");
        println!(
            "| {:21} | {states:8} | {:8} | {:8.2} | {:8.0} | {:14} | {:15} |",
            protocol.to_string(),
            merged.turns,
            merged.time.as_secs_f64() * 1e3,
            states as f64 / merged.time.as_secs_f64(),
            merged.bytes_of_turn,
            merged.bytes_of_state,
        );
    }
    println!();
    Ok(())
}

/// Something that takes time.
trait Timed {
    fn time(&self) -> Duration;
}

/// Measures several times; the quickest. What takes long is measured once.
fn best<T: Timed>(repeat: u32, measure: impl Fn() -> Result<T>) -> Result<T> {
    let mut best = measure()?;
    for _ in 1..repeat {
        if best.time() > Duration::from_secs(2) {
            break;
        }
        let next = measure()?;
        if next.time() < best.time() {
            best = next;
        }
    }
    Ok(best)
}

/// An exploration that is over.
struct Explored {
    executions: u64,
    /// Turns that were had; those that executions have in common once.
    turns: u64,
    time: Duration,
    is_complete: bool,
}

impl Explored {
    fn of(protocol: Protocol, follows_all_orders: bool) -> Result<Explored> {
        let time = if follows_all_orders { ALL_ORDERS } else { ORDERS };
        let bounds = Bounds { paths: usize::MAX, time, memory: 1 << 32, ..Bounds::default() };
        let options = Options { bounds, follows_all_orders, ..Options::default() };
        let mut explorer = Explorer::new(protocol.moment()?, options);
        explorer.run(&Stop::default(), &mut |_| {});
        Ok(Explored {
            executions: explorer.executions(),
            turns: explorer.turns(),
            time: explorer.spent(),
            is_complete: explorer.is_complete(),
        })
    }

    /// A number that is no more than a bound if it was not explored completely.
    fn at_least(&self, number: String) -> String {
        if self.is_complete { number } else { format!("> {number}") }
    }
}

impl Timed for Explored {
    fn time(&self) -> Duration {
        self.time
    }
}

impl Timed for Checked {
    fn time(&self) -> Duration {
        self.time
    }
}

/// The states of a program, those that are equal once.
struct Merged {
    states: usize,
    /// Turns from one state to another one.
    turns: usize,
    time: Duration,
    /// What a moment holds after each turn, and after each that led to another state.
    bytes_of_turn: usize,
    bytes_of_state: usize,
}

impl Timed for Merged {
    fn time(&self) -> Duration {
        self.time
    }
}

impl Merged {
    fn of(protocol: Protocol) -> Result<Merged> {
        let all = search(protocol, |_, _| {})?;
        let kept = |every_turn: bool| -> Result<usize> {
            let mut kept = Vec::with_capacity(KEPT);
            let before = allocation::held();
            search(protocol, |moment, is_new| {
                if kept.len() < KEPT && (is_new || every_turn) {
                    kept.push(moment.fork());
                }
            })?;
            let held = allocation::held().saturating_sub(before);
            Ok(held / kept.len().max(1))
        };
        Ok(Merged { bytes_of_turn: kept(true)?, bytes_of_state: kept(false)?, ..all })
    }
}

/// Goes from each state to all that a turn leads to, depth first. `visit` is told of each moment
/// after a turn, and whether its state is new.
fn search(protocol: Protocol, mut visit: impl FnMut(&mut Moment, bool)) -> Result<Merged> {
    let mut first = protocol.moment()?;
    let begun = Instant::now();
    finish_turn(&mut first)?;
    let mut known = HashSet::from([first.hash()]);
    let (mut waiting, mut turns) = (vec![first], 0);
    while let Some(mut moment) = waiting.pop() {
        let Rest::Choice(options) = moment.rest() else { continue };
        for next in options {
            let mut after = moment.fork();
            after.take(next)?;
            finish_turn(&mut after)?;
            turns += 1;
            let is_new = known.insert(after.hash());
            visit(&mut after, is_new);
            if is_new {
                waiting.push(after);
            }
        }
    }
    let (states, time) = (known.len(), begun.elapsed());
    Ok(Merged { states, turns, time, bytes_of_turn: 0, bytes_of_state: 0 })
}

/// Runs to the end of the turn under way.
fn finish_turn(moment: &mut Moment) -> Result<()> {
    loop {
        match moment.run(u64::MAX, &Breakpoints::default(), &mut NoProbe) {
            Halt::Finished => return Ok(()),
            Halt::Import(_) => {
                let (import, args) = moment.machine.import_call().context("no call")?;
                match moment.perform(Call { import, args: &args })? {
                    Answered::Performed { .. } => {}
                    answered => bail!("a call was answered with {answered:?}"),
                }
                // A turn may end with a call.
                if !matches!(moment.rest(), Rest::Busy) {
                    return Ok(());
                }
            }
            halt => bail!("a turn was stopped by {halt:?}"),
        }
    }
}
