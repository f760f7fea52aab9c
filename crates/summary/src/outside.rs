//! What the outside of a module can change, and what it cannot: which globals keep their value,
//! and which functions an indirect call may mean.

use mw_vm::{ConstExpr, ConstOp, ElemSegment, Extern, Instruction, Module, NumericOp, ValType};

use crate::range::Range;

/// What is the same in all runs of a module.
pub(crate) struct Outside {
    /// The value of each global that keeps one.
    constants: Vec<Option<u64>>,
    /// Whether each function can be what an indirect call finds in a table.
    is_referred_to: Vec<bool>,
}

impl Outside {
    /// Looks through a module.
    pub fn of(module: &Module) -> Outside {
        Outside { constants: constants(module), is_referred_to: referred_to(module) }
    }

    /// What a global may hold.
    pub fn global(&self, module: &Module, global: u32) -> Range {
        match self.constants[global as usize] {
            Some(slot) => Range::exact(slot),
            None => Range::of_type(module.globals()[global as usize].ty),
        }
    }

    /// The functions that an indirect call of a type may mean, imported ones too.
    pub fn candidates<'a>(
        &'a self,
        module: &'a Module,
        ty: u32,
    ) -> impl Iterator<Item = usize> + 'a {
        let funcs = module.funcs().iter().zip(&self.is_referred_to).enumerate();
        funcs
            .filter(move |(_, (func, is_referred_to))| func.ty == ty && **is_referred_to)
            .map(|(index, _)| index)
    }
}

/// Globals of the module's own that nobody sets, neither its code nor the outside.
fn constants(module: &Module) -> Vec<Option<u64>> {
    let globals = module.globals();
    let mut is_set = vec![false; globals.len()];
    for op in module.code() {
        if let Some(Instruction::GlobalSet { global, .. }) = op.instruction() {
            is_set[global as usize] = true;
        }
    }
    for export in module.exports().values() {
        if let &Extern::Global(global) = export {
            is_set[global as usize] |= globals[global as usize].mutable;
        }
    }
    let mut constants: Vec<Option<u64>> = Vec::with_capacity(globals.len());
    for (decl, is_set) in globals.iter().zip(is_set) {
        let keeps_value = decl.import.is_none() && !is_set;
        let value = keeps_value.then(|| evaluate(&decl.init, &constants)).flatten();
        constants.push(value);
    }
    constants
}

fn evaluate(expression: &ConstExpr, globals: &[Option<u64>]) -> Option<u64> {
    let mut stack = Vec::new();
    for op in &expression.0 {
        let mut binary = |op: NumericOp| {
            let (b, a) = (stack.pop()?, stack.pop()?);
            op.evaluate(a, b).ok()
        };
        let slot = match *op {
            ConstOp::Slot(slot) => slot,
            ConstOp::GlobalGet(global) => (*globals.get(global as usize)?)?,
            ConstOp::RefFunc(func) => u64::from(func) + 1,
            ConstOp::I32Add => binary(NumericOp::I32Add)?,
            ConstOp::I32Sub => binary(NumericOp::I32Sub)?,
            ConstOp::I32Mul => binary(NumericOp::I32Mul)?,
            ConstOp::I64Add => binary(NumericOp::I64Add)?,
            ConstOp::I64Sub => binary(NumericOp::I64Sub)?,
            ConstOp::I64Mul => binary(NumericOp::I64Mul)?,
        };
        stack.push(slot);
    }
    stack.pop()
}

/// The functions of which there is a reference; all of them if the outside may bring one.
fn referred_to(module: &Module) -> Vec<bool> {
    let mut is_referred_to = vec![is_open(module); module.funcs().len()];
    let mut expression = |expression: &ConstExpr| {
        for op in &expression.0 {
            if let ConstOp::RefFunc(func) = *op {
                is_referred_to[func as usize] = true;
            }
        }
    };
    module.elems().iter().flat_map(|ElemSegment { items, .. }| items).for_each(&mut expression);
    module.globals().iter().for_each(|decl| expression(&decl.init));
    module.tables().iter().for_each(|decl| expression(&decl.init));
    for op in module.code() {
        if let Some(Instruction::RefFunc { func, .. }) = op.instruction() {
            is_referred_to[func as usize] = true;
        }
    }
    is_referred_to
}

/// Whether references to functions can come from outside: in a table or a global that it shares,
/// as an argument or as what a primitive returns.
fn is_open(module: &Module) -> bool {
    let has_reference = |types: &[ValType]| types.contains(&ValType::FuncRef);
    let imports = module.imports().any(|(_, ty)| has_reference(&ty.results));
    let tables = module.tables().iter().any(|decl| decl.import.is_some());
    let globals =
        module.globals().iter().any(|decl| decl.import.is_some() && decl.ty == ValType::FuncRef);
    let exports = module.exports().values().any(|export| match *export {
        Extern::Table(_) => true,
        Extern::Global(global) => {
            let decl = &module.globals()[global as usize];
            decl.mutable && decl.ty == ValType::FuncRef
        }
        Extern::Func(func) => {
            has_reference(&module.func_type(&module.funcs()[func as usize]).params)
        }
        Extern::Memory(_) => false,
    });
    imports || tables || globals || exports
}
