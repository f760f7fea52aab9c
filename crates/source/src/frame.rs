//! Functions as the person wrote them: those whose code was put in place of a call are there too.

use crate::info::{Info, Language, ScopeId, ScopeKind};
use crate::location::Location;

/// A function under way, as seen in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its name with the path to it, where debug information has it.
    pub function: Option<String>,
    /// Where it is; for one that called an inlined function, that call.
    pub location: Option<Location>,
    /// Whether its code is in place of a call, so that the machine has no frame for it.
    pub inlined: bool,
    /// What it is written in.
    pub language: Language,
    /// Its scopes, innermost first.
    pub(crate) scopes: Vec<ScopeId>,
    /// The instruction that the machine is at.
    pub(crate) offset: u32,
    /// Parameters that are still where they were passed, by their names, and which local that is.
    pub(crate) passed: Vec<(String, u32)>,
}

/// The frames that the machine has one frame for, innermost first.
pub(crate) fn frames(info: &Info, offset: u32, location: Option<Location>) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut location = location;
    let mut scopes = Vec::new();
    for id in info.scopes_at(offset) {
        let scope = info.scope(id);
        scopes.push(id);
        let (name, call) = match &scope.kind {
            ScopeKind::Block => continue,
            ScopeKind::Function { name, .. } => (name, None),
            ScopeKind::Inlined { name, call } => (name, Some(*call)),
        };
        frames.push(Frame {
            function: name.as_deref().map(str::to_owned),
            location,
            inlined: call.is_some(),
            language: info.language(scope.unit),
            scopes: std::mem::take(&mut scopes),
            offset,
            passed: Vec::new(),
        });
        location = call.flatten();
    }
    if frames.is_empty() {
        frames.push(Frame { location, scopes, offset, ..Frame::default() });
    }
    frames
}
