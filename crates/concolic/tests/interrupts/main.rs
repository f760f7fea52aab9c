//! Interrupts: what is found by letting them arrive where it makes a difference is what is found by
//! letting them arrive everywhere.

mod bounds;
mod classes;
mod generated;
mod plain;
mod systems;

use std::sync::Arc;

use mw_concolic::solver::sat::Sat;
use mw_concolic::{Explorer, Leaf, Options, Stop};
use mw_ensemble::Moment;
use mw_vm::{ImportValues, Limits, Machine, Module};
use mw_world::{Description, Import};

/// An input with few values.
const WORLD: &str = r#"
extends = "board"
[import.env.two]
kind = "input"
result = "i32"
domain = "0..3"
"#;

/// What a program is made of beside `main` and its handlers, which are elements 0, 1 and 2 of the
/// table: for pins 4, 5 and 6.
const AROUND: &str = r#"
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (import "env" "unsubscribe_interrupt" (func $unsubscribe (param i32)))
  (import "env" "print_int" (func $print (param i32)))
  (import "env" "print_string" (func $print_string (param i32 i32)))
  (import "env" "two" (func $two (result i32)))
  (memory 1 4)
  (table (export "table") 4 funcref)
  (global $a (export "a") (mut i32) (i32.const 0))
  (global $b (export "b") (mut i32) (i32.const 0))
  (global $c (export "c") (mut i32) (i32.const 0))
  (func $helper (global.set $c (i32.add (global.get $c) (i32.const 1))))
"#;

/// A program with handlers of pins 4, 5 and so on, all of which are asked for first of all.
fn program(main: &str, handlers: &[&str]) -> String {
    let subscribed: String = (0..handlers.len()).map(subscribe).collect();
    let handlers: String = (handlers.iter().enumerate())
        .map(|(at, body)| {
            format!("(func $h{at} (local $i i32) {body}) (elem (i32.const {at}) $h{at})\n")
        })
        .collect();
    format!(
        "(module {AROUND} {handlers} (func (export \"main\") (local $i i32) {subscribed} {main}))"
    )
}

/// Asks for the interrupts of a handler.
fn subscribe(handler: usize) -> String {
    let pin = 4 + handler;
    format!("(call $subscribe (i32.const {pin}) (i32.const {handler}) (i32.const 2))")
}

/// A program that is about to execute `main`.
fn begin(wat: &str) -> Moment {
    let wasm = wat::parse_str(wat).unwrap_or_else(|error| panic!("{error}\n{wat}"));
    let limits = Limits { call_depth: 40, ..Limits::default() };
    let module = Arc::new(Module::from_binary(&wasm, &limits).unwrap());
    let description = Description::parse("test.toml", WORLD, &|file| Err(file.into())).unwrap();
    let import = |(name, ty)| {
        let name: &mw_vm::ImportName = name;
        Import { module: &name.module, name: &name.field, ty }
    };
    let world = Arc::new(description).bind(module.imports().map(import)).unwrap();
    let mut machine = Machine::new(module.clone(), limits, ImportValues::default()).unwrap();
    machine.call(module.exported_func("main").unwrap(), &[]).unwrap();
    Moment::new(machine, world)
}

/// How it is explored with so many interrupts, by one alone.
fn options(interrupts: u32) -> Options {
    let mut options =
        Options { backends: vec![Box::new(Sat::new())], jobs: 1, ..Options::default() };
    options.bounds.interrupts = interrupts;
    options.bounds.paths = 100_000;
    options
}

fn explore(wat: &str, options: Options) -> (Explorer, Vec<Leaf>) {
    let mut explorer = Explorer::new(begin(wat), options);
    explorer.run(&Stop::default(), &mut |_| {});
    let leaves = explorer.all_leaves();
    (explorer, leaves)
}
