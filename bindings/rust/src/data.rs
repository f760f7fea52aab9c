//! What messages are made of.

use crate::Actor;

/// The most bytes of numbers in one message. A text, or bytes, may be longer if sent alone.
const ROOM: usize = 64;

/// What can be sent: it becomes bytes, which the receiver's parameters are read from.
pub trait Data {
    /// Puts the bytes after those that are there.
    fn put(&self, bytes: &mut Bytes);

    /// Calls with the bytes. What is in memory already need not be copied.
    fn with_bytes<R>(&self, call: impl FnOnce(&[u8]) -> R) -> R
    where
        Self: Sized,
    {
        let mut bytes = Bytes { room: [0; ROOM], used: 0 };
        self.put(&mut bytes);
        call(&bytes.room[..bytes.used])
    }
}

/// Bytes that a message is put together from.
pub struct Bytes {
    room: [u8; ROOM],
    used: usize,
}

impl Bytes {
    /// Adds some.
    ///
    /// # Panics
    ///
    /// If there is no room for them.
    pub fn add(&mut self, bytes: &[u8]) {
        self.room[self.used..][..bytes.len()].copy_from_slice(bytes);
        self.used += bytes.len();
    }
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Data for $number {
            fn put(&self, bytes: &mut Bytes) {
                bytes.add(&self.to_le_bytes());
            }
        }
    )* };
}
numbers!(i32 u32 i64 u64 f32 f64);

impl Data for bool {
    fn put(&self, bytes: &mut Bytes) {
        i32::from(*self).put(bytes);
    }
}

impl Data for Actor {
    fn put(&self, bytes: &mut Bytes) {
        self.0.put(bytes);
    }
}

impl Data for &[u8] {
    fn put(&self, bytes: &mut Bytes) {
        bytes.add(self);
    }

    fn with_bytes<R>(&self, call: impl FnOnce(&[u8]) -> R) -> R {
        call(self)
    }
}

impl Data for &str {
    fn put(&self, bytes: &mut Bytes) {
        bytes.add(self.as_bytes());
    }

    fn with_bytes<R>(&self, call: impl FnOnce(&[u8]) -> R) -> R {
        call(self.as_bytes())
    }
}

#[cfg(feature = "std")]
impl Data for std::vec::Vec<u8> {
    fn put(&self, bytes: &mut Bytes) {
        self.as_slice().put(bytes);
    }

    fn with_bytes<R>(&self, call: impl FnOnce(&[u8]) -> R) -> R {
        call(self)
    }
}

#[cfg(feature = "std")]
impl Data for std::string::String {
    fn put(&self, bytes: &mut Bytes) {
        self.as_str().put(bytes);
    }

    fn with_bytes<R>(&self, call: impl FnOnce(&[u8]) -> R) -> R {
        call(self.as_bytes())
    }
}

macro_rules! tuples {
    ($($($part:ident)*;)*) => { $(
        impl<$($part: Data),*> Data for ($($part,)*) {
            #[allow(non_snake_case, unused_variables)]
            fn put(&self, bytes: &mut Bytes) {
                let ($($part,)*) = self;
                $($part.put(bytes);)*
            }
        }
    )* };
}
tuples! {
    ;
    A;
    A B;
    A B C;
    A B C D;
}
