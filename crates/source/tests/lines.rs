//! The line tables of real compilers, as text: `lines/NAME.txt` has for each function its code,
//! with the source and what is asked there if it is a branch. A star is where a breakpoint on the
//! line stops.

use crate::common;

use std::fmt::Write;

use common::{Program, all, check, is_own};
use mw_source::{DEBUG_FILE, Location, Sources};
use mw_vm::Op;

fn is_branch(op: &Op) -> bool {
    let name = format!("{op:?}");
    ["BrIf", "BrUnless", "BrTable"].iter().any(|branch| name.starts_with(branch))
}

#[test]
fn line_tables_are_as_they_were() {
    for (name, program) in all() {
        let (sources, module) = (program.sources(), program.module());
        assert_eq!(sources.warnings().next(), None, "{name}");
        let mut text = String::new();
        for func in 0..module.funcs().len() as u32 {
            let code = module.func_code(func);
            if code.len == 0 || !is_own(&module.func_name(func)) {
                continue;
            }
            writeln!(text, "{}", module.func_name(func)).unwrap();
            let mut before = None;
            for pc in code.start..code.start + code.len {
                let offset = module.offset_of(pc).unwrap();
                let location = sources.location(offset);
                let branch = is_branch(&module.code()[pc as usize]);
                if branch || before != Some(location) {
                    let place = match location {
                        Some(at) => sources.show(at),
                        None => "-".to_owned(),
                    };
                    let entry = |at: Location| sources.entries(at.file, at.line).contains(&offset);
                    let star = if location.is_some_and(entry) { '*' } else { ' ' };
                    write!(text, " {star}{offset:#06x} {place:30}").unwrap();
                    if branch && let Some(asked) = sources.branch_text(offset) {
                        write!(text, " ? {asked}").unwrap();
                    } else if let Some(at) = location {
                        let line = sources.file(at.file).line(at.line).unwrap_or_default();
                        write!(text, "   {}", line.trim()).unwrap();
                    }
                    text.truncate(text.trim_end().len());
                    text.push('\n');
                    before = Some(location);
                }
            }
        }
        check(&format!("lines/{name}.txt"), &text);
    }
}

#[test]
fn rows_begin_with_instructions() {
    for (name, program) in all() {
        let module = program.module();
        for (range, _) in program.sources().lines() {
            let pc = module.pc_at_offset(range.start).unwrap();
            assert_eq!(module.offset_of(pc), Some(range.start), "{name}");
        }
    }
}

#[test]
fn lines_and_offsets_lead_to_each_other() {
    for (name, program) in all() {
        let (sources, module) = (program.sources(), program.module());
        for (file, _) in sources.files() {
            for line in sources.code_lines(file) {
                let ranges = sources.ranges(file, line);
                assert!(!ranges.is_empty(), "{name} {line}");
                for offset in ranges.iter().cloned().flatten() {
                    let at = sources.location(offset).unwrap();
                    assert_eq!((at.file, at.line), (file, line), "{name} {offset:#x}");
                }
                let entries = sources.entries(file, line);
                assert!(entries.iter().all(|entry| ranges.iter().any(|r| r.contains(entry))));
                assert_eq!(sources.line_with_code(file, line), Some(line));
            }
        }
        for pc in 0..module.code().len() as u32 {
            let offset = module.offset_of(pc).unwrap();
            let func = module.func_at(pc).unwrap();
            if let Some(at) = sources.location(offset) {
                assert!(sources.ranges(at.file, at.line).iter().any(|r| r.contains(&offset)));
                assert!(sources.function_lines(func).contains(&(at.file, at.line)));
                assert_eq!(sources.location_near(offset), Some(at));
            }
        }
    }
}

/// The module without what a compiler has said about it, which comes after all code.
fn stripped(wasm: &[u8]) -> Vec<u8> {
    let mut at = 8;
    loop {
        let section = at;
        let number = |at: &mut usize| {
            let mut number = 0;
            for shift in (0..).step_by(7) {
                number |= (wasm[*at] as usize & 0x7f) << shift;
                *at += 1;
                if wasm[*at - 1] < 0x80 {
                    break;
                }
            }
            number
        };
        at += 1;
        let end = number(&mut at) + at;
        let is_debug = number(&mut at) > 0 && wasm[at..].starts_with(b".debug_");
        if wasm[section] == 0 && is_debug {
            return wasm[..section].to_vec();
        }
        at = end;
    }
}

