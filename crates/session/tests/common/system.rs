//! Generated systems of a few actors: what each does with each message.

use std::fmt::Write as _;

use proptest::prelude::*;

/// Messages of one actor: one of a level is sent only while one of a lower level is handled, so that
/// there is an end.
pub const LEVELS: usize = 3;

/// What an actor does in a turn.
#[derive(Clone, Debug)]
pub enum Deed {
    /// It remembers which message it was, and from whom, after all that it has remembered.
    Note,
    /// It remembers a number, and nothing else.
    Set(i32),
    /// It sends a message of a higher level to somebody.
    Tell(usize, usize),
    /// It sends one and wants to know the answer, by a message of a higher level.
    Ask(usize, usize, usize),
    /// It prints what it remembers.
    Print,
    /// It reads an input, and goes one way or the other.
    Read,
    /// It traps if it remembers this number, of ten.
    Trap(i32),
    /// It takes no further turns.
    Stop,
}

/// Which of the deeds there may be.
#[derive(Clone, Copy, Debug, Default)]
pub struct With {
    pub inputs: bool,
    pub failures: bool,
    pub stops: bool,
}

/// A system: for each actor, what it does with each message; and who is told what at the start.
#[derive(Clone, Debug)]
pub struct Actors {
    pub deeds: Vec<Vec<Vec<Deed>>>,
    pub start: Vec<(usize, usize)>,
}

/// Systems of 2 to 4 actors.
pub fn actors(with: With) -> impl Strategy<Value = Actors> {
    (2..=4usize).prop_flat_map(move |number| {
        let level = move |level| prop::collection::vec(deed(number, level, with), 1..=3);
        let own = (level(0), level(1), level(2)).prop_map(|(a, b, c)| vec![a, b, c]);
        let deeds = prop::collection::vec(own, number);
        let start = prop::collection::vec((0..number, 0..LEVELS), 1..=3);
        (deeds, start).prop_map(|(deeds, start)| Actors { deeds, start })
    })
}

fn deed(actors: usize, level: usize, with: With) -> BoxedStrategy<Deed> {
    let quiet = prop_oneof![Just(Deed::Note), (0..3).prop_map(Deed::Set), Just(Deed::Print)];
    let quiet = match (with.inputs, with.failures, with.stops) {
        (true, ..) => prop_oneof![3 => quiet, 2 => Just(Deed::Read)].boxed(),
        (_, true, _) => prop_oneof![3 => quiet, 1 => (0..10).prop_map(Deed::Trap)].boxed(),
        (_, _, true) => prop_oneof![5 => quiet, 1 => Just(Deed::Stop)].boxed(),
        _ => quiet.boxed(),
    };
    if level + 1 >= LEVELS {
        return quiet;
    }
    let tell = (0..actors, level + 1..LEVELS).prop_map(|(to, what)| Deed::Tell(to, what));
    let ask = (0..actors, level + 1..LEVELS, level + 1..LEVELS);
    let ask = ask.prop_map(|(to, what, then)| Deed::Ask(to, what, then));
    prop_oneof![3 => quiet, 3 => tell, 1 => ask].boxed()
}

impl Actors {
    /// The name of an actor.
    pub fn name(actor: usize) -> &'static str {
        ["a", "b", "c", "d"][actor]
    }

    /// The program.
    pub fn to_wat(&self) -> String {
        let mut text = String::from(
            r#"(module
  (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
  (import "actor" "sender" (func $sender (result i32)))
  (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
  (import "actor" "send" (func $send (param i32 i32 i32 i32 i32) (result i32)))
  (import "actor" "when" (func $when (param i32 i32 i32 i32 i32)))
  (import "actor" "stop" (func $stop))
  (import "env" "print_int" (func $print (param i32)))
  (import "owi" "bool_symbol" (func $read (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "m0m1m2")
  (data (i32.const 16) "abcd")
  (global $memory (mut i32) (i32.const 0))
"#,
        );
        for (actor, levels) in self.deeds.iter().enumerate() {
            for (level, deeds) in levels.iter().enumerate() {
                let name = Actors::name(actor);
                let _ = writeln!(text, "  (func (export \"{name}_m{level}\")");
                for deed in deeds {
                    let _ = writeln!(text, "    {}", deed.to_wat(level));
                }
                text.push_str("  )\n");
            }
        }
        text.push_str("  (func (export \"main\")\n");
        for actor in 0..self.deeds.len() {
            let kind = 16 + actor;
            let _ = writeln!(
                text,
                "    (drop (call $spawn (i32.const {kind}) (i32.const 1) (i32.const 0) (i32.const 0)))"
            );
        }
        for (to, what) in &self.start {
            let _ = writeln!(text, "    {}", tell("$tell", *to, *what));
        }
        text.push_str("  ))\n");
        text
    }
}

/// The actors come after the program itself.
fn tell(func: &str, to: usize, what: usize) -> String {
    let (to, name) = (to + 1, 2 * what);
    format!(
        "(call {func} (i32.const {to}) (i32.const {name}) (i32.const 2) (i32.const 0) (i32.const 0))"
    )
}

impl Deed {
    fn to_wat(&self, level: usize) -> String {
        let memory = "(global.get $memory)";
        let then = |number: &str| {
            format!("(global.set $memory (i32.add (i32.mul {memory} (i32.const 31)) {number}))")
        };
        match self {
            Deed::Note => then(&format!(
                "(i32.add (i32.mul (call $sender) (i32.const 3)) (i32.const {level}))"
            )),
            Deed::Set(number) => format!("(global.set $memory (i32.const {number}))"),
            Deed::Tell(to, what) => tell("$tell", *to, *what),
            Deed::Ask(to, what, told) => {
                let (future, name) = (tell("$send", *to, *what), 2 * told);
                format!(
                    "(call $when {future} (i32.const {name}) (i32.const 2) (i32.const 0) (i32.const 0))"
                )
            }
            Deed::Print => format!("(call $print {memory})"),
            Deed::Read => format!(
                "(if (call $read) (then {}) (else {}))",
                then("(i32.const 17)"),
                then("(i32.const 5)")
            ),
            Deed::Trap(number) => format!(
                "(if (i32.eq (i32.rem_u {memory} (i32.const 10)) (i32.const {number})) (then unreachable))"
            ),
            Deed::Stop => "(call $stop)".into(),
        }
    }
}
