//! The debugger: takes requests, answers them, and lets whoever keeps the session on disk know.

use std::collections::{HashMap, HashSet};

use mw_session::{Control, NodeId, Progress, PropertyId, Session};
use mw_source::Sources;

use crate::ask::{Answered, Ask};
use crate::chronicle::Chronicle;
use crate::device::Attachment;
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::graph::KeptGraph;
use crate::growth::Growth;
use crate::keeping::Keeper;
use crate::listing::Listing;
use crate::memory::Earlier;
use crate::program_text::ProgramText;
use crate::query::Asked;
use crate::reacting::{CarryOut, Remembered};
use crate::setup::Setup;
use crate::suggest::Exploring;

/// A debugging session that answers requests. See the [crate].
pub struct Debugger {
    pub(crate) session: Session,
    /// The programs as text, by their numbers.
    pub(crate) texts: Vec<ProgramText>,
    pub(crate) keeper: Option<Box<dyn Keeper>>,
    /// What is being explored, to go on with.
    pub(crate) exploring: Option<Exploring>,
    /// The graph of universes that was drawn last.
    pub(crate) graph: Option<KeptGraph>,
    /// What was found for earlier questions about the past.
    pub(crate) asked: Asked,
    /// Why the program goes one way and not another, by the node that the choice leads to, as far
    /// as exploring has found out.
    pub(crate) reasons: HashMap<NodeId, String>,
    /// What has been seen of the program.
    pub(crate) chronicle: Chronicle,
    /// How many requests may have changed something.
    pub(crate) changes: u64,
    /// What the tree was like when somebody last asked for its changes.
    pub(crate) growth: Growth,
    /// The memory as it was, for whoever looks at it.
    pub(crate) earlier: Earlier,
    /// What the program runs on, if that is not here.
    pub(crate) device: Option<Attachment>,
    /// The solvers that the person has allowed: programs, by the names or paths that they gave.
    pub(crate) solvers: Vec<String>,
    /// How a file is read, if that is allowed.
    pub(crate) read_file: Option<fn(&str) -> Option<String>>,
    /// How a line of the terminal is carried out, if somebody can.
    pub(crate) carry_out: Option<CarryOut>,
    /// What scenarios remember.
    pub(crate) remembered: Remembered,
    /// Whether a scenario is being carried out.
    pub(crate) is_reacting: bool,
    /// The properties that somebody has loaded from files.
    pub(crate) property_files: HashSet<PropertyId>,
}

const RESTARTED: &str = "the device has restarted, and has been brought to where the session \
    stands; do that once more";

impl Debugger {
    /// A session at the start of a program, or where it is to begin.
    pub fn new(setup: Setup) -> Result<Debugger, ApiError> {
        let mut session = setup.session()?;
        let texts = setup.texts();
        for (number, text) in (0..).zip(&texts) {
            if let Some(sources) = &text.sources {
                session.set_sources(number, sources.clone());
            }
        }
        Ok(Debugger {
            session,
            texts,
            keeper: None,
            exploring: None,
            graph: None,
            asked: Asked::default(),
            reasons: HashMap::new(),
            chronicle: Chronicle::default(),
            changes: 0,
            growth: Growth::default(),
            earlier: Earlier::default(),
            device: None,
            solvers: Vec::new(),
            read_file: None,
            carry_out: None,
            remembered: Remembered::default(),
            is_reacting: false,
            property_files: HashSet::new(),
        })
    }

    /// Lets front ends choose this solver, a program by its name or path. Only the person who
    /// started the debugger may say so; a request never starts a program that was not allowed.
    pub fn allow_solver(&mut self, program: &str) {
        if !self.solvers.iter().any(|known| known == program) {
            self.solvers.push(program.to_owned());
        }
    }

    /// Answers a request. If it may change something, a device follows, and whoever keeps the
    /// session is told.
    pub fn ask<A: Ask>(&mut self, ask: A, listener: &mut dyn Listener) -> Answered<A> {
        if ask.only_looks() {
            return ask.serve(self, listener);
        }
        let before = self.before_change();
        let mut answered = ask.serve(self, listener);
        // A device follows when all is done; what could not be done is told first.
        let mut bridge = Bridge { listener };
        if let Err(error) = self.session.bring_target(&mut bridge) {
            answered = match self.mend_link() {
                // Unless it was the device that was asked, all is as it should be.
                true => answered.map_err(|error| ApiError { message: RESTARTED.into(), ..error }),
                false => answered.and(Err(error.into())),
            };
        }
        self.changes += 1;
        self.after_change(before);
        if let Some(keeper) = &mut self.keeper
            && let Err(message) = keeper.keep(&mut self.session)
        {
            listener.event(Event::Warning { message });
        }
        answered
    }

    /// Answers a request in the middle of another one, which sees to the rest when it is over.
    pub(crate) fn ask_in_passing<A: Ask>(
        &mut self,
        ask: A,
        listener: &mut dyn Listener,
    ) -> Answered<A> {
        if !ask.only_looks() {
            self.changes += 1;
        }
        ask.serve(self, listener)
    }

    /// The program of the task that runs, as text.
    pub(crate) fn text(&self) -> &ProgramText {
        &self.texts[usize::from(self.session.program_number())]
    }

    /// The source that it was built from, if it is known.
    pub(crate) fn sources(&self) -> Option<&Sources> {
        self.text().sources.as_deref()
    }

    /// Its instructions.
    pub(crate) fn listing(&self) -> &Listing {
        self.text().listing()
    }

    /// The name of the file that the session is about, without its folder.
    pub(crate) fn program_name(&self) -> &str {
        self.texts[0].file_name()
    }
}

/// Hands what the session reports to whoever made the request.
pub(crate) struct Bridge<'a> {
    pub listener: &'a mut dyn Listener,
}

impl Control for Bridge<'_> {
    fn is_cancelled(&mut self) -> bool {
        self.listener.is_cancelled()
    }

    fn progress(&mut self, progress: Progress) {
        self.listener.event(Event::Progress { done: progress.count, goal: progress.goal });
    }
}

/// The same for an operation that the debugger has lent its session to: whenever that stands at a
/// place like any other, the debugger is whole for a moment.
pub(crate) struct Lending<'a> {
    pub debugger: &'a mut Debugger,
    pub listener: &'a mut dyn Listener,
}

impl Control for Lending<'_> {
    fn is_cancelled(&mut self) -> bool {
        self.listener.is_cancelled()
    }

    fn progress(&mut self, progress: Progress) {
        Bridge { listener: self.listener }.progress(progress);
    }

    fn meanwhile(&mut self, session: &mut Session) {
        let Lending { debugger, listener } = self;
        std::mem::swap(session, &mut debugger.session);
        if let Some(keeper) = &mut debugger.keeper
            && let Err(message) = keeper.keep_in_passing(&mut debugger.session)
        {
            listener.event(Event::Warning { message });
        }
        listener.meanwhile(debugger);
        std::mem::swap(session, &mut debugger.session);
    }
}
