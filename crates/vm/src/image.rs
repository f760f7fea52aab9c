//! The image: a lowered module as bytes, for a device that carries the machine alone.
//!
//! An image is a magic word, a version, a checksum and the module's parts. The checksum catches
//! damage, not malice: so the parts are verified as well, and no image can make the interpreter
//! reach outside of its frames and code.

use alloc::vec::Vec;

use xxhash_rust::xxh3::xxh3_128;

use crate::module::{Module, Parts};
use crate::op::{MovingBranch, Op, Reg};
use crate::operand::Operand;

const MAGIC: [u8; 4] = *b"MWI\0";
const VERSION: u16 = 1;
const HEADER: usize = 4 + 2 + 16;

/// Bytes that are not an image of a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The bytes are something else, or cut off.
    #[error("not a lowered image")]
    NotAnImage,
    /// It was made by another version of this program.
    #[error("the image has format {found}; this version reads format {VERSION}")]
    Version {
        /// The format's version.
        found: u16,
    },
    /// It has been damaged on its way.
    #[error("the image is damaged: its checksum does not match; send it again")]
    Checksum,
    /// It breaks a rule that the machine relies on.
    #[error("the image is inconsistent: {0}")]
    Inconsistent(&'static str),
}

impl Module {
    /// The module as an image.
    ///
    /// `with_offsets` keeps byte offsets into the original binary, which only debuggers need.
    pub fn to_image(&self, with_offsets: bool) -> Vec<u8> {
        let stripped;
        let parts = match with_offsets {
            true => &self.parts,
            false => {
                stripped = Parts { offsets: Vec::new(), ..self.parts.clone() };
                &stripped
            }
        };
        let body = postcard::to_allocvec(&(self.fingerprint, parts)).expect("vectors grow");
        let mut image = Vec::with_capacity(HEADER + body.len());
        image.extend(MAGIC);
        image.extend(VERSION.to_le_bytes());
        image.extend(xxh3_128(&body).to_le_bytes());
        image.extend(body);
        image
    }

    /// A module from the image that [`to_image`](Self::to_image) made.
    pub fn from_image(image: &[u8]) -> Result<Module, ImageError> {
        let (fingerprint, parts) = read(image)?;
        Ok(Module::new(parts, fingerprint))
    }

    /// Like [`from_image`](Self::from_image), for a device with little memory: the module is
    /// executed step by step, which is slower, and takes less than half as much.
    pub fn from_image_compact(image: &[u8]) -> Result<Module, ImageError> {
        let (fingerprint, parts) = read(image)?;
        Ok(Module::compact(parts, fingerprint))
    }
}

fn read(image: &[u8]) -> Result<(u128, Parts), ImageError> {
    let (header, body) = image.split_at_checked(HEADER).ok_or(ImageError::NotAnImage)?;
    if header[..4] != MAGIC {
        return Err(ImageError::NotAnImage);
    }
    let found = u16::from_le_bytes([header[4], header[5]]);
    if found != VERSION {
        return Err(ImageError::Version { found });
    }
    if header[6..] != xxh3_128(body).to_le_bytes() {
        return Err(ImageError::Checksum);
    }
    let (fingerprint, parts): (u128, Parts) =
        postcard::from_bytes(body).map_err(|_| ImageError::NotAnImage)?;
    verify(&parts).map_err(ImageError::Inconsistent)?;
    Ok((fingerprint, parts))
}

/// Checks everything that the interpreter takes for granted.
fn verify(parts: &Parts) -> Result<(), &'static str> {
    let ensure = |holds: bool, what| if holds { Ok(()) } else { Err(what) };
    ensure(parts.codes.len() == parts.funcs.len(), "number of functions")?;
    ensure(parts.live.len() == parts.code.len(), "number of instructions")?;
    ensure([0, parts.code.len()].contains(&parts.offsets.len()), "number of offsets")?;
    ensure(parts.code.len() < u32::MAX as usize, "number of instructions")?;
    let funcs = parts.funcs.len() as u64;
    let imports = parts.funcs.iter().take_while(|func| func.import.is_some()).count();
    let mut expected = 0;
    for (index, (func, code)) in parts.funcs.iter().zip(&parts.codes).enumerate() {
        let ty = parts.types.get(func.ty as usize).ok_or("type of a function")?;
        if index < imports {
            ensure(*code == Default::default(), "code of an import")?;
            continue;
        }
        ensure(func.import.is_none(), "order of imports")?;
        ensure(code.start == expected && code.len > 0, "order of functions")?;
        expected = code.start.checked_add(code.len).ok_or("order of functions")?;
        ensure(code.params as usize == ty.params.len(), "parameters of a function")?;
        let locals = func.locals.iter().map(|&(count, _)| u64::from(count)).sum::<u64>();
        ensure(u64::from(code.params) + locals == code.locals.into(), "locals of a function")?;
        ensure(code.params <= code.locals && code.locals <= code.frame, "frame of a function")?;
        let ops = parts.code.get(code.start as usize..expected as usize);
        let ops = ops.ok_or("end of a function")?;
        ensure(
            matches!(ops.last(), Some(Op::Return { .. })),
            "a function that does not end in a return",
        )?;
        for (position, op) in ops.iter().enumerate() {
            let live = parts.live[code.start as usize + position];
            ensure(code.locals <= live && live <= code.frame, "live slots")?;
            let verifier = Verifier { parts, range: code.start..expected, frame: code.frame };
            verifier.op(*op, position as u32 + 1, ty.results.len())?;
        }
    }
    ensure(expected as usize == parts.code.len(), "instructions outside of functions")?;
    // Also those that no instruction refers to.
    let leads_nowhere = |branch: &MovingBranch| branch.target.to >= expected;
    ensure(!parts.branches.iter().any(leads_nowhere), "a branch to nowhere")?;
    let in_range = |index: u32, count: usize| (index as usize) < count;
    for item in parts.exports.values() {
        use crate::module::Extern;
        ensure(
            match *item {
                Extern::Func(index) => u64::from(index) < funcs,
                Extern::Table(index) => in_range(index, parts.tables.len()),
                Extern::Memory(index) => in_range(index, parts.memories.len()),
                Extern::Global(index) => in_range(index, parts.globals.len()),
            },
            "an export",
        )?;
    }
    ensure(parts.start.is_none_or(|start| u64::from(start) < funcs), "the start function")?;
    let verify_expr = |expr: &crate::module::ConstExpr| {
        let globals = |op: &crate::module::ConstOp| match *op {
            crate::module::ConstOp::GlobalGet(index) => in_range(index, parts.globals.len()),
            _ => true,
        };
        ensure(expr.0.iter().all(globals), "a constant expression")
    };
    for (index, global) in parts.globals.iter().enumerate() {
        let earlier = |op: &crate::module::ConstOp| match *op {
            crate::module::ConstOp::GlobalGet(other) => (other as usize) < index,
            _ => true,
        };
        ensure(global.init.0.iter().all(earlier), "the initial value of a global")?;
    }
    parts.tables.iter().try_for_each(|table| verify_expr(&table.init))?;
    for data in &parts.data {
        if let Some((memory, offset)) = &data.active {
            ensure(in_range(*memory, parts.memories.len()), "a data segment")?;
            verify_expr(offset)?;
        }
    }
    for elem in &parts.elems {
        if let crate::module::ElemMode::Active(table, offset) = &elem.mode {
            ensure(in_range(*table, parts.tables.len()), "an element segment")?;
            verify_expr(offset)?;
        }
        elem.items.iter().try_for_each(verify_expr)?;
    }
    Ok(())
}

