//! What differs between two places.

use mw_session::NodeId;
use mw_source::Variable;
use mw_vm::{Cell, Machine, Value};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::views::{ChoiceView, PlaceView, ValueView};
use crate::world_changes::world_changes;

/// What differs between two places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diff {
    /// One place.
    pub first: PlaceRef,
    /// The other; here without.
    #[serde(default)]
    pub second: Option<PlaceRef>,
}

impl Ask for Diff {
    type Reply = DifferenceView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let first = debugger.resolve(&self.first)?;
        let second = match &self.second {
            Some(second) => debugger.resolve(second)?,
            None => debugger.session.here(),
        };
        let mut bridge = Bridge { listener };
        let found = debugger.session.diff(first, second, &mut bridge);
        let found = found.map_err(|error| debugger.unreachable(&[first, second], error.into()))?;
        let (found, machines) = found;
        let global = |&(index, first, second): &(u32, Value, Value)| VariableDifference {
            term: Cell::Global(index).to_string(),
            name: debugger.running().global_name(index),
            function: None,
            first: first.into(),
            second: second.into(),
        };
        let parted = |node: Option<NodeId>| debugger.choice_view(node?);
        let variables = debugger.variable_differences(&machines.0, &machines.1);
        // What the source has a name for is not told twice.
        let is_new = |one: &VariableDifference| !variables.iter().any(|known| is_same(known, one));
        let globals = found.globals.iter().map(global).filter(is_new).collect();
        let locals = debugger.local_differences(&machines.0, &machines.1);
        let locals = locals.into_iter().filter(is_new).collect();
        Ok(DifferenceView {
            first: debugger.place_view(first),
            second: debugger.place_view(second),
            common: debugger.place_view(found.common),
            parted: (parted(found.parted.0), parted(found.parted.1)),
            locals,
            globals,
            variables,
            memory: found
                .memory
                .into_iter()
                .map(|difference| MemoryDifferenceView {
                    address: difference.address,
                    first: difference.first,
                    second: difference.second,
                })
                .collect(),
            stacks: found.stacks,
            world: found
                .worlds
                .map(|worlds| world_changes(&worlds.0, &worlds.1))
                .unwrap_or_default(),
        })
    }
}

/// What differs between two places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceView {
    /// The first place.
    pub first: PlaceView,
    /// The second place.
    pub second: PlaceView,
    /// The last place that their ways have in common.
    pub common: PlaceView,
    /// The choices at which they parted, if there are some.
    pub parted: (Option<ChoiceView>, Option<ChoiceView>),
    /// Variables of the source that differ: its globals, and those of functions that are under way
    /// at both places, outermost first.
    pub variables: Vec<VariableDifference>,
    /// Locals of the machine that differ, of functions that are under way at both places.
    pub locals: Vec<VariableDifference>,
    /// Globals of the machine that differ.
    pub globals: Vec<VariableDifference>,
    /// Stretches of memory that differ.
    pub memory: Vec<MemoryDifferenceView>,
    /// The functions under way, innermost first, if they differ.
    pub stacks: Option<(Vec<String>, Vec<String>)>,
    /// What differs in the world: `pin 45: high → low`.
    pub world: Vec<String>,
}

/// A variable that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableDifference {
    /// How to refer to it.
    pub term: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The function that it is of, if it is of one.
    pub function: Option<String>,
    /// Its value at the first place.
    pub first: ValueView,
    /// Its value at the second place.
    pub second: ValueView,
}

/// A stretch of memory that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryDifferenceView {
    /// The first address.
    pub address: u64,
    /// The bytes at the first place.
    pub first: Vec<u8>,
    /// The bytes at the second place.
    pub second: Vec<u8>,
}

impl Debugger {
    /// Variables of the source that both machines have, with other values.
    fn variable_differences(&self, first: &Machine, second: &Machine) -> Vec<VariableDifference> {
        let value = |of: &Variable| ValueView { ty: of.type_name.clone(), text: of.value.clone() };
        let all = |machine| self.looked(machine, None).all_variables();
        let (first, second) = (all(first), all(second));
        let mut differences = Vec::new();
        let common = first.iter().zip(&second).take_while(|(a, b)| a.0 == b.0);
        for ((function, variables), (_, others)) in common {
            for variable in variables {
                let other = others.iter().find(|other| other.name == variable.name);
                differences.extend(other.filter(|other| other.value != variable.value).map(
                    |other| VariableDifference {
                        term: variable.name.clone(),
                        name: Some(variable.name.clone()),
                        function: function.clone(),
                        first: value(variable),
                        second: value(other),
                    },
                ));
            }
        }
        differences
    }

    /// Locals of functions under way in both machines, with other values. Terms are those of the
    /// second one.
    fn local_differences(&self, first: &Machine, second: &Machine) -> Vec<VariableDifference> {
        let module = self.session.module();
        let (stack, other) = (first.call_stack(), second.call_stack());
        let mut differences = Vec::new();
        let common = stack.iter().rev().zip(other.iter().enumerate().rev());
        for (frame, (depth, other)) in common.take_while(|(a, (_, b))| a.func == b.func) {
            let types = module.local_types(frame.func);
            let slots = frame.locals.iter().zip(other.locals).zip(types).enumerate();
            for (index, ((&a, &b), ty)) in slots.filter(|(_, ((a, b), _))| a != b) {
                differences.push(VariableDifference {
                    term: Cell::Local { depth: depth as u32, local: index as u32 }.to_string(),
                    name: self.listing().locals().name(frame.func, index as u32).map(str::to_owned),
                    function: Some(self.running().program().function_name(frame.func)),
                    first: Value::from_slot(ty, a).into(),
                    second: Value::from_slot(ty, b).into(),
                });
            }
        }
        differences
    }
}

/// Whether a variable of the machine is one of the source.
fn is_same(source: &VariableDifference, machine: &VariableDifference) -> bool {
    let name = machine.name.as_deref().unwrap_or_default();
    let is_named = name.rsplit('/').next() == Some(source.term.as_str());
    is_named
        && source.function.is_some() == machine.function.is_some()
        && (&source.first.text, &source.second.text) == (&machine.first.text, &machine.second.text)
}
