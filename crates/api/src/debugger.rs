//! The debugger: takes requests, answers them, and lets whoever keeps the session on disk know.

use std::cell::OnceCell;
use std::sync::Arc;

use mw_session::{Control, Progress, Session};
use mw_source::Sources;

use crate::breakpoints::When;
use crate::chronicle::Chronicle;
use crate::device::Attachment;
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::growth::Growth;
use crate::keeping::Keeper;
use crate::listing::Listing;
use crate::memory::Earlier;
use crate::reply::Reply;
use crate::request::Request;
use crate::setup::Setup;
use crate::suggest::Exploring;

/// A debugging session that answers requests. See the [crate].
pub struct Debugger {
    pub(crate) session: Session,
    pub(crate) name: String,
    pub(crate) binary: Arc<[u8]>,
    listing: OnceCell<Listing>,
    pub(crate) keeper: Option<Box<dyn Keeper>>,
    /// What is being explored, to go on with.
    pub(crate) exploring: Option<Exploring>,
    /// The source that the program was built from, if it is known.
    pub(crate) sources: Option<Arc<Sources>>,
    /// The program's own text, for one without sources; made when first needed.
    pub(crate) own_text: OnceCell<Arc<Sources>>,
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
}

const RESTARTED: &str = "the device has restarted, and has been brought to where the session \
    stands; do that once more";

impl Debugger {
    /// A session at the start of a program, or where it is to begin.
    pub fn new(setup: Setup) -> Result<Debugger, ApiError> {
        let Setup { name, binary, module, world, entry, start, options, sources, .. } = setup;
        let mut session = match start {
            None => Session::new(module, &world, entry, options)?,
            Some(start) => Session::begin(&module, &world, &start, options)?,
        };
        if let Some(sources) = &sources {
            session.set_sources(sources.clone());
        }
        Ok(Debugger {
            session,
            name,
            binary,
            listing: OnceCell::new(),
            keeper: None,
            exploring: None,
            sources,
            own_text: OnceCell::new(),
            chronicle: Chronicle::default(),
            changes: 0,
            growth: Growth::default(),
            earlier: Earlier::default(),
            device: None,
            solvers: Vec::new(),
        })
    }

    /// Lets front ends choose this solver, a program by its name or path. Only the person who
    /// started the debugger may say so; a request never starts a program that was not allowed.
    pub fn allow_solver(&mut self, program: &str) {
        if !self.solvers.iter().any(|known| known == program) {
            self.solvers.push(program.to_owned());
        }
    }

    /// Serves a request.
    pub fn handle(
        &mut self,
        request: Request,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let only_looks = request.only_looks();
        let before = if only_looks { None } else { self.before_change() };
        let mut result = self.dispatch(request, listener);
        if !only_looks {
            // A device follows when all is done; what could not be done is told first.
            let mut bridge = Bridge { listener, keeper: None };
            if let Err(error) = self.session.bring_target(&mut bridge) {
                result = match self.mend_link() {
                    // Unless it was the device that was asked, all is as it should be.
                    true => result.map_err(|error| ApiError { message: RESTARTED.into(), ..error }),
                    false => result.and(Err(error.into())),
                };
            }
            self.changes += 1;
            self.after_change(before);
        }
        if !only_looks
            && let Some(keeper) = &mut self.keeper
            && let Err(message) = keeper.keep(&mut self.session)
        {
            listener.event(Event::Warning { message });
        }
        result
    }

