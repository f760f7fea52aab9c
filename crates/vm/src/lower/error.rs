//! Why a module cannot be loaded, in words that say what to do.

use alloc::{format, string::String, vec::Vec};

use wasmparser::{BinaryReaderError, Parser, Payload, Validator, WasmFeatures};

use super::FEATURES;
use crate::module::Func;

/// A module that cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are something else.
    #[error("not a WebAssembly binary: it does not start with the bytes 00 61 73 6d")]
    NotWasm,
    /// The binary is malformed or not valid.
    #[error("invalid module: {message} (at byte {offset:#x}{})", in_function(function))]
    Invalid {
        /// What is wrong.
        message: String,
        /// Where in the binary.
        offset: u64,
        /// The function that it is in, if it is in one.
        function: Option<String>,
    },
    /// The module is valid but needs more of WebAssembly than there is here.
    #[error(
        "this module uses {feature}, which is not supported (at byte {offset:#x}{}); \
         build it without that feature",
        in_function(function)
    )]
    Unsupported {
        /// The name of the feature.
        feature: String,
        /// Where in the binary it is used first.
        offset: u64,
        /// The function that it is used in, if it is in one.
        function: Option<String>,
    },
    /// The module asks for more than the limits allow.
    #[error("too large: {what}: {found}, but the limit is {limit}")]
    Limit {
        /// What there is too much of.
        what: String,
        /// How much there is.
        found: u64,
        /// How much there may be.
        limit: u64,
    },
}

fn in_function(function: &Option<String>) -> String {
    function.as_ref().map(|name| format!(", in function {name}")).unwrap_or_default()
}

impl From<BinaryReaderError> for LoadError {
    fn from(error: BinaryReaderError) -> Self {
        LoadError::Invalid {
            message: error.message().into(),
            offset: error.offset(),
            function: None,
        }
    }
}

impl LoadError {
    pub(super) fn check_limit(what: &str, found: u64, limit: u64) -> Result<(), LoadError> {
        if found > limit {
            return Err(LoadError::Limit { what: what.into(), found, limit });
        }
        Ok(())
    }

    /// Says in which function an invalid module goes wrong, and whether what is wrong with it is
    /// only that it uses features that the machine does not have.
    pub(super) fn explain(binary: &[u8], error: LoadError, funcs: &[Func]) -> LoadError {
        let LoadError::Invalid { message, offset, .. } = error else { return error };
        let function = function_at(binary, offset, funcs);
        match missing_features(binary) {
            None => LoadError::Invalid { message, offset, function },
            Some(feature) => LoadError::Unsupported { feature, offset, function },
        }
    }
}

/// The features that would make the module valid, if any would.
fn missing_features(binary: &[u8]) -> Option<String> {
    let valid = |features| Validator::new_with_features(features).validate_all(binary).is_ok();
    if !valid(WasmFeatures::all()) {
        return None;
    }
    let others = || WasmFeatures::all().difference(FEATURES).iter();
    let missing: Vec<WasmFeatures> = match others().find(|&one| valid(FEATURES.union(one))) {
        Some(one) => alloc::vec![one],
        None => others().filter(|&one| !valid(WasmFeatures::all().difference(one))).collect(),
    };
    let name = |features: &WasmFeatures| {
        let names = features.iter_names().map(|(name, _)| name.to_lowercase().replace('_', "-"));
        names.collect::<Vec<_>>().join("+")
    };
    Some(match missing.as_slice() {
        [] => "a combination of proposals".into(),
        missing => missing.iter().map(name).collect::<Vec<_>>().join(", "),
    })
}

fn function_at(binary: &[u8], offset: u64, funcs: &[Func]) -> Option<String> {
    let mut index = funcs.iter().filter(|f| f.import.is_some()).count();
    let mut export_names = Vec::new();
    let mut found = None;
    for payload in Parser::new(0).parse_all(binary).map_while(Result::ok) {
        match payload {
            Payload::ExportSection(section) => {
                export_names.extend(section.into_iter().map_while(Result::ok));
            }
            Payload::CodeSectionEntry(body) => {
                // What is missing at its end is found missing there.
                let range = body.range();
                if range.start <= offset && offset <= range.end {
                    found = Some(index);
                }
                index += 1;
            }
            _ => {}
        }
    }
    let index = found?;
    let exported = export_names.iter().find(|export| {
        export.kind == wasmparser::ExternalKind::Func && export.index as usize == index
    });
    Some(match exported {
        Some(export) => format!("{index} ({})", export.name),
        None => format!("{index}"),
    })
}
