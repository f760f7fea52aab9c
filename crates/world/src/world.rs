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

use crate::answer::Answer;
use crate::bind::Bound;
use crate::board::{self, Board};
use crate::call::{Accepted, Call, CallError, Kind, Reply, Sample, show_args, show_call, slots};
use crate::description::Description;
use crate::domain::{Domain, Number, Refusal};
use crate::primitive::{
    Act, Answers, Bearing, Input, Output, Port, Primitive, PrimitiveId, Role, Statement, TaskCall,
};
use crate::rule::Rule;
use crate::state::{Change, State};
use crate::undo::{Undo, Undone};

/// A world bound to a module, in some state.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) description: Arc<Description>,
    imports: Arc<[Bound]>,
    /// Which of the worlds of a system it is.
    device: u16,
    pub(crate) state: State,
}

impl World {
    pub(crate) fn new(description: Arc<Description>, imports: Vec<Bound>) -> World {
        World { state: description.start(), description, imports: imports.into(), device: 0 }
    }

    /// The same as one of the worlds of a system.
    pub fn on(self, device: u16) -> World {
        World { device, ..self }
    }

    /// Which of the worlds of a system it is; the first, if there is no other.
    pub fn device(&self) -> u16 {
        self.device
    }

    /// The same primitives, bound alike, in another state.
    pub fn with_state(&self, state: State) -> World {
        let (description, imports) = (self.description.clone(), self.imports.clone());
        World { description, imports, device: self.device, state }
    }

    /// What the world is made of.
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    /// The present state: what a checkpoint keeps.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What the newest call printed, by how it is taken back: the last of it, at most so many
    /// bytes. `None` if it printed nothing.
    pub fn printed_by(&self, undo: &Undo, most: usize) -> Option<Vec<u8>> {
        let transcript = self.state.board()?.transcript();
        let length_before = undo.changes.iter().filter_map(|change| match change {
            Change::Board(board::BoardChange::Unprint(length)) => usize::try_from(*length).ok(),
            _ => None,
        });
        let first = length_before.min()?.max(transcript.len().saturating_sub(most));
        (first < transcript.len()).then(|| transcript.since(first))
    }

    /// Takes what was printed out of the state, for a run that nobody goes back in: it shows that
    /// and keeps nothing.
    pub fn take_printed(&mut self) -> Vec<u8> {
        self.state.board.as_mut().map(Board::take_printed).unwrap_or_default()
    }

    /// Goes to a state that this world was in before.
    pub fn restore(&mut self, state: State) {
        self.state = state;
    }

    /// The primitive behind an import, and under which of its types it is imported.
    pub fn port(&self, import: u32) -> Result<Port, CallError> {
        Ok(self.bound(import)?.port.on(self.device))
    }

    /// The first import that is this primitive under this type.
    pub fn import_of(&self, port: Port) -> Option<u32> {
        let is_it = |bound: &Bound| bound.port.on(self.device) == port;
        self.imports.iter().position(is_it).map(|index| index as u32)
    }

    /// The primitive behind an import.
    pub fn primitive(&self, import: u32) -> Result<&Primitive, CallError> {
        let bound = self.bound(import)?;
        Ok(&self.description.primitives[bound.port.primitive.0 as usize])
    }

