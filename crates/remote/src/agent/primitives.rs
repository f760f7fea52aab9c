//! Primitives out of functions, a few lines each.
//!
//! ```
//! use mw_remote::agent::{Captured, Primitives};
//! use mw_vm::Value;
//!
//! struct Board {
//!     led: bool,
//! }
//!
//! let primitives = Primitives::new(Board { led: false })
//!     // An input: its name, type and domain, and how to read it.
//!     .input("env", "temperature", ">i", -40..=125, |_board, _call| Value::I32(21))
//!     // An output: how to do it, which returns what it overwrote, and how to take it back.
//!     .output(
//!         "env",
//!         "led",
//!         "i>",
//!         |board, call, _memory| {
//!             let before = core::mem::replace(&mut board.led, call.i32(0) != 0);
//!             Ok(Captured::new([before.into()]))
//!         },
//!         |board, captured| board.led = captured[0] != 0,
//!     );
//! # let _ = primitives;
//! ```

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::ops::RangeInclusive;

use mw_vm::{FuncType, ValType, Value};

use super::outside::{Answer, Call, Fault, Outside, ProgramMemory};
use crate::message::{Described, Domain, Kind};

/// What an output has overwritten: a few numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    numbers: Vec<i32>,
    result: Option<Value>,
}

impl Captured {
    /// What is needed to take the output back.
    pub fn new<const N: usize>(numbers: [i32; N]) -> Self {
        Captured { numbers: numbers.to_vec(), result: None }
    }

    /// There is nothing to take back.
    pub fn nothing() -> Self {
        Captured::default()
    }

    /// The output returns something. It has to follow from the calls before: outputs are no
    /// choices.
    pub fn returning(mut self, value: Value) -> Self {
        self.result = Some(value);
        self
    }
}

type Read<H> = fn(&mut H, Call<'_>) -> Value;
type Perform<H> = fn(&mut H, Call<'_>, &dyn ProgramMemory) -> Result<Captured, Fault>;
type Undo<H> = fn(&mut H, &[i32]);

enum Action<H> {
    Input { read: Read<H>, low: i64, high: i64 },
    Output { perform: Perform<H>, undo: Option<Undo<H>> },
    Abort,
}

struct Primitive<H> {
    module: &'static str,
    name: &'static str,
    ty: FuncType,
    action: Action<H>,
}

impl<H> Primitive<H> {
    /// Of floats only the type is known here; the host knows the domain.
    fn domain(&self) -> Option<Domain> {
        let is_integer = matches!(self.ty.results.first(), Some(ValType::I32 | ValType::I64));
        match self.action {
            Action::Input { low, high, .. } if is_integer => {
                Some(Domain::Integers([(low, high)].into()))
            }
            _ => None,
        }
    }
}

/// The primitives of a device, over its hardware.
pub struct Primitives<H> {
    hardware: H,
    list: Vec<Primitive<H>>,
}

impl<H> Primitives<H> {
    /// No primitives yet.
    pub fn new(hardware: H) -> Self {
        Primitives { hardware, list: Vec::new() }
    }

    /// The hardware.
    pub fn hardware(&mut self) -> &mut H {
        &mut self.hardware
    }

    /// Adds an input. Its type is written [in letters](FuncType::of_letters).
    pub fn input(
        self,
        module: &'static str,
        name: &'static str,
        ty: &str,
        domain: RangeInclusive<i64>,
        read: Read<H>,
    ) -> Self {
        let (low, high) = domain.into_inner();
        self.add(module, name, ty, Action::Input { read, low, high })
    }

    /// Adds an output, with how to take it back.
    pub fn output(
        self,
        module: &'static str,
        name: &'static str,
        ty: &str,
        perform: Perform<H>,
        undo: Undo<H>,
    ) -> Self {
        self.add(module, name, ty, Action::Output { perform, undo: Some(undo) })
    }

    /// Adds an output that cannot be taken back.
    pub fn irreversible(
        self,
        module: &'static str,
        name: &'static str,
        ty: &str,
        perform: Perform<H>,
    ) -> Self {
        self.add(module, name, ty, Action::Output { perform, undo: None })
    }

    /// Adds a primitive that ends the program.
    pub fn abort(self, module: &'static str, name: &'static str, ty: &str) -> Self {
        self.add(module, name, ty, Action::Abort)
    }

    fn add(
        mut self,
        module: &'static str,
        name: &'static str,
        ty: &str,
        action: Action<H>,
    ) -> Self {
        self.list.push(Primitive { module, name, ty: FuncType::of_letters(ty), action });
        self
    }

    fn get(&self, primitive: u32) -> Option<&Primitive<H>> {
        self.list.get(primitive as usize)
    }
}

impl<H> Outside for Primitives<H> {
    fn describe(&self, primitive: u32) -> Option<Described> {
        let found = self.get(primitive)?;
        Some(Described {
            module: found.module.to_string(),
            name: found.name.to_string(),
            types: [found.ty.clone()].into(),
            kind: self.kind(primitive),
            domain: found.domain(),
        })
    }

    fn find(&self, module: &str, name: &str, ty: &FuncType) -> Option<u32> {
        let fits = |p: &Primitive<H>| (p.module, p.name) == (module, name) && p.ty == *ty;
        self.list.iter().position(fits).map(|index| index as u32)
    }

    fn kind(&self, primitive: u32) -> Kind {
        match self.get(primitive).map(|found| &found.action) {
            Some(Action::Input { .. }) => Kind::Input,
            Some(Action::Output { undo, .. }) => Kind::Output { irreversible: undo.is_none() },
            Some(Action::Abort) | None => Kind::Abort,
        }
    }

    fn admits(&self, call: Call<'_>, value: Value) -> bool {
        let Some(Primitive { ty, action: Action::Input { low, high, .. }, .. }) =
            self.get(call.primitive)
        else {
            return false;
        };
        let number = match value {
            Value::I32(value) => value.into(),
            Value::I64(value) => value,
            _ => *low,
        };
        ty.results.first() == Some(&value.ty()) && (*low..=*high).contains(&number)
    }

    fn read(&mut self, call: Call<'_>) -> Result<Answer, Fault> {
        match self.list.get(call.primitive as usize).map(|found| &found.action) {
            Some(Action::Input { read, .. }) => {
                let value = read(&mut self.hardware, call);
                Ok(Answer { result: Some(value), captured: Vec::new() })
            }
            _ => Err(Fault::Abort(String::new())),
        }
    }

    fn perform(&mut self, call: Call<'_>, memory: &dyn ProgramMemory) -> Result<Answer, Fault> {
        match self.list.get(call.primitive as usize).map(|found| &found.action) {
            Some(Action::Output { perform, .. }) => {
                let done = perform(&mut self.hardware, call, memory)?;
                let bytes = done.numbers.iter().flat_map(|number| number.to_le_bytes());
                Ok(Answer { result: done.result, captured: bytes.collect() })
            }
            _ => Err(Fault::Abort("the program called abort".to_string())),
        }
    }

    fn undo(&mut self, primitive: u32, captured: &[u8]) -> Result<(), String> {
        let Some(Primitive { action: Action::Output { undo: Some(undo), .. }, .. }) =
            self.list.get(primitive as usize)
        else {
            return Err("it is irreversible".to_string());
        };
        let (numbers, rest) = captured.as_chunks::<4>();
        if !rest.is_empty() {
            return Err("not what was captured".to_string());
        }
        let numbers: Vec<i32> = numbers.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
        undo(&mut self.hardware, &numbers);
        Ok(())
    }
}
