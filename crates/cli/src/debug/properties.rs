//! Commands about properties and scenarios: those that name files, and what they ask for.

use std::io::Write;
use std::path::Path;

use mw_api::{Debugger, Listener, PropertyView, TraceText, Unattended, request};

use super::parse::{Action, one, word_of};
use super::shell::{Problem, Shell};
use super::show::properties as show;
use crate::failure::Failure;
use crate::files;

/// What is to be done with properties that needs a file, or more than one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyAction {
    /// Load the property in a file.
    Load(String),
    /// Load the scenario in a file.
    LoadScenario(String),
    /// Load what a file has now, of one property or of all.
    Reload(Option<u32>),
    /// Show one property, or the only one.
    Show(Option<u32>),
    /// Show its slices, those that have something in them.
    Slices(Option<String>),
    /// Show what happened that it knows of, or what became of a slice.
    Events(Option<String>),
    /// Show the choices that lead to its violation, or write them to a file.
    Witness(Option<String>),
}

impl PropertyAction {
    /// Whether it needs a file of this machine.
    pub fn names_file(&self) -> bool {
        use PropertyAction::{Load, LoadScenario, Reload, Witness};
        matches!(self, Load(_) | LoadScenario(_) | Reload(_) | Witness(Some(_)))
    }
}

/// The number of a property, and what follows it.
type Split = (Option<u32>, Option<String>);

/// What `property` is given.
pub fn parse(rest: &str, usage: &dyn Fn() -> String) -> Result<Action, String> {
    let (what, given) = word_of(rest);
    let number = |text: &str| text.parse::<u32>().map_err(|_| usage());
    let given = Some(given).filter(|given| !given.is_empty());
    let whole = given.map(str::to_owned);
    Ok(Action::Property(match what {
        "" | "list" => return Ok(one(request::Properties {})),
        "load" => PropertyAction::Load(given.ok_or_else(usage)?.to_owned()),
        "reload" => PropertyAction::Reload(given.map(number).transpose()?),
        "show" => PropertyAction::Show(given.map(number).transpose()?),
        "slices" => PropertyAction::Slices(whole),
        "witness" => PropertyAction::Witness(whole),
        "events" => PropertyAction::Events(whole),
        "delete" => {
            let property = number(given.ok_or_else(usage)?)?;
            return Ok(one(request::RemoveProperty { property }));
        }
        _ => return Err(usage()),
    }))
}

/// What loads the property in a file.
pub fn read(path: &Path, replaces: Option<u32>) -> Result<request::LoadProperty, String> {
    let shown = path.display();
    let text = files::read_text(path)
        .map_err(|error| format!("the property {shown} cannot be read: {error}"))?;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| shown.to_string());
    Ok(request::LoadProperty { name, text, path: Some(shown.to_string()), replaces })
}

/// What `scenario` is given.
pub fn parse_scenario(rest: &str, usage: &dyn Fn() -> String) -> Result<Action, String> {
    let (what, given) = word_of(rest);
    match what {
        "" | "list" => Ok(one(request::Scenarios {})),
        "load" if !given.is_empty() => {
            Ok(Action::Property(PropertyAction::LoadScenario(given.to_owned())))
        }
        "delete" => {
            let scenario = given.parse().map_err(|_| usage())?;
            Ok(one(request::RemoveScenario { scenario }))
        }
        _ => Err(usage()),
    }
}

/// What loads the scenario in a file.
pub fn read_scenario(path: &Path) -> Result<request::LoadScenario, String> {
    let request::LoadProperty { name, text, path, .. } = read(path, None)?;
    Ok(request::LoadScenario { name, text, path, property: None })
}

/// Carries out a line of a scenario, without a person or a terminal.
pub fn carry_out(
    debugger: &mut Debugger,
    line: &str,
    listener: &mut dyn Listener,
) -> Result<String, String> {
    let requests = match super::parse::parse(line)? {
        Action::Nothing => Vec::new(),
        Action::Requests(requests) => requests,
        Action::Backtrace => vec![request::SourceFrames { actor: None }.into()],
        Action::Print(term, format) => {
            vec![request::Print { format, ..request::Print::new(term) }.into()]
        }
        _ => return Err(format!("{line} cannot be done in a scenario")),
    };
    let mut out = anstream::StripStream::new(Vec::new());
    for request in requests {
        let reply = debugger.ask(request, listener).map_err(|error| error.message)?;
        super::show::reply(&mut out, &reply).map_err(|error| error.to_string())?;
    }
    Ok(String::from_utf8_lossy(&out.into_inner()).trim_end().to_owned())
}

