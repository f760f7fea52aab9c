//! What happens when a program calls an output.

use mw_vm::Value;

use crate::board::Scene;
use crate::call::{Call, CallError, Outcome, Reply, show_call};
use crate::memory::{GuestMemory, NoMemory, read_utf16};
use crate::primitive::{Act, Compensation, Output, Primitive, Role, Statement};
use crate::state::{Change, State};
use crate::statement;
use crate::undo::{CompensatingCall, Undo};
use crate::world::World;

impl World {
    /// Performs an output, or ends the program.
    pub fn perform(
        &mut self,
        call: Call<'_>,
        memory: &dyn GuestMemory,
    ) -> Result<Outcome, CallError> {
        let bound = self.bound(call.import)?;
        let (id, result) = (bound.port.primitive, bound.ty.results.first().copied());
        let primitive = &self.description.primitives[id.0 as usize];
        let output = match &primitive.role {
            Role::Output(output) => output,
            Role::Abort => return Ok(Outcome::Abort { message: abort_message(call.args, memory) }),
            Role::Input(_) => {
                return Err(CallError::WrongKind { call: self.show(call), wanted: "output" });
            }
        };
        let plan = match self.plan(primitive, output, call.args, memory) {
            Ok(plan) => plan,
            Err(reason) => {
                let message = match output.act {
                    Act::Says(statement) if statement != Statement::Free => reason,
                    _ => format!("{}: {reason}", self.show(call)),
                };
                return Ok(Outcome::Abort { message });
            }
        };
        let call = self.compensating_call(&output.compensation, call.args);
        let undo = Undo { changes: self.state.apply_all(plan.changes), call };
        let returned = |ty| plan.result.unwrap_or(Value::zero(ty));
        let reply = Reply { results: result.map(returned).into_iter().collect(), writes: vec![] };
        Ok(Outcome::Done { reply, undo, effect: plan.effect })
    }

    fn plan(
        &self,
        primitive: &Primitive,
        output: &Output,
        args: &[Value],
        memory: &dyn GuestMemory,
    ) -> Result<Plan, String> {
        match (&output.act, &self.state.board, &self.description.board) {
            (Act::Board(effect), Some(board), Some(settings)) => {
                let plan = effect(&Scene { board, settings, args, memory })?;
                Ok(Plan {
                    changes: plan.changes.into_iter().map(Change::Board).collect(),
                    result: Some(Value::I32(plan.result)),
                    effect: plan.says,
                })
            }
            (Act::Behaviour(behaviour), ..) => {
                let performance = behaviour.perform(&self.state, args, memory)?;
                let sets = performance.sets.into_iter();
                Ok(Plan {
                    changes: sets.map(|(id, value)| Change::Register(id, value)).collect(),
                    result: performance.result,
                    effect: performance.effect,
                })
            }
            (Act::Says(statement), ..) => statement::plan(*statement, args, self.state().heap()),
            (Act::Board(_), ..) => Err("this state has no board".into()),
            (Act::Task(_), ..) => Err("there are no other tasks here".into()),
            (Act::Registers { sets, returns, says }, ..) => {
                let mut changes = Vec::new();
                let mut effects = Vec::new();
                for (register, operand) in sets {
                    let Some((name, kind)) = self.description.registers.get(register.0 as usize)
                    else {
                        continue;
                    };
                    let value = operand.evaluate(args, &self.state).to_value(kind.ty());
                    effects.push(format!("{name} = {value}"));
                    changes.push(Change::Register(*register, value));
                }
                let effect = match says {
                    Some(template) => fill_in(template, args),
                    None if effects.is_empty() => show_call(primitive, args),
                    None => effects.join(", "),
                };
                Ok(Plan { changes, result: *returns, effect })
            }
        }
    }

    fn compensating_call(
        &self,
        compensation: &Compensation,
        args: &[Value],
    ) -> Option<Box<CompensatingCall>> {
        let Compensation::Call { primitive, args: operands } = compensation else { return None };
        let called = &self.description.primitives.get(primitive.0 as usize)?;
        let params = called.types.first()?.params.iter();
        let args = operands
            .iter()
            .zip(params)
            .map(|(operand, ty)| operand.evaluate(args, &self.state).to_value(*ty))
            .collect();
        Some(Box::new(CompensatingCall { primitive: *primitive, args }))
    }

    /// The state that a compensating call leads to, and the call for people.
    pub(crate) fn after_calling(&self, call: &CompensatingCall) -> Option<(State, String)> {
        let primitive = self.description.primitives.get(call.primitive.0 as usize)?;
        let Role::Output(output) = &primitive.role else { return None };
        let mut state = self.state.clone();
        // It reads nothing of the program's memory, which is another one by then.
        if let Ok(plan) = self.plan(primitive, output, &call.args, &NoMemory) {
            state.apply_all(plan.changes);
        }
        Some((state, show_call(primitive, &call.args)))
    }
}

/// What an output is going to do to the world.
pub(crate) struct Plan {
    pub(crate) changes: Vec<Change>,
    pub(crate) result: Option<Value>,
    pub(crate) effect: String,
}

pub(crate) fn abort_message(args: &[Value], memory: &dyn GuestMemory) -> String {
    let number = |index: usize| match args.get(index) {
        Some(Value::I32(v)) => *v as u32,
        _ => 0,
    };
    let text = |index: usize| read_utf16(memory, number(index)).filter(|text| !text.is_empty());
    let message = text(0).unwrap_or_else(|| "the program called abort".into());
    match text(1) {
        Some(file) => format!("{message} ({file}:{}:{})", number(2), number(3)),
        None => message,
    }
}

/// The template with `{0}`, `{1}`… replaced by the arguments.
fn fill_in(template: &str, args: &[Value]) -> String {
    args.iter().enumerate().fold(template.to_owned(), |text, (index, value)| {
        text.replace(&format!("{{{index}}}"), &value.to_string())
    })
}
