//! What holds of every machine, shown on small programs before every instruction of theirs, and
//! on generated ones.

#[path = "../common"]
mod common {
    pub mod compare;
    pub mod drive;
    pub mod generate;
    pub mod programs;
}

mod changes;
mod counting;
mod forking;
mod generated;
mod hashing;
mod interrupting;
mod long_runs;
mod memory;
mod outside;
mod saving;
mod scopes;
mod traps;
mod watching;

use common::drive::{End, Session};
use common::programs::Program;

/// How a program ends, and after how many instructions.
fn end_of(program: &Program) -> (End, u64) {
    let mut session = program.start();
    let end = session.finish();
    (end, session.machine.count())
}

/// The program before each of its instructions, and at its end.
fn every_count(program: &Program) -> impl Iterator<Item = Session> {
    let (_, last) = end_of(program);
    assert!(last < 1000, "{} is too long: {last}", program.name);
    let mut session = program.start();
    (0..=last).map(move |count| {
        session.run_to(count, &mut mw_vm::NoProbe);
        session.fork()
    })
}
