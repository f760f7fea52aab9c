//! Plain runs with all inputs, and the comparison.

use std::collections::BTreeMap;

use mw_concolic::{Bounds, Class, End, Explorer, Leaf, Options, integer};
use mw_vm::{Breakpoints, Frame, Machine, Op, Probe, Stop, Value};
use mw_world::{Call, Kind, Outcome, World};

use crate::world::begin;

/// What can be told apart about a run: every branch, every callee, every number that has to be
/// known, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Trace(Vec<(u32, u64)>);

#[derive(Clone)]
struct Recorder {
    trace: Trace,
    forks_at_select: bool,
}

impl Probe for Recorder {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        let mut note = |reg: u16| self.trace.0.push((pc, frame.slots[reg as usize] as u32 as u64));
        match op {
            Op::MemoryFill { base, .. } => [base, base + 2].into_iter().for_each(note),
            Op::MemoryCopy { base, .. }
            | Op::MemoryInit { base, .. }
            | Op::TableCopy { base, .. }
            | Op::TableInit { base, .. } => (base..base + 3).for_each(note),
            Op::TableFill { base, .. } => [base, base + 2].into_iter().for_each(note),
            Op::TableGet { slot, .. } => note(slot),
            Op::TableSet { base, .. } => note(base),
            Op::Select { condition, .. } if self.forks_at_select => {
                let taken = frame.slots[condition as usize] as u32 != 0;
                self.trace.0.push((pc, taken.into()));
            }
            _ => {}
        }
    }

    fn branch(&mut self, from: u32, to: u32) {
        self.trace.0.push((from, to.into()));
    }

    fn call(&mut self, func: u32, _: &[u64]) {
        self.trace.0.push((u32::MAX, func.into()));
    }
}

/// All runs: the inputs of each, by what can be told apart.
type Runs = BTreeMap<Trace, (String, Vec<Vec<i64>>)>;

fn run_all(
    mut machine: Machine,
    mut world: World,
    mut recorder: Recorder,
    inputs: &mut Vec<i64>,
    runs: &mut Runs,
    most_inputs: usize,
) {
    let end = loop {
        // A bulk instruction that traps is told apart by that, not by its operands.
        let before = recorder.trace.0.len();
        match machine.run(1, &Breakpoints::default(), &mut recorder) {
            Stop::Budget => {
                let result = match machine.module().code()[machine.pc().saturating_sub(1) as usize]
                {
                    Op::MemoryGrow { slot, .. } => Some(slot),
                    Op::TableGrow { base, .. } => Some(base),
                    _ => None,
                };
                if let Some(reg) = result {
                    // By how much, or not at all.
                    let old = machine.stack_slot(machine.frame_start() + reg as usize).unwrap();
                    let memory = u64::from(machine.memories()[0].size());
                    let table = machine.tables().first().map_or(0, |table| table.size());
                    recorder
                        .trace
                        .0
                        .push((machine.pc(), old << 8 | memory << 4 | u64::from(table)));
                }
            }
            Stop::Import(import) => {
                let (_, args) = machine.import_call().unwrap();
                let call = Call { import, args: &args };
                if world.kind(import) != Ok(Kind::Input) {
                    match world.perform(call, &machine).unwrap() {
                        Outcome::Done { reply, .. } => machine.resume(&reply.results).unwrap(),
                        Outcome::Abort { message } => break format!("aborted {message}"),
                    }
                    // What bears on later inputs is told apart.
                    if world.bearing(import, 0) == mw_world::Bearing::Exact {
                        recorder.trace.0.push((machine.pc(), args[0].to_slot()));
                    }
                    continue;
                }
                if inputs.len() == most_inputs {
                    break "cut".into();
                }
                recorder.trace.0.extend(args.iter().map(|arg| (machine.pc(), arg.to_slot())));
                let domain = world.domain(call).unwrap().into_owned();
                let ty = domain_type(&machine, import);
                for value in domain.integers().unwrap().values() {
                    let (mut machine, mut world) = (machine.fork(), world.clone());
                    let value = match ty {
                        mw_vm::ValType::I64 => Value::I64(value),
                        _ => Value::I32(value as i32),
                    };
                    world.accept(call, value).unwrap();
                    machine.resume(&[value]).unwrap();
                    inputs.push(integer(value));
                    run_all(machine, world, recorder.clone(), inputs, runs, most_inputs);
                    inputs.pop();
                }
                return;
            }
            Stop::Trap(kind) => {
                recorder.trace.0.truncate(before);
                break format!("trapped {kind}");
            }
            Stop::Finished => break "finished".into(),
            stop => panic!("{stop:?}"),
        }
    };
    let mut trace = recorder.trace;
    let last = end.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31) + u64::from(byte));
    trace.0.push((machine.pc(), last));
    let run = runs.entry(trace).or_insert_with(|| (end, vec![]));
    run.1.push(inputs.clone());
}

