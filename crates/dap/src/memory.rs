//! Memory and instructions.

use mw_api::{CodeLine, Reply, Request as Ask};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer};
use crate::base64;
use crate::protocol::{Client, Memory, Refusal, Request, address};

impl Adapter {
    pub(crate) fn read_memory(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Memory = request.arguments()?;
        let start = address(&given.memory_reference)? + given.offset;
        let start = u64::try_from(start).map_err(|_| Refusal("memory begins at 0".into()))?;
        if given.count == 0 {
            return Ok(json!({ "address": format!("{start:#x}") }).into());
        }
        match self.ask(Ask::ReadMemory { address: start, length: given.count }, client) {
            Ok(Reply::Memory(view)) => {
                let missing = given.count.saturating_sub(view.bytes.len() as u64);
                Ok(json!({ "address": format!("{start:#x}"), "unreadableBytes": missing,
                    "data": base64::encode(&view.bytes) })
                .into())
            }
            Ok(_) => Err("memory cannot be read".into()),
            Err(problem) => Err(problem),
        }
    }

    pub(crate) fn write_memory(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Memory = request.arguments()?;
        let start = address(&given.memory_reference)? + given.offset;
        let bytes = base64::decode(&given.data).ok_or("the data is not base64")?;
        for (at, byte) in (start..).zip(&bytes) {
            let target = format!("u8 @ {at}");
            self.ask(Ask::Alter { target, value: byte.to_string() }, client)?;
        }
        Ok(json!({ "bytesWritten": bytes.len() }).into())
    }

    pub(crate) fn disassemble(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Memory = request.arguments()?;
        let wanted = address(&given.memory_reference)? + given.offset;
        let around = Some(format!("*{wanted:#x}"));
        let Reply::Code(lines) = self.ask(Ask::Disassemble { around, count: None }, client)? else {
            return Err("there are no instructions".into());
        };
        let at = |line: &CodeLine| line.offset.map(i64::from) == Some(wanted);
        let middle = lines.iter().position(at).unwrap_or_default() as i64;
        let first = middle + given.instruction_offset;
        let count = given.instruction_count.clamp(0, 10_000);
        let shown = |index: i64| {
            let line = usize::try_from(index).ok().and_then(|index| lines.get(index));
            match line {
                Some(line) => json!({ "address": format!("{:#x}", line.offset.unwrap_or_default()),
                    "instruction": line.text, "symbol": line.function }),
                // The protocol wants as many as it asked for.
                None => {
                    json!({ "address": "0x0", "instruction": "", "presentationHint": "invalid" })
                }
            }
        };
        let instructions: Vec<Value> = (first..first + count).map(shown).collect();
        Ok(json!({ "instructions": instructions }).into())
    }
}
