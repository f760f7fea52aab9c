//! Deciding what comes from outside: mocks, answers, readings, interrupts.

use mw_session::{Direction, Halt, Mock, MockId, Session};
use mw_vm::{FuncType, ValType, Value};
use mw_world::{Answer, Answers, Call, Domain, Kind, Refusal, Role, answer};

use crate::debugger::Debugger;
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::notation::{did_you_mean, list, parse_value, read_call, read_value};
use crate::reply::{InterruptView, MockView, Reply};
use crate::request::{CallRef, Which};

/// Calls of a primitive that have been found in the module.
pub(crate) struct CallPattern {
    pub import: u32,
    pub name: String,
    /// `None` for any.
    pub args: Option<Vec<Value>>,
}

impl CallPattern {
    pub fn matches(&self, call: Call<'_>) -> bool {
        self.import == call.import && self.args.as_ref().is_none_or(|args| args == call.args)
    }

    pub fn text(&self) -> String {
        match &self.args {
            None => self.name.clone(),
            Some(args) => {
                let args: Vec<String> = args.iter().map(ToString::to_string).collect();
                format!("{}({})", self.name, args.join(", "))
            }
        }
    }
}

impl Debugger {
    /// The primitive and arguments that are meant.
    pub(crate) fn find_call(&self, call: &CallRef) -> Result<CallPattern, ApiError> {
        let spec = read_call(call)?;
        let world = self.session.world();
        let name = spec.primitive.as_str();
        let import = world.find(name).ok_or_else(|| {
            let known: Vec<String> = world.imports().map(|(p, _)| p.full_name()).collect();
            let known = || known.iter().map(String::as_str);
            ApiError::unknown(format!(
                "the program imports no primitive {name}{}; its primitives are: {}",
                did_you_mean(name, known()),
                list(known(), "none")
            ))
        })?;
        let ty = self.import_type(import);
        let name = world.primitive(import)?.full_name();
        let Some(words) = spec.args else { return Ok(CallPattern { import, name, args: None }) };
        if words.len() != ty.params.len() {
            return Err(ApiError::notation(format!(
                "{name} {ty} takes {} and gets {}; write {name} alone for any",
                arguments(ty.params.len()),
                words.len()
            )));
        }
        let args = words.iter().zip(&ty.params).map(|(word, ty)| parse_value(word, *ty));
        let args = args.collect::<Result<_, _>>().map_err(ApiError::notation)?;
        Ok(CallPattern { import, name, args: Some(args) })
    }

    pub(crate) fn import_type(&self, import: u32) -> FuncType {
        let found = self.session.world().imports().nth(import as usize).map(|(_, ty)| ty.clone());
        found.unwrap_or_else(|| FuncType::new([], []))
    }

    /// The same, of an input.
    pub(crate) fn find_input(&self, call: &CallRef) -> Result<CallPattern, ApiError> {
        let pattern = self.find_call(call)?;
        if matches!(self.session.world().kind(pattern.import), Ok(Kind::Input)) {
            return Ok(pattern);
        }
        let world = self.session.world();
        let inputs = (0..)
            .zip(world.imports())
            .filter(|(import, _)| matches!(world.kind(*import), Ok(Kind::Input)));
        let inputs: Vec<String> = inputs.map(|(_, (p, _))| p.full_name()).collect();
        Err(ApiError::unknown(format!(
            "{} is not an input, so there is no value to decide; the inputs are: {}",
            pattern.name,
            list(inputs.iter().map(String::as_str), "none")
        )))
    }

    /// The type of an input's values.
    pub(crate) fn input_type(&self, import: u32) -> ValType {
        self.import_type(import).results.first().copied().unwrap_or(ValType::I32)
    }

