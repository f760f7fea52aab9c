//! Carrying out lines: from words to requests, from replies to words.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use mw_api::{
    Answered, ApiError, Ask, Client, Envelope, ErrorKind, Exploration, HaltView, NamesView, Reply,
    Request, Stopped, TraceText, request,
};
use mw_dap::Interrupt;

use super::examine::Examine;
use super::listener::Waiting;
use super::looking::Looking;
use super::parse::{Action, parse};
use super::show::{actors, link, lists, position, world};
use super::{habits, help, show};
use crate::console::count_of;
use crate::failure::Failure;
use crate::{coverage, files};

/// A line to the debugger, and what is remembered between lines of text.
pub struct Shell {
    debugger: Client,
    /// The line that an empty one repeats.
    repeated: String,
    /// Whether every question is answered with yes.
    yes: bool,
    /// Where the last line said that one is.
    place: String,
    /// What is looked at there.
    pub(super) looking: Looking,
    /// Where the session was brought to before anybody wrote a line.
    begun: Option<Stopped>,
    /// What else than Ctrl-C stops an operation.
    interrupt: Interrupt,
    author: Author,
    /// What the files of properties had in them when it was last said that they have changed.
    pub(super) edited: HashMap<u32, Option<String>>,
}

/// Who writes the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    /// The person, here or in an editor that they have started.
    Person,
    /// Somebody on a port: may choose among solvers, but name none.
    Port,
    /// A page, which has the session and nothing else of this machine.
    Page,
}

/// What `info` shows.
pub const INFO: [&str; 24] = [
    "locals",
    "globals",
    "frames",
    "stack",
    "world",
    "display",
    "displays",
    "transcript",
    "printed",
    "breakpoints",
    "mocks",
    "bookmarks",
    "actors",
    "interrupts",
    "turns",
    "functions",
    "primitives",
    "sources",
    "source",
    "line",
    "skips",
    "program",
    "coverage",
    "link",
];

/// What comes after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next one.
    On,
    /// Nothing.
    Quit,
}

/// Why a line was not carried out.
#[derive(Debug)]
pub enum Problem {
    /// The person should know.
    Refused(String),
    /// What was to be said could not be written.
    Output(io::Error),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Problem::Output(error)
    }
}

impl From<ApiError> for Problem {
    fn from(error: ApiError) -> Self {
        Problem::Refused(error.message)
    }
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Problem::Refused(message)
    }
}

/// Whoever can be asked whether to go on; `None` if nobody is there.
pub type Confirm<'a> = &'a mut dyn FnMut(&str) -> Option<bool>;

impl Shell {
    pub fn new(debugger: Client, yes: bool) -> Shell {
        let (repeated, place, looking, begun, interrupt) = Default::default();
        let author = Author::Person;
        let edited = HashMap::new();
        Shell { debugger, repeated, yes, place, looking, begun, interrupt, author, edited }
    }

    /// With where the session has been brought to already.
    pub fn beginning_with(self, begun: Option<Stopped>) -> Shell {
        Shell { begun, ..self }
    }

    /// With something else than Ctrl-C that stops operations.
    pub fn interrupted_by(self, interrupt: Interrupt) -> Shell {
        Shell { interrupt, ..self }
    }

    /// For somebody on a port, who may start no programs.
    pub fn of_a_port(self) -> Shell {
        Shell { author: Author::Port, ..self }
    }

    /// For a page, which may name no files either.
    pub fn of_a_page(self) -> Shell {
        Shell { author: Author::Page, ..self }
    }

