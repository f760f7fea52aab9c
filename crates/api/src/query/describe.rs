//! Saying what was found: each event in the words of the program, by looking at the place where it
//! happened.

use mw_ensemble::Moment;
use mw_query::{Kind, arguments_at, primitive_at, returned_at, written_at};
use mw_vm::Value;
use mw_world::Call;

use super::QueryRow;
use super::answer::{Found, Source};
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::Listener;
use crate::looked::Looked;
use crate::variables::{Print, Printed};

impl Debugger {
    /// Rows for people.
    pub(super) fn describe(
        &mut self,
        sources: &[Source],
        found: &[Found],
        shown: &[String],
        listener: &mut dyn Listener,
    ) -> Result<Vec<QueryRow>, ApiError> {
        let here = self.session.here();
        let past = self.session.past();
        let mut replayer = past.replayer();
        let mut bridge = Bridge { listener };
        let mut rows = Vec::with_capacity(found.len());
        for row in found {
            let event = &sources[row.item.value.0];
            replayer.go_to(row.place, &mut bridge)?;
            let now = replayer.now();
            let mut cells = vec![self.event_text(event, row, now)];
            let looked = self.looked(&now.machine, None);
            cells.push(self.line_text(looked).unwrap_or_default());
            let values = shown.iter().map(|term| value_text(looked, term));
            let values: Vec<String> = values.collect();
            if let Some(beside) = &row.beside {
                cells.push(match beside {
                    None => "none".to_owned(),
                    Some(found) => {
                        let mut beside = past.replayer();
                        beside.go_to(found.place, &mut bridge)?;
                        let source = &sources[found.item.value.0];
                        let text = self.event_text(source, found, beside.now());
                        format!("{text} at {}", self.place_view(found.place).text)
                    }
                });
            }
            cells.extend(values);
            let multiverse = self.session.multiverse();
            let ahead = multiverse.common_place(here, row.place) == here && row.place != here;
            rows.push(QueryRow { place: self.place_view(row.place), ahead, cells });
        }
        Ok(rows)
    }

    /// What happens at a place.
    fn event_text(&self, source: &Source, row: &Found, now: &mut Moment) -> String {
        let place = row.place;
        let module = now.machine.module().clone();
        let function = || {
            let func = module.func_at(now.machine.pc());
            func.map_or_else(|| "?".to_owned(), |func| module.func_name(func))
        };
        let values = |values: Vec<Value>| {
            let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
            shown.join(", ")
        };
        match &source.meant.events.kind {
            Kind::Calls(_) => format!("{}({})", function(), values(arguments_at(&now.machine))),
            Kind::Returns(_) => match returned_at(&now.machine) {
                Some(value) => format!("{} returns {value}", function()),
                None => format!("{} returns", function()),
            },
            Kind::Instructions(_) => function(),
            Kind::Writes(watch) => {
                let cell = self.typed(source, watch.cell(now.machine.call_depth()));
                match written_at(now, cell) {
                    Some(value) => format!("{} = {value}", source.meant.term),
                    None => format!("{} is written", source.meant.term),
                }
            }
            Kind::Reads(watch) => {
                let cell = self.typed(source, watch.cell(now.machine.call_depth()));
                match now.machine.read(cell) {
                    Some(value) => format!("{} is {value}", source.meant.term),
                    None => format!("{} is read", source.meant.term),
                }
            }
            Kind::Growth => "memory.grow".to_owned(),
            Kind::Primitives(_) | Kind::Outputs | Kind::Sends => {
                match (row.read, primitive_at(now)) {
                    (Some(node), _) => self.choice_text(node),
                    (None, Some((import, args))) => now.world.show(Call { import, args: &args }),
                    (None, None) => "a primitive".to_owned(),
                }
            }
            Kind::Choices | Kind::Switches | Kind::Receives => self.choice_text(place.node),
            Kind::Failures => {
                let ended = self.session.multiverse().ended(place.node);
                let text = ended.map(|(count, outcome)| self.outcome_view(*count, outcome).text);
                text.unwrap_or_default()
            }
        }
    }

    /// The cell with what its bytes are read as where it was named.
    fn typed(&self, source: &Source, cell: mw_vm::Cell) -> mw_vm::Cell {
        match (source.meant.cell, cell) {
            (Some((named @ mw_vm::Cell::Memory { .. }, _)), mw_vm::Cell::Memory { .. }) => named,
            (_, cell) => cell,
        }
    }

    fn line_text(&self, looked: Looked<'_>) -> Option<String> {
        let offset = looked.module().offset_of(looked.machine.pc())?;
        let sources = looked.sources()?;
        let at = sources.frames(offset).first()?.location?;
        Some(format!("{}:{}", sources.file(at.file).path(), at.line))
    }
}

/// The value of an expression.
fn value_text(looked: Looked<'_>, term: &str) -> String {
    let asked = Print { term: term.to_owned(), frame: 0, format: None, actor: None };
    match looked.print(&asked) {
        Ok(Printed::Machine(variable)) => variable.value.text,
        Ok(Printed::Source(variable)) => variable.value,
        Err(error) => format!("<{}>", error.message.split(';').next().unwrap_or_default()),
    }
}