    /// A value for an input, refused if it is never possible. What is only impossible now, because
    /// of the time or a rule, is refused when the input is read.
    pub(crate) fn possible_value(
        &self,
        pattern: &CallPattern,
        text: &str,
    ) -> Result<Value, ApiError> {
        let ty = self.input_type(pattern.import);
        let domain = self.usual_domain(pattern.import);
        let value = read_value(text, domain.as_ref(), ty).map_err(ApiError::notation)?;
        match domain {
            Some(domain) if !domain.contains(value) => {
                let refusal = Refusal { value, domain };
                let message = format!("{}: {refusal}", pattern.text());
                Err(ApiError::new(ErrorKind::Refused, message))
            }
            _ => Ok(value),
        }
    }

    /// What an input answers in a person's words: a value, bytes in quotes, or both.
    fn possible_answer(&self, pattern: &CallPattern, text: &str) -> Result<Answer, ApiError> {
        let Some((number, bytes)) = answer::parts(text) else {
            let problem = format!("cannot read {text}; write bytes as text in quotes: \"ok\\x00\"");
            return Err(ApiError::notation(problem));
        };
        let value = number.map(|number| self.possible_value(pattern, number)).transpose()?;
        let args = pattern.args.as_deref();
        let call = Call { import: pattern.import, args: args.unwrap_or_default() };
        let answer = match (value, bytes) {
            (Some(value), bytes) => Answer { value, bytes },
            (None, Some(bytes)) => {
                self.session.world().bringing(call, bytes)?.ok_or_else(|| {
                    let problem = format!("write what {} returns before the bytes", pattern.text());
                    ApiError::notation(problem)
                })?
            }
            (None, None) => return self.possible_value(pattern, text).map(Answer::from),
        };
        // How much room there is, the arguments say.
        if args.is_some() || answer.bytes.is_none() {
            self.session.world().check_bytes(call, &answer)?;
        }
        Ok(answer)
    }

    /// What an input can return apart from rules and the state of the world, with the names of
    /// values; `None` if that depends on more.
    pub(crate) fn usual_domain(&self, import: u32) -> Option<Domain> {
        match &self.session.world().primitive(import).ok()?.role {
            Role::Input(input) => match &input.answers {
                Answers::Values(domain) => Some(domain.clone()),
                Answers::Level => mw_world::board::levels(None),
                Answers::Clock(_)
                | Answers::Behaviour(_)
                | Answers::Between
                | Answers::Asked(_) => None,
            },
            _ => None,
        }
    }

    /// What an input answers for people: a value by its name where it has one, and bytes.
    pub(crate) fn answer_text(&self, import: u32, answer: &Answer) -> String {
        let bytes = answer.bytes.iter().map(|bytes| format!(" {}", answer::quoted(bytes)));
        self.input_text(import, answer.value) + &bytes.collect::<String>()
    }

    /// The value of an input for people: by its name where it has one.
    pub(crate) fn input_text(&self, import: u32, value: Value) -> String {
        match self.usual_domain(import) {
            Some(domain) => domain.show(value),
            None => value.to_string(),
        }
    }

    pub(crate) fn mock(
        &mut self,
        call: &CallRef,
        value: &str,
        once: bool,
    ) -> Result<Reply, ApiError> {
        let pattern = self.find_input(call)?;
        let answer = self.possible_answer(&pattern, value)?;
        let mock = Mock { import: pattern.import, args: pattern.args, answer, once };
        let id = self.session.mocks_mut().add(mock.clone());
        Ok(Reply::Mock(self.mock_view(id, &mock)))
    }

    pub(crate) fn unmock(&mut self, which: Option<&Which>) -> Result<Reply, ApiError> {
        let pattern = match which {
            Some(Which::Name(call)) => Some(self.find_input(&call.as_str().into())?),
            _ => None,
        };
        let is_meant = |(id, mock): &(MockId, &Mock)| match (which, &pattern) {
            (Some(Which::Number(number)), _) => id.0 == *number,
            (_, Some(pattern)) => {
                mock.import == pattern.import
                    && (pattern.args.is_none() || mock.args == pattern.args)
            }
            _ => true,
        };
        let chosen: Vec<MockId> =
            self.session.mocks().iter().filter(is_meant).map(|(id, _)| id).collect();
        let name = match (which, &pattern) {
            (Some(Which::Number(number)), _) => Some(number.to_string()),
            (_, pattern) => pattern.as_ref().map(|pattern| format!("of {}", pattern.text())),
        };
        if let Some(name) = name.filter(|_| chosen.is_empty()) {
            let problem = format!("there is no mock {name}; `info mocks` lists them");
            return Err(ApiError::unknown(problem));
        }
        for id in chosen {
            self.session.mocks_mut().remove(id);
        }
        Ok(Reply::Mocks(self.mocks()))
    }

