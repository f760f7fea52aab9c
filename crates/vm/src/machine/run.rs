//! Driving the interpreter: fast where possible, exact where asked for.

use alloc::vec::Vec;

use crate::breakpoints::Breakpoints;
use crate::fuse::{Deferred, FastCode};
use crate::machine::exec::{Budget, Exit, execute};
use crate::machine::{Machine, Status};
use crate::memory::Memory;
use crate::module::Module;
use crate::op::{Op, Reg};
use crate::probe::{NoProbe, Probe};
use crate::trap::TrapKind;
use crate::value::Value;

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// As many instructions as allowed were executed.
    Budget,
    /// There is a breakpoint before the next instruction.
    Breakpoint,
    /// The probe asked to stop.
    Probe,
    /// An imported function is called: see [`Machine::import_call`] and [`Machine::resume`].
    Import(u32),
    /// The next instruction cannot be executed.
    Trap(TrapKind),
    /// The call has returned: see [`Machine::results`]. Also if none was under way.
    Finished,
}

/// Results that cannot be the answer to an imported call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The machine is not waiting for results.
    #[error("the machine is not stopped at the call of an imported function")]
    NotImporting,
    /// The results are not what the function returns.
    #[error("the results do not fit the type of the imported function")]
    Results,
}

/// Budgets are clamped to this, which no run exhausts, so that sums cannot overflow.
const FOREVER: u64 = 1 << 62;

impl Machine {
    /// Executes exactly one source instruction.
    pub fn step(&mut self) -> Stop {
        self.run(1, &Breakpoints::default(), &mut NoProbe)
    }

    /// Executes at most `budget` instructions.
    ///
    /// Stops before an instruction with a breakpoint, but not before the first one: to run on from
    /// a breakpoint is to run.
    pub fn run<P: Probe>(&mut self, budget: u64, breakpoints: &Breakpoints, probe: &mut P) -> Stop {
        match self.core.status {
            Status::Idle => return Stop::Finished,
            Status::Importing(func) => return Stop::Import(func),
            Status::Trapped(kind) => return Stop::Trap(kind),
            Status::Running => {}
        }
        self.memories.iter_mut().for_each(Memory::warm);
        let module = self.module.clone();
        let margin = 2 * i64::from(module.fast.longest);
        // A probe that looks at everything leaves nothing to be run fast.
        let is_fast = cfg!(feature = "fast") && !(P::ACTIVE && breakpoints.looks_at_everything());
        let mut remaining = budget.min(FOREVER);
        loop {
            let before = remaining;
            let exit = match module.fast.entry(self.core.pc) {
                Some(entry) if is_fast && remaining as i64 > margin => {
                    self.run_fast(&module, breakpoints, entry, &mut remaining, margin)
                }
                _ => None,
            };
            self.count += before - remaining;
            let exit = match exit {
                Some(exit) => exit,
                None if remaining != before && breakpoints.contains(self.core.pc) => Exit::Pause,
                None => {
                    let exact_below = if is_fast { margin as u64 } else { u64::MAX };
                    let mut exact = Budget { left: 0, remaining, breakpoints, exact_below };
                    let exit = execute::<P, false>(self, &module, &mut exact, probe);
                    self.count += remaining - exact.remaining;
                    remaining = exact.remaining;
                    exit
                }
            };
            match exit {
                Exit::Pause if remaining == 0 => return Stop::Budget,
                Exit::Pause if breakpoints.contains(self.core.pc) => return Stop::Breakpoint,
                // At the start of a block that can be run fast.
                Exit::Pause | Exit::Bail | Exit::Landed => {}
                Exit::Probe => return Stop::Probe,
                Exit::Import(func) => {
                    self.core.status = Status::Importing(func);
                    return Stop::Import(func);
                }
                Exit::Trap(kind) => {
                    self.core.status = Status::Trapped(kind);
                    return Stop::Trap(kind);
                }
                Exit::Finished if self.finish() => return Stop::Finished,
                Exit::Finished => match self.core.status {
                    Status::Trapped(kind) => return Stop::Trap(kind),
                    _ if remaining == 0 => return Stop::Budget,
                    _ if breakpoints.contains(self.core.pc) => return Stop::Breakpoint,
                    _ => {}
                },
            }
        }
    }

    /// Runs fast code from `entry` until it is left, and puts the machine back into the step code.
    /// `None` says that the step code has to go on from there.
    fn run_fast(
        &mut self,
        module: &Module,
        breakpoints: &Breakpoints,
        entry: u32,
        remaining: &mut u64,
        margin: i64,
    ) -> Option<Exit> {
        let position = |machine: &Machine| {
            i64::from(machine.core.pc - module.parts.codes[machine.core.func as usize].start)
        };
        let fast = &module.fast;
        let left = *remaining as i64 + position(self) - margin;
        let mut budget = Budget { left, remaining: 0, breakpoints, exact_below: 0 };
        self.core.pc = entry;
        let exit = execute::<NoProbe, true>(self, module, &mut budget, &mut NoProbe);
        let is_finished = matches!(exit, Exit::Finished);
        let exit = match exit {
            Exit::Pause => {
                let func = module.func_code(self.core.func);
                self.core.pc = fast.block_at(func, self.core.pc);
                None
            }
            Exit::Bail => {
                self.core.pc = fast.origin(self.core.func, self.core.pc);
                self.write_deferred(fast);
                None
            }
            Exit::Landed => None,
            exit => {
                self.core.pc = fast.origin(self.core.func, self.core.pc);
                Some(exit)
            }
        };
        // A return that finished the call has been counted already.
        let position = if is_finished { 0 } else { position(self) };
        *remaining = (budget.left + margin - position) as u64;
        exit
    }

