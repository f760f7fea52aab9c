//! Using sources that may be nonsense in every way there is. Shared with the fuzzer.

use mw_source::Sources;
use mw_vm::Module;

/// Reads a module that may be damaged and asks everything. `files` is what any file contains. If
/// the bytes are no module, `other` is taken for what they were made into.
pub fn survive(other: &Module, wasm: &[u8], files: &[u8]) -> Sources {
    let limits = mw_vm::Limits::default();
    let module = Module::from_binary(wasm, &limits).ok();
    let module = module.as_ref().unwrap_or(other);
    let sources = Sources::new(module, wasm, &|_| Some(files.to_owned()));
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
        assert!(!sources.frames(range.start).is_empty());
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
