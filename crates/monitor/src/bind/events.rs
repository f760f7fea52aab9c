//! Events: what transitions name, and what is read where it happens.

use std::sync::Arc;

use mw_source::{Language, NumberType, Sources, Tree};
use mw_vm::Module;
use smallvec::SmallVec;

use super::place::Place;
use crate::error::{Checked, mistake};
use crate::event::{Event, EventId, Parameter, Slicing, Watch};
use crate::syntax::{AccessKind, EventSyntax, How, Kind, code};

/// The most events of a property.
const MOST_EVENTS: usize = 1 << 10;
/// The most parameters of an event.
const MOST_PARAMETERS: usize = 64;

/// The events of a property, while transitions are bound.
pub(super) struct Events<'e> {
    pub programs: &'e [(Arc<Module>, Arc<Sources>)],
    slice_on: &'e [String],
    found: Vec<Found>,
}

/// An event, and where it is noticed.
struct Found {
    text: String,
    before: bool,
    places: Vec<Place>,
    parameters: Vec<(String, Vec<Parameter>)>,
    slicings: Vec<Slicing>,
}

/// An event as one transition means it.
pub(super) struct Bound {
    pub event: EventId,
    pub slicing: u8,
    names: Vec<(String, u16)>,
}

impl Bound {
    /// The parameter of this name.
    pub fn named(&self, name: &str) -> Option<u16> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, index)| *index)
    }
}

impl<'e> Events<'e> {
    pub fn new(programs: &'e [(Arc<Module>, Arc<Sources>)], slice_on: &'e [String]) -> Events<'e> {
        Events { programs, slice_on, found: Vec::new() }
    }

    /// An event of a transition. What is noticed at the same points is the same event.
    pub fn event(&mut self, written: &EventSyntax) -> Checked<Bound> {
        let places = self.places(written)?;
        let same = |found: &Found| {
            found.places.len() == places.len()
                && found.places.iter().zip(&places).all(|(one, other)| one.point == other.point)
        };
        let index = match self.found.iter().position(same) {
            Some(index) => index,
            None if self.found.len() >= MOST_EVENTS => {
                return mistake(written.at, format!("a property has at most {MOST_EVENTS} events"));
            }
            None => {
                let text = text(written);
                self.found.push(Found {
                    text,
                    before: written.before,
                    places,
                    parameters: Vec::new(),
                    slicings: Vec::new(),
                });
                self.found.len() - 1
            }
        };
        let mut bound = Bound { event: EventId(index as u16), slicing: 0, names: Vec::new() };
        for (position, parameter) in (0..).zip(&written.parameters) {
            let how = match (&parameter.how, &written.kind) {
                // A primitive has no names for what it is given: the order says it.
                (How::Expression(code), Kind::Primitive(_))
                    if matches!(code.tree, Tree::Name(_)) =>
                {
                    How::Argument(position)
                }
                (how, _) => how.clone(),
            };
            let Some(name) = name(parameter.name.as_deref(), &parameter.how) else { continue };
            if bound.named(&name).is_some() {
                return mistake(
                    parameter.at,
                    format!("two parameters are called {name}: name one of them with `as`"),
                );
            }
            let number = self.parameter(index, &name, &how, parameter.at, &[])?;
            if self.slice_on.contains(&name) && self.is_float(&bound, number) {
                return mistake(
                    parameter.at,
                    format!("{name} is a float: only whole numbers tell slices apart"),
                );
            }
            bound.names.push((name, number));
        }
        let binds = self
            .slice_on
            .iter()
            .zip(0..)
            .filter_map(|(name, place)| Some((place, bound.named(name)?)));
        let binds: SmallVec<[(u8, u16); 2]> = binds.collect();
        let mask = binds.iter().fold(0, |mask, (place, _)| mask | 1 << place);
        let slicing = Slicing { mask, binds };
        let slicings = &mut self.found[index].slicings;
        let known = slicings.iter().position(|known| *known == slicing);
        bound.slicing = known.unwrap_or_else(|| {
            slicings.push(slicing);
            slicings.len() - 1
        }) as u8;
        Ok(bound)
    }

    /// What is read where an event happens beside the parameters that are listed.
    pub fn read_also(
        &mut self,
        bound: &mut Bound,
        tree: &Tree,
        at: usize,
        known: &[String],
    ) -> Checked<u16> {
        let how = match tree {
            Tree::Name(name) if name == "ret" => How::Return,
            Tree::Name(name) if let Some(index) = code::argument(name) => How::Argument(index),
            _ => {
                let written = code::Written { tree: tree.clone(), at, text: tree.to_string() };
                How::Expression(written)
            }
        };
        let names = bound.names.iter().map(|(name, _)| name).chain(known);
        let known: Vec<String> = names.cloned().collect();
        self.parameter(usize::from(bound.event.0), &tree.to_string(), &how, at, &known)
    }

    /// A parameter of an event, by how it is had wherever the event is noticed.
    fn parameter(
        &mut self,
        event: usize,
        name: &str,
        how: &How,
        at: usize,
        known: &[String],
    ) -> Checked<u16> {
        let found = &self.found[event];
        let had = found
            .places
            .iter()
            .map(|place| place.parameter(self.programs, how, found.before, at, known));
        let had: Vec<Parameter> = had.collect::<Checked<_>>()?;
        let parameters = &mut self.found[event].parameters;
        let same = |other: &(String, Vec<Parameter>)| other.0 == name && other.1 == had;
        let index = parameters.iter().position(same).unwrap_or_else(|| {
            parameters.push((name.to_owned(), had));
            parameters.len() - 1
        });
        match index < MOST_PARAMETERS {
            true => Ok(index as u16),
            false => mistake(at, format!("an event has at most {MOST_PARAMETERS} parameters")),
        }
    }

    /// Whether a parameter is certainly no whole number.
    pub fn is_float(&self, bound: &Bound, parameter: u16) -> bool {
        let found = &self.found[usize::from(bound.event.0)];
        let had = found.parameters.get(usize::from(parameter));
        had.is_some_and(|(_, had)| {
            had.iter().any(|parameter| {
                matches!(
                    parameter,
                    Parameter::Argument(_, NumberType::Float(_))
                        | Parameter::Return(NumberType::Float(_))
                )
            })
        })
    }

    /// What is computed by where an event happens.
    pub fn language(&self, event: EventId) -> Language {
        let place = self.found[usize::from(event.0)].places.first();
        place.map_or(self.default_language(), |place| place.language)
    }

    /// What the first program is written in.
    pub fn default_language(&self) -> Language {
        self.programs.first().map_or(Language::C, |(module, sources)| {
            let own = module.funcs().iter().position(|func| func.import.is_none());
            own.map_or(Language::C, |func| sources.language_of(module, func as u32))
        })
    }

    /// What the parameters of events are called.
    pub fn parameter_names(&self) -> impl Iterator<Item = &str> {
        let parameters = self.found.iter().flat_map(|found| &found.parameters);
        parameters.map(|(name, _)| name.as_str())
    }

    /// Whether an event has a parameter of this name.
    pub fn name(&self, name: &str) -> bool {
        self.parameter_names().any(|known| known == name)
    }

    /// The end is an event, whether transitions name it or not: then it is said what stays open.
    pub fn notice_the_end(&mut self) {
        for kind in [Kind::End, Kind::Trap] {
            // There is nothing to be found for it, so nothing can be missing.
            let _ = self.event(&EventSyntax { before: true, kind, parameters: vec![], at: 0 });
        }
    }

    /// All events, and what has to be watched.
    pub fn finish(self) -> (Vec<Event>, Vec<Watch>) {
        let (mut events, mut watches) = (Vec::new(), Vec::new());
        let programs = self.programs;
        for (found, index) in self.found.into_iter().zip(0..) {
            let event = EventId(index);
            let pointers = found.parameters.iter().map(|(_, had)| {
                let mut places = found.places.iter().zip(had);
                places.any(|(place, parameter)| place.is_pointer(programs, parameter))
            });
            let pointers = pointers.collect();
            for (place, at) in found.places.into_iter().zip(0..) {
                let parameters = found.parameters.iter().map(|(_, had)| had[at].clone());
                let parameters = parameters.collect();
                watches.push(Watch {
                    event,
                    point: place.point,
                    parameters,
                    variable: place.variable,
                });
            }
            events.push(Event {
                text: found.text,
                parameters: found.parameters.into_iter().map(|(name, _)| name).collect(),
                slicings: found.slicings,
                pointers,
            });
        }
        (events, watches)
    }
}

