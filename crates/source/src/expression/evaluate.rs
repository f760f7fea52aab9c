//! From a tree to a value.

use mw_vm::Cell;

use super::number::{Number, binary, compare};
use super::parse::Tree;
use super::{EvaluateError, Operator};
use crate::frame::Frame;
use crate::info::types::{Encoding, Kind, TypeId};
use crate::info::{Declaration, Language};
use crate::sources::Sources;
use crate::storage::Storage;
use crate::value::{Data, Reader, Value};
use crate::variable::Variable;

/// How much of a text is compared.
const LONGEST_TEXT: usize = 1 << 12;

/// What a part of an expression is.
pub(super) enum Operand {
    /// A value of the program.
    Value(Value),
    Number(Number),
    /// A pointer that the expression computed.
    Pointer {
        target: Option<TypeId>,
        address: u64,
    },
    Text(String),
}

pub(super) type Evaluated<T> = Result<T, EvaluateError>;

/// An expression is evaluated in a frame.
pub(super) struct Evaluation<'a> {
    sources: &'a Sources,
    frame: &'a Frame,
    pub(super) reader: Reader<'a>,
}

impl<'a> Evaluation<'a> {
    pub fn new(sources: &'a Sources, frame: &'a Frame, storage: &'a dyn Storage) -> Self {
        Evaluation { sources, frame, reader: Reader { info: sources.info(), storage } }
    }

    /// What the function that is looked at is written in.
    pub fn language(&self) -> Language {
        self.frame.language
    }

    /// The result, with all that is shown of it.
    pub fn variable(&self, name: &str, operand: Operand) -> Variable {
        let language = self.frame.language;
        let computed = |type_name: String, value: String| Variable {
            name: name.to_owned(),
            type_name,
            value,
            address: None,
            content: None,
            has_children: false,
            constant: false,
            data: None,
            language,
        };
        match operand {
            Operand::Value(value) => self.reader.variable(name.to_owned(), Some(value), language),
            Operand::Number(number) => computed(number.type_name(language), number.to_string()),
            Operand::Text(text) => computed("text".to_owned(), format!("{text:?}")),
            Operand::Pointer { target, address } => {
                // With the program's own pointer type it can be followed.
                let ty = self.reader.info.pointer_to(target);
                let bytes: Vec<Option<u8>> = address.to_le_bytes().map(Some).to_vec();
                match ty {
                    Some(ty) => {
                        let value = Value::new(Some(ty), Data::Bytes(bytes.into()));
                        self.reader.variable(name.to_owned(), Some(value), language)
                    }
                    None => {
                        let name = format!("{} *", self.reader.type_name(target));
                        computed(name, format!("{address:#x}"))
                    }
                }
            }
        }
    }

    /// The value of an expression.
    pub fn operand(&self, tree: &Tree) -> Evaluated<Operand> {
        Ok(match tree {
            Tree::Name(name) => self.name(name)?,
            Tree::Cell(cell) => {
                let value = self.reader.storage.cell(*cell).and_then(Number::of);
                Operand::Number(value.ok_or(EvaluateError::Absent(*cell))?)
            }
            Tree::Integer(value) => Operand::Number(Number::literal(*value)),
            Tree::Float(value) => Operand::Number(Number::Float { value: *value, width: 64 }),
            Tree::Bool(value) => Operand::Number(Number::Bool(*value)),
            Tree::Text(text) => Operand::Text(text.clone()),
            Tree::Null => Operand::Pointer { target: None, address: 0 },
            Tree::Member(of, name) => self.member(self.operand(of)?, name)?,
            Tree::Index(of, index) => {
                let index = self.number(&self.operand(index)?)?.integer();
                self.index(self.operand(of)?, index)?
            }
            Tree::Unary('*', of) => self.follow(&self.operand(of)?)?,
            Tree::Unary('&', of) => match self.operand(of)? {
                Operand::Value(value) if value.dimension == 0 => {
                    let Some(address) = value.address() else {
                        return mistake("this is not in memory, it has no address");
                    };
                    Operand::Pointer { target: value.ty, address }
                }
                _ => return mistake("only a variable has an address"),
            },
            Tree::Unary('!', of) => {
                let operand = self.operand(of)?;
                let holds = self.truth(&operand)?;
                match (&operand, self.frame.language) {
                    // Rust turns the bits of a number round.
                    (_, Language::Rust) if !self.is_bool(&operand) => {
                        Operand::Number(self.inverted(&operand)?)
                    }
                    _ => Operand::Number(Number::Bool(!holds)),
                }
            }
            Tree::Unary('~', of) => Operand::Number(self.inverted(&self.operand(of)?)?),
            Tree::Unary(_, of) => {
                let number = self.number(&self.operand(of)?)?;
                Operand::Number(number.negated(self.frame.language)?)
            }
            // The right side need not have a value if the left one decides.
            Tree::Binary(Operator::And, left, right) => {
                Operand::Number(Number::Bool(self.holds(left)? && self.holds(right)?))
            }
            Tree::Binary(Operator::Or, left, right) => {
                Operand::Number(Number::Bool(self.holds(left)? || self.holds(right)?))
            }
            Tree::Binary(operator, left, right) => {
                let (one, other) = (self.operand(left)?, self.operand(right)?);
                let one = self.fitted(left, one, &other);
                let other = self.fitted(right, other, &one);
                self.binary(*operator, &one, &other)?
            }
            Tree::Cast(ty, of) => self.cast(ty, &self.operand(of)?)?,
            Tree::TypeSize(ty) => Operand::Number(Number::size(self.type_size(ty)?)),
            Tree::Size(of) => Operand::Number(Number::size(self.size(&self.operand(of)?)?)),
        })
    }

