//! Damaged debug information costs information, and nothing else.

use crate::common;
use crate::replay;

use std::sync::LazyLock;

use common::survive::{Junk, survive};
use common::{Program, all};
use mw_source::{Expression, Names, Sources};
use proptest::prelude::*;

/// A way to damage bytes.
#[derive(Clone, Debug)]
enum Damage {
    Set { at: usize, to: u8 },
    Flip { at: usize, bit: u32 },
    Remove { at: usize, count: usize },
    Insert { at: usize, bytes: Vec<u8> },
    Repeat { at: usize, count: usize },
    Truncate { at: usize },
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<usize>;
    prop_oneof![
        4 => (at(), prop_oneof![any::<u8>(), Just(0), Just(0xff), Just(0x7f)])
            .prop_map(|(at, to)| Damage::Set { at, to }),
        4 => (at(), 0..8_u32).prop_map(|(at, bit)| Damage::Flip { at, bit }),
        1 => (at(), 1..20_usize).prop_map(|(at, count)| Damage::Remove { at, count }),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..20))
            .prop_map(|(at, bytes)| Damage::Insert { at, bytes }),
        1 => (at(), 1..200_usize).prop_map(|(at, count)| Damage::Repeat { at, count }),
        1 => at().prop_map(|at| Damage::Truncate { at }),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let length = bytes.len().max(1);
    match damage {
        _ if bytes.is_empty() => {}
        Damage::Set { at, to } => bytes[at % length] = *to,
        Damage::Flip { at, bit } => bytes[at % length] ^= 1 << bit,
        Damage::Remove { at, count } => {
            let start = at % length;
            bytes.drain(start..(start + count).min(length));
        }
        Damage::Insert { at, bytes: new } => {
            let start = at % length;
            bytes.splice(start..start, new.iter().copied());
        }
        Damage::Repeat { at, count } => {
            let start = at % length;
            let part = bytes[start..(start + count).min(length)].to_vec();
            bytes.splice(start..start, part);
        }
        Damage::Truncate { at } => bytes.truncate(at % length),
    }
}

/// A module with the content of each of its custom sections changed.
fn with_sections(wasm: &[u8], mut change: impl FnMut(&str, &mut Vec<u8>)) -> Vec<u8> {
    let mut changed = wasm[..8].to_vec();
    let mut section = |id: u8, content: &[u8]| {
        changed.push(id);
        number(&mut changed, content.len());
        changed.extend(content);
    };
    for payload in wasmparser::Parser::new(0).parse_all(wasm) {
        let payload = payload.expect("the program is valid");
        if let wasmparser::Payload::CustomSection(custom) = &payload {
            let mut data = custom.data().to_vec();
            change(custom.name(), &mut data);
            let mut content = Vec::new();
            number(&mut content, custom.name().len());
            content.extend(custom.name().bytes());
            content.extend(data);
            section(0, &content);
        } else if let Some((id, range)) = payload.as_section() {
            section(id, &wasm[range.start as usize..range.end as usize]);
        }
    }
    changed
}

