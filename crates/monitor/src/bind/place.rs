//! Where events are noticed in programs.

use mw_source::{
    Expression, FileId, Frame, Language, Names, Sources, Tree, function_names, functions_named,
    is_library,
};
use mw_vm::{Cell, Module};

use super::events::Events;
use crate::error::{Checked, did_you_mean, mistake};
use crate::event::{Point, Variable};
use crate::syntax::{AccessKind, EventSyntax, Kind, Name};

/// A point at which an event is noticed, and what is known there.
pub(super) struct Place {
    pub point: Point,
    pub program: u16,
    /// The function that the event is about.
    pub func: Option<u32>,
    /// What names mean there.
    pub frame: Frame,
    /// The variable that is watched.
    pub variable: Option<Expression>,
    pub language: Language,
}

impl<'e> Events<'e> {
    /// Where an event is noticed, in all programs.
    pub fn places(&self, written: &EventSyntax) -> Checked<Vec<Place>> {
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
