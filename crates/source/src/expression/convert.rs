//! Types in expressions: finding them by name, and converting to them.

use super::EvaluateError;
use super::evaluate::{Evaluated, Evaluation, Operand, constant, mistake};
use super::number::Number;
use super::parse::TypeName;
use crate::info::Info;
use crate::info::types::{Encoding, Kind, TypeId};

impl Evaluation<'_> {
    /// A value as one of another type.
    pub fn cast(&self, ty: &TypeName, operand: &Operand) -> Evaluated<Operand> {
        let info = self.reader.info;
        let unknown = || EvaluateError::UnknownName(format!("type {}", ty.name));
        if let Some(levels) = ty.pointers.checked_sub(1) {
            let mut target = info.type_named(&ty.name);
            if target.is_none() && ty.name != "void" {
                return Err(unknown());
            }
            for _ in 0..levels {
                target = Some(info.pointer_to(target).ok_or_else(unknown)?);
            }
            let address = match self.pointer(operand) {
                Some((_, address)) => address,
                None => u64::try_from(self.number(operand)?.integer())
                    .map_err(|_| EvaluateError::Value("this is no address".to_owned()))?,
            };
            return Ok(Operand::Pointer { target, address });
        }
        let number = self.number(operand);
        if let Some((width, signed)) = integer_type(&ty.name) {
            return Ok(Operand::Number(number?.to_integer(width, signed)));
        }
        match ty.name.as_str() {
            "float" | "f32" => return Ok(Operand::Number(number?.to_float(32))),
            "double" | "f64" => return Ok(Operand::Number(number?.to_float(64))),
            "bool" | "_Bool" => return Ok(Operand::Number(Number::Bool(self.truth(operand)?))),
            _ => {}
        }
        let id = info.type_named(&ty.name).ok_or_else(unknown)?;
        let resolved = self.reader.resolve(Some(id)).ok_or_else(unknown)?.1;
        let width = self.reader.size(Some(id)).map_or(32, |size| size.min(16) as u32 * 8);
        match &resolved.kind {
            Kind::Base(Encoding::Float) => Ok(Operand::Number(number?.to_float(width))),
            Kind::Base(Encoding::Boolean) => {
                Ok(Operand::Number(Number::Bool(self.truth(operand)?)))
            }
            Kind::Base(_) | Kind::Enumeration(_) | Kind::Pointer(_) => {
                Ok(Operand::Value(constant(id, number?.integer())))
            }
            Kind::String | Kind::Sequence(_) => Ok(Operand::Value(constant(id, number?.integer()))),
            _ => mistake(format!("nothing is converted to {}", ty.name)),
        }
    }
}

/// The width and sign of an integer type that every program has.
pub(super) fn integer_type(name: &str) -> Option<(u32, bool)> {
    Some(match name {
        "i8" | "char" | "signed char" => (8, true),
        "u8" | "unsigned char" => (8, false),
        "i16" | "short" | "short int" => (16, true),
        "u16" | "unsigned short" => (16, false),
        "i32" | "isize" | "int" | "signed" | "long" | "signed int" => (32, true),
        "u32" | "usize" | "unsigned" | "unsigned int" | "unsigned long" => (32, false),
        "i64" | "long long" => (64, true),
        "u64" | "unsigned long long" => (64, false),
        _ => return None,
    })
}

/// The width of a number type that every program has.
pub(super) fn number_type(name: &str) -> Option<u32> {
    Some(match name {
        "float" | "f32" => 32,
        "double" | "f64" => 64,
        "bool" | "_Bool" => 8,
        _ => integer_type(name)?.0,
    })
}

impl Info {
    /// Whether there is a type of this name.
    pub(super) fn is_type(&self, name: &str) -> bool {
        self.type_named(name).is_some()
    }

    /// The type of this name; with `struct`, `union` or `enum` before it, one of that kind.
    pub(super) fn type_named(&self, name: &str) -> Option<TypeId> {
        let (tag, name) = match name.split_once(' ') {
            Some((tag @ ("struct" | "union" | "enum"), name)) => (tag, name),
            _ => ("", name),
        };
        let fits = |kind: &Kind| match (tag, kind) {
            ("", _) => true,
            ("enum", Kind::Enumeration(_)) => true,
            ("struct", Kind::Record(record)) => !record.union,
            ("union", Kind::Record(record)) => record.union,
            _ => false,
        };
        let named = self.types.iter().filter(|(_, ty)| ty.name.as_deref() == Some(name));
        // The same one every time.
        named.filter(|(_, ty)| fits(&ty.kind)).map(|(id, _)| *id).min()
    }

    /// The type of pointers to a type.
    pub(super) fn pointer_to(&self, target: Option<TypeId>) -> Option<TypeId> {
        let leads = |kind: &Kind| matches!(kind, Kind::Pointer(leads_to) if *leads_to == target);
        self.types.iter().filter(|(_, ty)| leads(&ty.kind)).map(|(id, _)| *id).min()
    }

    /// The enumeration with this name in it, and its value.
    pub(super) fn enumerator(&self, name: &str) -> Option<(TypeId, i128)> {
        let value = |kind: &Kind| match kind {
            Kind::Enumeration(values) => {
                values.iter().find(|(_, known)| &**known == name).map(|(value, _)| *value)
            }
            _ => None,
        };
        self.types.iter().filter_map(|(id, ty)| Some((*id, value(&ty.kind)?))).min()
    }
}
