//! What a task asks of those that it is not alone with: the imports of the module `actor`.

use std::sync::Arc;

use mw_vm::{Machine, Value};
use mw_world::{Reply, TaskCall, read_bytes};
use xxhash_rust::xxh3::xxh3_64;

use crate::ensemble::Ensemble;
use crate::handler;
use crate::task::{
    Beginning, Future, FutureId, Interest, Message, Parked, Settlement, Standing, Task, TaskId,
};

/// Addresses from here on are of tasks that were made by tasks which were not there at the start.
const DEEPER: u32 = 1 << 29;

/// An answer that nobody waits for.
const NOBODY: FutureId = FutureId { owner: TaskId(u32::MAX), slot: 0, life: 0 };

/// What came of a call.
pub(crate) struct Called {
    /// What the program gets.
    pub reply: Reply,
    /// For people.
    pub effect: String,
}

impl Called {
    fn returning(value: u32, effect: impl Into<String>) -> Called {
        let reply = Reply { results: vec![Value::I32(value as i32)], writes: vec![] };
        Called { reply, effect: effect.into() }
    }

    fn nothing(effect: impl Into<String>) -> Called {
        Called { reply: Reply::default(), effect: effect.into() }
    }
}

/// The arguments of a call, and the memory that they point into.
struct Asking<'a> {
    args: &'a [Value],
    machine: &'a Machine,
    /// The most bytes that a message may have.
    most: usize,
}

impl Asking<'_> {
    fn number(&self, index: usize) -> u32 {
        match self.args.get(index) {
            Some(Value::I32(number)) => *number as u32,
            _ => 0,
        }
    }

    /// The bytes that two arguments name.
    fn bytes(&self, index: usize) -> Result<Arc<[u8]>, String> {
        let (address, length) = (self.number(index), self.number(index + 1));
        if length as usize > self.most {
            let most = self.most;
            return Err(format!("{length} bytes are too many: a message has at most {most}"));
        }
        let bytes = read_bytes(self.machine, address, length).map_err(|error| error.to_string())?;
        Ok(bytes.into())
    }

    /// The name that two arguments name.
    fn name(&self, index: usize) -> Result<Arc<str>, String> {
        let bytes = self.bytes(index)?;
        let name = str::from_utf8(&bytes).map_err(|_| "a name has to be UTF-8".to_owned())?;
        Ok(name.into())
    }
}

impl Ensemble {
    /// Answers a call of the task that runs. An error is a mistake of the program, which ends it.
    pub(crate) fn call(
        &mut self,
        call: TaskCall,
        args: &[Value],
        machine: &Machine,
    ) -> Result<Called, String> {
        let asking = Asking { args, machine, most: self.system.most.message };
        match call {
            TaskCall::Myself => Ok(Called::returning(self.current.0, "")),
            TaskCall::Sender => {
                let message = self.runner().message.as_ref();
                Ok(Called::returning(message.map_or(u32::MAX, |message| message.from.0), ""))
            }
            TaskCall::Find => {
                let name = asking.name(0)?;
                let member = self.system.members.iter().position(|member| member.name == name);
                Ok(Called::returning(member.map_or(u32::MAX, |at| at as u32), ""))
            }
            TaskCall::Spawn => self.spawn(asking.name(0)?, asking.bytes(2)?),
            TaskCall::Tell => {
                let (to, name) = (TaskId(asking.number(0)), asking.name(1)?);
                let effect = self.send(to, name, asking.bytes(3)?, None)?;
                Ok(Called::nothing(effect))
            }
            TaskCall::Send => {
                let (to, name, bytes) =
                    (TaskId(asking.number(0)), asking.name(1)?, asking.bytes(3)?);
                let slot = self.runner_mut().new_future(&name);
                let future = FutureId { owner: self.current, slot, life: self.runner().life };
                let effect = self.send(to, name, bytes, Some(future))?;
                Ok(Called::returning(slot, effect))
            }
            TaskCall::When | TaskCall::Rescue => {
                let interest = Interest { name: asking.name(1)?, data: asking.bytes(3)? };
                self.register(asking.number(0), interest, call == TaskCall::When)
            }
            TaskCall::Payload => {
                let message = self.runner().message.as_ref();
                let bytes = message.map(|message| message.bytes.clone()).unwrap_or_default();
                let room = (asking.number(1) as usize).min(bytes.len());
                let writes = match room {
                    0 => vec![],
                    _ => vec![(asking.number(0), bytes[..room].to_vec())],
                };
                let results = vec![Value::I32(bytes.len() as i32)];
                Ok(Called { reply: Reply { results, writes }, effect: String::new() })
            }
            TaskCall::Defer => {
                let task = self.runner_mut();
                let answer = task.message.as_ref().and_then(|message| message.answers);
                let answer = answer.filter(|_| !task.defers);
                task.defers = true;
                // An answer that nobody waits for can be given as well.
                let number = task.keep_open(answer.unwrap_or(NOBODY));
                Ok(Called::returning(number, "the answer stays open"))
            }
            TaskCall::Resolve | TaskCall::Ruin => {
                let (number, bytes) = (asking.number(0), asking.bytes(1)?);
                let task = self.runner_mut();
                let answer = task.answers.get_mut(number as usize).and_then(Option::take);
                let answer = answer.ok_or_else(|| format!("no answer {number} is kept open"))?;
                while task.answers.last() == Some(&None) {
                    task.answers.pop();
                }
                let is_resolved = call == TaskCall::Resolve;
                self.settle(answer, Settlement { is_resolved, bytes });
                let how = if is_resolved { "answers" } else { "refuses" };
                Ok(Called::nothing(format!("{how} {}", self.name(answer.owner))))
            }
            TaskCall::Stop => {
                self.runner_mut().stops = true;
                Ok(Called::nothing("takes no further turns"))
            }
        }
    }

