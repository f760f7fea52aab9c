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

    /// A global by its name, the name of an export, or the end of its name after a slash, if no
    /// other has it.
    pub(crate) fn find_global(&self, name: &str) -> Option<u32> {
        let module = self.session.module();
        let globals = || (0..).zip(module.globals().iter().map(|global| global.name.as_deref()));
        let exact = globals().find(|(_, known)| *known == Some(name)).map(|(index, _)| index);
        let exported = || match module.exports().get(name)? {
            Extern::Global(index) => Some(*index),
            _ => None,
        };
        let ending = || {
            let end = format!("/{name}");
            let mut fitting =
                globals().filter(|(_, known)| known.is_some_and(|k| k.ends_with(&end)));
            fitting.next().filter(|_| fitting.next().is_none()).map(|(index, _)| index)
        };
        exact.or_else(exported).or_else(ending)
    }

    /// A condition with the names of variables replaced by their numbers. Locals are those of the
    /// function given.
    pub(crate) fn without_names(&self, condition: &str, func: Option<u32>) -> String {
        let is_part = |c: char| !c.is_whitespace() && !"=!<>@&|".contains(c);
        let mut text = String::new();
        let mut rest = condition;
        while let Some(start) = rest.find(is_part) {
            let (between, from) = rest.split_at(start);
            let (word, after) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
            let keyword = ["global", "local", "and", "or"].contains(&word);
            let is_name = !keyword && word.starts_with(|c: char| !c.is_ascii_digit() && c != '-');
            let local = func.and_then(|func| self.listing().find_local(func, word));
            let known = local.map(|index| format!("local {index}"));
            let known = known.or_else(|| Some(format!("global {}", self.find_global(word)?)));
            text += between;
            text += &known.filter(|_| is_name).unwrap_or_else(|| word.to_owned());
            rest = after;
        }
        text + rest
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
        // The source comes first: what it calls `shelf` is for the machine only an address.
        match self.print_source(text) {
            Some(printed) => printed,
            None => self.find_term(text).and_then(|term| self.variable(term)).map(Reply::Variable),
        }
    }

    pub(crate) fn alter(&mut self, target: &str, value: &str) -> Result<Reply, ApiError> {
        let in_source = self.source_term(target);
        let term = self.find_term(in_source.as_deref().unwrap_or(target))?;
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
