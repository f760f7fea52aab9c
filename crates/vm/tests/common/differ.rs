//! What has to hold for any module: it does as `wasmi` does, however it is run.

use std::sync::Arc;

use mw_vm::{Breakpoints, Frame, Module, NoProbe, Op, Probe, Stop, TrapKind};

use crate::common::compare::assert_same;
use crate::common::drive::{End, Session, load};
use crate::common::generate::{Rng, module};
use crate::common::oracle::{self, Oracle};

/// What became of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The bytes did not suffice for a module.
    NoModule,
    /// It could not be instantiated; neither here nor there.
    NoInstance,
    /// So many calls were made and compared.
    Compared {
        calls: u32,
        /// Calls in which engines may differ.
        incomparable: u32,
    },
}

/// How many single steps are made of one call.
const STEPS: u64 = 1500;

/// Looks out for what the oracle does differently, although every module is valid and ends:
///
/// * Which NaN the conversion of a NaN between float types is, is free, and `wasm-smith` does not
///   make it the canonical one as it does elsewhere.
/// * `wasmi` 2.0.0 takes any number for zero where a `select` follows a comparison with zero. See
///   `differential.rs`.
#[derive(Default)]
struct Watcher {
    differs: bool,
    /// Where a comparison with zero was made last.
    zero_test: Option<u32>,
}

impl Probe for Watcher {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        let slot = |reg: u16| frame.slots[reg as usize];
        match op {
            Op::F32DemoteF64 { src, .. } => {
                let bits = slot(src);
                self.differs |= f64::from_bits(bits).is_nan() && bits != 0x7ff8_0000_0000_0000;
            }
            Op::F64PromoteF32 { src, .. } => {
                let bits = slot(src) as u32;
                self.differs |= f32::from_bits(bits).is_nan() && bits != 0x7fc0_0000;
            }
            Op::Select { .. } => self.differs |= self.zero_test.is_some_and(|test| test + 1 == pc),
            Op::I32Eqz { .. } => self.zero_test = Some(pc),
            Op::I32Eq { lhs, rhs, .. } | Op::I32Ne { lhs, rhs, .. } => {
                self.zero_test = (slot(lhs) == 0 || slot(rhs) == 0).then_some(pc);
            }
            _ => {}
        }
    }
}

/// How a call ended, if another engine has to agree with that.
struct Outcome {
    end: End,
    is_comparable: bool,
}

/// Makes a module out of arbitrary bytes and compares it with the oracle.
pub fn check(bytes: &[u8]) -> Verdict {
    let Some(binary) = module(bytes) else { return Verdict::NoModule };
    let module = load(&binary);
    let oracle_module = oracle::load_trusted(&binary);
    let mut rng = Rng::from_bytes(bytes);
    let mut pair = None;
    let (mut calls, mut incomparable) = (0, 0);
    for (name, func) in module.exports().keys().filter_map(|n| Some((n, module.exported_func(n)?)))
    {
        if module.funcs()[func as usize].import.is_some() {
            continue;
        }
        let (mut ours, mut theirs) = match pair.take() {
            Some(pair) => pair,
            None => match instantiate(&module, oracle_module.as_ref(), &mut rng) {
                Instances::Both(pair) => *pair,
                Instances::Incomparable => return Verdict::Compared { calls, incomparable },
                Instances::None => return Verdict::NoInstance,
            },
        };
        let ty = module.func_type(&module.funcs()[func as usize]);
        let args = rng.values(&ty.params);
        ours.machine.call(func, &args).expect("a call with arguments that fit");
        let Outcome { end, is_comparable } = check_ways(&mut ours, &mut rng);
        if let Some(theirs) = &mut theirs {
            if !is_comparable || theirs.check_call(name, &args, &end).is_none() {
                incomparable += 1;
                continue;
            }
            calls += 1;
            theirs.check_state(&ours.machine);
        } else {
            incomparable += 1;
        }
        ours.machine.abandon();
        // Out of fuel, perhaps: then nothing more would happen in this one.
        if end != End::Trap(TrapKind::Unreachable) {
            pair = Some((ours, theirs));
        }
    }
    Verdict::Compared { calls, incomparable }
}

/// The same module here and, if it can be trusted with it, there.
enum Instances {
    Both(Box<(Session, Option<Oracle>)>),
    /// It cannot be instantiated, neither here nor there.
    None,
    /// Its start function is one in which engines may differ.
    Incomparable,
}

