//! A universe as a small text, to be kept, sent and replayed.
//!
//! ```text
//! manyworlds trace 2
//! program 5ab8fd3b5f33a39c28574ebdc0ba5064 light-sensor.wasm
//! world a62d91afad1795bf9aa808b18bb027bb
//! 412 chip_analog_read(12) = 77
//! 450 socket_receive(0, 1024, 64) = 5 "hello"
//! 500 interrupt of pin 3, element 2
//! 600 altered global 3 = 5
//! 700 turn deliver 1 from 2: math: double from client1
//! 1234 here
//! ```
//!
//! The program's name is there for people, its fingerprint says whether it is the one.
//!
//! A line is a choice: how many instructions had been executed, what was decided, and how. The
//! last line says where the trace ends. Numbers are slots: signed for inputs, as they are read.
//! Version 1 had no bytes that come with a value.

use std::fmt::Write as _;

use mw_ensemble::{Answered, Moment, Schedule};
use mw_multiverse::{Payload, Place, Site};
use mw_vm::{Cell, Stop, ValType, Value};
use mw_world::{Answer, Call, Port, answer};

use crate::control::Control;
use crate::drive::site_of;
use crate::error::SessionError;
use crate::session::Session;
use crate::walk::Read;

const HEADER: &str = "manyworlds trace 2";
/// Every text of version 1 is one of version 2.
const OLDER: &str = "manyworlds trace 1";

/// A universe, apart from the session that it was found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The program's fingerprint.
    pub program: u128,
    /// The name that the program had, if it had one.
    pub name: Option<String>,
    /// The world's fingerprint.
    pub world: u128,
    /// The choices: count, site, and how it was decided.
    pub choices: Vec<(u64, Site, Payload)>,
    /// The count at which it ends.
    pub end: u64,
}

/// A text that is not a trace of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The text is something else.
    #[error("not a trace: it does not start with the line `{HEADER}`")]
    NotATrace,
    /// A line cannot be read.
    #[error("line {line}: cannot read `{text}`; {help}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is there.
        text: String,
        /// What should be there.
        help: String,
    },
    /// It was recorded with another program.
    #[error(
        "the trace was made with another program, {}fingerprint {program:032x}; the fingerprint of \
         this one is {here:032x}; use the module that it was made with",
        .name.as_ref().map(|name| format!("{}, ", name.escape_debug())).unwrap_or_default()
    )]
    OtherProgram {
        /// The name that the other one had, if it had one.
        name: Option<String>,
        /// The fingerprint of the other one.
        program: u128,
        /// The fingerprint of this one.
        here: u128,
    },
    /// It was recorded in another world.
    #[error("the trace was recorded in another world; use the world file that it was made with")]
    OtherWorld,
    /// The session has no past that a trace could tell.
    #[error(
        "a trace begins at the start of the program, and this session in the middle of a run; \
         keep the session in a file instead (--session FILE)"
    )]
    NoWholePast,
}

impl Session {
    /// Whether universes of this session can be told as traces.
    pub fn check_traceable(&self) -> Result<(), TraceError> {
        match self.has_whole_past() {
            true => Ok(()),
            false => Err(TraceError::NoWholePast),
        }
    }

    /// The universe up to here.
    pub fn trace(&self) -> Trace {
        self.trace_to(self.here())
    }

    /// The universe up to a place.
    pub fn trace_to(&self, place: Place) -> Trace {
        let mut choices: Vec<_> = self
            .multiverse()
            .ancestors(place.node)
            .filter_map(|node| self.multiverse().choice(node))
            .map(|choice| (choice.count, choice.site.clone(), choice.payload()))
            .collect();
        choices.reverse();
        let (program, world) = self.fingerprints();
        Trace { program, name: None, world, choices, end: place.count }
    }

