//! Looking at single variables, and setting them by hand.

use mw_session::Alteration;
use mw_vm::{Extern, Value};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::notation::{Term, parse_value, read_term};
use crate::reply::{Reply, Variable};

impl Debugger {
    /// The variable that is meant.
    pub(crate) fn find_term(&self, text: &str) -> Result<Term, ApiError> {
        let stack = self.session.machine().call_stack();
        let local = |depth: u32, name: &str| {
            let frame = stack.get(depth as usize)?;
            self.listing().find_local(frame.func, name)
        };
        read_term(text, local, |name| self.find_global(name))
    }

    fn find_global(&self, name: &str) -> Option<u32> {
        let module = self.session.module();
        let named = module.globals().iter().position(|global| global.name.as_deref() == Some(name));
        named.map(|index| index as u32).or_else(|| match module.exports().get(name)? {
            Extern::Global(index) => Some(*index),
            _ => None,
        })
    }

    /// What a global is called: by itself, or as an export.
    pub(crate) fn global_name(&self, index: u32) -> Option<String> {
        let module = self.session.module();
        let own = module.globals().get(index as usize)?.name.clone();
        own.or_else(|| {
            let mut exports = module.exports().iter();
            exports.find(|(_, item)| **item == Extern::Global(index)).map(|(name, _)| name.clone())
        })
    }

    pub(crate) fn value_of(&self, term: Term) -> Result<Value, ApiError> {
        let machine = self.session.machine();
        let missing = |what: String| ApiError::unknown(what);
        match term {
            Term::Global(index) => machine.global(index).ok_or_else(|| {
                let count = self.session.module().globals().len();
                missing(format!("there is no global {index}: the program has {count} of them"))
            }),
            Term::Local { depth, local } => {
                let stack = machine.call_stack();
                let Some(frame) = stack.get(depth as usize) else {
                    return Err(missing(match stack.len() {
                        0 => "no function is being executed here".into(),
                        frames => format!("there is no frame {depth}: the last is {}", frames - 1),
                    }));
                };
                let types = self.session.module().local_types(frame.func);
                let found = types.get(local as usize).zip(frame.locals.get(local as usize));
                let found = found.map(|(ty, slot)| Value::from_slot(*ty, *slot));
                found.ok_or_else(|| {
                    let name = self.session.module().func_name(frame.func);
                    missing(format!(
                        "{name} has no local {local}: there are {}, counted from 0",
                        types.len()
                    ))
                })
            }
            Term::Memory { address, load } => {
                let Some(memory) = machine.memories().first() else {
                    return Err(missing("the program has no memory".into()));
                };
                let mut bytes = [0; 8];
                let read = memory.read(address.into(), &mut bytes[..usize::from(load.size())]);
                read.map_err(|_| self.out_of_memory(address.into()))?;
                Ok(load.value(u64::from_le_bytes(bytes)))
            }
        }
    }

    pub(crate) fn out_of_memory(&self, address: u64) -> ApiError {
        let size = self.session.machine().memories().first().map_or(0, |m| m.byte_size());
        ApiError::unknown(match size {
            0 => format!("address {address:#x} is outside the memory, which is empty here"),
            _ => format!("address {address:#x} is outside the memory, which ends at {size:#x}"),
        })
    }

    fn term_name(&self, term: Term) -> Option<String> {
        match term {
            Term::Global(index) => self.global_name(index),
            Term::Local { depth, local } => {
                let stack = self.session.machine().call_stack();
                let func = stack.get(depth as usize)?.func;
                self.listing().local(func, local).map(str::to_owned)
            }
            Term::Memory { .. } => None,
        }
    }

    fn variable(&self, term: Term) -> Result<Variable, ApiError> {
        let value = self.value_of(term)?.into();
        Ok(Variable { term: term.to_string(), name: self.term_name(term), value })
    }

    pub(crate) fn print(&self, text: &str) -> Result<Reply, ApiError> {
        self.variable(self.find_term(text)?).map(Reply::Variable)
    }

    pub(crate) fn alter(&mut self, target: &str, value: &str) -> Result<Reply, ApiError> {
        let term = self.find_term(target)?;
        let old = self.value_of(term)?;
        let value = parse_value(value, old.ty()).map_err(ApiError::notation)?;
        let alteration = match term {
            Term::Global(index) => {
                let global = self.session.module().globals().get(index as usize);
                if global.is_some_and(|global| !global.mutable) {
                    return Err(ApiError::unknown(format!(
                        "{term} is a constant of the program and cannot be set"
                    )));
                }
                Alteration::Global(index)
            }
            Term::Local { depth, local } => Alteration::Local { depth, local },
            Term::Memory { address, load } => Alteration::Memory { address, size: load.size() },
        };
        self.session.alter(alteration, value)?;
        self.variable(term).map(Reply::Variable)
    }
}
