//! A disk that is full: nothing is lost in memory, and everything is written later.

use mw_session::{Direction, Unattended};

use super::*;
use crate::program::WorldSource;

#[test]
fn a_full_disk_delays_saving() {
    let wasm = wat::parse_str(
        r#"(module
             (import "env" "random_int" (func $random (result i32)))
             (func (export "main") (local $i i32)
               (loop $again
                 (drop (call $random))
                 (br_if $again (i32.lt_u
                   (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                   (i32.const 20000))))))"#,
    )
    .unwrap();
    let path = "p.wasm".to_owned();
    let entry = Some((1, vec![]));
    let program = Program {
        path,
        wasm,
        system: None,
        world: WorldSource::Board,
        entry,
        start: None,
        options: Default::default(),
        sources: Default::default(),
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();

    let pages = |n: u32| format!("PRAGMA max_page_count = {n}");
    let full = |file: &SessionFile| {
        file.connection.query_row(&pages(1), [], |row| row.get::<_, i64>(0)).unwrap()
    };
    let before = full(&file);
    session.run(Direction::Forward, &mut Unattended).unwrap();
    let here = session.here();
    session.bookmarks_mut().set("end", here);
    for _ in 0..2 {
        assert!(matches!(file.save(&mut session), Err(FileError::Full { .. })));
    }
    // There is room again.
    file.connection.query_row(&pages(1 << 20), [], |_| Ok(())).unwrap();
    file.save(&mut session).unwrap();
    assert!(full(&file) > before);
    drop(file);

    let (_, recovered) = SessionFile::open(&path).unwrap();
    assert_eq!(recovered.multiverse().len(), 20_001);
    assert_eq!(recovered.place(), session.here());
}
