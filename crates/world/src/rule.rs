//! Dependency rules: what the program has put out restricts what it can read.
//!
//! Seed 001's predictable dependencies, as data: an LED next to a light sensor is "when pin 45 is
//! 0, `color_sensor(0)` returns 0". A rule never widens a domain. Rules restrict mocks through
//! [`crate::World::domain`], and whoever reasons about paths can read them here as constraints.

use std::collections::BTreeMap;

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

/// The rules of a world, found by the calls that they speak about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    all: Vec<Rule>,
    /// Positions in the list, by the input and its first argument, if the rule wants a certain one.
    concerning: BTreeMap<(PrimitiveId, Option<u64>), Vec<usize>>,
    looks_at_board: bool,
    looks_at_registers: bool,
}

impl Rules {
    pub(crate) fn new(all: Vec<Rule>) -> Rules {
        let mut concerning: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, rule) in all.iter().enumerate() {
            let first = rule.args.first().copied().flatten().map(|value| value.to_slot());
            concerning.entry((rule.input, first)).or_default().push(index);
        }
        let subjects = || all.iter().flat_map(|rule| &rule.when).map(|condition| condition.subject);
        let is_register = |subject| matches!(subject, Subject::Register(_));
        let looks_at_board = subjects().any(|subject| !is_register(subject));
        let looks_at_registers = subjects().any(is_register);
        Rules { all, concerning, looks_at_board, looks_at_registers }
    }

    /// All of them, in the order of the file.
    pub(crate) fn all(&self) -> &[Rule] {
        &self.all
    }

    /// Whether any looks at the board.
    pub(crate) fn look_at_board(&self) -> bool {
        self.looks_at_board
    }

    /// Whether any looks at a register.
    pub(crate) fn look_at_registers(&self) -> bool {
        self.looks_at_registers
    }

    /// The rules that speak about this call, in whatever state, in the order of the file.
    pub(crate) fn concerning<'a>(
        &'a self,
        input: PrimitiveId,
        args: &'a [Value],
    ) -> impl Iterator<Item = &'a Rule> {
        let first = args.first().map(|value| value.to_slot());
        let listed = |first| self.concerning.get(&(input, first)).map_or(&[][..], |list| list);
        let mut found = listed(None).to_vec();
        if first.is_some() {
            found.extend(listed(first));
            found.sort_unstable();
        }
        let rules = found.into_iter().map(|index| &self.all[index]);
        rules.filter(move |rule| rule.concerns(input, args))
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::{Call, Description, Import};

    use super::*;

    #[test]
    fn many_rules_are_read_and_found() {
        const COUNT: usize = 100_000;
        let rule = |index: usize| {
            let (pin, port) = (index % 200, index % 250);
            let input = match index % 1000 {
                0 => "chip_analog_read".to_owned(),
                _ => format!("chip_analog_read({port})"),
            };
            let most = 4095 - index % 7;
            format!(
                "[[rules]]\nwhen = {{ \"pin {pin}\" = 0 }}\ninput = \"{input}\"\n\
                 domain = \"0..{most}\"\n"
            )
        };
        let text: String = (0..COUNT).map(rule).collect();
        let text = format!("extends = \"board\"\n{text}");
        // Far more than it takes, and far less than looking at all before each would.
        let started = Instant::now();
        let description = Description::parse("w.toml", &text, &|file| Err(file.into())).unwrap();
        let description = std::sync::Arc::new(description);
        let last = description.rules().last().unwrap();
        assert!(last.text.starts_with(&format!("at w.toml:{}:", COUNT * 4 - 2)), "{}", last.text);

        let ty = mw_vm::FuncType::of_letters("i>i");
        let import = Import { module: "env", name: "chip_analog_read", ty: &ty };
        let world = description.bind([import]).unwrap();
        let input = description.find("env", "chip_analog_read").unwrap();
        for port in 0..250 {
            let args = [Value::I32(port)];
            let found: Vec<&Rule> = description.rules.concerning(input, &args).collect();
            let all = description.rules().iter().filter(|rule| rule.concerns(input, &args));
            assert!(found.iter().copied().eq(all), "port {port}");
            let domain = world.domain(Call { import: 0, args: &args }).unwrap();
            assert_eq!(domain.to_string(), "0..4089");
        }
        let looked_at = description.rules.concerning.values().map(Vec::len).max();
        assert_eq!(looked_at, Some(COUNT / 250), "of all that there are");
        assert!(started.elapsed() < Duration::from_secs(60));
    }
}
