//! Exploring on several threads, and looking for one path.

use std::sync::Arc;

use mw_concolic::expr::Expr;
use mw_concolic::solver::sat::Sat;
use mw_concolic::{
    Cut, End, Explorer, Goal, Options, Predicate, Stop, Strategy, SymbolicState, integer,
};
use mw_vm::{Cell, ImportValues, Limits, Machine, Module, NumericOp};
use mw_world::{Description, Import, World};

fn begin(wasm: &[u8]) -> (Machine, World) {
    let module = Arc::new(Module::from_binary(wasm, &Limits::default()).unwrap());
    let import = |(name, ty)| {
        let name: &mw_vm::ImportName = name;
        Import { module: &name.module, name: &name.field, ty }
    };
    let world = Arc::new(Description::board(Default::default()));
    let world = world.bind(module.imports().map(import)).unwrap();
    let mut machine =
        Machine::new(module.clone(), Limits::default(), ImportValues::default()).unwrap();
    machine.call_next(module.exported_func("main").unwrap(), &[]).unwrap();
    (machine, world)
}

fn explore(wasm: &[u8], options: Options) -> Explorer {
    let (machine, world) = begin(wasm);
    let mut explorer = Explorer::new(mw_ensemble::Moment::new(machine, world), options);
    explorer.run(&Stop::default(), &mut |_| {});
    explorer
}

fn options() -> Options {
    Options { backends: vec![Box::new(Sat::new())], jobs: 1, ..Options::default() }
}

#[test]
fn many_find_what_one_finds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/explore/btree.wasm");
    let wasm = std::fs::read(path).unwrap();
    let alone = explore(&wasm, options());
    let together = explore(&wasm, Options { jobs: 3, ..options() });
    assert!(alone.is_complete() && together.is_complete());
    assert_eq!(alone.all_leaves().len(), 720);
    assert_eq!(alone.all_leaves(), together.all_leaves());
    assert_eq!(alone.executed(), together.executed());

    // Stopped by a bound again and again, it loses nothing.
    let mut bounded = Options { jobs: 3, ..options() };
    bounded.bounds.paths = 100;
    let mut explorer = explore(&wasm, bounded);
    let mut rounds = 1;
    while !explorer.is_done() {
        assert_eq!(explorer.stopped(), Some(Cut::Paths));
        explorer.run(&Stop::default(), &mut |_| {});
        rounds += 1;
    }
    assert!(rounds > 2);
    assert_eq!(explorer.all_leaves(), alone.all_leaves());
}

const MAZE: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (global $x (mut i32) (i32.const 0))
  (memory 1)
  (func $deep (drop (i32.div_s (i32.const 1) (global.get $x))))
  (func (export "main") (local $i i32)
    (loop $again
      (global.set $x (i32.add (global.get $x) (call $read (local.get $i))))
      (i32.store (i32.const 8) (i32.mul (global.get $x) (i32.const 3)))
      (if (i32.eq (global.get $x) (i32.const 5000)) (then (call $deep)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_s (local.get $i) (i32.const 8)))))
)"#;

#[test]
fn towards_an_instruction() {
    let wasm = wat::parse_str(MAZE).unwrap();
    let (machine, _) = begin(&wasm);
    let deep = machine.module().func_code(1).start;
    let looking = Options {
        strategy: Strategy::Towards(vec![deep]),
        goal: Some(Goal::Reach(vec![deep])),
        ..options()
    };
    let explorer = explore(&wasm, looking);
    assert_eq!(explorer.stopped(), Some(Cut::Found));
    let leaves = explorer.all_leaves();
    let found = leaves.iter().find(|leaf| leaf.pc == Some(deep)).unwrap();
    assert_eq!(found.end, End::Reached);
    assert_eq!(found.steps.iter().map(|step| integer(step.value.unwrap())).sum::<i64>(), 5000);
}

#[test]
fn towards_a_failure() {
    let failing = MAZE.replace(
        "(i32.const 1) (global.get $x)",
        "(i32.const 1) (i32.sub (global.get $x) (i32.const 5000))",
    );
    let wasm = wat::parse_str(failing).unwrap();
    let explorer = explore(&wasm, Options { goal: Some(Goal::Failure), ..options() });
    assert_eq!(explorer.stopped(), Some(Cut::Found));
    assert!(explorer.leaves().iter().any(|leaf| leaf.end.is_failure()));
}

/// What holds for a moment only is found however often one is interrupted.
#[test]
fn towards_a_moment() {
    let wasm = wat::parse_str(
        r#"(module
          (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
          (global $x (mut i32) (i32.const 0))
          (func (export "main")
            (global.set $x (i32.mul (call $read (i32.const 0)) (call $read (i32.const 1))))
            (global.set $x (i32.const -1))))"#,
    )
    .unwrap();
    let (machine, world) = begin(&wasm);
    let goal = Some(Goal::Holds(Arc::new(Is(Cell::Global(0), 4093 * 4091))));
    let mut explorer = Explorer::new(
        mw_ensemble::Moment::new(machine, world),
        Options { goal, jobs: 1, ..options() },
    );
    for looks in 0..1000 {
        explorer.run(&Stop::after_looks(looks), &mut |_| {});
        if explorer.stopped() != Some(Cut::Cancelled) {
            break;
        }
    }
    assert_eq!(explorer.stopped(), Some(Cut::Found));
}

/// A number in memory, or a global, is this.
#[derive(Debug)]
struct Is(Cell, u64);

impl Predicate for Is {
    fn expr(&self, state: &mut SymbolicState<'_>) -> Option<Expr> {
        let expr = state.cell(self.0)?;
        Some(state.exprs.with_const(NumericOp::I32Eq, expr, self.1))
    }

    fn looks_at(&self) -> Vec<Cell> {
        vec![self.0]
    }
}

#[test]
fn towards_a_state() {
    let wasm = wat::parse_str(MAZE).unwrap();
    let sum = |is: Is| {
        let goal = Some(Goal::Holds(Arc::new(is)));
        let explorer = explore(&wasm, Options { goal, ..options() });
        let stopped = explorer.stopped();
        let leaves = explorer.all_leaves();
        let found = leaves.iter().find(|leaf| leaf.end == End::Reached);
        let sum = found
            .map(|leaf| leaf.steps.iter().map(|step| integer(step.value.unwrap())).sum::<i64>());
        (stopped, sum)
    };
    assert_eq!(sum(Is(Cell::Global(0), 66)), (Some(Cut::Found), Some(66)));
    // Not with one reading, but with two.
    assert_eq!(sum(Is(Cell::Global(0), 7000)), (Some(Cut::Found), Some(7000)));
    assert_eq!(sum(Is(Cell::bytes(8, 4), 66)), (Some(Cut::Found), Some(22)));
    assert_eq!(sum(Is(Cell::bytes(8, 4), 67)).1, None);
}

#[test]
fn a_state_that_only_a_bulk_instruction_makes() {
    let initialised = r#"(module
        (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
        (memory 1)
        (data "abcd")
        (func (export "main")
            (drop (call $read (i32.const 1)))
            (memory.init 0 (i32.const 8) (i32.const 0) (i32.const 4))
            (i32.store (i32.const 8) (i32.const 0))))"#;
    let goal = Some(Goal::Holds(Arc::new(Is(Cell::bytes(8, 4), 0x6463_6261))));
    let wasm = wat::parse_str(initialised).unwrap();
    let explorer = explore(&wasm, Options { goal, ..options() });
    assert_eq!(explorer.stopped(), Some(Cut::Found));
}
