//! A solver of somebody else's, if one is installed: Bitwuzla, cvc5 or z3, spoken to in SMT-LIB 2
//! through a pipe.
//!
//! The process is kept over all queries, with definitions of all expressions met so far; the
//! constraints of a query come and go. Whatever goes wrong (there is no such program, it ends, it
//! says something that is no answer) makes the answer "unknown", and [`Backend::problem`] tells.
//!
//! **Invariants:** values are only passed on once they have been checked. An instance answers for
//! one graph of expressions, which may grow; for another one, [`Smt::reset`] comes first.

mod operations;
mod process;
mod terms;

use std::path::Path;

use crate::expr::{Expr, Exprs, Var};
use crate::solver::backend::{Backend, Verdict};
use crate::solver::question;
use crate::stop::Stop;
use process::{NoReply, Process};
use terms::Terms;

/// What every conversation begins with.
const HEADER: &str = "(set-option :produce-models true)\n(set-logic QF_BVFP)\n";

/// With more definitions than this, the process is started anew.
const MAX_DEFINITIONS: usize = 200_000;

/// A solver that is known, and how it is used best.
#[derive(Debug, PartialEq, Eq)]
struct Kind {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Whether it answers well while constraints come and go. Otherwise it is told everything
    /// anew each time.
    is_incremental: bool,
}

/// In the order of preference.
const KINDS: [Kind; 3] = [
    Kind { name: "bitwuzla", arguments: &["--lang", "smt2"], is_incremental: true },
    Kind {
        name: "cvc5",
        arguments: &["--lang=smt2", "--incremental", "--quiet"],
        is_incremental: true,
    },
    // With `push`, its floats are bits from the start, and hundreds of times as slow.
    Kind { name: "z3", arguments: &["-smt2", "-in"], is_incremental: false },
];

/// Of any other solver, only what the standard says is expected.
const OTHER: Kind = Kind { name: "smt", arguments: &[], is_incremental: true };

/// An external SMT solver.
#[derive(Debug)]
pub struct Smt {
    program: String,
    kind: &'static Kind,
    process: Option<Process>,
    terms: Terms,
    problem: Option<String>,
}

impl Smt {
    /// The solver with this name or path, which need not be installed.
    pub fn new(program: &str) -> Smt {
        let name = Path::new(program).file_stem().unwrap_or_default().to_string_lossy();
        let kind = KINDS.iter().find(|kind| name.to_lowercase().contains(kind.name));
        Smt {
            program: program.to_owned(),
            kind: kind.unwrap_or(&OTHER),
            process: None,
            terms: Terms::default(),
            problem: None,
        }
    }

    /// The best solver that is installed.
    pub fn find() -> Option<Smt> {
        KINDS.iter().map(|kind| Smt::new(kind.name)).find(Smt::is_installed)
    }

    /// Whether the program can be run.
    pub fn is_installed(&self) -> bool {
        self.check().is_ok()
    }

    /// Whether the program can be run, and what it does instead if it cannot.
    pub fn check(&self) -> Result<(), String> {
        process::version(&self.program)
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.process = None;
        self.terms = Terms::default();
        self.problem = None;
    }

    /// The process, which is started if there is none.
    fn process(&mut self) -> Result<&mut Process, String> {
        let started = match self.process.take() {
            Some(running) => running,
            None => {
                self.terms = Terms::default();
                let started = Process::start(&self.program, self.kind.arguments);
                let mut process = started.map_err(|error| {
                    format!("{} could not be started ({error}): is it installed?", self.program)
                })?;
                process.write(HEADER.to_owned());
                process
            }
        };
        Ok(self.process.insert(started))
    }

    fn ask(
        &mut self,
        exprs: &Exprs,
        constraints: &[Expr],
        vars: &[Var],
        stop: &Stop,
    ) -> Result<Verdict, String> {
        let is_incremental = self.kind.is_incremental;
        if self.terms.len() > MAX_DEFINITIONS {
            self.process = None;
        }
        self.process()?;
        let mut text = String::new();
        if !is_incremental {
            self.terms = Terms::default();
            text = format!("(reset)\n{HEADER}");
        }
        if !self.terms.define(exprs, constraints, &mut text, stop) {
            self.process = None;
            return Ok(Verdict::Unknown);
        }
        if is_incremental {
            text.push_str("(push 1)\n");
        }
        self.terms.assert(exprs, constraints, &mut text);
        text.push_str("(check-sat)\n");
        let program = self.program.clone();
        let names: Option<Vec<String>> = vars.iter().map(|&var| self.terms.input(var)).collect();
        let names = names.unwrap_or_default();
        let process = self.process()?;
        process.write(text);
        let read = |process: &mut Process| match process.reply(stop) {
            Ok(reply) => Ok(Some(reply)),
            Err(NoReply::Over) => Ok(None),
            Err(NoReply::TooLong) => Err(format!("{program} says more than any answer is long")),
            Err(NoReply::Ended(why)) => {
                Err(format!("{program} has ended without an answer ({why})"))
            }
        };
        let Some(answer) = read(process)? else { return Ok(Verdict::Unknown) };
        let verdict = match answer.as_str() {
            "sat" if names.is_empty() => Verdict::Satisfiable(Vec::new()),
            "sat" => {
                process.write(format!("(get-value ({}))\n", names.join(" ")));
                let Some(reply) = read(process)? else { return Ok(Verdict::Unknown) };
                let slots = terms::values(&reply, &names);
                let slots = slots
                    .ok_or_else(|| format!("{program} says {} instead of values", shown(&reply)))?;
                Verdict::Satisfiable(vars.iter().copied().zip(slots).collect())
            }
            "unsat" => Verdict::Unsatisfiable,
            "unknown" => Verdict::Unknown,
            other => return Err(format!("{program} says {} instead of an answer", shown(other))),
        };
        if is_incremental {
            process.write("(pop 1)\n".to_owned());
        }
        Ok(verdict)
    }
}

impl Backend for Smt {
    fn name(&self) -> &str {
        self.kind.name
    }

    fn fresh(&self) -> Option<Box<dyn Backend>> {
        Some(Box::new(Smt::new(&self.program)))
    }

    fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    fn solve(&mut self, exprs: &Exprs, constraints: &[Expr], stop: &Stop) -> Verdict {
        self.problem = None;
        let Some(vars) = question::inputs(exprs, constraints) else {
            return Verdict::Unsatisfiable;
        };
        let mut answer = self.ask(exprs, constraints, &vars, stop);
        if let Ok(Verdict::Satisfiable(model)) = &answer
            && !question::is_answered_by(exprs, constraints, model)
        {
            answer = Err(format!("{} found values that are no solution", self.program));
        }
        // Whoever is in the middle of something, or talks nonsense, is not asked again.
        if answer.is_err() || stop.is_over() {
            self.process = None;
        }
        answer.unwrap_or_else(|problem| {
            self.problem = Some(problem);
            Verdict::Unknown
        })
    }
}

/// What was said, as far as it fits into a message.
fn shown(said: &str) -> String {
    const SHOWN: usize = 200;
    match said.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &said[..end]),
        None => said.to_owned(),
    }
}
