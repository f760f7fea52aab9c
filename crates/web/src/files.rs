//! The files of the page, which are part of the binary.

/// Name and content of every file, or nothing if the page had not been built.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file that everything begins with.
const INDEX: &str = "index.html";

/// What is shown if there is no page.
const UNBUILT: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Manyworlds</title>
<h1>The page is not part of this mw</h1>
<p>It is built from the folder <code>ui</code> of the repository. Run <code>cargo xtask ui</code>,
then build <code>mw</code> again. The terminal works without it.</p>
</html>
";

/// A file to be served.
pub struct File {
    /// What is in it.
    pub content: &'static [u8],
    /// What it is.
    pub media_type: &'static str,
    /// Whether a file of this name never changes, as its name tells its content.
    pub is_fixed: bool,
}

/// The file at a path, which begins with a slash.
pub fn find(path: &str) -> Option<File> {
    let name = path.strip_prefix('/')?;
    let name = if name.is_empty() { INDEX } else { name };
    let found = FILES.iter().find(|(other, _)| *other == name);
    match found {
        Some((_, content)) => Some(File {
            content,
            media_type: media_type(name),
            is_fixed: name.starts_with("assets/"),
        }),
        None if name == INDEX => Some(File {
            content: UNBUILT.as_bytes(),
            media_type: media_type(name),
            is_fixed: false,
        }),
        None => None,
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_something_to_begin_with() {
        let index = find("/").unwrap();
        assert_eq!(index.media_type, "text/html; charset=utf-8");
        assert!(!index.content.is_empty());
        assert!(!index.is_fixed);
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        for path in ["", "index.html", "/no-such-file", "/../Cargo.toml", "//"] {
            assert!(find(path).is_none(), "{path}");
        }
    }
}
