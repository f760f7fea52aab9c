//! Small random programs: structured, bounded, and full of inputs and outputs.

use std::fmt::Write as _;

use proptest::prelude::*;

/// Functions after the imports, a few callbacks for interrupts, and what they do.
#[derive(Clone)]
pub struct Program {
    pub world: Outside,
    /// Whether it begins with a start function.
    pub start: bool,
    /// The functions; the first is the entry.
    pub functions: Vec<(Vec<Statement>, Ending)>,
    pub callbacks: Vec<Vec<Statement>>,
}

/// The world of a program. Each has the primitives of those before it, and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outside {
    /// What every microcontroller has.
    Chip,
    Board,
    Garden,
}

/// How a function returns.
#[derive(Clone, Copy, Debug)]
pub enum Ending {
    Plainly,
    /// By calling the next one in its place.
    TailCall,
}

#[derive(Clone, Debug)]
pub enum Statement {
    Local(u8, Expression),
    Global(u8, Expression),
    Store(Expression, Expression),
    Repeat(u8, Vec<Statement>),
    If(Expression, Vec<Statement>, Vec<Statement>),
    Output(u8, Expression),
    Recurse,
    Abort(Expression),
}

#[derive(Clone, Debug)]
pub enum Expression {
    Constant(i32),
    Local(u8),
    Global(u8),
    Load(Box<Expression>),
    Input(u8),
    Call(Box<Expression>),
    Binary(u8, Box<Expression>, Box<Expression>),
}

const IMPORTS: &str = r#"
  (import "env" "chip_analog_read" (func $analog_read (param i32) (result i32)))
  (import "env" "chip_digital_read" (func $digital_read (param i32) (result i32)))
  (import "env" "chip_pin_mode" (func $pin_mode (param i32 i32)))
  (import "env" "chip_digital_write" (func $digital_write (param i32 i32)))
  (import "env" "chip_analog_write" (func $analog_write (param i32 i32)))
  (import "env" "print_int" (func $print (param i32)))
  (import "env" "abort" (func $abort))"#;

const BOARD_IMPORTS: &str = r#"
  (import "env" "random_int" (func $random (result i32)))
  (import "env" "millis" (func $millis (result i64)))
  (import "env" "drive_motor_degrees" (func $motor (param i32 i32 i32)))
  (import "env" "display_fill_rect" (func $rect (param i32 i32 i32 i32 i32)))
  (import "env" "chip_delay" (func $delay (param i32)))
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (import "env" "http_get" (func $page (param i32 i32 i32 i32) (result i32)))"#;

/// A page of at most 16 bytes, where programs load and store as well.
const PAGE: &str = "(call $page (i32.const 0) (i32.const 4) (i32.const 0x100) (i32.const 16))";

const GARDEN_IMPORTS: &str = r#"
  (import "env" "soil" (func $soil (param i32) (result i32)))
  (import "env" "warmth" (func $warmth (result f64)))
  (import "env" "question" (func $question (result i32)))
  (import "env" "set_valve" (func $valve (param i32)))
  (import "env" "send" (func $send (param i32)))
  (import "env" "ping" (func $ping))"#;

/// The garden: dependency rules, random sources, a question, and what cannot be undone.
pub const GARDEN: &str = r#"
extends = "board"
[registers]
valve = 0
sent = 0
[import.env.soil]
kind = "input"
params = ["i32"]
result = "i32"
domain = "0..1023"
source = { random = 7 }
[import.env.warmth]
kind = "input"
result = "f64"
domain = "-10.5..40.0"
source = { random = 3 }
[import.env.question]
kind = "input"
result = "i32"
domain = [1, "4..6"]
source = "ask"
[import.env.set_valve]
kind = "output"
params = ["i32"]
sets = { valve = "$0" }
[import.env.send]
kind = "output"
params = ["i32"]
sets = { sent = "$0" }
compensation = "irreversible"
[import.env.ping]
kind = "output"
compensation = "irreversible"
[[rules]]
when = { valve = 0 }
input = "soil(0)"
domain = "0..300"
[[rules]]
when = { "pin 2" = 1 }
input = "chip_analog_read"
domain = "0..100"
"#;

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_wat())
    }
}

