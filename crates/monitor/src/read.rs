//! Reading the parameters of an event where it happens.

use mw_source::{Expression, Frame, MachineFrame, Number, Sources, Storage};
use mw_vm::{Cell, Machine, Value};
use smallvec::SmallVec;

use crate::automaton::Automaton;
use crate::event::{Parameter, Point, Variable, Watch};

/// The values of an event's parameters. What is not available is none.
pub type Values = SmallVec<[Option<Number>; 4]>;

/// What there is to read where an event happens.
#[derive(Clone, Copy, Debug)]
pub struct Occasion<'a> {
    /// The machine that it happens in.
    pub machine: &'a Machine,
    /// The program that this one runs.
    pub program: u16,
    /// How many calls the frame of the event is out from the innermost.
    pub depth: usize,
    /// The arguments of the function or primitive, as they were passed. Without, the locals of the
    /// frame are taken for them.
    pub arguments: Option<&'a [Value]>,
    /// What the function or primitive returns.
    pub results: &'a [Value],
    /// Who sends a message and whom it is for; who ran and who runs next.
    pub between: Option<(u32, u32)>,
    /// The bytes of a message.
    pub bytes: &'a [u8],
    /// The pin that an interrupt comes from.
    pub pin: Option<u32>,
}

impl<'a> Occasion<'a> {
    /// In a machine, with nothing else to read.
    pub fn new(machine: &'a Machine) -> Occasion<'a> {
        Occasion {
            machine,
            program: 0,
            depth: 0,
            arguments: None,
            results: &[],
            between: None,
            bytes: &[],
            pin: None,
        }
    }
}

impl Automaton {
    /// The values of an event's parameters.
    pub fn read(&self, watch: &Watch, occasion: &Occasion<'_>) -> Values {
        watch.parameters.iter().map(|parameter| self.value(watch, parameter, occasion)).collect()
    }

    fn value(
        &self,
        watch: &Watch,
        parameter: &Parameter,
        occasion: &Occasion<'_>,
    ) -> Option<Number> {
        let whole = |value: u32| Number::Integer { value: value.into(), width: 32, signed: false };
        match parameter {
            Parameter::Argument(index, ty) => {
                let value = match occasion.arguments {
                    Some(passed) => *passed.get(usize::from(*index))?,
                    None => occasion.machine.local(occasion.depth, u32::from(*index))?,
                };
                Some(Number::of(value)?.to(*ty))
            }
            Parameter::Return(ty) => Some(Number::of(*occasion.results.first()?)?.to(*ty)),
            Parameter::Expression(expression) => {
                self.evaluated(watch, expression, occasion, occasion.depth)
            }
            Parameter::Caller(expression) => {
                self.evaluated(watch, expression, occasion, occasion.depth + 1)
            }
            Parameter::From => occasion.between.map(|(from, _)| whole(from)),
            Parameter::To => occasion.between.map(|(_, to)| whole(to)),
            Parameter::Length => u32::try_from(occasion.bytes.len()).ok().map(whole),
            Parameter::Byte(index) => {
                let byte = *occasion.bytes.get(*index as usize)?;
                Some(Number::Integer { value: byte.into(), width: 8, signed: false })
            }
            Parameter::Word(index) => {
                let start = (*index as usize).checked_mul(4)?;
                let bytes = occasion.bytes.get(start..start.checked_add(4)?)?;
                let value = i32::from_le_bytes(bytes.try_into().ok()?);
                Some(Number::Integer { value: value.into(), width: 32, signed: true })
            }
            Parameter::Pin => occasion.pin.map(whole),
            Parameter::Missing => None,
        }
    }

    fn evaluated(
        &self,
        watch: &Watch,
        expression: &Expression,
        occasion: &Occasion<'_>,
        depth: usize,
    ) -> Option<Number> {
        let storage = MachineFrame::new(occasion.machine, depth);
        let (sources, frame) = self.frame(watch, occasion, depth)?;
        expression.number(sources, &frame, &storage).ok()
    }

    /// The number that an expression among the parameters of an event is, over a storage of the
    /// caller's, and the cell that all of it is in, if there is one.
    pub fn evaluate(
        &self,
        watch: &Watch,
        expression: &Expression,
        occasion: &Occasion<'_>,
        storage: &dyn Storage,
    ) -> Option<(Number, Option<Cell>)> {
        let (sources, frame) = self.frame(watch, occasion, storage.depth() as usize)?;
        let number = expression.number(sources, &frame, storage).ok()?;
        let variable = expression.evaluate(sources, &frame, storage).ok();
        Some((number, variable.and_then(|variable| sources.cell(&variable))))
    }

    /// What is known of the frame in which the expressions of an event are evaluated.
    fn frame(
        &self,
        watch: &Watch,
        occasion: &Occasion<'_>,
        depth: usize,
    ) -> Option<(&Sources, Frame)> {
        let (module, sources) = self.programs.get(usize::from(occasion.program))?;
        let frame = match (&watch.point, depth == occasion.depth) {
            (Point::Call { func, .. }, true) => sources.entry_frame(module, *func),
            _ => {
                let stack = occasion.machine.call_stack();
                let offset = stack.get(depth).and_then(|frame| module.offset_of(frame.pc));
                let mut frames = offset.map(|offset| sources.frames(offset)).unwrap_or_default();
                // A function returns as a whole; everything else is where the program is.
                match &watch.point {
                    Point::Return { .. } if depth == occasion.depth => frames.pop(),
                    _ => (!frames.is_empty()).then(|| frames.swap_remove(0)),
                }
                .unwrap_or_default()
            }
        };
        Some((sources, frame))
    }

    /// Where a variable is that is in memory, in one of the frames of its function: that so many
    /// calls out from the innermost.
    pub fn range_in_frame(
        &self,
        watch: &Watch,
        machine: &Machine,
        depth: usize,
    ) -> Option<std::ops::Range<u64>> {
        let Point::Access { program, variable: Variable::InFrame { .. }, .. } = &watch.point else {
            return None;
        };
        let (module, sources) = self.programs.get(usize::from(*program))?;
        let pc = machine.call_stack().get(depth)?.pc;
        let frame = sources.frames(module.offset_of(pc)?).pop()?;
        let storage = MachineFrame::new(machine, depth);
        let found = watch.variable.as_ref()?.evaluate(sources, &frame, &storage).ok()?;
        let (address, size) = (found.address?, sources.size(&found)?);
        Some(address..address.checked_add(size.max(1))?)
    }
}
