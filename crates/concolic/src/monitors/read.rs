//! The parameters of an event, in terms of the inputs.
//!
//! Arguments and results are taken from where they lie. A variable is what its cell is. Whatever else
//! is read, all that inputs have a say in of it is made definite first.

use std::cell::RefCell;

use mw_ensemble::DueEvent;
use mw_monitor::{Arithmetic, Occasion, Parameter, Point, Watch};
use mw_source::{Expression, MachineFrame, Number, Storage};
use mw_vm::{Cell, Op, Value};

use super::Watching;
use super::number::{Computing, Symbolic, Undecided};
use crate::expr::{Expr, Exprs};
use crate::goal::SymbolicState;
use crate::path::Path;

/// Something that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Read {
    /// So many bytes of memory from an address on.
    Bytes(u64, usize),
    Global(u32),
    /// A slot of the stack.
    Slot(usize),
}

/// A frame of the machine that notes what is read of it.
struct Noting<'a> {
    frame: MachineFrame<'a>,
    /// Where its locals begin on the stack, and how many there are.
    start: Option<(usize, usize)>,
    reads: RefCell<Vec<Read>>,
}

impl<'a> Noting<'a> {
    fn new(path: &'a Path, depth: usize) -> Noting<'a> {
        let machine = &path.now.machine;
        let stack = machine.call_stack();
        // Frames lie on the stack one after the other, the innermost last.
        let within = stack.get(..=depth).map(|frames| {
            let callers = frames.iter().skip(1);
            let below: usize = callers.map(|f| f.locals.len() + f.operands.len()).sum();
            (machine.frame_start().saturating_sub(below), frames[depth].locals.len())
        });
        Noting {
            frame: MachineFrame::new(machine, depth),
            start: within,
            reads: RefCell::default(),
        }
    }

    fn note(&self, read: Read) {
        let mut reads = self.reads.borrow_mut();
        if !reads.contains(&read) {
            reads.push(read);
        }
    }
}

impl Storage for Noting<'_> {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        self.note(Read::Bytes(address, buffer.len()));
        self.frame.read(address, buffer)
    }

    fn cell(&self, cell: Cell) -> Option<Value> {
        match cell {
            Cell::Global(global) => self.note(Read::Global(global)),
            Cell::Local { local, .. } => {
                let slot = self.start.map(|(start, _)| start + local as usize);
                slot.into_iter().for_each(|slot| self.note(Read::Slot(slot)));
            }
            Cell::Memory { address, load } => {
                self.note(Read::Bytes(address.into(), load.size() as usize));
            }
        }
        self.frame.cell(cell)
    }

    fn operand(&self, index: u32) -> Option<u64> {
        let slot = self.start.map(|(start, locals)| start + locals + index as usize);
        slot.into_iter().for_each(|slot| self.note(Read::Slot(slot)));
        self.frame.operand(index)
    }

    fn depth(&self) -> u32 {
        self.frame.depth()
    }
}

/// What inputs have a say in of something that was read.
fn shadow_of(path: &Path, exprs: &mut Exprs, read: Read) -> Vec<Expr> {
    match read {
        Read::Global(global) => path.shadow.globals.get(global as usize).into_iter().collect(),
        Read::Slot(slot) => path.shadow.stack.get(slot).into_iter().collect(),
        Read::Bytes(address, length) => {
            let bytes = (address..address.saturating_add(length as u64))
                .filter(|at| path.shadow.touches(0, *at, 1));
            let mut found: Vec<Expr> =
                bytes.filter_map(|at| path.shadow.byte(0, at)).map(|byte| byte.expr).collect();
            found.dedup();
            found.retain(|expr| exprs.as_const(*expr).is_none());
            found
        }
    }
}

impl Watching {
    /// The values of the parameters of an event.
    pub(super) fn values(
        &self,
        path: &Path,
        exprs: &mut Exprs,
        due: &DueEvent,
    ) -> Result<Vec<Option<Symbolic>>, Undecided> {
        let watch = &self.automata[due.which].watches()[due.watch];
        let parameters = watch.parameters.iter().zip(&due.values);
        parameters.map(|(of, known)| self.value(path, exprs, due, watch, of, *known)).collect()
    }

    fn value(
        &self,
        path: &Path,
        exprs: &mut Exprs,
        due: &DueEvent,
        watch: &Watch,
        parameter: &Parameter,
        known: Option<Number>,
    ) -> Result<Option<Symbolic>, Undecided> {
        let (expr, ty) = match parameter {
            Parameter::Argument(index, ty) => {
                (self.argument(path, due, watch, usize::from(*index)), *ty)
            }
            Parameter::Return(ty) => (self.result(path, due), *ty),
            Parameter::Expression(of) => {
                return self.evaluated(path, exprs, due, watch, of, due.depth);
            }
            Parameter::Caller(of) => {
                return self.evaluated(path, exprs, due, watch, of, due.depth + 1);
            }
            Parameter::Byte(index) => {
                return Ok(self.in_message(path, exprs, due, *index as usize, 1, known));
            }
            Parameter::Word(index) => {
                return Ok(self.in_message(path, exprs, due, 4 * *index as usize, 4, known));
            }
            _ => (None, mw_source::NumberType::Bool),
        };
        let mut computing = self.computing(exprs);
        let open = expr.and_then(|expr| computing.of_machine(expr));
        let value = open.map(|open| computing.convert(&open, ty));
        match computing.undecided {
            Some(undecided) => Err(undecided),
            None => Ok(value.or(known.map(Symbolic::Known))),
        }
    }

