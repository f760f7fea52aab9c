//! Using sources that may be nonsense in every way there is. Shared with the fuzzer.

use std::sync::LazyLock;

use mw_source::{Expression, Names, Sources, Storage, Variable};
use mw_vm::{Cell, Limits, Module, Value};

/// A module that names a source map.
const MAPPED: &[u8] = include_bytes!("../../../../examples/breakout/breakout.wasm");

/// Takes bytes for a module with debug information, for a source map and for a source.
pub fn any(bytes: &[u8]) {
    static MODULE: LazyLock<Module> =
        LazyLock::new(|| Module::from_binary(MAPPED, &Limits::default()).expect("it is valid"));
    survive(&MODULE, bytes, bytes);
    survive(&MODULE, MAPPED, bytes);
}

/// Reads a module that may be damaged and asks everything. `files` is what any file contains. If
/// the bytes are no module, `other` is taken for what they were made into.
pub fn survive(other: &Module, wasm: &[u8], files: &[u8]) -> Sources {
    let module = Module::from_binary(wasm, &Limits::default()).ok();
    let module = module.as_ref().unwrap_or(other);
    let sources = Sources::new(module, wasm, &|_| Some(files.to_owned()));
    let mut end = 0;
    for (range, location) in sources.lines() {
        assert!(end <= range.start && range.start < range.end, "rows are in order: {range:?}");
        end = range.end;
        assert!(location.line > 0 && location.column > 0, "{location:?}");
        assert_eq!(sources.location(range.start), Some(location));
        assert_eq!(sources.location_near(range.end - 1), Some(location));
        assert!(!sources.entries(location.file, location.line).is_empty());
        sources.show(location);
        sources.branch_text(range.start);
        assert!(!sources.frames(range.start).is_empty());
        if let Some((start, _)) = sources.statement(range.start) {
            assert!(start <= range.start, "a statement begins before its end");
        }
        sources.inlined_calls(range.start);
        sources.body_start(range.start);
    }
    for (file, content) in sources.files() {
        for line in sources.code_lines(file).take(1000) {
            content.line(line);
            assert!(!sources.ranges(file, line).is_empty());
        }
        let _ = sources.find_file(content.path());
    }
    let rows: Vec<u32> = sources.lines().map(|(range, _)| range.start).collect();
    for offset in rows.iter().step_by(rows.len() / 20 + 1) {
        for frame in sources.frames(*offset) {
            let variables = sources.variables(&frame, &Junk);
            look(&sources, &variables, 2);
            for Variable { name, .. } in variables.iter().take(5) {
                for text in [format!("{name}.x + {name}[1]"), format!("*{name} < 1 && &{name}")] {
                    let _ = sources.evaluate(&text, &frame, &Junk);
                    let names =
                        Names { sources: Some(&sources), frame: Some(&frame), ..Names::default() };
                    let _ = Expression::parse_known(&text, &names);
                }
            }
        }
    }
    look(&sources, &sources.globals(&Junk), 2);
    let text = Sources::disassembled(module, wasm, "module.wat");
    for (range, location) in text.lines().take(100) {
        assert_eq!(text.location(range.start), Some(location));
    }
    for func in 0..100 {
        sources.function_lines(func);
    }
    sources
}

/// Follows variables everywhere.
fn look(sources: &Sources, variables: &[Variable], depth: usize) {
    for variable in variables.iter().take(20) {
        assert!(variable.value.len() < 100_000, "{}", variable.name);
        let children = sources.children(variable, &Junk);
        sources.size(variable);
        sources.cell(variable);
        assert_eq!(variable.has_children, !children.is_empty(), "{}", variable.name);
        if depth > 0 {
            look(sources, &children, depth - 1);
        }
    }
}

/// A machine with something everywhere: small numbers, and large ones.
pub struct Junk;

impl Storage for Junk {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        for (byte, place) in buffer.iter_mut().zip(address..) {
            *byte = if place % 16 < 8 { place as u8 } else { 0 };
        }
        address < 1 << 32
    }

    fn cell(&self, cell: Cell) -> Option<Value> {
        match cell {
            Cell::Global(global) => (global < 10).then_some(Value::I64(1 << 16)),
            Cell::Local { local, .. } => Some(Value::I64([0, 16, 1024, -1][local as usize % 4])),
            Cell::Memory { .. } => Some(Value::I32(-1)),
        }
    }

    fn operand(&self, index: u32) -> Option<u64> {
        (index < 10).then_some(u64::MAX - 2)
    }
}