    /// Adds a universe to the multiverse and goes to its end. The program begins anew, which may
    /// cross outputs that cannot be undone. What it cannot do is refused, and the session stays
    /// where it is.
    pub fn replay_trace(
        &mut self,
        trace: &Trace,
        control: &mut dyn Control,
    ) -> Result<Place, SessionError> {
        self.plan(self.start(), control)?.check(self.options().dry)?;
        self.restart_and(|session| {
            for (count, site, payload) in &trace.choices {
                session.advance(*count, &session.show_choice(site, payload), control)?;
                session.make_choice(site, payload)?;
            }
            session.advance(trace.end, "the end of the trace", control)?;
            let place = session.here();
            if session.fails_here() {
                let beyond = Place { count: place.count + 1, ..place };
                // It ends here, instead of getting there.
                let _ = session.go_on_to(beyond, true, control);
            }
            session.known.prefer_what_lies_ahead(session.here());
            Ok(place)
        })
    }

    /// Whether the next instruction cannot be executed. A trace does not say so, but whoever keeps
    /// the trace of a failure wants to see it.
    fn fails_here(&mut self) -> bool {
        let mut ahead = self.walk.now.fork();
        match ahead.machine.step() {
            Stop::Trap(_) => true,
            Stop::Import(import) => {
                let args = ahead.machine.import_call().map(|(_, args)| args).unwrap_or_default();
                let answered = ahead.perform(Call { import, args: &args });
                matches!(answered, Ok(Answered::Aborted(_)))
            }
            _ => false,
        }
    }

    /// Goes on to a count without a choice, of which is said what was recorded there.
    fn advance(
        &mut self,
        count: u64,
        recorded: &str,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        let here = self.here();
        let place = Place { count, ..here };
        let arrived = match count >= here.count {
            true => self.go_on_to(place, false, control),
            false => Err(SessionError::NoSuchPlace(place)),
        };
        arrived.map_err(|error| match error {
            SessionError::NoSuchPlace(_) | SessionError::Diverged { .. } => {
                let here = self.walk.now.machine.count();
                let actual = match self.walk.now.machine.import_call() {
                    Some((import, args)) => {
                        let call = self.walk.now.world.show(Call { import, args: &args });
                        format!("calls {call} after {here}")
                    }
                    None if self.multiverse().ended(self.walk.node).is_some() => {
                        format!("has ended after {here}")
                    }
                    None => format!("has executed {here} already"),
                };
                SessionError::Diverged { count, recorded: recorded.into(), actual }
            }
            other => other,
        })
    }

    /// Reads the input that the next instruction reads, and lets it answer this.
    pub fn answer(&mut self, answer: impl Into<Answer>) -> Result<(), SessionError> {
        let Some((import, args)) = self.walk.now.machine.import_call() else {
            return Err(SessionError::Unknown("no input is read here".into()));
        };
        let site = site_of(&self.walk.now.world, Call { import, args: &args })?;
        self.make_choice(&site, &Payload::from(&answer.into()))
    }

    /// Makes a choice here, if the program is about to.
    fn make_choice(&mut self, site: &Site, payload: &Payload) -> Result<(), SessionError> {
        let Site::Input { port, .. } = site else {
            return self.choose_between(site, payload.slot);
        };
        let (_, ty) = input_types(&self.walk.now, *port, &[]);
        let count = self.walk.now.machine.count();
        let call = self.walk.now.machine.import_call();
        let fits = |(import, args): &(u32, Vec<Value>)| {
            let call = Call { import: *import, args };
            site_of(&self.walk.now.world, call).is_ok_and(|actual| actual == *site)
        };
        let Some((import, args)) = call.filter(fits) else {
            let actual = match self.walk.now.machine.import_call() {
                Some((import, args)) => {
                    format!("calls {}", self.walk.now.world.show(Call { import, args: &args }))
                }
                None => "calls nothing".into(),
            };
            let recorded = self.show_choice(site, payload);
            return Err(SessionError::Diverged { count, recorded, actual });
        };
        // The machine has not been told yet to make the call.
        self.walk.now.machine.step();
        let answer =
            Answer { value: Value::from_slot(ty, payload.slot), bytes: payload.bytes.clone() };
        let call = Call { import, args: &args };
        let undo = self.walk.now.read(call, answer.clone())?.undo;
        self.record(Read { count, call, answer, undo })
    }

