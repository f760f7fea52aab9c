//! How many arrivals are explored: as many as there are different results, or close.

use mw_concolic::{Asked, End, Leaf, Omitted};

use super::plain::check;
use super::{explore, options, program, subscribe};

/// After how many instructions something arrives on a path.
fn arrivals(leaf: &Leaf) -> Vec<u64> {
    let arrives = |asked: &Asked| matches!(asked, Asked::Event(_));
    leaf.steps.iter().filter(|step| arrives(&step.asked)).map(|step| step.count).collect()
}

/// Some instructions that have to do with nothing else.
fn busy(turns: u32) -> String {
    format!(
        "(local.set $i (i32.const {turns}))
         (loop $again
           (i32.store (i32.const 100) (i32.add (i32.load (i32.const 100)) (local.get $i)))
           (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))"
    )
}

#[test]
fn a_handler_that_touches_nothing_shared_is_explored_once() {
    let handlers = [
        "(global.set $b (i32.const 1))",
        "(i32.store (i32.const 96) (i32.load (i32.const 104)))",
        "(call $print (i32.const 1))",
        "(if (call $two) (then (global.set $b (i32.const 1))) (else (call $helper)))",
        "(unreachable)",
        "",
    ];
    for (handler, forks) in handlers.into_iter().zip([1, 1, 1, 2, 1, 1]) {
        let wat = program(&busy(1000), &[handler]);
        let (explorer, leaves) = explore(&wat, options(1));
        assert!(explorer.is_complete(), "{leaves:#?}");
        assert_eq!(leaves.len(), 1 + forks, "{handler}: {leaves:#?}");
        assert!(arrivals(&leaves[0]).is_empty());
        assert!(leaves[1..].iter().all(|leaf| arrivals(leaf) == [4]));
        // Everything else is the program itself, and following a handler of a few instructions.
        let most = leaves.iter().map(|leaf| leaf.count).sum::<u64>() + 100;
        assert!(explorer.executed() <= most, "{} of {most}", explorer.executed());
    }
}

/// Paths, those with and without an arrival, for what a program and its handlers do.
#[test]
fn as_many_arrivals_as_results() {
    let add = |global: &str| {
        format!("(global.set ${global} (i32.add (global.get ${global}) (i32.const 1)))")
    };
    let (add_a, add_b) = (add("a"), add("b"));
    let set = |to: u32| format!("(global.set $a (i32.const {to}))");
    let store = |at: u32| format!("(i32.store8 (i32.const {at}) (i32.const 7))");
    let nothing = String::new();
    for (main, handler, paths, ends) in [
        // Nothing shared; before or between the halves of an update, or after it.
        (&add_a, &add_b, 2, 2),
        // The handler adds before the update or after it, or what it adds is lost.
        (&add_a, &add_a, 4, 2),
        // What is set last counts.
        (&set(1), &set(2), 3, 2),
        // It looks at what is set twice.
        (&(set(1) + &set(2)), &"(global.set $b (global.get $a))".to_owned(), 4, 3),
        // Bytes next to each other are not the same ones.
        (&store(8), &store(9), 2, 2),
        (&store(8), &store(8), 3, 1),
        (&"(i32.store16 (i32.const 8) (i32.const 0))".to_owned(), &store(9), 3, 2),
        (&nothing, &nothing, 2, 1),
        // The order of what is put out is seen.
        (&"(call $print (i32.const 1))".repeat(3), &"(call $print (i32.const 2))".to_owned(), 5, 5),
        // To look at something does not get in the way of looking at something else.
        (&"(drop (call $two))".repeat(3), &"(drop (call $two))".to_owned(), 2, 1),
        // What is asked for later arrives later.
        (&(add_a.clone() + &subscribe(0)), &add_b, 2, 2),
        (&("(call $unsubscribe (i32.const 4))".to_owned() + &add_a), &add_a, 2, 2),
    ] {
        let compared = check(&program(main, &[handler]), 1);
        assert_eq!((compared.paths, compared.ends), (paths, ends), "{main} / {handler}");
        assert!(compared.moments > paths - 1 || main.is_empty(), "{compared:?}");
    }
}

/// Of handlers that have nothing to do with each other, one order is explored.
#[test]
fn orders_that_make_no_difference_are_one() {
    let add = |global: &str| {
        format!("(global.set ${global} (i32.add (global.get ${global}) (i32.const 1)))")
    };
    let (a, b) = (add("a"), add("b"));
    // Nothing; one; the other; both; one twice; the other twice.
    let compared = check(&program("(nop) (nop)", &[&a, &b]), 2);
    assert_eq!((compared.paths, compared.ends), (6, 6));
    // Those that have do so in both orders.
    let double = "(global.set $a (i32.mul (global.get $a) (i32.const 2)))";
    let compared = check(&program("(global.set $a (i32.const 1))", &[&a, double]), 1);
    assert_eq!((compared.paths, compared.ends), (5, 2));
    let print = |number: u32| format!("(call $print (i32.const {number}))");
    // To ask for an interrupt is a call of the outside as well, so there are moments before the
    // second one is asked for and after it.
    let compared = check(&program("(nop)", &[&print(1), &print(2)]), 2);
    assert_eq!((compared.paths, compared.ends), (11, 7));
}

/// Two that wait for the same instruction arrive after it both, in one order.
#[test]
fn two_that_are_due_at_once_both_arrive() {
    let copy = |to: &str| format!("(global.set ${to} (global.get $a))");
    let wat = program("(global.set $a (i32.const 1))", &[&copy("b"), &copy("c")]);
    let compared = check(&wat, 2);
    // None; each before the instruction and after it; two of these four, in one order.
    assert_eq!((compared.paths, compared.ends), (1 + 4 + 10, 4), "{compared:?}");
}

