//! A world bound to a module: what a session asks and tells about every call of a primitive.
//!
//! - An **input**: [`World::domain`] says what it can return now; the value is mocked, replayed or
//!   [`World::sample`]d; [`World::accept`] notes it. The state afterwards depends on the state
//!   before, the call and the value, and on nothing else.
//! - An **output**: [`World::perform`] changes the state and returns the captured compensation.
//! - Both return an [`Undo`]. **Invariant:** undoing the newest one leaves the state exactly as it
//!   was before, whatever the primitive.

use std::borrow::Cow;
use std::sync::Arc;

use mw_vm::{FuncType, ValType, Value};

use crate::bind::Bound;
use crate::board::{self, Interrupt};
use crate::call::{Accepted, Call, CallError, Kind, Reply, Sample, show_args, show_call, slots};
use crate::description::Description;
use crate::domain::{Domain, Number, Refusal};
use crate::primitive::{
    Act, Answers, Bearing, Input, Output, Primitive, PrimitiveId, Role, Statement,
};
use crate::rule::Rule;
use crate::state::{Change, State};
use crate::undo::{Undo, Undone};

/// A world bound to a module, in some state.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) description: Arc<Description>,
    imports: Arc<[Bound]>,
    pub(crate) state: State,
}

impl World {
    pub(crate) fn new(description: Arc<Description>, imports: Vec<Bound>) -> World {
        World { state: description.start(), description, imports: imports.into() }
    }

    /// What the world is made of.
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    /// The present state: what a checkpoint keeps.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes what was printed out of the state, for a run that nobody goes back in: it shows that
    /// and keeps nothing.
    pub fn take_printed(&mut self) -> Vec<u8> {
        self.state.board.as_mut().map(board::Board::take_printed).unwrap_or_default()
    }

    /// Goes to a state that this world was in before.
    pub fn restore(&mut self, state: State) {
        self.state = state;
    }

    /// The primitive behind an import.
    pub fn primitive(&self, import: u32) -> Result<&Primitive, CallError> {
        let bound = self.bound(import)?;
        Ok(&self.description.primitives[bound.primitive.0 as usize])
    }

    /// The module's function imports in order, each with its primitive and its type.
    pub fn imports(&self) -> impl Iterator<Item = (&Primitive, &FuncType)> {
        let primitive = |bound: &Bound| &self.description.primitives[bound.primitive.0 as usize];
        self.imports.iter().map(move |bound| (primitive(bound), &bound.ty))
    }

    /// The import that a person means by `name` or `module.name`.
    pub fn find(&self, name: &str) -> Option<u32> {
        let found = self.imports().position(|(primitive, _)| {
            name == primitive.name || name == format!("{}.{}", primitive.module, primitive.name)
        });
        found.map(|index| index as u32)
    }

    /// What kind of primitive an import is.
    pub fn kind(&self, import: u32) -> Result<Kind, CallError> {
        Ok(self.primitive(import)?.role.kind())
    }

    /// What the program says about itself by calling an import, if that is what it does.
    pub fn statement(&self, import: u32) -> Option<Statement> {
        match &self.primitive(import).ok()?.role {
            Role::Output(Output { act: Act::Says(statement), .. }) => Some(*statement),
            _ => None,
        }
    }

    /// The call for people, such as `chip_analog_read(12)`.
    pub fn show(&self, call: Call<'_>) -> String {
        match self.primitive(call.import) {
            Ok(primitive) => show_call(primitive, call.args),
            Err(_) => format!("import {}{}", call.import, show_args(call.args)),
        }
    }

