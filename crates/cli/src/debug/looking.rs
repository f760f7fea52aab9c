//! What a person looks at between movements: the actor and the frame that they have chosen, the part
//! of the source that they have listed, the expressions that are shown at every stop.
//!
//! **Invariant:** all of it is about one place. Where the session has moved, the innermost frame of
//! the actor that runs is chosen again and the listing begins anew.

use std::io::{self, Write};

use mw_api::{ActorView, Format, ScopeRef, SourceExcerpt, request};

use super::shell::{Problem, Shell};
use super::show::{self, actors, code};
use crate::console::{FAINT, NOTE, TITLE, count_of};

/// What is looked at.
#[derive(Default)]
pub struct Looking {
    /// The actor that was chosen, by its address; the one that runs without.
    actor: Option<u32>,
    /// The frame that was chosen, from the innermost.
    frame: usize,
    /// The file that was listed last: its first line and its last.
    listed: Option<(String, u32, u32)>,
    /// What is shown at every stop.
    displayed: Vec<Displayed>,
    /// The number of the last of them that there ever was.
    last_displayed: u32,
}

/// An expression that is shown at every stop.
struct Displayed {
    /// Its number, which is never used again.
    id: u32,
    term: String,
    format: Option<Format>,
}

/// Which frame is to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// So many further out.
    Up(usize),
    /// So many further in.
    Down(usize),
    /// This one.
    Frame(usize),
    /// The one that has been chosen.
    Same,
}

impl Looking {
    /// The session has moved.
    pub fn moved(&mut self) {
        (self.actor, self.frame, self.listed) = (None, 0, None);
    }

    /// The actor that was chosen, as requests take it.
    pub fn actor(&self) -> Option<String> {
        self.actor.map(|address| address.to_string())
    }
}

/// So many files without a text are listed; of more, only the number is told.
const FEW_FILES: usize = 12;

/// How many lines are listed at once.
const LINES: u32 = 10;

impl Shell {
    /// Whether the source of the program that is looked at is known.
    fn has_sources(&mut self) -> Result<bool, Problem> {
        match self.looking.actor {
            None => Ok(self.ask(request::Info {})?.source_files > 0),
            Some(id) => {
                let actors = self.ask(request::Actors {})?.actors;
                Ok(actors.iter().any(|actor| actor.id == id && actor.has_sources))
            }
        }
    }

    /// Chooses the actor that is looked at, and shows what it is about and where.
    pub fn choose_actor(
        &mut self,
        name: Option<String>,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        let wanted = name.or(self.looking.actor());
        let frames = self.ask(request::Frames { actor: wanted.clone() })?;
        let known = self.ask(request::Actors {})?.actors;
        let by_name = known.iter().find(|actor| Some(&actor.name) == wanted.as_ref());
        let is_it = |actor: &&ActorView| match &wanted {
            Some(wanted) => actor.id.to_string() == *wanted,
            None => actor.current,
        };
        let Some(actor) = by_name.or_else(|| known.iter().find(is_it)) else {
            return Err(String::from("this program is not made of actors").into());
        };
        (self.looking.actor, self.looking.frame, self.looking.listed) = (Some(actor.id), 0, None);
        actors::line(out, actor, 0)?;
        match frames.is_empty() {
            true => Ok(()),
            false => self.choose_frame(Choice::Same, out),
        }
    }

    /// Shows the functions being executed, as the source has them if it is known.
    pub fn backtrace(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        if !self.has_sources()? {
            return self.frames(out);
        }
        let actor = self.looking.actor();
        Ok(code::source_frames(out, &self.ask(request::SourceFrames { actor })?)?)
    }

    /// Shows the functions being executed, as the machine has them.
    pub fn frames(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        let actor = self.looking.actor();
        Ok(code::backtrace(out, &self.ask(request::Frames { actor })?)?)
    }

    /// Shows the operand stack.
    pub fn operands(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        let actor = self.looking.actor();
        Ok(code::operands(out, &self.ask(request::Frames { actor })?)?)
    }

    /// Shows the globals.
    pub fn globals(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        let actor = self.looking.actor();
        Ok(code::variables(out, &self.ask(request::Globals { actor })?, "globals")?)
    }

