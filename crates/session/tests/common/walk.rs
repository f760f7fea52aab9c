//! Random commands, and what must hold after each of them.

use std::collections::BTreeMap;

use mw_session::{
    Breakpoint, BreakpointId, Condition, Control, Direction, Halt, Mock, Multiverse, Names, NodeId,
    Options, Outcome, Place, PrimitivePattern, Progress, Session, SessionError, Site, TraceError,
    Trigger, Unattended, Unit, Watch,
};
use mw_vm::{Cell, Status, Value};
use mw_world::{Answer, Call, Kind, Role};
use proptest::prelude::*;

use super::oracle::Plain;
use super::{Setup, contents};

/// Something a person may do. Numbers stand for whatever there is to choose from at the time.
#[derive(Clone, Debug)]
pub enum Command {
    Step(Unit, Direction, u8),
    Run(Direction),
    Break(u8, u16, u8),
    Unbreak(u8),
    Mock {
        input: u8,
        with_args: bool,
        value: u64,
        once: bool,
    },
    Unmock(u8),
    /// To a place visited before, and so many instructions on.
    Slide(u8, u8),
    Interrupt,
    Alter(u8, u16, i32),
    /// So many instructions back, set a global: the program has gone on without, too.
    AlterBefore(u8, i32),
    GoWithout,
    Bookmark,
    /// Back so many instructions and forward again.
    BackAndForth(u8),
    /// Out as text, and in again, whole and damaged.
    Trace(u16, u16),
    Diff(u8, u8),
    /// Run back, but give up after so many times of being asked.
    Cancelled(u8),
}

pub fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![Just(Unit::Instruction), Just(Unit::Over), Just(Unit::Out)]
}

pub fn command() -> impl Strategy<Value = Command> {
    use Command::*;
    let direction = || prop_oneof![3 => Just(Direction::Forward), 2 => Just(Direction::Back)];
    prop_oneof![
        8 => (unit(), direction(), 1..20u8).prop_map(|(u, d, n)| Step(u, d, n)),
        8 => direction().prop_map(Run),
        4 => (any::<u8>(), any::<u16>(), any::<u8>()).prop_map(|(k, n, c)| Break(k, n, c)),
        1 => any::<u8>().prop_map(Unbreak),
        4 => (any::<u8>(), any::<bool>(), any::<u64>(), prop::bool::weighted(0.7))
            .prop_map(|(input, with_args, value, once)| Mock { input, with_args, value, once }),
        1 => any::<u8>().prop_map(Unmock),
        8 => (any::<u8>(), prop_oneof![3 => Just(0), 1 => any::<u8>()])
            .prop_map(|(place, on)| Slide(place, on)),
        4 => Just(Interrupt),
        3 => (any::<u8>(), any::<u16>(), any::<i32>()).prop_map(|(k, n, v)| Alter(k, n, v)),
        4 => (1..30u8, any::<i32>()).prop_map(|(n, v)| AlterBefore(n, v)),
        2 => Just(GoWithout),
        1 => Just(Bookmark),
        3 => (1..30u8).prop_map(BackAndForth),
        2 => (any::<u16>(), any::<u16>()).prop_map(|(line, how)| Trace(line, how)),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(a, b)| Diff(a, b)),
        1 => any::<u8>().prop_map(Cancelled),
    ]
}

/// A value of the input's domain, whatever its number.
pub fn possible(world: &mw_world::World, call: Call<'_>, number: u64) -> Answer {
    let value = possible_value(world, call, number);
    let Ok(Role::Input(input)) = world.primitive(call.import).map(|p| &p.role) else { panic!() };
    // Whatever the room that the program has, it has that.
    let bytes = input.brings.map(|_| vec![number as u8; number as usize % 17].into());
    Answer { value, bytes: bytes.filter(|_| !number.is_multiple_of(3)) }
}

fn possible_value(world: &mw_world::World, call: Call<'_>, number: u64) -> Value {
    let domain = world.domain(call).unwrap();
    let ty = world.imports().nth(call.import as usize).unwrap().1.results[0];
    match domain.integers() {
        Some(set) => {
            let low = set.smallest();
            // Near the low end, where small numbers make loops and conditions go both ways.
            let wish =
                low.saturating_add((number % if number & 64 == 0 { 8 } else { 5000 }) as i64);
            domain.nearest(match ty {
                mw_vm::ValType::I64 => Value::I64(wish),
                _ => Value::I32(wish as i32),
            })
        }
        None => domain.nearest(Value::from(number as u8 as f64 / 4.0 - 20.0)),
    }
}

