//! What is meant by a question: which functions, lines and variables.

use mw_query::{Comparison, Events, Kind, Number, Subject, Test, Time, time_of};
use mw_session::{Condition, Trigger, Watch, fits_end};
use mw_source::{EvaluateError, Names};
use mw_vm::Cell;

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::notation::query::{EventsSpec, KindSpec, read_comparison};
use crate::notation::{did_you_mean, parse_integer};
use crate::terms::unreadable;

/// Events that are meant.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    pub events: Events,
    /// What is written or read, as it is called.
    pub term: String,
    /// The cell, with what its bytes are read as, and how deep calls are nested where it was named.
    pub cell: Option<(Cell, usize)>,
    /// From one time on, before another.
    pub range: Option<(Time, Time)>,
}

impl Debugger {
    /// What is meant by events as they are written.
    pub(super) fn meant(&self, spec: &EventsSpec) -> Result<Meant, ApiError> {
        let target = spec.target.as_str();
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let mut cell = None;
        let kind = match spec.kind {
            KindSpec::Calls => self.calls_meant(some(target))?,
            KindSpec::Returns => Kind::Returns(self.functions(some(target))?),
            KindSpec::Primitives => Kind::Primitives(match some(target) {
                Some(name) => Some(vec![self.find_call(&name.as_str().into())?.import]),
                None => None,
            }),
            KindSpec::Lines => match target {
                "" => Kind::Instructions(self.all_lines()),
                _ => match self.new_breakpoint(&target.into())?.trigger {
                    Trigger::Line { pcs, .. } => Kind::Instructions(pcs),
                    Trigger::Instruction(pc) => Kind::Instructions(vec![pc]),
                    Trigger::Function(func) => {
                        Kind::Instructions(vec![self.session.module().func_code(func).start])
                    }
                    _ => {
                        return Err(ApiError::notation(format!(
                            "{target} is no line; write `lines main.c:12`, `lines 12` or a function"
                        )));
                    }
                },
            },
            KindSpec::Writes | KindSpec::Reads => {
                if target.is_empty() {
                    return Err(ApiError::notation(
                        "write what is written or read: a variable, `global 3`, `i32 @ 1024` or \
                         `1024..1088`",
                    ));
                }
                let nested = self.session.machine().call_depth();
                let found = self.find_cell(target)?;
                cell = Some((found, nested));
                let watch = Watch::new(found, nested);
                match spec.kind {
                    KindSpec::Writes => Kind::Writes(watch),
                    _ => Kind::Reads(watch),
                }
            }
            KindSpec::Outputs => Kind::Outputs,
            KindSpec::Growth => Kind::Growth,
            KindSpec::Choices => Kind::Choices,
            KindSpec::Turns => Kind::Switches,
            KindSpec::Sends => Kind::Sends,
            KindSpec::Receives => Kind::Receives,
            KindSpec::Failures => Kind::Failures,
        };
        let takes_target = matches!(
            spec.kind,
            KindSpec::Calls
                | KindSpec::Returns
                | KindSpec::Primitives
                | KindSpec::Lines
                | KindSpec::Writes
                | KindSpec::Reads
        );
        if !takes_target && !target.is_empty() {
            return Err(ApiError::notation(format!(
                "nothing follows these events, so `{target}` cannot be understood; what is done with \
                 them comes after a |"
            )));
        }
        let program = Some(self.session.program_number());
        let mut events = Events { kind, program, tests: Vec::new() };
        for test in &spec.tests {
            let test = self.test_meant(test, &mut events.kind)?;
            events.tests.push(test);
        }
        if events.kind.is_in_tree() && !events.tests.is_empty() {
            return Err(ApiError::notation(
                "of these events nothing can be asked with `where`; `show` shows values at each",
            ));
        }
        let place = |text: &String| -> Result<Time, ApiError> {
            let place = self.resolve(&text.as_str().into())?;
            Ok(time_of(self.session.multiverse(), place))
        };
        let range = match &spec.between {
            Some((from, until)) => Some((place(from)?, place(until)?)),
            None => None,
        };
        Ok(Meant { events, term: target.to_owned(), cell, range })
    }

    /// Calls of functions; a primitive may be meant as well.
    fn calls_meant(&self, name: Option<String>) -> Result<Kind, ApiError> {
        let Some(name) = name else { return Ok(Kind::Calls(None)) };
        let is_primitive = self.session.world().find(&name).is_some();
        match self.functions(Some(name.clone())) {
            Ok(functions) => Ok(Kind::Calls(functions)),
            Err(_) if is_primitive => {
                Ok(Kind::Primitives(Some(vec![self.find_call(&name.as_str().into())?.import])))
            }
            Err(error) => Err(error),
        }
    }

