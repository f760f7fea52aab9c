//! Where a value comes from, and what an input has influenced, as rows of places.

use std::collections::HashMap;

use mw_query::{Bounds, Execution, Made, Traced};
use mw_session::{NodeId, Place, Site};
use mw_vm::{Cell, ValType, Value};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::Listener;
use crate::looked::Looked;
use crate::notation::PlaceRef;
use crate::query::read_at;
use crate::source_views::SourceLine;
use crate::views::{PlaceView, ValueView};

/// So many places are told at most.
const ROWS: usize = 100;

/// Where the value of a variable comes from that it has here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The variable, as it is written for `print`.
    pub term: String,
}

/// What an input has influenced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Influence {
    /// The node that its reading led to; the last one before here without.
    #[serde(default)]
    pub input: Option<PlaceRef>,
}

/// The way of a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginView {
    /// What it is about: the variable, or the reading.
    pub about: String,
    /// The value that it has here.
    pub value: Option<ValueView>,
    /// The same as a formula of inputs, along the way that the program took.
    pub formula: Option<String>,
    /// Where it was moved, read or used: of an origin the latest first, of an influence the earliest.
    pub rows: Vec<OriginRow>,
    /// How many places there are besides.
    pub omitted: u64,
    /// What else is to be known: what was not looked at.
    pub notes: Vec<String>,
}

/// A place on the way of a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginRow {
    /// Where; to be slid to.
    pub place: PlaceView,
    /// What happens there.
    pub text: String,
    /// The line of the source, `main.c:12`.
    pub line: Option<String>,
    /// What is written there.
    pub source: Option<String>,
}

impl Ask for Origin {
    type Reply = OriginView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let cell = debugger.find_cell(&self.term)?;
        if let Cell::Local { depth: 1.., .. } = cell {
            return Err(ApiError::not_here(
                "only variables of the innermost function are followed, and those in memory",
            ));
        }
        let value = debugger.running().value_of(cell)?;
        let (here, end) = (debugger.session.here(), debugger.session.recorded_end());
        let origin = debugger.ask_past(listener, |past, token| {
            Execution::new(past, end, token, Bounds::default()).origin(cell, here)
        })?;
        let (about, value) = (self.term, Some(ValueView::from(value)));
        let Some(origin) = origin else {
            let notes = vec!["nobody has written it: it has been so from the start".to_owned()];
            let (formula, rows) = (None, Vec::new());
            return Ok(OriginView { about, value, formula, rows, omitted: 0, notes });
        };
        let names = debugger.input_names(here.node);
        let name = |count: u64| {
            names.get(&count).cloned().unwrap_or_else(|| format!("what was read after {count}"))
        };
        let has_inputs = !origin.formula.inputs().is_empty();
        let formula = has_inputs.then(|| origin.formula.show(name));
        let mut notes = Vec::new();
        if !has_inputs {
            notes.push("no input is part of it".to_owned());
        }
        if !origin.formula.is_exact {
            notes.push("a part of the formula is taken as the number that it was".to_owned());
        }
        if origin.is_older {
            let since = debugger.place_view(origin.since).text;
            notes.push(format!("what is older than {since} is taken as it was"));
        }
        let (rows, omitted) = debugger.origin_rows(&origin.way, here.node, listener)?;
        Ok(OriginView { about, value, formula, rows, omitted, notes })
    }
}

impl Ask for Influence {
    type Reply = OriginView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let node = match &self.input {
            Some(place) => debugger.resolve(place)?.node,
            None => debugger.session.here().node,
        };
        let multiverse = debugger.session.multiverse();
        let is_input = |node: &NodeId| {
            multiverse.choice(*node).is_some_and(|c| matches!(c.site, Site::Input { .. }))
        };
        let node = multiverse.ancestors(node).find(is_input).ok_or_else(|| {
            ApiError::not_here("no input has been read before here; `tree` shows those that have")
        })?;
        let count = multiverse.choice(node).map_or(0, |choice| choice.count);
        let end = match multiverse.is_ancestor(node, debugger.session.here().node) {
            true => debugger.session.recorded_end(),
            false => {
                let leaf = multiverse.leaf(node);
                Place { node: leaf, count: debugger.session.past().end_of(leaf) }
            }
        };
        let influence = debugger.ask_past(listener, |past, token| {
            let execution = Execution::new(past, end, token, Bounds::default());
            execution.influence(count, execution.universe().end())
        })?;
        // The reading itself is no influence of it.
        let way: Vec<Traced> =
            influence.way.into_iter().filter(|step| step.place.count != count).collect();
        let until = debugger.place_view(influence.until).text;
        let (rows, omitted) = debugger.origin_rows(&way, end.node, listener)?;
        let about = debugger.choice_text(node);
        let notes = vec![format!("looked as far as {until}")];
        Ok(OriginView { about, value: None, formula: None, rows, omitted, notes })
    }
}

