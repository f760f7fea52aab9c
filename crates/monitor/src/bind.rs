//! From a property to its automaton: names get their meaning in programs.

mod compile;
mod events;
mod parameters;

use std::sync::Arc;

use mw_source::{Number, Sources};
use mw_vm::Module;
use smallvec::SmallVec;
use xxhash_rust::xxh3::Xxh3;

use crate::arithmetic::{Concrete, Interrupted};
use crate::automaton::{Automaton, Block, StateId, StateInfo, Transition};
use crate::error::{Checked, PropertyError, did_you_mean, mistake};
use crate::event::{EventId, EventSet};
use crate::instance::{MOST_PARAMETERS, Mask};
use crate::property::Property;
use crate::syntax::{BlockSyntax, Name, StateSyntax, Statement, Syntax, TransitionSyntax};
use crate::term::{Evaluation, reads};
use compile::Compiler;
use events::Events;

/// What a property is bound to.
#[derive(Clone, Copy, Debug)]
pub struct Bindings<'a> {
    /// Programs with their sources, in the order in which they are counted.
    pub programs: &'a [(Arc<Module>, Arc<Sources>)],
}

/// The most states, transitions and variables of a property, each.
const MOST: usize = 1 << 10;

impl Automaton {
    /// Binds a property to programs.
    pub fn bind(property: Property, to: &Bindings<'_>) -> Result<Automaton, PropertyError> {
        bind(&property.syntax, to.programs)
            .map(|automaton| Automaton { property: property.clone(), ..automaton })
            .map_err(|mistake| mistake.located(property.name(), property.text()))
            .map(Automaton::finished)
    }

    /// With all that follows from its parts.
    fn finished(mut self) -> Automaton {
        let events = self.events.len();
        self.needs = vec![EventSet::none(events); self.states.len()];
        self.table = vec![SmallVec::new(); self.states.len() * events];
        self.timeouts = vec![None; self.states.len()];
        for (index, transition) in (0..).zip(&self.transitions) {
            let from = usize::from(transition.from.0);
            match transition.event {
                Some(event) => {
                    self.needs[from].insert(event);
                    self.table[from * events + usize::from(event.0)].push(index);
                }
                None => self.timeouts[from] = Some(index),
            }
        }
        self.order_slicings();
        let all: Mask = ((1_u16 << self.slice_on.len()) - 1) as Mask;
        let masks =
            self.events.iter().flat_map(|event| &event.slicings).map(|slicing| slicing.mask);
        let mut parts: Vec<Mask> = masks.filter(|mask| *mask != 0 && *mask != all).collect();
        parts.sort_unstable();
        parts.dedup();
        self.parts = parts;
        let mut hasher = Xxh3::new();
        hasher.update(self.property.text().as_bytes());
        for (module, _) in &self.programs {
            hasher.update(&module.fingerprint().to_le_bytes());
        }
        self.fingerprint = hasher.digest();
        self
    }
}

impl Automaton {
    /// Of the ways in which transitions name the parameters of an event, those that name most of
    /// what is sliced on come first.
    fn order_slicings(&mut self) {
        for (event, number) in self.events.iter_mut().zip(0..) {
            let mut order: Vec<u8> = (0..event.slicings.len() as u8).collect();
            let named = |index: &u8| event.slicings[usize::from(*index)].mask.count_ones();
            order.sort_by_key(|index| std::cmp::Reverse(named(index)));
            let slicings = order.iter().map(|index| event.slicings[usize::from(*index)].clone());
            event.slicings = slicings.collect();
            let own = |transition: &&mut Transition| transition.event == Some(EventId(number));
            for transition in self.transitions.iter_mut().filter(own) {
                let place = order.iter().position(|index| *index == transition.slicing);
                transition.slicing = place.unwrap_or_default() as u8;
            }
        }
    }
}