/// Gives up after being asked so many times.
pub struct CancelAfter(pub usize);

impl Control for CancelAfter {
    fn is_cancelled(&mut self) -> bool {
        let cancelled = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        cancelled
    }

    fn progress(&mut self, _: Progress) {}
}

/// A session under test, with what is known about it.
pub struct Walk<'a> {
    setup: &'a Setup,
    pub session: Session,
    /// Places where it has been.
    pub visited: Vec<Place>,
    /// A tree made from the changes alone.
    mirror: Multiverse,
    before: BTreeMap<NodeId, super::Seen>,
    /// What else must hold at all times, as of what the session is attached to.
    follow: Follow<'a>,
}

/// Looks at a session, and may move what follows it.
pub type Follow<'a> = Box<dyn FnMut(&mut Session) + 'a>;

impl<'a> Walk<'a> {
    pub fn new(setup: &'a Setup, options: Options) -> Walk<'a> {
        Walk::followed(setup, setup.session(options), Box::new(|_| {}))
    }

    /// A walk of a session at its start, which something follows.
    pub fn followed(setup: &'a Setup, session: Session, follow: Follow<'a>) -> Walk<'a> {
        Walk {
            setup,
            follow,
            visited: vec![session.start()],
            mirror: Multiverse::beginning_at(session.start().count),
            session,
            before: BTreeMap::new(),
        }
    }

    /// What must hold at all times.
    pub fn check(&mut self) {
        let session = &mut self.session;
        let here = session.here();

        // Soundness: machine and world are those of a plain run.
        let mut plain = Plain::to(self.setup.plain(), session, here);
        if let Status::Trapped(_) = session.machine().status() {
            plain.fail();
        }
        assert_eq!(plain.machine.count(), session.machine().count());
        assert!(plain.machine == *session.machine(), "another machine at {here:?}");
        assert_eq!(plain.world.state(), session.world().state(), "another world at {here:?}");

        // Where it has ended, it says so. (At a breakpoint it may stand before its end.)
        let ended = session.multiverse().ended(here.node).filter(|(at, _)| *at == here.count);
        let expected = match (session.machine().status(), ended.map(|(_, outcome)| outcome)) {
            (Status::Running | Status::Importing(_), _) => None,
            (Status::Idle, Some(Outcome::Finished)) => None,
            (Status::Trapped(kind), Some(Outcome::Trapped(trap))) if kind == *trap => None,
            (Status::Trapped(_), Some(Outcome::Aborted(message))) => Some(&**message),
            (status, outcome) => panic!("{status:?}, but {outcome:?}"),
        };
        assert_eq!(session.abort_message(), expected);

        // Nothing is lost, and the changes tell it all.
        for change in session.multiverse_mut().take_changes() {
            assert!(self.mirror.apply(&change), "{change:?}");
        }
        let now = contents(session.multiverse());
        assert_eq!(now, contents(&self.mirror));
        for (node, (parent, choice, ended)) in &self.before {
            let (new_parent, new_choice, new_ended) = &now[node];
            assert_eq!((new_parent, new_choice), (parent, choice));
            assert!(ended.is_none() || ended == new_ended);
        }
        self.before = now;

        let held = session.checkpoints().bytes_held();
        assert!(held <= session.options().checkpoint_memory, "{held} bytes of checkpoints");
        if !self.visited.contains(&here) {
            self.visited.push(here);
        }
        (self.follow)(session);
    }

    fn visited(&self, index: u8) -> Place {
        self.visited[usize::from(index) % self.visited.len()]
    }

    fn state(&self) -> (Place, Status, u128) {
        let machine = self.session.machine();
        (self.session.here(), machine.status(), self.session.world().state().hash())
    }

    /// Does it, checks what must hold, and tells what happened.
    pub fn perform(&mut self, command: &Command) -> String {
        let told = self.attempt(command);
        self.check();
        let (place, status, world) = self.state();
        let status = match status {
            Status::Importing(_) => Status::Running,
            status => status,
        };
        format!("{command:?}: {told}; {place:?} {status:?} {world:x}")
    }

