//! Inputs with few values, and programs that read them.

use std::sync::Arc;

use mw_vm::{ImportValues, Limits, Machine, Module};
use mw_world::{Description, Import, World};

/// Inputs with few values, and outputs on which some of them depend.
pub const WORLD: &str = r#"
extends = "board"
[registers]
lamp = 0
[import.env.four]
kind = "input"
result = "i32"
domain = "0..15"
[import.env.signed]
kind = "input"
result = "i32"
domain = "-16..15"
[import.env.six]
kind = "input"
params = ["i32"]
result = "i32"
domain = "0..63"
[import.env.byte]
kind = "input"
result = "i32"
domain = "0..255"
[import.env.wide]
kind = "input"
result = "i64"
domain = "-20..20"
[import.env.any]
kind = "input"
result = "i32"
domain = "-2147483648..2147483647"
[import.env.odd]
kind = "input"
result = "i32"
domain = [1, 3, "5..7", 100]
[import.env.light]
kind = "input"
result = "i32"
domain = "0..31"
[import.env.set_lamp]
kind = "output"
params = ["i32"]
sets = { lamp = "$0" }
[[rules]]
when = { lamp = 0 }
input = "light"
domain = "0..9"
"#;

/// The imports that every program may use.
pub const IMPORTS: &str = r#"
  (import "env" "four" (func $four (result i32)))
  (import "env" "signed" (func $signed (result i32)))
  (import "env" "six" (func $six (param i32) (result i32)))
  (import "env" "byte" (func $byte (result i32)))
  (import "env" "wide" (func $wide (result i64)))
  (import "env" "any" (func $any (result i32)))
  (import "env" "odd" (func $odd (result i32)))
  (import "env" "light" (func $light (result i32)))
  (import "env" "set_lamp" (func $set_lamp (param i32)))
  (import "env" "print_int" (func $print (param i32)))
  (import "env" "chip_digital_write" (func $digital_write (param i32 i32)))
  (import "env" "chip_digital_read" (func $digital_read (param i32) (result i32)))
  (import "env" "chip_pin_mode" (func $pin_mode (param i32 i32)))
  (import "env" "chip_delay" (func $delay (param i32)))
  (import "env" "millis" (func $millis (result i64)))
  (import "env" "micros" (func $micros (result i64)))
  (import "env" "abort" (func $abort))
"#;

/// A machine that is about to execute `main`, and its world.
pub fn begin(wat: &str) -> (Machine, World) {
    let wasm = wat::parse_str(wat).unwrap_or_else(|error| panic!("{error}\n{wat}"));
    let limits = Limits { call_depth: 200, ..Limits::default() };
    let module = Arc::new(Module::from_binary(&wasm, &limits).unwrap());
    let description =
        Arc::new(Description::parse("test.toml", WORLD, &|file| Err(file.into())).unwrap());
    let import = |(name, ty)| {
        let name: &mw_vm::ImportName = name;
        Import { module: &name.module, name: &name.field, ty }
    };
    let world = description.bind(module.imports().map(import)).unwrap();
    let mut machine = Machine::new(module.clone(), limits, ImportValues::default()).unwrap();
    machine.call_next(module.exported_func("main").unwrap(), &[]).unwrap();
    (machine, world)
}

/// A program that has all inputs and a memory.
pub fn module(body: &str) -> String {
    format!("(module {IMPORTS}\n  (memory 1 3)\n{body})")
}
