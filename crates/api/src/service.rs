//! One session, several front ends: a terminal and any number of pages at the same time.
//!
//! The session lives on a thread of its own, which owns the [`Debugger`] and takes requests from a
//! queue, one after the other. A [`Client`] is a front end's line to it. Whatever one front end
//! changes is told to all of them ([`Event::Changed`]), so that they stay in step. A long operation
//! tells all of them how it goes ([`Event::Passing`]), and lets those look that want to see more.
//!
//! **Invariant:** a front end never makes the session wait. Whoever listens is called on the
//! session's thread and has to return at once.
//!
//! **Invariant:** what only looks does not wait for what takes long, unless the same front end has
//! asked for something else before.

mod queue;
mod telling;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use self::queue::Queue;
use self::telling::Telling;
use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::device::DeviceView;
use crate::error::{ApiError, ErrorKind};
use crate::event::{Changed, Event, Listener};

/// How often a front end that waits is asked whether it has had enough.
const PATIENCE: Duration = Duration::from_millis(10);

/// How often the link to a device is looked after while nobody asks for anything.
const ATTENTION: Duration = Duration::from_millis(500);

/// A session on a thread of its own.
pub struct Service {
    client: Client,
    thread: Option<JoinHandle<Result<(), String>>>,
}

/// A front end's line to a session. Clones are lines of the same front end.
#[derive(Clone)]
pub struct Client {
    jobs: Sender<Message>,
    shared: Arc<Shared>,
    name: Arc<str>,
}

/// A request that has been made, to be cancelled.
#[derive(Clone, Debug)]
pub struct Ticket(Arc<AtomicBool>);

impl Ticket {
    /// Gives the request up, whether it is being served or waits for that.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Called with what happens.
type Subscriber = Box<dyn FnMut(&Event) + Send>;

enum Message {
    Job(Box<Job>),
    /// Front ends may choose this solver from now on.
    Allow(String),
    Stop,
}

/// A request on its way.
struct Job {
    work: Box<dyn Work>,
    by: Arc<str>,
    cancelled: Arc<AtomicBool>,
    /// Where everything that happens on the way goes, for whoever made the request.
    events: Option<Sender<Event>>,
}

/// What is to be done for a request, whatever it is answered with.
trait Work: Send {
    fn only_looks(&self) -> bool;
    fn in_passing(&self) -> bool;
    fn serve(&mut self, debugger: &mut Debugger, listener: &mut dyn Listener);
    /// The same in the middle of another request.
    fn serve_in_passing(&mut self, debugger: &mut Debugger, listener: &mut dyn Listener);
    /// Gives the answer; the error, if it has not been served.
    fn answer(self: Box<Self>, otherwise: ApiError);
}

/// A request, its answer once there is one, and who is called with that.
struct Asked<A: Ask, F> {
    ask: Option<A>,
    answered: Option<Answered<A>>,
    done: F,
}

impl<A, F> Work for Asked<A, F>
where
    A: Ask<Reply: Send> + Send,
    F: FnOnce(Answered<A>) + Send,
{
    fn only_looks(&self) -> bool {
        self.ask.as_ref().is_some_and(A::only_looks)
    }

    fn in_passing(&self) -> bool {
        self.ask.as_ref().is_some_and(A::in_passing)
    }

    fn serve(&mut self, debugger: &mut Debugger, listener: &mut dyn Listener) {
        self.answered = self.ask.take().map(|ask| debugger.ask(ask, listener));
    }

    fn serve_in_passing(&mut self, debugger: &mut Debugger, listener: &mut dyn Listener) {
        self.answered = self.ask.take().map(|ask| debugger.ask_in_passing(ask, listener));
    }

    fn answer(self: Box<Self>, otherwise: ApiError) {
        (self.done)(self.answered.unwrap_or(Err(otherwise)));
    }
}

/// What all clients and the session's thread know.
#[derive(Default)]
struct Shared {
    subscribers: Mutex<BTreeMap<u64, Subscriber>>,
    next_subscriber: AtomicU64,
    /// Who is being served.
    current: Mutex<Option<Current>>,
    /// The device, as front ends were last told of it.
    device: Mutex<Option<DeviceView>>,
    /// Whether nothing more is served.
    stopping: AtomicBool,
}

/// Who is being served, how to stop that, and where to tell what happens meanwhile.
struct Current {
    by: Arc<str>,
    only_looks: bool,
    cancelled: Arc<AtomicBool>,
    events: Option<Sender<Event>>,
}

impl Shared {
    /// Tells everybody how the device is, unless they know.
    fn tell_device(&self, device: Option<DeviceView>) {
        let Some(device) = device else { return };
        let known = lock(&self.device).replace(device.clone());
        if known.as_ref() == Some(&device) {
            return;
        }
        let event = Event::Link(device);
        if let Some(Current { events: Some(events), .. }) = &*lock(&self.current) {
            // It may have gone away.
            let _ = events.send(event.clone());
        }
        self.broadcast(&event);
    }

