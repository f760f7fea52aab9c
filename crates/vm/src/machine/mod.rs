//! The machine: the complete state of one running module.
//!
//! A machine does nothing by itself. [`Machine::call`] prepares a call, [`Machine::run`] executes
//! until there is a reason to [`Stop`]; when that is the call of an imported function, the outside
//! decides the results and hands them to [`Machine::resume`]. Given the same results, every run is
//! the same, bit for bit.
//!
//! What counts as *state* is what the future depends on: equality and [`Machine::hash`] look at
//! that, and so not at the number of instructions executed so far.

mod bulk;
mod exec;
mod instantiate;
mod run;
mod save;
mod view;

use alloc::{sync::Arc, vec, vec::Vec};
use core::ops::Deref;

use serde::{Deserialize, Serialize};

pub use self::instantiate::{ImportValues, InstantiateError};
pub use self::run::{ResumeError, Stop};
pub use self::save::RestoreError;
pub use self::view::{CallFrame, TrapReport};
use crate::limits::Limits;
use crate::memory::Memory;
use crate::module::Module;
use crate::table::Table;
use crate::trap::TrapKind;
use crate::value::Value;

/// What a machine is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    /// No call is under way: the last one has finished, or there has been none.
    Idle,
    /// The instruction at the program counter comes next.
    Running,
    /// Before the call of this imported function, whose results the outside has to give.
    Importing(u32),
    /// The instruction at the program counter cannot be executed.
    Trapped(TrapKind),
}

/// A caller that waits for its callee to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Frame {
    func: u32,
    /// Where to go on.
    pc: u32,
    /// Where its frame starts in the stack.
    fp: u32,
    /// Whether it was interrupted before the instruction at `pc`, rather than calling.
    interrupted: bool,
}

/// A running module. See the [module](self).
#[derive(Debug)]
pub struct Machine {
    module: Arc<Module>,
    /// How many instructions have been executed.
    count: u64,
    core: Core,
    memories: Vec<Memory>,
}

/// What a machine's future depends on, besides its memories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Core {
    limits: Limits,
    status: Status,
    /// The call to be made when the one under way has returned: function and argument slots.
    next: Option<(u32, Vec<u64>)>,
    /// The current function, position in the step code and start of the frame in `stack`.
    func: u32,
    pc: u32,
    fp: u32,
    /// The callers of the current function, outermost first.
    frames: Vec<Frame>,
    /// All frames, one upon the other; an argument is in the caller's frame and in the callee's.
    /// What lies above the live slots of the current frame means nothing.
    stack: Vec<u64>,
    globals: Vec<u64>,
    tables: Vec<Table>,
    /// Which segments have been dropped.
    dropped_data: Vec<bool>,
    dropped_elems: Vec<bool>,
}

impl Core {
    /// The same with so much of the stack.
    fn with_stack(&self, slots: usize) -> Core {
        // Not `clone`: the stack may be much larger than what is used of it.
        Core {
            limits: self.limits,
            status: self.status,
            next: self.next.clone(),
            frames: self.frames.clone(),
            stack: self.stack[..slots].to_vec(),
            globals: self.globals.clone(),
            tables: self.tables.clone(),
            dropped_data: self.dropped_data.clone(),
            dropped_elems: self.dropped_elems.clone(),
            ..*self
        }
    }
}

/// A machine that never runs. Any number of machines can go on from it, on any thread.
#[derive(Debug)]
pub struct Frozen(Machine);

impl Frozen {
    /// A machine in its state.
    pub fn thaw(&self) -> Machine {
        self.0.with_memories(self.0.memories.iter().map(Memory::share).collect())
    }
}

impl Deref for Frozen {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        &self.0
    }
}

/// A call that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The module has no such function.
    #[error("there is no function {0} in this module")]
    NoFunction(u32),
    /// The arguments are not what the function takes.
    #[error("the arguments do not fit the function's parameters")]
    Arguments,
    /// The function is an import: there is nothing to run.
    #[error("function {0} is imported, so that the outside has to run it")]
    Imported(u32),
    /// A call is under way already.
    #[error("the machine is in the middle of a call; run it to its end first")]
    Busy,
}

impl Machine {
    /// The module that it runs.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// What it is about to do.
    pub fn status(&self) -> Status {
        self.core.status
    }

    /// How many instructions it has executed.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Goes on counting from here: machines that take turns share one count.
    pub fn set_count(&mut self, count: u64) {
        self.count = count;
    }

    /// The position of the next instruction in [`Module::code`]. Means nothing when idle.
    pub fn pc(&self) -> u32 {
        self.core.pc
    }

    /// The limits that it honours.
    pub fn limits(&self) -> &Limits {
        &self.core.limits
    }

    /// Prepares the call of a function; [`run`](Self::run) executes it.
    pub fn call(&mut self, func: u32, args: &[Value]) -> Result<(), CallError> {
        if self.core.status != Status::Idle {
            return Err(CallError::Busy);
        }
        let slots = self.check_call(func, args)?;
        self.begin(func, &slots);
        Ok(())
    }

    /// Prepares the call of a function for when the one under way has returned; at once if there
    /// is none. The start function runs first that way.
    pub fn call_next(&mut self, func: u32, args: &[Value]) -> Result<(), CallError> {
        if self.core.status == Status::Idle {
            return self.call(func, args);
        }
        if self.core.next.is_some() {
            return Err(CallError::Busy);
        }
        self.core.next = Some((func, self.check_call(func, args)?));
        Ok(())
    }

