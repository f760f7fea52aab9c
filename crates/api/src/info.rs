//! Facts about the session, and the names that may be used in it.

use std::collections::BTreeSet;

use mw_world::Kind;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::exploration::Exploration;

/// Facts about the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {}

impl Ask for Info {
    type Reply = InfoView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let session = &debugger.session;
        let description = session.world().description();
        let own = session.module().funcs().iter().filter(|func| func.import.is_none());
        Ok(InfoView {
            name: debugger.texts[0].name.clone(),
            program: format!("{:032x}", session.module().fingerprint()),
            world: description.name().to_owned(),
            world_fingerprint: format!("{:032x}", description.fingerprint()),
            has_board: session.world().state().board().is_some(),
            has_sources: debugger.sources().is_some(),
            functions: own.count() as u64,
            primitives: session.world().imports().count() as u64,
            source_files: debugger.sources().map_or(0, |sources| sources.files().count() as u64),
            nodes: session.multiverse().len() as u64,
            choice_bytes: session.multiverse().bytes_held() as u64,
            checkpoints: session.checkpoints().len() as u64,
            checkpoint_bytes: session.checkpoints().bytes_held() as u64,
            checkpoint_budget: session.options().checkpoint_memory as u64,
            dry: session.options().dry,
        })
    }
}

/// Facts about the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfoView {
    /// What the program is called: the path that it came from.
    pub name: String,
    /// The program's fingerprint.
    pub program: String,
    /// The world's name.
    pub world: String,
    /// The world's fingerprint.
    pub world_fingerprint: String,
    /// Whether the world has a board to show.
    pub has_board: bool,
    /// Whether the source of the program is known.
    pub has_sources: bool,
    /// Functions of the program's own.
    pub functions: u64,
    /// Imported primitives.
    pub primitives: u64,
    /// Files of the source that are known from debug information.
    pub source_files: u64,
    /// Nodes of the multiverse, the root included.
    pub nodes: u64,
    /// Bytes that recorded choices take.
    pub choice_bytes: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Bytes that checkpoints take.
    pub checkpoint_bytes: u64,
    /// Bytes that checkpoints may take.
    pub checkpoint_budget: u64,
    /// Whether going back over outputs that cannot be undone needs no confirmation.
    pub dry: bool,
}

/// All names that a person may use, to complete words with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {}

impl Ask for Names {
    type Reply = NamesView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let session = &debugger.session;
        let module = session.module();
        let own = (0..module.funcs().len() as u32)
            .filter(|index| module.funcs()[*index as usize].import.is_none());
        let primitives: Vec<(bool, String)> = (0..)
            .zip(session.world().imports())
            .map(|(import, (primitive, _))| {
                let is_input = matches!(session.world().kind(import), Ok(Kind::Input));
                (is_input, primitive.full_name())
            })
            .collect();
        let of_kind = |wanted: bool| {
            let chosen = primitives.iter().filter(|(is_input, _)| *is_input == wanted);
            chosen.map(|(_, name)| name.clone()).collect()
        };
        let looked = debugger.running();
        let globals = (0..module.globals().len() as u32).filter_map(|i| looked.global_name(i));
        let func = session.machine().call_stack().first().map(|frame| frame.func);
        let locals = func.into_iter().flat_map(|func| looked.listing().locals().in_function(func));
        let variables: BTreeSet<String> = globals
            .chain(locals.map(|(_, name)| name.to_owned()))
            .chain(looked.source_names())
            .collect();
        Ok(NamesView {
            functions: own.map(|index| module.func_name(index)).collect(),
            inputs: of_kind(true),
            outputs: of_kind(false),
            variables: variables.into_iter().collect(),
            bookmarks: session.bookmarks().iter().map(|(name, _)| name.to_owned()).collect(),
            solvers: debugger.solvers.clone(),
            usual: Exploration::usual(),
        })
    }
}

/// All names that a person may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamesView {
    /// Functions of the program's own.
    pub functions: Vec<String>,
    /// Inputs.
    pub inputs: Vec<String>,
    /// Other primitives.
    pub outputs: Vec<String>,
    /// Globals and the locals of the function that is being executed.
    pub variables: Vec<String>,
    /// Bookmarks.
    pub bookmarks: Vec<String>,
    /// Solvers that may be used, beside the built-in one.
    pub solvers: Vec<String>,
    /// How far is explored where nothing else is said.
    pub usual: Exploration,
}