fn number(bytes: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The source maps and sources that modules name, one after the other.
fn map_of(program: &Program, name: &str) -> Vec<u8> {
    program.load(&format!("{name}.wasm.map")).unwrap_or_default()
}

proptest! {
    #[test]
    fn damaged_sections_are_survived(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..12),
    ) {
        let programs = all();
        let (name, program) = &programs[which.index(programs.len())];
        let names: std::cell::RefCell<Vec<String>> = Default::default();
        with_sections(&program.wasm, |name, _| names.borrow_mut().push(name.to_owned()));
        let names = names.into_inner();
        let wasm = with_sections(&program.wasm, |section, data| {
            for (target, damage) in &damages {
                if names[target.index(names.len())] == section {
                    apply(data, damage);
                }
            }
        });
        survive(&program.module(), &wasm, &map_of(program, name));
    }

    #[test]
    fn damaged_modules_are_survived(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec(damage(), 1..5),
    ) {
        let programs = all();
        let (name, program) = &programs[which.index(programs.len())];
        let mut wasm = program.wasm.clone();
        damages.iter().for_each(|damage| apply(&mut wasm, damage));
        survive(&program.module(), &wasm, &map_of(program, name));
    }

    #[test]
    fn any_text_is_an_expression_or_an_error(
        text in "\\PC{0,40}",
        words in prop::collection::vec(
            prop::sample::select(vec![
                "jar", "->", "next", ".", "at", "[", "]", "(", ")", "*", "&", "-", "1", "0x7fffffff",
                "18446744073709551615", "<<", "+", "/", "%", "&&", "==", "(int)", "(struct jar *)",
                "label", "shelf", "price", "as u8", "!", "~", "2.5", "global", "local 1", "of frame",
                "i32 @ 8", "..", "and", "or", "=",
            ]),
            0..12,
        ),
    ) {
        static SOURCES: LazyLock<Sources> =
            LazyLock::new(|| Program::fixture("shelf-O0").sources());
        let frame = &SOURCES.frames(0x1c0)[0];
        let _ = SOURCES.evaluate(&text, frame, &Junk);
        let _ = SOURCES.evaluate(&words.concat(), frame, &Junk);
        let names = Names { sources: Some(&SOURCES), frame: Some(frame), ..Names::default() };
        if let Ok(expression) = Expression::parse(&words.join(" "), &names) {
            let _ = expression.holds(&SOURCES, frame, &Junk);
            // What it is kept as is the same expression.
            prop_assert_eq!(Expression::parse(&expression.to_string(), &names), Ok(expression));
        }
    }

    #[test]
    fn damaged_maps_are_survived(damages in prop::collection::vec(damage(), 1..5)) {
        let program = Program::example("light-sensor");
        let mut map = map_of(&program, "light-sensor");
        damages.iter().for_each(|damage| apply(&mut map, damage));
        survive(&program.module(), &program.wasm, &map);
    }
}

#[test]
fn what_a_fuzzer_found_is_survived() {
    replay::replay("source", common::survive::any);
}

#[test]
fn a_module_cut_anywhere_is_survived() {
    let program = Program::fixture("shelf-O2");
    for length in (0..program.wasm.len()).step_by(7) {
        survive(&program.module(), &program.wasm[..length], b"");
    }
    let whole = program.sources();
    let cut = survive(&program.module(), &program.wasm[..program.wasm.len() - 1], b"");
    assert!(cut.warnings().next().is_some());
    assert_eq!(cut.lines().count(), whole.lines().count(), "the end is not about lines");
}

#[test]
fn a_damaged_line_table_keeps_what_is_before_the_damage() {
    let program = Program::fixture("shelf-O0");
    let whole = program.sources().lines().count();
    let wasm = with_sections(&program.wasm, |name, data| {
        if name == ".debug_line" {
            // Only the unit's length says that there is more.
            data.truncate(data.len() / 2);
            let length = data.len() as u32 - 4;
            data[..4].copy_from_slice(&length.to_le_bytes());
        }
    });
    let part = survive(&program.module(), &wasm, b"").lines().count();
    assert!(0 < part && part < whole, "{part} of {whole}");
}

#[test]
fn what_is_missing_is_said() {
    let program = Program::example("light-sensor");
    let sources = Sources::new(&program.module(), &program.wasm, &|_| None);
    assert!(sources.is_empty());
    let warnings: Vec<&str> = sources.warnings().collect();
    assert_eq!(warnings, ["the source map ./light-sensor.wasm.map was not found"]);

    let without = with_sections(&program.wasm, |name, data| {
        if name == "sourceMappingURL" {
            data.clear();
        }
    });
    assert!(survive(&program.module(), &without, b"").is_empty());
    assert!(Sources::new(&program.module(), b"", &|_| None).is_empty());
}

#[test]
fn code_that_the_linker_left_out_has_no_lines() {
    // A sequence at address 0, where no code is, would run over that of the first function.
    let program = Program::fixture("shelf-O2");
    let wasm = with_sections(&program.wasm, |name, data| {
        if name == ".debug_line" {
            let set_address = [0, 5, 2];
            let at = data.windows(3).position(|bytes| bytes == set_address).unwrap() + 3;
            data[at..at + 4].fill(0);
        }
    });
    let module = program.module();
    let func = |offset: u32| module.func_at(module.pc_at_offset(offset).unwrap()).unwrap();
    let (before, after) = (program.sources(), survive(&program.module(), &wasm, b""));
    let first = func(before.lines().next().unwrap().0.start);
    let others: Vec<_> = before.lines().filter(|(range, _)| func(range.start) != first).collect();
    assert_eq!(after.lines().collect::<Vec<_>>(), others);
}