    /// Chooses a frame, and shows where it is.
    pub fn choose_frame(&mut self, choice: Choice, out: &mut dyn Write) -> Result<(), Problem> {
        let (has_sources, actor) = (self.has_sources()?, self.looking.actor());
        let (source, machine) = match has_sources {
            true => (self.ask(request::SourceFrames { actor: actor.clone() })?, Vec::new()),
            false => (Vec::new(), self.ask(request::Frames { actor: actor.clone() })?),
        };
        let count = source.len().max(machine.len());
        let now = self.looking.frame;
        let wanted = match choice {
            Choice::Up(steps) => now.saturating_add(steps),
            Choice::Down(steps) if steps > now => {
                return Err(String::from("this is the innermost function").into());
            }
            Choice::Down(steps) => now - steps,
            Choice::Frame(frame) => frame,
            Choice::Same => now,
        };
        if wanted >= count {
            let many = count_of(count as u64, "function is", "functions are");
            return Err(format!("there is no frame {wanted}: {many} being executed").into());
        }
        self.looking = Looking { frame: wanted, listed: None, ..std::mem::take(&mut self.looking) };
        if !has_sources {
            return Ok(code::backtrace(out, &machine[wanted..=wanted])?);
        }
        code::source_frame(out, wanted, &source[wanted])?;
        let (around, count, frame) = (None, Some(1), wanted);
        let lines = request::SourceLines { around, count, frame, actor };
        // Not every frame has a line, nor every line a known text.
        match self.ask(lines) {
            Ok(excerpt) => Ok(code::lines(out, &excerpt)?),
            Err(_) => Ok(()),
        }
    }

    /// Shows the value of an expression in the chosen frame.
    pub fn print(
        &mut self,
        term: &str,
        format: Option<Format>,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        let (frame, actor) = (self.looking.frame, self.looking.actor());
        let print = request::Print { term: term.into(), frame, format, actor };
        let printed = self.ask(print)?;
        Ok(show::reply(out, &printed.into())?)
    }

    /// The address that an expression of the source leads to, or at which it is.
    pub fn address_of(&mut self, expression: &str) -> Result<u64, Problem> {
        let (frame, actor) = (self.looking.frame, self.looking.actor());
        let evaluate = request::Evaluate { expression: expression.into(), frame, actor };
        let found = self.ask(evaluate)?;
        let address = found.content.map(|content| content.address).or(found.address);
        address.ok_or_else(|| {
            let value = found.value;
            format!("{expression} is {value} and not in memory; `x` takes an address, a pointer or what is in memory").into()
        })
    }

    /// Shows the variables of the chosen frame.
    pub fn locals(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        let (frame, actor) = (self.looking.frame, self.looking.actor());
        if self.has_sources()? {
            let of = ScopeRef::Frame(frame);
            let locals = self.ask(request::SourceVariables { of, path: Vec::new(), actor })?;
            return Ok(code::source_variables(out, &locals)?);
        }
        let frames = self.ask(request::Frames { actor })?;
        let locals = frames.get(frame).map(|frame| frame.locals.as_slice());
        Ok(code::variables(out, locals.unwrap_or_default(), "locals")?)
    }

    /// Shows the type of an expression, or what a type is made of.
    pub fn type_of(
        &mut self,
        text: String,
        whole: bool,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        let (frame, actor) = (self.looking.frame, self.looking.actor());
        let found = self.ask(request::TypeOf { text, frame, actor })?;
        let size = found.size.map(|size| count_of(size, "byte", "bytes")).unwrap_or_default();
        let text = if whole { &found.definition } else { &found.name };
        Ok(writeln!(out, "{TITLE}{text}{TITLE:#} {FAINT}{size}{FAINT:#}")?)
    }

    /// Shows a part of the source: around what is given, else on from what was listed last.
    pub fn list(&mut self, around: Option<String>, out: &mut dyn Write) -> Result<(), Problem> {
        if !self.has_sources()? {
            // A whole function, or what is around the next instruction.
            let count = around.is_none().then_some(11);
            let code = self.ask(request::Disassemble { around, count })?;
            return Ok(code::listing(out, &code)?);
        }
        let around = match (around.as_deref(), &self.looking.listed) {
            (Some("-"), Some((file, first, _))) => {
                if *first == 1 {
                    return Err(format!("this is the beginning of {file}").into());
                }
                let before = first.saturating_sub(LINES).max(1);
                Some(format!("{file}:{before},{}", first - 1))
            }
            (None, Some((file, _, last))) => Some(format!("{file}:{},{}", last + 1, last + LINES)),
            _ => around.filter(|text| text != "-"),
        };
        let (frame, actor) = (self.looking.frame, self.looking.actor());
        let excerpt = self.ask(request::SourceLines { around, count: None, frame, actor })?;
        code::excerpt(out, &excerpt)?;
        self.looking.listed = listed(&excerpt);
        Ok(())
    }

