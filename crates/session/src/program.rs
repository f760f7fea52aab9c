//! The programs of a session, mostly one: their modules, the source that they were built from, and what
//! is made of both when it is first needed.

use std::sync::Arc;

use mw_ensemble::Moment;
use mw_source::Sources;
use mw_vm::{Breakpoints, Machine, Module};

use crate::lines::LineMap;
use crate::reverse::calls_of;
use crate::session::Session;
use crate::skips::SkipSet;

/// A program. See the [module](self).
#[derive(Debug)]
pub(crate) struct Program {
    pub module: Arc<Module>,
    /// Empty, if it is not known.
    pub sources: Arc<Sources>,
    /// Its own text, for properties of a program whose sources are not known.
    pub own_text: Option<Arc<Sources>>,
    /// The lines to step by.
    lines: Option<Arc<LineMap>>,
    /// Where calls begin and end, for a probe.
    calls: Option<Breakpoints>,
}

impl Program {
    fn new(module: Arc<Module>) -> Program {
        Program { module, sources: Arc::default(), own_text: None, lines: None, calls: None }
    }
}

/// The programs that run in a session.
#[derive(Debug)]
pub(crate) struct Programs {
    programs: Vec<Program>,
    /// What steps by lines pass through.
    skips: SkipSet,
}

/// Something in the code of each program.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByProgram(Vec<(Arc<Module>, Breakpoints)>);

/// No instructions.
static NOWHERE: Breakpoints = Breakpoints::none();

impl ByProgram {
    /// Nothing in any program.
    pub const fn none() -> ByProgram {
        ByProgram(Vec::new())
    }

    /// That of the program that a machine runs.
    pub fn of(&self, machine: &Machine) -> &Breakpoints {
        let own = self.0.iter().find(|(module, _)| Arc::ptr_eq(module, machine.module()));
        own.map_or(&NOWHERE, |(_, breakpoints)| breakpoints)
    }

    /// The same with further breakpoints in one program.
    pub fn and(mut self, module: &Arc<Module>, pcs: impl IntoIterator<Item = u32>) -> ByProgram {
        if let Some((_, of)) = self.0.iter_mut().find(|(own, _)| Arc::ptr_eq(own, module)) {
            *of = std::mem::take(of).and(module, pcs);
        }
        self
    }

    /// The same, changed for each program.
    pub fn map(self, change: impl Fn(Breakpoints) -> Breakpoints) -> ByProgram {
        ByProgram(self.0.into_iter().map(|(module, of)| (module, change(of))).collect())
    }
}

impl Programs {
    /// Those that run at some moment or may come to.
    pub fn of(now: &Moment) -> Programs {
        let modules = match &now.ensemble {
            Some(ensemble) => ensemble.system().programs.iter().map(|p| p.module.clone()).collect(),
            None => vec![now.machine.module().clone()],
        };
        let programs = modules.into_iter().map(Program::new).collect();
        Programs { programs, skips: SkipSet::default() }
    }

    /// All programs.
    pub fn iter(&self) -> impl Iterator<Item = &Program> {
        self.programs.iter()
    }

    /// The number of the program that a machine runs.
    pub fn number_of(&self, machine: &Machine) -> usize {
        let is_it = |program: &Program| Arc::ptr_eq(&program.module, machine.module());
        self.programs.iter().position(is_it).unwrap_or(0)
    }

    /// The program that a machine runs.
    pub fn program_of(&self, machine: &Machine) -> &Program {
        &self.programs[self.number_of(machine)]
    }

    /// Something for the code of each program.
    pub fn each(&self, mut make: impl FnMut(u16, &Arc<Module>) -> Breakpoints) -> ByProgram {
        let of = |(number, program): (u16, &Program)| {
            (program.module.clone(), make(number, &program.module))
        };
        ByProgram((0..).zip(&self.programs).map(of).collect())
    }

    /// Where calls begin and end.
    pub fn calls(&mut self) -> ByProgram {
        for program in &mut self.programs {
            program.calls.get_or_insert_with(|| calls_of(&program.module));
        }
        let calls = self.programs.iter().map(|p| (p.module.clone(), p.calls.clone()));
        ByProgram(calls.map(|(module, calls)| (module, calls.unwrap_or_default())).collect())
    }
}

impl Session {
    /// The program of the task that runs.
    pub fn module(&self) -> &Arc<Module> {
        self.walk.now.machine.module()
    }

    /// The number of the program of the task that runs.
    pub fn program_number(&self) -> u16 {
        self.programs.number_of(&self.walk.now.machine) as u16
    }

    /// All programs, with what they were built from.
    pub fn programs(&self) -> impl Iterator<Item = (&Arc<Module>, &Sources)> {
        self.programs.iter().map(|program| (&program.module, &*program.sources))
    }

    /// What the program of the task that runs was built from; empty, if it is not known.
    pub fn sources(&self) -> &Sources {
        &self.programs.program_of(&self.walk.now.machine).sources
    }

    /// What steps by lines pass through.
    pub fn skips(&self) -> &SkipSet {
        &self.programs.skips
    }

    /// The same, to add and remove some.
    pub fn skips_mut(&mut self) -> &mut SkipSet {
        self.programs.programs.iter_mut().for_each(|program| program.lines = None);
        &mut self.programs.skips
    }

    /// Says what a program was built from: its lines are what one steps by, and breakpoints ask
    /// for its variables.
    pub fn set_sources(&mut self, program: u16, sources: Arc<Sources>) {
        if let Some(program) = self.programs.programs.get_mut(usize::from(program)) {
            program.sources = sources;
            program.lines = None;
        }
    }

    /// Says what the text of a program itself is, for properties of one whose sources are not known.
    pub fn set_own_text(&mut self, program: u16, text: Arc<Sources>) {
        if let Some(program) = self.programs.programs.get_mut(usize::from(program)) {
            program.own_text = Some(text);
        }
    }

    /// The lines of the program of the task that runs, if any are known.
    pub(crate) fn lines(&mut self) -> Option<Arc<LineMap>> {
        let number = self.programs.number_of(&self.walk.now.machine);
        let Programs { programs, skips } = &mut self.programs;
        let Program { module, sources, lines, .. } = &mut programs[number];
        let lines = lines.get_or_insert_with(|| Arc::new(LineMap::new(module, sources, skips)));
        Some(lines.clone()).filter(|map| !map.is_empty())
    }
}