    pub(super) fn ask<A: Ask<Reply: Send> + Send + 'static>(&mut self, ask: A) -> Answered<A> {
        let mut waiting = self.waiting();
        self.debugger.ask(ask, &mut waiting)
    }

    fn waiting(&self) -> Waiting {
        match self.author {
            Author::Page => Waiting::elsewhere(),
            _ => Waiting::new().interrupted_by(self.interrupt.clone()),
        }
    }

    /// The line to the debugger.
    pub fn debugger(&mut self) -> &mut Client {
        &mut self.debugger
    }

    /// Says where one is.
    pub fn greet(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(stopped) = self.begun.take() {
            self.place = stopped.position.place.text.clone();
            return Ok(position::stopped(out, &stopped)?);
        }
        match self.requests(&[request::Where {}.into()], out, &mut |_| None) {
            Err(Problem::Output(error)) => Err(Failure::Output(error)),
            _ => Ok(()),
        }
    }

    /// The names of the program and its world.
    pub fn program(&mut self) -> (String, String) {
        self.ask(request::Info {}).map(|info| (info.name, info.world)).unwrap_or_default()
    }

    /// The line that an empty one stands for.
    pub fn repeated(&self) -> &str {
        &self.repeated
    }

    /// All names that a person may use.
    pub fn names(&mut self) -> NamesView {
        self.ask(request::Names {}).unwrap_or_default()
    }

    /// Carries out a line.
    pub fn execute(
        &mut self,
        line: &str,
        out: &mut dyn Write,
        confirm: Confirm<'_>,
    ) -> Result<Flow, Problem> {
        match parse(line)? {
            Action::Nothing => {}
            Action::Quit => return Ok(Flow::Quit),
            Action::Detach => {
                self.ask(request::Detach {})?;
                writeln!(out, "the program runs on by itself; attach --running comes back to it")?;
                return Ok(Flow::Quit);
            }
            Action::Help(word) => help::write(out, word.as_deref())??,
            Action::Requests(mut requests) => {
                for request in &mut requests {
                    if let Request::Alter(alter) = request {
                        alter.actor = self.looking.actor();
                    }
                }
                let moves = |request: &Request| {
                    use Request::{Play, Run, RunAsSuggested, RunTo, Step};
                    matches!(request, Step(_) | Run(_) | Play(_) | RunAsSuggested(_) | RunTo(_))
                };
                if requests.iter().any(moves) {
                    self.repeated = line.trim().to_owned();
                }
                self.requests(&requests, out, confirm)?;
            }
            Action::Backtrace => self.backtrace(out)?,
            Action::Frame(choice) => self.choose_frame(choice, out)?,
            Action::Actor(name) => self.choose_actor(name, out)?,
            Action::PrintAll => {
                self.frames(out)?;
                self.globals(out)?;
            }
            Action::Print(term, format) => self.print(&term, format, out)?,
            Action::TypeOf { text, whole } => self.type_of(text, whole, out)?,
            Action::Display(Some(term), format) => self.display(term, format, out)?,
            Action::Display(None, _) => self.show_all_displayed(out)?,
            Action::Undisplay(id) => self.undisplay(id)?,
            Action::List(around) => self.list(around, out)?,
            Action::Info(what) => self.info(&what, out)?,
            Action::Examine(examine) => self.examine(&examine, out)?,
            Action::Replay(_) | Action::Trace(Some(_)) if self.author == Author::Page => {
                let message = "a page names no files; its own commands save and replay traces: \
                               Ctrl+Shift+P lists them";
                return Err(String::from(message).into());
            }
            Action::Replay(file) => {
                let text = files::read_text(Path::new(&file))
                    .map_err(|error| format!("the trace {file} cannot be read: {error}"))?;
                self.requests(&[request::ReplayTrace { text }.into()], out, confirm)?;
            }
            Action::Trace(file) => self.trace(file.as_deref(), out)?,
            Action::Property(action) if action.names_file() && self.author == Author::Page => {
                let message = "a page names no files; its pane of properties loads and saves texts";
                return Err(String::from(message).into());
            }
            Action::Property(action) => self.property(action, out)?,
        }
        Ok(Flow::On)
    }

    /// Carries out a line; returns what it says, as plain text.
    pub fn say(&mut self, line: &str) -> Result<String, String> {
        // Whoever writes it moves by other means, too.
        if let Ok(here) = self.ask(request::Where {}) {
            self.moved_to(here.place.text);
        }
        let mut out = anstream::StripStream::new(Vec::new());
        let result = self.execute(line, &mut out, &mut |_| None);
        let text = String::from_utf8_lossy(&out.into_inner()).trim_end().to_owned();
        match result {
            Ok(_) => Ok(text),
            Err(Problem::Refused(message)) => Err(message),
            Err(Problem::Output(error)) => Err(error.to_string()),
        }
    }

    /// Makes requests and shows the replies. A movement that does not get anywhere still says
    /// where one is, if that is somewhere else.
    fn requests(
        &mut self,
        requests: &[Request],
        out: &mut dyn Write,
        confirm: Confirm<'_>,
    ) -> Result<(), Problem> {
        for (index, request) in requests.iter().enumerate() {
            // The person who writes the lines is the one who may allow it.
            if let Request::Suggest(Exploration { solver: Some(solver), .. }) = request
                && self.author == Author::Person
            {
                self.debugger.allow_solver(solver);
            }
            let mut waiting = self.waiting();
            let ask = |confirm| Envelope { request: request.clone(), confirm };
            let mut reply = self.debugger.ask(ask(self.yes), &mut waiting);
            if let Err(error) = &reply
                && error.kind == ErrorKind::Irreversible
            {
                let (crossing, _) = error.message.split_once(';').unwrap_or((&error.message, ""));
                match confirm(crossing) {
                    Some(true) => {}
                    Some(false) => return Ok(writeln!(out, "not gone")?),
                    None => {
                        let help = "start with --yes to go anyway, or with --dry if nothing real \
                                    hangs on it";
                        return Err(format!("{crossing}; {help}").into());
                    }
                }
                reply = self.debugger.ask(ask(true), &mut waiting);
            }
            show::effects(out, &waiting)?;
            drop(waiting);
            match reply {
                Ok(reply) => {
                    let reply = self.added(reply, request, confirm)?;
                    if let Some(place) = place_of(&reply) {
                        self.moved_to(place);
                    }
                    // Of several movements, only the last one is worth showing.
                    if index + 1 == requests.len() || !matches!(reply, Reply::Stopped(_)) {
                        show::reply(out, &reply)?;
                        self.show_what_decided(&reply, out)?;
                        if matches!(reply, Reply::Stopped(_)) {
                            self.show_all_displayed(out)?;
                        }
                    }
                }
                Err(error) => {
                    self.say_if_moved(out)?;
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }

    /// Notes where one is.
    fn moved_to(&mut self, place: String) {
        if place != self.place {
            self.place = place;
            self.looking.moved();
        }
    }

    /// What exploring has found, added if it is much and the person wants it.
    fn added(
        &mut self,
        reply: Reply,
        request: &Request,
        confirm: Confirm<'_>,
    ) -> Result<Reply, Problem> {
        let many = match (&reply, request) {
            (Reply::Suggested(found), Request::Suggest(_) | Request::SuggestMore(_)) => {
                found.withheld
            }
            _ => 0,
        };
        let question = || format!("this would add {}", count_of(many, "path", "paths"));
        match many > 0 && (self.yes || confirm(&question()) == Some(true)) {
            true => Ok(self.ask(request::AddSuggested { limit: None })?.into()),
            false => Ok(reply),
        }
    }

    /// Says which inputs decided, where the program has failed.
    fn show_what_decided(&mut self, reply: &Reply, out: &mut dyn Write) -> Result<(), Problem> {
        if let Reply::Stopped(Stopped { halt: HaltView::Ended { outcome }, .. }) = reply
            && outcome.kind != "finished"
            && let Ok(why) = self.ask(request::Why { place: None })
        {
            show::deciding(out, &why)?;
        }
        Ok(())
    }

    /// Says where one is if that is not where one was: a page may have moved the session.
    pub fn say_if_moved(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Ok(here) = self.ask(request::Where {}) else { return Ok(()) };
        if here.place.text != self.place {
            self.moved_to(here.place.text.clone());
            position::line(out, &here)?;
        }
        Ok(())
    }

    fn info(&mut self, what: &str, out: &mut dyn Write) -> Result<(), Problem> {
        let (what, rest) = what.split_once(char::is_whitespace).unwrap_or((what, ""));
        let argument = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
        let fitting: Vec<&str> = INFO.into_iter().filter(|name| name.starts_with(what)).collect();
        let what = match fitting.as_slice() {
            ["breakpoints", "bookmarks"] if what == "b" => "breakpoints",
            fitting if fitting.contains(&what) => what,
            // One word, or several that begin with the first of them.
            [first, others @ ..] if others.iter().all(|other| other.starts_with(first)) => first,
            _ => {
                return Err(match habits::instead_of_info(what) {
                    Some(instead) => format!("info knows no {what}: {instead}"),
                    None => format!("info knows {}; write one of them", INFO.join(", ")),
                }
                .into());
            }
        };
        match what {
            "locals" => self.locals(out)?,
            "line" => self.line_code(argument, out)?,
            "source" => self.source_file(out)?,
            "skips" => lists::skips(out, &self.ask(request::Skips {})?)?,
            "frames" => self.frames(out)?,
            "stack" => self.operands(out)?,
            "globals" => self.globals(out)?,
            "sources" => self.source_files(argument, out)?,
            "world" => world::show(out, &self.ask(request::World { at: None })?)?,
            "display" => {
                world::display(out, &self.ask(request::World { at: None })?)?;
                self.mention_displayed(out)?;
            }
            "displays" => self.list_displayed(out)?,
            "transcript" => world::transcript(out, &self.ask(request::World { at: None })?)?,
            "printed" => lists::log(out, &self.ask(request::Log { limit: None })?)?,
            "breakpoints" => lists::breakpoints(out, &self.ask(request::Breakpoints {})?)?,
            "mocks" => lists::mocks(out, &self.ask(request::Mocks {})?)?,
            "bookmarks" => lists::bookmarks(out, &self.ask(request::Bookmarks {})?)?,
            "actors" => actors::list(out, &self.ask(request::Actors {})?)?,
            "turns" => actors::turns(out, &self.ask(request::Turns { limit: None })?)?,
            "interrupts" => lists::interrupts(out, &self.ask(request::Interrupts {})?)?,
            "coverage" => coverage::text::show(out, &self.ask(request::Coverage {})?)?,
            "link" => link::show(out, &self.ask(request::Link {})?)?,
            "functions" => {
                let mut names = self.ask(request::Names {})?.functions;
                names.retain(|name| argument.as_ref().is_none_or(|part| name.contains(part)));
                lists::names(out, &names, "functions")?;
            }
            "primitives" => {
                let names = self.ask(request::Names {})?;
                lists::labelled(out, "input", &names.inputs)?;
                lists::labelled(out, "output", &names.outputs)?;
            }
            _ => lists::session(out, &self.ask(request::Info {})?)?,
        }
        Ok(())
    }

    fn examine(&mut self, examine: &Examine, out: &mut dyn Write) -> Result<(), Problem> {
        let address = match examine.number() {
            Some(address) => address,
            None => self.address_of(&examine.at)?,
        };
        let length = examine.length();
        let actor = self.looking.actor();
        let memory = self.ask(request::ReadMemory { address, length, actor })?;
        if memory.size == 0 {
            return Err(String::from("the program has no memory").into());
        }
        for line in examine.lines(&memory) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn trace(&mut self, file: Option<&str>, out: &mut dyn Write) -> Result<(), Problem> {
        let TraceText(text) = self.ask(request::ExportTrace {})?;
        self.write_trace(&text, file, out)
    }

    /// Shows a trace, or writes it to a file.
    pub(super) fn write_trace(
        &mut self,
        text: &str,
        file: Option<&str>,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        match file {
            None => write!(out, "{text}")?,
            Some(file) => {
                std::fs::write(file, text)
                    .map_err(|error| format!("the trace cannot be written to {file}: {error}"))?;
                writeln!(out, "written to {file}: {} lines", text.lines().count())?;
            }
        }
        Ok(())
    }
}

/// The place that a reply says one is at.
fn place_of(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Position(position) => Some(position.place.text.clone()),
        Reply::Stopped(stopped) => Some(stopped.position.place.text.clone()),
        Reply::Branched(branched) => Some(branched.position.place.text.clone()),
        _ => None,
    }
}
