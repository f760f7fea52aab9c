//! The end of a path: what is kept of it then, and what is said of it when somebody asks.
//!
//! A path that has ended is what it has in common with others, and the values of its inputs. What
//! costs more, which values take it, is found out once for all paths, as long as there is time.
//! What has not been found out is said: [`Class::Example`].

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use mw_ensemble::Next;
use mw_vm::{Status, Value};
use mw_world::{Event, Integers};

use crate::asked::Asked;
use crate::chain::Chain;
use crate::explore::{ALONE, Explorer};
use crate::expr::{Exprs, Var};
use crate::imports;
use crate::leaf::{Class, Condition, Cut, End, Leaf, Step};
use crate::ledger::Charge;
use crate::monitors::Judged;
use crate::omitted::Omitted;
use crate::path::{Decision, Got, Path, Reading};
use crate::schedules::Schedules;
use crate::show;
use crate::solver::Constraints;
use crate::stop::Stop;

/// So many calls under way are told of a path that went wrong: the rest of a deep recursion says no
/// more.
const CALLERS: usize = 64;

/// A path that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub end: End,
    program: u16,
    pc: Option<u32>,
    callers: Vec<u32>,
    count: u64,
    behaviour: u128,
    readings: Chain<Reading>,
    decisions: Chain<Decision>,
    constraints: Constraints,
    pub omitted: BTreeSet<Omitted>,
    pub judged: Arc<[Judged]>,
    exact: Option<Exact>,
    /// What it holds alone, and what it shares with others.
    charge: Charge,
    _notes: Chain<Charge>,
}

/// What is known exactly of the inputs of a path.
#[derive(Clone, Debug)]
pub struct Exact {
    /// The values of inputs that constraints connect with others, in the order of reading: none
    /// where they cannot be said as a set.
    classes: Vec<(Var, Option<Arc<Integers>>)>,
    /// How many combinations of inputs take the path, if that could be counted.
    inputs: Option<u128>,
}

impl Exact {
    fn held(&self) -> usize {
        size_of_val(&*self.classes)
    }
}

/// A path, wherever it is kept.
pub(crate) struct Known<'a> {
    pub end: End,
    program: u16,
    pc: Option<u32>,
    callers: &'a [u32],
    count: u64,
    behaviour: u128,
    pub readings: &'a Chain<Reading>,
    decisions: &'a Chain<Decision>,
    pub constraints: &'a Constraints,
    omitted: &'a BTreeSet<Omitted>,
    pub judged: Arc<[Judged]>,
    exact: Option<&'a Exact>,
}

impl Known<'_> {
    /// What was decided on the way, as far as that tells paths apart.
    fn turns(&self, explorer: &Explorer) -> Vec<Turn> {
        let readings = self.readings.last(usize::MAX).into_iter();
        let turn = |reading: &Reading| match &reading.asked {
            Asked::Event(event) => Turn::Event(reading.count, *event),
            Asked::Schedule(schedule) => Turn::Schedule(schedule.next),
            Asked::Input { .. } | Asked::Parameter(_) => {
                Turn::Value(explorer.value(self.constraints, reading).map(crate::integer))
            }
        };
        readings.map(turn).collect()
    }
}

impl Ended {
    fn known(&self) -> Known<'_> {
        Known {
            end: self.end.clone(),
            program: self.program,
            pc: self.pc,
            callers: &self.callers,
            count: self.count,
            behaviour: self.behaviour,
            readings: &self.readings,
            decisions: &self.decisions,
            constraints: &self.constraints,
            omitted: &self.omitted,
            judged: self.judged.clone(),
            exact: self.exact.as_ref(),
        }
    }

    /// Whether something went wrong on it.
    pub fn is_failure(&self) -> bool {
        self.end.is_failure() || self.judged.iter().any(|judged| judged.violation.is_some())
    }
}

impl Path {
    /// The instruction at which it ends: there is none where no turn has begun.
    fn pc_at(&self, end: &End) -> Option<u32> {
        let is_in_turn = self.tasks.is_none() || self.now.machine.status() != Status::Idle;
        (is_in_turn && !end.is_between_turns()).then(|| self.now.machine.pc())
    }

    /// What is known of it if it ends here.
    fn known_as(&self, end: End) -> Known<'_> {
        Known {
            program: self.program(),
            pc: self.pc_at(&end),
            callers: &[],
            judged: self.judged(&end),
            end,
            count: self.now.machine.count(),
            behaviour: 0,
            readings: &self.readings,
            decisions: &self.decisions,
            constraints: &self.constraints,
            omitted: &self.omitted,
            exact: self.exact.as_ref(),
        }
    }
}

/// So many inputs are told of a path that has just been found: the last ones.
const TOLD: usize = 20;
/// Of the first paths, so many are: who draws them while they are found needs all from the start.
const TOLD_AT_FIRST: usize = 200;
/// So many paths are the first ones.
const FIRST: usize = 200;