    /// Whether an expression holds. What is not there does not.
    pub fn holds(&self, tree: &Tree) -> Evaluated<bool> {
        match self.operand(tree).and_then(|operand| self.truth(&operand)) {
            Err(EvaluateError::Absent(_)) => Ok(false),
            holds => holds,
        }
    }

    /// Whether a value is neither false, zero nor null.
    pub fn truth(&self, operand: &Operand) -> Evaluated<bool> {
        match self.pointer(operand) {
            Some((_, address)) => Ok(address != 0),
            None => Ok(!self.number(operand)?.is_zero()),
        }
    }

    fn declaration(&self, name: &str) -> Option<&Declaration> {
        let info = self.reader.info;
        let last = name.rsplit("::").next().unwrap_or(name);
        let mut scopes = self.frame.scopes.iter().flat_map(|scope| &info.scope(*scope).variables);
        scopes
            .find(|variable| &*variable.name == name)
            .or_else(|| info.globals.iter().find(|global| &*global.name == last))
    }

    /// Whether something has this name, be its value available or not.
    pub fn knows(&self, name: &str) -> bool {
        let last = name.rsplit("::").next().unwrap_or(name);
        self.declaration(name).is_some() || self.reader.info.enumerator(last).is_some()
    }

    fn name(&self, name: &str) -> Evaluated<Operand> {
        let info = self.reader.info;
        let last = name.rsplit("::").next().unwrap_or(name);
        if let Some(declaration) = self.declaration(name) {
            let storage = self.reader.storage;
            let passed = self.frame.passed.iter().find(|(passed, _)| passed == name);
            let data = match passed {
                Some((_, local)) if declaration.parameter => {
                    let cell = Cell::Local { depth: storage.depth(), local: *local };
                    storage.cell(cell).map(|value| Data::Slot(cell, value.to_slot()))
                }
                _ => self.sources.data(declaration, self.frame.offset, storage),
            };
            let data = data.ok_or_else(|| EvaluateError::Unavailable(name.to_owned()))?;
            return Ok(Operand::Value(Value::new(declaration.ty, data)));
        }
        match info.enumerator(last) {
            Some((ty, value)) => Ok(Operand::Value(constant(ty, value))),
            None => Err(EvaluateError::UnknownName(name.to_owned())),
        }
    }

    fn member(&self, of: Operand, name: &str) -> Evaluated<Operand> {
        let Operand::Value(value) = self.record(of)? else {
            return mistake(format!("there are no members, so no {name}"));
        };
        if let Some(member) = self.named_part(&value, name, 4) {
            return Ok(Operand::Value(member));
        }
        if name == "length"
            && let Some(elements) = self.reader.elements(&value)
        {
            return Ok(Operand::Number(Number::literal(elements.count.into())));
        }
        mistake(format!("{} has no member {name}", self.reader.type_name(value.ty)))
    }

