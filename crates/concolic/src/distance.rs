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
            let next = pc as u32 + 1;
            match op {
                Op::Br { target } => link(pc, target.to),
                Op::BrIf { target, .. } | Op::BrUnless { target, .. } => {
                    link(pc, target.to);
                    link(pc, next);
                }
                Op::BrMoving { branch } => link(pc, module.branches()[branch as usize].target.to),
                Op::BrIfMoving { branch, .. } => {
                    link(pc, module.branches()[branch as usize].target.to);
                    link(pc, next);
                }
                Op::BrTable { first, count, .. } => {
                    for branch in first..first + count {
                        link(pc, module.branches()[branch as usize].target.to);
                    }
                }
                Op::Return { .. } | Op::Unreachable {} => {}
                Op::Call { func, .. } | Op::ReturnCall { func, .. } => {
                    link(pc, module.func_code(func).start);
                    link(pc, next);
                }
                Op::CallIndirect { ty, .. } | Op::ReturnCallIndirect { ty, .. } => {
                    let fits =
                        |(_, func): &(usize, &mw_vm::Func)| func.ty == ty && func.import.is_none();
                    for (func, _) in module.funcs().iter().enumerate().filter(fits) {
                        link(pc, module.func_code(func as u32).start);
                    }
                    link(pc, next);
                }
                _ => link(pc, next),
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