    /// The functions of a name, or of a pattern.
    fn functions(&self, name: Option<String>) -> Result<Option<Vec<u32>>, ApiError> {
        let Some(name) = name else { return Ok(None) };
        let running = self.running().program();
        if !name.contains('*') {
            return Ok(Some(vec![running.find_function(&name)?]));
        }
        let module = self.session.module();
        let own = (0..module.funcs().len() as u32)
            .filter(|func| module.funcs()[*func as usize].import.is_none());
        let fitting: Vec<u32> =
            own.filter(|func| fits_end(&name, &running.function_name(*func))).collect();
        match fitting.is_empty() {
            false => Ok(Some(fitting)),
            true => Err(ApiError::unknown(format!(
                "no function is called like {name}; `info functions` lists them"
            ))),
        }
    }

    /// Where lines begin, all of them.
    fn all_lines(&self) -> Vec<u32> {
        let Some(sources) = self.sources() else { return Vec::new() };
        let module = self.session.module();
        let lines = sources.files().flat_map(|(file, _)| {
            sources.code_lines(file).flat_map(move |line| sources.entries(file, line))
        });
        lines.filter_map(|offset| module.pc_at_offset(offset)).collect()
    }

    /// A test: about a number of the event, or an expression of the program there.
    fn test_meant(&self, text: &str, kind: &mut Kind) -> Result<Test, ApiError> {
        if let Some(spec) = read_comparison(text) {
            let comparison = Comparison::named(spec.comparison).ok_or_else(|| {
                let known = ["==", "!=", "<", "<=", ">", ">="];
                let hint = did_you_mean(spec.comparison, known);
                ApiError::notation(format!(
                    "cannot compare by `{}` in `{text}`; there are {}{hint}",
                    spec.comparison,
                    known.join(", ")
                ))
            })?;
            let integer = parse_integer(spec.number).map(Number::Integer);
            let number = integer.or_else(|| spec.number.parse().ok().map(Number::Float));
            let number = number.ok_or_else(|| {
                ApiError::notation(format!(
                    "`{}` in `{text}` is no number; what an event is about is compared with a number",
                    spec.number
                ))
            })?;
            let subject = match spec.argument {
                Some(argument) => Subject::Argument(argument),
                None => Subject::Value,
            };
            let is_there = match (&*kind, subject) {
                (Kind::Calls(_) | Kind::Primitives(_) | Kind::Outputs | Kind::Sends, subject) => {
                    matches!(subject, Subject::Argument(_)) || matches!(kind, Kind::Primitives(_))
                }
                (Kind::Returns(_) | Kind::Writes(_) | Kind::Growth, Subject::Value) => true,
                _ => false,
            };
            return match is_there {
                true => Ok(Test::Compares(subject, comparison, number)),
                false => Err(ApiError::notation(format!(
                    "these events have no such number: `{text}`; calls have `arg 0`, returns and \
                     writes `value`, primitives both"
                ))),
            };
        }
        // The variables of a function are where debug information says once its body has begun.
        if let Kind::Calls(Some(functions)) = kind {
            let module = self.session.module();
            let begin = |func: &u32| {
                let start = module.func_code(*func).start;
                let body = module.offset_of(start).and_then(|at| self.sources()?.body_start(at));
                body.and_then(|offset| module.pc_at_offset(offset)).unwrap_or(start)
            };
            *kind = Kind::Instructions(functions.iter().map(begin).collect());
        }
        self.condition_at(text, kind).map(Test::Holds)
    }

    /// A condition, as it is meant where events happen.
    fn condition_at(&self, text: &str, kind: &Kind) -> Result<Condition, ApiError> {
        let module = self.session.module();
        let pc = match kind {
            Kind::Instructions(pcs) => pcs.first().copied(),
            Kind::Returns(Some(functions)) => {
                functions.first().map(|func| module.func_code(*func).start)
            }
            _ => self.session.machine().call_stack().first().map(|frame| frame.pc),
        };
        let functions = Vec::from_iter(pc.and_then(|pc| module.func_at(pc)));
        let (sources, offset) = (self.sources(), pc.and_then(|pc| module.offset_of(pc)));
        let frames = sources.zip(offset).map(|(sources, offset)| sources.frames(offset));
        let frame = frames.iter().flatten().next();
        let names = Names { sources, frame, ..self.running().names_in(&functions) };
        Condition::parse(text, &names).map_err(|error| match error {
            error @ EvaluateError::Syntax { .. } => unreadable(text, error),
            error => {
                let ApiError { kind, message } = unreadable(text, error);
                ApiError::new(kind, format!("`where {text}`: {message}"))
            }
        })
    }
}
