//! Looking at where the session stands.

use mw_vm::Value;
use serde::{Deserialize, Serialize};

use crate::session::Session;

/// A variable and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableView {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its value.
    pub value: Value,
}

/// A function that is being executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameView {
    /// The function's index.
    pub func: u32,
    /// What it is called.
    pub name: String,
    /// Its position in the module's code.
    pub pc: u32,
    /// The byte offset of the instruction in the binary.
    pub offset: Option<u32>,
    /// Parameters and locals.
    pub locals: Vec<VariableView>,
    /// The operand stack, as slots; their types are not known.
    pub operands: Vec<u64>,
}

impl Session {
    /// The functions being executed, innermost first.
    pub fn frames(&self) -> Vec<FrameView> {
        let frame = |frame: &mw_vm::CallFrame<'_>| {
            let types = self.module().local_types(frame.func);
            let local =
                |(&ty, &slot)| VariableView { name: None, value: Value::from_slot(ty, slot) };
            FrameView {
                func: frame.func,
                name: self.module().func_name(frame.func),
                pc: frame.pc,
                offset: self.module().offset_of(frame.pc),
                locals: types.iter().zip(frame.locals).map(local).collect(),
                operands: frame.operands.to_vec(),
            }
        };
        self.walk.now.machine.call_stack().iter().map(frame).collect()
    }

    /// The globals.
    pub fn globals(&self) -> Vec<VariableView> {
        let globals = self.module().globals().iter().enumerate();
        globals
            .filter_map(|(index, global)| {
                let value = self.walk.now.machine.global(index as u32)?;
                Some(VariableView { name: global.name.clone(), value })
            })
            .collect()
    }
}