    /// Where the code of a line begins.
    pub fn line_code(
        &mut self,
        around: Option<String>,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        let (count, frame, actor) = (Some(1), self.looking.frame, self.looking.actor());
        let excerpt = self.ask(request::SourceLines { around, count, frame, actor })?;
        let file = &excerpt.file;
        for line in &excerpt.lines {
            let offsets: Vec<String> = line.offsets.iter().map(|at| format!("{at:#x}")).collect();
            match offsets.is_empty() {
                true => writeln!(out, "line {} of {file} has no code", line.number)?,
                false => {
                    let offsets = offsets.join(", ");
                    writeln!(out, "line {} of {file} begins at {offsets}", line.number)?;
                }
            }
        }
        Ok(())
    }

    /// The files of the source whose paths have a part; without one, those whose text is known, and
    /// how many others there are.
    pub fn source_files(
        &mut self,
        part: Option<String>,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        let files = self.ask(request::SourceFiles {})?;
        let (shown, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| match &part {
            Some(part) => file.path.contains(part.as_str()),
            None => file.has_text,
        });
        if let Some(part) = part {
            return match shown.is_empty() {
                true => Err(format!("no source of the module has {part} in its path").into()),
                false => Ok(code::source_files(out, shown)?),
            };
        }
        code::source_files(out, shown)?;
        if others.len() <= FEW_FILES {
            return Ok(code::source_files(out, others)?);
        }
        let many = count_of(others.len() as u64, "file", "files");
        Ok(writeln!(
            out,
            "{FAINT}  {many} more; `info sources PART` lists those of that name{FAINT:#}"
        )?)
    }

    /// Facts about the file that the chosen frame is in.
    pub fn source_file(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        let (around, frame, actor) = (None, self.looking.frame, self.looking.actor());
        let here = request::SourceLines { around, count: Some(1), frame, actor };
        let path = self.ask(here)?.file;
        let files = self.ask(request::SourceFiles {})?;
        Ok(code::source_files(out, files.iter().filter(|file| file.path == path))?)
    }

    /// Shows an expression now and at every stop from now on.
    pub fn display(
        &mut self,
        term: String,
        format: Option<Format>,
        out: &mut dyn Write,
    ) -> Result<(), Problem> {
        self.looking.last_displayed += 1;
        let id = self.looking.last_displayed;
        let displayed = Displayed { id, term, format };
        self.show_displayed(&displayed, out)?;
        self.looking.displayed.push(displayed);
        Ok(())
    }

    /// Shows an expression at a stop no more, or none at all.
    pub fn undisplay(&mut self, id: Option<u32>) -> Result<(), Problem> {
        let before = self.looking.displayed.len();
        self.looking.displayed.retain(|displayed| id.is_some_and(|id| displayed.id != id));
        match id {
            Some(id) if before == self.looking.displayed.len() => {
                Err(format!("there is no display {id}; `info displays` lists them").into())
            }
            _ => Ok(()),
        }
    }

    /// Lists what is shown at every stop, as it was written.
    pub fn list_displayed(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.looking.displayed.is_empty() {
            return writeln!(out, "nothing is shown at every stop; `display EXPRESSION` shows it");
        }
        for Displayed { id, term, format } in &self.looking.displayed {
            let format = format.map(|format| format!("/{} ", format.letter())).unwrap_or_default();
            writeln!(out, "{FAINT}{id}:{FAINT:#} {format}{term}")?;
        }
        Ok(())
    }

    /// Says where what `display` shows is listed, to whoever has looked for it at the board's display.
    pub fn mention_displayed(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.looking.displayed.is_empty() {
            true => Ok(()),
            false => writeln!(out, "{FAINT}what is shown at every stop: info displays{FAINT:#}"),
        }
    }

    /// Shows all that is shown at every stop.
    pub fn show_all_displayed(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let displayed = std::mem::take(&mut self.looking.displayed);
        let shown = displayed.iter().try_for_each(|one| self.show_displayed(one, out));
        self.looking.displayed = displayed;
        shown
    }

    fn show_displayed(&mut self, displayed: &Displayed, out: &mut dyn Write) -> io::Result<()> {
        let Displayed { id, term, format } = displayed;
        write!(out, "{FAINT}{id}:{FAINT:#} ")?;
        match self.print(term, *format, out) {
            Ok(()) => Ok(()),
            Err(Problem::Refused(message)) => writeln!(out, "{term}: {NOTE}{message}{NOTE:#}"),
            Err(Problem::Output(error)) => Err(error),
        }
    }
}

/// What an excerpt shows.
fn listed(excerpt: &SourceExcerpt) -> Option<(String, u32, u32)> {
    let (first, last) = (excerpt.lines.first()?, excerpt.lines.last()?);
    Some((excerpt.file.clone(), first.number, last.number))
}
