//! What follows on a path from what the program says about itself.

use mw_vm::NumericOp::I32GeS;
use mw_vm::{ValType, Value};
use mw_world::{Call, Statement};

use crate::expr::{Expr, Exprs};
use crate::imports::{Next, perform};
use crate::leaf::End;
use crate::path::Path;
use crate::pointers::Target;

/// Handles a call by which the program says something. Assumptions and assertions are for whoever
/// explores to decide: the machine still stands before them.
pub fn call(
    path: &mut Path,
    exprs: &mut Exprs,
    call: Call<'_>,
    statement: Statement,
) -> Result<(), Next> {
    let (base, _) = path.now.machine.import_slots()?;
    match statement {
        Statement::Assume | Statement::AssumeNotNegative => {
            Err(Next::Assume(condition(path, exprs, call, base, statement)))
        }
        Statement::Assert => Err(Next::Assert(condition(path, exprs, call, base, statement))),
        Statement::Exit => Err(Next::End(End::Exited)),
        Statement::Allocate | Statement::Free => {
            let symbolic =
                (0..call.args.len()).find(|arg| path.shadow.stack.get(base + arg).is_some());
            match symbolic {
                Some(arg) => Err(Next::Number(base + arg, ValType::I32)),
                None => announce(path, call, statement),
            }
        }
    }
}

fn condition(
    path: &Path,
    exprs: &mut Exprs,
    call: Call<'_>,
    base: usize,
    statement: Statement,
) -> Expr {
    match (path.shadow.stack.get(base), statement) {
        (Some(expr), Statement::AssumeNotNegative) => exprs.with_const(I32GeS, expr, 0),
        (Some(expr), _) => exprs.truth(expr),
        (None, _) => {
            let number = address(call) as i32;
            exprs.i32(statement.holds(number).into())
        }
    }
}

/// The first argument.
fn address(call: Call<'_>) -> u32 {
    match call.args.first() {
        Some(Value::I32(value)) => *value as u32,
        _ => 0,
    }
}

/// Blocks come and go.
fn announce(path: &mut Path, call: Call<'_>, statement: Statement) -> Result<(), Next> {
    let address = address(call);
    if statement == Statement::Free
        && let Err(error) = path.now.world.state().heap().check_free(address)
    {
        return Err(Next::End(End::Heap(error)));
    }
    let (_, slot) = path.now.machine.import_slots()?;
    perform(path, call)?;
    let target = match statement {
        Statement::Allocate => path.pointers.allocated(address),
        _ => Target::Anything,
    };
    path.pointers.stack.set(slot, Some(target));
    Ok(())
}
