//! Variables and their values at chosen lines, with their parts: `variables/NAME.txt`.

use crate::common;

use std::fmt::Write;

use common::run::{Argument, Run};
use common::{Program, check};
use mw_source::{Content, MachineFrame, Sources, Variable};
use mw_vm::Value;

/// A program, and where to look at it.
struct Visit {
    program: Program,
    call: &'static str,
    args: Vec<Argument>,
    /// Texts in the lines to stop at, each as often as it is given.
    lines: &'static [&'static str],
}

fn look(visit: &Visit) -> String {
    let mut run = Run::new(&visit.program, visit.call, &visit.args);
    let mut text = String::new();
    for wanted in visit.lines {
        writeln!(text, "{}", run.run_to(wanted)).unwrap();
        let storage = MachineFrame::new(&run.machine, 0);
        for frame in run.sources.frames(run.offset()) {
            writeln!(text, "  in {}", frame.function.as_deref().unwrap_or("?")).unwrap();
            for variable in run.sources.variables(&frame, &storage) {
                list(&mut text, &run.sources, &storage, &variable, 2, 3);
            }
        }
        run.machine.step();
    }
    writeln!(text, "globals").unwrap();
    let storage = MachineFrame::new(&run.machine, 0);
    for variable in run.sources.globals(&storage) {
        list(&mut text, &run.sources, &storage, &variable, 1, 2);
    }
    text
}

fn list(
    text: &mut String,
    sources: &Sources,
    storage: &MachineFrame<'_>,
    variable: &Variable,
    indent: usize,
    depth: usize,
) {
    let Variable { name, type_name, value, .. } = variable;
    let content = match variable.content {
        Some(Content { address, size: Some(size) }) => format!(" → {size} bytes at {address:#x}"),
        Some(Content { address, size: None }) => format!(" → {address:#x}"),
        None => String::new(),
    };
    let width = indent * 2;
    writeln!(text, "{:width$}{name}: {type_name} = {value}{content}", "").unwrap();
    let children = sources.children(variable, storage);
    assert_eq!(variable.has_children, !children.is_empty(), "{name}");
    if depth > 1 {
        for child in children {
            list(text, sources, storage, &child, indent + 1, depth - 1);
        }
    }
}

#[test]
fn c_without_optimisation() {
    let first = Argument::Global("shelf");
    let visit = Visit {
        program: Program::fixture("shelf-O0"),
        call: "weigh",
        args: vec![first, Argument::Value(Value::I32(50))],
        lines: &["switch (jar->kind)", "return a > b", "return sum"],
    };
    check("variables/shelf-O0-weigh.txt", &look(&visit));
    let visit = Visit {
        program: Program::fixture("shelf-O0"),
        call: "mix",
        args: vec![Argument::Value(Value::I32(90)), Argument::Value(Value::from(0.5_f32))],
        lines: &["total += grid", "total += grid", "total -= (int)seed", "return total + letter"],
    };
    check("variables/shelf-O0-mix.txt", &look(&visit));
}

#[test]
fn c_with_optimisation() {
    let first = Argument::Global("shelf");
    let visit = Visit {
        program: Program::fixture("shelf-O2"),
        call: "weigh",
        args: vec![first, Argument::Value(Value::I32(50))],
        lines: &["return a > b", "switch (jar->kind)", "return sum"],
    };
    check("variables/shelf-O2-weigh.txt", &look(&visit));
    let visit = Visit {
        program: Program::fixture("shelf-O2"),
        call: "mix",
        args: vec![Argument::Value(Value::I32(9)), Argument::Value(Value::from(0.5_f32))],
        lines: &["total += grid", "price += shelf"],
    };
    check("variables/shelf-O2-mix.txt", &look(&visit));
}

#[test]
fn rust() {
    let visit = Visit {
        program: Program::fixture("garden"),
        call: "grow",
        args: vec![Argument::Value(Value::I32(250))],
        lines: &["sum += u32::from(some", "match plant", "300 - moisture"],
    };
    check("variables/garden.txt", &look(&visit));
}

#[test]
fn assemblyscript() {
    let visit = Visit {
        program: Program::fixture("pantry"),
        call: "count",
        args: vec![Argument::Value(Value::I32(3))],
        lines: &["if (item > limit)", "return total"],
    };
    check("variables/pantry.txt", &look(&visit));
}
