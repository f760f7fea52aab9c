//! Bounds are honoured and said, and nothing is lost by them: what is not explored is a leaf that
//! says so, and going on leads in the end to what would have been found without a bound.

mod anytime;
mod cancel;
mod fair;
mod limits;
mod memory;
#[path = "../common/numbers.rs"]
mod numbers;
mod order;
mod unknown;
#[path = "../common/world.rs"]
mod world;

use std::collections::BTreeSet;

use mw_concolic::solver::sat::Sat;
use mw_concolic::{Bounds, Cut, End, Explorer, Leaf, Options, Outcome, Stop};

use world::{begin, module};

/// Several decisions about two inputs, a trap, a loop and a number that has to be known.
fn program() -> String {
    main_with(
        "(local.set $a (call $four)) (local.set $b (call $byte))
         (if (i32.lt_s (local.get $a) (i32.const 5)) (then (call $print (i32.const 1))))
         (if (i32.gt_s (local.get $b) (i32.const 100)) (then (call $print (i32.const 2))))
         (if (i32.eq (i32.add (local.get $a) (local.get $b)) (i32.const 20)) (then (unreachable)))
         (loop $again
           (local.set $a (i32.sub (local.get $a) (i32.const 3)))
           (br_if $again (i32.gt_s (local.get $a) (i32.const 0))))
         (drop (call $six (i32.and (local.get $b) (i32.const 1))))",
    )
}

fn main_with(body: &str) -> String {
    module(&format!("(func (export \"main\") (local $a i32) (local $b i32) {body})"))
}

fn options(change: impl FnOnce(&mut Bounds)) -> Options {
    // By one alone, so that the order can be told.
    let mut options =
        Options { backends: vec![Box::new(Sat::new())], jobs: 1, ..Options::default() };
    change(&mut options.bounds);
    options
}

fn explorer(wat: &str, options: Options) -> Explorer {
    let (machine, world) = begin(wat);
    Explorer::new(mw_ensemble::Moment::new(machine, world), options)
}

/// Explores once, and checks what has to be true of every result.
fn explore(wat: &str, options: Options) -> (Explorer, Vec<Leaf>) {
    let mut explorer = explorer(wat, options);
    explorer.run(&Stop::default(), &mut |_| {});
    let leaves = explorer.all_leaves();
    let is_whole = leaves.iter().all(|leaf| leaf.end.is_whole());
    assert_eq!(explorer.is_complete(), is_whole);
    assert_eq!(explorer.is_done(), explorer.stopped().is_none());
    (explorer, leaves)
}

/// All paths, without a bound that matters.
fn all(wat: &str) -> Vec<Leaf> {
    let (explorer, leaves) = explore(wat, options(|_| {}));
    assert!(explorer.is_complete());
    leaves
}

/// The decisions of a leaf, which tell it from all others.
fn decisions(leaf: &Leaf) -> Vec<(u32, u64, Outcome)> {
    leaf.conditions.iter().map(|c| (c.pc, c.count, c.outcome)).collect()
}

/// What is to be the same however a path was found.
fn essence(leaves: &[Leaf]) -> BTreeSet<String> {
    let essence = |leaf: &Leaf| {
        let steps: Vec<_> = leaf.steps.iter().map(|step| (step.value, &step.class)).collect();
        format!("{:?} {:?} {:?} {steps:?}", decisions(leaf), leaf.end, leaf.inputs)
    };
    let set: BTreeSet<String> = leaves.iter().map(essence).collect();
    assert_eq!(set.len(), leaves.len(), "a path was found twice");
    set
}

/// Checks that every path is found or goes on from exactly one leaf that was cut off.
fn nothing_is_lost(all: &[Leaf], found: &[Leaf]) {
    for leaf in all {
        let whole = decisions(leaf);
        let covers = |other: &&Leaf| match other.end {
            End::Cut(_) => whole.starts_with(&decisions(other)),
            _ => whole == decisions(other) && leaf.end == other.end,
        };
        let covering = found.iter().filter(covers).count();
        assert_eq!(covering, 1, "{whole:?} among {found:#?}");
    }
}

fn cuts(leaves: &[Leaf]) -> Vec<Cut> {
    leaves
        .iter()
        .filter_map(|leaf| match leaf.end {
            End::Cut(cut) => Some(cut),
            _ => None,
        })
        .collect()
}
