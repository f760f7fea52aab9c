//! No run leaves its summary: generated modules and the examples, with any arguments and answers.

#[path = "../../vm/tests/common"]
#[allow(dead_code, reason = "shared with the tests of the machine")]
mod common {
    pub mod drive;
    pub mod generate;
}

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use common::drive::{Session, load};
use common::generate::{Rng, module};
use mw_summary::{Range, Summaries, Summary};
use mw_vm::{Access, Breakpoints, Frame, Module, Op, Probe, Status, Stop, TrapKind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The most instructions of one call that are watched.
const WATCHED: u64 = 3000;

/// Compares what a program does with what is known of its functions.
struct Watch<'m> {
    module: &'m Module,
    summaries: &'m Summaries<'m>,
    frames: BTreeMap<u32, BTreeMap<u32, Vec<Range>>>,
    /// At each depth the function that was called, and those that it called in place of itself.
    active: Vec<Vec<u32>>,
}

impl<'m> Watch<'m> {
    fn new(module: &'m Module, summaries: &'m Summaries<'m>) -> Self {
        Watch { module, summaries, frames: BTreeMap::new(), active: Vec::new() }
    }

    fn summary(&self, func: u32) -> &'m Summary {
        self.summaries.get(func).expect("every function has a summary")
    }

    /// Whatever happens now, every function that is under way must allow it.
    fn each(&self, what: &str, allows: impl Fn(&Summary) -> bool) {
        for &func in self.active.iter().flatten() {
            let summary = self.summary(func);
            assert!(allows(summary), "{what} in {}: {summary:?}", self.module.func_name(func));
        }
    }

    fn stopped(&self, stop: Stop, pc: u32) {
        match stop {
            Stop::Import(func) => {
                self.each("a call", |summary| summary.effects.primitives.contains(&func));
            }
            Stop::Trap(kind) => {
                self.each(&format!("{kind}"), |summary| summary.effects.traps.contains(kind));
                if kind != TrapKind::Host {
                    let func = self.module.func_at(pc).expect("within the code");
                    let alarms = &self.summary(func).alarms;
                    assert!(
                        alarms.iter().any(|alarm| alarm.pc == pc && alarm.traps.contains(kind)),
                        "{kind} at {pc}, not of {alarms:?}"
                    );
                }
            }
            Stop::Finished | Stop::Budget | Stop::Breakpoint | Stop::Probe => {}
        }
    }
}

impl Probe for Watch<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        let func = self.module.func_at(pc).expect("within the code");
        self.active.resize(frame.depth, Vec::new());
        if let Some(here) = self.active.last_mut()
            && !here.contains(&func)
        {
            here.push(func);
        }
        let unreached = &self.summary(func).unreached;
        assert!(unreached.iter().all(|&(first, end)| pc < first || pc >= end), "{op:?} at {pc}");
        let summaries = self.summaries;
        let frames = self.frames.entry(func).or_insert_with(|| summaries.frames(func));
        if let Some(ranges) = frames.get(&pc) {
            for (slot, range) in ranges.iter().enumerate() {
                let found = frame.slots[slot];
                assert!(
                    range.contains(found),
                    "slot {slot} at {pc} is {found:#x}, not of {range:?}"
                );
            }
        }
    }

    fn ret(&mut self, _: u32, results: &[u64]) {
        for &func in self.active.last().into_iter().flatten() {
            let ranges = self.summary(func).results.as_ref().expect("it does return");
            for (range, &result) in ranges.iter().zip(results) {
                assert!(range.contains(result), "returns {result:#x}, not of {range:?}");
            }
        }
    }

    fn load(&mut self, _: u32, access: Access) {
        self.each("a load", |summary| {
            let extent = summary.effects.read.get(&access.memory);
            extent.is_some_and(|extent| extent.contains(access.address, access.size.into()))
        });
    }

    fn store(&mut self, pc: u32, access: Access) {
        self.bulk_store(pc, access.memory, access.address, access.size.into());
    }

    fn bulk_store(&mut self, _: u32, memory: u16, address: u64, length: u64) {
        self.each("a store", |summary| {
            let extent = summary.effects.written.get(&memory);
            length == 0 || extent.is_some_and(|extent| extent.contains(address, length))
        });
    }

    fn global_set(&mut self, _: u32, global: u32, _: u64) {
        self.each("a global", |summary| summary.effects.globals_written.contains(&global));
    }
}

/// Calls every function of a module, and watches.
fn watch(module: &Arc<Module>, rng: &mut Rng) {
    let summaries = Summaries::of(module);
    for (index, func) in (0..).zip(module.funcs()) {
        let Some(mut session) = Session::new(module) else { return };
        if func.import.is_some() {
            continue;
        }
        // The start function runs before anything else.
        let mut watch = Watch::new(module, &summaries);
        follow(&mut session, &mut watch, rng);
        if session.machine.status() != Status::Idle {
            return;
        }
        session.machine.call(index, &rng.values(&module.func_type(func).params)).unwrap();
        follow(&mut session, &mut watch, rng);
    }
}

fn follow(session: &mut Session, watch: &mut Watch<'_>, rng: &mut Rng) {
    watch.active.clear();
    let end = session.machine.count() + WATCHED;
    while session.machine.count() < end {
        let budget = end - session.machine.count();
        let stop = session.machine.run(budget, &Breakpoints::default(), watch);
        watch.stopped(stop, session.machine.pc());
        match stop {
            Stop::Import(_) if rng.below(50) == 0 => session.machine.refuse().unwrap(),
            Stop::Import(_) => session.answer(),
            Stop::Trap(_) | Stop::Finished | Stop::Budget => return,
            Stop::Breakpoint | Stop::Probe => panic!("not asked for"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(19),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn generated_modules_keep_to_their_summaries(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        if let Some(binary) = module(&bytes) {
            watch(&load(&binary), &mut Rng::from_bytes(&bytes));
        }
    }
}

#[test]
fn examples_keep_to_their_summaries() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for folder in std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()) {
        let files = std::fs::read_dir(&folder).into_iter().flatten();
        for file in files.map(|entry| entry.unwrap().path()) {
            if file.extension().is_none_or(|extension| extension != "wasm") {
                continue;
            }
            let module = load(&std::fs::read(&file).unwrap());
            for seed in 0..3 {
                watch(&module, &mut Rng::new(seed));
            }
            count += 1;
        }
    }
    assert!(count > 20, "the examples are found: {count}");
}
