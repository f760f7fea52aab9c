//! The parameters of functions: what a caller passes, as the source calls it.

use mw_vm::{Module, ValType};

use crate::expression::NumberType;
use crate::frame::Frame;
use crate::info::Language;
use crate::info::types::{Encoding, Kind, TypeId};
use crate::sources::Sources;
use crate::storage::Nothing;
use crate::value::Reader;

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What the source calls it.
    pub name: String,
    /// The argument that it is passed as, if it is passed as one.
    pub argument: Option<u32>,
    /// What its numbers are, if it is a number or a pointer.
    pub ty: Option<NumberType>,
    /// Whether it is a pointer.
    pub pointer: bool,
}

impl Sources {
    /// The parameters of a function of the machine, as far as they have names.
    pub fn parameters(&self, module: &Module, func: u32) -> Vec<Parameter> {
        let info = self.info();
        let start = module.offset_of(module.func_code(func).start);
        let Some(scope) = start.and_then(|start| info.scopes_at(start).last().copied()) else {
            return Vec::new();
        };
        let declared = info.scope(scope).variables.iter().filter(|variable| variable.parameter);
        let declared: Vec<_> = declared.collect();
        let types = module.funcs().get(func as usize).map(|func| module.func_type(func));
        let passed = types.map(|ty| &*ty.params).unwrap_or_default();
        // Debug information does not say which argument a parameter is. Where there are as many of
        // one as of the other and each fits, nothing was added, split or left out.
        let reader = Reader { info, storage: &Nothing };
        let by_order = declared.len() == passed.len()
            && declared.iter().zip(passed).all(|(parameter, ty)| {
                self.number_type(parameter.ty).is_some_and(|number| fits(number, *ty))
                    || reader.size(parameter.ty).is_none()
            });
        let argument = |place: &crate::info::Home, order: u32| match place {
            crate::info::Home::Local(local) => Some(*local),
            _ => by_order.then_some(order),
        };
        let parameter = |(order, parameter): (u32, &&crate::info::Declaration)| Parameter {
            name: parameter.name.to_string(),
            argument: argument(&parameter.place, order),
            ty: self.number_type(parameter.ty),
            pointer: reader
                .resolve(parameter.ty)
                .is_some_and(|(_, ty)| matches!(ty.kind, Kind::Pointer(_) | Kind::Reference(_))),
        };
        (0..).zip(&declared).map(parameter).collect()
    }

    /// The frame of a function before its first instruction: parameters are where they were
    /// passed, not yet where debug information says.
    pub fn entry_frame(&self, module: &Module, func: u32) -> Frame {
        let start = module.offset_of(module.func_code(func).start);
        let mut frames = start.map(|start| self.frames(start)).unwrap_or_default();
        let frame = frames.pop().unwrap_or_default();
        let parameters = self.parameters(module, func).into_iter();
        let passed = parameters.filter_map(|parameter| Some((parameter.name, parameter.argument?)));
        Frame { passed: passed.collect(), ..frame }
    }

    /// What a function of the machine is written in.
    pub fn language_of(&self, module: &Module, func: u32) -> Language {
        let start = module.offset_of(module.func_code(func).start);
        let frames = start.map(|start| self.frames(start)).unwrap_or_default();
        frames.last().map(|frame| frame.language).unwrap_or_default()
    }

    fn number_type(&self, ty: Option<TypeId>) -> Option<NumberType> {
        let reader = Reader { info: self.info(), storage: &Nothing };
        let (_, found) = reader.resolve(ty)?;
        let width = u32::try_from(reader.size(ty)?.checked_mul(8)?).ok()?;
        Some(match &found.kind {
            Kind::Base(Encoding::Float) => NumberType::Float(width),
            Kind::Base(Encoding::Boolean) => NumberType::Bool,
            Kind::Base(Encoding::Signed | Encoding::Character) => {
                NumberType::Integer { width, signed: true }
            }
            Kind::Enumeration(values) => {
                let signed = values.iter().any(|(value, _)| *value < 0);
                NumberType::Integer { width, signed }
            }
            Kind::Base(Encoding::Unsigned | Encoding::Unicode)
            | Kind::Pointer(_)
            | Kind::Reference(_)
            | Kind::String
            | Kind::Sequence(_) => NumberType::Integer { width, signed: false },
            _ => return None,
        })
    }
}

/// Whether an argument of the machine holds numbers of a type.
fn fits(number: NumberType, argument: ValType) -> bool {
    match (number, argument) {
        (NumberType::Float(32), ValType::F32) | (NumberType::Float(64), ValType::F64) => true,
        (NumberType::Bool, ValType::I32) => true,
        (NumberType::Integer { width, .. }, ValType::I32) => width <= 32,
        (NumberType::Integer { width, .. }, ValType::I64) => width == 64,
        _ => false,
    }
}
