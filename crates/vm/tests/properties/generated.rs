//! The same on generated modules, at random moments.

use std::sync::Arc;

use mw_vm::{
    Breakpoints, Frame, Instruction, Machine, Module, NoProbe, Op, Probe, Status, Stop, Value,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::common::compare::assert_same;
use crate::common::drive::{Session, load};
use crate::common::generate::{Rng, module};

/// The same cases in every run, whoever runs it.
pub fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A call that has just been made in a generated module, and its length.
pub fn calls(bytes: &[u8], mut check: impl FnMut(&mut Session, u64, &mut Rng)) {
    let Some(binary) = module(bytes) else { return };
    let module = load(&binary);
    let mut rng = Rng::from_bytes(bytes);
    for index in 0..module.funcs().len() as u32 {
        let func = &module.funcs()[index as usize];
        let Some(mut session) = Session::new(&module) else { return };
        if func.import.is_some() {
            continue;
        }
        // The start function runs before anything else.
        session.finish();
        if session.machine.status() != Status::Idle {
            return;
        }
        session.machine.call(index, &rng.values(&module.func_type(func).params)).unwrap();
        let first = session.machine.count();
        let mut end = session.fork();
        end.finish();
        check(&mut session, end.machine.count() - first, &mut rng);
    }
}

/// Goes to a random moment of the call.
fn go(session: &mut Session, length: u64, rng: &mut Rng) {
    let count = session.machine.count() + rng.below(length.min(3000) + 1);
    session.run_to(count, &mut NoProbe);
}

/// Compares what registers hold before and after instructions with what their ops say to write.
#[derive(Default)]
struct Writes {
    /// The last instruction of the frame, and what was in it.
    last: Option<(Op, Vec<u64>)>,
}

impl Probe for Writes {
    fn instruction(&mut self, _: u32, op: Op, frame: Frame<'_>) {
        if let Some((op, before)) = self.last.take() {
            let changed = (0..before.len()).filter(|&reg| before[reg] != frame.slots[reg]);
            for reg in changed {
                assert!(op.writes().contains(&(reg as u16)), "{op:?} writes {reg}");
            }
        }
        // What calls return and branches carry is not the op's own.
        let is_own = !matches!(
            op.instruction().expect("step code"),
            Instruction::CallImport { .. }
                | Instruction::CallIndirect { .. }
                | Instruction::ReturnCallImport { .. }
                | Instruction::ReturnCallIndirect { .. }
                | Instruction::BrMoving { .. }
                | Instruction::BrIfMoving { .. }
                | Instruction::BrTable { .. }
        );
        self.last = is_own.then(|| (op, frame.slots.to_vec()));
    }

    fn call(&mut self, _: u32, _: &[u64]) {
        self.last = None;
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        self.last = None;
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn instructions_write_what_their_ops_say(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, length, _| {
            let until = session.machine.count() + length.min(3000);
            session.run_to(until, &mut Writes::default());
        });
    }

    #[test]
    fn fork_leaves_its_original_alone(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, length, rng| {
            go(session, length, rng);
            let (hash, saved) = (session.machine.hash(), session.machine.save());
            let mut fork = session.fork();
            // The fork is answered otherwise.
            fork.calls += 1000;
            fork.finish();
            assert_eq!(session.machine.save(), saved);
            assert_eq!(session.machine.hash(), hash);
            let mut fork = session.fork();
            assert_eq!(session.finish(), fork.finish());
            assert_same(&mut session.machine, &mut fork.machine, "after a fork");
        });
    }

    #[test]
    fn forks_are_left_alone_by_their_original(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, length, rng| {
            let mut forks = Vec::new();
            let mut count = session.machine.count();
            for _ in 0..4 {
                count += rng.below(length.min(3000) / 4 + 1);
                session.run_to(count, &mut NoProbe);
                let fork = session.fork();
                let saved = fork.machine.save();
                forks.push((fork, saved));
            }
            let end = session.finish();
            for (mut fork, saved) in forks {
                assert!(fork.machine.save() == saved);
                if fork.machine.status() != Status::Idle {
                    assert_eq!(fork.finish(), end);
                }
            }
        });
    }

    #[test]
    fn restored_goes_on(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, length, rng| {
            go(session, length, rng);
            let module = session.machine.module().clone();
            let machine = Machine::restore(module, &session.machine.save()).unwrap();
            let mut restored = Session { machine, calls: session.calls };
            assert_same(&mut session.machine, &mut restored.machine, "restored");
            assert_eq!(session.finish(), restored.finish());
            assert_same(&mut session.machine, &mut restored.machine, "restored and run");
        });
    }

    #[test]
    fn image_runs_like_the_module(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, _, rng| {
            let image = session.machine.module().to_image(rng.below(2) == 0);
            let module = Arc::new(Module::from_image(&image).expect("made from a valid module"));
            // The same machine, but in a module that came from its image.
            let machine = Machine::restore(module, &session.machine.save()).unwrap();
            let mut other = Session { machine, calls: session.calls };
            assert_eq!(session.finish(), other.finish());
            assert_same(&mut session.machine, &mut other.machine, "from an image");
        });
    }

    #[test]
    fn hash_is_equal_exactly_if_the_state_is(bytes in prop::collection::vec(any::<u8>(), 500..4000)) {
        calls(&bytes, |session, length, rng| {
            let mut machines = Vec::new();
            let first = session.machine.count();
            for offset in 0..length.min(40) {
                session.run_to(first + offset, &mut NoProbe);
                machines.push(session.machine.fork());
                if rng.below(4) == 0 {
                    let mut changed = session.machine.fork();
                    if let Some(memory) = changed.memory_mut(0) && memory.size() > 0 {
                        memory.write(rng.below(memory.byte_size()), &[rng.next() as u8]).unwrap();
                    }
                    machines.push(changed);
                }
            }
            let hashes: Vec<u128> = machines.iter_mut().map(Machine::hash).collect();
            for i in 0..machines.len() {
                for j in 0..i {
                    assert_eq!(machines[i] == machines[j], hashes[i] == hashes[j]);
                }
            }
        });
    }

    #[test]
    fn interrupted_anywhere_all_ways_agree(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, length, rng| {
            go(session, length, rng);
            let funcs = session.machine.module().funcs().len() as u64;
            if session.machine.interrupt(rng.below(funcs) as u32).is_err() {
                return;
            }
            let mut pieces = session.fork();
            let machine =
                Machine::restore(session.machine.module().clone(), &session.machine.save());
            let mut restored = Session { machine: machine.unwrap(), calls: session.calls };
            assert_same(&mut session.machine, &mut restored.machine, "restored");
            let end = session.finish();
            let none = Breakpoints::default();
            let in_pieces = pieces.finish_with(|machine| machine.run(17, &none, &mut NoProbe));
            assert_eq!(end, in_pieces);
            assert_eq!(end, restored.finish());
            assert_same(&mut session.machine, &mut pieces.machine, "in pieces");
            assert_same(&mut session.machine, &mut restored.machine, "restored and run");
        });
    }

    #[test]
    fn refusing_an_imported_call_is_a_trap(bytes in prop::collection::vec(any::<u8>(), 500..6000)) {
        calls(&bytes, |session, _, _| {
            let machine = &mut session.machine;
            if let Stop::Import(func) = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe) {
                let (called, args) = machine.import_call().unwrap();
                assert_eq!(called, func);
                let module = machine.module().clone();
                let ty = module.func_type(&module.funcs()[func as usize]);
                assert!(args.iter().map(|arg: &Value| arg.ty()).eq(ty.params.iter().copied()));
                machine.refuse().unwrap();
                assert_eq!(machine.status(), Status::Trapped(mw_vm::TrapKind::Host));
                assert!(!machine.call_stack().is_empty());
            }
        });
    }
}
