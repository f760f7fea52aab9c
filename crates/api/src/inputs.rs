//! Inputs: which one is meant, what it can return, and what it returns here.

use mw_session::{Direction, Halt, PrimitivePattern};
use mw_vm::{FuncType, ValType, Value};
use mw_world::{Answers, Call, Domain, Kind, Refusal, Role, View, answer};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::movement::Stopped;
use crate::notation::{CallRef, did_you_mean, list, parse_value, read_call, read_value};

/// Says what the input returns that is to be read here, and reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The value.
    pub value: String,
}

impl Ask for Answer {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let Some((import, args)) = debugger.session.pending_input() else {
            return Err(ApiError::not_here(
                "no input is read here; `break` at an input and `continue`, or `mock` it",
            ));
        };
        let call = Call { import, args: &args };
        let domain = debugger.session.world().domain(call)?.into_owned();
        let answer = match answer::parts(&self.value) {
            Some((_, Some(_))) => {
                let name = debugger.session.world().show(call);
                let pattern = CallPattern { import, name, args: Some(args.clone()) };
                debugger.possible_answer(&pattern, &self.value)?
            }
            _ => read_value(&self.value, Some(&domain), debugger.input_type(import))
                .map_err(ApiError::notation)?
                .into(),
        };
        debugger.session.world().check(call, &answer)?;
        debugger.moving(Direction::Forward, listener, |session, _| {
            session.answer(answer).map(|()| Halt::Reached)
        })
    }
}

/// Sets what an input reads by itself, before the program has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetReading {
    /// The input, with all its arguments.
    pub call: CallRef,
    /// The value; without, it comes from the input's source again.
    #[serde(default)]
    pub value: Option<String>,
}

impl Ask for SetReading {
    type Reply = View;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let pattern = debugger.find_input(&self.call)?;
        let Some(args) = &pattern.args else {
            return Err(ApiError::notation(format!(
                "write the arguments as well, such as {}(12): every combination has its own value",
                pattern.name
            )));
        };
        let value =
            self.value.map(|value| debugger.possible_value(&pattern, &value)).transpose()?;
        let call = Call { import: pattern.import, args };
        let Some(world) = debugger.session.world_mut() else {
            return Err(ApiError::not_here(
                "what inputs read by themselves can be set before the program has begun; use \
                 `mock` from now on",
            ));
        };
        world.set_reading(call, value)?;
        debugger.session.rebase_world();
        Ok(debugger.session.world().view())
    }
}

/// Calls of a primitive that have been found in the module.
pub(crate) struct CallPattern {
    pub import: u32,
    pub name: String,
    /// `None` for any.
    pub args: Option<Vec<Value>>,
}

impl CallPattern {
    /// The calls, or that the input returned a value.
    pub fn returning(self, value: Option<Value>) -> PrimitivePattern {
        PrimitivePattern { import: self.import, args: self.args, value }
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
    pub(crate) fn possible_answer(
        &self,
        pattern: &CallPattern,
        text: &str,
    ) -> Result<mw_world::Answer, ApiError> {
        let Some((number, bytes)) = answer::parts(text) else {
            let problem = format!("cannot read {text}; write bytes as text in quotes: \"ok\\x00\"");
            return Err(ApiError::notation(problem));
        };
        let value = number.map(|number| self.possible_value(pattern, number)).transpose()?;
        let args = pattern.args.as_deref();
        let call = Call { import: pattern.import, args: args.unwrap_or_default() };
        let answer = match (value, bytes) {
            (Some(value), bytes) => mw_world::Answer { value, bytes },
            (None, Some(bytes)) => {
                self.session.world().bringing(call, bytes)?.ok_or_else(|| {
                    let problem = format!("write what {} returns before the bytes", pattern.text());
                    ApiError::notation(problem)
                })?
            }
            (None, None) => return self.possible_value(pattern, text).map(Into::into),
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
    pub(crate) fn answer_text(&self, import: u32, answer: &mw_world::Answer) -> String {
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
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".into() } else { format!("{count} arguments") }
}
