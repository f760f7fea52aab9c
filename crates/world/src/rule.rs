//! Dependency rules: what the program has put out restricts what it can read.
//!
//! Seed 001's predictable dependencies, as data: an LED next to a light sensor is "when pin 45 is
//! 0, `color_sensor(0)` returns 0". A rule never widens a domain. Rules restrict mocks through
//! [`crate::World::domain`], and whoever reasons about paths can read them here as constraints.

use mw_vm::Value;
use serde::Serialize;

use crate::domain::Domain;
use crate::primitive::{PrimitiveId, RegisterId};
use crate::state::State;

/// While all conditions hold, the input returns nothing outside the domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// What must hold, all of it.
    pub when: Vec<Condition>,
    /// The input that is restricted.
    pub input: PrimitiveId,
    /// The arguments for which it is; `None` stands for any, and missing ones are any.
    pub args: Vec<Option<Value>>,
    /// What it can return at most.
    pub domain: Domain,
    /// The rule for people: where it is written and what it says.
    #[serde(skip)]
    pub text: String,
}

/// A part of the state has one of some values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// The part of the state.
    pub subject: Subject,
    /// The values.
    pub domain: Domain,
}

/// A part of the state that a rule can look at. What has not been written yet counts as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Subject {
    /// The level written to a pin: 0 or 1.
    Pin(u8),
    /// The value given to PWM on a pin.
    Pwm(u8),
    /// The angle of the servo on a pin.
    Servo(u8),
    /// The speed of a motor.
    Motor(u8),
    /// A register of the world file.
    Register(RegisterId),
}

impl Subject {
    /// The present value.
    pub fn value(self, state: &State) -> Value {
        let pin = |number| state.board().map(|board| board.pin(number)).unwrap_or_default();
        let value = match self {
            Subject::Register(register) => {
                return state.register(register).unwrap_or(Value::I64(0));
            }
            Subject::Pin(number) => pin(number).level.map(i32::from),
            Subject::Pwm(number) => pin(number).pwm,
            Subject::Servo(number) => pin(number).servo,
            Subject::Motor(number) => state.board().map(|board| board.motor(number).speed),
        };
        Value::I64(value.unwrap_or(0).into())
    }
}

impl Rule {
    /// Whether the rule speaks about this call, in whatever state.
    pub fn concerns(&self, input: PrimitiveId, args: &[Value]) -> bool {
        let matches = |(wanted, given): (&Option<Value>, &Value)| {
            wanted.is_none_or(|wanted| wanted == *given)
        };
        self.input == input && self.args.iter().zip(args).all(matches)
    }

    /// Whether all conditions hold in `state`.
    pub fn holds(&self, state: &State) -> bool {
        self.when.iter().all(|condition| condition.domain.contains(condition.subject.value(state)))
    }
}