fn bind(syntax: &Syntax, programs: &[(Arc<Module>, Arc<Sources>)]) -> Checked<Automaton> {
    let slice_on = names(&syntax.slice_on, "sliced on")?;
    if let Some(name) = syntax.slice_on.get(MOST_PARAMETERS) {
        return mistake(
            name.at,
            format!("a property is sliced on at most {MOST_PARAMETERS} parameters"),
        );
    }
    let (variables, initial) = initialization(&syntax.initialization)?;
    let states = states(&syntax.states)?;
    let mut events = Events::new(programs, &slice_on);
    let mut transitions = Vec::new();
    // `init` is the first, wherever it is written.
    let ids = |name: &Name| state_named(&states, name);
    for state in &syntax.states {
        let from = ids(&state.name)?;
        for transition in &state.transitions {
            let bound = events.event(&transition.event)?;
            let compiler = Compiler::new(&variables, Some(bound), &mut events);
            transitions.push(bound_transition(transition, from, compiler, &ids)?);
        }
        if let Some((within, block)) = &state.deadline {
            let mut compiler = Compiler::new(&variables, None, &mut events);
            transitions.push(Transition {
                from,
                event: None,
                text: format!("within {within}"),
                guard: None,
                success: Some(bound_block(block, &mut compiler, &ids)?),
                failure: None,
                guard_code: Vec::new(),
                guard_reads: Vec::new(),
                slicing: 0,
                language: compiler.language(),
            });
        }
        if transitions.len() > MOST {
            return mistake(state.name.at, format!("a property has at most {MOST} transitions"));
        }
    }
    check_states(&syntax.states, &states, &transitions)?;
    if let Some(name) = syntax.slice_on.iter().find(|name| !events.name(&name.text)) {
        let hint = did_you_mean(&name.text, events.parameter_names());
        let why = format!("no event has a parameter {}{hint}", name.text);
        return mistake(name.at, why);
    }
    if states.iter().any(|state| state.accepting.is_none()) {
        events.notice_the_end();
    }
    let (bound_events, watches) = events.finish();
    Ok(Automaton {
        property: Property::default(),
        programs: programs.to_vec(),
        slice_on,
        variables,
        initial,
        states,
        transitions,
        events: bound_events,
        watches,
        needs: Vec::new(),
        table: Vec::new(),
        timeouts: Vec::new(),
        parts: Vec::new(),
        fingerprint: 0,
    })
}

fn names(names: &[Name], what: &str) -> Checked<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if found.contains(&name.text) {
            return mistake(name.at, format!("{} is {what} twice", name.text));
        }
        found.push(name.text.clone());
    }
    Ok(found)
}

/// The variables of the environment, and what they are at first.
fn initialization(code: &[Statement]) -> Checked<(Vec<String>, Vec<Number>)> {
    let (mut variables, mut values): (Vec<String>, Vec<Number>) = (Vec::new(), Vec::new());
    for statement in code {
        let Statement::Set { variable, value } = statement else {
            let at = statement.at();
            return mistake(at, "the initialization sets variables, such as `N = 0`, and no more");
        };
        if variables.contains(&variable.text) {
            return mistake(variable.at, format!("{} is set twice here", variable.text));
        }
        let mut none = Events::new(&[], &[]);
        let mut compiler = Compiler::new(&variables, None, &mut none);
        let term = compiler.term(value)?;
        let mut evaluation = Evaluation {
            arithmetic: &mut Concrete,
            variables: &values,
            values: &[],
            names: &[],
            language: compiler.language(),
            writes: &mut SmallVec::new(),
        };
        match evaluation.term(&term) {
            Ok(number) => values.push(number),
            Err(Interrupted::Fault(why)) => return mistake(value.at, why),
            Err(Interrupted::Undecided(never)) => match never {},
        }
        variables.push(variable.text.clone());
        if variables.len() > MOST {
            return mistake(variable.at, format!("a property has at most {MOST} variables"));
        }
    }
    Ok((variables, values))
}

