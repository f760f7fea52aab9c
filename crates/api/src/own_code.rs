//! The program's own code, as opposed to that of libraries: a mistake is made where a library was
//! called, not in it.

use mw_source::{Frame, Location};
use mw_vm::{Machine, Status};

use crate::program_code::ProgramCode;
use crate::source_views::SourceLine;
use crate::suggested::SourceView;

/// What runs because something has gone wrong already, the person's own handler included.
const PANICKING: [&str; 2] = ["core::panicking::", "std::panicking::"];

impl ProgramCode<'_> {
    /// Where the program's own code called a library that has come to an instruction; nothing if the
    /// instruction is its own, or if that is not known.
    pub(crate) fn own_place(self, pc: u32, callers: &[u32]) -> Option<SourceView> {
        let sources = self.sources?;
        let (exact, frame) = self.own_frame(pc, callers)?;
        let shown = |frame: &Frame| frame.location.map(|at| sources.show(at));
        let exactly = [shown(&exact), exact.function.as_ref().map(|name| format!("in {name}"))];
        let at = frame.location?;
        Some(SourceView {
            function: frame.function.clone().unwrap_or_else(|| "?".into()),
            offset: self.module.offset_of(pc),
            location: shown(&frame),
            source: sources.file(at.file).line(at.line).map(|line| line.trim().to_owned()),
            exactly: Some(exactly.into_iter().flatten().collect::<Vec<_>>().join(" ")),
        })
    }

    /// The line of the program's own code that called the library in which a machine has trapped.
    pub(crate) fn own_line(self, machine: &Machine) -> Option<SourceLine> {
        let Status::Trapped(_) = machine.status() else { return None };
        let stack = machine.call_stack();
        let callers: Vec<u32> = stack.iter().skip(1).map(|frame| frame.pc).collect();
        let (_, frame) = self.own_frame(machine.pc(), &callers)?;
        let Location { file, line, column } = frame.location?;
        let file = self.sources?.file(file);
        let text = file.line(line).map(|text| text.trim().to_owned());
        Some(SourceLine { file: file.path().to_owned(), line, column, text })
    }

    /// The frame of an instruction, and that of the own code which called the library it is in.
    fn own_frame(self, pc: u32, callers: &[u32]) -> Option<(Frame, Frame)> {
        let sources = self.sources?;
        let mut frames: Vec<Frame> = std::iter::once(&pc)
            .chain(callers)
            .filter_map(|pc| self.module.offset_of(*pc))
            .flat_map(|offset| sources.frames(offset))
            .collect();
        let panics = |frame: &Frame| {
            let name = frame.function.as_deref().unwrap_or_default();
            PANICKING.iter().any(|module| name.starts_with(module))
        };
        let is_own =
            |frame: &Frame| frame.location.is_some_and(|at| !sources.file(at.file).is_library());
        let calm = frames.iter().rposition(panics).map_or(0, |last| last + 1);
        let own = calm + frames[calm..].iter().position(is_own)?;
        (own > 0).then(|| {
            let frame = frames.swap_remove(own);
            (frames.swap_remove(0), frame)
        })
    }
}
