//! Parameters: how they are had where an event happens.

use std::sync::Arc;

use mw_source::{EvaluateError, Expression, Language, Names, NumberType, Sources, Tree};
use mw_vm::Module;

use super::place::{Nowhere, Place};
use crate::error::{Checked, did_you_mean, mistake};
use crate::event::{Parameter, Point};
use crate::syntax::{How, Written, code};

impl Place {
    /// How a parameter is had there.
    pub fn parameter(
        &self,
        programs: &[(Arc<Module>, Arc<Sources>)],
        how: &How,
        before: bool,
        at: usize,
        known: &[String],
    ) -> Checked<Parameter> {
        let Some((module, sources)) = programs.get(usize::from(self.program)) else {
            return Ok(Parameter::Missing);
        };
        match how {
            How::Nothing => Ok(Parameter::Missing),
            How::Argument(index) => self.argument(module, sources, *index, at),
            How::Return => self.result(module, before, at),
            How::Caller(written) => {
                let called = matches!(self.point, Point::Call { .. } | Point::Return { .. });
                if !called {
                    return mistake(at, "only a function that is called has a caller");
                }
                // Nobody knows who calls: names are looked up when it happens.
                let names = Names { sources: Some(sources), ..Names::of(module) };
                parsed(written, &names, false, known, Vec::new).map(Parameter::Caller)
            }
            How::Expression(written) => self.expression(module, sources, written, known),
        }
    }

    /// Whether a parameter is a pointer, as far as the source says.
    pub fn is_pointer(
        &self,
        programs: &[(Arc<Module>, Arc<Sources>)],
        parameter: &Parameter,
    ) -> bool {
        let Some((module, sources)) = programs.get(usize::from(self.program)) else { return false };
        match (parameter, self.func) {
            (Parameter::Argument(index, _), Some(func)) => {
                let declared = sources.parameters(module, func).into_iter();
                let mut own = declared.filter(|known| known.argument == Some(u32::from(*index)));
                own.next().is_some_and(|known| known.pointer)
            }
            (Parameter::Expression(expression), _) => {
                let found = expression.evaluate(sources, &self.frame, &Nowhere);
                found.is_ok_and(|found| found.type_name.trim_end().ends_with('*'))
            }
            _ => false,
        }
    }

    fn argument(
        &self,
        module: &Module,
        sources: &Sources,
        index: u16,
        at: usize,
    ) -> Checked<Parameter> {
        let func = match (&self.point, self.func) {
            (Point::Call { .. } | Point::Return { .. } | Point::Primitive { .. }, Some(func)) => {
                func
            }
            _ => return mistake(at, "only functions and primitives have arguments"),
        };
        let ty = module.funcs().get(func as usize).map(|func| module.func_type(func));
        let params = ty.map(|ty| &*ty.params).unwrap_or_default();
        let Some(own) = params.get(usize::from(index)) else {
            let (name, count) = (module.func_name(func), params.len());
            return mistake(
                at,
                format!("there is no argument {index}: {name} has {count}, counted from 0"),
            );
        };
        let declared = sources.parameters(module, func).into_iter();
        let mut declared = declared.filter(|known| known.argument == Some(u32::from(index)));
        let ty = declared.next().and_then(|known| known.ty).or(NumberType::of(*own));
        match ty {
            Some(ty) => Ok(Parameter::Argument(index, ty)),
            None => mistake(at, format!("argument {index} is a reference, not a number")),
        }
    }

    fn result(&self, module: &Module, before: bool, at: usize) -> Checked<Parameter> {
        let func = match (&self.point, self.func) {
            (Point::Return { .. } | Point::Primitive { .. }, Some(func)) if !before => func,
            _ => return mistake(at, "ret is what a function returns: only after it has"),
        };
        match module.result_type(func).and_then(NumberType::of) {
            Some(ty) => Ok(Parameter::Return(ty)),
            None => mistake(at, format!("{} returns no number", module.func_name(func))),
        }
    }

    fn expression(
        &self,
        module: &Module,
        sources: &Sources,
        written: &Written,
        known: &[String],
    ) -> Checked<Parameter> {
        if let Some(special) = self.special(&written.tree) {
            return Ok(special);
        }
        // At the beginning of a function, and after it has changed them, parameters are what was
        // passed.
        if let (Tree::Name(name), Point::Call { func, .. } | Point::Return { func, .. }) =
            (&written.tree, &self.point)
        {
            let declared = sources.parameters(module, *func).into_iter();
            let mut declared = declared.filter(|known| known.name == *name);
            if let Some(index) = declared.next().and_then(|known| known.argument) {
                return self.argument(module, sources, index as u16, written.at);
            }
        }
        let functions: Vec<u32> = self.func.into_iter().collect();
        let names = Names {
            sources: Some(sources),
            frame: Some(&self.frame),
            functions: &functions,
            ..Names::of(module)
        };
        let in_source = || {
            let variables = sources.variables(&self.frame, &Nowhere);
            let all = variables.into_iter().chain(sources.globals(&Nowhere));
            all.map(|variable| variable.name).collect()
        };
        let expression = parsed(written, &names, true, known, in_source)?;
        // What is wrong whatever the values are is wrong now; of Rust's enums only values tell.
        let tried = expression.number(sources, &self.frame, &Nowhere);
        match (tried, self.language) {
            (Err(EvaluateError::Type(why)), language) if language != Language::Rust => {
                mistake(written.at, why)
            }
            _ => Ok(Parameter::Expression(expression)),
        }
    }

    /// What only some kinds of events have.
    fn special(&self, tree: &Tree) -> Option<Parameter> {
        let name = match tree {
            Tree::Name(name) => name.as_str(),
            Tree::Index(of, index) => {
                let (Tree::Name(name), Tree::Integer(index)) = (&**of, &**index) else {
                    return None;
                };
                let index = u32::try_from(*index).ok()?;
                return match (&self.point, name.as_str()) {
                    (Point::Message { .. }, "byte") => Some(Parameter::Byte(index)),
                    (Point::Message { .. }, "word") => Some(Parameter::Word(index)),
                    _ => None,
                };
            }
            _ => return None,
        };
        match (&self.point, name) {
            (Point::Message { .. } | Point::Switch, "from") => Some(Parameter::From),
            (Point::Message { .. } | Point::Switch, "to") => Some(Parameter::To),
            (Point::Message { .. }, "length") => Some(Parameter::Length),
            (Point::Interrupt, "pin") => Some(Parameter::Pin),
            _ => None,
        }
    }
}

/// An expression of the program.
fn parsed(
    written: &Written,
    names: &Names<'_>,
    all_known: bool,
    known: &[String],
    in_source: impl FnOnce() -> Vec<String>,
) -> Checked<Expression> {
    if let Some(name) = written.tree.names().into_iter().find(|name| code::argument(name).is_some())
    {
        let name = name.replace('$', " ");
        return mistake(written.at, format!("{name} stands alone: give it a name with `as`"));
    }
    let text = written.tree.to_string();
    let expression = match all_known {
        true => Expression::parse_known(&text, names),
        false => Expression::parse(&text, names),
    };
    match expression {
        Ok(expression) => Ok(expression),
        Err(EvaluateError::UnknownName(name)) => {
            let mut all: Vec<String> = in_source();
            all.extend(known.iter().filter(|name| !name.contains('$')).cloned());
            let hint = did_you_mean(&name, all.iter().map(String::as_str));
            mistake(written.place(&name), format!("there is no {name} here{hint}"))
        }
        Err(error) => mistake(written.at, error.to_string()),
    }
}
