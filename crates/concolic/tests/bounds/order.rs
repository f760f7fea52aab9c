//! In whichever order: the same paths. And each time again, in the same order.

use std::collections::BTreeSet;

use mw_concolic::{Options, Strategy};

use super::{all, decisions, essence, explore, options, program};

fn with(strategy: Strategy) -> Options {
    Options { strategy, ..options(|_| {}) }
}

#[test]
fn every_strategy_finds_the_same_paths() {
    let all = all(&program());
    let targets: BTreeSet<u32> =
        all.iter().flat_map(|leaf| leaf.conditions.iter().map(|condition| condition.pc)).collect();
    let mut strategies =
        vec![Strategy::DepthFirst, Strategy::BreadthFirst, Strategy::CoverageFirst];
    strategies.extend([0, 1, 77, u64::MAX].map(Strategy::Random));
    strategies.extend(targets.iter().map(|&pc| Strategy::Towards(vec![pc])));
    strategies.push(Strategy::Towards(targets.into_iter().collect()));
    strategies.push(Strategy::Towards(vec![]));
    let mut orders = BTreeSet::new();
    for strategy in strategies {
        let (explorer, leaves) = explore(&program(), with(strategy.clone()));
        assert!(explorer.is_complete(), "{strategy:?}");
        assert_eq!(essence(&leaves), essence(&all), "{strategy:?}");
        let found: Vec<_> = explorer.leaves().iter().map(decisions).collect();
        orders.insert(format!("{found:?}"));
    }
    assert!(orders.len() > 3, "strategies that differ in nothing");
}

#[test]
fn every_run_is_the_same() {
    for strategy in
        [Strategy::Fair, Strategy::DepthFirst, Strategy::BreadthFirst, Strategy::Random(5)]
    {
        let (first, leaves) = explore(&program(), with(strategy.clone()));
        for _ in 0..3 {
            let (again, other) = explore(&program(), with(strategy.clone()));
            assert_eq!(other, leaves);
            assert_eq!(again.executed(), first.executed());
            assert_eq!(again.statistics().queries(), first.statistics().queries());
        }
    }
}