fn domain_type(machine: &Machine, import: u32) -> mw_vm::ValType {
    let module = machine.module();
    module.func_type(&module.funcs()[import as usize]).results[0]
}

fn explore(wat: &str, options: Options) -> Vec<Leaf> {
    let (machine, world) = begin(wat);
    let mut explorer = Explorer::new(mw_ensemble::Moment::new(machine, world), options);
    explorer.run(&mw_concolic::Stop::default(), &mut |_| {});
    explorer.all_leaves()
}

/// Explores a program and compares with running it with all inputs. Returns how many paths it has.
#[track_caller]
pub fn check(wat: &str) -> usize {
    check_with(wat, Options::default)
}

#[track_caller]
pub fn check_with(wat: &str, options: impl Fn() -> Options) -> usize {
    let inputs = options().bounds.inputs;
    let leaves = explore(wat, options());
    let (machine, world) = begin(wat);
    let mut runs = Runs::new();
    let recorder = Recorder { trace: Trace::default(), forks_at_select: options().forks_at_select };
    run_all(machine, world, recorder, &mut vec![], &mut runs, inputs);
    let by_inputs: BTreeMap<&[i64], &Trace> = runs
        .iter()
        .flat_map(|(trace, (_, tuples))| tuples.iter().map(move |tuple| (&tuple[..], trace)))
        .collect();

    let mut seen = BTreeMap::new();
    for leaf in &leaves {
        let example: Vec<i64> =
            leaf.steps.iter().map(|step| integer(step.value.unwrap())).collect();
        let Some(&trace) = by_inputs.get(&example[..]) else {
            panic!("{example:?} is no run of\n{wat}\n{leaf:#?}");
        };
        let (end, tuples) = &runs[trace];
        if let Some(other) = seen.insert(trace, leaf) {
            panic!("one path twice in\n{wat}\n{other:#?}\n{leaf:#?}");
        }
        let ended = match &leaf.end {
            End::Finished => "finished".into(),
            End::Trapped(kind) => format!("trapped {kind}"),
            End::Aborted(message) => format!("aborted {message}"),
            End::Cut(mw_concolic::Cut::Inputs) => "cut".into(),
            other => panic!("{other:?} of {example:?} in\n{wat}"),
        };
        assert_eq!(&ended, end, "{wat}\n{leaf:#?}");
        assert_eq!(leaf.inputs, Some(tuples.len() as u128), "{wat}\n{leaf:#?}");
        for (at, step) in leaf.steps.iter().enumerate() {
            let mut expected: Vec<i64> = tuples
                .iter()
                .filter(|tuple| tuple[..at] == example[..at])
                .map(|tuple| tuple[at])
                .collect();
            expected.dedup();
            let class: Vec<i64> = match &step.class {
                Class::Exact(set) => set.values().collect(),
                Class::Any(domain) => domain.integers().unwrap().values().collect(),
                class => panic!("{class:?} for {example:?} in\n{wat}"),
            };
            assert_eq!(class, expected, "class of input {at} of {example:?} in\n{wat}\n{leaf:#?}");
            if step.independent {
                let mut all: Vec<i64> = tuples.iter().map(|tuple| tuple[at]).collect();
                all.sort_unstable();
                all.dedup();
                assert_eq!(class, all, "{wat}\n{leaf:#?}");
            }
        }
    }
    assert_eq!(leaves.len(), runs.len(), "{wat}\n{:#?}", leaves);
    runs.len()
}

pub fn bounds(change: impl FnOnce(&mut Bounds)) -> Options {
    let mut options = Options::default();
    change(&mut options.bounds);
    options
}
