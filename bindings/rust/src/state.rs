//! What an actor remembers from turn to turn.

use core::cell::UnsafeCell;

/// A value that an actor keeps, in a static.
///
/// It is in memory after every change, for whoever looks at the actor from outside: the compiler
/// may not leave out a change that the program itself does not notice.
#[repr(transparent)]
pub struct State<T>(UnsafeCell<T>);

// SAFETY: an actor has its memory for itself, and takes one turn at a time; the target has no
// threads.
unsafe impl<T> Sync for State<T> {}

impl<T> State<T> {
    /// What it is at first.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Changes it.
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Takes it out, and leaves another one.
    pub fn replace(&self, value: T) -> T {
        // SAFETY: no reference into the cell is ever handed out, so that nobody has one; what was
        // read is overwritten at once, so that there is one of it.
        unsafe {
            let before = self.0.get().read();
            self.0.get().write_volatile(value);
            before
        }
    }
}

impl<T: Copy> State<T> {
    /// What it is.
    pub fn get(&self) -> T {
        // SAFETY: as above, and it may be copied.
        unsafe { self.0.get().read() }
    }
}