    /// Makes a task of a kind.
    fn spawn(&mut self, kind: Arc<str>, data: Arc<[u8]>) -> Result<Called, String> {
        let most = self.system.most.tasks;
        if self.tasks.len() >= most {
            return Err(format!("there are {most} tasks already, and no more may be made"));
        }
        let maker = self.runner();
        let (program, device) = match self.system.kinds.get(&*kind) {
            Some(&program) => (program, maker.device),
            None => (maker.program, maker.device),
        };
        let made_of = &self.system.programs[usize::from(program)];
        if !handler::has_kind(&made_of.module, &kind) {
            return Err(format!(
                "{} exports no handler of a {kind}, such as {kind}.init or {kind}_init",
                made_of.name
            ));
        }
        self.system.world(program, device)?;
        let machine = made_of.machine(self.system.limits).map_err(|error| error.to_string())?;
        let init = handler::find(&made_of.module, &kind, "init");
        if init.is_none() && !data.is_empty() {
            return Err(format!("{kind} has no handler init for what it is to begin with"));
        }
        let (id, name) = self.baptise(&kind)?;
        let mut task = Task::new(name.clone(), kind, program, device);
        let mut machine = machine;
        task.parked = Some(Arc::new(Parked::new(machine.freeze())));
        if init.is_some() {
            let message = Arc::new(self.message("init".into(), data, None, None));
            self.footprint.sent.push((id, message.number));
            task.inbox.entry(self.current).or_default().push_back(message.clone());
            (task.standing, task.beginning) = (Standing::Fresh, Beginning::Init(message));
        }
        self.tasks.insert(id, Arc::new(task));
        self.footprint.spawned.push(id);
        Ok(Called::returning(id.0, format!("there is {name}")))
    }

    /// The address and the name of the next task that the one that runs makes.
    fn baptise(&mut self, kind: &Arc<str>) -> Result<(TaskId, Arc<str>), String> {
        let (members, maker) = (self.system.members.len() as u32, self.current);
        let task = self.runner_mut();
        let number = task.spawned;
        task.spawned += 1;
        let same = task.kinds.entry(kind.clone()).or_default();
        *same += 1;
        let own = if *same == 1 { kind.to_string() } else { format!("{kind}#{same}") };
        let is_program_itself = maker.0 == 0 && members == 1;
        let name = match is_program_itself {
            true => own,
            false => format!("{}/{own}", task.name),
        };
        let id = match maker.0 < members {
            true => members + number * members + maker.0,
            false => {
                let from = [maker.0.to_le_bytes(), number.to_le_bytes()].concat();
                DEEPER | (xxh3_64(&from) as u32 & (DEEPER - 1))
            }
        };
        match self.tasks.contains_key(&TaskId(id)) {
            false => Ok((TaskId(id), name.into())),
            true => Err(format!("{name} would have the same address as {}", self.name(TaskId(id)))),
        }
    }

