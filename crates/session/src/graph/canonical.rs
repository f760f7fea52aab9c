//! Numbering states, whatever the order in which they were met.

use mw_ensemble::Checkpoint;

use super::{GraphChoice, GraphEdge, GraphState, Halting, StateId, StateKind, Unexplored};

/// A state as it was met.
#[derive(Debug)]
pub(super) struct Raw {
    pub kind: StateKind,
    pub halted: Vec<Halting>,
    pub open: Option<Unexplored>,
    pub hash: (u128, u128),
    /// How many instructions had been executed when it was first met.
    pub count: u64,
    /// What is decided, how many instructions are executed, and where it leads.
    pub edges: Vec<(Option<GraphChoice>, u64, usize)>,
    /// Whether it is the one where everything begins.
    pub is_first: bool,
    /// Whether its ways on were followed, or are about to be.
    pub is_explored: bool,
}

impl Raw {
    pub fn new(
        kind: StateKind,
        halted: Vec<Halting>,
        open: Option<Unexplored>,
        hash: (u128, u128),
        count: u64,
    ) -> Raw {
        let (edges, is_first, is_explored) = (Vec::new(), false, false);
        Raw { kind, halted, open, hash, count, edges, is_first, is_explored }
    }
}

/// How a state is come to with the fewest choices.
#[derive(Clone, Copy)]
struct Way {
    parent: Option<(usize, usize)>,
    depth: u32,
    count: u64,
}

/// Numbers states going breadth first from the first one. Returns them in the order of their numbers,
/// and which each one was.
pub(super) fn number(raw: Vec<Raw>, moments: &[Checkpoint]) -> (Vec<GraphState>, Vec<usize>) {
    let mut ways: Vec<Option<Way>> = vec![None; raw.len()];
    let mut order: Vec<usize> = Vec::with_capacity(raw.len());
    let mut level: Vec<usize> = Vec::new();
    if let Some(first) = raw.first() {
        ways[0] = Some(Way { parent: None, depth: 0, count: first.count });
        level.push(0);
    }
    while !level.is_empty() {
        // Where the program goes on by itself there is no further choice.
        let mut met = 0;
        while let Some(&at) = level.get(met) {
            met += 1;
            let ways_on = follow(&raw, &mut ways, at, false);
            level.extend(ways_on);
        }
        let next = level.iter().flat_map(|&at| follow(&raw, &mut ways, at, true)).collect();
        order.append(&mut level);
        level = next;
    }
    let mut numbers = vec![0; raw.len()];
    order.iter().enumerate().for_each(|(number, &at)| numbers[at] = number as u32);
    let mut raw: Vec<Option<Raw>> = raw.into_iter().map(Some).collect();
    let states = order.iter().filter_map(|&at| {
        let (state, way) = (raw[at].take()?, ways[at]?);
        let edge = |(choice, length, to): (Option<GraphChoice>, u64, usize)| GraphEdge {
            choice,
            length,
            to: StateId(numbers[to]),
        };
        Some(GraphState {
            kind: state.kind,
            halted: state.halted,
            open: state.open,
            edges: state.edges.into_iter().map(edge).collect(),
            parent: way.parent.map(|(parent, edge)| (StateId(numbers[parent]), edge)),
            depth: way.depth,
            count: way.count,
            runs: moments[at].ensemble.as_deref().map(|ensemble| ensemble.current()),
            hash: state.hash,
        })
    });
    (states.collect(), order)
}

/// The states that are first met by the ways on from one: by choices, or without any.
fn follow(raw: &[Raw], ways: &mut [Option<Way>], at: usize, by_choice: bool) -> Vec<usize> {
    let Some(way) = ways[at] else { return Vec::new() };
    let mut met = Vec::new();
    for (number, (choice, length, to)) in raw[at].edges.iter().enumerate() {
        if choice.is_some() == by_choice && ways[*to].is_none() {
            ways[*to] = Some(Way {
                parent: Some((at, number)),
                depth: way.depth + u32::from(by_choice),
                count: way.count + length,
            });
            met.push(*to);
        }
    }
    met
}