    /// Makes the frame what the step code would have made it before the instruction at `pc`.
    fn write_deferred(&mut self, fast: &FastCode) {
        let frame = self.core.fp as usize;
        for (slot, value) in fast.deferred_at(&self.module.parts, self.core.pc) {
            self.core.stack[frame + slot as usize] = match value {
                Deferred::Local(local) => self.core.stack[frame + local as usize],
                Deferred::Const(value) => value,
            };
        }
    }

    /// The imported function that the next instruction calls, and its arguments, if it does.
    pub fn import_call(&self) -> Option<(u32, Vec<Value>)> {
        let (func, base) = self.imported_callee()?;
        let ty = self.module.func_type(&self.module.funcs()[func as usize]);
        let values =
            ty.params.iter().zip(&self.core.stack[self.core.fp as usize + base as usize..]);
        Some((func, values.map(|(&ty, &slot)| Value::from_slot(ty, slot)).collect()))
    }

    /// The imported function that the next instruction calls, and the register of its first
    /// argument and result.
    fn imported_callee(&self) -> Option<(u32, Reg)> {
        if !matches!(self.core.status, Status::Running | Status::Importing(_)) {
            return None;
        }
        match self.module.parts.code[self.core.pc as usize] {
            Op::CallImport { func, base } | Op::ReturnCallImport { func, base } => {
                Some((func, base))
            }
            Op::CallIndirect { ty, table, index, base, .. }
            | Op::ReturnCallIndirect { ty, table, index, base, .. } => {
                let index = self.core.stack[self.core.fp as usize + index as usize] as u32;
                let func = self.resolve_indirect(ty, table, index).ok()?;
                self.module.funcs()[func as usize].import.as_ref().map(|_| (func, base))
            }
            _ => None,
        }
    }

    /// Where on the stack the first argument of the call of an imported function is that the next
    /// instruction makes, and where its first result will be.
    pub fn import_slots(&self) -> Result<(usize, usize), ResumeError> {
        let (_, base) = self.imported_callee().ok_or(ResumeError::NotImporting)?;
        let (frame, base) = (self.frame_start(), self.frame_start() + base as usize);
        Ok((base, if self.is_at_last_call() { frame } else { base }))
    }

    /// Whether the next instruction calls something in place of the function that it is in.
    pub fn is_at_last_call(&self) -> bool {
        let op = self.module.parts.code[self.core.pc as usize];
        matches!(op, Op::ReturnCallImport { .. } | Op::ReturnCallIndirect { .. })
    }

    /// Answers the imported call that the machine is stopped at; the call counts as one
    /// instruction. [`run`](Self::run) goes on from there.
    pub fn resume(&mut self, results: &[Value]) -> Result<(), ResumeError> {
        let Status::Importing(func) = self.core.status else {
            return Err(ResumeError::NotImporting);
        };
        let module = self.module.clone();
        let ty = module.func_type(&module.funcs()[func as usize]);
        if !results.iter().map(|value| value.ty()).eq(ty.results.iter().copied()) {
            return Err(ResumeError::Results);
        }
        let (base, _) = self.import_slots()?;
        for (slot, value) in self.core.stack[base..].iter_mut().zip(results) {
            *slot = value.to_slot();
        }
        self.count += 1;
        self.core.status = Status::Running;
        if !self.is_at_last_call() {
            self.core.pc += 1;
            return Ok(());
        }
        // The call was the last thing that the function did: return to its caller.
        self.core.stack.copy_within(base..base + results.len(), self.core.fp as usize);
        match self.core.frames.pop() {
            Some(caller) => {
                (self.core.func, self.core.pc, self.core.fp) = (caller.func, caller.pc, caller.fp)
            }
            None => {
                self.finish();
            }
        }
        Ok(())
    }

    /// Answers the imported call that the machine is stopped at by refusing it: a trap.
    pub fn refuse(&mut self) -> Result<(), ResumeError> {
        let Status::Importing(_) = self.core.status else { return Err(ResumeError::NotImporting) };
        self.core.status = Status::Trapped(TrapKind::Host);
        Ok(())
    }

    /// The results of the last call, if none is under way.
    pub fn results(&self) -> Vec<Value> {
        let (Status::Idle, Some(func)) =
            (self.core.status, self.module.funcs().get(self.core.func as usize))
        else {
            return Vec::new();
        };
        let types = &self.module.func_type(func).results;
        types.iter().zip(&self.core.stack).map(|(&ty, &slot)| Value::from_slot(ty, slot)).collect()
    }
}
