//! What happened on the way to a place that properties know of, asked for afterwards: the log of
//! events, the explanation of what became of a slice, and where a property was first violated.
//!
//! A replayer walks the way with monitors that note everything; nothing moves.

use std::collections::{BTreeSet, VecDeque};

use mw_ensemble::{Heed, News};
use mw_monitor::Instance;
use mw_multiverse::Place;
use mw_vm::NoProbe;

use crate::control::Control;
use crate::drive::{Drive, Goal};
use crate::error::SessionError;
use crate::properties::PropertyId;
use crate::replayer::Replayer;
use crate::session::Session;

/// Something that a property was told of.
#[derive(Clone, Debug)]
pub struct Happening {
    /// Where that was.
    pub place: Place,
    /// The property.
    pub property: PropertyId,
    /// What it was, and what came of it.
    pub news: News,
}

/// What properties were told of on the way to a place.
#[derive(Clone, Debug)]
pub struct Happenings {
    /// The last ones.
    pub happenings: VecDeque<Happening>,
    /// How many there are altogether.
    pub total: u64,
    /// How many more moved nothing, and were not asked for.
    pub idle: u64,
    /// How far was looked: not to the end, if that was cancelled.
    pub until: Place,
}

/// More than this is not kept while one slice is looked for.
const MOST: usize = 1 << 20;

impl Session {
    /// What properties are told of before the program is at a place, and when it comes there: one of
    /// them, or all; only those that moved a slice, if so. The last `most` are kept. Whoever cancels it gets what was found so far.
    pub fn happenings(
        &mut self,
        of: Option<PropertyId>,
        only_moves: bool,
        until: Place,
        most: usize,
        control: &mut dyn Control,
    ) -> Result<Happenings, SessionError> {
        let mut all = Happenings { happenings: VecDeque::new(), total: 0, idle: 0, until };
        let walked = self.listen(Heed::Events, until, control, |happening| {
            let is_idle = only_moves && happening.news.moved.is_empty();
            if of.is_none_or(|of| of == happening.property) && is_idle {
                all.idle += 1;
            } else if of.is_none_or(|of| of == happening.property) {
                all.total += 1;
                if all.happenings.len() == most {
                    all.happenings.pop_front();
                }
                all.happenings.push_back(happening);
            }
            true
        })?;
        all.until = walked;
        Ok(all)
    }

    /// What became of a slice of a property on the way to a place: what moved it, and before it was
    /// there, what it was copied from.
    pub fn explain(
        &mut self,
        of: PropertyId,
        slice: &Instance,
        until: Place,
        control: &mut dyn Control,
    ) -> Result<Happenings, SessionError> {
        let mut all = self.happenings(Some(of), true, until, MOST, control)?;
        let mut wanted = BTreeSet::from([slice.clone()]);
        let mut explaining = VecDeque::new();
        for mut happening in std::mem::take(&mut all.happenings).into_iter().rev() {
            let mut origins = Vec::new();
            let News { moved, variables, .. } = &mut happening.news;
            let is_wanted: Vec<bool> =
                moved.changes.iter().map(|change| wanted.contains(&change.instance)).collect();
            for (change, _) in moved.changes.iter().zip(&is_wanted).filter(|(_, wanted)| **wanted) {
                if let Some(origin) = &change.copied_from {
                    wanted.remove(&change.instance);
                    origins.push(origin.clone());
                }
            }
            wanted.extend(origins);
            let mut keep = is_wanted.iter();
            moved.changes.retain(|_| keep.next() == Some(&true));
            let mut keep = is_wanted.iter();
            variables.retain(|_| keep.next() == Some(&true));
            if !moved.changes.is_empty() {
                explaining.push_front(happening);
            }
        }
        all.total = explaining.len() as u64;
        all.happenings = explaining;
        Ok(all)
    }

    /// Where a property is first violated on the way to a place, if it is.
    pub fn first_violation(
        &mut self,
        of: PropertyId,
        until: Place,
        control: &mut dyn Control,
    ) -> Result<Option<Happening>, SessionError> {
        let mut first = None;
        self.listen(Heed::Violations, until, control, |happening| {
            first = Some(happening).filter(|happening| happening.property == of);
            first.is_none()
        })?;
        Ok(first)
    }

    /// Walks to a place, and tells what monitors note on the way while that is wanted. Returns how
    /// far it came.
    fn listen(
        &mut self,
        heed: Heed,
        until: Place,
        control: &mut dyn Control,
        mut tell: impl FnMut(Happening) -> bool,
    ) -> Result<Place, SessionError> {
        self.known.check(until)?;
        let mut replayer = self.replayer();
        replayer.walk.now.watch_anew(heed);
        let mut tell = |replayer: &mut Replayer<'_>| {
            let node = replayer.walk.node;
            replayer.walk.now.take_news().into_iter().all(|news| {
                let place = Place { node, count: news.count };
                let property = self.properties().at(news.which);
                property.is_none_or(|property| tell(Happening { place, property, news }))
            })
        };
        let mut is_wanted = tell(&mut replayer);
        let walked = loop {
            if !is_wanted {
                break Ok(());
            }
            let mut goal = Goal { heed, into_end: true, ..Goal::default() };
            match replayer.drive_to(until, &mut goal, &mut NoProbe, control) {
                Ok(drive) => {
                    is_wanted = tell(&mut replayer);
                    if drive != Drive::News {
                        break Ok(());
                    }
                }
                Err(SessionError::Cancelled) => break Ok(()),
                Err(error) => break Err(error),
            }
            if control.is_cancelled() {
                break Ok(());
            }
        };
        let (walk, findings) = replayer.arrived();
        self.known.learn(findings);
        walked.map(|()| walk.here())
    }
}
