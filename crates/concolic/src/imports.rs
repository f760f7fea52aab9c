//! What a path does where the program calls the outside.
//!
//! An input is read: a new unknown of its domain. An output is performed in the path's own world.
//! Where its arguments depend on inputs *and* bear on what can be read later, that is followed
//! ([`Bearing`]): exactly, so that a dependency rule constrains path conditions as it constrains
//! mocks.

use std::hash::{DefaultHasher, Hash, Hasher};

use mw_vm::{Op, ValType, Value};
use mw_world::{Answers, Bearing, Call, CallError, Kind, Outcome as Performance, Reply, Role};

use crate::clock;
use crate::expr::{Expr, Exprs};
use crate::leaf::{Cut, End};
use crate::omitted::Omitted;
use crate::path::{Path, Reading, Shown};
use crate::solver::Solver;
use crate::statements;

/// What comes after a call of the outside.
#[derive(Debug)]
pub enum Next {
    /// The program goes on.
    On,
    /// The path ends.
    End(End),
    /// First it has to be known which number is in this slot of the stack.
    Number(usize, ValType),
    /// First it has to be known what this cell of the world was set to.
    Shown(u32),
    /// This has to hold, or the path is none.
    Assume(Expr),
    /// If this does not hold, that is a finding.
    Assert(Expr),
}

/// Handles the call that the machine is stopped at.
pub fn call(path: &mut Path, exprs: &mut Exprs, solver: &mut Solver, most_inputs: usize) -> Next {
    let Some((import, args)) = path.now.machine.import_call() else {
        return Next::End(End::Aborted("the machine waits for nothing".into()));
    };
    let base = path.slot_of(base(path));
    let ty = |index: usize| args.get(index).map_or(ValType::I32, |arg| arg.ty());
    let first_symbolic =
        |path: &Path| (0..args.len()).find(|&arg| path.shadow.slot(base + arg).is_some());
    let call = Call { import, args: &args };
    if let Some(statement) = path.now.world.statement(import) {
        return statements::call(path, exprs, call, statement);
    }
    match path.now.world.kind(import) {
        Ok(Kind::Input) => match first_symbolic(path) {
            Some(arg) => Next::Number(base + arg, ty(arg)),
            None => input(path, exprs, solver, call, most_inputs),
        },
        Ok(Kind::Output { .. }) => {
            let bearing = |arg: usize| path.now.world.bearing(import, arg);
            let exact = (0..args.len()).find(|&arg| {
                bearing(arg) == Bearing::Exact && path.shadow.slot(base + arg).is_some()
            });
            match exact {
                Some(arg) => Next::Number(base + arg, ty(arg)),
                None => output(path, exprs, call, base),
            }
        }
        Ok(Kind::Abort) => match path.now.world.perform(call, &path.now.machine) {
            Ok(Performance::Abort { message }) => Next::End(End::Aborted(message)),
            _ => Next::End(End::Aborted("the program gave up".into())),
        },
        Err(error) => Next::End(End::Aborted(error.to_string())),
    }
}

/// The register of the first argument of the call that the machine is stopped at.
pub fn base(path: &Path) -> u16 {
    match path.now.machine.module().code()[path.now.machine.pc() as usize] {
        Op::CallImport { base, .. }
        | Op::ReturnCallImport { base, .. }
        | Op::CallIndirect { base, .. }
        | Op::ReturnCallIndirect { base, .. } => base,
        _ => 0,
    }
}

/// The slot of the stack in which the first result of that call will be.
pub fn result_slot(path: &Path) -> usize {
    match path.now.machine.module().code()[path.now.machine.pc() as usize] {
        Op::ReturnCallImport { .. } | Op::ReturnCallIndirect { .. } => path.slot_of(0),
        _ => path.slot_of(base(path)),
    }
}

fn input(
    path: &mut Path,
    exprs: &mut Exprs,
    solver: &mut Solver,
    call: Call<'_>,
    most_inputs: usize,
) -> Next {
    let answers = match path.now.world.primitive(call.import).map(|primitive| &primitive.role) {
        Ok(Role::Input(input)) => input.answers.clone(),
        _ => return Next::End(End::Aborted("what is read is no input".into())),
    };
    if let Some(cell) = path.now.world.cell(call).filter(|cell| path.shown.contains_key(cell)) {
        return Next::Shown(cell);
    }
    let mocked = path.mocks.iter().rposition(|mock| {
        mock.import == call.import && mock.args.as_deref().is_none_or(|args| args == call.args)
    });
    if mocked.is_none() && path.constraints.inputs().len() >= most_inputs {
        return Next::End(End::Cut(Cut::Inputs));
    }
    let domain = match path.now.world.domain(call) {
        Ok(domain) => domain.into_owned(),
        // To ask for a number where there is none is to assume that there is one.
        Err(CallError::Empty { .. }) => return Next::Assume(exprs.i32(0)),
        Err(error) => return Next::End(End::Aborted(error.to_string())),
    };
    let ty = domain_type(path, call);
    let (behaviour, count) = (behaviour(path), path.now.machine.count());
    let slot = result_slot(path);
    let mut reading = Reading {
        count,
        import: call.import,
        args: call.args.into(),
        result: Err(Value::I32(0).into()),
        behaviour,
    };
    path.put_out = 0;

    if let Some(mock) = mocked {
        let answer = path.mocks[mock].answer.clone();
        let value = answer.value;
        if path.mocks[mock].once {
            path.mocks.remove(mock);
        }
        path.omitted.insert(Omitted::Mocks);
        reading.result = Err(answer.clone());
        path.note_reading(reading);
        if let Answers::Clock(unit) = answers
            && let Some(possible) = clock::mocked(path, exprs, value, unit)
        {
            let reply = Reply { results: vec![value], writes: vec![] };
            return match resume(path, &reply, slot, None) {
                Next::On => Next::Assume(possible),
                other => other,
            };
        }
        return match path.now.world.accept(call, answer) {
            Ok(accepted) => {
                path.note_omitted(call.import, false);
                resume(path, &accepted.reply, slot, None)
            }
            Err(error) => Next::End(End::Aborted(error.to_string())),
        };
    }
    if let Answers::Clock(unit) = answers {
        let expr = clock::read(path, exprs, solver, (ty, domain), unit);
        let value = Value::from_slot(ty, path.evaluate(exprs, expr));
        reading.result =
            path.constraints.inputs().last().map(|input| input.var).ok_or(value.into());
        path.note_reading(reading);
        // The world's own clock stands still from now on: this one counts.
        let reply = Reply { results: vec![value], writes: vec![] };
        return resume(path, &reply, slot, Some(expr));
    }
    let expr = solver.read(exprs, &mut path.constraints, (ty, domain), None);
    let value = Value::from_slot(ty, path.evaluate(exprs, expr));
    reading.result = path.constraints.inputs().last().map(|input| input.var).ok_or(value.into());
    path.note_reading(reading);
    match path.now.world.accept(call, value) {
        Ok(accepted) => {
            path.note_omitted(call.import, !accepted.undo.is_empty());
            resume(path, &accepted.reply, slot, Some(expr))
        }
        Err(error) => Next::End(End::Aborted(error.to_string())),
    }
}

