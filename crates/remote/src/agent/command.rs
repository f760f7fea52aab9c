//! Obeying commands.

use alloc::{collections::BTreeSet, string::ToString, sync::Arc, vec::Vec};

use mw_vm::{Breakpoints, Module, PAGE_SIZE};
use xxhash_rust::xxh3::xxh3_64;

use super::fit::Needs;
use super::log::Entry;
use super::outside::{Answer, Call, Fault, Outside, ProgramMemory};
use super::run::{Answers, Program, Run, message_of};
use super::{Agent, PART};
use crate::choices::Supply;
use crate::message::{Activity, Command, Kind, Reason, Refusal, Reply, Status};
use crate::runs;

/// So many breakpoints at most.
const BREAKPOINTS: usize = 64;

type Result<T = Reply> = core::result::Result<T, Refusal>;

impl<W: Outside> Agent<W> {
    /// Obeys the commands of a packet.
    pub(super) fn obey(&mut self, payload: &[u8], now: u64) {
        let mut rest = payload;
        while !rest.is_empty() {
            let Ok((command, left)) = postcard::take_from_bytes::<Command<'_>>(rest) else {
                // Where a command ends that is not understood, nobody knows.
                return self.outbox.reply(Reply::Refused(Refusal::Unknown));
            };
            rest = left;
            let reply = self.execute(command, now).unwrap_or_else(Reply::Refused);
            self.outbox.reply(reply);
        }
    }

    fn execute(&mut self, command: Command<'_>, now: u64) -> Result {
        let activity = self.activity();
        let not_now = Err(Refusal::NotNow(activity));
        match (command, activity) {
            (Command::Describe, _) => Ok(Reply::Description {
                name: self.config.name.to_string(),
                primitives: (0..)
                    .take_while(|index| self.outside.describe(*index).is_some())
                    .count() as u32,
                memory: self.config.memory as u32,
                speed: 0,
            }),
            (Command::Primitive(index), _) => {
                self.outside.describe(index).map(Reply::Primitive).ok_or(Refusal::NoSuchThing)
            }
            (Command::Status, _) => Ok(Reply::Status(self.status(activity))),
            (Command::Counters, _) => {
                Ok(Reply::Counters { link: *self.link.counters(), stalls: self.stalls })
            }
            (Command::Pause, Activity::Running) => {
                self.stop(Reason::Paused, now);
                Ok(Reply::Done)
            }
            // All else is for a device that does not run.
            (_, Activity::Running) | (Command::Pause, _) => not_now,
            (Command::Part(bytes), _) => self.part(bytes),
            (Command::Unload, _) => {
                (self.program, self.expected, self.restoring) = (None, None, false);
                self.log.clear();
                self.outside.start();
                Ok(Reply::Done)
            }
            (Command::Load { image, module }, _) => self.load(image as usize, module as usize),
            (Command::Start { entry }, Activity::Loading) => self.start(entry),
            (Command::Reset, Activity::Paused | Activity::Restoring) => self.reset(now),
            (Command::Restore, Activity::Paused | Activity::Restoring) => self.restore(now),
            (Command::RestorePage { memory, page }, Activity::Restoring) => {
                self.restore_page(memory, page)
            }
            (Command::Restored, Activity::Restoring) => {
                self.restoring = false;
                Ok(Reply::Done)
            }
            (Command::Compensate { primitive, captured }, Activity::Paused | Activity::Empty) => {
                self.outside.undo(primitive, captured).map_err(Refusal::NotUndone)?;
                Ok(Reply::Done)
            }
            (Command::Undo { to }, Activity::Paused | Activity::Empty) => self.undo(to),
            (Command::Read { primitive, args, value, count }, Activity::Empty) => {
                self.read_for_host(Call { primitive, args: &args }, value, count)
            }
            (Command::Perform { primitive, args, count }, Activity::Empty) => {
                self.perform_for_host(Call { primitive, args: &args }, count)
            }
            (Command::ReadTrace, Activity::Paused | Activity::Empty) => {
                let recording = self.recorder.take().ok_or(Refusal::NoSuchThing)?;
                self.outbox.recording(recording, self.count());
                Ok(Reply::Done)
            }
            (command, Activity::Paused) => self.paused(command, now),
            _ => not_now,
        }
    }

    /// What only a program that stands can do.
    #[inline(never)]
    fn paused(&mut self, command: Command<'_>, now: u64) -> Result {
        let Some(program) = &mut self.program else { return Err(Refusal::NotNow(Activity::Empty)) };
        let count = program.machine.count();
        let is_careful = matches!(command, Command::Play { .. });
        let run = |until, answers| Run { until, answers, is_careful, has_moved: false };
        let mut is_left = false;
        let run = match command {
            Command::Breakpoint { pc, on } => {
                if pc as usize >= program.module.code().len() {
                    return Err(Refusal::NoSuchThing);
                }
                if on && program.pcs.len() == BREAKPOINTS {
                    return Err(Refusal::NoRoom);
                }
                if on {
                    program.pcs.insert(pc)
                } else {
                    program.pcs.remove(&pc)
                };
                program.breakpoints =
                    Breakpoints::new(&program.module, program.pcs.iter().copied());
                return Ok(Reply::Done);
            }
            Command::Inspect { all } => {
                self.inspect(all);
                return Ok(Reply::Done);
            }
            _ if program.ended.is_some() => return Err(Refusal::Ended),
            Command::Step => run(count + 1, Answers::Outside),
            Command::Play { until } => run(until, Answers::Outside),
            Command::Replay { until, perform_from, choices } => {
                let (choices, last) = (Supply::new(choices.to_vec()), count);
                run(until, Answers::Recorded { choices, last, perform_from })
            }
            Command::Mock { slot } => {
                let (import, args) = program.machine.import_call().ok_or(Refusal::NoInput)?;
                let primitive = program.imports[import as usize];
                if self.outside.kind(primitive) != Kind::Input {
                    return Err(Refusal::NoInput);
                }
                let ty = program.module.result_type(import).ok_or(Refusal::NoInput)?;
                let value = mw_vm::Value::from_slot(ty, slot);
                if !self.outside.admits(Call { primitive, args: &args }, value) {
                    return Err(Refusal::OutsideDomain);
                }
                run(count + 1, Answers::Mock(slot))
            }
            Command::Detach => {
                self.recorder.begin(&program.machine);
                self.log.clear();
                is_left = true;
                // There is nobody to stop for.
                program.pcs.clear();
                program.breakpoints = Breakpoints::default();
                run(u64::MAX, Answers::Outside)
            }
            _ => return Err(Refusal::NotNow(Activity::Paused)),
        };
        if !is_left {
            self.recorder.end(count);
        }
        self.detached = is_left;
        self.count_from_here(now);
        self.run = Some(run);
        Ok(Reply::Done)
    }

    fn status(&self, activity: Activity) -> Status {
        let program = self.program.as_ref();
        Status {
            activity,
            program: program.map(|program| program.module.fingerprint()),
            count: self.count(),
            ended: program.and_then(|program| program.ended.clone()),
            has_trace: self.recorder.has_any(),
            limits: program.map(|program| program.limits),
        }
    }

    fn part(&mut self, bytes: &[u8]) -> Result {
        let limit = self.expected.unwrap_or(PAGE_SIZE + 4 * PART);
        if self.parts.len() + bytes.len() > limit {
            self.parts = Vec::new();
            return Err(Refusal::NoRoom);
        }
        self.parts.extend_from_slice(bytes);
        Ok(Reply::Done)
    }

    /// A program is to come: says at once if it cannot fit.
    fn load(&mut self, image: usize, module: usize) -> Result {
        let (needs, has) = (image.saturating_add(module), self.config.memory);
        if needs > has {
            let bounded = |bytes: usize| bytes.try_into().unwrap_or(u32::MAX);
            return Err(Refusal::DoesNotFit { needs: bounded(needs), has: bounded(has) });
        }
        self.program = None;
        self.restoring = false;
        self.recorder.forget();
        self.known_pages.clear();
        self.log.clear();
        self.parts = Vec::with_capacity(image);
        self.expected = Some(image);
        Ok(Reply::Done)
    }

    /// The module whose image has arrived. The stack of a microcontroller is small: what this takes
    /// of it is given back before more is done, here and in the others that are not inlined.
    #[inline(never)]
    fn unpack(&mut self) -> Result<Arc<Module>> {
        self.expected = None;
        let image = core::mem::take(&mut self.parts);
        let module = Module::from_image_compact(&image);
        module.map(Arc::new).map_err(|error| Refusal::Image(error.to_string()))
    }

    #[inline(never)]
    fn start(&mut self, entry: Option<(u32, Vec<u64>)>) -> Result {
        let module = self.unpack()?;
        let needs = Needs::of(&module, &self.config);
        let Some(limits) = needs.limits else {
            let (needs, has) = (needs.bytes as u32, self.config.memory as u32);
            return Err(Refusal::DoesNotFit { needs, has });
        };
        let mut imports = Vec::new();
        for (name, ty) in module.imports() {
            let found = self.outside.find(&name.module, &name.field, ty);
            imports.push(found.ok_or_else(|| Refusal::NoPrimitive {
                module: name.module.clone(),
                name: name.field.clone(),
                ty: ty.clone(),
            })?);
        }
        let machine = Program::begin(&module, limits, &entry)?;
        self.outside.start();
        self.program = Some(Program {
            machine,
            limits,
            entry,
            imports,
            pcs: BTreeSet::new(),
            breakpoints: Breakpoints::default(),
            ended: None,
            module,
        });
        Ok(Reply::Loaded(limits))
    }

    #[inline(never)]
    fn reset(&mut self, now: u64) -> Result {
        let Some(program) = &mut self.program else { return Err(Refusal::NotNow(Activity::Empty)) };
        // Two machines might not fit: what the one there is has written is freed before.
        program.machine.clear_memories();
        program.machine = Program::begin(&program.module, program.limits, &program.entry)?;
        program.ended = None;
        self.restoring = false;
        self.count_from_here(now);
        Ok(Reply::Done)
    }

    #[inline(never)]
    fn restore(&mut self, now: u64) -> Result {
        let parts = core::mem::take(&mut self.parts);
        let Some(program) = &mut self.program else { return Err(Refusal::NotNow(Activity::Empty)) };
        let restored = program.machine.restore_without_pages(&parts);
        restored.map_err(|error| Refusal::State(error.to_string()))?;
        program.ended = None;
        self.restoring = true;
        self.count_from_here(now);
        Ok(Reply::Done)
    }

    #[inline(never)]
    fn restore_page(&mut self, memory: u32, page: u32) -> Result {
        let parts = core::mem::take(&mut self.parts);
        let mut content = [0; PAGE_SIZE];
        let Some(program) = &mut self.program else { return Err(Refusal::NotNow(Activity::Empty)) };
        if !runs::expand(&parts, &mut content)
            || !program.machine.restore_page(memory, page, &content)
        {
            return Err(Refusal::State("a page that does not fit".to_string()));
        }
        Ok(Reply::Done)
    }

    /// Sends the state: the pages that the host does not have yet.
    fn inspect(&mut self, all: bool) {
        let Some(program) = &self.program else { return };
        if all {
            self.known_pages.clear();
        }
        let mut changed = Vec::new();
        for (memory, content) in program.machine.memories().iter().enumerate() {
            for (page, content) in content.written_pages() {
                let place = (memory as u32, page as u32);
                let hash = xxh3_64(content);
                if self.known_pages.insert(place, hash) != Some(hash) {
                    changed.push(place);
                }
            }
        }
        self.outbox.state(&program.machine, changed);
    }

    fn undo(&mut self, to: u64) -> Result {
        while let Some(entry) = self.log.pop(to) {
            self.outside.undo(entry.primitive, &entry.captured).map_err(Refusal::NotUndone)?;
        }
        Ok(Reply::Undone { to: self.log.undone_to(to) })
    }

    fn read_for_host(&mut self, call: Call<'_>, value: Option<mw_vm::Value>, count: u64) -> Result {
        if self.outside.kind(call.primitive) != Kind::Input {
            return Err(Refusal::NoInput);
        }
        let answer = self.outside.answer(call, value);
        self.answer_host(call, answer, count)
    }

    fn perform_for_host(&mut self, call: Call<'_>, count: u64) -> Result {
        let parts = core::mem::take(&mut self.parts);
        if !matches!(self.outside.kind(call.primitive), Kind::Output { .. }) {
            return Err(Refusal::NoSuchThing);
        }
        let answer = self.outside.perform(call, &Ranges(&parts));
        self.answer_host(call, answer, count)
    }

    fn answer_host(
        &mut self,
        call: Call<'_>,
        answer: core::result::Result<Answer, Fault>,
        count: u64,
    ) -> Result {
        match answer {
            Ok(Answer { result, captured }) => {
                if !captured.is_empty() {
                    self.log.push(Entry { count, primitive: call.primitive, captured });
                    self.spill();
                }
                Ok(Reply::Returned(result))
            }
            Err(Fault::Memory { address, length }) => Ok(Reply::NeedsMemory { address, length }),
            Err(Fault::Asks) => Ok(Reply::Returned(None)),
            Err(Fault::Impossible) => Err(Refusal::OutsideDomain),
            Err(fault) => Ok(Reply::Aborted(message_of(fault))),
        }
    }
}

/// Ranges of the memory of a machine at the host: address, length, bytes, of each.
struct Ranges<'a>(&'a [u8]);

impl ProgramMemory for Ranges<'_> {
    fn read(&self, address: u32, buffer: &mut [u8]) -> core::result::Result<(), Fault> {
        let length = buffer.len() as u32;
        let mut rest = self.0;
        while let Some((head, bytes)) = rest.split_at_checked(8) {
            let number = |at: usize| {
                u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]])
            };
            let Some((range, after)) = bytes.split_at_checked(number(4) as usize) else { break };
            let from = address.checked_sub(number(0)).map(|from| from as usize);
            if let Some(found) = from.and_then(|from| range.get(from..from + buffer.len())) {
                buffer.copy_from_slice(found);
                return Ok(());
            }
            rest = after;
        }
        Err(Fault::Memory { address, length })
    }
}
