//! Paths as they are written in debug information: by any system, relative to all kinds of things.
//! They are only text here.

/// What separates folders, on whatever system the compiler ran.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// `path` as seen from `base`, without detours.
pub(crate) fn join(base: &str, path: &str) -> String {
    if base.is_empty() || is_absolute(path) {
        return tidy(path);
    }
    tidy(&format!("{base}/{path}"))
}

/// The folder that a file is in.
pub(crate) fn folder(path: &str) -> &str {
    path.rfind(SEPARATORS).map_or("", |end| &path[..end])
}

/// Whether a path says by itself where it leads: `/a`, `C:\a`, `file:///a`, `~lib/a`.
fn is_absolute(path: &str) -> bool {
    // AssemblyScript's own library is at no place.
    path.starts_with(SEPARATORS)
        || path.starts_with("~lib/")
        || path.split(SEPARATORS).next().is_some_and(|first| first.contains(':'))
}

/// Without `.`, and without `..` where the folder that it leaves is known.
fn tidy(path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    let separator = if path.contains('/') { '/' } else { '\\' };
    let rooted = path.starts_with(SEPARATORS);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(SEPARATORS) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let tidied = parts.join(separator.encode_utf8(&mut [0; 4]));
    if rooted { format!("{separator}{tidied}") } else { tidied }
}

/// Whether a person may mean `path` by `name`: its last parts are those of the name.
pub(crate) fn ends_with(path: &str, name: &str) -> bool {
    let mut path = path.rsplit(SEPARATORS);
    let mut name = name.rsplit(SEPARATORS).filter(|part| !part.is_empty() && *part != ".");
    name.all(|part| path.next() == Some(part))
}

/// Whether two paths are the same.
pub(crate) fn equal(a: &str, b: &str) -> bool {
    tidy(a) == tidy(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_without_detours() {
        for (base, path, joined) in [
            ("", "./a.ts", "a.ts"),
            (".", "../board.ts", "../board.ts"),
            ("build/out", "../../src/a.ts", "src/a.ts"),
            ("/home/a", "b/./c.c", "/home/a/b/c.c"),
            ("/home/a", "/b.c", "/b.c"),
            ("/a", "../../../b.c", "/b.c"),
            ("build", "~lib/rt.ts", "~lib/rt.ts"),
            ("build", "file:///a/../b.ts", "file:///a/../b.ts"),
            ("C:\\a", "b\\c.c", "C:/a/b/c.c"),
            ("x", "C:\\b\\..\\c.c", "C:\\c.c"),
        ] {
            assert_eq!(join(base, path), joined, "{base} {path}");
        }
    }

    #[test]
    fn a_name_means_the_paths_that_end_with_it() {
        assert!(ends_with("/a/src/main.ts", "main.ts"));
        assert!(ends_with("/a/src/main.ts", "./src/main.ts"));
        assert!(ends_with("C:\\a\\main.c", "a/main.c"));
        assert!(!ends_with("/a/src/main.ts", "ain.ts"));
        assert!(!ends_with("main.ts", "src/main.ts"));
    }

    #[test]
    fn the_folder_of_a_file_is_all_before_its_name() {
        assert_eq!(folder("./a/b.map"), "./a");
        assert_eq!(folder("b.map"), "");
    }
}