    /// A message of the task that runs.
    pub(crate) fn message(
        &mut self,
        name: Arc<str>,
        bytes: Arc<[u8]>,
        answers: Option<FutureId>,
        settles: Option<FutureId>,
    ) -> Message {
        let (from, task) = (self.current, self.runner_mut());
        let number = task.sent;
        task.sent += 1;
        Message { from, number, name, bytes, answers, settles }
    }

    /// Sends a message; what that is for people.
    fn send(
        &mut self,
        to: TaskId,
        name: Arc<str>,
        bytes: Arc<[u8]>,
        answers: Option<FutureId>,
    ) -> Result<String, String> {
        let Some(receiver) = self.task(to) else {
            return Err(format!("there is nobody at the address {}", to.0 as i32));
        };
        let (known, waiting) = (receiver.name.clone(), receiver.waiting());
        if waiting >= self.system.most.inbox {
            return Err(format!("{waiting} messages wait for {known} already, which is the most"));
        }
        let message = self.message(name, bytes, answers, None);
        let effect = format!("{} to {known}", show(&message));
        self.post(to, message);
        Ok(effect)
    }

    /// Puts a message of the task that runs where its receiver finds it.
    fn post(&mut self, to: TaskId, message: Message) {
        self.footprint.sent.push((to, message.number));
        let from = message.from;
        if let Some(receiver) = self.task_mut(to) {
            receiver.inbox.entry(from).or_default().push_back(Arc::new(message));
        }
    }

    /// The task that runs wants to know of the end of a future of its own.
    fn register(
        &mut self,
        slot: u32,
        interest: Interest,
        on_resolved: bool,
    ) -> Result<Called, String> {
        let future = FutureId { owner: self.current, slot, life: self.runner().life };
        self.footprint.futures.push(future);
        let task = self.runner_mut();
        let settled = match task.futures.get_mut(slot as usize) {
            Some(Future::Open { when, rescue, .. }) => {
                let known = if on_resolved { when } else { rescue };
                *known = Some(interest);
                return Ok(Called::nothing(""));
            }
            Some(future @ Future::Settled(_)) => future,
            _ => return Err(format!("there is no future {slot} that this task waits for")),
        };
        let Future::Settled(settlement) = settled.clone() else { return Ok(Called::nothing("")) };
        if settlement.is_resolved == on_resolved {
            *settled = Future::Told;
            let message = self.told(future, interest, &settlement);
            self.post(self.current, message);
        }
        Ok(Called::nothing(""))
    }

    /// The message of the task that runs which tells how a future ended.
    fn told(&mut self, of: FutureId, interest: Interest, settlement: &Settlement) -> Message {
        let bytes: Arc<[u8]> = [&*settlement.bytes, &*interest.data].concat().into();
        self.message(interest.name, bytes, None, Some(of))
    }

    /// The task that runs gives the answer that somebody waits for.
    pub(crate) fn settle(&mut self, answer: FutureId, settlement: Settlement) {
        self.footprint.futures.push(answer);
        let future = self.future_mut(answer);
        let Some(Future::Open { when, rescue, .. }) = future.as_deref() else { return };
        let interest = if settlement.is_resolved { when } else { rescue }.clone();
        if let Some(future) = future {
            *future = match interest {
                Some(_) => Future::Told,
                None => Future::Settled(settlement.clone()),
            };
        }
        if let Some(interest) = interest {
            let message = self.told(answer, interest, &settlement);
            self.post(answer.owner, message);
        }
    }

    fn future_mut(&mut self, future: FutureId) -> Option<&mut Future> {
        let owner = self.task_mut(future.owner)?;
        owner.futures.get_mut(future.slot as usize).filter(|_| owner.life == future.life)
    }
}

/// A message for people: `double(12)`.
pub fn show(message: &Message) -> String {
    let words = message
        .bytes
        .chunks_exact(4)
        .map(|word| i32::from_le_bytes(word.try_into().expect("four bytes")).to_string());
    let content = match message.bytes.len() {
        length if length % 4 == 0 && length <= 32 => words.collect::<Vec<_>>().join(", "),
        _ => mw_world::answer::quoted(&message.bytes),
    };
    format!("{}({content})", message.name)
}
