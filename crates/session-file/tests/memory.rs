//! Reopening a file takes about as much memory as the session that it holds.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use common::program;
use mw_session::{Direction, Unattended};
use mw_session_file::SessionFile;

/// Counts the bytes that are allocated, and the most that ever were.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(held, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The only test of this file: others would be counted, too.
#[test]
fn reopening_takes_no_more_memory_than_the_choices_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let program = program(300_000);
    let mut session = program.session().unwrap();
    let mut file = SessionFile::create(&path, &program, &mut session).unwrap();
    session.run(Direction::Forward, &mut Unattended).unwrap();
    file.save(&mut session).unwrap();
    let choices = session.multiverse().bytes_held();
    drop((file, session));

    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let (_file, recovered) = SessionFile::open(&path).unwrap();
    let taken = MOST.load(Relaxed) - before;
    assert_eq!(recovered.multiverse().len(), 300_001);
    // While a list grows, there are two of it.
    let limit = 3 * choices + (1 << 20);
    assert!(taken < limit, "{taken} bytes for {choices} of choices");
}