fn states(written: &[StateSyntax]) -> Checked<Vec<StateInfo>> {
    let mut found: Vec<StateInfo> = Vec::new();
    for state in written {
        let name = &state.name;
        if found.iter().any(|known| known.name == name.text) {
            return mistake(name.at, format!("there are two states {}", name.text));
        }
        found.push(StateInfo {
            name: name.text.clone(),
            accepting: state.accepting,
            is_final: state.is_final,
            action: state.action.as_ref().map(|action| action.text.clone()),
            within: state.deadline.as_ref().map(|(within, _)| *within),
        });
        if found.len() > MOST {
            return mistake(name.at, format!("a property has at most {MOST} states"));
        }
    }
    match found.iter().position(|state| state.name == "init") {
        Some(init) => {
            let init = found.remove(init);
            found.insert(0, init);
            Ok(found)
        }
        None => {
            let known = found.iter().map(|state| state.name.as_str());
            let hint = did_you_mean("init", known);
            mistake(0, format!("there is no state init, where every property begins{hint}"))
        }
    }
}

fn state_named(states: &[StateInfo], name: &Name) -> Checked<StateId> {
    match states.iter().position(|state| state.name == name.text) {
        Some(index) => Ok(StateId(index as u16)),
        None => {
            let hint = did_you_mean(&name.text, states.iter().map(|state| state.name.as_str()));
            mistake(name.at, format!("there is no state {}{hint}", name.text))
        }
    }
}

/// Every state can be come to, and what can be left is.
fn check_states(
    written: &[StateSyntax],
    states: &[StateInfo],
    transitions: &[Transition],
) -> Checked<()> {
    let mut reached = vec![false; states.len()];
    let mut open = vec![StateId(0)];
    while let Some(state) = open.pop() {
        if std::mem::replace(&mut reached[usize::from(state.0)], true) {
            continue;
        }
        let leaving = transitions.iter().filter(|transition| transition.from == state);
        let blocks = leaving.flat_map(|transition| [&transition.success, &transition.failure]);
        open.extend(blocks.flatten().map(|block| block.to));
    }
    for state in written {
        let StateId(index) = state_named(states, &state.name)?;
        let name = &state.name.text;
        if !reached[usize::from(index)] {
            let why = format!(
                "no transition from init on leads to the state {name}: it is never reached"
            );
            return mistake(state.name.at, why);
        }
        if state.is_final && (!state.transitions.is_empty() || state.deadline.is_some()) {
            let why = format!(
                "the state {name} is final, so that nothing leaves it: take its transitions out"
            );
            return mistake(state.name.at, why);
        }
    }
    Ok(())
}

fn bound_transition(
    written: &TransitionSyntax,
    from: StateId,
    mut compiler: Compiler<'_, '_>,
    ids: &impl Fn(&Name) -> Checked<StateId>,
) -> Checked<Transition> {
    let guard_code = match &written.guard {
        Some(guard) => compiler.guard(&guard.code)?,
        None => Vec::new(),
    };
    let mut block = |block: &Option<BlockSyntax>| match block {
        Some(block) => bound_block(block, &mut compiler, ids).map(Some),
        None => Ok(None),
    };
    let (success, failure) = (block(&written.success)?, block(&written.failure)?);
    let language = compiler.language();
    let (event, slicing): (EventId, u8) = compiler.finish();
    Ok(Transition {
        from,
        event: Some(event),
        text: written.event_text.clone(),
        guard: written.guard.as_ref().map(|guard| guard.text.clone()),
        success,
        failure,
        guard_reads: reads(&guard_code),
        guard_code,
        slicing,
        language,
    })
}

fn bound_block(
    written: &BlockSyntax,
    compiler: &mut Compiler<'_, '_>,
    ids: &impl Fn(&Name) -> Checked<StateId>,
) -> Checked<Block> {
    Ok(Block {
        text: written.text.clone(),
        action: written.action.as_ref().map(|action| action.text.clone()),
        to: ids(&written.to)?,
        code: compiler.block(&written.code)?,
    })
}
