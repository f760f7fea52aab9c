//! Exploring on all cores.
//!
//! A part of an exploration is an exploration of its own: some waiting paths, and a copy of the
//! expressions that they are written in. Whoever has nothing to do gets half of what another one
//! has waiting. Parts share no state but how much has been found and is held, so none waits for
//! another. What a part has found stays with it, in terms of its own expressions.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, mpsc};
use std::time::Duration;

use crate::explore::Explorer;
use crate::leaf::{Cut, Leaf};
use crate::stop::Stop;

/// What the parts of an exploration share.
pub(crate) struct Shared {
    /// How many paths may still be found.
    pub paths: AtomicUsize,
    /// When all of them are to stop.
    pub stop: Stop,
    /// How many have nothing to do.
    idle: AtomicUsize,
    /// How many more parts there may be: each keeps a copy of what is known.
    parts: AtomicUsize,
}

impl Shared {
    pub fn new(paths: usize, stop: Stop) -> Shared {
        Shared {
            paths: AtomicUsize::new(paths),
            stop,
            idle: AtomicUsize::new(0),
            parts: AtomicUsize::new(PARTS),
        }
    }

    /// Whether a part may be made of another one: there are not too many, and there is room.
    fn may_split(&self, part: &Explorer) -> bool {
        let has_room = part.ledger.held() + part.exprs.held() < part.memory / 2;
        let less = |parts: usize| parts.checked_sub(1);
        has_room && self.parts.fetch_update(Relaxed, Relaxed, less).is_ok()
    }
}

/// So many parts are made in one go at most.
const PARTS: usize = 64;

/// So many paths are found before they are told; then whoever finds more waits.
const UNTOLD: usize = 1000;

/// How often one who has nothing to do looks whether that is still so.
const LOOK_UP: Duration = Duration::from_millis(5);

impl Explorer {
    /// Follows all waiting paths on so many threads.
    pub(crate) fn work_together(
        &mut self,
        jobs: usize,
        shared: &Shared,
        found: &mut dyn FnMut(&Leaf),
    ) {
        let parts = std::mem::take(&mut self.parts).into_iter();
        let (mut open, done): (Vec<Explorer>, Vec<Explorer>) =
            parts.partition(|part| !part.waiting.is_empty());
        open.extend(self.split(0));
        let (pool, done) = (Mutex::new(open), Mutex::new(done));
        let wake = Condvar::new();
        let (tell, told) = mpsc::sync_channel(UNTOLD);
        std::thread::scope(|scope| {
            let (pool, done, wake) = (&pool, &done, &wake);
            let work = move |found: &mut dyn FnMut(&Leaf)| {
                while let Some(mut part) = take(pool, wake, shared, jobs) {
                    part.work(shared, &shared.stop, found, &mut |part| {
                        let is_wanted = shared.idle.load(Relaxed) > 0;
                        if is_wanted && part.waiting.len() > 1 && shared.may_split(part) {
                            let half = part.split(part.waiting.len() / 2);
                            lock(pool).extend(half);
                            wake.notify_one();
                        }
                    });
                    lock(done).push(part);
                }
            };
            let starts = |_: &usize| {
                let tell = tell.clone();
                let work = move || {
                    work(&mut |leaf| {
                        let _ = tell.send(leaf.clone());
                    });
                };
                std::thread::Builder::new().spawn_scoped(scope, work).is_ok()
            };
            // A thread that the system does not give is one that has nothing to do.
            let working = (0..jobs).filter(starts).count();
            shared.idle.fetch_add(jobs - working.max(1), Relaxed);
            if working == 0 {
                // Nobody else would take what is told.
                work(found);
            }
            drop(tell);
            // Until all have hung up.
            told.iter().for_each(|leaf| found(&leaf));
        });
        self.stopped = shared.stop.why().filter(|why| *why == Cut::Found);
        let parts = done.into_inner().unwrap_or_default();
        for mut part in parts.into_iter().chain(pool.into_inner().unwrap_or_default()) {
            self.coverage.add(&part.coverage);
            self.executed += std::mem::take(&mut part.executed);
            self.solver.statistics.add(&std::mem::take(&mut part.solver.statistics));
            match part.waiting.is_empty() {
                true => part.solver.forget(),
                false => {
                    let why = part.stopped.or(shared.stop.why()).unwrap_or(Cut::Paths);
                    self.stopped = self.stopped.or(Some(why));
                    part.stopped = self.stopped;
                }
            }
            if !part.waiting.is_empty() || !part.ended.is_empty() {
                self.parts.push(part);
            }
        }
    }

    /// Gives away the waiting paths from an index on, as an exploration of its own. `None` if that
    /// cannot be, or if there are none.
    fn split(&mut self, from: usize) -> Option<Explorer> {
        if from >= self.waiting.len() {
            return None;
        }
        let solver = self.solver.fresh()?;
        Some(Explorer {
            module: self.module.clone(),
            exprs: self.exprs.clone(),
            solver,
            memory: self.memory,
            bounds: self.bounds.clone(),
            strategy: self.strategy.clone(),
            distances: self.distances.clone(),
            goal: self.goal.clone(),
            while_holds: self.while_holds,
            stops: self.stops.clone(),
            forks_at_select: self.forks_at_select,
            covers: self.covers,
            follows_one: self.follows_one,
            trial: None,
            jobs: 1,
            waiting: self.waiting.split_off(from),
            parts: Vec::new(),
            ended: Vec::new(),
            texts: RefCell::default(),
            coverage: self.coverage.clone(),
            start: self.start,
            executed: 0,
            spent: Duration::ZERO,
            random: self.random,
            is_too_much: false,
            took_newest: false,
            charge: self.ledger.charge(self.exprs.held()),
            ledger: self.ledger.clone(),
            stopped: None,
            reduces: self.reduces,
            schedules: None,
            following: self.following.clone(),
            executions: 0,
            turns: 0,
            pruned: Default::default(),
        })
    }
}

/// A part to work on; `None` if nobody has anything to do any more.
fn take(
    pool: &Mutex<Vec<Explorer>>,
    wake: &Condvar,
    shared: &Shared,
    jobs: usize,
) -> Option<Explorer> {
    let mut parts = lock(pool);
    if let Some(part) = parts.pop() {
        return Some(part);
    }
    shared.idle.fetch_add(1, Relaxed);
    loop {
        if shared.idle.load(Relaxed) == jobs || shared.stop.is_over() {
            wake.notify_all();
            return None;
        }
        parts = match wake.wait_timeout(parts, LOOK_UP) {
            Ok((parts, _)) => parts,
            Err(poisoned) => poisoned.into_inner().0,
        };
        if let Some(part) = parts.pop() {
            shared.idle.fetch_sub(1, Relaxed);
            return Some(part);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// So many paths were found, as far as bounds are concerned.
pub(crate) fn count(shared: &Shared, found: usize) {
    let less = |paths: usize| Some(paths.saturating_sub(found));
    let _ = shared.paths.fetch_update(Relaxed, Relaxed, less);
}