    pub(crate) fn mocks(&self) -> Vec<MockView> {
        self.session.mocks().iter().map(|(id, mock)| self.mock_view(id, mock)).collect()
    }

    fn mock_view(&self, id: MockId, mock: &Mock) -> MockView {
        let name = self.session.world().primitive(mock.import).map(|p| p.full_name());
        let pattern = CallPattern {
            import: mock.import,
            name: name.unwrap_or_default(),
            args: mock.args.clone(),
        };
        let value = self.answer_text(mock.import, &mock.answer);
        MockView { id: id.0, call: pattern.text(), value, once: mock.once }
    }

    /// The input that is read by the next instruction, if one is.
    pub(crate) fn pending_input(&self) -> Option<(u32, Vec<Value>)> {
        let (import, args) = self.session.machine().import_call()?;
        matches!(self.session.world().kind(import), Ok(Kind::Input)).then_some((import, args))
    }

    pub(crate) fn answer(
        &mut self,
        value: &str,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let Some((import, args)) = self.pending_input() else {
            return Err(ApiError::not_here(
                "no input is read here; `break` at an input and `continue`, or `mock` it",
            ));
        };
        let call = Call { import, args: &args };
        let domain = self.session.world().domain(call)?.into_owned();
        let answer = match answer::parts(value) {
            Some((_, Some(_))) => {
                let name = self.session.world().show(call);
                self.possible_answer(
                    &CallPattern { import, name, args: Some(args.clone()) },
                    value,
                )?
            }
            _ => read_value(value, Some(&domain), self.input_type(import))
                .map_err(ApiError::notation)?
                .into(),
        };
        self.session.world().check(call, &answer)?;
        self.moving(Direction::Forward, false, listener, |session, _| {
            session.answer(answer).map(|()| Halt::Reached)
        })
    }

    pub(crate) fn set_reading(
        &mut self,
        call: &CallRef,
        value: Option<&str>,
    ) -> Result<Reply, ApiError> {
        let pattern = self.find_input(call)?;
        let Some(args) = &pattern.args else {
            return Err(ApiError::notation(format!(
                "write the arguments as well, such as {}(12): every combination has its own value",
                pattern.name
            )));
        };
        let value = value.map(|value| self.possible_value(&pattern, value)).transpose()?;
        let call = Call { import: pattern.import, args };
        let Some(world) = self.session.world_mut() else {
            return Err(ApiError::not_here(
                "what inputs read by themselves can be set before the program has begun; use \
                 `mock` from now on",
            ));
        };
        world.set_reading(call, value)?;
        self.session.rebase_world();
        Ok(Reply::World(Box::new(self.session.world().view())))
    }

    pub(crate) fn interrupt(
        &mut self,
        pin: u8,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        self.moving(Direction::Forward, false, listener, |session: &mut Session, _| {
            session.interrupt(pin).map(|()| Halt::Reached)
        })
    }

    pub(crate) fn interrupts(&self) -> Vec<InterruptView> {
        let table = self.session.machine().tables().first();
        let view = |interrupt: mw_world::board::Interrupt| {
            let slot = table.and_then(|table| table.get(interrupt.table_index));
            let func = slot.and_then(|slot| (slot as u32).checked_sub(1));
            let function = match func {
                Some(func) => self.session.module().func_name(func),
                None => format!("element {} of the table, which is empty", interrupt.table_index),
            };
            InterruptView { pin: interrupt.pin, function }
        };
        self.session.world().pending_interrupts().into_iter().map(view).collect()
    }
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".into() } else { format!("{count} arguments") }
}
