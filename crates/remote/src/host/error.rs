//! What can go wrong with a device.

use std::io;
use std::string::String;

use crate::link::Broken;
use crate::message::Refusal;

/// An operation on a device that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The stream is gone and could not be opened again.
    #[error("the connection to the device is lost: {0}")]
    Lost(io::Error),
    /// Nothing comes.
    #[error("the device does not answer; is it running the agent, and is the speed right?")]
    Silent,
    /// The two sides cannot agree.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The device said no.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// What the device says cannot be.
    #[error("the device is not to be trusted: {0}")]
    Nonsense(String),
    /// The person does not want to wait.
    #[error("cancelled")]
    Cancelled,
}

impl DeviceError {
    pub(crate) fn nonsense(what: impl Into<String>) -> Self {
        DeviceError::Nonsense(what.into())
    }
}
