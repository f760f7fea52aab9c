//! Values that are computed when they are first needed, once.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::failure::Failure;

/// How a value is made.
type Make<'a, T> = Arc<dyn Fn() -> Result<T, Failure> + Send + Sync + 'a>;

/// A value that is computed when it is first forced. One that could not be computed is not kept:
/// whoever forces it again tries again.
pub struct Lazy<'a, T>(Arc<Inner<'a, T>>);

struct Inner<'a, T> {
    value: OnceLock<T>,
    /// Given up once there is a value.
    make: Mutex<Option<Make<'a, T>>>,
}

impl<T> Clone for Lazy<'_, T> {
    fn clone(&self) -> Self {
        Lazy(self.0.clone())
    }
}

impl<T: fmt::Debug> fmt::Debug for Lazy<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lazy").field(&self.0.value.get()).finish()
    }
}

impl<'a, T> Lazy<'a, T> {
    /// What this makes, when it is needed.
    pub fn new(make: impl Fn() -> Result<T, Failure> + Send + Sync + 'a) -> Self {
        Lazy(Arc::new(Inner { value: OnceLock::new(), make: Mutex::new(Some(Arc::new(make))) }))
    }

    /// A value that is there already.
    pub fn ready(value: T) -> Self {
        Lazy(Arc::new(Inner { value: OnceLock::from(value), make: Mutex::new(None) }))
    }

    /// Whether it has been computed.
    pub fn is_forced(&self) -> bool {
        self.0.value.get().is_some()
    }

    /// The value.
    pub fn force(&self) -> Result<&T, Failure> {
        if let Some(value) = self.0.value.get() {
            return Ok(value);
        }
        // Nobody is kept waiting while it is made: it may take long, and need others of its kind.
        let make = self.0.make.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let made = match make {
            Some(make) => make()?,
            // Somebody else has just finished.
            None => return self.0.value.get().ok_or(Failure::TooDeep),
        };
        let value = self.0.value.get_or_init(|| made);
        self.0.make.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(value)
    }

    /// The value, if nobody else has it and it has been computed.
    pub(crate) fn into_forced(self) -> Option<T> {
        Arc::into_inner(self.0)?.value.into_inner()
    }
}
