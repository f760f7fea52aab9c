//! Exploring on all cores.
//!
//! A part of an exploration is an exploration of its own: some waiting paths, and a copy of the
//! expressions that they are written in. Whoever has nothing to do gets half of what another one
//! has waiting. Parts share no state but how much has been found, so none waits for another.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

use crate::explore::{Control, Explorer};
use crate::leaf::{Cut, Leaf};
use crate::options::Bounds;

/// What the parts of an exploration share.
pub(crate) struct Shared {
    /// How many paths may still be found.
    pub paths: AtomicUsize,
    /// When the time is over.
    pub deadline: Instant,
    /// Somebody has stopped it.
    pub cancelled: AtomicBool,
    /// What was looked for has been found.
    pub found: AtomicBool,
    /// How many have nothing to do.
    idle: AtomicUsize,
}

impl Shared {
    pub fn new(paths: usize, time: Duration) -> Shared {
        let now = Instant::now();
        Shared {
            paths: AtomicUsize::new(paths),
            deadline: now.checked_add(time).unwrap_or(now + Duration::from_secs(1 << 30)),
            cancelled: AtomicBool::new(false),
            found: AtomicBool::new(false),
            idle: AtomicUsize::new(0),
        }
    }

    /// Why to stop, if there is a reason.
    pub fn why_stop(&self) -> Option<Cut> {
        match () {
            () if self.found.load(Relaxed) => Some(Cut::Found),
            () if self.cancelled.load(Relaxed) => Some(Cut::Cancelled),
            () if Instant::now() > self.deadline => Some(Cut::Time),
            () => None,
        }
    }
}

/// How often the one who watches is asked.
const LOOK_UP: Duration = Duration::from_millis(5);

impl Explorer {
    /// Follows all waiting paths on so many threads.
    pub(crate) fn work_together(
        &mut self,
        jobs: usize,
        shared: &Shared,
        control: &mut dyn Control,
    ) {
        let mut parts = std::mem::take(&mut self.parts);
        parts.extend(self.split(0));
        let (pool, done) = (Mutex::new(parts), Mutex::new(Vec::new()));
        let wake = Condvar::new();
        let (tell, told) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                let (pool, done, wake, tell) = (&pool, &done, &wake, tell.clone());
                scope.spawn(move || {
                    while let Some(mut part) = take(pool, wake, shared, jobs) {
                        part.work(
                            shared,
                            &mut || None,
                            &mut |leaf| {
                                let _ = tell.send(leaf.clone());
                            },
                            &mut |part| {
                                if shared.idle.load(Relaxed) > 0 && part.waiting.len() > 1 {
                                    let half = part.split(part.waiting.len() / 2);
                                    lock(pool).extend(half);
                                    wake.notify_one();
                                }
                            },
                        );
                        lock(done).push(part);
                    }
                });
            }
            drop(tell);
            // Until all have hung up.
            loop {
                match told.recv_timeout(LOOK_UP) {
                    Ok(leaf) => control.found(&leaf),
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        if control.is_cancelled() {
                            shared.cancelled.store(true, Relaxed);
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        self.stopped = shared.found.load(Relaxed).then_some(Cut::Found);
        let parts = done.into_inner().unwrap_or_default();
        for mut part in parts.into_iter().chain(pool.into_inner().unwrap_or_default()) {
            self.leaves.append(&mut part.leaves);
            self.coverage.add(&part.coverage);
            self.executed += std::mem::take(&mut part.executed);
            self.solver.statistics.add(&std::mem::take(&mut part.solver.statistics));
            if !part.waiting.is_empty() {
                let why = part.stopped.or(shared.why_stop()).unwrap_or(Cut::Paths);
                self.stopped = self.stopped.or(Some(why));
                part.stopped = self.stopped;
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
            // Each has its share, so that all together hold no more.
            memory: self.memory / self.jobs,
            bounds: Bounds { memory: self.bounds.memory / self.jobs, ..self.bounds.clone() },
            strategy: self.strategy.clone(),
            distances: self.distances.clone(),
            goal: self.goal.clone(),
            stops: self.stops.clone(),
            forks_at_select: self.forks_at_select,
            covers: self.covers,
            jobs: 1,
            waiting: self.waiting.split_off(from),
            parts: Vec::new(),
            leaves: Vec::new(),
            texts: HashMap::new(),
            coverage: self.coverage.clone(),
            start: self.start,
            executed: 0,
            spent: Duration::ZERO,
            random: self.random,
            stopped: None,
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
        if shared.idle.load(Relaxed) == jobs || shared.why_stop().is_some() {
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

/// A leaf was found, as far as bounds are concerned.
pub(crate) fn count(shared: &Shared, leaves: &[Leaf]) {
    let less = |paths: usize| Some(paths.saturating_sub(leaves.len()));
    let _ = shared.paths.fetch_update(Relaxed, Relaxed, less);
}
