//! Directives that cannot pass, for reasons that the runner cannot see by itself.
//!
//! They are run all the same, and one that passes is a failure: then it belongs here no more.

/// A file, and lines of it at which directives begin.
type Lines = (&'static str, &'static [usize]);

/// Reasons, with where they hold.
#[rustfmt::skip]
const EXCEPTIONS: &[(&str, &[Lines])] = &[
    ("a failed instantiation leaves nothing behind in what it imports", &[
        ("latest/linking.wast", &[410, 423, 563, 576]),
        ("proposals/function-references/linking.wast", &[427, 440, 580, 593]),
        ("proposals/multi-memory/linking0.wast", &[42]),
        ("proposals/multi-memory/linking3.wast", &[36, 49]),
        ("proposals/reference-types/linking.wast", &[275, 288, 406, 419]),
        ("v1/linking.wast", &[343, 356]),
        ("v2/linking.wast", &[275, 288, 406, 419]),
        ("v3/linking.wast", &[410, 423, 563, 576]),
    ]),
    ("needs custom-descriptors", &[
        ("proposals/custom-descriptors/br_on_cast_desc_eq.wast", &[456]),
        ("proposals/custom-descriptors/br_on_cast_desc_eq_fail.wast", &[432]),
        ("proposals/custom-descriptors/descriptors.wast", &[255, 262]),
        ("proposals/custom-descriptors/ref_cast_desc_eq.wast", &[168]),
    ]),
    ("valid since version 3: several memories", &[
        ("proposals/function-references/binary.wast", &[145, 165, 184, 203, 242, 261, 279, 297]),
        ("proposals/memory64/binary.wast", &[876, 896, 915, 934, 973, 992, 1010, 1028]),
        ("proposals/memory64/memory.wast", &[10, 11]),
        ("proposals/multi-value/binary.wast", &[162, 182, 201, 220, 259, 278, 296, 314]),
        ("proposals/reference-types/binary.wast", &[756, 776, 795, 814, 853, 872, 890, 908]),
        ("proposals/reference-types/imports.wast", &[416, 420, 424]),
        ("proposals/threads/imports.wast", &[404, 408, 412]),
        ("proposals/threads/memory.wast", &[14, 15]),
        ("v1/imports.wast", &[404, 408, 412]),
        ("v1/memory.wast", &[8, 9]),
        ("v2/binary.wast", &[145, 165, 184, 203, 242, 261, 279, 297]),
        ("v2/imports.wast", &[487, 491, 495]),
        ("v2/memory.wast", &[10, 11]),
    ]),
    ("changed in version 2: a segment that does not fit is a trap", &[
        ("proposals/mutable-global/linking.wast", &[206, 227, 238, 298, 334, 344]),
    ]),
    ("valid since version 3: sizes and offsets of 64 bits", &[
        ("proposals/reference-types/binary-leb128.wast", &[217, 225, 404, 461]),
        ("proposals/reference-types/binary.wast", &[157, 354, 362, 419]),
        ("v1/binary-leb128.wast", &[216, 224, 403, 460]),
        ("v2/binary-leb128.wast", &[217, 225]),
    ]),
    ("valid since version 2: br_table in unreachable code", &[
        ("proposals/reference-types/unreached-invalid.wast", &[539]),
    ]),
    ("valid since version 2: several tables", &[
        ("proposals/threads/imports.wast", &[309, 313, 317]),
    ]),
    ("needs threads", &[
        ("proposals/threads/imports.wast", &[501]),
    ]),
];

/// Why a directive is known not to pass, if it is.
pub fn reason(file: &str, line: usize) -> Option<&'static str> {
    let names = |files: &[Lines]| {
        files.iter().any(|(known, lines)| *known == file && lines.contains(&line))
    };
    EXCEPTIONS.iter().find(|(_, files)| names(files)).map(|(reason, _)| *reason)
}