    /// The trace as text.
    pub fn write_trace(&self, trace: &Trace) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{HEADER}");
        let name = trace.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let _ = writeln!(text, "program {:032x}{name}", trace.program);
        let _ = writeln!(text, "world {:032x}", trace.world);
        for (count, site, payload) in &trace.choices {
            let _ = writeln!(text, "{count} {}", self.show_choice(site, payload));
        }
        let _ = writeln!(text, "{} here", trace.end);
        text
    }

    /// A choice for people, as it stands in a trace.
    pub fn show_choice(&self, site: &Site, payload: &Payload) -> String {
        show_choice(&self.walk.now, site, payload)
    }

    /// Reads a trace of this session's program and world.
    pub fn read_trace(&self, text: &str) -> Result<Trace, TraceError> {
        self.check_traceable()?;
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        if lines.next().is_none_or(|(_, line)| ![HEADER, OLDER].contains(&line)) {
            return Err(TraceError::NotATrace);
        }
        let mut trace = Trace { program: 0, name: None, world: 0, choices: Vec::new(), end: 0 };
        let mut is_ended = false;
        for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
            let help = "a line is a count and a choice, such as `412 chip_analog_read(12) = 77`";
            let error = || TraceError::Line { line, text: text.into(), help: help.into() };
            let (first, rest) = text.split_once(' ').ok_or_else(error)?;
            let hex = |rest: &str| u128::from_str_radix(rest, 16).map_err(|_| error());
            match first {
                "program" => {
                    let (fingerprint, name) = rest.split_once(' ').unwrap_or((rest, ""));
                    trace.program = hex(fingerprint)?;
                    trace.name = (!name.is_empty()).then(|| name.to_owned());
                    // Of another program or world, the rest makes no sense.
                    self.check_program(&trace)?;
                }
                "world" => {
                    trace.world = hex(rest)?;
                    self.check_world(&trace)?;
                }
                _ => {
                    let count = first.parse().map_err(|_| error())?;
                    let last = trace.choices.last().map_or(0, |choice| choice.0);
                    if count < last || is_ended {
                        let help = "choices must come in order, and `here` last".into();
                        return Err(TraceError::Line { line, text: text.into(), help });
                    }
                    if rest == "here" {
                        (trace.end, is_ended) = (count, true);
                    } else {
                        let (site, payload) = self.read_choice(rest).ok_or_else(error)?;
                        trace.choices.push((count, site, payload));
                    }
                }
            }
        }
        self.check_program(&trace)?;
        self.check_world(&trace)?;
        if !is_ended {
            // Cut off: it ends after its last choice.
            trace.end = trace.choices.last().map_or(0, |(count, site, _)| {
                count + u64::from(matches!(site, Site::Input { .. }))
            });
        }
        Ok(trace)
    }

    /// Checks that a trace was made with this program.
    fn check_program(&self, trace: &Trace) -> Result<(), TraceError> {
        let (here, program) = (self.fingerprints().0, trace.program);
        match program == here {
            true => Ok(()),
            false => Err(TraceError::OtherProgram { name: trace.name.clone(), program, here }),
        }
    }

    /// Checks that a trace was made in this world.
    fn check_world(&self, trace: &Trace) -> Result<(), TraceError> {
        match trace.world == self.fingerprints().1 {
            true => Ok(()),
            false => Err(TraceError::OtherWorld),
        }
    }

    fn read_choice(&self, text: &str) -> Option<(Site, Payload)> {
        if let Ok(event) = text.parse() {
            return Some((Site::Event(event), Payload::default()));
        }
        if let Some((next, label)) = text.strip_prefix("turn ").and_then(|t| t.split_once(": ")) {
            let schedule = Schedule { next: next.parse().ok()?, label: label.to_owned() };
            return Some((Site::Schedule(schedule), Payload::default()));
        }
        let (what, value) = text.split_once(" = ")?;
        if let Some(rest) = what.strip_prefix("altered ") {
            let cell = match rest.split(' ').collect::<Vec<_>>().as_slice() {
                ["global", global] => Cell::Global(global.parse().ok()?),
                ["local", local, "of", "frame", depth] => {
                    Cell::Local { depth: depth.parse().ok()?, local: local.parse().ok()? }
                }
                [size, "bytes", "at", address] => {
                    Cell::bytes(address.parse().ok()?, size.parse::<u8>().ok()?.into())
                }
                _ => return None,
            };
            return Some((Site::Alteration(cell), value.parse::<u64>().ok()?.into()));
        }
        let (device, what) = match what.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            Some((device, what)) => (device.parse().ok()?, what),
            None => (0, what),
        };
        let (name, args) = what.strip_suffix(')')?.split_once('(')?;
        // The name as it is written, before one that could be meant.
        let (world, import) = self.walk.now.worlds_on(device).find_map(|world| {
            let written = world.imports().position(|(primitive, _)| primitive.full_name() == name);
            let import = written.map(|index| index as u32).or_else(|| world.find(name))?;
            Some((world, import))
        })?;
        let (_, ty) = world.imports().nth(import as usize)?;
        let args: Vec<&str> = args.split(',').map(str::trim).filter(|a| !a.is_empty()).collect();
        if args.len() != ty.params.len() {
            return None;
        }
        let args = args.iter().zip(&ty.params).map(|(arg, ty)| parse_value(arg, *ty));
        let args = args.map(|value| value.map(Value::to_slot)).collect::<Option<_>>()?;
        let (number, bytes) = answer::parts(value)?;
        let slot = parse_value(number?, *ty.results.first()?)?.to_slot();
        let port = world.port(import).ok()?;
        Some((Site::Input { port, args }, Payload { slot, bytes }))
    }
}