    /// A pointer that the expression computed as the value that it leads to.
    fn record(&self, operand: Operand) -> Evaluated<Operand> {
        match operand {
            Operand::Pointer { .. } => self.follow(&operand),
            other => Ok(other),
        }
    }

    /// A member, also of a member without a name.
    fn named_part(&self, value: &Value, name: &str, depth: usize) -> Option<Value> {
        let parts = self.reader.children(value, 0);
        if let Some((_, part)) = parts.iter().find(|(known, _)| known == name) {
            return Some(part.clone());
        }
        let depth = depth.checked_sub(1)?;
        let unnamed = parts.iter().filter(|(known, _)| known == "(unnamed)" || known == "*");
        unnamed.filter_map(|(_, part)| self.named_part(part, name, depth)).next()
    }

    fn index(&self, of: Operand, index: i128) -> Evaluated<Operand> {
        if let Operand::Value(value) = &of {
            // A reference to elements stands for them.
            let mut value = value.clone();
            for _ in 0..4 {
                if let Some(elements) = self.reader.elements(&value) {
                    let inside = u64::try_from(index).ok().filter(|index| *index < elements.count);
                    return match inside.and_then(|index| elements.get(index)) {
                        Some(element) => Ok(Operand::Value(element)),
                        None => unfit(format!("{index} is not below {}", elements.count)),
                    };
                }
                let rust = self.frame.language == Language::Rust;
                match self.reader.target(&value).filter(|_| rust) {
                    Some(target) => value = target,
                    None => break,
                }
            }
        }
        match self.pointer(&of) {
            Some((target, address)) => self
                .follow(&Operand::Pointer { target, address: self.moved(target, address, index)? }),
            None => mistake("this has no elements"),
        }
    }

    /// What a pointer leads to.
    fn follow(&self, operand: &Operand) -> Evaluated<Operand> {
        match self.pointer(operand) {
            Some((_, 0)) => unfit("this is a null pointer"),
            Some((None, _)) => mistake("it is not known what this pointer leads to: convert it"),
            Some((target, address)) => Ok(Operand::Value(Value::at(target, address))),
            None => mistake("this is no pointer"),
        }
    }

    /// A pointer, as the type that it leads to and its address. An array is one to its beginning.
    pub(super) fn pointer(&self, operand: &Operand) -> Option<(Option<TypeId>, u64)> {
        match operand {
            Operand::Pointer { target, address } => Some((*target, *address)),
            Operand::Value(value) => match self.reader.resolve(value.ty)?.1.kind {
                Kind::Array(element, ref counts) if counts.len() == 1 => {
                    Some((element, value.address()?))
                }
                _ => {
                    let target = self.reader.target(value)?;
                    Some((target.ty, target.address()?))
                }
            },
            _ => None,
        }
    }

    fn moved(&self, target: Option<TypeId>, address: u64, steps: i128) -> Evaluated<u64> {
        let size = self.reader.size(target).unwrap_or(1);
        let moved = i128::from(size).checked_mul(steps).map(|by| by.wrapping_add(address.into()));
        match moved.and_then(|moved| u64::try_from(moved).ok()) {
            Some(moved) => Ok(moved),
            None => unfit("this leads out of memory"),
        }
    }

    pub(super) fn number(&self, operand: &Operand) -> Evaluated<Number> {
        let value = match operand {
            Operand::Number(number) => return Ok(*number),
            Operand::Pointer { address, .. } => {
                let value = i128::from(*address);
                return Ok(Number::Integer { value, width: 32, signed: false });
            }
            Operand::Text(_) => return mistake("a text is no number"),
            Operand::Value(value) => value,
        };
        let found = self.reader.resolve(value.ty).and_then(|(_, ty)| {
            let (bits, width) = (self.reader.bits(value)?, self.reader.width(value)?);
            Some(match ty.kind {
                Kind::Base(Encoding::Float) => match width {
                    32 => Number::Float { value: f32::from_bits(bits as u32).into(), width },
                    64 => Number::Float { value: f64::from_bits(bits as u64), width },
                    _ => return None,
                },
                Kind::Base(Encoding::Boolean) => Number::Bool(bits != 0),
                Kind::Record(_) | Kind::Array(..) | Kind::Function | Kind::Unknown => return None,
                _ => {
                    let value = self.reader.integer(value)?;
                    let signed = match ty.kind {
                        Kind::Base(encoding) => {
                            matches!(encoding, Encoding::Signed | Encoding::Character)
                        }
                        _ => value < 0,
                    };
                    // A part of a number is computed with as a whole one.
                    Number::Integer { value, width: width.next_power_of_two().max(8), signed }
                }
            })
        });
        match found {
            Some(number) => Ok(number),
            None => mistake(format!("{} is no number", self.reader.type_name(value.ty))),
        }
    }