    fn attempt(&mut self, command: &Command) -> String {
        let control = &mut Unattended;
        match *command {
            Command::Step(unit, direction, count) => {
                let before = self.state();
                let halt = self.session.step(unit, direction, count.into(), control);
                self.note(halt, (count == 1 && direction == Direction::Back).then_some(before))
            }
            Command::Run(direction) => {
                let before = self.state();
                let halt = self.session.run(direction, control);
                self.note(halt, (direction == Direction::Back).then_some(before))
            }
            Command::Break(kind, number, condition) => {
                let trigger = self.trigger(kind, number);
                let condition = match condition % 6 {
                    0 => Some("global 0 > 3".to_owned()),
                    1 => Some("local 1 == 0 or global 1 < 0".to_owned()),
                    2 => Some(format!("i32 @ {} != 0", 4 * (condition / 6))),
                    _ => None,
                };
                let module = self.session.module().clone();
                let condition =
                    condition.map(|text| Condition::parse(&text, &Names::of(&module)).unwrap());
                let breakpoint =
                    Breakpoint { condition, enabled: number % 9 != 0, ..Breakpoint::new(trigger) };
                format!("{:?}", self.session.breakpoints_mut().add(breakpoint))
            }
            Command::Unbreak(index) => {
                let ids: Vec<BreakpointId> =
                    self.session.breakpoints().iter().map(|(id, _)| id).collect();
                let id = ids.get(usize::from(index) % ids.len().max(1));
                id.map(|id| self.session.breakpoints_mut().remove(*id));
                String::new()
            }
            Command::Mock { input, with_args, value, once } => {
                let inputs = self.inputs();
                let (import, args) = &inputs[usize::from(input) % inputs.len()];
                let answer = possible(&self.setup.bound(), Call { import: *import, args }, value);
                let args = with_args.then(|| args.clone());
                let mock = Mock { port: None, import: *import, args, answer, once };
                format!("{:?}", self.session.mocks_mut().add(mock))
            }
            Command::Unmock(index) => {
                let ids: Vec<_> = self.session.mocks().iter().map(|(id, _)| id).collect();
                let id = ids.get(usize::from(index) % ids.len().max(1));
                id.map(|id| self.session.mocks_mut().remove(*id));
                String::new()
            }
            Command::Slide(index, on) => {
                let mut place = self.visited(index);
                place.count += u64::from(on);
                self.slide(place)
            }
            Command::Interrupt => {
                let before = self.state();
                let result = self.session.interrupt(4);
                assert!(result.is_ok() || before == self.state());
                format!("{result:?}")
            }
            Command::Alter(kind, number, value) => {
                let (alteration, value) = match kind % 3 {
                    0 => (Cell::Global(u32::from(number % 4)), Value::I32(value)),
                    1 => {
                        let (depth, local) = (u32::from(number % 2), u32::from(number / 2 % 4));
                        (Cell::Local { depth, local }, Value::I32(value))
                    }
                    _ => {
                        let (address, size) =
                            (u32::from(number % 64) * 4, 1 + u32::from(number % 8));
                        (Cell::bytes(address, size), Value::I64(value.into()))
                    }
                };
                let before = self.state();
                let result = self.session.alter(alteration, value);
                match &result {
                    Ok(()) => {
                        assert!(self.session.multiverse().is_altered(self.session.here().node))
                    }
                    Err(_) => assert_eq!(before, self.state()),
                }
                format!("{result:?}")
            }
            Command::AlterBefore(count, value) => {
                self.goto(self.before(count));
                let result = self.session.alter(Cell::Global(0), Value::I32(value));
                format!("{result:?}")
            }
            Command::GoWithout => {
                self.session.go_without();
                String::new()
            }
            Command::Bookmark => {
                let here = self.session.here();
                self.session.bookmarks_mut().set("here", here);
                String::new()
            }
            Command::BackAndForth(count) => self.back_and_forth(count),
            Command::Trace(line, how) => self.traces(line, how),
            Command::Diff(first, second) => {
                let (first, second) = (self.visited(first), self.visited(second));
                let before = self.state();
                let (difference, _) = self.session.diff(first, second, control).unwrap();
                assert_eq!(before, self.state());
                let globals = |place| {
                    let plain = Plain::to(self.setup.plain(), &self.session, place);
                    (0..3).map(|g| plain.machine.global(g).unwrap()).collect::<Vec<_>>()
                };
                let (a, b) = (globals(first), globals(second));
                let expected = (0..3).filter(|&g| a[g] != b[g]).map(|g| (g as u32, a[g], b[g]));
                assert_eq!(difference.globals, expected.collect::<Vec<_>>());
                format!("{difference:?}")
            }
            Command::Cancelled(asks) => {
                let before = self.state();
                // How often it is asked depends on the checkpoints; that it then stays does not.
                let result = self.session.run(Direction::Back, &mut CancelAfter(asks as usize % 3));
                match result {
                    Err(SessionError::Cancelled) => assert_eq!(before, self.state()),
                    Err(SessionError::Irreversible(_)) => assert_eq!(before, self.state()),
                    Err(error) => panic!("{error}"),
                    Ok(_) => self.goto(before.0),
                }
                String::new()
            }
        }
    }