fn instantiate(
    module: &Arc<Module>,
    oracle_module: Option<&wasmi::Module>,
    rng: &mut Rng,
) -> Instances {
    let theirs = oracle_module.map(Oracle::new).transpose();
    let Some(mut ours) = Session::new(module) else {
        assert!(!matches!(theirs, Ok(Some(_))), "wasmi instantiates it");
        return Instances::None;
    };
    // An imported start function is the outside's to call.
    match module.start().is_some_and(|start| module.funcs()[start as usize].import.is_some()) {
        true => ours.calls += 1,
        false => match check_ways(&mut ours, rng) {
            Outcome { is_comparable: false, .. } => return Instances::Incomparable,
            Outcome { end: End::Results(results), .. } => assert_eq!(results, []),
            Outcome { end: End::Trap(kind), .. } => {
                match theirs {
                    Ok(Some(_)) => panic!("only here, the start function traps: {kind}"),
                    Ok(None) => {}
                    Err(trap) => assert_eq!(trap, Some(oracle::trap_code(kind)), "of the start"),
                }
                return Instances::None;
            }
        },
    }
    match theirs {
        Ok(theirs) => {
            theirs.iter().for_each(|theirs| theirs.check_state(&ours.machine));
            Instances::Both(Box::new((ours, theirs)))
        }
        Err(trap) => panic!("wasmi does not instantiate it: {trap:?}"),
    }
}

/// Runs the call that is under way in every way there is, and checks that they agree.
fn check_ways(session: &mut Session, rng: &mut Rng) -> Outcome {
    let mut start = session.fork();
    let end = session.finish();
    let first = start.machine.count();
    let last = session.machine.count();

    // With a probe.
    let mut watcher = Watcher::default();
    let mut watched = start.fork();
    let watched_end =
        watched.finish_with(|machine| machine.run(u64::MAX, &Breakpoints::default(), &mut watcher));
    assert_eq!(end, watched_end, "with a probe");
    assert_same(&mut session.machine, &mut watched.machine, "at the end, with a probe");

    // In pieces of random size, with and without a probe.
    let mut pieces = start.fork();
    let pieces_end = pieces.finish_with(|machine| {
        let most = if rng.below(4) == 0 { 1000 } else { 20 };
        let budget = rng.below(most);
        match rng.below(2) {
            0 => machine.run(budget, &Breakpoints::default(), &mut NoProbe),
            _ => machine.run(budget, &Breakpoints::default(), &mut watcher),
        }
    });
    assert_eq!(end, pieces_end, "in pieces");
    assert_same(&mut session.machine, &mut pieces.machine, "at the end, in pieces");

    // Step by step; and at some of the steps, what a run to there gives.
    let steps = (last - first).min(STEPS);
    let mut stops: Vec<u64> = (0..6).map(|_| first + rng.below(steps + 1)).collect();
    stops.push(first + steps);
    let mut stepping = start.fork();
    let mut visited = vec![(first, stepping.machine.pc())];
    for count in first..=first + steps {
        if stops.contains(&count) {
            let mut run = start.fork();
            run.run_to(count, &mut NoProbe);
            assert_same(&mut stepping.machine, &mut run.machine, "after n steps");
        }
        match stepping.machine.step() {
            Stop::Import(_) => stepping.answer(),
            Stop::Budget => assert_eq!(stepping.machine.count(), count + 1, "one step"),
            Stop::Trap(_) | Stop::Finished => break,
            stop => panic!("a step ends with {stop:?}"),
        }
        visited.push((stepping.machine.count(), stepping.machine.pc()));
    }

    // With breakpoints, most of them where the program comes by.
    let code = session.machine.module().code().len() as u64;
    let pcs: Vec<u32> = (0..rng.below(4))
        .map(|_| match rng.below(4) {
            0 => rng.below(code) as u32,
            _ => visited[rng.below(visited.len() as u64) as usize].1,
        })
        .collect();
    let breakpoints = Breakpoints::new(session.machine.module(), pcs);
    let limit = first + steps;
    let is_hit = |&&(count, pc): &&(u64, u32)| {
        // The call under way can end without any instruction left at this count.
        first < count && count < limit && breakpoints.contains(pc)
    };
    let expected: Vec<(u64, u32)> = visited.iter().filter(is_hit).copied().collect();
    let mut hits = Vec::new();
    let mut broken = start.fork();
    while broken.machine.count() < limit {
        let budget = limit - broken.machine.count();
        match broken.machine.run(budget, &breakpoints, &mut NoProbe) {
            Stop::Breakpoint => hits.push((broken.machine.count(), broken.machine.pc())),
            Stop::Import(_) => {
                broken.answer();
                let here = (broken.machine.count(), broken.machine.pc());
                // Running starts with an instruction whether there is a breakpoint or not.
                if here.0 < limit && breakpoints.contains(here.1) {
                    hits.push(here);
                }
            }
            Stop::Budget | Stop::Trap(_) | Stop::Finished => break,
            Stop::Probe => panic!("there is no probe"),
        }
    }
    assert_eq!(hits, expected, "breakpoints that were hit");
    Outcome { end, is_comparable: !watcher.differs }
}
