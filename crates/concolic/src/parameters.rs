//! Calling a function with arguments that are left open.

use mw_vm::{Status, Value};
use mw_world::Domain;

use crate::asked::Asked;
use crate::explore::Explorer;
use crate::path::{Got, Reading};

impl Explorer {
    /// Leaves open with which arguments the function is called that the machine is about to
    /// execute: each parameter is an input of its whole type.
    pub fn open_parameters(&mut self) -> Result<(), &'static str> {
        let Some(path) = self.waiting.front_mut().filter(|path| path.now.machine.count() == 0)
        else {
            return Err("parameters can only be open at the start");
        };
        let machine = &path.now.machine;
        let func = match machine.status() {
            Status::Running => self.module.func_at(machine.pc()),
            _ => None,
        };
        let Some(func) = func.filter(|func| Some(*func) != self.module.start()) else {
            return Err("a start function is executed first, so parameters cannot be open");
        };
        let ty = self.module.func_type(&self.module.funcs()[func as usize]).clone();
        for (param, &ty) in ty.params.iter().enumerate() {
            let Some(domain) = Domain::all(ty) else {
                return Err("a parameter that is a reference cannot be open");
            };
            let zero = Some(Value::zero(ty).to_slot());
            let expr = self.solver.read(&mut self.exprs, &mut path.constraints, (ty, domain), zero);
            let var = path.constraints.inputs().last().map(|input| input.var);
            path.note_reading(Reading {
                count: 0,
                program: path.program(),
                pc: path.now.machine.pc(),
                asked: Asked::Parameter(param as u32),
                got: var.map_or(Got::Mocked(Value::zero(ty).into()), Got::Open),
                behaviour: 0,
            });
            let slot = path.now.machine.frame_start() + param;
            if let Some(place) = path.now.machine.stack_slot_mut(slot) {
                *place = Value::zero(ty).to_slot();
            }
            path.shadow.stack.set(slot, Some(expr));
        }
        Ok(())
    }
}
