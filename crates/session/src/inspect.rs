//! Looking at a machine: mostly the one that runs where the session stands.

use mw_vm::{Machine, Value};
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

/// The functions that a machine executes, innermost first.
pub fn frames_of(machine: &Machine) -> Vec<FrameView> {
    let module = machine.module();
    let frame = |frame: &mw_vm::CallFrame<'_>| {
        let types = module.local_types(frame.func);
        let local = |(&ty, &slot)| VariableView { name: None, value: Value::from_slot(ty, slot) };
        FrameView {
            func: frame.func,
            name: module.func_name(frame.func),
            pc: frame.pc,
            offset: module.offset_of(frame.pc),
            locals: types.iter().zip(frame.locals).map(local).collect(),
            operands: frame.operands.to_vec(),
        }
    };
    machine.call_stack().iter().map(frame).collect()
}

/// The globals of a machine.
pub fn globals_of(machine: &Machine) -> Vec<VariableView> {
    let globals = machine.module().globals().iter().enumerate();
    globals
        .filter_map(|(index, global)| {
            let value = machine.global(index as u32)?;
            Some(VariableView { name: global.name.clone(), value })
        })
        .collect()
}

impl Session {
    /// The functions being executed, innermost first.
    pub fn frames(&self) -> Vec<FrameView> {
        frames_of(self.machine())
    }

    /// The globals.
    pub fn globals(&self) -> Vec<VariableView> {
        globals_of(self.machine())
    }
}