impl Explorer {
    /// A path has ended.
    pub(crate) fn finish(&mut self, path: &mut Path, end: End) {
        let decisions = path.decisions.clone();
        self.finish_with(path, decisions, end);
    }

    /// A path has ended, with these decisions.
    pub(crate) fn finish_with(&mut self, path: &mut Path, decisions: Chain<Decision>, end: End) {
        let behaviour = imports::behaviour(path);
        let callers: Vec<u32> = match end.is_failure() {
            true => {
                let callers = path.now.machine.call_stack();
                callers.iter().skip(1).take(CALLERS).map(|frame| frame.pc).collect()
            }
            false => Vec::new(),
        };
        let held = size_of::<Ended>() + size_of_val(&*callers) + path.known() + path.noted;
        let ended = Ended {
            program: path.program(),
            pc: path.pc_at(&end),
            callers,
            judged: path.judged(&end),
            end,
            count: path.now.machine.count(),
            behaviour,
            readings: path.readings.clone(),
            decisions,
            constraints: path.constraints.clone(),
            omitted: path.omitted.clone(),
            exact: None,
            charge: self.ledger.charge(held),
            _notes: path.notes.clone(),
        };
        self.ended.push(ended);
        if let Some(watching) = &mut path.watching {
            watching.tell_of();
        }
    }

    /// All paths here: those that have ended, then those that wait, as cut off.
    pub(crate) fn known(&self) -> impl Iterator<Item = Known<'_>> {
        let cut = self.stopped.unwrap_or(Cut::Cancelled);
        let frontier = self.schedules.as_deref().and_then(Schedules::frontier);
        let waiting = self.waiting.iter().chain(frontier);
        let waiting = waiting.map(move |path| path.known_as(End::Cut(cut)));
        self.ended.iter().map(Ended::known).chain(waiting)
    }

    /// One of them.
    pub(crate) fn known_path(&self, index: usize) -> Option<Known<'_>> {
        let cut = self.stopped.unwrap_or(Cut::Cancelled);
        match index.checked_sub(self.ended.len()) {
            None => Some(self.ended[index].known()),
            Some(index) => {
                let frontier = self.schedules.as_deref().and_then(Schedules::frontier);
                let path = self.waiting.iter().chain(frontier).nth(index)?;
                Some(path.known_as(End::Cut(cut)))
            }
        }
    }

    /// What an input returned on a path; nothing of what has no value.
    fn value(&self, constraints: &Constraints, reading: &Reading) -> Option<Value> {
        match &reading.got {
            Got::Nothing => None,
            Got::Mocked(answer) => Some(answer.value),
            &Got::Open(var) => {
                let ty = self.exprs.input(var).ty;
                Some(Value::from_slot(ty, constraints.slot(&self.exprs, var)))
            }
        }
    }

    /// What can be said of a path, with its last inputs, so many at most.
    pub(crate) fn leaf(&self, known: &Known<'_>, most_inputs: usize) -> Leaf {
        let (exprs, constraints) = (&self.exprs, known.constraints);
        let (constrained, connected) =
            (constraints.constrained(exprs), constraints.connected(exprs));
        let exact = |var: Var| {
            let classes = known.exact.map(|exact| exact.classes.as_slice()).unwrap_or_default();
            let position = |var: &Var| exprs.input(*var).position;
            let at = classes.binary_search_by_key(&position(&var), |(of, _)| position(of));
            at.ok().and_then(|at| classes[at].1.clone())
        };
        let steps = known.readings.last(most_inputs).into_iter().map(|reading| {
            let (class, independent) = match &reading.got {
                Got::Nothing => (Class::Happens, true),
                Got::Mocked(_) => (Class::Mocked, true),
                &Got::Open(var) => {
                    let is_connected = connected.contains(&var);
                    let set = match is_connected {
                        true => exact(var),
                        false => constraints.bound(exprs, var).left.clone(),
                    };
                    let class = match set {
                        _ if !constrained.contains(&var) => {
                            Class::Any(exprs.input(var).domain.clone())
                        }
                        Some(set) => Class::Exact(set),
                        None => Class::Example,
                    };
                    (class, !is_connected)
                }
            };
            Step {
                count: reading.count,
                program: reading.program,
                pc: reading.pc,
                asked: reading.asked.clone(),
                value: self.value(constraints, reading),
                bytes: match &reading.got {
                    Got::Mocked(answer) => answer.bytes.clone(),
                    Got::Open(_) | Got::Nothing => None,
                },
                class,
                independent,
                behaviour: reading.behaviour,
            }
        });
        let condition = |decision: &Decision| {
            let Decision { program, pc, count, outcome, condition } = *decision;
            Condition { program, pc, count, outcome, text: self.text(condition) }
        };
        Leaf {
            end: known.end.clone(),
            program: known.program,
            pc: known.pc,
            callers: known.callers.to_vec(),
            count: known.count,
            steps: steps.collect(),
            untold: known.readings.len().saturating_sub(most_inputs),
            conditions: known.decisions.last(usize::MAX).into_iter().map(condition).collect(),
            inputs: known.exact.and_then(|exact| exact.inputs),
            behaviour: known.behaviour,
            omitted: known.omitted.clone(),
            judged: known.judged.clone(),
        }
    }

    /// What a condition is for people.
    fn text(&self, condition: crate::expr::Expr) -> Arc<str> {
        let mut texts = self.texts.borrow_mut();
        let text = texts
            .entry(condition)
            .or_insert_with(|| show::condition(&self.exprs, condition).into());
        text.clone()
    }

    /// Tells of the paths that have ended since there were so many.
    pub(crate) fn tell(&self, before: usize, found: &mut dyn FnMut(&Leaf)) {
        for (index, ended) in self.ended.iter().enumerate().skip(before) {
            let decisions = Chain::default();
            let known = Known { decisions: &decisions, ..ended.known() };
            let most_inputs = if index < FIRST { TOLD_AT_FIRST } else { TOLD };
            found(&self.leaf(&known, most_inputs));
        }
    }

    /// Finds out exactly which values take each path, until it is to stop: first of all of those
    /// on which something goes wrong, last of those that wait.
    pub(crate) fn make_exact(&mut self, jobs: usize, stop: &Stop) {
        let (failed, others): (Vec<&mut Ended>, Vec<&mut Ended>) =
            self.ended.iter_mut().partition(|ended| ended.is_failure());
        let ended = failed.into_iter().chain(others).filter(|ended| ended.exact.is_none());
        let ended: Vec<&mut Ended> = ended.collect();
        let waiting = self.waiting.iter_mut().filter(|path| path.exact.is_none());
        let waiting: Vec<&mut Path> = waiting.collect();
        let constraints = ended.iter().map(|ended| &ended.constraints);
        let constraints = constraints.chain(waiting.iter().map(|path| &path.constraints));
        let mut exact = all_exact(&self.exprs, &constraints.collect::<Vec<_>>(), jobs, stop);
        let exact_of_waiting = exact.split_off(ended.len());
        for (ended, exact) in ended.into_iter().zip(exact) {
            ended.charge.add(exact.as_ref().map_or(0, Exact::held));
            ended.exact = exact;
        }
        waiting.into_iter().zip(exact_of_waiting).for_each(|(path, exact)| path.exact = exact);
    }

    /// On how many paths here it has not been found out which values take them.
    pub(crate) fn inexact_here(&self) -> usize {
        self.known().filter(|known| known.exact.is_none()).count()
    }

    /// What was decided on all paths here, and how else they are told apart.
    pub(crate) fn orders(&self) -> impl Iterator<Item = Order> {
        self.known().map(|known| Order {
            turns: known.turns(self),
            count: known.count,
            decisions: known.decisions.len(),
            end: format!("{:?}", known.end),
        })
    }
}

