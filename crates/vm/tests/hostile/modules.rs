//! Binaries that are no modules, or modules out of all proportion.

use std::sync::Arc;

use mw_vm::{Limits, LoadError, Module};

use crate::common::drive::{End, Session, load};
use crate::common::programs::PROGRAMS;
use crate::encode::{function, leb, list, module, section};

fn error(binary: &[u8]) -> LoadError {
    match Module::from_binary(binary, &Limits::default()) {
        Err(error) => error,
        Ok(_) => panic!("a module of {} bytes was accepted", binary.len()),
    }
}

/// A machine in which the first function is called; in a fork, which has no more than it needs.
fn call(module: &Arc<Module>) -> Session {
    let mut session = Session::new(module).expect("there are no segments");
    session.machine.call(0, &[]).expect("it has no parameters");
    session.fork()
}

/// Checks the whole message of the error.
#[track_caller]
fn check(binary: &[u8], expected: &str) {
    assert_eq!(error(binary).to_string(), expected);
}

#[test]
fn what_is_no_module_is_said_to_be_none() {
    let none = "not a WebAssembly binary: it does not start with the bytes 00 61 73 6d";
    for bytes in [&b""[..], b"\0", b"\0as", b"(module)", b"\x7fELF", &[0xff; 1000]] {
        check(bytes, none);
    }
    check(b"\0asm", "invalid module: unexpected end-of-file (at byte 0x4)");
    check(b"\0asm\x01\0", "invalid module: unexpected end-of-file (at byte 0x4)");
    let version = "invalid module: unknown binary version:        0x2 (at byte 0x4)";
    check(b"\0asm\x02\0\0\0", version);
}

#[test]
fn component_is_refused_by_name() {
    let component = wat::parse_str("(component)").unwrap();
    check(
        &component,
        "this module uses component-model, which is not supported (at byte 0x4); \
         build it without that feature",
    );
}

#[test]
fn truncated_module_is_an_error_at_every_length() {
    for program in PROGRAMS {
        let binary = program.binary();
        for length in 0..binary.len() {
            match Module::from_binary(&binary[..length], &Limits::default()) {
                // What comes after some sections is not needed, or is only names.
                Ok(_) => assert!(is_border(&binary, length), "{}: {length}", program.name),
                Err(LoadError::NotWasm) => assert!(length < 4),
                Err(LoadError::Invalid { message, offset, .. }) => {
                    assert!(!message.is_empty());
                    assert!(offset <= length as u64, "{}: {offset} of {length}", program.name);
                }
                Err(error) => panic!("{}, {length}: {error}", program.name),
            }
        }
    }
}

/// Whether a section begins at this offset, or none of those that matter.
fn is_border(binary: &[u8], offset: usize) -> bool {
    let mut at = 8;
    while at < offset {
        let is_custom = binary[at] == 0;
        let (mut size, mut shift) = (0, 0);
        loop {
            at += 1;
            size |= usize::from(binary[at] & 0x7f) << shift;
            shift += 7;
            if binary[at] < 0x80 {
                break;
            }
        }
        at += 1 + size;
        if is_custom && at > offset {
            return false;
        }
    }
    at == offset
}

#[test]
fn absurd_sizes_are_errors() {
    let huge = leb(u64::from(u32::MAX));
    // A section that claims to be larger than everything, for each kind of section.
    for id in 0..=13 {
        let binary = module(&[[vec![id], huge.clone(), vec![1, 2, 3]].concat()]);
        let expected = match id {
            // Whose content is looked at one by one.
            10 => "invalid module: function section is absent but code section has non-zero count",
            _ => "invalid module: unexpected end-of-file",
        };
        let error = error(&binary).to_string();
        assert!(error.starts_with(expected), "{id}: {error}");
    }
    // A section that claims to have more entries than there are bytes.
    for id in [1, 2, 3, 4, 5, 6, 7, 9, 10, 11] {
        let binary = module(&[section(id, &huge)]);
        let LoadError::Invalid { message, .. } = error(&binary) else { panic!("section {id}") };
        assert!(
            message.contains("unexpected end")
                || message.contains("out of bounds")
                || message.contains("inconsistent lengths")
                || message.contains("non-zero count")
                || message.contains("exceed"),
            "{id}: {message}"
        );
    }
    check(
        &module(&[section(8, &huge)]),
        "invalid module: unknown function 4294967295: func index out of bounds (at byte 0xa)",
    );
    // A size of more than 32 bits.
    check(
        &module(&[vec![1, 0xff, 0xff, 0xff, 0xff, 0x7f]]),
        "invalid module: invalid var_u32: integer too large (at byte 0xd)",
    );
    check(
        &module(&[vec![1, 0x80, 0x80, 0x80, 0x80, 0x80, 0]]),
        "invalid module: invalid var_u32: integer representation too long (at byte 0xd)",
    );
    // A name, a body and a data segment that are longer than their sections.
    let name = [vec![1], huge.clone(), b"name".to_vec()].concat();
    check(&module(&[section(2, &name)]), "invalid module: string size out of bounds (at byte 0xf)");
}

