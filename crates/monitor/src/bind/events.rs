//! Events: where they are noticed in programs.

use std::sync::Arc;

use mw_source::{
    Expression, FileId, Frame, Language, Names, NumberType, Sources, Tree, function_names,
    functions_named, is_library,
};
use mw_vm::{Cell, Module};
use smallvec::SmallVec;

use super::parameters::Place;
use crate::error::{Checked, did_you_mean, mistake};
use crate::event::{Event, EventId, Parameter, Point, Slicing, Variable, Watch};
use crate::syntax::{AccessKind, EventSyntax, How, Kind, Name, code};

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

    /// Where an event is noticed, in all programs.
    fn places(&self, written: &EventSyntax) -> Checked<Vec<Place>> {
        let before = written.before;
        let anywhere = |point| {
            let frame = Frame::default();
            vec![Place {
                point,
                program: 0,
                func: None,
                frame,
                variable: None,
                language: self.default_language(),
            }]
        };
        Ok(match &written.kind {
            Kind::Function(name) => self.functions(name, |program, func| match before {
                true => Point::Call { program, func },
                false => Point::Return { program, func },
            })?,
            Kind::Primitive(name) => self.primitives(name, before)?,
            Kind::Access { kind, variable, function } => {
                self.variables(*kind, variable, function.as_ref(), before)?
            }
            Kind::Line { file, line, at } => self.lines(file.as_ref(), *line, *at)?,
            Kind::Message { kind, name } => {
                let name = name.as_ref().map(|name| name.text.clone());
                anywhere(Point::Message { kind: *kind, name })
            }
            Kind::Interrupt => anywhere(Point::Interrupt),
            Kind::Switch => anywhere(Point::Switch),
            Kind::End => anywhere(Point::End),
            Kind::Trap => anywhere(Point::Trap),
        })
    }

    fn programs(&self) -> impl Iterator<Item = (u16, &'e Module, &'e Sources)> {
        (0..).zip(self.programs).map(|(index, (module, sources))| (index, &**module, &**sources))
    }

    fn functions(&self, name: &Name, point: impl Fn(u16, u32) -> Point) -> Checked<Vec<Place>> {
        let mut places = Vec::new();
        for (program, module, sources) in self.programs() {
            let found = functions_named(module, Some(sources), &name.text);
            if let [_, _, ..] = found.as_slice() {
                let full =
                    found.iter().map(|func| format!("{} (func[{func}])", module.func_name(*func)));
                let full: Vec<String> = full.collect();
                return mistake(
                    name.at,
                    format!(
                        "several functions are called {}: {}; write one of them in full, or by its \
                         number",
                        name.text,
                        full.join(", ")
                    ),
                );
            }
            places.extend(found.into_iter().map(|func| Place {
                point: point(program, func),
                program,
                func: Some(func),
                frame: sources.entry_frame(module, func),
                variable: None,
                language: sources.language_of(module, func),
            }));
        }
        if !places.is_empty() {
            return Ok(places);
        }
        if self.programs().any(|(_, module, _)| imports(module, &name.text).next().is_some()) {
            let name_text = &name.text;
            return mistake(
                name.at,
                format!("{name_text} is a primitive of the world: write `primitive {name_text}`"),
            );
        }
        let known = self.programs().flat_map(|(_, module, _)| function_names(module));
        let known: Vec<String> = known.collect();
        let hint = did_you_mean(&name.text, known.iter().map(String::as_str));
        mistake(name.at, format!("there is no function {}{hint}", name.text))
    }

    fn primitives(&self, name: &Name, before: bool) -> Checked<Vec<Place>> {
        let mut places = Vec::new();
        for (program, module, _) in self.programs() {
            places.extend(imports(module, &name.text).map(|import| Place {
                point: Point::Primitive { program, import, before },
                program,
                func: Some(import),
                frame: Frame::default(),
                variable: None,
                language: self.default_language(),
            }));
        }
        if !places.is_empty() {
            return Ok(places);
        }
        let known = self.programs().flat_map(|(_, module, _)| module.imports());
        let known: Vec<&str> = known.map(|(import, _)| import.field.as_str()).collect();
        let hint = did_you_mean(&name.text, known);
        let text = &name.text;
        mistake(name.at, format!("no program imports a primitive {text}{hint}"))
    }

    fn variables(
        &self,
        kind: AccessKind,
        variable: &Name,
        function: Option<&Name>,
        before: bool,
    ) -> Checked<Vec<Place>> {
        let (reads, writes) = (kind != AccessKind::Write, kind != AccessKind::Read);
        let point = |program, variable| Point::Access { program, variable, reads, writes, before };
        let mut places = Vec::new();
        let mut why = None;
        if let Some(function) = function {
            for place in self.functions(function, |program, func| Point::Call { program, func })? {
                let func = place.func.unwrap_or_default();
                let (module, sources) = &self.programs[usize::from(place.program)];
                match local(module, sources, &place.frame, func, variable) {
                    Ok((found, expression)) => places.push(Place {
                        point: point(place.program, found),
                        variable: Some(expression),
                        ..place
                    }),
                    Err(error) => why = Some(error),
                }
            }
        } else {
            for (program, module, sources) in self.programs() {
                match global(module, sources, variable) {
                    Ok((cell, expression)) => places.push(Place {
                        point: point(program, Variable::Static(cell)),
                        program,
                        func: None,
                        frame: Frame::default(),
                        variable: Some(expression),
                        language: self.default_language(),
                    }),
                    Err(error) => why = Some(error),
                }
            }
        }
        match why {
            Some(why) if places.is_empty() => mistake(variable.at, why),
            _ if places.is_empty() => mistake(variable.at, "there is no program to look into"),
            _ => Ok(places),
        }
    }

    fn lines(&self, file: Option<&Name>, line: Option<u32>, at: usize) -> Checked<Vec<Place>> {
        let mut places = Vec::new();
        let mut why = "no line of the source is known".to_owned();
        for (program, module, sources) in self.programs() {
            let found: Vec<FileId> = match file.map(|file| sources.find_file(&file.text)) {
                Some(Ok(found)) => vec![found],
                Some(Err(error)) => {
                    why = error.to_string();
                    continue;
                }
                None => {
                    let own = sources.files().filter(|(_, file)| !is_library(file.path()));
                    own.map(|(id, _)| id).collect()
                }
            };
            let lines = found.iter().flat_map(|file| {
                let lines: Vec<u32> = match line {
                    Some(line) => vec![line],
                    None => sources.code_lines(*file).collect(),
                };
                lines.into_iter().flat_map(|line| sources.entries(*file, line))
            });
            let entries: Vec<u32> = lines.collect();
            let Some(first) = entries.first() else {
                if let (Some(line), [found]) = (line, found.as_slice()) {
                    let next = sources.line_with_code(*found, line);
                    let hint = next.map(|next| format!("; the next one with code is {next}"));
                    why = format!("line {line} has no code{}", hint.unwrap_or_default());
                }
                continue;
            };
            // What every line knows is only what is outside of functions.
            let frame = match line {
                Some(_) => sources.frames(*first).into_iter().next().unwrap_or_default(),
                None => Frame::default(),
            };
            let mut pcs: Vec<u32> =
                entries.iter().filter_map(|offset| module.pc_at_offset(*offset)).collect();
            pcs.sort_unstable();
            pcs.dedup();
            places.push(Place {
                point: Point::Line { program, pcs },
                program,
                func: None,
                language: frame.language,
                frame,
                variable: None,
            });
        }
        match places.is_empty() {
            true => mistake(file.map_or(at, |file| file.at), why),
            false => Ok(places),
        }
    }
}

