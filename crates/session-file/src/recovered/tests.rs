//! Files that fit together and still tell of something that never was.

use mw_multiverse::Site;
use mw_session::{SessionError, Unattended};

use mw_world::{Event, Port};

use super::*;
use crate::program::WorldSource;

/// Restores a session whose only choice is this one, at a place right after it.
fn restore(count: u64, site: Site, slot: u64) -> FileError {
    let wasm = wat::parse_str(
        r#"(module
             (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
             (global (mut i32) (i32.const 0))
             (func (export "main")
               nop nop nop nop (drop (call $read (i32.const 5))) nop nop))"#,
    )
    .unwrap();
    let program = Program {
        path: "p.wasm".into(),
        wasm,
        system: None,
        world: WorldSource::Board,
        entry: Some((1, vec![])),
        start: None,
        options: Default::default(),
        sources: Default::default(),
    };
    let mut session = program.session().unwrap();
    let mut multiverse = Multiverse::default();
    let node = multiverse.follow_or_create(NodeId::ROOT, count, &site, slot);
    let place = Place { node, count: multiverse.start(node) };
    let recovered = Recovered {
        path: "a.mw".into(),
        fingerprints: (
            format!("{:032x}", session.module().fingerprint()),
            format!("{:032x}", session.world().description().fingerprint()),
        ),
        program,
        multiverse,
        snapshot: Snapshot {
            place,
            readings: "[]".into(),
            skips: "[]".into(),
            ..Snapshot::default()
        },
    };
    let error = recovered.restore_into(&mut session, &mut Unattended).unwrap_err();
    assert_eq!(session.here(), Place::default());
    error
}

fn read(pin: u64) -> Site {
    let board = mw_world::Description::board(Default::default());
    let primitive = board.find("env", "chip_analog_read").unwrap();
    Site::Input { port: Port { primitive, ty: 0 }, args: vec![pin] }
}

#[test]
fn choices_that_never_were() {
    let too_early = restore(2, read(5), 7);
    assert!(matches!(too_early, FileError::Place(SessionError::Diverged { count: 3, .. })));
    let too_late = restore(6, read(5), 7);
    assert!(matches!(too_late, FileError::Place(SessionError::Diverged { count: 5, .. })));
    let another = restore(5, read(6), 7);
    assert!(matches!(another, FileError::Place(SessionError::Diverged { count: 5, .. })));
    let impossible = restore(5, read(5), 5000);
    assert!(matches!(impossible, FileError::Place(SessionError::World(_))));
    let after_the_end = restore(1000, read(5), 7);
    assert!(matches!(after_the_end, FileError::Place(_)));
    let nowhere = restore(2, Site::Event(Event::Interrupt { pin: 1, table_index: 9 }), 0);
    assert!(matches!(nowhere, FileError::Place(SessionError::Unknown(_))));
}
