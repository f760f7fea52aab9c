//! What the names in an expression mean.

use mw_vm::{Cell, Extern, Module};

use super::convert::integer_type;
use super::evaluate::Evaluation;
use crate::frame::Frame;
use crate::local_names::LocalNames;
use crate::sources::Sources;
use crate::storage::Nothing;

/// What is known where an expression is read. Names of the source come first: what it calls
/// `shelf` is for the machine only an address. Then come the machine's locals and globals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// The source.
    pub sources: Option<&'a Sources>,
    /// The function of the source that is looked at.
    pub frame: Option<&'a Frame>,
    /// The program, for its globals.
    pub module: Option<&'a Module>,
    /// What its locals are called.
    pub locals: Option<&'a LocalNames>,
    /// The machine's functions under way, innermost first.
    pub functions: &'a [u32],
    /// The one of these whose locals are meant where nothing else is said.
    pub depth: u32,
}

impl<'a> Names<'a> {
    /// The globals of a program.
    pub fn of(module: &'a Module) -> Names<'a> {
        Names { module: Some(module), ..Names::default() }
    }

    pub(super) fn is_in_source(&self, name: &str) -> bool {
        self.sources
            .zip(self.frame)
            .is_some_and(|(sources, frame)| Evaluation::new(sources, frame, &Nothing).knows(name))
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        integer_type(name).is_some()
            || self.sources.is_some_and(|sources| sources.info().is_type(name))
    }

    /// A local of the innermost function, else a global.
    pub(super) fn cell(&self, name: &str) -> Option<Cell> {
        let depth = self.depth;
        let local = self.local(depth, name).map(|local| Cell::Local { depth, local });
        local.or_else(|| self.global(name).map(Cell::Global))
    }

    pub(super) fn local(&self, depth: u32, name: &str) -> Option<u32> {
        let func = *self.functions.get(depth as usize)?;
        let mut locals = self.locals?.in_function(func);
        locals.find(|(_, known)| *known == name).map(|(local, _)| local)
    }

    /// A global by its name, the name of an export, or the end of its name after a slash, if no
    /// other has it.
    pub(super) fn global(&self, name: &str) -> Option<u32> {
        let module = self.module?;
        let globals = || (0..).zip(module.globals().iter().map(|global| global.name.as_deref()));
        let exact = globals().find(|(_, known)| *known == Some(name)).map(|(index, _)| index);
        let exported = || match module.exports().get(name)? {
            Extern::Global(index) => Some(*index),
            _ => None,
        };
        let ending = || {
            let end = format!("/{name}");
            let mut fitting =
                globals().filter(|(_, known)| known.is_some_and(|k| k.ends_with(&end)));
            fitting.next().filter(|_| fitting.next().is_none()).map(|(index, _)| index)
        };
        exact.or_else(exported).or_else(ending)
    }
}
