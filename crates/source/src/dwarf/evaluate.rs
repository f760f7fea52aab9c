//! Expressions of DWARF: small programs that say where a value is.

use gimli::{EvaluationResult, Expression, Location, Piece, Value};
use mw_vm::Cell;

use super::{Bytes, Dwarf};
use crate::info::Unit;
use crate::storage::Storage;
use crate::value::{Data, LARGEST};

/// More than compilers write; an expression can jump back.
const STEPS: u32 = 1000;
/// How often an expression may ask for something.
const QUESTIONS: usize = 1000;

/// What an expression is evaluated against.
pub(crate) struct Evaluator<'a> {
    pub dwarf: Dwarf<'a>,
    pub unit: Unit,
    pub storage: &'a dyn Storage,
    /// What the addresses of a function's variables count from.
    pub frame_base: Option<u64>,
}

impl Evaluator<'_> {
    /// Where a value is, as far as it is anywhere.
    pub fn data(&self, expression: &[u8]) -> Option<Data> {
        let pieces = self.pieces(expression)?;
        match pieces.as_slice() {
            [Piece { size_in_bits: None, location: Location::Address { address }, .. }] => {
                Some(Data::Memory(*address))
            }
            pieces => self.join(pieces),
        }
    }

    /// A number that an expression computes: an address is one.
    pub fn number(&self, expression: &[u8]) -> Option<u64> {
        match self.pieces(expression)?.first()?.location {
            Location::Address { address } => Some(address),
            Location::Value { value } => Some(bits(value)),
            _ => None,
        }
    }

    fn pieces<'e>(&self, expression: &'e [u8]) -> Option<Vec<Piece<Bytes<'e>>>> {
        if expression.is_empty() {
            return None;
        }
        let bytes = Bytes::new(expression, gimli::LittleEndian);
        let mut evaluation = Expression(bytes).evaluation(self.unit.encoding);
        evaluation.set_max_iterations(STEPS);
        let mut result = evaluation.evaluate().ok()?;
        for _ in 0..QUESTIONS {
            let answered = match result {
                EvaluationResult::Complete => return Some(evaluation.result()),
                EvaluationResult::RequiresWasmLocal { index } => {
                    let cell = Cell::Local { depth: self.storage.depth(), local: index };
                    let value = Value::Generic(self.cell(cell)?);
                    evaluation.resume_with_wasm_value(value)
                }
                EvaluationResult::RequiresWasmGlobal { index } => {
                    let value = Value::Generic(self.cell(Cell::Global(index))?);
                    evaluation.resume_with_wasm_value(value)
                }
                EvaluationResult::RequiresWasmStack { index } => {
                    let value = Value::Generic(self.storage.operand(index)?);
                    evaluation.resume_with_wasm_value(value)
                }
                EvaluationResult::RequiresFrameBase => {
                    evaluation.resume_with_frame_base(self.frame_base?)
                }
                EvaluationResult::RequiresMemory { address, size, .. } => {
                    let mut buffer = [0; 8];
                    let filled = buffer.get_mut(..size.into())?;
                    if !self.storage.read(address, filled) {
                        return None;
                    }
                    evaluation.resume_with_memory(Value::Generic(u64::from_le_bytes(buffer)))
                }
                EvaluationResult::RequiresRelocatedAddress(address) => {
                    evaluation.resume_with_relocated_address(address)
                }
                EvaluationResult::RequiresIndexedAddress { index, .. } => {
                    let size = self.unit.encoding.address_size;
                    let base = self.unit.address_base;
                    let address = self.dwarf.debug_addr.get_address(size, base, index).ok()?;
                    evaluation.resume_with_indexed_address(address)
                }
                // Registers, threads and callers' values: nothing that WebAssembly has.
                _ => return None,
            };
            result = answered.ok()?;
        }
        None
    }

    /// The slot of a cell.
    fn cell(&self, cell: Cell) -> Option<u64> {
        Some(self.storage.cell(cell)?.to_slot())
    }

    /// Puts the pieces of a value together; some may not be there any more.
    fn join(&self, pieces: &[Piece<Bytes<'_>>]) -> Option<Data> {
        let mut joined = Vec::new();
        for piece in pieces {
            let size = match piece.size_in_bits {
                Some(bits) if bits % 8 == 0 => usize::try_from(bits / 8).ok()?,
                Some(_) => return None,
                None => 16,
            };
            if joined.len() + size > LARGEST {
                return None;
            }
            let bytes: Vec<u8> = match piece.location {
                Location::Address { address } => {
                    let mut buffer = vec![0; size];
                    if self.storage.read(address, &mut buffer) { buffer } else { Vec::new() }
                }
                Location::Value { value } => {
                    u128::from(bits(value)).to_le_bytes()[..size.min(16)].to_vec()
                }
                Location::Bytes { value } => {
                    value.slice()[..size.min(value.slice().len())].to_vec()
                }
                _ => Vec::new(),
            };
            let missing = size - bytes.len();
            joined.extend(bytes.into_iter().map(Some));
            joined.extend(std::iter::repeat_n(None, missing));
        }
        joined.iter().any(Option::is_some).then(|| Data::Bytes(joined.into()))
    }
}

/// The bits of a value on the stack of an expression.
fn bits(value: Value) -> u64 {
    match value {
        Value::Generic(value) | Value::U64(value) => value,
        Value::I8(value) => value as u64,
        Value::U8(value) => value.into(),
        Value::I16(value) => value as u64,
        Value::U16(value) => value.into(),
        Value::I32(value) => value as u64,
        Value::U32(value) => value.into(),
        Value::I64(value) => value as u64,
        Value::F32(value) => value.to_bits().into(),
        Value::F64(value) => value.to_bits(),
    }
}
