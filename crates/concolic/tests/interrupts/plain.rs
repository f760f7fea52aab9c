//! The oracle: every interrupt at every count, every value of every input. And what a leaf says,
//! executed by a machine that nobody watches.

use std::collections::BTreeSet;

use mw_concolic::{Asked, Class, Leaf, Omitted, Step, integer};
use mw_ensemble::{Answered, Moment};
use mw_vm::{Breakpoints, NoProbe, Status, Stop, Value};
use mw_world::{Call, Event, Kind};

use super::{begin, explore, options};

/// How a run ended: how, and in which state if it finished, else where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ended {
    how: String,
    state: String,
}

fn ended(mut now: Moment, how: String) -> Ended {
    let machine = &now.machine;
    let state = match how.as_str() {
        "finished" => {
            let globals = ["a", "b", "c"].map(|name| machine.exported_global(name));
            let mut bytes = [0; 32];
            machine.memories()[0].read(0, &mut bytes).unwrap();
            let size = machine.memories()[0].size();
            let element = machine.tables()[0].get(0);
            format!("{globals:?} {bytes:?} {size} {element:?} {:?}", now.hash())
        }
        _ => machine.pc().to_string(),
    };
    Ended { how, state }
}

/// Executes one instruction; an input returns what it is told. Says how the run has ended, if so.
fn step(now: &mut Moment, input: impl FnOnce() -> Value) -> Option<String> {
    match now.machine.run(1, &Breakpoints::default(), &mut NoProbe) {
        Stop::Budget => None,
        Stop::Finished => Some("finished".into()),
        Stop::Trap(kind) => Some(format!("trap: {kind}")),
        Stop::Import(import) => {
            let (_, args) = now.machine.import_call().unwrap();
            let call = Call { import, args: &args };
            match now.world.kind(import).unwrap() {
                Kind::Input => {
                    now.read(call, input().into()).unwrap();
                    None
                }
                _ => match now.perform(call).unwrap() {
                    Answered::Aborted(message) => Some(format!("aborted: {message}")),
                    _ => None,
                },
            }
        }
        stop => panic!("{stop:?}"),
    }
}

/// Whether the next instruction reads an input.
fn reads(now: &Moment) -> bool {
    let call = now.machine.import_call();
    call.is_some_and(|(import, _)| now.world.kind(import) == Ok(Kind::Input))
}

/// Ends all runs that begin here, and counts the moments at which something could arrive.
pub fn all_runs(
    mut now: Moment,
    left: u32,
    mut handler: Option<usize>,
    ends: &mut BTreeSet<Ended>,
    moments: &mut usize,
) {
    loop {
        if handler.is_some_and(|depth| now.machine.call_depth() < depth) {
            handler = None;
        }
        if handler.is_none() && left > 0 && now.machine.status() == Status::Running {
            for pending in now.world.pending_interrupts() {
                *moments += 1;
                let mut fork = now.fork();
                let (pin, table_index) = (pending.pin, pending.table_index);
                if fork.happen(Event::Interrupt { pin, table_index }).is_ok() {
                    let depth = Some(fork.machine.call_depth());
                    all_runs(fork, left - 1, depth, ends, moments);
                }
            }
        }
        if reads(&now) && now.machine.status() == Status::Running {
            for value in 0..4 {
                let mut fork = now.fork();
                assert_eq!(step(&mut fork, || Value::I32(value)), None);
                all_runs(fork, left, handler, ends, moments);
            }
            return;
        }
        if let Some(how) = step(&mut now, || unreachable!()) {
            ends.insert(ended(now, how));
            return;
        }
    }
}

/// How a run ends that makes these choices; `None` if one of them cannot be made.
fn replay(wat: &str, steps: &[Step], values: &[Option<Value>]) -> Option<Ended> {
    let mut now = begin(wat);
    let mut choices = steps.iter().zip(values).peekable();
    loop {
        while let Some((Step { asked: Asked::Event(event), .. }, _)) =
            choices.next_if(|(step, _)| step.count == now.machine.count() && step.value.is_none())
        {
            now.happen(*event).ok()?;
        }
        let mut chosen = None;
        if reads(&now) && now.machine.status() == Status::Running {
            let (step, value) = choices.next()?;
            chosen = value.filter(|_| step.count == now.machine.count());
            chosen?;
        }
        if let Some(how) = step(&mut now, || chosen.unwrap()) {
            return choices.next().is_none().then(|| ended(now, how));
        }
    }
}

/// All ends that a leaf stands for: with all values that its inputs may have.
fn ends_of(wat: &str, leaf: &Leaf) -> BTreeSet<Ended> {
    let values = |step: &Step| -> Vec<Option<Value>> {
        let is_meant = |value: &i64| match &step.class {
            Class::Exact(set) => set.contains(*value),
            _ => true,
        };
        match step.value {
            None => vec![None],
            Some(_) => (0..4)
                .filter(is_meant)
                .map(|value| Some(Value::I32(i32::try_from(value).unwrap())))
                .collect(),
        }
    };
    let mut ways: Vec<Vec<Option<Value>>> = vec![vec![]];
    for step in &leaf.steps {
        let values = values(step);
        let with = |way: &Vec<Option<Value>>| {
            let way = way.clone();
            values.iter().map(move |value| [way.clone(), vec![*value]].concat()).collect::<Vec<_>>()
        };
        ways = ways.iter().flat_map(with).collect();
    }
    let example: Vec<Option<Value>> = leaf.steps.iter().map(|step| step.value).collect();
    assert!(replay(wat, &leaf.steps, &example).is_some(), "{leaf:#?}\n{wat}");
    ways.iter().filter_map(|way| replay(wat, &leaf.steps, way)).collect()
}

/// What came of comparing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Moments at which something could arrive, in all runs.
    pub moments: usize,
    /// Different ends.
    pub ends: usize,
    /// Paths that were explored.
    pub paths: usize,
}

/// Explores a program and compares the ends with those of all runs.
#[track_caller]
pub fn check(wat: &str, interrupts: u32) -> Compared {
    let (mut all, mut moments) = (BTreeSet::new(), 0);
    all_runs(begin(wat), interrupts, None, &mut all, &mut moments);
    let (explorer, leaves) = explore(wat, options(interrupts));
    // A program may ask for a handler that is not there: that is said, and nothing else is left out.
    let is_there = |leaf: &Leaf| !leaf.omitted.contains(&Omitted::Interrupts);
    let are_whole = explorer.is_done() && leaves.iter().all(|leaf| leaf.end.is_whole());
    assert!(are_whole, "{leaves:#?}\n{wat}");
    assert_eq!(explorer.is_complete(), leaves.iter().all(is_there), "{leaves:#?}\n{wat}");
    let found: BTreeSet<Ended> = leaves.iter().flat_map(|leaf| ends_of(wat, leaf)).collect();
    let lost: Vec<_> = all.difference(&found).collect();
    let invented: Vec<_> = found.difference(&all).collect();
    let arrivals = |leaf: &Leaf| -> Vec<String> {
        let show = |step: &Step| match step.value {
            Some(value) => integer(value).to_string(),
            None => format!("{:?} after {}", step.asked, step.count),
        };
        leaf.steps.iter().map(show).collect()
    };
    let explored: Vec<_> = leaves.iter().map(arrivals).collect();
    assert!(
        lost.is_empty() && invented.is_empty(),
        "lost {lost:#?}\ninvented {invented:#?}\nexplored {explored:#?}\n{wat}"
    );
    Compared { moments, ends: all.len(), paths: leaves.len() }
}