    /// What the input can return here and now, dependency rules included.
    pub fn domain(&self, call: Call<'_>) -> Result<Cow<'_, Domain>, CallError> {
        let (id, input, ty) = self.input(call)?;
        let mut domain = match input.answers {
            Answers::Between => match between(call.args) {
                Some(domain) => Cow::Owned(domain),
                None => return Err(CallError::Empty { call: self.show(call) }),
            },
            _ => self.answers(input, call, ty),
        };
        for rule in self.active_rules(id, call.args) {
            let Some(narrower) = domain.intersect(&rule.domain) else {
                let rules = self.active_rules(id, call.args).map(|rule| rule.text.clone());
                return Err(CallError::Contradiction {
                    call: self.show(call),
                    rules: rules.collect(),
                });
            };
            domain = Cow::Owned(narrower);
        }
        Ok(domain)
    }

    /// The rules that restrict an input with these arguments in the present state.
    pub fn active_rules<'a>(
        &'a self,
        input: PrimitiveId,
        args: &'a [Value],
    ) -> impl Iterator<Item = &'a Rule> {
        let rules = self.description.rules.concerning(input, args);
        rules.filter(move |rule| rule.holds(&self.state))
    }

    /// Accepts a value that the input can return and explains the refusal of another.
    pub fn check(&self, call: Call<'_>, value: Value) -> Result<(), CallError> {
        let (id, _, ty) = self.input(call)?;
        let domain = self.domain(call)?;
        if value.ty() == ty && domain.contains(value) {
            return Ok(());
        }
        Err(CallError::Refused {
            call: self.show(call),
            refusal: Refusal { value, domain: domain.into_owned() },
            rules: self.active_rules(id, call.args).map(|rule| rule.text.clone()).collect(),
        })
    }

    /// What the input returns when nobody mocks it: what a person has set it to, else what its
    /// source has next; always something possible.
    pub fn sample(&self, call: Call<'_>) -> Result<Sample, CallError> {
        let (id, input, ty) = self.input(call)?;
        let domain = self.domain(call)?;
        let value = match self.state.readings.get(&(id, slots(call.args))) {
            // It may have been set where the module imports it under another type.
            Some(reading) => Number::of(*reading).map(|number| domain.nearest(number.to_value(ty))),
            None => input.source.peek(self.state.progress.get(&id).copied(), &domain, ty),
        };
        Ok(value.map_or(Sample::Ask, Sample::Value))
    }

    /// What the input has been set to, if it has been.
    pub fn reading(&self, call: Call<'_>) -> Option<Value> {
        let (id, ..) = self.input(call).ok()?;
        self.state.readings.get(&(id, slots(call.args))).copied()
    }

    /// Whether any input has been set to something.
    pub fn has_readings(&self) -> bool {
        !self.state.readings.is_empty()
    }

    /// Notes that the input returned `value`.
    pub fn accept(&mut self, call: Call<'_>, value: Value) -> Result<Accepted, CallError> {
        self.check(call, value)?;
        let (id, input, _) = self.input(call)?;
        let mut changes = Vec::new();
        if let (Answers::Clock(unit), Some(board)) = (&input.answers, &self.state.board) {
            let takes = self.reading_time_takes();
            let waited = until(board.clock(), *unit, value);
            let passed = board.passing(waited.saturating_add(takes));
            changes.push(Change::Board(board::Change::Elapse(passed)));
        }
        if let (Answers::Asked(question), Some(board)) = (&input.answers, &self.state.board) {
            changes.extend((question.notes)(board, call.args).map(Change::Board));
        }
        if let Answers::Behaviour(behaviour) = &input.answers {
            let sets = behaviour.accepted(&self.state, call.args, value);
            changes.extend(sets.into_iter().map(|(id, value)| Change::Register(id, value)));
        }
        if let Some(next) = input.source.next(self.state.progress.get(&id).copied()) {
            changes.push(Change::Progress(id, Some(next)));
        }
        let changes = self.state.apply_all(changes);
        let reply = Reply { results: vec![value], writes: Vec::new() };
        Ok(Accepted { reply, undo: Undo { changes, call: None } })
    }

    /// Sets what the input returns from now on when nobody mocks it, as a slider does; `None`
    /// gives it back to its source. Part of the state.
    pub fn set_reading(&mut self, call: Call<'_>, value: Option<Value>) -> Result<Undo, CallError> {
        let (id, input, ty) = self.input(call)?;
        // What a rule or the time excludes just now is no mistake: the nearest is sampled.
        let possible = match &input.answers {
            Answers::Values(domain) => Some(domain.clone()),
            Answers::Level => board::levels(None),
            Answers::Clock(_) | Answers::Behaviour(_) | Answers::Asked(_) => Domain::all(ty),
            Answers::Between => between(call.args),
        };
        if let (Some(value), Some(domain)) = (value, possible)
            && !(value.ty() == ty && domain.contains(value))
        {
            let refusal = Refusal { value, domain };
            return Err(CallError::Refused { call: self.show(call), refusal, rules: vec![] });
        }
        let change = Change::Reading(Box::new((id, slots(call.args))), value);
        Ok(Undo { changes: self.state.apply_all([change]), call: None })
    }

    /// How many microseconds pass when the program reads the time.
    pub fn reading_time_takes(&self) -> i64 {
        self.description.board.as_ref().map_or(0, |settings| settings.reading_time_takes.into())
    }

    /// How an argument of an output bears on what comes later.
    pub fn bearing(&self, import: u32, argument: usize) -> Bearing {
        let rules = &self.description.rules;
        match self.primitive(import).map(|primitive| (&primitive.role, &primitive.name)) {
            Ok((Role::Output(Output { act: Act::Board(_), .. }), name)) => {
                match rules.look_at_board() {
                    true => Bearing::Exact,
                    false => board::bearing(name, argument),
                }
            }
            Ok((Role::Output(Output { act: Act::Registers { .. }, .. }), _)) => {
                match rules.look_at_registers() {
                    true => Bearing::Exact,
                    false => Bearing::None,
                }
            }
            Ok((
                Role::Output(Output {
                    act: Act::Behaviour(_) | Act::Says(Statement::Allocate | Statement::Free),
                    ..
                }),
                _,
            )) => Bearing::Exact,
            _ => Bearing::None,
        }
    }

    /// Takes back the newest change: of an output, of an accepted input, or of a reading.
    pub fn undo(&mut self, undo: Undo) -> Undone {
        let called = undo.call.as_deref().and_then(|call| self.after_calling(call));
        self.state.apply_all(undo.changes);
        let exact = called.as_ref().is_none_or(|(state, _)| *state == self.state);
        Undone { called: called.map(|(_, shown)| shown), exact }
    }

    /// The interrupts that the program has asked for and that may therefore arrive.
    ///
    /// Whether one arrives, and when, is a choice like the value of an input: WARDuino delivers
    /// an interrupt between two instructions by calling the function at
    /// [`Interrupt::table_index`] of the module's table (with zeros for whatever parameters it
    /// has). A session that explores them offers each of these as a branch at the places where it
    /// looks, and records in the choice which one arrived. The arrival itself changes nothing in
    /// the world; what the callback does comes back through inputs and outputs like everything
    /// else.
    pub fn pending_interrupts(&self) -> Vec<Interrupt> {
        self.state.board().map(|board| board.interrupts().collect()).unwrap_or_default()
    }

    /// Whether the program has asked to be told of interrupts.
    pub fn awaits_interrupts(&self) -> bool {
        self.state.board().is_some_and(|board| board.interrupts().next().is_some())
    }

    /// Whether a call should bring something in a buffer of the program, and does not.
    pub fn fills_buffer(&self, import: u32) -> bool {
        self.primitive(import).is_ok_and(|primitive| primitive.fills_buffer)
    }

    /// Whether an import is written in Rust, so that what it does is not seen.
    pub fn is_in_rust(&self, import: u32) -> bool {
        self.primitive(import).is_ok_and(|primitive| match &primitive.role {
            Role::Input(input) => matches!(input.answers, Answers::Behaviour(_)),
            Role::Output(output) => matches!(output.act, Act::Behaviour(_)),
            Role::Abort => false,
        })
    }

    /// Whether the program has asked to be called when a message arrives. None does here: what is
    /// in a message would have to be written into the program's memory.
    pub fn awaits_messages(&self) -> bool {
        self.state.board().is_some_and(|board| board.awaits_messages())
    }

    pub(crate) fn bound(&self, import: u32) -> Result<&Bound, CallError> {
        self.imports.get(import as usize).ok_or(CallError::NoSuchImport(import))
    }

    fn input(&self, call: Call<'_>) -> Result<(PrimitiveId, &Input, ValType), CallError> {
        let bound = self.bound(call.import)?;
        match (&self.primitive(call.import)?.role, bound.ty.results.first()) {
            (Role::Input(input), Some(ty)) => Ok((bound.primitive, input, *ty)),
            _ => Err(CallError::WrongKind { call: self.show(call), wanted: "input" }),
        }
    }

    /// What the input can return before rules.
    fn answers<'a>(&'a self, input: &'a Input, call: Call<'_>, ty: ValType) -> Cow<'a, Domain> {
        let computed = match (&input.answers, &self.state.board) {
            (Answers::Values(domain), _) => return Cow::Borrowed(domain),
            (Answers::Behaviour(behaviour), _) => Some(behaviour.domain(&self.state, call.args)),
            (Answers::Clock(unit), Some(board)) => {
                let now = board.clock() / unit;
                match ty {
                    ValType::I32 => Domain::range((now as i32).into(), i32::MAX.into()),
                    _ => Domain::range(now, i64::MAX / unit),
                }
            }
            (Answers::Asked(question), Some(board)) => (question.answers)(board, call.args),
            (Answers::Level, Some(board)) => {
                let pin = match call.args.first() {
                    Some(Value::I32(pin)) => u8::try_from(*pin).ok(),
                    _ => None,
                };
                board::levels(pin.and_then(|pin| board.driven(pin)))
            }
            _ => None,
        };
        // Without a board there is no clock and no pin; its primitives cannot have been bound.
        Cow::Owned(computed.or(Domain::all(ty)).unwrap_or(Domain::Floats(crate::Floats::ANY)))
    }
}

/// From the first argument up to the second; `None` if that is nothing.
fn between(args: &[Value]) -> Option<Domain> {
    match args {
        [Value::I32(low), Value::I32(high)] => Domain::range(i64::from(*low), i64::from(*high) - 1),
        _ => None,
    }
}

/// How many microseconds after `clock` the time first reads `value` in units of `unit`.
fn until(clock: i64, unit: i64, value: Value) -> i64 {
    let now = clock / unit;
    let then = match value {
        // Platforms with 32 bits let the time wrap around: the next moment that reads so.
        Value::I32(v) => now.saturating_add(i64::from((v as u32).wrapping_sub(now as u32))),
        Value::I64(v) => v,
        _ => now,
    };
    match then > now {
        true => then.saturating_mul(unit).saturating_sub(clock),
        false => 0,
    }
}