#[test]
fn a_person_may_say_where_the_debug_information_is() {
    let program = Program::fixture("shelf-O0");
    let whole = program.sources();
    let bare = stripped(&program.wasm);
    let module = program.module();
    let sources = Sources::new(&module, &bare, &|name| program.load(name));
    assert!(sources.is_empty());
    let given = |file: Vec<u8>| {
        let load = |name: &str| match name {
            DEBUG_FILE => Some(file.clone()),
            name => program.load(name),
        };
        Sources::new(&module, &bare, &load)
    };
    let sources = given(program.wasm.clone());
    assert!(sources.lines().eq(whole.lines()));
    assert!(
        sources.warnings().eq(whole.warnings()),
        "{:?}",
        sources.warnings().collect::<Vec<_>>()
    );
    // What says nothing is no debug information, and that is said.
    for nothing in [bare.clone(), b"nothing".to_vec()] {
        let sources = given(nothing);
        assert!(sources.is_empty());
        assert!(sources.warnings().any(|warning| warning.contains(DEBUG_FILE)));
    }
}

#[test]
fn a_line_of_two_functions_has_an_entry_in_each() {
    // `heavier` is a function of its own without optimisation, and inlined with it.
    for (name, functions) in [("shelf-O0", vec!["heavier"]), ("shelf-O2", vec!["weigh"])] {
        let program = Program::fixture(name);
        let (sources, module) = (program.sources(), program.module());
        let file = sources.find_file("shelf.c").unwrap();
        let body = sources.file(file).text().unwrap().lines().position(|l| l.contains("a > b"));
        let line = body.unwrap() as u32 + 1;
        let entries = sources.entries(file, line);
        let in_functions: Vec<String> = entries
            .iter()
            .map(|entry| module.pc_at_offset(*entry).and_then(|pc| module.func_at(pc)))
            .map(|func| module.func_name(func.unwrap()))
            .collect();
        assert_eq!(in_functions, functions, "{name}");
    }
}

#[test]
fn lines_without_code_lead_to_the_next_with_code() {
    let sources = Program::example("light-sensor").sources();
    let file = sources.find_file("light-sensor.ts").unwrap();
    assert_eq!(sources.line_with_code(file, 1), Some(16));
    assert_eq!(sources.line_with_code(file, 23), Some(24));
    assert_eq!(sources.line_with_code(file, 1000), None);
    let lines: Vec<u32> = sources.code_lines(file).collect();
    assert_eq!(lines, [16, 17, 21, 22, 24, 25, 26, 27, 29, 31]);
    assert!(sources.ranges(file, 28).is_empty());
    assert!(sources.entries(file, 28).is_empty());
}

#[test]
fn a_source_is_found_by_the_end_of_its_path() {
    let sources = Program::example("light-sensor").sources();
    let paths: Vec<&str> = sources.files().map(|(_, file)| file.path()).collect();
    assert_eq!(paths, ["~lib/rt/common.ts", "../board.ts", "light-sensor.ts"]);
    let board = sources.find_file("board.ts").unwrap();
    assert_eq!(sources.file(board).line(5), Some("export const INPUT: i32 = 0;"));
    assert!(sources.find_file("nothing.ts").is_err());
}

#[test]
fn where_only_the_line_is_known_it_is_what_the_line_begins_with() {
    let map = r#"{"sources":["a.ts"],"sourcesContent":["  if (a) { b(c ? d : e); }"],
        "mappings":"sQAAA"}"#;
    let program = Program::example("light-sensor");
    let sources = Sources::new(&program.module(), &program.wasm, &|_| Some(map.into()));
    assert_eq!(sources.branch_text(262).as_deref(), Some("a"));
    assert_eq!(sources.branch_text(261), None);
}
