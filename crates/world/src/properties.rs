//! Seed 001's compensation soundness, over random walks: whatever was performed and accepted,
//! undoing it newest first leads back exactly, and performing again leads forth exactly.

use std::sync::Arc;

use mw_vm::{FuncType, ValType, Value};
use proptest::prelude::*;

use crate::testing::{Bench, world_file};
use crate::{Call, Description, Kind, Outcome, Sample, State, Undo};

/// A step of a walk: which import, with which arguments, and what an input is told to return.
#[derive(Clone, Debug)]
struct Step {
    import: prop::sample::Index,
    args: Vec<i32>,
    value: Option<i64>,
    reading: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Mostly numbers that mean something to a board: pins, levels, D/C, commands, windows.
    let number = prop_oneof![
        4 => 0..6i32,
        2 => prop::sample::select(vec![15, 45, 0x2A, 0x2B, 0x2C, 0x36, 0xC0, 0xA0, 100, 160]),
        1 => -3..3000i32,
        1 => any::<i32>(),
    ];
    let step = (
        any::<prop::sample::Index>(),
        prop::collection::vec(number, 10),
        prop::option::of(prop_oneof![0..2000i64, any::<i64>()]),
        prop::bool::weighted(0.1),
    );
    let step =
        step.prop_map(|(import, args, value, reading)| Step { import, args, value, reading });
    prop::collection::vec(step, 0..60)
}

/// Takes one step; `None` when it did not change anything because the program failed there.
fn take(bench: &mut Bench, step: &Step) -> Option<Undo> {
    // Other spellings of the same would only make the interesting ones rare.
    let is_variant = |module: &str| module == "symbolic" || module == "summaries";
    let imports = bench.world.imports().zip(0..).filter(|((p, _), _)| !is_variant(&p.module));
    let imports: Vec<(&FuncType, u32)> = imports.map(|((_, ty), import)| (ty, import)).collect();
    let (types, import) = imports[step.import.index(imports.len())];
    let types = types.clone();
    let typed = |(v, ty): (&i32, &ValType)| match ty {
        ValType::I32 => Value::I32(*v),
        ValType::I64 => Value::I64((*v).into()),
        ValType::F32 => Value::from(*v as f32),
        _ => Value::from(f64::from(*v)),
    };
    let args: Vec<Value> = step.args.iter().zip(&types.params).map(typed).collect();
    let call = Call { import, args: &args };
    match bench.world.kind(import).unwrap() {
        Kind::Input => {
            // An empty range has none.
            let domain = bench.world.domain(call).ok()?.into_owned();
            let wish = match types.results[0] {
                ValType::I32 => Value::I32(step.value.unwrap_or(0) as i32),
                ValType::I64 => Value::I64(step.value.unwrap_or(0)),
                ValType::F32 => Value::from(step.value.unwrap_or(0) as f32),
                _ => Value::from(step.value.unwrap_or(0) as f64),
            };
            if step.reading {
                return bench.world.set_reading(call, Some(domain.nearest(wish))).ok();
            }
            let value = match (step.value, bench.world.sample(call).unwrap()) {
                (None, Sample::Answer(answer)) => answer.value,
                _ => domain.nearest(wish),
            };
            assert!(domain.contains(value), "{value} in {domain}");
            Some(bench.world.accept(call, value).unwrap().undo)
        }
        Kind::Output { .. } | Kind::Abort => {
            let before = bench.world.state().clone();
            match bench.world.perform(call, &bench.memory).unwrap() {
                Outcome::Done { undo, reply, .. } => {
                    assert_eq!(reply.results.len(), types.results.len());
                    Some(undo)
                }
                Outcome::Abort { .. } => {
                    assert_eq!(*bench.world.state(), before, "a failure changes nothing");
                    None
                }
            }
        }
    }
}

/// Walks forth, back and forth again, comparing all states on the way.
fn walk(description: Arc<Description>, steps: &[Step], back: usize) {
    let mut bench = Bench::new(description.clone());
    let mut history: Vec<(&Step, State, Undo)> = Vec::new();
    for step in steps {
        let before = bench.world.state().clone();
        match take(&mut bench, step) {
            Some(undo) => history.push((step, before, undo)),
            None => assert_eq!(*bench.world.state(), before),
        }
    }
    let end = bench.world.state().clone();

    let again = history.split_off(history.len() - back.min(history.len()));
    let mut redo = Vec::new();
    for (step, before, undo) in again.into_iter().rev() {
        let stored = postcard::to_allocvec(&undo).unwrap();
        bench.world.undo(postcard::from_bytes(&stored).unwrap());
        assert_eq!(*bench.world.state(), before, "undoing {step:?}");
        redo.push(step);
    }
    for step in redo.into_iter().rev() {
        let before = bench.world.state().clone();
        let undo = take(&mut bench, step).expect("what worked before works again");
        history.push((step, before, undo));
    }
    assert_eq!(*bench.world.state(), end, "performing again");
    for (step, before, undo) in history.into_iter().rev() {
        bench.world.undo(undo);
        assert_eq!(*bench.world.state(), before, "undoing {step:?}");
    }
    assert_eq!(*bench.world.state(), description.start(), "all the way back");

    let stored = postcard::to_allocvec(&end).unwrap();
    let read: State = postcard::from_bytes(&stored).unwrap();
    assert_eq!(read, end, "a state survives storage");
    assert_eq!(read.hash(), end.hash());
}

proptest! {
    #[test]
    fn going_back_is_exact_on_the_board(steps in steps(), back in 0..60usize) {
        walk(Arc::new(Description::board(Default::default())), &steps, back);
    }

    #[test]
    fn going_back_is_exact_in_world_files(steps in steps(), back in 0..60usize) {
        walk(world_file("greenhouse"), &steps, back);
        walk(world_file("vault"), &steps, back);
    }

    #[test]
    fn hashes_are_equal_exactly_when_states_are(a in steps(), b in steps()) {
        let mut bench = Bench::new(world_file("greenhouse"));
        let mut states = vec![bench.world.state().clone()];
        for step in a.iter().chain(&b) {
            take(&mut bench, step);
            states.push(bench.world.state().clone());
        }
        let hashes: Vec<u128> = states.iter().map(State::hash).collect();
        for i in 0..states.len() {
            for j in 0..i {
                prop_assert_eq!(states[i] == states[j], hashes[i] == hashes[j]);
            }
        }
    }
}
