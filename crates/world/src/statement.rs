//! What follows from what a program says about itself.

use mw_vm::Value;

use crate::heap::{Block, Heap};
use crate::perform::Plan;
use crate::primitive::Statement;
use crate::state::Change;

/// What a statement does; the error says why the program ends.
pub(crate) fn plan(statement: Statement, args: &[Value], heap: &Heap) -> Result<Plan, String> {
    let number = |index: usize| match args.get(index) {
        Some(Value::I32(value)) => *value,
        _ => 0,
    };
    let (address, size) = (number(0) as u32, number(1) as u32);
    let mut changes = Vec::new();
    let effect = match statement {
        Statement::Assume | Statement::AssumeNotNegative => match statement.holds(number(0)) {
            true => "an assumption holds".into(),
            false => return Err("an assumption of the program does not hold".into()),
        },
        Statement::Assert => match statement.holds(number(0)) {
            true => "an assertion holds".into(),
            false => return Err("an assertion of the program does not hold".into()),
        },
        Statement::Exit => return Err(format!("the program exits with code {}", number(0))),
        Statement::Allocate => {
            let others = heap.overlapping(address, size).filter(|other| *other != address);
            changes.extend(others.map(|other| Change::Block(other, None)));
            changes.push(Change::Block(address, Some(Block { size, freed: false })));
            format!("allocated {size} bytes at {address}")
        }
        Statement::Free => match heap.check_free(address).map_err(|error| error.to_string())? {
            Some(block) => {
                changes.push(Change::Block(address, Some(Block { freed: true, ..block })));
                format!("freed {} bytes at {address}", block.size)
            }
            None => "freed nothing".into(),
        },
    };
    Ok(Plan { changes, result: Some(Value::I32(number(0))), effect })
}

impl Statement {
    /// Whether what is said of a number is true. What is said of no number is.
    pub fn holds(self, number: i32) -> bool {
        match self {
            Statement::Assume | Statement::Assert => number != 0,
            Statement::AssumeNotNegative => number >= 0,
            Statement::Allocate | Statement::Free | Statement::Exit => true,
        }
    }
}