    /// The place so many instructions before here.
    fn before(&self, count: u8) -> Place {
        let here = self.session.here();
        let count = here.count.saturating_sub(count.into()).max(self.session.start().count);
        Place { node: self.session.multiverse().node_at(here.node, count), count }
    }

    /// Goes to a place, whatever cannot be undone on the way.
    fn goto(&mut self, place: Place) {
        self.session.slide(place, true, &mut Unattended).unwrap();
    }

    /// Notes how a movement ended. Where it asks or is refused, what was in the way is put away.
    fn note(
        &mut self,
        halt: Result<Halt, SessionError>,
        before: Option<(Place, Status, u128)>,
    ) -> String {
        match &halt {
            Ok(Halt::Asks) => {
                let (import, _) = self.session.machine().import_call().unwrap();
                let value = Value::I32(5);
                self.session.mocks_mut().add(Mock {
                    port: None,
                    import,
                    args: None,
                    answer: value.into(),
                    once: true,
                });
            }
            Ok(_) => {}
            Err(SessionError::World(_)) => {
                let ids: Vec<_> = self.session.mocks().iter().map(|(id, _)| id).collect();
                assert!(!ids.is_empty(), "refused what nobody wanted: {halt:?}");
                ids.into_iter().for_each(|id| {
                    self.session.mocks_mut().remove(id);
                });
            }
            Err(SessionError::Irreversible(_)) => {
                // Going back was refused: nothing has changed.
                if let Some(before) = before {
                    assert_eq!(before, self.state());
                }
            }
            // What follows says the same when it is brought here.
            Err(SessionError::Target(_)) => {}
            Err(error) => panic!("{error}"),
        }
        format!("{halt:?}")
    }

    fn slide(&mut self, to: Place) -> String {
        let before = self.state();
        let from = before.0;
        let journey = match self.session.plan(to, &mut Unattended) {
            Ok(journey) => journey,
            Err(error) => {
                assert!(!self.visited.contains(&to), "{error}");
                return format!("{error:?}");
            }
        };
        let at = |place| Plain::to(self.setup.plain(), &self.session, place);
        let (there, common) = (at(from), at(journey.common));
        // What cannot be undone is told and asked for, whatever the checkpoints.
        let crossed = there.irreversible - common.irreversible;
        assert_eq!(journey.irreversible.len(), crossed);
        let undone = there.changes - common.changes;
        assert!(journey.undone <= undone);
        if self.session.options().checkpoint_memory == 0 {
            assert_eq!(journey.undone, undone);
        }
        let mut result = self.session.slide(to, false, &mut Unattended);
        if crossed > 0 {
            assert!(matches!(result, Err(SessionError::Irreversible(_))), "{result:?}");
            assert_eq!(before, self.state());
            result = self.session.slide(to, true, &mut Unattended);
        }
        match result {
            Ok(taken) => {
                assert_eq!(taken, journey);
                assert_eq!(self.session.here(), to);
                // At its end, the program has ended.
                let ended = self.session.multiverse().ended(to.node);
                if to != from && ended.is_some_and(|(count, _)| *count == to.count) {
                    let status = self.session.machine().status();
                    assert!(matches!(status, Status::Idle | Status::Trapped(_)));
                }
            }
            Err(error) => {
                assert!(matches!(error, SessionError::Target(_)), "it was planned: {error}");
                assert_eq!(before, self.state());
            }
        }
        let reached = self.session.here() == to;
        format!("{reached} {:?} {crossed}", journey.common)
    }

    fn back_and_forth(&mut self, count: u8) -> String {
        let (place, status, world) = self.state();
        let session = &mut self.session;
        let next = session.multiverse().preferred(place.node).map(|step| step.choice);
        // One may stand before an interrupt or alteration; a step leads to after it.
        let stands_before = next.is_some_and(|choice| {
            choice.count == place.count && !matches!(choice.site, Site::Input { .. })
        });
        let none = || Vec::<Mock>::new();
        if stands_before || session.mocks().iter().map(|(_, mock)| mock.clone()).ne(none()) {
            return String::new();
        }
        let target = self.before(count);
        let count = place.count - target.count;
        self.goto(target);
        let nodes = self.session.multiverse().len();
        let halt = self
            .session
            .step(Unit::Instruction, Direction::Forward, count, &mut Unattended)
            .unwrap();
        assert_eq!(self.session.multiverse().len(), nodes, "all of it has been before");
        assert_eq!(self.session.here(), place);
        let now = self.state();
        assert_eq!(now.2, world);
        // Where it stood before its end, at a breakpoint, it is now at its end.
        let failed = |status| matches!(status, Status::Trapped(_));
        assert!(failed(now.1) || !failed(status));
        format!("{halt:?}")
    }

