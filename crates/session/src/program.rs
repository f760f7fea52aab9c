//! The program of a session: its module, the source that it was built from, and what is made of
//! both when it is first needed.

use std::sync::Arc;

use mw_source::Sources;
use mw_vm::{Breakpoints, Module};

use crate::lines::LineMap;
use crate::reverse::calls_of;
use crate::session::Session;
use crate::skips::SkipSet;

/// The program. See the [module](self).
#[derive(Debug)]
pub(crate) struct Program {
    module: Arc<Module>,
    /// Empty, if it is not known.
    sources: Arc<Sources>,
    /// The lines to step by.
    lines: Option<Arc<LineMap>>,
    /// What steps by them pass through.
    skips: SkipSet,
    /// Where calls begin and end, for a probe.
    calls: Option<Breakpoints>,
}

impl Program {
    pub fn new(module: Arc<Module>) -> Program {
        Program {
            module,
            sources: Arc::default(),
            lines: None,
            skips: SkipSet::default(),
            calls: None,
        }
    }

    /// The lines of the program, if any are known.
    pub fn lines(&mut self) -> Option<Arc<LineMap>> {
        let lines = || Arc::new(LineMap::new(&self.module, &self.sources, &self.skips));
        let lines = self.lines.get_or_insert_with(lines);
        Some(lines.clone()).filter(|map| !map.is_empty())
    }

    /// Where calls begin and end.
    pub fn calls(&mut self) -> Breakpoints {
        self.calls.get_or_insert_with(|| calls_of(&self.module)).clone()
    }
}

impl Session {
    /// The program.
    pub fn module(&self) -> &Arc<Module> {
        &self.program.module
    }

    /// What the program was built from; empty, if it is not known.
    pub fn sources(&self) -> &Sources {
        &self.program.sources
    }

    /// What steps by lines pass through.
    pub fn skips(&self) -> &SkipSet {
        &self.program.skips
    }

    /// The same, to add and remove some.
    pub fn skips_mut(&mut self) -> &mut SkipSet {
        self.program.lines = None;
        &mut self.program.skips
    }

    /// Says what the program was built from: its lines are what one steps by, and breakpoints ask
    /// for its variables.
    pub fn set_sources(&mut self, sources: Arc<Sources>) {
        self.program.sources = sources;
        self.program.lines = None;
    }
}
