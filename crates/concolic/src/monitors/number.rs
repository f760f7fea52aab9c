//! The numbers of guards and blocks in terms of the inputs, computed as the debugger computes.
//!
//! A number that no input has a say in is computed by the debugger's own arithmetic. Any other one is
//! an expression over the machine's operations together with its type: integers of at most 32 bits and
//! what is true or false as an `i32` that has the number's value, larger ones as an `i64`, floats as
//! what they are.
//!
//! **Invariant:** whatever the inputs are, an expression is the number that the debugger's arithmetic
//! would have computed. Where there is no such expression, the operands are made definite first.

use mw_monitor::{Arithmetic, Interrupted, Unary};
use mw_source::{Language, Number, NumberType, Operator};
use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;

use crate::expr::{Expr, Exprs};

/// A number of a monitor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symbolic {
    /// No input has a say in it.
    Known(Number),
    /// Inputs have.
    Open(Expr, NumberType),
}

/// What has to be found out before a monitor can be moved on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// Whether this is not zero.
    Truth(Expr),
    /// Which number this is.
    Number(Expr),
}

/// Computes for an event that a monitor is told of.
pub struct Computing<'a> {
    pub exprs: &'a mut Exprs,
    /// What has been found out for this event: expressions, and the slots that they are.
    pub decided: &'a [(Expr, u64)],
    /// What has to be found out where nobody could be asked. Whatever was computed is void then.
    pub undecided: Option<Undecided>,
}

type Computed = Result<Symbolic, Interrupted<Undecided>>;

/// How many bits the integers of a type have, and whether they count below zero; none of floats.
fn integer(ty: NumberType) -> Option<(u32, bool)> {
    match ty {
        NumberType::Integer { width, signed } => Some((width, signed)),
        NumberType::Bool => Some((32, true)),
        NumberType::Float(_) => None,
    }
}

/// A number of a type.
fn sample(number: Symbolic) -> Number {
    match number {
        Symbolic::Known(number) => number,
        Symbolic::Open(_, ty) => Number::Integer { value: 1, width: 32, signed: true }.to(ty),
    }
}

/// What expressions of numbers of a type are.
fn representation(ty: NumberType) -> ValType {
    match ty {
        NumberType::Integer { width, .. } if width > 32 => ValType::I64,
        NumberType::Integer { .. } | NumberType::Bool => ValType::I32,
        NumberType::Float(32) => ValType::F32,
        NumberType::Float(_) => ValType::F64,
    }
}

/// The number that an expression of numbers of a type is, by its slot.
pub fn number(ty: NumberType, slot: u64) -> Number {
    match ty {
        NumberType::Float(32) => {
            Number::Float { value: f32::from_bits(slot as u32).into(), width: 32 }
        }
        NumberType::Float(width) => Number::Float { value: f64::from_bits(slot), width },
        _ => Number::Integer { value: slot.into(), width: 64, signed: false }.to(ty),
    }
}

/// The slot of a number in the representation of its type.
fn slot(number: Number) -> u64 {
    match number {
        Number::Float { value, width: 32 } => u64::from((value as f32).to_bits()),
        Number::Float { value, .. } => value.to_bits(),
        other => other.integer() as u64,
    }
}