    fn broadcast(&self, event: &Event) {
        for subscriber in lock(&self.subscribers).values_mut() {
            subscriber(event);
        }
    }
}

/// What is behind these locks is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Service {
    /// Starts to serve a session, if the system has a thread for it.
    pub fn start(mut debugger: Debugger) -> std::io::Result<Service> {
        let (jobs, queue) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        *lock(&shared.device) = debugger.device();
        let telling = shared.clone();
        debugger.watch_link(move |device| telling.tell_device(Some(device)));
        let client = Client { jobs, shared: shared.clone(), name: "service".into() };
        let serve = move || serve(debugger, Queue::new(queue), &shared);
        let thread = std::thread::Builder::new().spawn(serve)?;
        Ok(Service { client, thread: Some(thread) })
    }

    /// A line for a front end of this name, such as `terminal`.
    pub fn client(&self, name: &str) -> Client {
        self.client.named(name)
    }
}

impl Service {
    /// Stops what is under way and waits until the session has been kept; says what could not be.
    pub fn close(mut self) -> Result<(), String> {
        self.stop()
    }

    fn stop(&mut self) -> Result<(), String> {
        self.client.shared.stopping.store(true, Ordering::SeqCst);
        self.client.cancel_current();
        let _ = self.client.jobs.send(Message::Stop);
        // Whoever was being served when the thread died has been told.
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or(Ok(()))
    }
}

impl Drop for Service {
    /// The same, for whoever cannot be told.
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

/// The next request. A device may go away, and come back, while there is none.
fn next(debugger: &mut Debugger, queue: &mut Queue, shared: &Shared) -> Option<Box<Job>> {
    loop {
        match queue.next(debugger.has_link().then_some(ATTENTION)) {
            Ok(Message::Job(job)) => return Some(job),
            Ok(Message::Allow(solver)) => debugger.allow_solver(&solver),
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                debugger.attend_link();
                shared.tell_device(debugger.device());
            }
        }
    }
}

/// Serves requests until there are no more, and saves what could not be saved before.
fn serve(mut debugger: Debugger, mut queue: Queue, shared: &Shared) -> Result<(), String> {
    while let Some(job) = next(&mut debugger, &mut queue, shared) {
        let Job { mut work, by, cancelled, events } = *job;
        let only_looks = work.only_looks();
        let current = Current {
            by: by.clone(),
            only_looks,
            cancelled: cancelled.clone(),
            events: events.clone(),
        };
        *lock(&shared.current) = Some(current);
        if cancelled.load(Ordering::Relaxed) || shared.stopping.load(Ordering::SeqCst) {
            *lock(&shared.current) = None;
            drop(events);
            work.answer(mw_session::SessionError::Cancelled.into());
            continue;
        }
        let mut telling = Telling::new(shared, &mut queue, only_looks, events, cancelled);
        // The session is in one piece between requests only, so a mistake in serving one ends it.
        let served =
            std::panic::catch_unwind(AssertUnwindSafe(|| work.serve(&mut debugger, &mut telling)));
        telling.finish();
        if served.is_ok() {
            shared.tell_device(debugger.device());
        }
        *lock(&shared.current) = None;
        work.answer(gone());
        if served.is_err() {
            return Ok(());
        }
        if !only_looks {
            let changed = Changed { by: by.to_string(), position: debugger.position() };
            shared.broadcast(&Event::Changed(Box::new(changed)));
        }
    }
    debugger.close()
}

