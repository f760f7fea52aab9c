//! What debug information says about a program beyond lines: functions, inlined calls, scopes,
//! variables and types, whatever format said so.
//!
//! Everything refers to everything else by number. A number may lead nowhere and types may lead
//! to each other in circles: whoever follows them counts the steps.

pub(crate) mod types;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::location::Location;
use types::{Type, TypeId};

/// The language that a part of a program is written in, which decides how its values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// C, and all that is not listed here.
    #[default]
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
    /// AssemblyScript.
    AssemblyScript,
}

impl Language {
    /// Whether it computes as C does.
    pub(crate) fn is_c(self) -> bool {
        matches!(self, Language::C | Language::Cpp)
    }
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct Info {
    pub units: Vec<Unit>,
    pub scopes: Vec<Scope>,
    /// The code of functions with their scopes, in ascending order.
    pub functions: Vec<(Range<u32>, ScopeId)>,
    pub globals: Vec<Declaration>,
    pub types: HashMap<TypeId, Type>,
}

/// What was compiled at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub language: Language,
    pub encoding: gimli::Encoding,
    pub address_base: gimli::DebugAddrBase<usize>,
}

/// A scope, as an index into [`Info::scopes`].
pub(crate) type ScopeId = u32;

/// A part of the code in which names have a meaning.
#[derive(Debug)]
pub(crate) struct Scope {
    pub parent: Option<ScopeId>,
    pub unit: u32,
    pub kind: ScopeKind,
    pub ranges: Vec<Range<u32>>,
    pub children: Vec<ScopeId>,
    pub variables: Vec<Declaration>,
}

#[derive(Debug)]
pub(crate) enum ScopeKind {
    /// A function, with what the addresses of its variables count from.
    Function { name: Option<Arc<str>>, frame_base: Home },
    /// The code of another function, in place of a call.
    Inlined { name: Option<Arc<str>>, call: Option<Location> },
    /// A part of a function.
    Block,
}

/// A variable or parameter.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub name: Arc<str>,
    pub ty: Option<TypeId>,
    pub unit: u32,
    pub place: Home,
    /// Whether a caller gives its value.
    pub parameter: bool,
}

/// Where a value is.
#[derive(Clone, Debug, Default)]
pub(crate) enum Home {
    /// The compiler left it out.
    #[default]
    Nowhere,
    /// It has always been this.
    Constant(Arc<[u8]>),
    /// What a DWARF expression says.
    Expression(Arc<[u8]>),
    /// The same, but different expressions in different code.
    List(Vec<(Range<u32>, Arc<[u8]>)>),
    /// A local of the machine.
    Local(u32),
    /// A global of the machine.
    Global {
        /// Its index.
        index: u32,
        /// Whether the program can change it.
        mutable: bool,
    },
}

impl Info {
    /// The scopes around a byte offset, innermost first; the last one is a function.
    pub fn scopes_at(&self, offset: u32) -> Vec<ScopeId> {
        let after = self.functions.partition_point(|(range, _)| range.start <= offset);
        let Some((range, function)) = after.checked_sub(1).map(|last| &self.functions[last]) else {
            return Vec::new();
        };
        if !range.contains(&offset) {
            return Vec::new();
        }
        let mut chain = vec![*function];
        let mut here = *function;
        // Children have higher numbers than their parents, so this ends.
        while let Some(child) =
            self.scope(here).children.iter().find(|child| self.scope(**child).contains(offset))
        {
            here = *child;
            chain.push(here);
        }
        chain.reverse();
        chain
    }

    /// Tells functions apart, and the places at which one was inlined.
    pub fn function_at(&self, offset: u32) -> Option<(ScopeId, usize)> {
        let scopes = self.scopes_at(offset);
        let is_function = |scope: &&ScopeId| !matches!(self.scope(**scope).kind, ScopeKind::Block);
        let id = *scopes.iter().find(is_function)?;
        let scope = self.scope(id);
        let copy = match scope.kind {
            // A loop that was unrolled has the same call several times.
            ScopeKind::Inlined { .. } => scope.ranges.iter().position(|r| r.contains(&offset))?,
            _ => 0,
        };
        Some((id, copy))
    }

    /// A scope by its number.
    pub fn scope(&self, scope: ScopeId) -> &Scope {
        &self.scopes[scope as usize]
    }

    /// The language of a unit.
    pub fn language(&self, unit: u32) -> Language {
        self.units.get(unit as usize).map(|unit| unit.language).unwrap_or_default()
    }
}

impl Scope {
    fn contains(&self, offset: u32) -> bool {
        self.ranges.iter().any(|range| range.contains(&offset))
    }
}
