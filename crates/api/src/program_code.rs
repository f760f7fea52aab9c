//! The code of one of the programs: places in it, in words.

use mw_concolic::Outcome;
use mw_source::Sources;
use mw_vm::{Module, Op, Value};

use crate::debugger::Debugger;
use crate::looked::Looked;
use crate::suggested::SourceView;

/// The code of a program, and the source that it was built from, if that is known.
#[derive(Clone, Copy)]
pub(crate) struct ProgramCode<'a> {
    pub module: &'a Module,
    pub sources: Option<&'a Sources>,
}

impl Debugger {
    /// The code of a program, by its number.
    pub(crate) fn program(&self, number: u16) -> ProgramCode<'_> {
        let known = self.session.programs().nth(number.into());
        let module = known.map_or(self.session.module(), |(module, _)| module);
        let sources = self.texts.get(usize::from(number)).and_then(|text| text.sources.as_deref());
        ProgramCode { module, sources }
    }
}

impl<'a> Looked<'a> {
    /// The code of its program.
    pub(crate) fn program(self) -> ProgramCode<'a> {
        ProgramCode { module: self.module(), sources: self.sources() }
    }
}

impl ProgramCode<'_> {
    /// Whether a condition holds just when what is written in the source does. The `if` of a
    /// source jumps where it does not hold; what jumps where it holds may be its opposite, and
    /// `&&` and `||` have parts that are decided one by one.
    pub(crate) fn is_as_written(self, pc: u32, at: &SourceView) -> bool {
        let op = self.module.code().get(pc as usize);
        let is_whole = |source: &String| !["&&", "||"].iter().any(|part| source.contains(part));
        matches!(op, Some(Op::BrUnless { .. })) && at.source.as_ref().is_some_and(is_whole)
    }

    /// How a decision went, for people.
    pub(crate) fn outcome_text(self, pc: u32, outcome: Outcome) -> String {
        match outcome {
            Outcome::Condition(holds) | Outcome::Guard(_, holds) => holds.to_string(),
            Outcome::Target(to) => format!("goes to {}", self.place_text(to)),
            Outcome::Callee(func) => format!("calls {}", self.module.func_name(func)),
            Outcome::Trap(Some(kind)) => format!("traps: {kind}"),
            Outcome::Trap(None) => match self.module.code().get(pc as usize) {
                Some(Op::CallIndirect { .. }) => "calls".into(),
                _ => "does not trap".into(),
            },
            Outcome::Heap(Some(error)) => error.to_string(),
            Outcome::Heap(None) => "stays within its block of memory".into(),
            Outcome::Value(ty, slot) => format!("is {}", Value::from_slot(ty, slot)),
        }
    }

    /// A place in the program, in a word.
    pub(crate) fn place_text(self, pc: u32) -> String {
        let view = self.source_view(pc);
        view.location.unwrap_or_else(|| match view.offset {
            Some(offset) => format!("{offset:#x}"),
            None => format!("instruction {pc}"),
        })
    }

    /// A place in the program, for people.
    pub(crate) fn source_view(self, pc: u32) -> SourceView {
        let module = self.module;
        let offset = module.offset_of(pc);
        let sources = self.sources;
        let location =
            offset.and_then(|o| sources.and_then(|s| s.location_near(o).map(|at| s.show(at))));
        SourceView {
            function: module.func_at(pc).map_or("?".into(), |func| module.func_name(func)),
            offset,
            location,
            source: offset.and_then(|o| sources.and_then(|s| s.branch_text(o))),
            exactly: None,
        }
    }
}
