//! The program's instructions, for reading.

use mw_session::Trigger;
use mw_vm::Status;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::notation::parse_integer;

/// Instructions around a place in the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disassemble {
    /// A function, `*OFFSET`, or nothing for the next instruction.
    #[serde(default)]
    pub around: Option<String>,
    /// How many instructions; the whole function without.
    #[serde(default)]
    pub count: Option<u32>,
}

impl Ask for Disassemble {
    type Reply = Vec<CodeLine>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let machine = debugger.session.machine();
        let module = debugger.session.module();
        let (func, middle) = match self.around.as_deref().map(str::trim) {
            None if machine.status() == Status::Idle => {
                return Err(ApiError::not_here(
                    "the program has ended: no instruction comes next; name a function to see",
                ));
            }
            None => (module.func_at(machine.pc()), Some(machine.pc())),
            Some(text) => match text.strip_prefix('*') {
                Some(offset) => {
                    let number = parse_integer(offset).and_then(|n| u32::try_from(n).ok());
                    let offset = number.ok_or_else(|| {
                        ApiError::notation(format!("`{text}` is no offset; write one like *0x1a2"))
                    })?;
                    let pc = debugger.find_offset(offset)?;
                    (module.func_at(pc), Some(pc))
                }
                None => (Some(debugger.running().program().find_function(text)?), None),
            },
        };
        let Some(func) = func else { return Ok(Vec::new()) };
        let code = module.func_code(func);
        let (start, end) = (code.start, code.start + code.len);
        let (first, last) = match (self.count, middle) {
            (None, _) => (start, end),
            (Some(count), None) => (start, start.saturating_add(count).min(end)),
            (Some(count), Some(middle)) => {
                let first = middle.saturating_sub(count / 2).max(start);
                let last = first.saturating_add(count).min(end);
                (last.saturating_sub(count).max(start), last)
            }
        };
        let function = module.func_name(func);
        let next = (machine.status() != Status::Idle).then(|| machine.pc());
        let line = |pc: u32| {
            let offset = module.offset_of(pc);
            CodeLine {
                function: function.clone(),
                offset,
                text: offset
                    .map(|offset| debugger.running().instruction_text(offset))
                    .unwrap_or_default(),
                current: next == Some(pc),
                breakpoints: debugger.breakpoints_before(pc),
            }
        };
        Ok((first..last).map(line).collect())
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeLine {
    /// The function.
    pub function: String,
    /// The byte offset in the binary.
    pub offset: Option<u32>,
    /// The instruction in WebAssembly's text format.
    pub text: String,
    /// Whether it comes next.
    pub current: bool,
    /// The breakpoints before it.
    pub breakpoints: Vec<u32>,
}

impl Debugger {
    fn breakpoints_before(&self, pc: u32) -> Vec<u32> {
        let module = self.session.module();
        let is_here = |trigger: &Trigger| match trigger {
            Trigger::Instruction(at) => *at == pc,
            Trigger::Function(func) => module.func_code(*func).start == pc,
            Trigger::Line { pcs, .. } => pcs.contains(&pc),
            _ => false,
        };
        let all = self.session.breakpoints().iter();
        let here = all.filter(|(_, breakpoint)| breakpoint.enabled && is_here(&breakpoint.trigger));
        here.map(|(id, _)| id.0).collect()
    }
}
