//! The imports by which a program is several tasks, one line each: they are there in every world.
//!
//! What they do needs more than a world: whoever holds the tasks answers them.

use mw_vm::FuncType;

use crate::primitive::{Act, Bearing, Compensation, Output, Primitive, Role, TaskCall};

const TABLE: &[(&str, &str, TaskCall)] = &[
    ("spawn", "iiii>i", TaskCall::Spawn),
    ("self", ">i", TaskCall::Myself),
    ("sender", ">i", TaskCall::Sender),
    ("find", "ii>i", TaskCall::Find),
    ("tell", "iiiii>", TaskCall::Tell),
    ("send", "iiiii>i", TaskCall::Send),
    ("when", "iiiii>", TaskCall::When),
    ("rescue", "iiiii>", TaskCall::Rescue),
    ("payload", "ii>i", TaskCall::Payload),
    ("defer", ">i", TaskCall::Defer),
    ("resolve", "iii>", TaskCall::Resolve),
    ("ruin", "iii>", TaskCall::Ruin),
    ("stop", ">", TaskCall::Stop),
];

/// The primitives of every world that are about other tasks.
pub(crate) fn primitives() -> impl Iterator<Item = Primitive> {
    TABLE.iter().map(|&(name, signature, call)| Primitive {
        module: "actor".into(),
        name: name.into(),
        types: vec![FuncType::of_letters(signature)],
        role: Role::Output(Output {
            act: Act::Task(call),
            // To whom, and where the bytes are, has to be known.
            bearing: &[Bearing::Exact],
            omits_buffer: false,
            compensation: Compensation::Nothing,
        }),
    })
}
