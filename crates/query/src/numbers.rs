//! The number that an event is about: what was written or returned, what was called with. By it,
//! events of one kind are matched with those of another: what was allocated with what was freed.

use std::collections::HashMap;

use mw_ensemble::Moment;
use mw_multiverse::Place;
use mw_vm::{Cell, Instruction, Machine, Stop, Value};

use crate::events::{Event, Events, Kind};
use crate::execution::Execution;
use crate::failure::Failure;
use crate::time::Item;

/// What an instruction has in one of its registers.
pub fn slot_at(machine: &Machine, register: u16) -> Option<u64> {
    let frame = machine.call_stack().first().copied()?;
    let register = usize::from(register);
    match register.checked_sub(frame.locals.len()) {
        Some(operand) => frame.operands.get(operand).copied(),
        None => frame.locals.get(register).copied(),
    }
}

/// What a function is about to return, at its last instruction.
pub fn returned_at(machine: &Machine) -> Option<Value> {
    let op = machine.module().code().get(machine.pc() as usize)?;
    let Some(Instruction::Return { first, .. }) = op.instruction() else { return None };
    let module = machine.module();
    let func = module.func_at(machine.pc())?;
    let ty = *module.func_type(&module.funcs()[func as usize]).results.first()?;
    Some(Value::from_slot(ty, slot_at(machine, first)?))
}

/// The value of a cell after the next instruction, which writes it.
pub fn written_at(now: &mut Moment, cell: Cell) -> Option<Value> {
    let mut ahead = now.fork();
    ahead.machine.step();
    ahead.machine.read(cell)
}

/// The arguments of the function that is about to begin.
pub fn arguments_at(machine: &Machine) -> Vec<Value> {
    let Some(frame) = machine.call_stack().first().copied() else { return Vec::new() };
    let module = machine.module();
    let types = &module.func_type(&module.funcs()[frame.func as usize]).params;
    types.iter().zip(frame.locals).map(|(ty, slot)| Value::from_slot(*ty, *slot)).collect()
}

/// The arguments of the primitive that is about to be called.
pub fn primitive_at(now: &mut Moment) -> Option<(u32, Vec<Value>)> {
    let mut ahead = now.fork();
    match ahead.machine.step() {
        Stop::Import(_) => ahead.machine.import_call(),
        _ => None,
    }
}

impl Execution<'_> {
    /// The number of each event: what a function returns or else what it is called with, what is
    /// written or read, what an input returns or an output is called with.
    pub fn numbers(
        &self,
        events: &Events,
        items: &[Item<Event>],
        returns: &[Item<Event>],
    ) -> Result<Vec<Option<Value>>, Failure> {
        let mut returned = match &events.kind {
            Kind::Calls(_) => self.returned(items, returns)?,
            _ => HashMap::new(),
        };
        let universe = self.universe();
        let mut numbers = Vec::with_capacity(items.len());
        let places = items.iter().map(|item| universe.place_at(item.time));
        self.visit(places, |place, now| {
            numbers.push(match &events.kind {
                Kind::Calls(_) => {
                    let result = returned.remove(&place);
                    result.unwrap_or_else(|| arguments_at(&now.machine).first().copied())
                }
                Kind::Returns(_) => returned_at(&now.machine),
                Kind::Writes(watch) => written_at(now, watch.cell(now.machine.call_depth())),
                Kind::Reads(watch) => now.machine.read(watch.cell(now.machine.call_depth())),
                Kind::Primitives(_) | Kind::Outputs => {
                    let arguments = primitive_at(now).map(|(_, arguments)| arguments);
                    self.answered(place).or_else(|| arguments?.first().copied())
                }
                _ => None,
            });
        })?;
        Ok(numbers)
    }

    /// What the input returned that is read at a place, as the number of its slot.
    fn answered(&self, place: Place) -> Option<Value> {
        let multiverse = self.past().multiverse();
        let next = multiverse.step_towards(place.node, self.universe().leaf())?;
        let choice = multiverse.choice(next).filter(|choice| choice.count == place.count)?;
        Some(Value::I64(choice.slot as i64))
    }

    /// What calls returned: activations of functions end in the opposite order of their beginnings.
    fn returned(
        &self,
        calls: &[Item<Event>],
        returns: &[Item<Event>],
    ) -> Result<HashMap<Place, Option<Value>>, Failure> {
        let mut results = HashMap::new();
        let mut begun: Vec<Place> = Vec::new();
        let mut pairs: HashMap<Place, Place> = HashMap::new();
        let (mut calls, mut returns) = (calls.iter().peekable(), returns.iter().peekable());
        let universe = self.universe();
        loop {
            match (calls.peek(), returns.peek()) {
                (Some(call), back) if back.is_none_or(|back| call.time < back.time) => {
                    begun.push(universe.place_at(call.time));
                    calls.next();
                }
                (_, Some(back)) => {
                    if let Some(call) = begun.pop() {
                        pairs.insert(universe.place_at(back.time), call);
                    }
                    returns.next();
                }
                (_, None) => break,
            }
        }
        let mut places: Vec<Place> = pairs.keys().copied().collect();
        places.sort_by_key(|place| universe.time_of(*place));
        self.visit(places, |place, now| {
            if let (Some(call), Some(value)) = (pairs.get(&place), returned_at(&now.machine)) {
                results.insert(*call, Some(value));
            }
        })?;
        Ok(results)
    }
}
