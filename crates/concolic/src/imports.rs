//! What a path does where the program calls the outside.
//!
//! An input is read: a new unknown of its domain. An output is performed in the path's own world.
//! Where its arguments depend on inputs *and* bear on what can be read later, that is followed
//! ([`Bearing`]): exactly, so that a dependency rule constrains path conditions as it constrains
//! mocks.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use mw_ensemble::{AnswerError, Answered};
use mw_vm::{ResumeError, ValType, Value};
use mw_world::{Accepted, Answers, Bearing, Call, CallError, Input, Kind, Reply, Role, TaskCall};

use crate::asked::Asked;
use crate::clock;
use crate::expr::{Expr, Exprs};
use crate::leaf::{Cut, End};
use crate::omitted::Omitted;
use crate::path::{Got, Path, Reading, Shown};
use crate::solver::Solver;
use crate::statements;

/// What comes before or instead of going on after a call of the outside.
#[derive(Debug)]
pub enum Next {
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

impl<E: Into<AnswerError>> From<E> for Next {
    fn from(error: E) -> Self {
        Next::End(End::Aborted(error.into().to_string()))
    }
}

/// Handles the call that the machine is stopped at; says what comes first or instead, if so.
pub fn call(
    path: &mut Path,
    exprs: &mut Exprs,
    solver: &mut Solver,
    most_inputs: usize,
) -> Result<(), Next> {
    let (import, args) = path.now.machine.import_call().ok_or(ResumeError::NotImporting)?;
    let call = Call { import, args: &args };
    let (base, _) = path.now.machine.import_slots()?;
    path.note_call(base, args.len());
    if let Some(statement) = path.now.world.statement(import) {
        return statements::call(path, exprs, call, statement);
    }
    let kind = path.now.world.kind(import)?;
    let is_exact =
        |arg| kind == Kind::Input || path.now.world.bearing(import, arg) == Bearing::Exact;
    let is_open =
        |&(arg, _): &(usize, &Value)| path.shadow.stack.get(base + arg).is_some() && is_exact(arg);
    if let Some((arg, value)) = args.iter().enumerate().find(is_open) {
        return Err(Next::Number(base + arg, value.ty()));
    }
    match kind {
        Kind::Input => input(path, exprs, solver, call, most_inputs),
        Kind::Output { .. } => match path.now.world.task_call(import) {
            Some(asked) => task_call(path, exprs, call, (base, asked)),
            None => output(path, exprs, call, base),
        },
        Kind::Abort => perform(path, call),
    }
}

fn input(
    path: &mut Path,
    exprs: &mut Exprs,
    solver: &mut Solver,
    call: Call<'_>,
    most_inputs: usize,
) -> Result<(), Next> {
    if let Some(cell) = path.now.world.cell(call).filter(|cell| path.shown.contains_key(cell)) {
        return Err(Next::Shown(cell));
    }
    let mocked = path.mocks.iter().rposition(|mock| {
        let is_it = match mock.port {
            Some(port) => path.now.world.port(call.import) == Ok(port),
            None => mock.import == call.import,
        };
        is_it && mock.args.as_deref().is_none_or(|args| args == call.args)
    });
    let is_over = path.along.as_ref().is_some_and(VecDeque::is_empty);
    if is_over || mocked.is_none() && path.constraints.inputs().len() >= most_inputs {
        return Err(Next::End(End::Cut(Cut::Inputs)));
    }
    let domain = match path.now.world.domain(call) {
        // To ask for a number where there is none is to assume that there is one.
        Err(CallError::Empty { .. }) => return Err(Next::Assume(exprs.i32(0))),
        domain => domain?.into_owned(),
    };
    let unit = match path.now.world.primitive(call.import)?.role {
        Role::Input(Input { answers: Answers::Clock(unit), .. }) => Some(unit),
        _ => None,
    };
    let (count, pc) = (path.now.machine.count(), path.now.machine.pc());
    let behaviour = behaviour(path);
    path.put_out = 0;
    let mock = mocked.map(|mock| match path.mocks[mock].once {
        true => path.mocks.remove(mock).answer,
        false => path.mocks[mock].answer.clone(),
    });
    let ty = path.now.machine.module().result_type(call.import).unwrap_or(ValType::I32);
    let given = path.along.as_mut().and_then(VecDeque::pop_front);
    // What comes with a number, and the time, stays what it was.
    let decided = given.clone().filter(|given| given.bytes.is_some() || unit.is_some());
    let (answer, expr, possible) = match decided.or(mock) {
        Some(answer) => {
            path.omitted.insert(Omitted::Mocks);
            let possible = unit.and_then(|unit| clock::mocked(path, exprs, answer.value, unit));
            (answer, None, possible)
        }
        None => {
            let expr = match unit {
                Some(unit) => clock::read(path, exprs, solver, (ty, domain), unit),
                None => solver.read(exprs, &mut path.constraints, (ty, domain), None),
            };
            let var = path.constraints.inputs().last().map(|input| input.var);
            if let (Some(var), Some(given)) = (var, given) {
                path.assign(exprs, &[(var, given.value.to_slot())]);
            }
            (Value::from_slot(ty, path.evaluate(exprs, expr)).into(), Some(expr), None)
        }
    };
    let var = path.constraints.inputs().last().map(|input| input.var);
    let got = match var.filter(|_| expr.is_some()) {
        Some(var) => Got::Open(var),
        None => Got::Mocked(answer.clone()),
    };
    let port = path.now.world.port(call.import)?;
    let asked = Asked::Input { import: call.import, port, args: call.args.into() };
    let program = path.program();
    path.note_reading(Reading { count, program, pc, asked, got, behaviour });
    let (_, slot) = path.now.machine.import_slots()?;
    if unit.is_some() && (expr.is_some() || possible.is_some()) {
        // The world's own clock stands still from now on: that of the path counts.
        path.now.resume(&Reply { results: vec![answer.value], writes: vec![] })?;
    } else {
        let Accepted { reply, undo } = path.now.read(call, answer)?;
        path.note_omitted(call.import, expr.is_some() && !undo.is_empty());
        for (address, bytes) in &reply.writes {
            path.shadow.fill(0, u64::from(*address), bytes.len() as u64, None);
            path.pointers.forget(0, u64::from(*address), bytes.len() as u64);
        }
    }
    path.set_result(slot, expr);
    possible.map_or(Ok(()), |possible| Err(Next::Assume(possible)))
}

/// Asks something of other tasks.
fn task_call(
    path: &mut Path,
    exprs: &Exprs,
    call: Call<'_>,
    (base, asked): (usize, TaskCall),
) -> Result<(), Next> {
    note_output(path, call, base);
    let sent = path.sent_in_turn();
    perform(path, call)?;
    path.note_task_call(exprs, call, asked, sent);
    Ok(())
}

fn output(path: &mut Path, exprs: &mut Exprs, call: Call<'_>, base: usize) -> Result<(), Next> {
    let (import, before) = (call.import, path.now.world.clock());
    note_output(path, call, base);
    let mut passes = None;
    for argument in 0..call.args.len() {
        let expr = path.shadow.stack.get(base + argument);
        match (path.now.world.bearing(import, argument), expr) {
            (Bearing::Shown, expr) => {
                let Some(cell) = path.now.world.cell(call) else { continue };
                match expr {
                    Some(expr) => {
                        let args = call.args.into();
                        path.shown.insert(cell, Shown { import, args, argument, expr })
                    }
                    None => path.shown.remove(&cell),
                };
            }
            (Bearing::Passes(unit), Some(expr)) => passes = Some((expr, unit)),
            (Bearing::None | Bearing::Passes(_) | Bearing::Exact, _) => {}
        }
    }
    perform(path, call)?;
    let passed = passes.ok_or(path.now.world.clock() - before);
    clock::elapse(path, exprs, before, passed);
    let is_symbolic = path.shadow.bytes().next().is_some();
    path.note_omitted(import, is_symbolic);
    Ok(())
}

/// Performs the output that the machine is stopped at.
pub fn perform(path: &mut Path, call: Call<'_>) -> Result<(), Next> {
    let (_, slot) = path.now.machine.import_slots()?;
    if let Answered::Aborted(message) = path.now.perform(call)? {
        return Err(Next::End(End::Aborted(message)));
    }
    path.set_result(slot, None);
    Ok(())
}

/// Remembers what the program puts out, as far as it can be seen.
fn note_output(path: &mut Path, call: Call<'_>, base: usize) {
    let mut hasher = DefaultHasher::new();
    (path.put_out, call.import).hash(&mut hasher);
    for (arg, value) in call.args.iter().enumerate() {
        match path.shadow.stack.get(base + arg) {
            Some(expr) => (1, expr).hash(&mut hasher),
            None => (0, value.to_slot()).hash(&mut hasher),
        }
    }
    path.put_out = hasher.finish();
}

/// What can be seen of the program since the last reading: what it put out, and the state that it
/// is in, in terms of the inputs. 0 if nobody wants to know.
pub fn behaviour(path: &mut Path) -> u128 {
    match path.is_observed {
        true => state(path, path.put_out),
        false => 0,
    }
}

/// The state that a program is in, in terms of the inputs, as a hash together with another one.
pub fn state(path: &mut Path, with: u64) -> u128 {
    path.shadow.stack.truncate(path.now.machine.stack_height());
    // What inputs have a say in counts as what it is in terms of them, not as a number.
    let mut machine = path.now.machine.fork();
    let (mut slots, mut globals, mut bytes) = (vec![], vec![], vec![]);
    for (slot, expr) in path.shadow.stack.iter() {
        slots.push((slot, expr));
        if let Some(place) = machine.stack_slot_mut(slot) {
            *place = 0;
        }
    }
    for (global, expr) in path.shadow.globals.iter() {
        globals.push((global, expr));
        if let Some(value) = machine.global(global as u32) {
            let _ = machine.set_global(global as u32, Value::zero(value.ty()));
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
    (with, slots, globals, bytes).hash(&mut hasher);
    machine.hash() ^ u128::from(hasher.finish()) ^ path.hash_of_monitors()
}
