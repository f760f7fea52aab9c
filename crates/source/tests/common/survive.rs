//! Using sources that may be nonsense in every way there is. Shared with the fuzzer.

use mw_source::Sources;

/// Reads a module that may be damaged and asks everything. `files` is what any file contains.
pub fn survive(wasm: &[u8], files: &[u8]) -> Sources {
    let sources = Sources::new(wasm, &|_| Some(files.to_owned()));
    let mut end = 0;
    for (range, location) in sources.lines() {
        assert!(end <= range.start && range.start < range.end, "rows are in order: {range:?}");
        end = range.end;
        assert!(location.line > 0 && location.column > 0, "{location:?}");
        assert_eq!(sources.location(range.start), Some(location));
        assert_eq!(sources.location_near(range.end - 1), Some(location));
        assert!(!sources.entries(location.file, location.line).is_empty());
        sources.show(location);
        sources.branch_text(range.start);
    }
    for (file, content) in sources.files() {
        for line in sources.code_lines(file).take(1000) {
            content.line(line);
            assert!(!sources.ranges(file, line).is_empty());
        }
        let _ = sources.find_file(content.path());
    }
    for func in 0..100 {
        sources.function_lines(func);
    }
    sources
}
