//! Hearing what happens while a command is carried out, and stopping it with Ctrl-C.

use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mw_api::{EffectView, Event, LinkState, Listener, ReadView};
use mw_dap::Interrupt;

use crate::console::{self, FAINT, NOTE, grouped};

/// Whether Ctrl-C has been pressed since this was last reset.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C stop operations instead of the debugger.
pub fn catch_interrupts() {
    // Without it, Ctrl-C ends the debugger as it does any program: no reason not to go on.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
}

/// Whether there is something that Ctrl-C stops.
static AT_WORK: AtomicBool = AtomicBool::new(false);

/// What is done while Ctrl-C stops it. Pressed again, or with nothing to stop, it ends the program,
/// from then on.
pub fn interruptible<T>(work: impl FnOnce(&mut Waiting) -> T) -> T {
    let mut waiting = Waiting::new();
    AT_WORK.store(true, Ordering::Relaxed);
    let _ = ctrlc::set_handler(|| {
        let is_second = INTERRUPTED.swap(true, Ordering::Relaxed);
        if is_second || !AT_WORK.load(Ordering::Relaxed) {
            std::process::exit(INTERRUPTED_EXIT);
        }
    });
    let done = work(&mut waiting);
    AT_WORK.store(false, Ordering::Relaxed);
    done
}

/// What a shell expects of a program that Ctrl-C has ended.
const INTERRUPTED_EXIT: i32 = 130;

/// Something that happened on the way.
pub enum Happening {
    /// The program did something to its world.
    Effect(EffectView),
    /// The program read an input.
    Reading(ReadView),
    /// A breakpoint said something.
    Log(String),
}

/// More than these are not shown after a single command: of the beginning,
const FIRST: usize = 5;
/// and of the end.
const LAST: usize = 15;

/// Collects what happens, and shows progress to whoever waits at a terminal.
pub struct Waiting {
    /// What happened first, in order.
    pub first: Vec<Happening>,
    /// How much there was between that and the last.
    pub omitted: u64,
    /// What happened last, in order.
    pub last: VecDeque<Happening>,
    /// Warnings.
    pub warnings: Vec<String>,
    began: Instant,
    said: Option<Instant>,
    is_terminal: bool,
    /// Whether whoever waits is not at this terminal: it neither shows them anything nor stops them.
    is_elsewhere: bool,
    interrupt: Interrupt,
}

impl Waiting {
    pub fn new() -> Waiting {
        INTERRUPTED.store(false, Ordering::Relaxed);
        let mut waiting = Waiting::elsewhere();
        waiting.is_elsewhere = false;
        waiting
    }

    /// For somebody who hears of progress and warnings in another way, and stops things so.
    pub fn elsewhere() -> Waiting {
        Waiting {
            first: Vec::new(),
            omitted: 0,
            last: VecDeque::new(),
            warnings: Vec::new(),
            began: Instant::now(),
            said: None,
            is_terminal: std::io::stderr().is_terminal() && std::io::stdin().is_terminal(),
            is_elsewhere: true,
            interrupt: Interrupt::default(),
        }
    }

    /// With something else than Ctrl-C that stops it.
    pub fn interrupted_by(mut self, interrupt: Interrupt) -> Waiting {
        self.interrupt = interrupt;
        self
    }

    fn happened(&mut self, happening: Happening) {
        if self.first.len() < FIRST && self.omitted == 0 {
            return self.first.push(happening);
        }
        if self.last.len() == LAST {
            self.last.pop_front();
            self.omitted += 1;
        }
        self.last.push_back(happening);
    }

    fn progress(&mut self, done: u64, goal: Option<u64>) {
        let due = match self.said {
            None => self.began.elapsed() > Duration::from_millis(500),
            Some(said) => said.elapsed() > Duration::from_millis(100),
        };
        if !self.is_terminal || self.is_elsewhere || !due {
            return;
        }
        self.said = Some(Instant::now());
        let of = goal.map(|goal| format!(" of {}", grouped(goal))).unwrap_or_default();
        let mut err = anstream::stderr();
        let _ = write!(err, "\r{FAINT}{}{of} done, Ctrl-C stops{FAINT:#}  ", grouped(done));
        let _ = err.flush();
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.said.is_some() {
            let _ = write!(anstream::stderr(), "\r{:60}\r", "");
        }
        for warning in self.warnings.iter().filter(|_| !self.is_elsewhere) {
            let _ = writeln!(console::stderr(), "{NOTE}warning:{NOTE:#} {warning}");
        }
    }
}

/// What has become of the link to a device.
pub fn link_news(link: &LinkState) -> String {
    let (word, why) = match link {
        LinkState::Connected => return "the device is there again".to_owned(),
        LinkState::Interrupted { why } => ("interrupted", why),
        LinkState::Broken { why } => ("broken", why),
    };
    format!("{NOTE}warning:{NOTE:#} the link to the device is {word}: {why}")
}

impl Listener for Waiting {
    fn event(&mut self, event: Event) {
        match event {
            Event::Progress { done, goal } => self.progress(done, goal),
            // They are shown as a tree in the end; a place, when it stays.
            Event::Found { .. } | Event::Passing { .. } => {}
            Event::Effect(effect) => self.happened(Happening::Effect(effect)),
            Event::Reading(reading) => self.happened(Happening::Reading(reading)),
            Event::Omitted { count } => self.omitted += count,
            Event::Log { message } => self.happened(Happening::Log(message)),
            Event::Warning { message } => {
                if !self.warnings.contains(&message) {
                    self.warnings.push(message);
                }
            }
            // At once: this is what one waits for. If it comes to nothing, the reply says it.
            Event::Link(device) => {
                if matches!(device.link, LinkState::Interrupted { .. }) && !self.is_elsewhere {
                    let _ = writeln!(console::stderr(), "{}", link_news(&device.link));
                }
            }
            // The reply says it.
            Event::Changed(_) => {}
        }
    }

    fn is_cancelled(&mut self) -> bool {
        !self.is_elsewhere && (INTERRUPTED.load(Ordering::Relaxed) || self.interrupt.is_raised())
    }
}
