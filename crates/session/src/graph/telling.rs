//! What tells states apart: the variables that differ.

use mw_source::MachineFrame;
use mw_vm::Machine;

use super::query::actors;
use super::{Graph, StateId};
use crate::session::Session;

/// What an actor remembers under a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Remembered {
    /// Who; nobody, if there is one task.
    pub actor: Option<String>,
    /// The variable.
    pub name: String,
    /// Its value, for people.
    pub value: String,
}

impl Session {
    /// For each of some states, the values of the variables that are not the same in all of them. What
    /// languages bring along is left out.
    pub fn telling(&self, graph: &Graph, states: &[StateId]) -> Vec<Vec<Remembered>> {
        let moments = states.iter().filter_map(|id| graph.moment(*id));
        let remembered = moments.map(|moment| {
            let is_alone = moment.ensemble.is_none();
            let of = |(actor, machine): (&str, &Machine)| -> Vec<Remembered> {
                let actor = (!is_alone).then(|| actor.to_owned());
                let with = |(name, value)| Remembered { actor: actor.clone(), name, value };
                self.remembered(machine).into_iter().map(with).collect()
            };
            actors(moment).into_iter().flat_map(of).collect()
        });
        let mut all: Vec<Vec<Remembered>> = remembered.collect();
        let Some(first) = all.first().cloned() else { return all };
        let same = |one: &Remembered| all.iter().all(|other| other.contains(one));
        let same: Vec<Remembered> = first.into_iter().filter(same).collect();
        all.iter_mut().for_each(|state| state.retain(|one| !same.contains(one)));
        all
    }

    /// The variables of a program that are there all the time.
    fn remembered(&self, machine: &Machine) -> Vec<(String, String)> {
        let module = machine.module();
        let mut programs = self.programs();
        let sources = programs.find(|(own, _)| std::sync::Arc::ptr_eq(own, module));
        let variables = sources.map(|(_, sources)| sources.globals(&MachineFrame::new(machine, 0)));
        let variables = variables.unwrap_or_default();
        if !variables.is_empty() {
            let known = variables.into_iter().map(|variable| (variable.name, variable.value));
            return known.filter(|(name, _)| is_own(name)).collect();
        }
        let globals = (0..).zip(module.globals()).filter(|(_, global)| global.mutable);
        let known = globals.filter_map(|(index, global)| {
            let name = global.name.clone().unwrap_or_else(|| format!("global {index}"));
            Some((name, machine.global(index)?.to_string()))
        });
        known.filter(|(name, _)| is_own(name)).collect()
    }
}

fn is_own(name: &str) -> bool {
    !name.starts_with("__") && !name.starts_with("~lib")
}
