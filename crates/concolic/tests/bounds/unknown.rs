//! Solvers that do not answer: said of each path that may be missing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use mw_concolic::expr::{Expr, Exprs};
use mw_concolic::solver::sat::Sat;
use mw_concolic::solver::{Backend, Verdict};
use mw_concolic::{Cut, End, Leaf, Options, Outcome, Stop};

use super::{cuts, decisions, explore, main_with, options};

/// Answers only every so-manieth time.
struct Moody {
    sat: Sat,
    asked: usize,
    answers_each: usize,
}

impl Backend for Moody {
    fn name(&self) -> &str {
        "moody"
    }

    fn solve(&mut self, exprs: &Exprs, constraints: &[Expr], stop: &Stop) -> Verdict {
        self.asked += 1;
        match self.answers_each {
            0 => Verdict::Unknown,
            each if !self.asked.is_multiple_of(each) => Verdict::Unknown,
            _ => self.sat.solve(exprs, constraints, stop),
        }
    }
}

fn moody(answers_each: usize) -> Options {
    let moody = Moody { sat: Sat::new(), asked: 0, answers_each };
    Options { backends: vec![Box::new(moody)], ..options(|_| {}) }
}

/// Needs a solver: the inputs have too many values to try them out.
fn product() -> String {
    main_with(
        "(local.set $a (i32.mul (call $any) (call $any)))
         (if (i32.eq (i32.and (local.get $a) (i32.const 0xff)) (i32.const 91))
           (then (call $print (i32.const 1))))",
    )
}

#[test]
fn a_branch_that_nobody_knows() {
    let mut without = options(|_| {});
    without.backends.clear();
    for options in [moody(0), without] {
        let (explorer, leaves) = explore(&product(), options);
        assert!(!explorer.is_complete() && explorer.is_done());
        assert_eq!(cuts(&leaves), [Cut::Unknown]);
        assert_eq!(leaves.len(), 2);
        let cut = leaves.iter().find(|leaf| leaf.end == End::Cut(Cut::Unknown)).unwrap();
        let outcomes: Vec<Outcome> = decisions(cut).into_iter().map(|(.., o)| o).collect();
        assert_eq!(outcomes.len(), 1);
        // The other one is the one that was taken.
        let taken = leaves.iter().find(|leaf| leaf.end == End::Finished).unwrap();
        assert_ne!(decisions(taken), decisions(cut));
        assert_eq!(explorer.statistics().unknown, 1);
    }
    let (explorer, leaves) = explore(&product(), options(|_| {}));
    assert!(explorer.is_complete());
    assert_eq!(leaves.len(), 2);
}

#[test]
fn a_solver_that_has_no_time() {
    let hard = main_with(
        "(if (i64.eq (i64.mul (i64.extend_i32_u (call $any)) (i64.extend_i32_u (call $any)))
                     (i64.const 8061068612618766373))
           (then (nop)))",
    );
    let (explorer, leaves) = explore(&hard, options(|bounds| bounds.solver_time = Duration::ZERO));
    assert!(!explorer.is_complete() && explorer.is_done());
    assert_eq!(cuts(&leaves), [Cut::Unknown]);
    assert_eq!(leaves.len(), 2);
}

#[test]
fn numbers_that_nobody_knows() {
    // How many bytes: a path for each number that is known, and a word about the others.
    let filling = main_with(
        "(memory.fill (i32.const 0) (i32.const 1)
           (i32.and (i32.mul (call $any) (i32.const 3)) (i32.const 7)))",
    );
    let (explorer, leaves) = explore(&filling, moody(0));
    assert!(!explorer.is_complete() && explorer.is_done());
    assert!(leaves.iter().any(|leaf| leaf.end == End::Finished));
    assert!(!cuts(&leaves).is_empty());
    assert!(cuts(&leaves).iter().all(|&cut| cut == Cut::Unknown), "{:?}", cuts(&leaves));
}

/// Whether a path is a leaf, or goes on from there. A leaf may have decisions that are none: nobody
/// knew that there was but one outcome.
fn covers(leaf: &Leaf, whole: &Leaf) -> bool {
    let whole_decisions = decisions(whole);
    let is_one =
        |&(pc, count, _): &_| whole_decisions.iter().any(|&(of, at, _)| (of, at) == (pc, count));
    let own = decisions(leaf);
    let real: Vec<_> = own.iter().copied().filter(is_one).collect();
    match leaf.end {
        End::Cut(_) => whole_decisions.starts_with(&real) && real.last() == own.last(),
        _ => whole_decisions == real && leaf.end == whole.end,
    }
}

/// Whichever answers are missing, every path is found or said to be unknown.
#[test]
fn no_path_is_missing_without_a_word() {
    let program = main_with(
        "(local.set $a (i32.mul (call $any) (i32.const 7)))
         (local.set $b (call $any))
         (if (i32.eq (i32.rem_u (local.get $a) (i32.const 5)) (i32.const 3)) (then (nop)))
         (if (i32.lt_u (i32.xor (local.get $a) (local.get $b)) (i32.const 1000)) (then (nop)))
         (if (i32.eqz (i32.div_s (local.get $b) (i32.popcnt (local.get $a)))) (then (nop)))",
    );
    let (explorer, all) = explore(&program, options(|_| {}));
    assert!(explorer.is_complete());
    for answers_each in 0..8 {
        let (explorer, leaves) = explore(&program, moody(answers_each));
        assert!(explorer.is_done());
        for whole in &all {
            let covering = leaves.iter().filter(|leaf| covers(leaf, whole)).count();
            assert_eq!(covering, 1, "{whole:#?} among {leaves:#?}");
        }
    }
}

/// Thinks until it is to stop, the first time; answers at once when it is asked again.
struct Slow {
    sat: Sat,
    is_awake: Arc<AtomicBool>,
}

impl Backend for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn fresh(&self) -> Option<Box<dyn Backend>> {
        Some(Box::new(Slow { sat: Sat::new(), is_awake: self.is_awake.clone() }))
    }

    fn solve(&mut self, exprs: &Exprs, constraints: &[Expr], stop: &Stop) -> Verdict {
        while !self.is_awake.load(Relaxed) {
            self.is_awake.store(stop.is_over(), Relaxed);
        }
        self.sat.solve(exprs, constraints, stop)
    }
}

/// A question that was put again, because work was shared in the middle of it, has its answer.
#[test]
fn what_was_answered_in_the_end_is_not_unanswered() {
    let slow = Slow { sat: Sat::new(), is_awake: Arc::default() };
    let options = Options { backends: vec![Box::new(slow)], jobs: 2, ..options(|_| {}) };
    let (explorer, leaves) = explore(&product(), options);
    assert!(explorer.is_complete());
    assert_eq!(leaves.len(), 2);
    assert_eq!(explorer.statistics().unknown, 0);
}
