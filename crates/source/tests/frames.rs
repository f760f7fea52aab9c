//! Functions as the person wrote them, with those that were inlined: `frames/NAME.txt` has them
//! wherever they change.

use crate::common;

use std::fmt::Write;

use common::{Program, check, is_own};
use mw_source::{Frame, Sources};

/// The frames at an offset, innermost first, on one line.
fn shown(sources: &Sources, frames: &[Frame]) -> String {
    let frame = |frame: &Frame| {
        let name = frame.function.as_deref().unwrap_or("?");
        let mark = if frame.inlined { " (inlined)" } else { "" };
        let place =
            frame.location.map_or("-".to_owned(), |at| format!("{}:{}", at.line, at.column));
        let file = frame.location.map(|at| sources.file(at.file).path()).unwrap_or_default();
        let file = file.rsplit('/').next().unwrap_or_default();
        format!("{name}{mark} {file}:{place}")
    };
    frames.iter().map(frame).collect::<Vec<_>>().join(" < ")
}

#[test]
fn frames_are_as_they_were() {
    for name in ["shelf-O0", "shelf-O2", "garden"] {
        let program = Program::fixture(name);
        let (sources, module) = (program.sources(), program.module());
        let mut text = String::new();
        for func in 0..module.funcs().len() as u32 {
            let code = module.func_code(func);
            // Rust's library is more than anyone reads.
            if !is_own(&module.func_name(func)) {
                continue;
            }
            writeln!(text, "{}", module.func_name(func)).unwrap();
            let mut before = Vec::new();
            for pc in code.start..code.start + code.len {
                let offset = module.offset_of(pc).unwrap();
                let frames = sources.frames(offset);
                let names: Vec<_> = frames.iter().map(|frame| frame.function.clone()).collect();
                if names != before {
                    writeln!(text, "  {offset:#06x} {}", shown(&sources, &frames)).unwrap();
                    before = names;
                }
            }
        }
        assert_eq!(sources.warnings().next(), None, "{name}");
        check(&format!("frames/{name}.txt"), &text);
    }
}

#[test]
fn without_dwarf_functions_are_called_as_in_the_module() {
    let sources = Program::example("light-sensor").sources();
    let frames = sources.frames(0x106);
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0].function.as_deref(), Some("light-sensor/main"));
    assert_eq!(frames[0].language, mw_source::Language::AssemblyScript);
    assert_eq!(frames[0].location, sources.location(0x106));
    assert!(!frames[0].inlined);
}
