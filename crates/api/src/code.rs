//! The program's instructions, for reading.

use mw_session::Trigger;
use mw_vm::Status;

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::notation::parse_integer;
use crate::reply::{CodeLine, Reply};

impl Debugger {
    /// Instructions around the next one, around an offset, or of a function.
    pub(crate) fn disassemble(
        &self,
        around: Option<&str>,
        count: Option<u32>,
    ) -> Result<Reply, ApiError> {
        let machine = self.session.machine();
        let module = self.session.module();
        let (func, middle) = match around.map(str::trim) {
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
                    let pc = self.find_offset(offset)?;
                    (module.func_at(pc), Some(pc))
                }
                None => (Some(self.find_function(text)?), None),
            },
        };
        let Some(func) = func else { return Ok(Reply::Code(Vec::new())) };
        let code = module.func_code(func);
        let (start, end) = (code.start, code.start + code.len);
        let (first, last) = match (count, middle) {
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
                text: offset.map(|offset| self.instruction_text(offset)).unwrap_or_default(),
                current: next == Some(pc),
                breakpoints: self.breakpoints_before(pc),
            }
        };
        Ok(Reply::Code((first..last).map(line).collect()))
    }

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
