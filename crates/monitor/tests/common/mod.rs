//! Programs to bind properties to, and events for them.

use std::sync::Arc;

use mw_monitor::{
    Automaton, Bindings, Concrete, EventId, MonitorState, Moved, Number, Property, PropertyError,
    Values, When, step,
};
use mw_source::Sources;
use mw_vm::Module;

/// A program with some functions, a primitive and a global.
pub const PROGRAM: &str = r#"
  (module
    (import "env" "chip_digital_write" (func $chip_digital_write (param i32 i32)))
    (import "env" "chip_analog_read" (func $chip_analog_read (param i32) (result i32)))
    (global $level (mut i32) (i32.const 0))
    (global $light/limit (mut i32) (i32.const 0))
    (memory 1)
    (func $queue_new (param $queue i32) (param $size i32))
    (func $queue_push (param $queue i32) (param $c i32))
    (func $open (param $name i32) (result i32) (i32.const 3))
    (func $close (param $file i32))
    (func $link (param $a i32) (param $b i32))
    (func $scale (param $by f64)))"#;

pub fn program(wat: &str) -> (Arc<Module>, Arc<Sources>) {
    let wasm = wat::parse_str(wat).unwrap();
    let module = Module::from_binary(&wasm, &Default::default()).unwrap();
    let sources = Sources::disassembled(&module, &wasm, "program.wat");
    (Arc::new(module), Arc::new(sources))
}

pub fn bind(text: &str) -> Result<Automaton, PropertyError> {
    let property = Property::parse("property", text)?;
    Automaton::bind(property, &Bindings { programs: &[program(PROGRAM)] })
}

/// A property that is bound to the program, and where it is.
pub struct Run {
    pub automaton: Automaton,
    pub state: MonitorState,
    pub when: When,
}

impl Run {
    pub fn new(text: &str) -> Run {
        let automaton = bind(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let state = MonitorState::new(&automaton, When::default());
        Run { automaton, state, when: When::default() }
    }

    /// The event that is written so.
    pub fn event(&self, text: &str) -> EventId {
        let index = self.automaton.events().iter().position(|event| event.text == text);
        EventId(index.unwrap_or_else(|| panic!("no event {text}")) as u16)
    }

    /// Lets an event happen.
    pub fn happen(&mut self, event: &str, numbers: &[i128]) -> Moved {
        let event = self.event(event);
        let values = values(numbers);
        step(&self.automaton, &mut self.state, event, &values, self.when, &mut Concrete).unwrap()
    }

    /// All slices with their states and variables.
    pub fn shown(&self) -> Vec<String> {
        let shown = self.state.slices().into_iter().map(|slice| {
            let state = &self.automaton.state(slice.state).name;
            let variables = slice.variables.iter().map(|number| format!(" {number}"));
            format!("{} {state}{}", slice.instance, variables.collect::<String>())
        });
        shown.collect()
    }
}

pub fn values(numbers: &[i128]) -> Values {
    numbers.iter().map(|number| Some(Number::literal(*number))).collect()
}