    /// A number that is written takes its type from what it stands beside, where that is so.
    fn fitted(&self, tree: &Tree, operand: Operand, beside: &Operand) -> Operand {
        let written = matches!(tree, Tree::Integer(0..) | Tree::Float(_));
        match (&operand, self.number(beside)) {
            (Operand::Number(number), Ok(other)) if written => {
                Operand::Number(number.beside(other, self.frame.language))
            }
            _ => operand,
        }
    }

    /// All bits the other way round.
    fn inverted(&self, operand: &Operand) -> Evaluated<Number> {
        self.number(operand)?.inverted(self.frame.language)
    }

    fn is_bool(&self, operand: &Operand) -> bool {
        matches!(self.number(operand), Ok(Number::Bool(_)))
    }

    fn binary(&self, operator: Operator, left: &Operand, right: &Operand) -> Evaluated<Operand> {
        if let (Some(one), Some(other)) = (self.text(left), self.text(right)) {
            let equal = compare(operator, one.partial_cmp(&other))?;
            return Ok(Operand::Number(Number::Bool(equal)));
        }
        match (self.pointer(left), self.pointer(right)) {
            (Some((target, address)), None)
                if matches!(operator, Operator::Add | Operator::Subtract) =>
            {
                let steps = self.number(right)?.integer();
                let steps = if operator == Operator::Subtract { -steps } else { steps };
                let address = self.moved(target, address, steps)?;
                Ok(Operand::Pointer { target, address })
            }
            (None, Some((target, address))) if operator == Operator::Add => {
                let address = self.moved(target, address, self.number(left)?.integer())?;
                Ok(Operand::Pointer { target, address })
            }
            (Some((target, one)), Some((_, other))) if operator == Operator::Subtract => {
                let size = i128::from(self.reader.size(target).unwrap_or(1).max(1));
                let steps = (i128::from(one) - i128::from(other)) / size;
                Ok(Operand::Number(Number::literal(steps)))
            }
            (Some((_, one)), Some((_, other))) => {
                let holds = compare(operator, one.partial_cmp(&other))?;
                Ok(Operand::Number(Number::Bool(holds)))
            }
            (Some(_), _) | (_, Some(_)) if is_for_numbers(operator) => {
                mistake(format!("{operator} is not for pointers"))
            }
            _ => {
                let (one, other) = (self.number(left)?, self.number(right)?);
                Ok(Operand::Number(binary(operator, one, other, self.frame.language)?))
            }
        }
    }

    /// The text that an operand is.
    fn text(&self, operand: &Operand) -> Option<String> {
        match operand {
            Operand::Text(text) => Some(text.clone()),
            Operand::Value(value) => {
                if let Some(elements) = self.reader.elements(value) {
                    return Some(elements.string(&self.reader, LONGEST_TEXT)?.0);
                }
                let target = self.reader.target(value)?;
                let character = self.reader.is_character(target.ty);
                let address = target.address().filter(|_| character)?;
                Some(self.reader.c_string(address, LONGEST_TEXT)?.0)
            }
            _ => None,
        }
    }
}

/// Whether it says nothing of pointers.
fn is_for_numbers(operator: Operator) -> bool {
    use Operator::*;
    matches!(operator, Multiply | Divide | Remainder | ShiftLeft | ShiftRight)
}

pub(super) fn mistake<T>(message: impl Into<String>) -> Evaluated<T> {
    Err(EvaluateError::Type(message.into()))
}

/// What would be right for other values.
fn unfit<T>(message: impl Into<String>) -> Evaluated<T> {
    Err(EvaluateError::Value(message.into()))
}

/// A number as a value of a type of the program.
pub(super) fn constant(ty: TypeId, value: i128) -> Value {
    let bytes: Vec<Option<u8>> = value.to_le_bytes().map(Some).to_vec();
    Value::new(Some(ty), Data::Bytes(bytes.into()))
}
