//! Modules as their own source.

use crate::common;

use std::collections::HashSet;

use common::{Program, all};
use mw_source::{MachineFrame, Sources};
use mw_vm::{Limits, Machine};

#[test]
fn every_instruction_has_a_line_of_its_own_and_the_line_leads_back() {
    let blink = ("blink", Program::example("blink"));
    for (name, program) in all().into_iter().chain([blink]) {
        let module = program.module();
        let sources = Sources::disassembled(&module, &program.wasm, "module.wat");
        assert_eq!(sources.warnings().next(), None, "{name}");
        let file = sources.find_file("module.wat").unwrap();
        let text = sources.file(file).text().unwrap();
        assert!(wat::parse_str(text).is_ok(), "{name}: it is the text of a module");
        let mut seen = HashSet::new();
        for pc in 0..module.code().len() as u32 {
            let offset = module.offset_of(pc).unwrap();
            let at = sources.location(offset).unwrap();
            assert!(seen.insert(at.line), "{name}: {offset:#x} shares line {}", at.line);
            assert_eq!(sources.entries(file, at.line), [offset], "{name}");
            let line = sources.file(file).line(at.line).unwrap();
            assert_eq!(line.len() - line.trim_start().len() + 1, at.column as usize);
        }
        assert_eq!(sources.code_lines(file).count(), module.code().len(), "{name}");
    }
}

#[test]
fn lines_are_the_instructions_at_their_offsets() {
    let program = Program::example("light-sensor");
    let sources = Sources::disassembled(&program.module(), &program.wasm, "light-sensor.wat");
    let line = |offset| {
        let at = sources.location(offset).unwrap();
        sources.file(at.file).line(at.line).unwrap().trim()
    };
    assert_eq!(line(0x103), "global.get $light-sensor/THRESHOLD");
    assert_eq!(line(0x105), "i32.lt_s");
    assert_eq!(line(0x106), "if ;; label = @3");
    assert_eq!(sources.branch_text(0x106).as_deref(), Some("if ;; label = @3"));
}

#[test]
fn locals_and_globals_are_variables() {
    let wasm = wat::parse_str(
        r#"(module
             (global $level (mut i32) (i32.const 7))
             (func $half (export "half") (param $of f64) (result f64) (local i64)
               (f64.div (local.get $of) (f64.const 2))))"#,
    )
    .unwrap();
    let module =
        std::sync::Arc::new(mw_vm::Module::from_binary(&wasm, &Limits::default()).unwrap());
    let sources = Sources::disassembled(&module, &wasm, "half.wat");
    let mut machine = Machine::new(module.clone(), Limits::default(), Default::default()).unwrap();
    machine.call(module.exported_func("half").unwrap(), &[5.0_f64.into()]).unwrap();
    let storage = MachineFrame::new(&machine, 0);
    let frame = &sources.frames(module.offset_of(machine.pc()).unwrap())[0];
    assert_eq!(frame.function.as_deref(), Some("half"));
    let variables = sources.variables(frame, &storage).into_iter().chain(sources.globals(&storage));
    let shown: Vec<String> =
        variables.map(|v| format!("{}: {} = {}", v.name, v.type_name, v.value)).collect();
    assert_eq!(shown, ["of: f64 = 5.0", "local1: i64 = 0", "level: i32 = 7"]);
    let value = sources.evaluate("of * level", frame, &storage).unwrap().value;
    assert_eq!(value, "35.0");
}

#[test]
fn what_is_no_module_has_no_lines() {
    let program = Program::example("blink");
    let sources = Sources::disassembled(&program.module(), b"nothing", "blink.wat");
    assert!(sources.is_empty());
    assert!(sources.warnings().next().is_some());
}