    fn traces(&mut self, line: u16, how: u16) -> String {
        if !self.session.has_whole_past() {
            let text = self.session.write_trace(&self.session.trace());
            assert_eq!(self.session.read_trace(&text), Err(TraceError::NoWholePast));
            return String::new();
        }
        let text = self.session.write_trace(&self.session.trace());
        let mut other = self.setup.session(Options::default());
        let trace = other.read_trace(&text).unwrap();
        assert_eq!(trace, self.session.trace());
        let place = other.replay_trace(&trace, &mut Unattended).unwrap();
        assert_eq!(place, other.here());
        assert_eq!(place.count, self.session.here().count);
        // Where the program fails, the trace leads to the failure.
        let failed = |session: &Session| matches!(session.machine().status(), Status::Trapped(_));
        let is_same = other.machine() == self.session.machine();
        assert!(is_same || failed(&other) && !failed(&self.session));
        assert_eq!(other.world().state(), self.session.world().state());
        assert_eq!(other.trace(), trace);

        // Damaged, it is refused, or leads where the program can get.
        let before = self.state();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let index = usize::from(line) % lines.len();
        match how % 7 {
            0 => drop(lines.remove(index)),
            1 => lines.insert(index, lines[index].clone()),
            2 => lines[index] = lines[index].replace(char::is_numeric, "9"),
            3 => lines[index] = lines[index].replacen('1', "2", 1),
            4 => lines[index].truncate(usize::from(how) % 20),
            5 => lines.insert(index, format!("{how} altered global {} = {how}", how % 5)),
            _ => {
                lines.insert(index, format!("{} interrupt of pin 4, element {}", how % 50, how % 3))
            }
        }
        let text = lines.join("\n");
        // It begins anew, whatever has been sent.
        let was_dry = self.session.options().dry;
        self.session.set_dry(true);
        let told = match self.session.read_trace(&text) {
            Err(error) => error.to_string(),
            Ok(trace) => match self.session.replay_trace(&trace, &mut Unattended) {
                Err(error) => {
                    assert_eq!(before, self.state(), "{error}");
                    error.to_string()
                }
                Ok(place) => format!("{place:?}"),
            },
        };
        self.session.set_dry(was_dry);
        self.check();
        // The walk goes on from where it was.
        self.goto(before.0);
        told
    }

    /// The inputs with arguments that generated programs use.
    fn inputs(&self) -> Vec<(u32, Vec<Value>)> {
        let world = self.session.world();
        let mut inputs = Vec::new();
        for (import, (_, ty)) in world.imports().enumerate() {
            let import = import as u32;
            if world.kind(import) != Ok(Kind::Input) {
                continue;
            }
            match ty.params.len() {
                0 => inputs.push((import, vec![])),
                4 => inputs.push((import, [0, 4, 0x100, 16].map(Value::I32).into())),
                _ => inputs.extend([0, 1, 2, 5].map(|pin| (import, vec![Value::I32(pin)]))),
            }
        }
        inputs
    }

    pub fn trigger(&self, kind: u8, number: u16) -> Trigger {
        let module = self.session.module();
        let imports = self.session.world().imports().count() as u32;
        let number = u32::from(number);
        match kind % 8 {
            0 => {
                let functions = module.funcs().len() as u32 - imports;
                Trigger::Function(imports + number % functions)
            }
            1 | 2 => Trigger::Instruction(number % module.code().len() as u32),
            3 => Trigger::Primitive(PrimitivePattern {
                import: number % imports,
                args: None,
                value: None,
            }),
            4 => {
                let inputs = self.inputs();
                let (import, args) = inputs[number as usize % inputs.len()].clone();
                let call = Call { import, args: &args };
                let value = possible_value(&self.setup.bound(), call, number.into());
                let args = (number & 1 == 0).then(|| args.clone());
                let value = (number & 2 == 0).then_some(value);
                Trigger::Primitive(PrimitivePattern { import, args, value })
            }
            5 => Trigger::Watch(Watch::new(Cell::Global(number % 3), 0)),
            6 => {
                let local = Cell::Local { depth: 0, local: number / 3 % 3 };
                Trigger::Watch(Watch::new(local, 1 + number as usize % 3))
            }
            _ => Trigger::Watch(Watch::new(Cell::bytes(number % 64 * 4, 8), 0)),
        }
    }
}