/// What is stored where an input says may be anywhere.
#[test]
fn an_open_address_is_every_address() {
    let store = "(i32.store16 (i32.mul (call $two) (i32.const 2)) (i32.const 7))";
    let load = "(global.set $a (i32.load16_u (i32.const 6)))";
    let compared = check(&program(load, &[store]), 1);
    assert_eq!((compared.paths, compared.ends), (3, 6), "{compared:?}");
    let compared = check(&program(store, &[load]), 1);
    assert_eq!((compared.paths, compared.ends), (3, 5), "{compared:?}");
}

/// A handler that changes nothing is called once, however many may arrive.
#[test]
fn nothing_comes_of_calling_again_what_changes_nothing() {
    for handler in ["", "(drop (global.get $a))", "(drop (call $two))"] {
        let wat = program("(global.set $b (global.get $a))", &[handler]);
        let (explorer, leaves) = explore(&wat, options(5));
        assert!(explorer.is_complete() && explorer.most_interrupts().is_none(), "{leaves:#?}");
        assert_eq!(leaves.len(), 2, "{leaves:#?}");
        check(&wat, 3);
    }
}

/// A word of two halves that is written one half after the other, and a handler that looks at it.
#[test]
fn an_update_in_two_parts_is_torn() {
    let main =
        "(i32.store16 (i32.const 0) (i32.const 5)) (i32.store16 (i32.const 2) (i32.const 5))";
    let handler = "(if (i32.ne (i32.load16_u (i32.const 0)) (i32.load16_u (i32.const 2)))
                     (then (unreachable)))";
    let wat = program(&(busy(100) + main + &busy(100)), &[handler]);
    let (explorer, leaves) = explore(&wat, options(1));
    assert!(explorer.is_complete());
    let trapped: Vec<_> =
        leaves.iter().filter(|leaf| matches!(leaf.end, End::Trapped(_))).collect();
    assert_eq!((leaves.len(), trapped.len()), (4, 1), "{leaves:#?}");
    // Right after the first of the two.
    let first = 4 + 2 + 100 * 11 + 3;
    assert_eq!(arrivals(trapped[0]), [first]);
}

/// More could arrive than the bound allows: that is said, unless the handler has seen to it.
#[test]
fn what_could_arrive_beyond_the_bound_is_said() {
    for interrupts in 0..4 {
        let wat = program("(nop)", &["(call $helper)"]);
        let (explorer, leaves) = explore(&wat, options(interrupts));
        assert_eq!(explorer.is_complete(), interrupts > 0);
        assert_eq!(explorer.most_interrupts(), (interrupts > 0).then_some(interrupts));
        let left_out = match interrupts {
            0 => Omitted::Interrupts,
            most => Omitted::MoreInterrupts(most),
        };
        let last = leaves.last().unwrap();
        assert_eq!(last.omitted.iter().copied().collect::<Vec<_>>(), [left_out]);
        assert_eq!(leaves.len(), 1 + interrupts as usize, "{leaves:#?}");
    }
    let wat = program("(nop)", &["(call $unsubscribe (i32.const 4))"]);
    let (explorer, leaves) = explore(&wat, options(1));
    assert!(explorer.is_complete() && explorer.most_interrupts().is_none(), "{leaves:#?}");
    // While it is handled, no other one arrives; but it could right before it is not asked for.
    let wat = program("(call $unsubscribe (i32.const 4))", &["(call $helper)"]);
    let (explorer, _) = explore(&wat, options(1));
    assert_eq!(explorer.most_interrupts(), Some(1));
}

/// Near the end of the stack, a handler may find no room that it finds elsewhere.
#[test]
fn a_handler_that_finds_no_room_is_found() {
    let wat = program("(call $down (i32.const 38))", &["(call $helper)"]).replace(
        "(func $helper",
        "(func $down (param i32)
           (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))
         (func $helper",
    );
    let (explorer, leaves) = explore(&wat, options(1));
    assert!(explorer.is_complete());
    assert!(leaves.iter().any(|leaf| matches!(leaf.end, End::Trapped(_))), "{leaves:#?}");
    assert!(leaves.iter().any(|leaf| leaf.end == End::Finished && !arrivals(leaf).is_empty()));
    assert!(leaves.len() < 40, "{}", leaves.len());
    check(&wat, 1);
}

/// What is looked for may hold in the middle of a handler, or in the middle of what it interrupts.
#[test]
fn what_is_looked_for_holds_for_a_moment() {
    use std::sync::Arc;

    use mw_concolic::expr::Expr;
    use mw_concolic::{Goal, Predicate, SymbolicState};
    use mw_vm::{Cell, NumericOp};

    /// Both globals are 1.
    #[derive(Debug)]
    struct Both;
    impl Predicate for Both {
        fn expr(&self, state: &mut SymbolicState<'_>) -> Option<Expr> {
            let is_one = |state: &mut SymbolicState<'_>, global: u32| {
                let value = state.cell(Cell::Global(global))?;
                Some(state.exprs.with_const(NumericOp::I32Eq, value, 1))
            };
            let (a, b) = (is_one(state, 0)?, is_one(state, 1)?);
            Some(state.exprs.and(a, b))
        }

        fn looks_at(&self) -> Vec<Cell> {
            vec![Cell::Global(0), Cell::Global(1)]
        }
    }

    let main = "(global.set $a (i32.const 1)) (global.set $a (i32.const 2))";
    let handler = "(global.set $b (i32.const 1)) (global.set $b (i32.const 2))";
    let mut options = options(1);
    options.goal = Some(Goal::Holds(Arc::new(Both)));
    let (_, leaves) = explore(&program(main, &[handler]), options);
    assert!(leaves.iter().any(|leaf| leaf.end == End::Reached), "{leaves:#?}");
}