    fn dispatch(
        &mut self,
        request: Request,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        match request {
            Request::Where => Ok(Reply::Position(Box::new(self.position()))),
            Request::Step { unit, direction, count, confirm } => {
                self.step(unit, direction, count, confirm, listener)
            }
            Request::Run { direction, confirm } => self.run(direction, confirm, listener),
            Request::RunAsSuggested => self.run_as_suggested(listener),
            Request::RunTo { to, direction, confirm } => {
                self.run_to(&to, direction, confirm, listener)
            }
            Request::RestartFrame { frame, confirm } => {
                self.restart_frame(frame, confirm, listener)
            }
            Request::Reset { confirm } => self.slide_to(self.session.start(), confirm, listener),
            Request::Answer { value } => self.answer(&value, listener),
            Request::Plan { to } => self.plan(&to, listener),
            Request::Slide { to, confirm } => {
                let place = self.resolve(&to)?;
                self.slide_to(place, confirm, listener)
            }
            Request::Frames => Ok(Reply::Frames(self.frames())),
            Request::Globals => Ok(Reply::Variables(self.globals())),
            Request::Print { term } => self.print(&term),
            Request::SourceFrames => Ok(Reply::SourceFrames(self.source_frames())),
            Request::SourceVariables { of, path } => self.source_variables(&of, &path),
            Request::SetVariable { of, path, name, value } => {
                self.set_variable(&of, &path, &name, &value)
            }
            Request::Evaluate { expression, frame } => self.evaluate(&expression, frame),
            Request::SourceFiles => Ok(Reply::SourceFiles(self.source_files())),
            Request::SourceText { path } => self.source_text(&path),
            Request::SourceLines { around, count } => self.source_lines(around.as_deref(), count),
            Request::ReadMemory { address, length } => self.read_memory(address, length),
            Request::WriteMemory { address, bytes } => self.write_memory(address, &bytes),
            Request::World => Ok(Reply::World(Box::new(self.session.world().view()))),
            Request::Disassemble { around, count } => self.disassemble(around.as_deref(), count),
            Request::Link => Ok(Reply::Link(Box::new(self.link()?))),
            Request::Detach => self.detach(listener),
            Request::Info => Ok(Reply::Info(Box::new(self.info()))),
            Request::Names => Ok(Reply::Names(self.names())),
            Request::Tree { from, limit } => self.tree(from.as_ref(), limit),
            Request::TreeChanges { since } => Ok(self.tree_changes(since)),
            Request::Log { limit } => Ok(self.log(limit)),
            Request::Universe { place, limit } => self.universe(place.as_ref(), limit),
            Request::Merged { limit } => self.merged(limit, listener),
            Request::Diff { first, second } => self.diff(&first, second.as_ref(), listener),
            Request::Mock { call, value, once } => self.mock(&call, &value, once),
            Request::Unmock { id } => self.unmock(id.as_ref()),
            Request::Inputs => Ok(Reply::Inputs(self.inputs())),
            Request::Mocks => Ok(Reply::Mocks(self.mocks())),
            Request::Branch { call, values } => self.branch(call.as_ref(), &values, listener),
            Request::Suggest(exploration) => self.suggest(&exploration, listener),
            Request::SuggestMore => self.go_on_exploring(listener),
            Request::TraceOf { path } => self.trace_of(path),
            Request::Coverage => self.coverage_view(),
            Request::SetReading { call, value } => self.set_reading(&call, value.as_deref()),
            Request::Interrupt { pin } => self.interrupt(pin, listener),
            Request::Interrupts => Ok(Reply::Interrupts(self.interrupts())),
            Request::GoWithout => {
                self.session.go_without();
                Ok(Reply::Position(Box::new(self.position())))
            }
            Request::Alter { target, value } => self.alter(&target, &value),
            Request::Bookmark { name, place } => self.bookmark(&name, place.as_ref(), listener),
            Request::RemoveBookmark { name } => self.remove_bookmark(&name),
            Request::Bookmarks => Ok(Reply::Bookmarks(self.bookmarks())),
            Request::AddBreakpoint { trigger, condition, hits, log, temporary } => {
                self.add_breakpoint(&trigger, &When { condition, hits, log }, temporary)
            }
            Request::ChangeBreakpoint { id, condition, hits, log } => {
                self.change_breakpoint(&id, &When { condition, hits, log })
            }
            Request::RemoveBreakpoint { id } => self.remove_breakpoint(id.as_ref()),
            Request::EnableBreakpoint { id, enabled } => self.enable_breakpoint(&id, enabled),
            Request::Breakpoints => Ok(Reply::Breakpoints(self.breakpoints())),
            Request::ExportTrace => self.export_trace(),
            Request::ReplayTrace { text, confirm } => self.replay_trace(&text, confirm, listener),
        }
    }

    /// The name of the program's file, without its folder.
    pub(crate) fn program_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// The program as text; made when first needed.
    pub(crate) fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| Listing::new(&self.binary))
    }
}

/// Hands what the session reports to whoever made the request.
pub(crate) struct Bridge<'a> {
    pub listener: &'a mut dyn Listener,
    pub keeper: Option<&'a mut Box<dyn Keeper>>,
}

impl Control for Bridge<'_> {
    fn is_cancelled(&mut self) -> bool {
        self.listener.is_cancelled()
    }

    fn progress(&mut self, progress: Progress) {
        self.listener.event(Event::Progress { done: progress.count, goal: progress.goal });
    }

    fn keep(&mut self, session: &mut Session) {
        if let Some(keeper) = &mut self.keeper
            && let Err(message) = keeper.keep_in_passing(session)
        {
            self.listener.event(Event::Warning { message });
        }
    }
}
