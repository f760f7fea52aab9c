//! Memory and instructions.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use mw_api::CodeLine;
use mw_api::request::{Disassemble, ReadMemory, WriteMemory};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer};
use crate::protocol::{Client, Memory, Refusal, Request, address};

impl Adapter {
    pub(crate) fn read_memory(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Memory = request.arguments()?;
        let (start, actor) = place(&given)?;
        if given.count == 0 {
            return Ok(json!({ "address": format!("{start:#x}") }).into());
        }
        let view = self.ask(ReadMemory { address: start, length: given.count, actor }, client)?;
        let missing = given.count.saturating_sub(view.bytes.len() as u64);
        Ok(json!({ "address": format!("{start:#x}"), "unreadableBytes": missing,
            "data": BASE64_STANDARD.encode(&view.bytes) })
        .into())
    }

    pub(crate) fn write_memory(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Memory = request.arguments()?;
        // Some clients leave out the padding.
        let bytes = BASE64_STANDARD_NO_PAD.decode(given.data.trim_end_matches('='));
        let bytes = bytes.map_err(|_| "the data is not base64")?;
        let ((address, actor), length) = (place(&given)?, bytes.len());
        self.ask(WriteMemory { address, bytes, actor }, client)?;
        Ok(json!({ "bytesWritten": length }).into())
    }

    pub(crate) fn disassemble(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given: Memory = request.arguments()?;
        let (wanted, _) = place(&given)?;
        let around = Some(format!("*{wanted:#x}"));
        let lines = self.ask(Disassemble { around, count: None }, client)?;
        let at = |line: &CodeLine| line.offset.map(u64::from) == Some(wanted);
        let middle = lines.iter().position(at).unwrap_or_default() as i64;
        let first = middle.saturating_add(given.instruction_offset);
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
        let instructions: Vec<Value> =
            (0..count).map(|index| shown(first.saturating_add(index))).collect();
        Ok(json!({ "instructions": instructions }).into())
    }
}

/// The address that is meant, and in whose memory, if that is an actor's.
fn place(given: &Memory) -> Result<(u64, Option<String>), Refusal> {
    let (text, actor) = match given.memory_reference.split_once('@') {
        Some((text, actor)) => (text, Some(actor.to_owned())),
        None => (given.memory_reference.as_str(), None),
    };
    let place = address(text)?.checked_add(given.offset);
    let place = place.and_then(|place| u64::try_from(place).ok());
    Ok((place.ok_or_else(|| Refusal("there is no such address".into()))?, actor))
}