fn domain_type(path: &Path, call: Call<'_>) -> ValType {
    let module = path.now.machine.module();
    let func = &module.funcs()[call.import as usize];
    module.func_type(func).results.first().copied().unwrap_or(ValType::I32)
}

fn output(path: &mut Path, exprs: &mut Exprs, call: Call<'_>, base: usize) -> Next {
    let before = path.now.world.clock();
    let slot = result_slot(path);
    note_output(path, call, base);
    let reply = match path.now.world.perform(call, &path.now.machine) {
        Ok(Performance::Done { reply, .. }) => reply,
        Ok(Performance::Abort { message }) => return Next::End(End::Aborted(message)),
        Err(error) => return Next::End(End::Aborted(error.to_string())),
    };
    let mut passed = Err(path.now.world.clock() - before);
    for arg in 0..call.args.len() {
        let expr = path.shadow.slot(base + arg);
        match (path.now.world.bearing(call.import, arg), expr) {
            (Bearing::Shown, expr) => {
                if let Some(cell) = path.now.world.cell(call) {
                    let (import, args) = (call.import, call.args.into());
                    let shown = expr.map(|expr| Shown { import, args, argument: arg, expr });
                    match shown {
                        Some(shown) => path.shown.insert(cell, shown),
                        None => path.shown.remove(&cell),
                    };
                }
            }
            (Bearing::Passes(unit), Some(expr)) => passed = Ok((expr, unit)),
            _ => {}
        }
    }
    clock::elapse(path, exprs, before, passed);
    let is_symbolic = path.shadow.bytes().next().is_some();
    path.note_omitted(call.import, is_symbolic);
    resume(path, &reply, slot, None)
}

/// Remembers what the program puts out, as far as it can be seen.
fn note_output(path: &mut Path, call: Call<'_>, base: usize) {
    let mut hasher = DefaultHasher::new();
    (path.put_out, call.import).hash(&mut hasher);
    for (arg, value) in call.args.iter().enumerate() {
        match path.shadow.slot(base + arg) {
            Some(expr) => (1, expr).hash(&mut hasher),
            None => (0, value.to_slot()).hash(&mut hasher),
        }
    }
    path.put_out = hasher.finish();
}

/// What can be seen of the program since the last reading: what it put out, and the state that it
/// is in, in terms of the inputs. 0 if nobody wants to know.
pub fn behaviour(path: &mut Path) -> u128 {
    if !path.is_observed {
        return 0;
    }
    path.shadow.truncate(path.now.machine.stack_height());
    // What inputs have a say in counts as what it is in terms of them, not as a number.
    let mut machine = path.now.machine.fork();
    let (mut slots, mut globals, mut bytes) = (vec![], vec![], vec![]);
    for (slot, expr) in path.shadow.slots() {
        slots.push((slot, expr));
        if let Some(place) = machine.stack_slot_mut(slot) {
            *place = 0;
        }
    }
    for (global, expr) in path.shadow.globals() {
        globals.push((global, expr));
        if let Some(value) = machine.global(global) {
            let _ = machine.set_global(global, Value::zero(value.ty()));
        }
    }
    for (memory, address, expr, index) in path.shadow.bytes() {
        bytes.push((memory, address, expr, index));
        if let Some(memory) = machine.memory_mut(memory) {
            let _ = memory.write(address, &[0]);
        }
    }
    bytes.sort_unstable();
    let mut hasher = DefaultHasher::new();
    (path.put_out, slots, globals, bytes).hash(&mut hasher);
    machine.hash() ^ u128::from(hasher.finish())
}

/// Answers the call that the machine is stopped at.
pub fn resume(path: &mut Path, reply: &Reply, slot: usize, result: Option<Expr>) -> Next {
    for (address, bytes) in &reply.writes {
        path.shadow.fill(0, u64::from(*address), bytes.len() as u64, None);
        path.pointers.forget(0, u64::from(*address), bytes.len() as u64);
    }
    let written = reply.write_to(&mut path.now.machine);
    if let Err(error) = written {
        return Next::End(End::Aborted(error.to_string()));
    }
    if let Err(error) = path.now.machine.resume(&reply.results) {
        return Next::End(End::Aborted(error.to_string()));
    }
    path.shadow.set_slot(slot, result);
    path.pointers.set_slot(slot, None);
    Next::On
}