impl Computing<'_> {
    /// A number of the machine, as debuggers take it: an integer counts below zero.
    pub fn of_machine(&mut self, expr: Expr) -> Option<Symbolic> {
        let ty = NumberType::of(self.exprs.ty(expr))?;
        Some(self.made(expr, ty))
    }

    /// What an expression is, as far as that is known.
    fn made(&self, expr: Expr, ty: NumberType) -> Symbolic {
        let decided = || self.decided.iter().find(|(of, _)| *of == expr).map(|(_, slot)| *slot);
        match self.exprs.as_const(expr).or_else(decided) {
            Some(slot) => Symbolic::Known(number(ty, slot)),
            None => Symbolic::Open(expr, ty),
        }
    }

    fn expr(&mut self, of: Symbolic) -> Expr {
        match of {
            Symbolic::Known(number) => {
                self.exprs.constant(representation(number.ty()), slot(number))
            }
            Symbolic::Open(expr, _) => expr,
        }
    }

    /// Whether something that is 0 or 1 is 1.
    fn is_true(&self, condition: Expr) -> Result<bool, Undecided> {
        match self.made(condition, NumberType::Bool) {
            Symbolic::Known(number) => Ok(!number.is_zero()),
            Symbolic::Open(..) => Err(Undecided::Truth(condition)),
        }
    }

    /// The number is needed itself.
    fn definite_number(&self, of: Symbolic) -> Result<Number, Undecided> {
        match of {
            Symbolic::Known(number) => Ok(number),
            Symbolic::Open(expr, ty) => match self.made(expr, ty) {
                Symbolic::Known(number) => Ok(number),
                Symbolic::Open(..) => Err(Undecided::Number(expr)),
            },
        }
    }

    /// 1 if a number is not zero, else 0.
    fn truth(&mut self, of: Symbolic) -> Expr {
        let expr = self.expr(of);
        match self.exprs.ty(expr) {
            ValType::F32 => self.exprs.with_const(F32Ne, expr, 0),
            ValType::F64 => self.exprs.with_const(F64Ne, expr, 0),
            _ if self.exprs.is_boolean(expr) => expr,
            _ => self.exprs.truth(expr),
        }
    }

    /// An integer or what is true or false, as an `i32` or `i64` that has its value.
    fn extended(&mut self, of: Symbolic, wide: bool) -> Expr {
        let (expr, signed) = (self.expr(of), integer(ty_of(of)).is_none_or(|(_, signed)| signed));
        match (self.exprs.ty(expr), wide) {
            (ValType::I64, false) => self.exprs.unary(I32WrapI64, expr),
            (ValType::I32, true) if signed => self.exprs.unary(I64ExtendI32S, expr),
            (ValType::I32, true) => self.exprs.unary(I64ExtendI32U, expr),
            _ => expr,
        }
    }

    /// The lowest bits of an `i32` or `i64`, as an integer of a type; none if there is no such.
    fn narrowed(&mut self, expr: Expr, (width, signed): (u32, bool)) -> Option<Symbolic> {
        let ty = NumberType::Integer { width, signed };
        let is_wide = self.exprs.ty(expr) == ValType::I64;
        let expr = match width {
            64 => return is_wide.then(|| self.made(expr, ty)),
            8 | 16 | 32 if is_wide => self.exprs.unary(I32WrapI64, expr),
            8 | 16 | 32 => expr,
            _ => return None,
        };
        let expr = match (width, signed) {
            (32, _) => expr,
            (8, true) => self.exprs.unary(I32Extend8S, expr),
            (_, true) => self.exprs.unary(I32Extend16S, expr),
            (_, false) => self.exprs.with_const(I32And, expr, (1 << width) - 1),
        };
        Some(self.made(expr, ty))
    }

    /// A number as an `f64`.
    fn float(&mut self, of: Symbolic) -> Expr {
        let (expr, ty) = (self.expr(of), ty_of(of));
        let signed = integer(ty).is_none_or(|(_, signed)| signed);
        let op = match (self.exprs.ty(expr), signed) {
            (ValType::F32, _) => F64PromoteF32,
            (ValType::I32, true) => F64ConvertI32S,
            (ValType::I32, false) => F64ConvertI32U,
            (ValType::I64, true) => F64ConvertI64S,
            (ValType::I64, false) => F64ConvertI64U,
            _ => return expr,
        };
        self.exprs.unary(op, expr)
    }

    /// An `f64` as a float of so many bits.
    fn rounded(&mut self, expr: Expr, width: u32) -> Symbolic {
        match width {
            32 => {
                let expr = self.exprs.unary(F32DemoteF64, expr);
                self.made(expr, NumberType::Float(32))
            }
            width => self.made(expr, NumberType::Float(width)),
        }
    }

    /// An operation on numbers of which one is a float.
    fn on_floats(
        &mut self,
        operator: Operator,
        (left, right): (Symbolic, Symbolic),
        width: u32,
    ) -> Computed {
        let op = match operator {
            Operator::Add => F64Add,
            Operator::Subtract => F64Sub,
            Operator::Multiply => F64Mul,
            Operator::Divide => F64Div,
            Operator::Equal | Operator::Is => F64Eq,
            Operator::NotEqual => F64Ne,
            Operator::Less => F64Lt,
            Operator::LessEqual => F64Le,
            Operator::Greater => F64Gt,
            Operator::GreaterEqual => F64Ge,
            _ => return self.by_numbers(operator, (left, right), Language::C),
        };
        let (left, right) = (self.float(left), self.float(right));
        let result = self.exprs.binary(op, left, right);
        Ok(match op.is_comparison() {
            true => self.made(result, NumberType::Bool),
            false => self.rounded(result, width),
        })
    }

    /// An operation on numbers that have to be known for it.
    fn by_numbers(
        &mut self,
        operator: Operator,
        (left, right): (Symbolic, Symbolic),
        language: Language,
    ) -> Computed {
        // What makes no sense for numbers of these types needs none of them.
        computed(operator, sample(left), sample(right), language)?;
        let left = self.definite_number(left).map_err(Interrupted::Undecided)?;
        let right = self.definite_number(right).map_err(Interrupted::Undecided)?;
        computed(operator, left, right, language).map(Symbolic::Known)
    }

    /// An operation on integers, or on what is true or false.
    fn on_integers(
        &mut self,
        operator: Operator,
        (left, right): (Symbolic, Symbolic),
        language: Language,
    ) -> Computed {
        let common = computed(Operator::Add, sample(left), sample(right), language)?.ty();
        let Some((width, signed)) = integer(common) else {
            return self.by_numbers(operator, (left, right), language);
        };
        let own = [left, right].map(|number| integer(ty_of(number)));
        let own = own.map(|own| own.is_none_or(|(_, signed)| signed));
        let is_c = matches!(language, Language::C | Language::Cpp);
        // Where only the lowest bits count, it does not matter how they are read.
        let reads = !matches!(
            operator,
            Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::BitAnd
                | Operator::BitOr
                | Operator::BitXor
                | Operator::ShiftLeft
        );
        let is_mixed = !is_c && reads && own[0] != own[1] && operator != Operator::ShiftRight;
        if ![8, 16, 32, 64].contains(&width) || is_mixed && width > 32 {
            return self.by_numbers(operator, (left, right), language);
        }
        let is_signed = match is_c {
            true => signed,
            false => own[0] || is_mixed,
        };
        let wide = width > 32 || is_mixed;
        let (a, b) = (self.extended(left, wide), self.extended(right, wide));
        let result = self.operation(operator, (a, b), is_signed, width)?;
        let compares = self.exprs.is_boolean(result) && operator.compares(None).is_some();
        let bits = matches!(operator, Operator::BitAnd | Operator::BitOr | Operator::BitXor);
        if compares || bits && [left, right].map(ty_of) == [NumberType::Bool; 2] {
            return Ok(self.made(result, NumberType::Bool));
        }
        match self.narrowed(result, (width, signed)) {
            Some(number) => Ok(number),
            None => self.by_numbers(operator, (left, right), language),
        }
    }

    /// An operation on two `i32` or two `i64`.
    fn operation(
        &mut self,
        operator: Operator,
        (a, b): (Expr, Expr),
        signed: bool,
        width: u32,
    ) -> Result<Expr, Interrupted<Undecided>> {
        let wide = self.exprs.ty(a) == ValType::I64;
        let of = |narrow: NumericOp, other: NumericOp| if wide { other } else { narrow };
        let by_sign = |s: (NumericOp, NumericOp), u: (NumericOp, NumericOp)| match signed {
            true => of(s.0, s.1),
            false => of(u.0, u.1),
        };
        let op = match operator {
            Operator::Add => of(I32Add, I64Add),
            Operator::Subtract => of(I32Sub, I64Sub),
            Operator::Multiply => of(I32Mul, I64Mul),
            Operator::BitAnd => of(I32And, I64And),
            Operator::BitOr => of(I32Or, I64Or),
            Operator::BitXor => of(I32Xor, I64Xor),
            Operator::Equal | Operator::Is => of(I32Eq, I64Eq),
            Operator::NotEqual => of(I32Ne, I64Ne),
            Operator::Less => by_sign((I32LtS, I64LtS), (I32LtU, I64LtU)),
            Operator::LessEqual => by_sign((I32LeS, I64LeS), (I32LeU, I64LeU)),
            Operator::Greater => by_sign((I32GtS, I64GtS), (I32GtU, I64GtU)),
            Operator::GreaterEqual => by_sign((I32GeS, I64GeS), (I32GeU, I64GeU)),
            Operator::ShiftLeft | Operator::ShiftRight => {
                let by = self.exprs.with_const(of(I32And, I64And), b, u64::from(width - 1));
                let right = by_sign((I32ShrS, I64ShrS), (I32ShrU, I64ShrU));
                let op = match operator {
                    Operator::ShiftLeft => of(I32Shl, I64Shl),
                    _ => right,
                };
                return Ok(self.exprs.binary(op, a, by));
            }
            Operator::Divide | Operator::Remainder => {
                return self.divided(operator, (a, b), signed);
            }
            Operator::And | Operator::Or => {
                return Err(Interrupted::Fault(format!("{operator} does not fit here")));
            }
        };
        Ok(self.exprs.binary(op, a, b))
    }

    /// `a / b` or `a % b`, once it is known that `b` is not zero.
    fn divided(
        &mut self,
        operator: Operator,
        (a, b): (Expr, Expr),
        signed: bool,
    ) -> Result<Expr, Interrupted<Undecided>> {
        let is_zero = self.exprs.not(b);
        if self.is_true(is_zero).map_err(Interrupted::Undecided)? {
            // It says what it says of any two numbers.
            computed(operator, Number::literal(1), Number::literal(0), Language::C)?;
        }
        let wide = self.exprs.ty(a) == ValType::I64;
        let op = match (operator, signed, wide) {
            (Operator::Remainder, true, false) => I32RemS,
            (Operator::Remainder, true, true) => I64RemS,
            (Operator::Remainder, false, false) => I32RemU,
            (Operator::Remainder, false, true) => I64RemU,
            (_, false, false) => I32DivU,
            (_, false, true) => I64DivU,
            (_, true, _) => {
                // The machine traps where the smallest number is divided by -1; this wraps.
                let (div, sub, eq) =
                    if wide { (I64DivS, I64Sub, I64Eq) } else { (I32DivS, I32Sub, I32Eq) };
                let zero = self.exprs.constant(div.operand(), 0);
                let is_minus_one = self.exprs.with_const(eq, b, u64::MAX);
                let negated = self.exprs.binary(sub, zero, a);
                let quotient = self.exprs.binary(div, a, b);
                return Ok(self.exprs.ite(is_minus_one, negated, quotient));
            }
        };
        Ok(self.exprs.binary(op, a, b))
    }
}