fn gone() -> ApiError {
    ApiError::new(
        ErrorKind::Unusable,
        "the session has ended by a mistake in the debugger; what was kept in a session file is \
         there when it is opened again",
    )
}

impl Client {
    /// A line of another front end to the same session.
    pub fn named(&self, name: &str) -> Client {
        Client { name: name.into(), ..self.clone() }
    }

    /// The front end's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets all front ends choose this solver, as [`Debugger::allow_solver`] does. It is no
    /// request, so that it cannot come from a page.
    pub fn allow_solver(&self, program: &str) {
        // A session that is gone explores nothing.
        let _ = self.jobs.send(Message::Allow(program.to_owned()));
    }

    /// Makes a request without waiting for it; `done` is called on the session's thread.
    pub fn send<A: Ask<Reply: Send> + Send + 'static>(
        &self,
        ask: A,
        done: impl FnOnce(Answered<A>) + Send + 'static,
    ) -> Ticket {
        self.post(ask, None, done)
    }

    fn post<A: Ask<Reply: Send> + Send + 'static>(
        &self,
        ask: A,
        events: Option<Sender<Event>>,
        done: impl FnOnce(Answered<A>) + Send + 'static,
    ) -> Ticket {
        let cancelled = Arc::new(AtomicBool::new(false));
        let work = Box::new(Asked { ask: Some(ask), answered: None, done });
        let job = Job { work, by: self.name.clone(), cancelled: cancelled.clone(), events };
        if let Err(mpsc::SendError(Message::Job(job))) = self.jobs.send(Message::Job(job.into())) {
            job.work.answer(gone());
        }
        Ticket(cancelled)
    }

    /// Makes a request and waits for the answer, as [`Debugger::ask`] does.
    pub fn ask<A: Ask<Reply: Send> + Send + 'static>(
        &mut self,
        ask: A,
        listener: &mut dyn Listener,
    ) -> Answered<A> {
        let (events, happened) = mpsc::channel();
        let (answer, answered) = mpsc::channel();
        let ticket = self.post(ask, Some(events), move |result| {
            let _ = answer.send(result);
        });
        // Events end when the request has been served.
        loop {
            match happened.recv_timeout(PATIENCE) {
                Ok(event) => listener.event(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if listener.is_cancelled() {
                ticket.cancel();
            }
        }
        answered.recv().unwrap_or_else(|_| Err(gone()))
    }

    /// Calls `subscriber` with everything that happens in the session, by whichever front end,
    /// until the subscription is dropped.
    pub fn subscribe(&self, subscriber: impl FnMut(&Event) + Send + 'static) -> Subscription {
        self.join(|_| (), subscriber)
    }

    /// The same; `greet` is called before that, with the front end whose request is being served
    /// unless that only looks. The subscriber will be told when that is over.
    pub fn join(
        &self,
        greet: impl FnOnce(Option<String>),
        subscriber: impl FnMut(&Event) + Send + 'static,
    ) -> Subscription {
        let id = self.shared.next_subscriber.fetch_add(1, Ordering::Relaxed);
        let mut subscribers = lock(&self.shared.subscribers);
        // Nobody is told anything meanwhile, and the end of a request is told after it.
        let current = lock(&self.shared.current);
        let busy = current.as_ref().filter(|current| !current.only_looks);
        greet(busy.map(|current| current.by.to_string()));
        subscribers.insert(id, Box::new(subscriber));
        drop((current, subscribers));
        Subscription { shared: self.shared.clone(), id }
    }

    /// The front end whose request is being served, if one is.
    pub fn busy(&self) -> Option<String> {
        lock(&self.shared.current).as_ref().map(|current| current.by.to_string())
    }

    /// Gives up what is being served, whoever asked for it.
    pub fn cancel_current(&self) {
        if let Some(Current { cancelled, .. }) = &*lock(&self.shared.current) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }
}

/// Ends with its being dropped.
pub struct Subscription {
    shared: Arc<Shared>,
    id: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        lock(&self.shared.subscribers).remove(&self.id);
    }
}
