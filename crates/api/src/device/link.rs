//! The link to a device: its state, which every front end shows, and its figures, for who asks.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::attach::Beginning;
use super::{RunOn, Shared, lock};
use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;

/// The device that a program runs on, as far as that is known without asking it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceView {
    /// What it calls itself.
    pub name: String,
    /// Where it is.
    pub address: String,
    /// Where the machine runs.
    pub run_on: RunOn,
    /// How the link is.
    pub link: LinkState,
}

/// How the link to a device is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum LinkState {
    /// All is well.
    Connected,
    /// There is no connection, but there may be one again.
    Interrupted {
        /// Why.
        why: String,
    },
    /// The device does not follow any more, and has to be attached again.
    Broken {
        /// Why.
        why: String,
    },
}

impl LinkState {
    fn new(trouble: Option<&str>, interrupted: Option<&str>) -> LinkState {
        match (trouble, interrupted) {
            (Some(why), _) => LinkState::Broken { why: why.into() },
            (None, Some(why)) => LinkState::Interrupted { why: why.into() },
            (None, None) => LinkState::Connected,
        }
    }
}

/// The link to the device that the program runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {}

impl Ask for Link {
    type Reply = LinkView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let mut its = None;
        if debugger.has_link() {
            let counters = lock(&debugger.attachment()?.device).its_counters();
            match counters {
                Ok(counters) => its = Some(counters),
                Err(error) => debugger.session.give_up_target(error.to_string()),
            }
        }
        let attachment = debugger.attachment()?;
        let device = lock(&attachment.device);
        Ok(LinkView {
            address: attachment.address.to_string(),
            device: attachment.name.to_string(),
            memory: device.memory().into(),
            link: LinkState::new(debugger.session.target_trouble(), device.interrupted()),
            host: device.counters().into(),
            device_side: its.as_ref().map(|(counters, _)| counters.into()),
            stalls: its.map(|(_, stalls)| stalls),
        })
    }
}

/// The link to a device, in figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkView {
    /// Where the device is.
    pub address: String,
    /// What it calls itself.
    pub device: String,
    /// Bytes of memory that it has for a program.
    pub memory: u64,
    /// How the link is.
    pub link: LinkState,
    /// What this side has seen.
    pub host: SideView,
    /// What the device has seen, if it answers.
    pub device_side: Option<SideView>,
    /// How often the program had to wait for the link.
    pub stalls: Option<u64>,
}

/// What one side of a link has seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of mw_remote::link::Counters, where they are explained")]
pub struct SideView {
    pub bytes_sent: u64,
    pub bytes_received: u64,
    pub packets_sent: u64,
    pub packets_received: u64,
    pub messages_sent: u64,
    pub resent: u64,
    pub damaged: u64,
    pub duplicates: u64,
    pub early: u64,
    pub connections: u64,
    pub waits: u64,
    pub round_trip: u64,
}

impl From<&mw_remote::link::Counters> for SideView {
    fn from(counters: &mw_remote::link::Counters) -> Self {
        SideView {
            bytes_sent: counters.bytes_sent,
            bytes_received: counters.bytes_received,
            packets_sent: counters.packets_sent,
            packets_received: counters.packets_received,
            messages_sent: counters.messages_sent,
            resent: counters.resent,
            damaged: counters.damaged,
            duplicates: counters.duplicates,
            early: counters.early,
            connections: counters.connections.into(),
            waits: counters.waits,
            round_trip: counters.round_trip,
        }
    }
}

/// The device that the program of a session runs on.
pub(crate) struct Attachment {
    pub(super) device: Shared,
    name: Arc<str>,
    address: Arc<str>,
    pub(super) run_on: RunOn,
    /// How it begins again if it has to; not with a program that it had already.
    pub(super) beginning: Option<Arc<Beginning>>,
}

impl Attachment {
    pub fn new(device: Shared, run_on: RunOn) -> Attachment {
        let (name, address) = {
            let device = lock(&device);
            (device.name().into(), device.stream().describe().into())
        };
        Attachment { device, name, address, run_on, beginning: None }
    }

    /// The same, which may start anew.
    pub fn restartable(self, beginning: Beginning) -> Attachment {
        Attachment { beginning: Some(beginning.into()), ..self }
    }

    /// Whether it has started anew, and can be given what it had.
    fn can_begin_again(&self) -> bool {
        self.beginning.is_some() && lock(&self.device).has_restarted()
    }

    fn view(&self, link: LinkState) -> DeviceView {
        let (name, address) = (self.name.to_string(), self.address.to_string());
        DeviceView { name, address, run_on: self.run_on, link }
    }
}

impl Debugger {
    fn attachment(&self) -> Result<&Attachment, ApiError> {
        let none = || ApiError::not_here("the program runs here; there is no link");
        self.device.as_ref().ok_or_else(none)
    }

    /// The device, if the program runs on one.
    pub(crate) fn device(&self) -> Option<DeviceView> {
        let attachment = self.device.as_ref()?;
        let device = lock(&attachment.device);
        Some(attachment.view(LinkState::new(self.session.target_trouble(), device.interrupted())))
    }

    /// Has someone told when the link to the device is interrupted, and when it is there again.
    pub(crate) fn watch_link(&mut self, mut watcher: impl FnMut(DeviceView) + Send + 'static) {
        let Some(attachment) = &self.device else { return };
        let view = attachment.view(LinkState::Connected);
        lock(&attachment.device).watch(move |interrupted| {
            watcher(DeviceView { link: LinkState::new(None, interrupted), ..view.clone() });
        });
    }

    /// Whether there is a link that somebody should look after.
    pub(crate) fn has_link(&self) -> bool {
        let Some(attachment) = &self.device else { return false };
        self.session.target_trouble().is_none() || attachment.can_begin_again()
    }

    /// Looks after the link when nothing is to be done.
    pub(crate) fn attend_link(&mut self) {
        let Some(attachment) = &self.device else { return };
        let attended = lock(&attachment.device).attend();
        if let Err(error) = attended
            && !self.mend_link()
        {
            self.session.give_up_target(error.to_string());
        }
    }

    /// Something has failed with the device. If it has only started anew, it is brought to where
    /// the session stands; says whether it is there.
    pub(crate) fn mend_link(&mut self) -> bool {
        if !self.device.as_ref().is_some_and(Attachment::can_begin_again) {
            return false;
        }
        let begun = self.begin_again();
        if let Err(error) = &begun {
            self.session.give_up_target(error.message.clone());
        }
        begun.is_ok()
    }
}
