//! A program as text: what it was built from, or its own instructions.

use std::cell::OnceCell;
use std::sync::Arc;

use mw_source::Sources;
use mw_vm::Module;

use crate::listing::Listing;

/// A program as text. See the [module](self).
pub(crate) struct ProgramText {
    /// What it is called: the path that it came from.
    pub name: String,
    pub binary: Arc<[u8]>,
    /// The source that it was built from, if it is known.
    pub sources: Option<Arc<Sources>>,
    listing: OnceCell<Listing>,
    /// Its own text, where there are no sources; made when first needed.
    own_text: OnceCell<Arc<Sources>>,
}

impl ProgramText {
    pub fn new(name: String, binary: Arc<[u8]>, sources: Option<Arc<Sources>>) -> ProgramText {
        ProgramText { name, binary, sources, listing: OnceCell::new(), own_text: OnceCell::new() }
    }

    /// The name of its file, without its folder.
    pub fn file_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// Its instructions; made when first needed.
    pub fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| Listing::new(&self.binary))
    }

    /// The sources; without debug information, its own text.
    pub fn code(&self, module: &Module) -> Arc<Sources> {
        let text = || {
            let name = self.file_name();
            let name = format!("{}.wat", name.trim_end_matches(".wasm").trim_end_matches(".wat"));
            Arc::new(Sources::disassembled(module, &self.binary, &name))
        };
        match &self.sources {
            Some(sources) => sources.clone(),
            None => self.own_text.get_or_init(text).clone(),
        }
    }
}