/// What is known exactly of the inputs of paths, by their constraints, in this order until it is to
/// stop. Each is found out by itself, so that it does not matter how many threads do it.
fn all_exact(
    exprs: &Exprs,
    constraints: &[&Constraints],
    jobs: usize,
    stop: &Stop,
) -> Vec<Option<Exact>> {
    let next = AtomicUsize::new(0);
    let found: Vec<OnceLock<Exact>> = constraints.iter().map(|_| OnceLock::new()).collect();
    // Says whether there may be more to do.
    let work = |time: Duration| {
        let begun = Instant::now();
        while begun.elapsed() < time {
            let at = next.fetch_add(1, Relaxed);
            let Some(exact) = constraints.get(at).and_then(|of| exact(exprs, of, stop)) else {
                return false;
            };
            let _ = found[at].set(exact);
        }
        true
    };
    // Most is over before it would pay to share it.
    let goes_on = work(if jobs > 1 { ALONE } else { Duration::MAX });
    if goes_on {
        std::thread::scope(|scope| {
            for _ in 1..jobs {
                // A thread that the system does not give is one that has nothing to do.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || work(Duration::MAX));
            }
            work(Duration::MAX);
        });
    }
    found.into_iter().map(OnceLock::into_inner).collect()
}

/// What is known exactly of the inputs of a path; nothing if it is to stop before.
fn exact(exprs: &Exprs, constraints: &Constraints, stop: &Stop) -> Option<Exact> {
    if stop.is_over() {
        return None;
    }
    let connected = constraints.connected(exprs);
    let mut classes = Vec::new();
    for input in constraints.inputs() {
        if connected.contains(&input.var) {
            classes.push((input.var, constraints.class(exprs, input.var, stop)));
            if stop.is_over() {
                return None;
            }
        }
    }
    let inputs = constraints.count(exprs, stop);
    (!stop.is_over()).then_some(Exact { classes, inputs })
}

/// Something that was decided, as it comes among others. What the program asks for comes before
/// what happens by itself, and that in the order in which it does.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Value(Option<i64>),
    Event(u64, Event),
    Schedule(Next),
}

/// Where a path stands among others: by its inputs, one after the other, whoever found it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order {
    turns: Vec<Turn>,
    count: u64,
    decisions: usize,
    end: String,
}
