//! Places in the code at which a run stops, and those that a probe looks at.

use alloc::{collections::BTreeSet, sync::Arc, vec};

use crate::fuse::Codes;
use crate::module::Module;
use crate::op::Op;

/// A set of instructions to stop before, and of instructions that a probe is told of.
///
/// It costs nothing elsewhere: blocks of the fast code that have such an instruction begin with an
/// op that leaves it for the step code. Only functions with such blocks are copied for that.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    pcs: BTreeSet<u32>,
    /// What a probe is told of, a bit for each instruction. Everything, if there are none.
    scope: Option<Arc<[u64]>>,
    /// The fast code, if blocks of it are left.
    patched: Option<Arc<Codes>>,
}

impl Breakpoints {
    /// None at all; a probe is told of everything.
    pub const fn none() -> Self {
        Breakpoints { pcs: BTreeSet::new(), scope: None, patched: None }
    }

    /// Breakpoints at the given instructions of a module; positions outside its code are ignored.
    pub fn new(module: &Module, pcs: impl IntoIterator<Item = u32>) -> Self {
        Self::none().and(module, pcs)
    }

    /// The same with further breakpoints.
    pub fn and(mut self, module: &Module, pcs: impl IntoIterator<Item = u32>) -> Self {
        let end = module.parts.code.len() as u32;
        // One by one: collecting would sort them first, which takes 4 KiB of a device's stack.
        self.pcs.extend(pcs.into_iter().filter(|&pc| pc < end));
        let patched = module.fast.leaving_at(&module.parts, self.codes(module), self.iter());
        Breakpoints { patched: patched.map(Arc::new).or(self.patched), ..self }
    }

    /// The same for a probe that is told of some instructions only: of what happens at them, and
    /// asked only there whether to stop.
    pub fn within(self, module: &Module, is_seen: impl Fn(u32, Op) -> bool) -> Self {
        let code = &module.parts.code;
        let seen = || (0..code.len() as u32).filter(|&pc| is_seen(pc, code[pc as usize]));
        let mut scope = vec![0; code.len().div_ceil(64)];
        seen().for_each(|pc| scope[pc as usize / 64] |= 1 << (pc % 64));
        let patched = module.fast.leaving_at(&module.parts, self.codes(module), seen());
        let patched = patched.map(Arc::new).or(self.patched);
        Breakpoints { scope: Some(scope.into()), patched, ..self }
    }

    /// The same for a probe that is told of everything.
    pub fn everywhere(self) -> Self {
        Breakpoints { scope: None, ..self }
    }

    /// Whether there is a breakpoint before the instruction at `pc`.
    pub fn contains(&self, pc: u32) -> bool {
        !self.pcs.is_empty() && self.pcs.contains(&pc)
    }

    /// The instructions that have one.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.pcs.iter().copied()
    }

    /// Whether they are the same: the same instructions to stop before, and the very scope.
    pub fn is_same(&self, other: &Breakpoints) -> bool {
        let is_same_scope = match (&self.scope, &other.scope) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        is_same_scope && self.pcs == other.pcs
    }

    /// Whether a probe is told of the instruction at `pc`.
    #[inline]
    pub fn looks_at(&self, pc: u32) -> bool {
        let is_seen = |scope: &[u64]| scope[pc as usize / 64] >> (pc % 64) & 1 == 1;
        self.scope.as_deref().is_none_or(is_seen)
    }

    /// Whether a probe is told of everything.
    pub fn looks_at_everything(&self) -> bool {
        self.scope.is_none()
    }

    /// The fast code of each function.
    pub(crate) fn codes<'a>(&'a self, module: &'a Module) -> &'a Codes {
        self.patched.as_deref().unwrap_or(&module.fast.codes)
    }
}