impl Program {
    /// The program in WebAssembly's text format.
    pub fn to_wat(&self) -> String {
        let mut text = String::from("(module");
        text += IMPORTS;
        if self.world >= Outside::Board {
            text += BOARD_IMPORTS;
        }
        if self.world == Outside::Garden {
            text += GARDEN_IMPORTS;
        }
        text += r#"
  (memory 1)
  (global $g0 (mut i32) (i32.const 3))
  (global $g1 (mut i32) (i32.const 0))
  (global $g2 (mut i32) (i32.const -1))
  (table funcref (elem $callback0 $callback1))"#;
        for (index, (body, ending)) in self.functions.iter().enumerate() {
            let next = (index + 1 < self.functions.len()).then_some(index + 1);
            let export = if index == 0 { r#" (export "main")"# } else { "" };
            let _ = write!(
                text,
                "\n  (func $f{index}{export} (param $l0 i32) (result i32) \
                 (local $l1 i32) (local $l2 i32)"
            );
            let mut writer = Writer { world: self.world, own: Some(index), next, loops: 0 };
            body.iter().for_each(|statement| writer.statement(statement, &mut text));
            match (ending, next) {
                (Ending::TailCall, Some(next)) => {
                    let _ = write!(text, "\n (return_call $f{next} (local.get $l1)))");
                }
                _ => text += "\n (local.get $l1))",
            }
        }
        for (index, body) in self.callbacks.iter().enumerate() {
            let _ = write!(
                text,
                "\n  (func $callback{index} (local $l0 i32) (local $l1 i32) (local $l2 i32)"
            );
            let mut writer = Writer { world: self.world, own: None, next: None, loops: 0 };
            body.iter().for_each(|statement| writer.statement(statement, &mut text));
            text += ")";
        }
        if self.start {
            text += "\n  (func $start (global.set $g2 (i32.const 5)) \
                     (call $print (call $analog_read (i32.const 9))))\n  (start $start)";
        }
        text + ")"
    }
}

struct Writer {
    world: Outside,
    /// The function's own number, if it may call itself, and the one that it may call.
    own: Option<usize>,
    next: Option<usize>,
    loops: usize,
}

impl Writer {
    fn statement(&mut self, statement: &Statement, text: &mut String) {
        text.push_str("\n ");
        match statement {
            Statement::Local(local, value) => {
                // The first is the fuel of recursion.
                let _ = write!(text, "(local.set $l{} {})", 1 + local % 2, self.value(value));
            }
            Statement::Global(global, value) => {
                let _ = write!(text, "(global.set $g{} {})", global % 3, self.value(value));
            }
            Statement::Store(address, value) => {
                let (address, value) = (self.address(address), self.value(value));
                let _ = write!(text, "(i32.store {address} {value})");
            }
            Statement::Repeat(times, body) => {
                // A counter in memory, one for each loop, so that bodies cannot touch it.
                let counter = 4096 + 64 * self.own.unwrap_or(9) + 4 * self.loops;
                self.loops += 1;
                let count = format!("(i32.load (i32.const {counter}))");
                let _ = write!(
                    text,
                    "(i32.store (i32.const {counter}) (i32.const {}))\n (loop",
                    1 + times % 3
                );
                body.iter().for_each(|statement| self.statement(statement, text));
                let _ = write!(
                    text,
                    "\n (i32.store (i32.const {counter}) (i32.sub {count} (i32.const 1)))\n \
                     (br_if 0 (i32.gt_s {count} (i32.const 0))))"
                );
            }
            Statement::If(condition, then, otherwise) => {
                let _ = write!(text, "(if {} (then", self.value(condition));
                then.iter().for_each(|statement| self.statement(statement, text));
                text.push_str(") (else");
                otherwise.iter().for_each(|statement| self.statement(statement, text));
                text.push_str("))");
            }
            Statement::Output(which, value) => {
                let value = self.value(value);
                let most = match self.world {
                    Outside::Chip => 4,
                    Outside::Board => 8,
                    Outside::Garden => 11,
                };
                text.push_str(&match which % most {
                    0 => "(call $pin_mode (i32.const 2) (i32.const 2))".into(),
                    1 => format!("(call $digital_write (i32.const 2) {value})"),
                    2 => format!("(call $analog_write (i32.const 3) {value})"),
                    3 => format!("(call $print {value})"),
                    4 => format!(
                        "(call $motor (i32.const 1) (i32.const 50) (i32.and {value} (i32.const 255)))"
                    ),
                    5 => format!(
                        "(call $rect (i32.const 3) (i32.const 4) (i32.const 9) (i32.const 5) {value})"
                    ),
                    6 => format!("(call $delay (i32.and {value} (i32.const 63)))"),
                    7 => format!(
                        "(call $subscribe (i32.const 4) (i32.and {value} (i32.const 1)) (i32.const 1))"
                    ),
                    8 => format!("(call $valve {value})"),
                    9 => format!("(call $send {value})"),
                    _ => "(call $ping)".into(),
                });
            }
            Statement::Recurse => {
                if let Some(own) = self.own {
                    let _ = write!(
                        text,
                        "(if (i32.gt_s (local.get $l0) (i32.const 0)) (then (drop (call $f{own} \
                         (i32.sub (i32.and (local.get $l0) (i32.const 3)) (i32.const 1))))))"
                    );
                }
            }
            Statement::Abort(condition) => {
                let condition = self.value(condition);
                let _ =
                    write!(text, "(if (i32.eq {condition} (i32.const 77)) (then (call $abort)))");
            }
        }
    }

