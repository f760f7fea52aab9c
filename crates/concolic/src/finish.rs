//! The end of a path: what is known of it then.

use mw_vm::Value;

use crate::explore::Explorer;
use crate::imports;
use crate::leaf::{Class, Condition, End, Leaf, Step};
use crate::path::{Decision, Path};
use crate::show;
use crate::stop::Stop;

impl Explorer {
    pub(crate) fn finish(&mut self, path: &mut Path, end: End) {
        let leaf = self.leaf(path, end);
        self.leaves.push(leaf);
    }

    /// What is known of a path at its end.
    pub(crate) fn leaf(&mut self, path: &mut Path, end: End) -> Leaf {
        let behaviour = imports::behaviour(path);
        let (exprs, solver) = (&self.exprs, &mut self.solver);
        let stop = &Stop::default();
        let constraints = &path.constraints;
        let (constrained, connected) =
            (constraints.constrained(exprs), constraints.connected(exprs));
        let steps = path.readings.iter().map(|reading| {
            let (value, class, independent) = match reading.result {
                Err(value) => (value, Class::Mocked, true),
                Ok(var) => {
                    let input = exprs.input(var);
                    let value = Value::from_slot(input.ty, constraints.slot(exprs, var));
                    let is_connected = connected.contains(&var);
                    let set = match is_connected {
                        true => solver.class(exprs, constraints, var, stop),
                        false => constraints.bound(exprs, var).left.clone(),
                    };
                    let class = match set {
                        _ if !constrained.contains(&var) => Class::Any(input.domain.clone()),
                        Some(set) => Class::Exact(set),
                        None => Class::Example,
                    };
                    (value, class, !is_connected)
                }
            };
            let (count, import, behaviour) = (reading.count, reading.import, reading.behaviour);
            let args = reading.args.clone();
            Step { count, import, args, value, class, independent, behaviour }
        });
        let steps = steps.collect();
        let texts = &mut self.texts;
        let conditions = path.decisions.iter().map(|decision| {
            let Decision { pc, count, outcome, condition } = *decision;
            let text =
                texts.entry(condition).or_insert_with(|| show::condition(exprs, condition).into());
            Condition { pc, count, outcome, text: text.clone() }
        });
        Leaf {
            pc: (end != End::Finished).then(|| path.machine.pc()),
            end,
            count: path.machine.count(),
            steps,
            conditions: conditions.collect(),
            inputs: solver.count(exprs, constraints, stop),
            behaviour,
            omitted: path.omitted.clone(),
        }
    }
}
