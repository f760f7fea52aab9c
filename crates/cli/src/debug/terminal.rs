//! A person at a terminal: line editing, history, completion.

use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc;

use mw_api::notation::EXPLORATION;
use mw_api::{Event, Subscription};
use rustyline::completion::{Completer, Pair};
use rustyline::config::CompletionType;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, ExternalPrinter, Helper};

use super::commands;
use super::listener::{catch_interrupts, link_news};
use super::shell::{Flow, INFO, Problem, Shell};
use crate::console::{self, ERROR, FAINT, NOTE, TITLE};
use crate::failure::{Exit, Failure};

const PROMPT: &str = "(mw) ";

/// Talks with a person until they leave.
pub fn run(shell: &mut Shell) -> Result<Exit, Failure> {
    catch_interrupts();
    let mut out = console::stdout();
    let (program, world) = shell.program();
    writeln!(
        out,
        "{TITLE}{program}{TITLE:#} in the world {TITLE}{world}{TITLE:#} {FAINT}(help lists the commands, quit leaves){FAINT:#}"
    )?;
    shell.greet(&mut out)?;
    let broken =
        |error: ReadlineError| Failure::Unusable(format!("the terminal cannot be read: {error}"));
    let config = Config::builder().completion_type(CompletionType::List).build();
    let mut editor: Editor<Words, FileHistory> = Editor::with_config(config).map_err(broken)?;
    let history = history_file();
    if let Some(history) = &history {
        // There is none yet, at first.
        let _ = editor.load_history(history);
    }
    let _news = tell_of_device(shell, &mut editor);
    loop {
        shell.say_if_edited(&mut out)?;
        editor.set_helper(Some(Words::of(shell)));
        shell.say_if_edited(&mut out)?;
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            // Ctrl-C at the prompt drops the line.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(broken(error)),
        };
        let line = line.trim().to_owned();
        if !line.is_empty() {
            let _ = editor.add_history_entry(&line);
        }
        let line = if line.is_empty() { shell.repeated().to_owned() } else { line };
        let mut confirm = |question: &str| {
            let _ = writeln!(console::stdout(), "{NOTE}{question}{NOTE:#}");
            let answer = editor.readline("go anyway? [y/N] ");
            Some(answer.is_ok_and(|answer| matches!(answer.trim(), "y" | "Y" | "yes")))
        };
        shell.say_if_moved(&mut out)?;
        match shell.execute(&line, &mut out, &mut confirm) {
            Ok(Flow::On) => {}
            Ok(Flow::Quit) => break,
            Err(Problem::Output(error)) => return Err(Failure::Output(error)),
            Err(Problem::Refused(message)) => writeln!(out, "{ERROR}error:{ERROR:#} {message}")?,
        }
    }
    if let Some(history) = &history
        && let Some(folder) = history.parent()
    {
        // A debugger that cannot remember lines is still one.
        let _ = std::fs::create_dir_all(folder).map(|()| editor.save_history(history));
    }
    Ok(Exit::Done)
}

/// Says at once when the device goes away or comes back, above the line that is being written.
fn tell_of_device(
    shell: &mut Shell,
    editor: &mut Editor<Words, FileHistory>,
) -> Option<Subscription> {
    let mut printer = editor.create_external_printer().ok()?;
    // The session does not wait for a terminal.
    let (news, told) = mpsc::channel();
    let print = move || {
        for line in told {
            // A terminal that cannot be written to has said so elsewhere.
            let _ = printer.print(line);
        }
    };
    std::thread::Builder::new().spawn(print).ok()?;
    let client = shell.debugger().clone();
    let own = client.clone();
    Some(client.subscribe(move |event| {
        // While a command is carried out, whoever waits for it is told.
        if let Event::Link(device) = event
            && own.busy().as_deref() != Some(own.name())
        {
            let _ = news.send(console::visible(&link_news(&device.link)).into_owned() + "\n");
        }
    }))
}

/// Where lines are remembered from one session to the next.
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local/state")))
        .or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("manyworlds").join("history"))
}

/// The words that can be completed.
struct Words {
    names: Vec<String>,
}

impl Words {
    fn of(shell: &mut Shell) -> Words {
        let names = shell.names();
        // A function may be called by the end of its name.
        let short = |name: &String| name.rsplit('/').next().unwrap_or(name).to_owned();
        let mut all: Vec<String> = names.functions.iter().map(short).collect();
        all.extend([names.functions, names.inputs, names.outputs].concat());
        all.extend(names.variables);
        all.extend(names.bookmarks);
        all.extend(["start", "end", "here", "all", "once", "if"].map(str::to_owned));
        // What cannot be shown as it is cannot be typed either.
        all.retain(|name| console::visible(name) == *name);
        all.sort();
        all.dedup();
        Words { names: all }
    }
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..position];
        let start = before.rfind([' ', '(', ',']).map_or(0, |index| index + 1);
        let word = &before[start..];
        let is_command =
            before[..start].trim().is_empty() || before.trim_start().starts_with("help ");
        let candidates: Vec<&str> = match before.split_whitespace().next() {
            _ if is_command => commands::all().map(|command| command.name).collect(),
            Some("info" | "i") => INFO.to_vec(),
            Some("suggest") => {
                EXPLORATION.iter().map(|(word, _)| *word).chain(["more", "add", "remove"]).collect()
            }
            _ => self.names.iter().map(String::as_str).collect(),
        };
        let pair = |name: &&str| Pair { display: (*name).into(), replacement: (*name).into() };
        let fitting = candidates.iter().filter(|name| name.starts_with(word));
        Ok((start, fitting.map(pair).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