/// The imported functions of a name.
fn imports<'a>(module: &'a Module, name: &'a str) -> impl Iterator<Item = u32> + 'a {
    (0..).zip(module.imports()).filter_map(move |(index, (import, _))| {
        (import.field == name || import.to_string() == name).then_some(index)
    })
}

/// Where a variable outside of functions always is.
fn global(module: &Module, sources: &Sources, name: &Name) -> Result<(Cell, Expression), String> {
    let frame = Frame::default();
    let names = Names {
        sources: Some(sources),
        frame: Some(&frame),
        module: Some(module),
        ..Names::default()
    };
    let unknown = || {
        let known = sources.globals(&Nowhere);
        let hint = did_you_mean(&name.text, known.iter().map(|known| known.name.as_str()));
        format!(
            "there is no variable {} outside of functions{hint}; of a function, write `{} of` and \
             its name",
            name.text, name.text
        )
    };
    let expression = Expression::parse_known(&name.text, &names).map_err(|_| unknown())?;
    if let Some(cell) = expression.cell() {
        return Ok((cell, expression));
    }
    let found =
        expression.evaluate(sources, &frame, &Nowhere).map_err(|error| error.to_string())?;
    match sources.cell(&found) {
        Some(cell) => Ok((cell, expression)),
        None => Err(format!("{} is not always at the same place", name.text)),
    }
}

/// Where a local variable of a function is.
fn local(
    module: &Module,
    sources: &Sources,
    frame: &Frame,
    func: u32,
    name: &Name,
) -> Result<(Variable, Expression), String> {
    let functions = [func];
    let names = Names {
        sources: Some(sources),
        frame: Some(frame),
        module: Some(module),
        functions: &functions,
        ..Names::default()
    };
    let expression = Expression::parse_known(&name.text, &names).map_err(|_| {
        let known = sources.variables(frame, &Nowhere);
        let hint = did_you_mean(&name.text, known.iter().map(|known| known.name.as_str()));
        format!("{} has no variable {}{hint}", module.func_name(func), name.text)
    })?;
    if let Some(Cell::Local { local, .. }) = expression.cell() {
        return Ok((Variable::Local { func, local }, expression));
    }
    let start = module.func_code(func).start;
    let body = module.offset_of(start).and_then(|start| sources.body_start(start));
    let from = body.and_then(|body| module.pc_at_offset(body)).unwrap_or(start);
    // Where it is once the function has begun; before, a parameter is where it was passed.
    let inside = body.and_then(|body| sources.frames(body).pop());
    let found = expression.evaluate(sources, inside.as_ref().unwrap_or(frame), &Nowhere).ok();
    let cell = found.as_ref().and_then(|found| sources.cell(found));
    let is_name = matches!(expression.tree(), Tree::Name(_));
    let variable = match (cell, found.and_then(|found| found.address)) {
        (Some(Cell::Local { local, .. }), _) if is_name => Variable::Local { func, local },
        (_, Some(_)) => Variable::InFrame { func, from },
        _ => {
            return Err(format!(
                "{} of {} has no place of its own: the compiler has optimised it, so that it cannot \
                 be watched",
                name.text,
                module.func_name(func)
            ));
        }
    };
    Ok((variable, expression))
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

/// For what needs no values: all memory is the same, and leads to more of it.
pub(super) struct Nowhere;

impl mw_source::Storage for Nowhere {
    fn read(&self, _: u64, buffer: &mut [u8]) -> bool {
        buffer.fill(1);
        true
    }

    fn cell(&self, _: Cell) -> Option<mw_vm::Value> {
        Some(mw_vm::Value::I64(0x0101_0101))
    }

    fn operand(&self, _: u32) -> Option<u64> {
        Some(0x0101_0101)
    }
}