struct Verifier<'a> {
    parts: &'a Parts,
    /// The ops of the function.
    range: core::ops::Range<u32>,
    frame: u16,
}

impl Verifier<'_> {
    fn regs(&self, first: Reg, count: usize) -> Result<(), &'static str> {
        match first as usize + count <= self.frame as usize {
            true => Ok(()),
            false => Err("a register outside of its frame"),
        }
    }

    fn target(&self, target: crate::op::Target, next: u32) -> Result<(), &'static str> {
        let delta = i64::from(self.range.start + next) - i64::from(target.to);
        match self.range.contains(&target.to) && delta == i64::from(target.delta) {
            true => Ok(()),
            false => Err("a branch out of its function"),
        }
    }

    fn branches(&self, first: u32, count: u32, next: u32) -> Result<(), &'static str> {
        let end = first.checked_add(count).ok_or("a list of branches")?;
        let branches = self.parts.branches.get(first as usize..end as usize);
        for branch in branches.ok_or("a list of branches")? {
            self.target(branch.target, next)?;
            self.regs(branch.from, branch.count.into())?;
            self.regs(branch.to, branch.count.into())?;
        }
        Ok(())
    }

    /// The arguments and results of a call, which both start at `base`.
    fn call(&self, ty: u32, base: Reg) -> Result<(), &'static str> {
        let ty = self.parts.types.get(ty as usize).ok_or("type of a call")?;
        self.regs(base, ty.params.len().max(ty.results.len()))
    }

    fn callee(&self, func: u32, base: Reg, imported: bool) -> Result<(), &'static str> {
        let callee = self.parts.funcs.get(func as usize).ok_or("callee of a call")?;
        if callee.import.is_some() != imported {
            return Err("callee of a call");
        }
        self.call(callee.ty, base)
    }

    /// `next` is the position after the op, counted from the function's first.
    fn op(&self, mut op: Op, next: u32, results: usize) -> Result<(), &'static str> {
        if op.instruction().is_none() {
            return Err("an instruction that only fast code has");
        }
        let mut verified = Ok(());
        op.operands(|operand| {
            if verified.is_ok() {
                verified = self.operand(operand, next, results);
            }
        });
        verified
    }

    fn operand(&self, operand: Operand<'_>, next: u32, results: usize) -> Result<(), &'static str> {
        let parts = self.parts;
        match operand {
            Operand::Read(reg) | Operand::Write(reg) => self.regs(*reg, 1),
            Operand::Consecutive { first, count, .. } => self.regs(first, count.into()),
            Operand::Results { first, count } => match count as usize == results {
                true => self.regs(first, results),
                false => Err("results of a function"),
            },
            Operand::Call { func, base, is_import } => self.callee(func, base, is_import),
            Operand::CallIndirect { ty, base } => self.call(ty, base),
            Operand::Func(func) => below(func, &parts.funcs),
            Operand::Global(global) => below(global, &parts.globals),
            Operand::Memory(memory) => below(memory, &parts.memories),
            Operand::Table(table) => below(table, &parts.tables),
            Operand::Data(segment) => below(segment, &parts.data),
            Operand::Elem(segment) => below(segment, &parts.elems),
            Operand::Target(target) => self.target(*target, next),
            Operand::Branches { count: 0, .. } => Err("an empty list of branches"),
            Operand::Branches { first, count } => self.branches(first, count, next),
            Operand::Position(position) if position == next => Ok(()),
            Operand::Position(_) => Err("a position"),
        }
    }
}

fn below<T>(index: impl Into<u64>, all: &[T]) -> Result<(), &'static str> {
    if index.into() < all.len() as u64 { Ok(()) } else { Err("an index out of range") }
}
