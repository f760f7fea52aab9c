//! Places in the code at which a run stops.

use alloc::{collections::BTreeSet, sync::Arc};

use crate::fuse::FastCode;
use crate::module::Module;

/// A set of instructions to stop before.
///
/// It costs nothing where there is no breakpoint: the fast code is copied, and the blocks with
/// breakpoints in them are replaced by an op that leaves it for the step code.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    pcs: BTreeSet<u32>,
    patched: Option<Arc<FastCode>>,
}

impl Breakpoints {
    /// None at all.
    pub const fn none() -> Self {
        Breakpoints { pcs: BTreeSet::new(), patched: None }
    }

    /// Breakpoints at the given instructions of a module; positions outside its code are ignored.
    pub fn new(module: &Module, pcs: impl IntoIterator<Item = u32>) -> Self {
        let end = module.parts.code.len() as u32;
        // One by one: collecting would sort them first, which takes 4 KiB of a device's stack.
        let mut inside = BTreeSet::new();
        inside.extend(pcs.into_iter().filter(|&pc| pc < end));
        let patched = (!inside.is_empty() && !module.fast.is_none()).then(|| {
            let mut fast = module.fast.clone();
            inside.iter().for_each(|&pc| fast.leave_at(pc));
            Arc::new(fast)
        });
        Breakpoints { pcs: inside, patched }
    }

    /// Whether there is a breakpoint before the instruction at `pc`.
    pub fn contains(&self, pc: u32) -> bool {
        !self.pcs.is_empty() && self.pcs.contains(&pc)
    }

    /// The instructions that have one.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.pcs.iter().copied()
    }

    pub(crate) fn fast<'a>(&'a self, module: &'a Module) -> &'a FastCode {
        self.patched.as_deref().unwrap_or(&module.fast)
    }
}