    pub(super) fn computing<'a>(&'a self, exprs: &'a mut Exprs) -> Computing<'a> {
        Computing { exprs, decided: &self.decided, undecided: None }
    }

    /// What inputs have a say in of an argument.
    fn argument(&self, path: &Path, due: &DueEvent, watch: &Watch, index: usize) -> Option<Expr> {
        let machine = &path.now.machine;
        match (&watch.point, due.kept) {
            (_, Some(kept)) => *self.kept.get(&kept)?.get(index)?,
            (Point::Primitive { before: false, .. }, _) => *self.call.0.get(index)?,
            (Point::Primitive { .. }, _) => {
                let (base, _) = machine.import_slots().ok()?;
                path.shadow.stack.get(base + index)
            }
            _ => path.shadow.stack.get(machine.frame_start() + index),
        }
    }

    /// What inputs have a say in of what is returned.
    fn result(&self, path: &Path, due: &DueEvent) -> Option<Expr> {
        if due.by_call {
            return self.call.1;
        }
        let machine = &path.now.machine;
        match machine.module().code()[machine.pc() as usize] {
            Op::Return { first, .. } => path.shadow_of(first),
            _ => None,
        }
    }

    /// A number in the message that an event is about.
    fn in_message(
        &self,
        path: &Path,
        exprs: &mut Exprs,
        due: &DueEvent,
        at: usize,
        size: u8,
        known: Option<Number>,
    ) -> Option<Symbolic> {
        let known = known?;
        let bits = due
            .message
            .and_then(|id| path.number_in_message(exprs, id, at, size, known.integer() as u64));
        let Some(bits) = bits else { return Some(Symbolic::Known(known)) };
        let mut computing = self.computing(exprs);
        let open = computing.of_machine(bits)?;
        Some(computing.convert(&open, known.ty()))
    }

    /// What an expression is.
    fn evaluated(
        &self,
        path: &Path,
        exprs: &mut Exprs,
        due: &DueEvent,
        watch: &Watch,
        expression: &Expression,
        depth: usize,
    ) -> Result<Option<Symbolic>, Undecided> {
        let noting = Noting::new(path, depth);
        let occasion =
            Occasion { program: due.program, depth: due.depth, ..Occasion::new(&path.now.machine) };
        let automaton = &self.automata[due.which];
        let found = automaton.evaluate(watch, expression, &occasion, &noting);
        let is_open = |expr: &Expr| !self.decided.iter().any(|(known, _)| known == expr);
        let cell = found.and_then(|(_, cell)| cell);
        let own = cell.and_then(|cell| own_read(&noting, cell));
        let mut open = Vec::new();
        for read in noting.reads.borrow().iter().filter(|read| own != Some(**read)) {
            open.extend(shadow_of(path, exprs, *read).into_iter().filter(is_open));
        }
        if let Some(expr) = open.first() {
            return Err(Undecided::Number(*expr));
        }
        let Some((number, _)) = found else { return Ok(None) };
        let Some(own) = own else { return Ok(Some(Symbolic::Known(number))) };
        let open: Vec<Expr> = shadow_of(path, exprs, own).into_iter().filter(is_open).collect();
        if open.is_empty() {
            return Ok(Some(Symbolic::Known(number)));
        }
        let expr = cell.filter(|_| depth == 0);
        let expr = expr.and_then(|cell| SymbolicState { path, exprs: &mut *exprs }.cell(cell));
        let mut computing = self.computing(exprs);
        let symbolic = expr.and_then(|expr| {
            let value = computing.of_machine(expr)?;
            Some(computing.convert(&value, number.ty()))
        });
        match (symbolic, computing.undecided) {
            (_, Some(undecided)) => Err(undecided),
            // What the debugger reads there is what the machine has.
            (Some(Symbolic::Open(expr, ty)), None)
                if super::number(ty, path.evaluate(exprs, expr)) == number =>
            {
                Ok(Some(Symbolic::Open(expr, ty)))
            }
            (Some(Symbolic::Known(known)), None) if known == number => {
                Ok(Some(Symbolic::Known(known)))
            }
            _ => Err(Undecided::Number(open[0])),
        }
    }
}

/// What is read of a cell that is all of a variable.
fn own_read(noting: &Noting<'_>, cell: Cell) -> Option<Read> {
    Some(match cell {
        Cell::Global(global) => Read::Global(global),
        Cell::Local { local, .. } => Read::Slot(noting.start?.0 + local as usize),
        Cell::Memory { address, load } => Read::Bytes(address.into(), load.size() as usize),
    })
}
