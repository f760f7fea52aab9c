//! A function's blocks, in an order in which most of what leads to a block comes before it.

use mw_vm::{Instruction, Module};

/// Where control goes after an instruction.
pub(crate) struct Successors {
    /// Whether it may go on with the next one.
    pub falls: bool,
    /// Where it may jump to within the function.
    pub jumps: Vec<u32>,
}

impl Successors {
    /// Where control goes after an instruction, if that is not simply to the next one.
    pub fn of(module: &Module, instruction: Instruction) -> Option<Successors> {
        let branch = |index: u32| module.branches()[index as usize].target.to;
        let jumping = |falls, jumps| Some(Successors { falls, jumps });
        match instruction {
            Instruction::Br { target } => jumping(false, vec![target.to]),
            Instruction::BrIf { target, .. } | Instruction::BrUnless { target, .. } => {
                jumping(true, vec![target.to])
            }
            Instruction::BrMoving { branch: index } => jumping(false, vec![branch(index)]),
            Instruction::BrIfMoving { branch: index, .. } => jumping(true, vec![branch(index)]),
            Instruction::BrTable { first, count, .. } => {
                jumping(false, (first..first + count).map(branch).collect())
            }
            Instruction::Unreachable {}
            | Instruction::Return { .. }
            | Instruction::ReturnCall { .. }
            | Instruction::ReturnCallImport { .. }
            | Instruction::ReturnCallIndirect { .. } => jumping(false, Vec::new()),
            Instruction::Numeric(_)
            | Instruction::Access(_)
            | Instruction::Nop {}
            | Instruction::Copy { .. }
            | Instruction::Const { .. }
            | Instruction::Select { .. }
            | Instruction::GlobalGet { .. }
            | Instruction::GlobalSet { .. }
            | Instruction::Call { .. }
            | Instruction::CallIndirect { .. }
            | Instruction::CallImport { .. }
            | Instruction::RefFunc { .. }
            | Instruction::MemorySize { .. }
            | Instruction::MemoryGrow { .. }
            | Instruction::MemoryFill { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemoryInit { .. }
            | Instruction::DataDrop { .. }
            | Instruction::TableGet { .. }
            | Instruction::TableSet { .. }
            | Instruction::TableSize { .. }
            | Instruction::TableGrow { .. }
            | Instruction::TableFill { .. }
            | Instruction::TableCopy { .. }
            | Instruction::TableInit { .. }
            | Instruction::ElemDrop { .. } => None,
        }
    }
}

/// The blocks of a function that can be reached from its start by branches, whatever decides them.
///
/// They are numbered in reverse postorder: a branch to a block of the same or a lower number is one
/// of a loop, and every loop has such a branch.
pub(crate) struct Blocks {
    /// The first and the end of the ops of each block.
    pub spans: Vec<(u32, u32)>,
    /// Whether a branch of a loop leads to it.
    pub is_head: Vec<bool>,
    /// Of the function's ops, the number of the block that begins with it.
    numbers: Vec<Option<u32>>,
    start: u32,
}

impl Blocks {
    /// The blocks of a function that is not imported.
    pub fn of(module: &Module, func: u32) -> Blocks {
        let code = module.func_code(func);
        let (start, end) = (code.start, code.start + code.len);
        let successors = |pc: u32| {
            let instruction = module.code()[pc as usize].instruction();
            // An op that only fast code has is in no step code.
            instruction.and_then(|instruction| Successors::of(module, instruction))
        };
        let mut begins = vec![false; code.len as usize + 1];
        begins[0] = true;
        for pc in start..end {
            if let Some(Successors { jumps, .. }) = successors(pc) {
                begins[(pc + 1 - start) as usize] = true;
                jumps.iter().for_each(|&to| begins[(to - start) as usize] = true);
            }
        }
        let end_of = |first: u32| {
            let later = (first + 1..end).find(|&pc| begins[(pc - start) as usize]);
            later.unwrap_or(end)
        };
        let leads_to = |(_, after): (u32, u32)| match successors(after - 1) {
            None => vec![after],
            Some(Successors { falls, mut jumps }) => {
                jumps.extend(falls.then_some(after));
                jumps
            }
        };
        // Depth first, without recursion: a function may have very many blocks.
        let mut is_seen = vec![false; code.len as usize + 1];
        is_seen[0] = true;
        let mut postorder = Vec::new();
        let entry = (start, end_of(start));
        let mut stack = vec![(entry, leads_to(entry))];
        while let Some((span, rest)) = stack.last_mut() {
            match rest.pop() {
                // Code that is valid ends before its end.
                Some(to) if to >= end || is_seen[(to - start) as usize] => {}
                Some(to) => {
                    is_seen[(to - start) as usize] = true;
                    let span = (to, end_of(to));
                    let rest = leads_to(span);
                    stack.push((span, rest));
                }
                None => {
                    postorder.push(*span);
                    stack.pop();
                }
            }
        }
        postorder.reverse();
        let spans = postorder;
        let mut numbers = vec![None; code.len as usize + 1];
        for (number, &(first, _)) in (0..).zip(&spans) {
            numbers[(first - start) as usize] = Some(number);
        }
        let mut blocks = Blocks { is_head: vec![false; spans.len()], spans, numbers, start };
        for number in 0..blocks.spans.len() {
            for to in leads_to(blocks.spans[number]) {
                if let Some(to) = blocks.at(to)
                    && to <= number
                {
                    blocks.is_head[to] = true;
                }
            }
        }
        blocks
    }

    /// The block that begins with an op of the function.
    pub fn at(&self, pc: u32) -> Option<usize> {
        self.numbers.get((pc - self.start) as usize)?.map(|number| number as usize)
    }
}
