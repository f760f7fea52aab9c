//! Functions that return: each frame once, however it came about.
//!
//! A function returns when the instruction is reached that ends it: its results are there, and so
//! are its variables. One that calls another in its own place returns when that one does.

use mw_monitor::Occasion;
use mw_vm::{Op, Value};

use super::points::Told;
use super::{Monitors, Passed, Tail, Under};
use crate::moment::Moment;

impl Monitors {
    /// The function under way.
    fn function(now: &Moment) -> Option<Under> {
        let number = now.machine.module().func_at(now.machine.pc())?;
        Some(Under { number, ..now.under() })
    }

    /// Keeps what was passed to the function that begins: it will write its parameters.
    pub(super) fn keep(&mut self, now: &Moment) {
        let Some(by) = Monitors::function(now) else { return };
        // A function that was left by a trap has no end.
        self.passed.retain(|of| of.by.task != by.task || of.by.depth < by.depth);
        let kept = self.keep_number();
        self.passed.push(Passed { by, arguments: parameters(now, by.number), kept });
    }

    /// What was passed to a function under way, if that has been kept.
    fn passed_to(&self, by: Under) -> Option<Passed> {
        self.passed.iter().rfind(|of| of.by == by).cloned()
    }

    /// The function under way is about to return.
    pub(super) fn returns(&mut self, now: &Moment, told: Told) {
        let Some(by) = Monitors::function(now) else { return };
        let (passed, results) = (self.passed_to(by), results(now));
        let (arguments, kept) = match passed {
            Some(of) => (of.arguments, Some(of.kept)),
            None => (parameters(now, by.number), None),
        };
        let occasion =
            Occasion { arguments: Some(&arguments), results: &results, ..self.occasion(now) };
        if !self.hold(told, &occasion, kept) {
            self.happened(now, told, &occasion);
        }
    }

    /// The function under way is about to call another one in its own place.
    pub(super) fn is_replaced(&mut self, now: &Moment, told: Told) {
        let Some(by) = Monitors::function(now) else { return };
        let of = self.passed_to(by).unwrap_or_else(|| {
            let kept = self.keep_number();
            Passed { by, arguments: parameters(now, by.number), kept }
        });
        self.tails.push(Tail { told, of });
        self.armed = None;
    }

    /// The function under way may be one that others have called in their own place.
    pub(super) fn tails_return(&mut self, now: &Moment) {
        let Some(by) = Monitors::function(now) else { return };
        if !matches!(now.machine.module().code()[now.machine.pc() as usize], Op::Return { .. }) {
            return;
        }
        let results = results(now);
        self.end_tails(now, by.depth, &results);
    }

    /// All that have called others in their own place at a depth have returned.
    pub(super) fn end_tails(&mut self, now: &Moment, depth: usize, results: &[Value]) {
        let task = now.current();
        let is_it = |tail: &Tail| (tail.of.by.task, tail.of.by.depth) == (task, depth);
        let (ended, rest) = std::mem::take(&mut self.tails).into_iter().partition(is_it);
        self.tails = rest;
        let ended: Vec<Tail> = ended;
        for Tail { told, of } in ended.iter().rev() {
            let occasion =
                Occasion { arguments: Some(&of.arguments), results, ..self.nowhere(now) };
            if !self.hold(*told, &occasion, Some(of.kept)) {
                self.happened(now, *told, &occasion);
            }
            self.armed = None;
        }
    }

    /// The function under way is left.
    pub(super) fn left(&mut self, now: &Moment) {
        if let Some(by) = Monitors::function(now) {
            self.passed.retain(|of| of.by != by);
        }
    }
}

/// The parameters of the function under way, as they are.
fn parameters(now: &Moment, func: u32) -> Vec<Value> {
    let params = u32::from(now.machine.module().func_code(func).params);
    (0..params).filter_map(|local| now.machine.local(0, local)).collect()
}

/// What the function under way is about to return.
fn results(now: &Moment) -> Vec<Value> {
    let (machine, module) = (&now.machine, now.machine.module());
    let Op::Return { first, .. } = module.code()[machine.pc() as usize] else { return Vec::new() };
    let func = module.func_at(machine.pc()).map(|func| &module.funcs()[func as usize]);
    let types = func.map(|func| &*module.func_type(func).results).unwrap_or_default();
    let start = machine.frame_start() + usize::from(first);
    let slots = (start..).map_while(|slot| machine.stack_slot(slot));
    types.iter().zip(slots).map(|(ty, slot)| Value::from_slot(*ty, slot)).collect()
}