fn ty_of(number: Symbolic) -> NumberType {
    match number {
        Symbolic::Known(number) => number.ty(),
        Symbolic::Open(_, ty) => ty,
    }
}

/// What the debugger computes.
fn computed(
    operator: Operator,
    left: Number,
    right: Number,
    language: Language,
) -> Result<Number, Interrupted<Undecided>> {
    let result = left.binary(operator, right, language);
    result.map_err(|error| Interrupted::Fault(error.to_string()))
}

impl Arithmetic for Computing<'_> {
    type Number = Symbolic;
    type Undecided = Undecided;

    fn constant(&mut self, number: Number) -> Symbolic {
        Symbolic::Known(number)
    }

    fn ty(&self, number: &Symbolic) -> NumberType {
        ty_of(*number)
    }

    fn convert(&mut self, number: &Symbolic, to: NumberType) -> Symbolic {
        let expr = match *number {
            Symbolic::Known(number) => return Symbolic::Known(number.to(to)),
            Symbolic::Open(expr, from) if from == to => return self.made(expr, to),
            Symbolic::Open(expr, _) => expr,
        };
        let converted = match (to, integer(ty_of(*number)).is_some()) {
            (NumberType::Bool, _) => {
                let truth = self.truth(*number);
                Some(self.made(truth, NumberType::Bool))
            }
            (NumberType::Float(width), _) => {
                let float = self.float(*number);
                Some(self.rounded(float, width))
            }
            (NumberType::Integer { width, signed }, true) => {
                let extended = self.extended(*number, width > 32);
                self.narrowed(extended, (width, signed))
            }
            // What a float is that lies outside of the integers, the machine sees otherwise.
            (NumberType::Integer { .. }, false) => None,
        };
        converted.unwrap_or_else(|| match self.definite_number(*number) {
            Ok(number) => Symbolic::Known(number.to(to)),
            Err(undecided) => {
                self.undecided.get_or_insert(undecided);
                Symbolic::Open(expr, to)
            }
        })
    }

    fn unary(
        &mut self,
        operation: Unary,
        number: &Symbolic,
        language: Language,
    ) -> Result<Symbolic, Interrupted<Undecided>> {
        match (operation, ty_of(*number)) {
            (Unary::Negate, NumberType::Float(width)) => {
                let float = self.float(*number);
                let negated = self.exprs.unary(F64Neg, float);
                Ok(self.rounded(negated, width))
            }
            (Unary::Negate, _) => {
                let zero = Symbolic::Known(Number::literal(0));
                self.binary(Operator::Subtract, &zero, number, language)
            }
            (Unary::Invert, NumberType::Bool) => {
                let truth = self.truth(*number);
                let not = self.exprs.not(truth);
                Ok(self.made(not, NumberType::Bool))
            }
            (Unary::Invert, _) => {
                let ones = Number::literal(-1).beside(sample(*number), language);
                self.binary(Operator::BitXor, number, &Symbolic::Known(ones), language)
            }
        }
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Symbolic,
        right: &Symbolic,
        language: Language,
    ) -> Result<Symbolic, Interrupted<Undecided>> {
        if let (Symbolic::Known(left), Symbolic::Known(right)) = (left, right) {
            return computed(operator, *left, *right, language).map(Symbolic::Known);
        }
        let width = |number: &Symbolic| match ty_of(*number) {
            NumberType::Float(width) => Some(width),
            _ => None,
        };
        match width(left).max(width(right)) {
            Some(width) => self.on_floats(operator, (*left, *right), width),
            None => self.on_integers(operator, (*left, *right), language),
        }
    }

    fn holds(&mut self, number: &Symbolic) -> Result<bool, Undecided> {
        let truth = self.truth(*number);
        self.is_true(truth)
    }

    fn definite(&mut self, number: &Symbolic) -> Result<Number, Undecided> {
        self.definite_number(*number)
    }
}

#[cfg(test)]
mod tests;