/// Loads the property in a file before anybody writes a line. One that the session has from that file
/// already becomes what the file says now.
pub fn load(debugger: &mut Debugger, path: &Path) -> Result<(), Failure> {
    let unusable = |error: mw_api::ApiError| Failure::Unusable(error.message);
    let known = debugger.ask(request::Properties {}, &mut Unattended).map_err(unusable)?;
    let same = known.iter().find(|one| one.path.as_deref() == Some(&*path.to_string_lossy()));
    let load = read(path, same.map(|one| one.id)).map_err(Failure::Unusable)?;
    debugger.ask(load, &mut Unattended).map(drop).map_err(unusable)
}

impl Shell {
    pub(super) fn property(
        &mut self,
        action: PropertyAction,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        match action {
            PropertyAction::Load(file) => self.load_property(&file, None, out)?,
            PropertyAction::LoadScenario(file) => {
                let view = self.ask(read_scenario(Path::new(&file))?)?;
                show::scenarios(out, std::slice::from_ref(&view))?;
            }
            PropertyAction::Reload(which) => {
                let known = self.ask(request::Properties {})?;
                let known = known.iter().filter(|one| which.is_none_or(|which| which == one.id));
                let mut files =
                    known.filter_map(|one| Some((one.id, one.path.clone()?))).peekable();
                if files.peek().is_none() {
                    return Err(String::from("no such property was loaded from a file").into());
                }
                for (id, path) in files {
                    self.load_property(&path, Some(id), out)?;
                }
            }
            PropertyAction::Show(which) => {
                let property = self.meant(which)?;
                let automaton = request::Automaton { property, at: None, slice: None };
                show::automaton(out, &self.ask(automaton)?)?;
            }
            PropertyAction::Slices(given) => {
                let (which, search) = self.meant_in(given)?;
                let (property, at, limit) = (self.meant(which)?, None, None);
                let slices = request::Slices { property, at, search, skip: 0, limit };
                show::slices(out, &self.ask(slices)?)?;
            }
            PropertyAction::Events(given) => {
                let (property, rest) = self.meant_in(given)?;
                let moves = rest.as_deref() != Some("all");
                let slice = rest.filter(|_| moves);
                let property = match (&slice, property) {
                    (Some(_), None) => Some(self.meant(None)?),
                    (_, property) => property,
                };
                let (until, limit) = (None, None);
                let events = request::PropertyEvents { property, slice, moves, until, limit };
                show::events(out, &self.ask(events)?)?;
            }
            PropertyAction::Witness(given) => {
                let (which, file) = self.meant_in(given)?;
                let property = self.meant(which)?;
                let TraceText(text) = self.ask(request::Witness { property })?;
                self.write_trace(&text, file.as_deref(), out)?;
            }
        }
        Ok(())
    }

    fn load_property(
        &mut self,
        file: &str,
        replaces: Option<u32>,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        let view = self.ask(read(Path::new(file), replaces)?)?;
        Ok(show::list(out, std::slice::from_ref(&view))?)
    }

    /// The number of a property, which may be left out, and what follows it.
    fn meant_in(&mut self, given: Option<String>) -> Result<Split, Problem> {
        let Some(given) = given else { return Ok((None, None)) };
        let (first, after) = word_of(&given);
        let known = self.ask(request::Properties {})?;
        let number = first.parse().ok().filter(|number| known.iter().any(|one| one.id == *number));
        Ok(match number {
            Some(_) => (number, Some(after.to_owned()).filter(|after| !after.is_empty())),
            None => (None, Some(given)),
        })
    }

    /// The property that is meant: the one with the number, or the only one.
    fn meant(&mut self, which: Option<u32>) -> Result<u32, Problem> {
        if let Some(number) = which {
            return Ok(number);
        }
        match self.ask(request::Properties {})?.as_slice() {
            [only] => Ok(only.id),
            [] => Err(String::from("no property is loaded; `property load FILE` loads one").into()),
            several => {
                let name = |one: &PropertyView| format!("{} {}", one.id, one.name);
                let all: Vec<String> = several.iter().map(name).collect();
                Err(format!("say which property: {}", all.join(", ")).into())
            }
        }
    }

    /// Says of properties whose files have changed that they can be loaded again, each time once.
    pub fn say_if_edited(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        let Ok(properties) = self.ask(request::Properties {}) else { return Ok(()) };
        for PropertyView { id, name, changed, .. } in properties {
            let known = self.edited.insert(id, changed.clone()).flatten();
            if changed.is_some() && changed != known {
                show::edited(out, id, &name)?;
            }
        }
        Ok(())
    }
}
