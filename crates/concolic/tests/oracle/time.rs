//! The time: what programs ask about it has both answers where both are possible, and it never
//! goes backwards.

use mw_concolic::solver::sat::Sat;
use mw_concolic::{Explorer, Leaf, Mocked, Options, Stop, integer};
use mw_vm::Value;
use mw_world::World;

use crate::world::{begin, module};

fn explore(body: &str) -> Vec<Leaf> {
    explore_mocked(body, |_| vec![])
}

fn explore_mocked(body: &str, mocks: impl FnOnce(&World) -> Vec<Mocked>) -> Vec<Leaf> {
    let text = module(&format!(
        "(func (export \"main\") (local $start i64) (local $now i64) (local $a i32) {body})"
    ));
    let (machine, world) = begin(&text);
    let mocks = mocks(&world);
    let is_mocked = !mocks.is_empty();
    let options = Options { backends: vec![Box::new(Sat::new())], mocks, ..Options::default() };
    let mut explorer = Explorer::new(mw_ensemble::Moment::new(machine, world), options);
    explorer.run(&Stop::default(), &mut |_| {});
    let leaves = explorer.all_leaves();
    // What is mocked has other values, which are left out.
    assert_eq!(explorer.is_complete(), !is_mocked, "{leaves:#?}");
    assert!(explorer.is_done() && leaves.iter().all(|leaf| leaf.end.is_whole()), "{leaves:#?}");
    leaves
}

/// What was read on each path.
fn readings(body: &str) -> Vec<Vec<i64>> {
    let of = |leaf: &Leaf| leaf.steps.iter().map(|step| integer(step.value.unwrap())).collect();
    explore(body).iter().map(of).collect()
}

const WAIT: &str = "
  (local.set $start (call $millis))
  (local.set $now (call $millis))";

#[test]
fn time_passes_or_not() {
    let paths = readings(&format!(
        "{WAIT} (if (i64.gt_s (i64.sub (local.get $now) (local.get $start)) (i64.const 1000))
           (then (nop)))"
    ));
    assert_eq!(paths.len(), 2);
    let long = |path: &&Vec<i64>| path[1] - path[0] > 1000;
    assert_eq!(paths.iter().filter(long).count(), 1);
}

#[test]
fn time_never_goes_backwards() {
    let ask = "(if (i64.lt_s (local.get $now) (local.get $start)) (then (unreachable)))";
    let paths = readings(&format!("{WAIT} {ask}"));
    assert_eq!(paths.len(), 1);
    assert!(paths[0][0] <= paths[0][1]);
    // Nor does it over a delay, known or not, or a reading in another unit.
    for between in [
        "(call $delay (i32.const 5))",
        "(call $delay (call $byte))",
        "(call $delay (call $any))",
        "(drop (call $micros))",
        "(if (i32.lt_s (call $byte) (i32.const 7)) (then (call $delay (call $four))))",
    ] {
        let body = format!(
            "(local.set $start (call $millis)) {between} (local.set $now (call $millis)) {ask}"
        );
        for leaf in explore(&body) {
            assert_ne!(leaf.end, mw_concolic::End::Trapped(mw_vm::TrapKind::Unreachable), "{body}");
            let first = integer(leaf.steps.first().unwrap().value.unwrap());
            assert!(integer(leaf.steps.last().unwrap().value.unwrap()) >= first, "{leaf:#?}");
        }
    }
}

#[test]
fn a_delay_takes_at_least_as_long_as_it_says() {
    let shorter = "
      (local.set $start (call $millis))
      (local.set $a (call $byte))
      (call $delay (local.get $a))
      (local.set $now (call $millis))
      (if (i64.lt_s (i64.sub (local.get $now) (local.get $start))
                    (i64.extend_i32_s (local.get $a)))
        (then (unreachable)))";
    let paths = readings(shorter);
    assert_eq!(paths.len(), 1);
    // How long is open: as long, or longer than any of them.
    let long = "
      (local.set $start (call $millis))
      (call $delay (call $byte))
      (local.set $now (call $millis))
      (if (i64.gt_s (i64.sub (local.get $now) (local.get $start)) (i64.const 255)) (then (nop)))
      (if (i64.gt_s (i64.sub (local.get $now) (local.get $start)) (i64.const 10)) (then (nop)))";
    let paths = readings(long);
    assert_eq!(paths.len(), 3);
    for path in &paths {
        assert!(path[2] - path[0] >= path[1], "{path:?}");
    }
}

/// The example of a path is not the shortest delay that there is.
#[test]
fn a_delay_that_may_be_shorter_than_its_example() {
    let paths = readings(
        "(local.set $a (call $four))
         (if (i32.eq (i32.add (local.get $a) (call $four)) (i32.const 9))
           (then
             (call $delay (i32.sub (i32.const 9) (local.get $a)))
             (if (i64.lt_s (call $millis) (i64.const 5)) (then (nop)))))",
    );
    assert_eq!(paths.len(), 3);
    assert_eq!(paths.iter().filter(|path| path.len() == 3 && path[2] < 5).count(), 1);
}

#[test]
fn units_agree() {
    let ask = "
      (local.set $start (call $millis))
      (local.set $now (call $micros))
      (if (i64.lt_s (local.get $now) (i64.mul (local.get $start) (i64.const 1000)))
        (then (unreachable)))
      (if (i64.lt_s (call $millis) (i64.div_s (local.get $now) (i64.const 1000)))
        (then (unreachable)))";
    let paths = readings(ask);
    assert_eq!(paths.len(), 1);
}

#[test]
fn waiting_in_a_loop() {
    let paths = readings(
        "(local.set $start (call $millis))
         (block $out
           (br_if $out (i64.gt_s (i64.sub (call $millis) (local.get $start)) (i64.const 20)))
           (br_if $out (i64.gt_s (i64.sub (call $millis) (local.get $start)) (i64.const 20)))
           (br_if $out (i64.gt_s (i64.sub (call $millis) (local.get $start)) (i64.const 20)))
           (call $print (i32.const 1)))",
    );
    assert_eq!(paths.len(), 4);
    for path in &paths {
        assert!(path.is_sorted(), "{path:?}");
        let (last, before) = path.split_last().unwrap();
        assert!(before.iter().all(|time| time - path[0] <= 20), "{path:?}");
        assert!(path.len() == 4 || last - path[0] > 20, "{path:?}");
    }
}

/// What is mocked is the time from then on, and was not passed before.
#[test]
fn a_mocked_time_is_the_time() {
    let body = "
      (local.set $start (call $millis))
      (local.set $now (call $micros))
      (if (i64.gt_s (local.get $start) (i64.const 50)) (then (unreachable)))
      (if (i64.lt_s (call $millis) (i64.const 50)) (then (unreachable)))";
    let leaves = explore_mocked(body, |world| {
        let (import, value) = (world.find("micros").unwrap(), Value::I64(50_000));
        vec![Mocked { port: None, import, args: None, answer: value.into(), once: false }]
    });
    assert_eq!(leaves.len(), 1, "{leaves:#?}");
    assert_eq!(leaves[0].steps[1].value, Some(Value::I64(50_000)));
}