impl Debugger {
    /// What inputs on the way to a node are called, by the counts at which they were read: the call,
    /// and which reading of it that is if there are several.
    fn input_names(&self, node: NodeId) -> HashMap<u64, String> {
        let multiverse = self.session.multiverse();
        let mut nodes: Vec<NodeId> = multiverse.ancestors(node).collect();
        nodes.reverse();
        let mut named: Vec<(u64, String, usize)> = Vec::new();
        let mut times: HashMap<String, usize> = HashMap::new();
        for node in nodes {
            let Some(choice) = multiverse.choice(node) else { continue };
            if let Site::Input { .. } = choice.site {
                let text = self.choice_text(node);
                let call = text.rsplit_once(" = ").map_or(text.as_str(), |(call, _)| call);
                let time = times.entry(call.to_owned()).or_default();
                *time += 1;
                named.push((choice.count, call.to_owned(), *time));
            }
        }
        let name = |(count, call, time): (u64, String, usize)| match times.get(&call) {
            Some(2..) => (count, format!("{call}#{time}")),
            _ => (count, call),
        };
        named.into_iter().map(name).collect()
    }

    /// Steps for people, on the way to a node. What a compiler does within a line is one step.
    fn origin_rows(
        &self,
        way: &[Traced],
        leaf: NodeId,
        listener: &mut dyn Listener,
    ) -> Result<(Vec<OriginRow>, u64), ApiError> {
        let mut told: Vec<(&Traced, Option<SourceLine>)> = Vec::new();
        for step in way {
            let offset = self.session.module().offset_of(step.pc);
            let line = offset.and_then(|offset| self.source_line(offset));
            let is_same = told.last().is_some_and(|(before, known)| {
                let is_moved = |made: Made| matches!(made, Made::Moved(..));
                let key = |line: &SourceLine| (line.file.clone(), line.line);
                line.is_some()
                    && is_moved(before.made)
                    && is_moved(step.made)
                    && known.as_ref().map(key) == line.as_ref().map(key)
            });
            if !is_same {
                told.push((step, line));
            }
        }
        let omitted = told.len().saturating_sub(ROWS) as u64;
        told.truncate(ROWS);
        // Names mean something where they are used: each place is looked at, in the order of time.
        let mut order: Vec<usize> = (0..told.len()).collect();
        order.sort_by_key(|row| told[*row].0.place.count);
        let mut rows: Vec<Option<OriginRow>> = vec![None; told.len()];
        let mut replayer = self.session.past().replayer();
        for row in order {
            let (step, line) = &told[row];
            replayer.go_to(step.place, &mut Bridge { listener })?;
            let looked = self.looked(&replayer.now().machine, None);
            rows[row] = Some(OriginRow {
                place: self.place_view(step.place),
                text: self.step_text(step, looked, leaf),
                line: line.as_ref().map(|line| format!("{}:{}", line.file, line.line)),
                source: line.as_ref().and_then(|line| line.text.clone()),
            });
        }
        Ok((rows.into_iter().flatten().collect(), omitted))
    }

    /// What happens with a number.
    fn step_text(&self, step: &Traced, looked: Looked<'_>, leaf: NodeId) -> String {
        match step.made {
            Made::Moved(_, cell) => {
                let func = self.session.module().func_at(step.pc);
                let (name, ty) = self.cell_in(cell, func);
                let name = looked.name_in_source(cell).unwrap_or(name);
                format!("{name} = {}", Value::from_slot(ty, step.value))
            }
            Made::Decided(_) => "decides where to go on".to_owned(),
            Made::Passed(_, import) => {
                let name = self.session.world().primitive(import).map(|p| p.full_name());
                format!("is passed to {}", name.unwrap_or_default())
            }
            _ => match read_at(self.session.past(), step.place, leaf) {
                Some(node) => format!("read {}", self.choice_text(node)),
                None => "a primitive returns it".to_owned(),
            },
        }
    }

    /// What a cell is called in a function, and its type.
    fn cell_in(&self, cell: Cell, func: Option<u32>) -> (String, ValType) {
        let module = self.session.module();
        match cell {
            Cell::Global(global) => {
                let name = self.running().global_name(global);
                let ty = module.globals().get(global as usize).map_or(ValType::I32, |g| g.ty);
                (name.unwrap_or_else(|| cell.to_string()), ty)
            }
            Cell::Local { local, .. } => {
                let name = func.and_then(|func| self.listing().locals().name(func, local));
                let types = func.map(|func| module.local_types(func)).unwrap_or_default();
                let ty = types.get(local as usize).copied().unwrap_or(ValType::I32);
                (name.map_or_else(|| cell.to_string(), str::to_owned), ty)
            }
            Cell::Memory { load, .. } => {
                let ty = if load.size() > 4 { ValType::I64 } else { ValType::I32 };
                (cell.to_string(), ty)
            }
        }
    }
}
