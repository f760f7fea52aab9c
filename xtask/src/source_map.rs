//! Tidying the source maps that AssemblyScript writes.
//!
//! The compiler embeds the text of every source it saw, its own library's too,
//! and a source root at which no files are. What we keep: the mappings, the
//! paths of the sources relative to the map, and the text of our own sources.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// How the compiler marks the files of its library.
const LIBRARY: &str = "~lib/";

/// What is kept of a source map; reading drops the rest.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct SourceMap {
    version: u32,
    sources: Vec<String>,
    sources_content: Vec<Option<String>>,
    names: Vec<String>,
    mappings: String,
}

/// The same source map without the library's texts and the source root.
pub fn tidied(map: &str) -> Result<String> {
    let mut map: SourceMap =
        serde_json::from_str(map).context("the compiler's source map is not as expected")?;
    for (source, content) in map.sources.iter().zip(&mut map.sources_content) {
        if source.starts_with(LIBRARY) {
            *content = None;
        }
    }
    Ok(serde_json::to_string(&map)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_sources_keep_their_text_and_the_root_goes() {
        let map = r#"{"version":3,"sources":["~lib/a.ts","b.ts"],"names":[],"mappings":"A",
            "sourceRoot":"./b","sourcesContent":["x","y"]}"#;
        let expected = r#"{"version":3,"sources":["~lib/a.ts","b.ts"],"#.to_owned()
            + r#""sourcesContent":[null,"y"],"names":[],"mappings":"A"}"#
            + "\n";
        assert_eq!(tidied(map).unwrap(), expected);
    }

    #[test]
    fn what_is_not_a_source_map_is_refused() {
        assert!(tidied("[]").is_err());
        assert!(tidied("{").is_err());
    }
}