#[test]
fn deep_nesting_is_no_problem() {
    const DEPTH: usize = 100_000;
    // Blocks, loops and ifs within one another, each with a branch out of all of them.
    for opener in [&[0x02, 0x40][..], &[0x03, 0x40], &[0x41, 0, 0x04, 0x40]] {
        let code = [&[0][..], &opener.repeat(DEPTH), &[0x0b].repeat(DEPTH), &[0x0b]].concat();
        let module = load(&function(&[], &code));
        assert_eq!(call(&module).finish(), End::Results(vec![]));
    }
    // From the innermost, out to the function's end.
    let code = [
        &[0][..],
        &[0x02, 0x40].repeat(DEPTH),
        &[&[0x0c][..], &leb(DEPTH as u64)].concat(),
        &[0x0b].repeat(DEPTH + 1),
    ]
    .concat();
    let module = load(&function(&[], &code));
    let mut session = call(&module);
    assert_eq!(session.finish(), End::Results(vec![]));
    assert_eq!(session.machine.count(), 2, "the branch and the return");
    // And never closed.
    let code = [&[0][..], &[0x02, 0x40].repeat(DEPTH)].concat();
    let LoadError::Invalid { message, function, .. } = error(&function(&[], &code)) else {
        panic!("it is not valid")
    };
    assert_eq!(message, "control frames remain at end of function body or expression");
    assert_eq!(function.as_deref(), Some("0 (f)"));
}

#[test]
fn deep_operand_stack_is_bounded() {
    let code = |count: usize| {
        [&[0][..], &[0x41, 1].repeat(count), &[0x1a].repeat(count), &[0x0b]].concat()
    };
    let module = load(&function(&[], &code(65_535)));
    let mut session = call(&module);
    assert_eq!(session.finish(), End::Results(vec![]));
    check(
        &function(&[], &code(65_536)),
        "too large: slots of one frame: 65536, but the limit is 65535",
    );
    check(
        &function(&[], &code(1_000_000)),
        "too large: slots of one frame: 1000000, but the limit is 65535",
    );
}

#[test]
fn huge_locals_are_bounded() {
    let locals = |counts: &[u64]| {
        let entries: Vec<Vec<u8>> =
            counts.iter().map(|&count| [leb(count), vec![0x7f]].concat()).collect();
        [list(&entries), vec![0x0b]].concat()
    };
    let module = load(&function(&[], &locals(&[50_000])));
    let mut session = call(&module);
    assert_eq!(session.machine.call_stack()[0].locals.len(), 50_000);
    assert_eq!(session.finish(), End::Results(vec![]));
    for counts in [&[50_001][..], &[u64::from(u32::MAX)], &[u64::from(u32::MAX); 3], &[30_000; 2]] {
        let LoadError::Invalid { message, function, .. } = error(&function(&[], &locals(counts)))
        else {
            panic!("{counts:?}")
        };
        assert_eq!(message, "too many locals: locals exceed maximum", "{counts:?}");
        assert_eq!(function.as_deref(), Some("0 (f)"));
    }
    // Many groups of none.
    let module = load(&function(&[], &locals(&[0; 100_000])));
    assert_eq!(module.local_types(0), []);
}

#[test]
fn huge_br_table_is_bounded() {
    let code = |count: u64, targets: usize| {
        let table = [vec![0x41, 0x7f, 0x0e], leb(count), vec![0; targets]].concat();
        [&[0][..], &table, &[0x0b]].concat()
    };
    let module = load(&function(&[], &code(60_000, 60_001)));
    let mut session = call(&module);
    assert_eq!(session.finish(), End::Results(vec![]));
    let LoadError::Invalid { message, .. } = error(&function(&[], &code(10_000_000, 10))) else {
        panic!("it is not valid")
    };
    assert_eq!(message, "br_table size is out of bounds");
}

#[test]
fn many_results_are_bounded() {
    let code = |count: usize| [&[0][..], &[0x41, 5].repeat(count), &[0x0b]].concat();
    let module = load(&function(&[0x7f; 1000], &code(1000)));
    let mut session = call(&module);
    assert_eq!(session.finish(), End::Results(vec![mw_vm::Value::I32(5); 1000]));
    let LoadError::Invalid { message, .. } = error(&function(&[0x7f; 1001], &code(1001))) else {
        panic!("it is not valid")
    };
    assert_eq!(message, "function returns size is out of bounds");
}

#[test]
fn invalid_function_is_named() {
    let text = r#"(module (func $ok) (func (export "broken") (result i32)))"#;
    let binary = wat::parse_str(text).unwrap();
    check(
        &binary,
        "invalid module: type mismatch: expected i32 but nothing on stack \
         (at byte 0x2b, in function 1 (broken))",
    );
}
