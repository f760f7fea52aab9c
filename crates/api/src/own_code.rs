//! The program's own code, as opposed to that of libraries: a mistake is made where a library was
//! called, not in it.

use mw_source::Frame;

use crate::program_code::ProgramCode;
use crate::suggested::SourceView;

/// What runs because something has gone wrong already, the person's own handler included.
const PANICKING: [&str; 2] = ["core::panicking::", "std::panicking::"];

impl ProgramCode<'_> {
    /// Where the program's own code called a library that has come to an instruction; nothing if the
    /// instruction is its own, or if that is not known.
    pub(crate) fn own_place(self, pc: u32, callers: &[u32]) -> Option<SourceView> {
        let sources = self.sources?;
        let module = self.module;
        let frames: Vec<Frame> = std::iter::once(&pc)
            .chain(callers)
            .filter_map(|pc| module.offset_of(*pc))
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
        let frame = frames.get(own).filter(|_| own > 0)?;
        let shown = |frame: &Frame| frame.location.map(|at| sources.show(at));
        let exact = frames.first()?;
        let exactly = [shown(exact), exact.function.as_ref().map(|name| format!("in {name}"))];
        let at = frame.location?;
        Some(SourceView {
            function: frame.function.clone().unwrap_or_else(|| "?".into()),
            offset: module.offset_of(pc),
            location: shown(frame),
            source: sources.file(at.file).line(at.line).map(|line| line.trim().to_owned()),
            exactly: Some(exactly.into_iter().flatten().collect::<Vec<_>>().join(" ")),
        })
    }
}
