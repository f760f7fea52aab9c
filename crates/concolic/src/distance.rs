//! How far it is from an instruction to where one wants to be.

use std::collections::VecDeque;

use mw_vm::{Machine, Module, Op};

/// The number of instructions, at least, from each instruction to the nearest target.
#[derive(Debug)]
pub struct Distances {
    from: Vec<u32>,
}

impl Distances {
    /// The distances to these instructions.
    pub fn new(module: &Module, targets: &[u32]) -> Distances {
        let code = module.code();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); code.len()];
        let mut link = |from: usize, to: u32| {
            if let Some(before) = before.get_mut(to as usize) {
                before.push(from as u32);
            }
        };
        for (pc, &op) in code.iter().enumerate() {
            op.jumps(module).into_iter().for_each(|to| link(pc, to));
            let goes_on = !matches!(
                op,
                Op::Br { .. }
                    | Op::BrMoving { .. }
                    | Op::BrTable { .. }
                    | Op::Return { .. }
                    | Op::Unreachable {}
            );
            if goes_on {
                link(pc, pc as u32 + 1);
            }
        }
        let mut from = vec![u32::MAX; code.len()];
        let mut open: VecDeque<u32> = VecDeque::new();
        for &target in targets {
            if let Some(distance) = from.get_mut(target as usize) {
                *distance = 0;
                open.push_back(target);
            }
        }
        while let Some(pc) = open.pop_front() {
            let distance = from[pc as usize] + 1;
            for &earlier in &before[pc as usize] {
                if from[earlier as usize] == u32::MAX {
                    from[earlier as usize] = distance;
                    open.push_back(earlier);
                }
            }
        }
        Distances { from }
    }

    /// The distance from an instruction of the current function, or from where its callers go on.
    pub fn of(&self, machine: &Machine, pc: u32) -> u32 {
        let at = |pc: u32| self.from.get(pc as usize).copied().unwrap_or(u32::MAX);
        let callers = machine.call_stack();
        let callers = callers.iter().skip(1).map(|frame| at(frame.pc + 1));
        callers.fold(at(pc), u32::min)
    }
}
