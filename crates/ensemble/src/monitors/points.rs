//! Where in the code of programs events happen.
//!
//! Found once for all properties of a session, and shared by all that run them. What of it is looked
//! at is another question, which changes with the states of monitors: see [`armed`](super::armed).

use std::collections::BTreeSet;
use std::sync::Arc;

use mw_monitor::{Automaton, Point, Variable};
use mw_vm::{Module, Op};

use super::access::Target;

/// What one of several properties is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Told {
    /// The property, by its position.
    pub which: usize,
    /// What it watches for, by its position.
    pub watch: usize,
}

/// Why an instruction is of concern, in the order in which events at one instruction happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Concern {
    /// What was passed to the function that begins here is to be kept.
    Keep,
    /// A frame comes or goes that a variable is in.
    Frame(Told),
    /// A line begins here.
    Line(Told),
    /// A function begins here.
    Call(Told),
    /// The function calls another one in its own place: it returns when that does.
    Tail(Told),
    /// The function returns here.
    Return(Told),
    /// What was passed to the function that ends here need not be kept any more.
    Leave,
}

impl Concern {
    /// Whether that comes before what the instruction reads and writes.
    pub fn is_before_accesses(self) -> bool {
        matches!(self, Concern::Keep | Concern::Frame(_) | Concern::Line(_))
    }

    /// The event that it is of concern for; none, if it always is.
    pub fn only_for(self) -> Option<Told> {
        match self {
            Concern::Frame(told)
            | Concern::Line(told)
            | Concern::Call(told)
            | Concern::Return(told) => Some(told),
            // It may come to matter until the other one returns.
            Concern::Keep | Concern::Leave | Concern::Tail(_) => None,
        }
    }
}

/// The points of all properties in the code of one program.
#[derive(Debug)]
pub(crate) struct ProgramPoints {
    pub module: Arc<Module>,
    /// By instruction.
    code: Vec<(u32, Concern)>,
    /// All instructions by which functions return.
    pub returns: Vec<u32>,
    /// Variables that are always in the same place.
    pub targets: Vec<Target>,
    /// Variables that are somewhere else in every frame of a function: of which, and from which
    /// instruction on.
    pub in_frames: Vec<(u32, u32, Told)>,
    /// Calls of primitives: the import, and whether the event comes before.
    primitives: Vec<(u32, bool, Told)>,
}

impl ProgramPoints {
    /// Those of a program, by its number.
    pub fn new(program: u16, module: &Arc<Module>, automata: &[Arc<Automaton>]) -> ProgramPoints {
        let (mut code, mut primitives) = (BTreeSet::new(), Vec::new());
        let (mut targets, mut in_frames) = (Vec::new(), Vec::new());
        for (which, automaton) in automata.iter().enumerate() {
            for (watch, found) in automaton.watches().iter().enumerate() {
                let told = Told { which, watch };
                match &found.point {
                    Point::Call { program: of, func } if *of == program => {
                        code.extend(entry(module, *func).map(|pc| (pc, Concern::Call(told))));
                    }
                    Point::Return { program: of, func } if *of == program => {
                        if writes_any(module, *func, &found.arguments().collect::<Vec<_>>()) {
                            code.extend(entry(module, *func).map(|pc| (pc, Concern::Keep)));
                            code.extend(ends(module, *func).map(|(pc, _)| (pc, Concern::Leave)));
                        }
                        code.extend(ends(module, *func).map(|(pc, is_tail)| match is_tail {
                            true => (pc, Concern::Tail(told)),
                            false => (pc, Concern::Return(told)),
                        }));
                    }
                    Point::Line { program: of, pcs } if *of == program => {
                        code.extend(pcs.iter().map(|pc| (*pc, Concern::Line(told))));
                    }
                    Point::Primitive { program: of, import, before } if *of == program => {
                        primitives.push((*import, *before, told));
                    }
                    Point::Access { program: of, variable, .. } if *of == program => {
                        targets.extend(Target::of(told, &found.point, module));
                        if let Variable::InFrame { func, from } = *variable {
                            in_frames.push((func, from, told));
                            code.insert((from, Concern::Frame(told)));
                            let ends = ends(module, func).map(|(pc, _)| (pc, Concern::Frame(told)));
                            code.extend(ends);
                        }
                    }
                    _ => {}
                }
            }
        }
        let funcs = 0..module.funcs().len() as u32;
        let returns = funcs.flat_map(|func| ends(module, func)).filter(|(_, is_tail)| !is_tail);
        ProgramPoints {
            module: module.clone(),
            code: code.into_iter().collect(),
            returns: returns.map(|(pc, _)| pc).collect(),
            targets,
            in_frames,
            primitives,
        }
    }

    /// What an instruction is of concern for, in order.
    pub fn at(&self, pc: u32) -> impl Iterator<Item = Concern> + '_ {
        let first = self.code.partition_point(|(at, _)| *at < pc);
        self.code[first..].iter().take_while(move |(at, _)| *at == pc).map(|(_, concern)| *concern)
    }

    /// All instructions that are of concern.
    pub fn code(&self) -> &[(u32, Concern)] {
        &self.code
    }

    /// The events of a call of a primitive.
    pub fn primitive(&self, import: u32, before: bool) -> impl Iterator<Item = Told> + '_ {
        let of = self.primitives.iter();
        of.filter(move |(i, b, _)| (*i, *b) == (import, before)).map(|(.., told)| *told)
    }
}

/// The instructions of a function.
fn body(module: &Module, func: u32) -> impl Iterator<Item = (u32, Op)> + '_ {
    let code = module.func_code(func);
    let pcs = code.start..code.start + code.len;
    pcs.map(|pc| (pc, module.code()[pc as usize]))
}

/// The first instruction of a function.
fn entry(module: &Module, func: u32) -> Option<u32> {
    body(module, func).next().map(|(pc, _)| pc)
}

/// Where a function ends, and whether another one goes on in its place there.
fn ends(module: &Module, func: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
    body(module, func).filter_map(|(pc, op)| match op {
        Op::Return { .. } => Some((pc, false)),
        Op::ReturnCall { .. } | Op::ReturnCallIndirect { .. } | Op::ReturnCallImport { .. } => {
            Some((pc, true))
        }
        _ => None,
    })
}

/// Whether a function writes any of these parameters, so that they are not what was passed later.
fn writes_any(module: &Module, func: u32, arguments: &[u16]) -> bool {
    body(module, func).any(|(_, op)| match op {
        Op::Copy { dst, .. } => arguments.contains(&dst),
        _ => false,
    })
}
