//! A probe that looks at some instructions is told of them what one that looks at all is told, and
//! stops the machine at the same places.

use mw_vm::{Access, Breakpoints, Frame, Module, Op, Probe, Status, Stop};
use proptest::prelude::*;

use super::generated::{calls, config};
use crate::common::compare::assert_same;
use crate::common::drive::Session;
use crate::common::generate::Rng;
use crate::common::programs::PROGRAMS;

/// Notes all that happens at some instructions, and stops there now and then.
struct Log<'a> {
    module: &'a Module,
    scope: &'a [bool],
    /// Stops before or after one of so many of them.
    every: u64,
    seen: u64,
    /// Whether it is told of an instruction in scope.
    is_in: bool,
    stopped_before: Option<u64>,
    count: u64,
    events: Vec<String>,
}

impl Log<'_> {
    fn note(&mut self, event: String) {
        if self.is_in {
            self.events.push(event);
        }
    }
}

impl Probe for Log<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        (self.is_in, self.count) = (self.scope[pc as usize], frame.count);
        self.seen += u64::from(self.is_in);
        let func = self.module.func_at(pc).expect("an instruction of a function");
        let Frame { start, slots, depth, count } = frame;
        // What lies above the live slots means nothing.
        let locals = &slots[..self.module.func_code(func).locals as usize];
        self.note(format!("{count}: {op:?} at {pc} in {start}, {depth}: {locals:?}"));
    }
    fn wants_stop_before(&mut self) -> bool {
        let is_again = self.stopped_before.replace(self.count) == Some(self.count);
        self.is_in && self.seen.is_multiple_of(self.every) && !is_again
    }
    fn call(&mut self, func: u32, frame: &[u64]) {
        self.note(format!("call {func} {}", frame.len()));
    }
    fn ret(&mut self, func: u32, results: &[u64]) {
        self.note(format!("return {func} {results:?}"));
    }
    fn branch(&mut self, from: u32, to: u32) {
        self.note(format!("branch {from} {to}"));
    }
    fn load(&mut self, pc: u32, access: Access) {
        self.note(format!("load {pc} {access:?}"));
    }
    fn store(&mut self, pc: u32, access: Access) {
        self.note(format!("store {pc} {access:?}"));
    }
    fn bulk_store(&mut self, pc: u32, memory: u16, address: u64, length: u64) {
        self.note(format!("bulk {pc} {memory} {address} {length}"));
    }
    fn global_get(&mut self, pc: u32, global: u32, slot: u64) {
        self.note(format!("get {pc} {global} {slot}"));
    }
    fn global_set(&mut self, pc: u32, global: u32, slot: u64) {
        self.note(format!("set {pc} {global} {slot}"));
    }
    fn wants_stop(&mut self) -> bool {
        self.is_in && self.seen % self.every == 1
    }
}

/// Runs both, with the same budgets and breakpoints, for so many instructions at most.
fn compare(session: &mut Session, length: u64, rng: &mut Rng) {
    let module = session.machine.module().clone();
    let pcs = module.code().len() as u32;
    let (kind, share) = (rng.below(4), 1 + rng.below(30));
    let func = rng.below(module.funcs().len() as u64) as u32;
    let scope: Vec<bool> = (0..pcs)
        .map(|pc| match kind {
            0 => module.func_at(pc) == Some(func),
            1 => module.code()[pc as usize].access().is_some(),
            _ => rng.below(share) == 0,
        })
        .collect();
    let breakpoints: Vec<u32> = (0..rng.below(3)).map(|_| rng.below(pcs.into()) as u32).collect();
    let wide = Breakpoints::new(&module, breakpoints.clone());
    let is_seen = |pc: u32, _: Op| scope[pc as usize];
    // In either order.
    let narrow = match rng.below(2) {
        0 => wide.clone().within(&module, is_seen),
        _ => Breakpoints::none().within(&module, is_seen).and(&module, breakpoints),
    };
    let every = [3, 50, 1 << 40][rng.below(3) as usize];
    let new = || Log {
        module: &module,
        scope: &scope,
        every,
        seen: 0,
        is_in: false,
        stopped_before: None,
        count: 0,
        events: Vec::new(),
    };
    let (mut all, mut some) = (new(), new());
    let mut other = session.fork();
    let end = session.machine.count() + length;
    while session.machine.count() < end && session.machine.status() != Status::Idle {
        // From what is run exactly to what is almost all run fast.
        let most = [10, 1000, 1_000_000][rng.below(3) as usize];
        let budget = 1 + rng.below(most);
        let stop = session.machine.run(budget, &wide, &mut all);
        assert_eq!(other.machine.run(budget, &narrow, &mut some), stop);
        assert_same(&mut session.machine, &mut other.machine, "at a stop");
        assert_eq!(std::mem::take(&mut all.events), std::mem::take(&mut some.events));
        match stop {
            Stop::Import(_) => {
                session.answer();
                other.answer();
            }
            Stop::Trap(_) => break,
            _ => {}
        }
    }
}

#[test]
fn programs_are_watched_in_part() {
    for program in PROGRAMS {
        for seed in 0..40 {
            compare(&mut program.start(), u64::MAX >> 1, &mut Rng::new(seed));
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn modules_are_watched_in_part(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, _, rng| compare(session, 3000, rng));
    }
}
