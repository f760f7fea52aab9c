//! Where a value comes from, and what an input has influenced: the flow of numbers through a part of
//! the past, followed back from a cell or on from a reading.

use std::cell::RefCell;
use std::collections::BTreeSet;

use mw_ensemble::Moment;
use mw_multiverse::Place;
use mw_vm::{Cell, ValType, Value};
use mw_world::{Call, Kind, Role};

use crate::execution::Execution;
use crate::failure::Failure;
use crate::flow::{Flow, Id, Made};
use crate::formula::Formula;

/// So many numbers are noted at most.
const STEPS: usize = 8 << 20;

/// So many instructions before a place are looked at.
const STRETCH: u64 = 16_000_000;

/// A place on the way of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Where: before the instruction.
    pub place: Place,
    /// The instruction.
    pub pc: u32,
    /// What happens there.
    pub made: Made,
    /// What was moved, as a slot.
    pub value: u64,
}

/// Where a value comes from.
#[derive(Debug)]
pub struct Origin {
    /// The places at which it, or what it was made of, was put somewhere or read from outside, the
    /// latest first.
    pub way: Vec<Traced>,
    /// The value as a formula of inputs.
    pub formula: Formula,
    /// Where looking began: what is older is taken as it was.
    pub since: Place,
    /// Whether something of it is older than that.
    pub is_older: bool,
}

/// What an input has influenced.
#[derive(Debug)]
pub struct Influence {
    /// The places at which something was done with it, the earliest first.
    pub way: Vec<Traced>,
    /// How far was looked.
    pub until: Place,
}

impl Flow<'_> {
    /// A number and all that it is made of, what is made of others after those.
    pub fn parts(&self, id: Id) -> Vec<Id> {
        let mut parts: BTreeSet<Id> = BTreeSet::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if parts.insert(id) {
                waiting.extend(self.steps()[id as usize].made.operands());
            }
        }
        parts.into_iter().collect()
    }
}

impl Execution<'_> {
    /// Follows the flow of numbers to a place, from a place on.
    fn flow<R>(
        &self,
        (from, to): (Place, Place),
        look: impl FnOnce(&mut Flow<'_>, &mut Moment) -> R,
    ) -> Result<R, Failure> {
        let past = self.past();
        let programs: Vec<_> = past.programs().collect();
        let [(module, _)] = programs.as_slice() else {
            return Err(Failure::Function(
                "numbers are followed in programs that run alone, and several run here".into(),
            ));
        };
        let arrived = RefCell::new(Vec::new());
        let mut flow = Flow::new(module, &arrived, STEPS);
        let mut on_call = |now: &Moment, call: Call<'_>, value: Option<Value>| {
            let Ok(primitive) = now.world.primitive(call.import) else { return };
            let Role::Input(input) = &primitive.role else { return };
            let (Some(brings), Some(value)) = (input.brings, value) else { return };
            let address = match call.args.get(brings.address) {
                Some(Value::I32(address)) => u64::from(*address as u32),
                _ => return,
            };
            let room = u64::from(brings.most(call.args));
            let length = match brings.is_counted {
                true => (value.to_slot() as i32).max(0) as u64,
                false => room,
            };
            let count = now.machine.count() - 1;
            arrived.borrow_mut().push((count, address, length.min(room)));
        };
        let scope = past.scope(|_, _, _, _| true);
        let begins = past.beginnings(from, from.count, |_| true);
        let begin = begins.first().copied().unwrap_or(from);
        let learnt =
            past.replay((begin, to), &scope, &mut flow, Some(&mut on_call), &mut self.token())?;
        self.token().learn(learnt);
        let mut replayer = past.replayer();
        replayer.go_to(to, &mut self.token())?;
        Ok(look(&mut flow, replayer.now()))
    }

    /// Where looking begins for a place.
    fn since(&self, place: Place) -> Place {
        let start = self.past().multiverse().beginning();
        let count = place.count.saturating_sub(STRETCH).max(start.count);
        Place { node: self.past().multiverse().node_at(place.node, count), count }
    }

    /// Where the value of a cell at a place comes from, as it is called there; nothing if nobody has
    /// written it since looking began.
    pub fn origin(&self, cell: Cell, place: Place) -> Result<Option<Origin>, Failure> {
        let since = self.since(place);
        self.flow((since, place), |flow, now| {
            let id = flow.origin(cell, now.machine.frame_start())?;
            let ty = now.machine.read(cell).map_or(ValType::I32, |value| value.ty());
            let world = &now.world;
            let module = now.machine.module().clone();
            let is_input = |import: u32| {
                let ty = module.result_type(import)?;
                matches!(world.kind(import), Ok(Kind::Input)).then_some(ty)
            };
            let parts = flow.parts(id);
            let is_told = |made: Made| matches!(made, Made::Moved(..) | Made::Primitive(_));
            let steps = parts.iter().rev().map(|id| flow.steps()[*id as usize]);
            let told = steps.filter(|step| is_told(step.made));
            let way = told.map(|step| Traced {
                place: self.place_of(step.count),
                pc: step.pc,
                made: step.made,
                value: step.value,
            });
            let mut way: Vec<Traced> = way.collect();
            way.sort_by_key(|traced| std::cmp::Reverse(traced.place.count));
            way.dedup();
            let is_older = since != self.past().multiverse().beginning()
                && parts.iter().any(|id| flow.steps()[*id as usize].made == Made::Before);
            let formula = Formula::of(flow, id, ty, is_input);
            Some(Origin { way, formula, since, is_older: is_older || flow.is_full() })
        })
    }

    /// What the number has influenced that was read, or made otherwise, after so many instructions.
    pub fn influence(&self, count: u64, until: Place) -> Result<Influence, Failure> {
        let from = self.place_of(count);
        let last = count.saturating_add(STRETCH).min(until.count);
        let until = self.place_of(last);
        let way = self.flow((from, until), |flow, _| {
            let mut touched = vec![false; flow.steps().len()];
            let mut way = Vec::new();
            for (at, step) in flow.steps().iter().enumerate() {
                let is_it = step.count == count && matches!(step.made, Made::Primitive(_));
                touched[at] = is_it || step.made.operands().any(|id| touched[id as usize]);
                let is_told = matches!(
                    step.made,
                    Made::Moved(..) | Made::Decided(_) | Made::Passed(..) | Made::Primitive(_)
                );
                if touched[at] && is_told {
                    let place = self.place_of(step.count);
                    way.push(Traced { place, pc: step.pc, made: step.made, value: step.value });
                }
            }
            way
        })?;
        Ok(Influence { way, until })
    }

    /// The place of the instruction that is executed after so many others.
    pub fn place_of(&self, count: u64) -> Place {
        let leaf = self.universe().leaf();
        Place { node: self.past().multiverse().node_at(leaf, count), count }
    }
}
