//! The world's clock where inputs have a say in it: what was read of it, and delays.
//!
//! The time is an expression in microseconds. That alone says everything, but in products of large
//! numbers, about which solvers find out little. So what follows from it for whole units is kept
//! beside it and required of each reading as well.

use mw_vm::NumericOp::*;
use mw_vm::{ValType, Value};
use mw_world::Domain;

use crate::expr::{Expr, Exprs};
use crate::path::Path;
use crate::solver::{Solver, to_slot};

/// The clock of a path.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// In microseconds.
    time: Expr,
    /// What it is not before, whatever the inputs, in microseconds.
    base: i64,
    /// At least so many units of so many microseconds have passed: in the unit that was read or
    /// passed last, and in the one before.
    passed: [Option<(Expr, i64)>; 2],
}

impl Clock {
    /// A clock that shows a time in microseconds and will be told of units of so many.
    fn new(exprs: &mut Exprs, now: i64, unit: i64) -> Clock {
        let time = exprs.constant(ValType::I64, now as u64);
        let passed = exprs.constant(ValType::I64, (now / unit) as u64);
        Clock { time, base: now, passed: [Some((passed, unit)), None] }
    }

    /// The time in microseconds, an `i64`.
    pub fn time(&self) -> Expr {
        self.time
    }

    /// So many units (an `i64`) pass.
    fn elapse(&mut self, exprs: &mut Exprs, count: Expr, unit: i64) {
        let time = exprs.with_const(I64Mul, count, unit as u64);
        self.time = exprs.binary(I64Add, self.time, time);
        for (passed, of) in self.passed.iter_mut().flatten() {
            let more = match exprs.as_const(time) {
                Some(time) => exprs.constant(ValType::I64, time / *of as u64),
                None if unit % *of == 0 => exprs.with_const(I64Mul, count, (unit / *of) as u64),
                None => continue,
            };
            *passed = exprs.binary(I64Add, *passed, more);
        }
    }

    /// Whether at least as many units have passed as is known, for each way to know it.
    fn is_possible(&self, exprs: &mut Exprs, read: Expr, unit: i64) -> Vec<Expr> {
        let mut conditions = Vec::new();
        for &(passed, of) in self.passed.iter().flatten() {
            let least = match () {
                () if of % unit == 0 => exprs.with_const(I64Mul, passed, (of / unit) as u64),
                () if unit % of == 0 => exprs.with_const(I64DivU, passed, (unit / of) as u64),
                () => continue,
            };
            conditions.push(exprs.binary(I64GeS, read, least));
        }
        conditions
    }

    /// It shows so many units, and to read it takes so many microseconds. What has to hold for
    /// that: it never goes back, and the unit that it shows has not passed yet.
    fn show(&mut self, exprs: &mut Exprs, read: Expr, unit: i64, takes: i64) -> Vec<Expr> {
        let is_narrow = exprs.ty(read) == ValType::I32;
        let wide = if is_narrow { exprs.unary(I64ExtendI32S, read) } else { read };
        let time = exprs.with_const(I64Mul, wide, unit as u64);
        let end = exprs.with_const(I64Add, time, unit as u64);
        let holds = exprs.binary(I64GtS, end, self.time);
        let mut conditions = self.is_possible(exprs, wide, unit);
        conditions.push(holds);
        let later = exprs.binary(I64GtS, time, self.time);
        let after = exprs.ite(later, time, self.time);
        self.time = exprs.with_const(I64Add, after, takes as u64);
        self.note(wide, unit);
        conditions
    }

    /// So many units have passed.
    fn note(&mut self, passed: Expr, unit: i64) {
        let other = self.passed.iter().flatten().copied().find(|(_, of)| *of != unit);
        self.passed = [Some((passed, unit)), other];
    }
}

/// Time passes that inputs have a say in: so many units (an `i32`). Or it passes while they have
/// had one before: so many microseconds.
pub fn elapse(path: &mut Path, exprs: &mut Exprs, before: i64, passed: Result<(Expr, i64), i64>) {
    let (count, unit) = match passed {
        Ok((count, unit)) => (exprs.unary(I64ExtendI32U, count), unit),
        Err(_) if path.clock.is_none() => return,
        Err(microseconds) => (exprs.constant(ValType::I64, microseconds as u64), 1),
    };
    let mut clock = path.clock.unwrap_or_else(|| Clock::new(exprs, before, unit));
    clock.elapse(exprs, count, unit);
    path.clock = Some(clock);
}

/// Reads the time: never before the time that it is already. And the time is that, from then on.
pub fn read(
    path: &mut Path,
    exprs: &mut Exprs,
    solver: &mut Solver,
    (ty, now): (ValType, Domain),
    unit: i64,
) -> Expr {
    let takes = path.now.world.reading_time_takes();
    let (mut clock, domain, preferred) = match path.clock {
        None => (Clock::new(exprs, path.now.world.clock(), unit), now, None),
        Some(clock) => {
            let least = path.evaluate(exprs, clock.time) as i64 / unit;
            let highest = if ty == ValType::I32 { i32::MAX.into() } else { i64::MAX / unit - 1 };
            let domain = Domain::range(clock.base / unit, highest).unwrap_or(now);
            (clock, domain, Some(to_slot(ty, least)))
        }
    };
    let read = solver.read(exprs, &mut path.constraints, (ty, domain), preferred);
    let conditions = clock.show(exprs, read, unit, takes);
    // Where inputs had no say in the time before, the domain says it all.
    for condition in conditions.into_iter().filter(|_| path.clock.is_some()) {
        if exprs.as_const(condition).is_none() {
            solver.require(exprs, &mut path.constraints, condition);
        }
    }
    path.clock = Some(clock);
    read
}

/// The time is mocked where inputs have a say in it: what has to hold for that to be possible.
/// `None` where they have none.
pub fn mocked(path: &mut Path, exprs: &mut Exprs, value: Value, unit: i64) -> Option<Expr> {
    let mut clock = path.clock?;
    let read = exprs.constant(value.ty(), value.to_slot());
    let conditions = clock.show(exprs, read, unit, path.now.world.reading_time_takes());
    path.clock = Some(clock);
    Some(conditions.into_iter().fold(exprs.i32(1), |all, condition| exprs.and(all, condition)))
}
