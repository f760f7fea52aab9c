//! Who calls whom: groups of functions that call one another, callees before callers.

use mw_vm::{Instruction, Module};

use crate::outside::Outside;

/// Functions, by their index, and indirect calls, by their type, in an order in which what is
/// called comes first; those that call one another come together.
pub(crate) struct Groups {
    pub members: Vec<Vec<usize>>,
    /// Whether a function can come to be called by itself.
    pub is_recursive: Vec<bool>,
}

impl Groups {
    /// The groups of a module.
    pub fn of(module: &Module, outside: &Outside) -> Groups {
        let callees = callees(module, outside);
        let members = components(&callees);
        let calls_itself =
            |group: &Vec<usize>| group.len() > 1 || callees[group[0]].contains(&group[0]);
        let is_recursive = members.iter().map(calls_itself).collect();
        Groups { members, is_recursive }
    }
}

fn callees(module: &Module, outside: &Outside) -> Vec<Vec<usize>> {
    let funcs = module.funcs().len();
    let mut callees = vec![Vec::new(); funcs];
    for (index, callees) in (0..).zip(&mut callees) {
        let code = module.func_code(index);
        for op in &module.code()[code.start as usize..(code.start + code.len) as usize] {
            match op.instruction() {
                Some(
                    Instruction::Call { func, .. }
                    | Instruction::CallImport { func, .. }
                    | Instruction::ReturnCall { func, .. }
                    | Instruction::ReturnCallImport { func, .. },
                ) => callees.push(func as usize),
                Some(
                    Instruction::CallIndirect { ty, .. }
                    | Instruction::ReturnCallIndirect { ty, .. },
                ) => callees.push(funcs + ty as usize),
                _ => {}
            }
        }
        callees.sort_unstable();
        callees.dedup();
    }
    let types = 0..module.types().len() as u32;
    callees.extend(types.map(|ty| outside.candidates(module, ty).collect::<Vec<_>>()));
    callees
}

/// Strongly connected components, those that are led to first (Tarjan, without recursion).
fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut number = vec![UNSEEN; edges.len()];
    let mut lowest = vec![0; edges.len()];
    let mut is_open = vec![false; edges.len()];
    let (mut open, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..edges.len() {
        if number[root] != UNSEEN {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = stack.last_mut() {
            if *next == 0 && number[node] == UNSEEN {
                (number[node], lowest[node]) = (count, count);
                count += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(&to) = edges[node].get(*next) {
                *next += 1;
                if number[to] == UNSEEN {
                    stack.push((to, 0));
                } else if is_open[to] {
                    lowest[node] = lowest[node].min(number[to]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                lowest[parent] = lowest[parent].min(lowest[node]);
            }
            if lowest[node] == number[node] {
                let first = open.iter().rposition(|&member| member == node).unwrap_or(0);
                let mut group = open.split_off(first);
                group.iter().for_each(|&member| is_open[member] = false);
                group.sort_unstable();
                found.push(group);
            }
        }
    }
    found
}