    /// The function that is called when the one under way has returned, if one is.
    pub fn next_call(&self) -> Option<u32> {
        self.core.next.as_ref().map(|(func, _)| *func)
    }

    /// The slots of the arguments, if the call can be made.
    fn check_call(&self, func: u32, args: &[Value]) -> Result<Vec<u64>, CallError> {
        let decl = self.module.funcs().get(func as usize).ok_or(CallError::NoFunction(func))?;
        if !args.iter().map(|arg| arg.ty()).eq(self.module.func_type(decl).params.iter().copied()) {
            return Err(CallError::Arguments);
        }
        match decl.import {
            Some(_) => Err(CallError::Imported(func)),
            None => Ok(args.iter().map(|arg| arg.to_slot()).collect()),
        }
    }

    fn begin(&mut self, func: u32, args: &[u64]) {
        let code = self.module.func_code(func);
        (self.core.func, self.core.pc, self.core.fp) = (func, code.start, 0);
        if !self.grow_stack(code.frame as usize) {
            // What is left of the call before is no state.
            self.core.stack.clear();
            self.core.status = Status::Trapped(TrapKind::ValueStackExhausted);
            return;
        }
        self.core.status = Status::Running;
        self.core.stack[..args.len()].copy_from_slice(args);
        self.core.stack[args.len()..code.locals as usize].fill(0);
    }

    /// The outermost function has returned; says whether that was all.
    fn finish(&mut self) -> bool {
        self.core.status = Status::Idle;
        match self.core.next.take() {
            Some((func, args)) => self.begin(func, &args),
            None => return true,
        }
        false
    }

    /// Interrupts the program before its next instruction: calls a function, with zeros for
    /// whatever parameters it has, and goes on when that returns.
    pub fn interrupt(&mut self, func: u32) -> Result<(), CallError> {
        // To be stopped at an imported call is to be about to make it.
        if !matches!(self.core.status, Status::Running | Status::Importing(_)) {
            return Err(CallError::Busy);
        }
        let decl = self.module.funcs().get(func as usize).ok_or(CallError::NoFunction(func))?;
        if decl.import.is_some() {
            return Err(CallError::Imported(func));
        }
        self.core.status = Status::Running;
        let code = self.module.func_code(func);
        let fp = self.live_end();
        if self.core.frames.len() >= self.core.limits.call_depth as usize {
            self.core.status = Status::Trapped(TrapKind::CallStackExhausted);
        } else if !self.grow_stack(fp + code.frame as usize) {
            self.core.status = Status::Trapped(TrapKind::ValueStackExhausted);
        } else {
            let interrupted = Frame {
                func: self.core.func,
                pc: self.core.pc,
                fp: self.core.fp,
                interrupted: true,
            };
            self.core.frames.push(interrupted);
            self.core.stack[fp..fp + code.locals as usize].fill(0);
            (self.core.func, self.core.pc, self.core.fp) = (func, code.start, fp as u32);
        }
        Ok(())
    }

    /// Ends the call under way, finished or not, so that another can be made. Memories, tables and
    /// globals stay as they are.
    pub fn abandon(&mut self) {
        self.core.status = Status::Idle;
        self.core.next = None;
        self.core.frames.clear();
        self.core.stack.clear();
        (self.core.func, self.core.pc, self.core.fp) = (0, 0, 0);
    }

    /// A machine in the same state, sharing all memory with this one until either writes.
    pub fn fork(&mut self) -> Machine {
        let memories = self.memories.iter_mut().map(Memory::fork).collect();
        self.with_memories(memories)
    }

    /// A machine in the same state that never runs, sharing all memory with this one until that
    /// writes.
    pub fn freeze(&mut self) -> Frozen {
        Frozen(self.fork())
    }

    fn with_memories(&self, memories: Vec<Memory>) -> Machine {
        let core = self.core.with_stack(self.frames_end());
        Machine { module: self.module.clone(), count: self.count, core, memories }
    }

    /// Makes the stack at least this long, unless the limit forbids it.
    #[cold]
    fn grow_stack(&mut self, slots: usize) -> bool {
        if slots > self.core.limits.stack_slots as usize {
            return false;
        }
        if slots > self.core.stack.len() {
            let doubled = (slots * 2).min(self.core.limits.stack_slots as usize);
            let mut stack = vec![0; doubled];
            stack[..self.core.stack.len()].copy_from_slice(&self.core.stack);
            self.core.stack = stack;
        }
        true
    }

    /// Where the frames end in the stack: what has to be there for all of them to run. A caller's
    /// frame can reach further than that of the function it has called.
    fn frames_end(&self) -> usize {
        if self.core.status == Status::Idle {
            return self.live_end();
        }
        let end = |func: u32, fp: u32| fp as usize + self.module.func_code(func).frame as usize;
        let callers = self.core.frames.iter().map(|frame| end(frame.func, frame.fp));
        callers.fold(end(self.core.func, self.core.fp), usize::max).min(self.core.stack.len())
    }

    /// Where the live slots end in the stack.
    fn live_end(&self) -> usize {
        match self.core.status {
            // The results of the last call.
            Status::Idle if self.module.funcs().is_empty() => 0,
            Status::Idle => {
                let results = self.module.func_type(&self.module.funcs()[self.core.func as usize]);
                results.results.len().min(self.core.stack.len())
            }
            // There may have been no room for the frame at all.
            _ => {
                let live = self.module.parts.live[self.core.pc as usize];
                (self.core.fp as usize + live as usize).min(self.core.stack.len())
            }
        }
    }
}