    /// The module's function imports in order, each with its primitive and its type.
    pub fn imports(&self) -> impl Iterator<Item = (&Primitive, &FuncType)> {
        let primitive =
            |bound: &Bound| &self.description.primitives[bound.port.primitive.0 as usize];
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

    /// What the program asks of other tasks by calling an import, if that is what it does.
    pub fn task_call(&self, import: u32) -> Option<TaskCall> {
        match &self.primitive(import).ok()?.role {
            Role::Output(Output { act: Act::Task(call), .. }) => Some(*call),
            _ => None,
        }
    }

    /// Whether the program asks anything of other tasks.
    pub fn has_tasks(&self) -> bool {
        (0..self.imports.len() as u32).any(|import| self.task_call(import).is_some())
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

    /// The same for a call by whatever module.
    pub fn show_port(&self, port: Port, args: &[Value]) -> String {
        match self.description.port(port) {
            Some((primitive, _)) => show_call(primitive, args),
            None => format!("primitive {}{}", port.primitive.0, show_args(args)),
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

    /// Accepts what the input can answer and explains the refusal of anything else.
    pub fn check(&self, call: Call<'_>, answer: &Answer) -> Result<(), CallError> {
        let (id, _, ty) = self.input(call)?;
        let (domain, value) = (self.domain(call)?, answer.value);
        if !(value.ty() == ty && domain.contains(value)) {
            return Err(CallError::Refused {
                call: self.show(call),
                refusal: Refusal { value, domain: domain.into_owned() },
                rules: self.active_rules(id, call.args).map(|rule| rule.text.clone()).collect(),
            });
        }
        self.check_bytes(call, answer)
    }

    /// Accepts bytes that can come with an answer, whatever the state of the world.
    pub fn check_bytes(&self, call: Call<'_>, answer: &Answer) -> Result<(), CallError> {
        let Some(length) = answer.bytes.as_ref().map(|bytes| bytes.len()) else { return Ok(()) };
        let (_, input, ty) = self.input(call)?;
        let (shown, value) = (|| self.show(call), answer.value);
        let brings = input.brings.ok_or_else(|| CallError::NoBuffer { call: shown() })?;
        let most = brings.most(call.args);
        if length > most as usize {
            return Err(CallError::TooMuch { call: shown(), most, length });
        }
        match brings.is_counted && value != counted(length, ty) {
            true => Err(CallError::Miscounted { call: shown(), value, length }),
            false => Ok(()),
        }
    }

    /// The answer that brings these bytes: what it returns says how many they are, or is what it
    /// returns by itself. `None` if only a person knows that.
    pub fn bringing(&self, call: Call<'_>, bytes: Arc<[u8]>) -> Result<Option<Answer>, CallError> {
        let (_, input, ty) = self.input(call)?;
        let value = match input.brings {
            Some(brings) if brings.is_counted => Some(counted(bytes.len(), ty)),
            _ => match self.sample(call)? {
                Sample::Answer(answer) => Some(answer.value),
                Sample::Ask => None,
            },
        };
        Ok(value.map(|value| Answer { value, bytes: Some(bytes) }))
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
        Ok(value.map_or(Sample::Ask, |value| Sample::Answer(value.into())))
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

    /// Notes what the input answered.
    pub fn accept(
        &mut self,
        call: Call<'_>,
        answer: impl Into<Answer>,
    ) -> Result<Accepted, CallError> {
        let answer = answer.into();
        self.check(call, &answer)?;
        let (id, input, _) = self.input(call)?;
        let (mut changes, value) = (Vec::new(), answer.value);
        if let (Answers::Clock(unit), Some(board)) = (&input.answers, &self.state.board) {
            let takes = self.reading_time_takes();
            let waited = until(board.clock(), *unit, value);
            let passed = board.passing(waited.saturating_add(takes));
            changes.push(Change::Board(board::BoardChange::Elapse(passed)));
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
        let arrives = input.brings.zip(answer.bytes);
        let writes = arrives.map(|(brings, bytes)| (brings.address(call.args), bytes.to_vec()));
        let reply = Reply { results: vec![value], writes: writes.into_iter().collect() };
        let changes = self.state.apply_all(changes);
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

    /// The time of the world's own clock, in microseconds.
    pub fn clock(&self) -> i64 {
        self.state.board().map_or(0, Board::clock)
    }

    /// How an argument of an output bears on what comes later.
    pub fn bearing(&self, import: u32, argument: usize) -> Bearing {
        let Ok(Primitive { role: Role::Output(output), .. }) = self.primitive(import) else {
            return Bearing::None;
        };
        let rules = &self.description.rules;
        let is_looked_at = match output.act {
            Act::Board(_) => rules.look_at_board(),
            Act::Registers { .. } => rules.look_at_registers(),
            Act::Behaviour(_) | Act::Says(_) | Act::Task(_) => false,
        };
        let bearing = output.bearing.get(argument).or(output.bearing.last());
        if is_looked_at { Bearing::Exact } else { bearing.copied().unwrap_or(Bearing::None) }
    }

    /// What a call sets by an argument whose [bearing](Self::bearing) is [`Bearing::Shown`], or
    /// shows: a number that both have in common.
    pub fn cell(&self, call: Call<'_>) -> Option<u32> {
        let shows = match &self.primitive(call.import).ok()?.role {
            Role::Input(input) => matches!(input.answers, Answers::Level),
            Role::Output(output) => output.bearing.contains(&Bearing::Shown),
            Role::Abort => false,
        };
        match call.args.first() {
            Some(Value::I32(pin)) if shows => u8::try_from(*pin).ok().map(u32::from),
            _ => None,
        }
    }

    /// Takes back the newest change: of an output, of an accepted input, or of a reading.
    pub fn undo(&mut self, undo: Undo) -> Undone {
        let called = undo.call.as_deref().and_then(|call| self.after_calling(call));
        self.state.apply_all(undo.changes);
        let exact = called.as_ref().is_none_or(|(state, _)| *state == self.state);
        Undone { called: called.map(|(_, shown)| shown), exact }
    }

    /// Whether the program has asked to be told of interrupts.
    pub fn awaits_interrupts(&self) -> bool {
        self.state.board().is_some_and(|board| board.interrupts().next().is_some())
    }

    /// Whether something may arrive, or should, in a buffer that a call names.
    pub fn fills_buffer(&self, import: u32) -> bool {
        self.primitive(import).is_ok_and(|primitive| match &primitive.role {
            Role::Input(input) => input.brings.is_some(),
            Role::Output(output) => output.omits_buffer,
            Role::Abort => false,
        })
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
            (Role::Input(input), Some(ty)) => Ok((bound.port.primitive, input, *ty)),
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

/// A number of bytes as a call returns it.
fn counted(length: usize, ty: ValType) -> Value {
    Number::Integer(length as i64).to_value(ty)
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