fn parse_value(text: &str, ty: ValType) -> Option<Value> {
    Some(match ty {
        ValType::I32 => Value::I32(text.parse().ok()?),
        ValType::I64 => Value::I64(text.parse().ok()?),
        ValType::F32 => Value::F32(text.parse::<f32>().ok()?.to_bits()),
        ValType::F64 => Value::F64(text.parse::<f64>().ok()?.to_bits()),
        ValType::FuncRef | ValType::ExternRef => return None,
    })
}

/// A choice for people, as it stands in a trace.
pub(crate) fn show_choice(now: &Moment, site: &Site, payload: &Payload) -> String {
    let slot = payload.slot;
    match site {
        Site::Input { port, args } => {
            let (args, ty) = input_types(now, *port, args);
            let device = port.device();
            let call = now.worlds_on(device).next().map(|world| world.show_port(*port, &args));
            let call = call.unwrap_or_else(|| format!("an input of world {device}"));
            let call = if device == 0 { call } else { format!("@{device} {call}") };
            let answer = Answer { value: Value::from_slot(ty, slot), bytes: payload.bytes.clone() };
            format!("{call} = {answer}")
        }
        Site::Event(event) => event.to_string(),
        Site::Schedule(schedule) => format!("turn {}: {schedule}", schedule.next),
        Site::Alteration(cell) => match cell {
            Cell::Global(global) => format!("altered global {global} = {slot}"),
            Cell::Local { depth, local } => {
                format!("altered local {local} of frame {depth} = {slot}")
            }
            Cell::Memory { address, load } => {
                format!("altered {} bytes at {address} = {slot}", load.size())
            }
        },
    }
}

/// The arguments that these slots are, and the type of what an input returns.
fn input_types(now: &Moment, port: Port, args: &[u64]) -> (Vec<Value>, ValType) {
    let world = now.worlds_on(port.device()).next();
    let Some((_, ty)) = world.and_then(|world| world.description().port(port)) else {
        return (Vec::new(), ValType::I64);
    };
    let args = ty.params.iter().zip(args).map(|(ty, slot)| Value::from_slot(*ty, *slot));
    (args.collect(), ty.results.first().copied().unwrap_or(ValType::I64))
}
