//! Running programs to where they are looked at.

use std::sync::Arc;

use mw_source::Sources;
use mw_vm::{Breakpoints, Limits, Machine, NoProbe, Status, Stop, Value};

use super::Program;

/// An argument of a call.
pub enum Argument {
    Value(Value),
    /// The value of an exported global.
    Global(&'static str),
}

/// A program that is being executed.
pub struct Run {
    pub sources: Sources,
    pub machine: Machine,
}

impl Run {
    /// Calls a function.
    pub fn new(program: &Program, function: &str, args: &[Argument]) -> Run {
        let module = Arc::new(program.module());
        let mut machine =
            Machine::new(module.clone(), Limits::default(), Default::default()).unwrap();
        // The start function, if there is one.
        while machine.status() != Status::Idle {
            machine.step();
        }
        let value = |argument: &Argument| match argument {
            Argument::Value(value) => *value,
            Argument::Global(name) => machine.exported_global(name).unwrap(),
        };
        let args: Vec<Value> = args.iter().map(value).collect();
        machine.call(module.exported_func(function).unwrap(), &args).unwrap();
        Run { sources: program.sources(), machine }
    }

    /// Runs on to the first line with a text in it, and returns that line.
    pub fn run_to(&mut self, wanted: &str) -> String {
        let (file, line) = self
            .sources
            .files()
            .find_map(|(id, file)| {
                let line = file.text()?.lines().position(|line| line.contains(wanted))?;
                Some((id, line as u32 + 1))
            })
            .expect("there is such a line");
        let module = self.machine.module().clone();
        let entries = self.sources.entries(file, line).into_iter();
        let pcs = entries.map(|entry| module.pc_at_offset(entry).unwrap());
        let breakpoints = Breakpoints::new(&module, pcs);
        let stop = self.machine.run(u64::MAX, &breakpoints, &mut NoProbe);
        assert!(matches!(stop, Stop::Breakpoint), "{wanted}: {stop:?}");
        self.sources.file(file).line(line).unwrap().trim().to_owned()
    }

    /// The byte offset of the next instruction.
    pub fn offset(&self) -> u32 {
        self.machine.module().offset_of(self.machine.pc()).unwrap()
    }
}