    fn address(&self, expression: &Expression) -> String {
        format!("(i32.and {} (i32.const 0xffc))", self.value(expression))
    }

    fn value(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(value) => format!("(i32.const {value})"),
            Expression::Local(local) => format!("(local.get $l{})", local % 3),
            Expression::Global(global) => format!("(global.get $g{})", global % 3),
            Expression::Load(address) => format!("(i32.load {})", self.address(address)),
            Expression::Input(which) => {
                let most = match self.world {
                    Outside::Chip => 4,
                    Outside::Board => 7,
                    Outside::Garden => 10,
                };
                match which % most {
                    0 => "(call $analog_read (i32.const 1))",
                    1 => "(call $analog_read (i32.const 2))",
                    2 => "(call $digital_read (i32.const 2))",
                    3 => "(call $digital_read (i32.const 5))",
                    4 => "(call $random)",
                    5 => "(i32.wrap_i64 (call $millis))",
                    6 => PAGE,
                    7 => "(call $soil (i32.const 0))",
                    8 => "(i32.trunc_sat_f64_s (call $warmth))",
                    _ => "(call $question)",
                }
                .into()
            }
            Expression::Call(argument) => match self.next {
                Some(next) => {
                    format!("(call $f{next} (i32.and {} (i32.const 1)))", self.value(argument))
                }
                None => self.value(argument),
            },
            Expression::Binary(operator, left, right) => {
                let operators = ["add", "sub", "mul", "xor", "lt_s", "eq", "div_s", "rem_u"];
                let operator = operators[usize::from(*operator) % operators.len()];
                format!("(i32.{operator} {} {})", self.value(left), self.value(right))
            }
        }
    }
}

fn expression() -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        2 => prop_oneof![-3..9i32, Just(77), any::<i32>()].prop_map(Expression::Constant),
        2 => any::<u8>().prop_map(Expression::Local),
        2 => any::<u8>().prop_map(Expression::Global),
        4 => any::<u8>().prop_map(Expression::Input),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            1 => boxed.clone().prop_map(Expression::Load),
            1 => boxed.clone().prop_map(Expression::Call),
            // Division traps too often to be half of all operators.
            3 => (0..6u8, boxed.clone(), boxed.clone())
                .prop_map(|(o, a, b)| Expression::Binary(o, a, b)),
            1 => (6..8u8, boxed.clone(), boxed).prop_map(|(o, a, b)| Expression::Binary(o, a, b)),
        ]
    })
}

fn statements(most: usize) -> impl Strategy<Value = Vec<Statement>> {
    let leaf = prop_oneof![
        3 => (any::<u8>(), expression()).prop_map(|(l, e)| Statement::Local(l, e)),
        3 => (any::<u8>(), expression()).prop_map(|(g, e)| Statement::Global(g, e)),
        2 => (expression(), expression()).prop_map(|(a, e)| Statement::Store(a, e)),
        6 => (any::<u8>(), expression()).prop_map(|(o, e)| Statement::Output(o, e)),
        1 => Just(Statement::Recurse),
        1 => expression().prop_map(Statement::Abort),
    ];
    let statement = leaf.prop_recursive(2, 10, 3, |inner| {
        let block = prop::collection::vec(inner, 0..3);
        prop_oneof![
            (any::<u8>(), block.clone()).prop_map(|(n, b)| Statement::Repeat(n, b)),
            (expression(), block.clone(), block).prop_map(|(c, a, b)| Statement::If(c, a, b)),
        ]
    });
    prop::collection::vec(statement, 1..most)
}

/// Any program, on the board or in the garden.
pub fn program() -> impl Strategy<Value = Program> {
    prop_oneof![Just(Outside::Board), Just(Outside::Garden)].prop_flat_map(program_in)
}

/// Any program in a world.
pub fn program_in(world: Outside) -> impl Strategy<Value = Program> {
    let ending = prop_oneof![3 => Just(Ending::Plainly), 1 => Just(Ending::TailCall)];
    (
        prop::bool::weighted(0.2),
        prop::collection::vec((statements(6), ending), 1..4),
        prop::collection::vec(statements(3), 2),
    )
        .prop_map(move |(start, functions, callbacks)| Program {
            world,
            start,
            functions,
            callbacks,
        })
}