/// What a parameter is called: as the property says, else as the source does.
fn name(given: Option<&str>, how: &How) -> Option<String> {
    let of = |tree: &Tree| match tree {
        Tree::Name(name) => name.clone(),
        Tree::Unary('*' | '&', of) if let Tree::Name(name) = &**of => name.clone(),
        tree => tree.to_string(),
    };
    match (given, how) {
        (_, How::Nothing) => None,
        (Some(given), _) => Some(given.to_owned()),
        (None, How::Argument(index)) => Some(format!("arg${index}")),
        (None, How::Return) => Some("ret".to_owned()),
        (None, How::Expression(written) | How::Caller(written)) => Some(of(&written.tree)),
    }
}

/// An event without its parameters.
fn text(written: &EventSyntax) -> String {
    let when = if written.before { "before" } else { "after" };
    match &written.kind {
        Kind::Function(name) => format!("{when} event {}", name.text),
        Kind::Primitive(name) => format!("{when} event primitive {}", name.text),
        Kind::Access { kind, variable, function } => {
            let kind = match kind {
                AccessKind::Read => "read",
                AccessKind::Write => "write",
                AccessKind::Any => "access",
            };
            let of = function.as_ref().map(|name| format!(" of {}", name.text)).unwrap_or_default();
            format!("{when} event {kind} {}{of}", variable.text)
        }
        Kind::Line { file, line: Some(line), .. } => {
            let file = file.as_ref().map(|file| file.text.as_str()).unwrap_or_default();
            format!("event line {file}:{line}")
        }
        Kind::Line { file: Some(file), line: None, .. } => {
            format!("event every line of {}", file.text)
        }
        Kind::Line { .. } => "event every line".to_owned(),
        Kind::Message { kind, name } => {
            let kind = format!("{kind:?}").to_lowercase();
            let name = name.as_ref().map(|name| format!(" {}", name.text)).unwrap_or_default();
            format!("event message {kind}{name}")
        }
        Kind::Interrupt => "event interrupt".to_owned(),
        Kind::Switch => "event switch".to_owned(),
        Kind::End => "event end".to_owned(),
        Kind::Trap => "event trap".to_owned(),
    }
}
