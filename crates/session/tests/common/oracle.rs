//! The plain run: a machine and a world, and nothing of the debugger.

use mw_session::{Choice, Session, Site};
use mw_vm::{Breakpoints, Cell, Machine, NoProbe, Status, Stop, Value};
use mw_world::{Answer, Call, Event, Kind, Outcome, World};

use super::Setup;
use super::walk::possible;

/// A program that runs with the choices given, and counts what it does to the world.
pub struct Plain {
    pub machine: Machine,
    pub world: World,
    /// Changes of the world so far.
    pub changes: usize,
    /// Outputs so far that cannot be undone.
    pub irreversible: usize,
}

impl Plain {
    /// Executes to a count; only outputs may come on the way.
    pub fn advance(&mut self, count: u64) {
        while self.machine.count() < count {
            let budget = count - self.machine.count();
            match self.machine.run(budget, &Breakpoints::default(), &mut NoProbe) {
                Stop::Import(import) => assert!(self.output(import), "aborted on the way"),
                stop => assert!(self.machine.count() == count, "{stop:?} on the way"),
            }
        }
    }

    /// Performs an output; says whether the program lives on.
    pub fn output(&mut self, import: u32) -> bool {
        let (_, args) = self.machine.import_call().expect("waits at a call");
        let call = Call { import, args: &args };
        match self.world.perform(call, &self.machine).expect("an output") {
            Outcome::Done { reply, undo, .. } => {
                self.changes += usize::from(!undo.is_empty());
                let kind = self.world.kind(import);
                self.irreversible += usize::from(kind == Ok(Kind::Output { irreversible: true }));
                self.machine.resume(&reply.results).expect("the results fit");
                true
            }
            Outcome::Abort { .. } => {
                self.machine.refuse().expect("waits at a call");
                false
            }
        }
    }

    /// An input returns a value, which must be possible.
    pub fn input(&mut self, import: u32, answer: impl Into<Answer>) {
        let (_, args) = self.machine.import_call().expect("waits at a call");
        let accepted = self.world.accept(Call { import, args: &args }, answer).expect("possible");
        self.changes += usize::from(!accepted.undo.is_empty());
        accepted.reply.write_to(&mut self.machine).expect("there is room");
        self.machine.resume(&accepted.reply.results).expect("the results fit");
    }

    /// Makes a choice here.
    pub fn choose(&mut self, choice: Choice<'_>) {
        let slot = choice.slot;
        match choice.site {
            Site::Input { port, args } => {
                let import = self.world.import_of(*port).expect("imported");
                assert_eq!(self.machine.step(), Stop::Import(import));
                let (_, given) = self.machine.import_call().expect("waits at a call");
                let given: Vec<u64> = given.iter().map(|value| value.to_slot()).collect();
                assert_eq!(
                    (given, &self.machine.status()),
                    (args.clone(), &Status::Importing(import))
                );
                let module = self.machine.module().clone();
                let ty = module.func_type(&module.funcs()[import as usize]).results[0];
                self.input(import, choice.answer(ty));
            }
            Site::Event(Event::Interrupt { pin, table_index }) => {
                let pending = self.world.pending_interrupts();
                assert!(pending.iter().any(|i| (i.pin, i.table_index) == (*pin, *table_index)));
                let func = self.machine.tables()[0].get(*table_index).expect("there") as u32 - 1;
                self.machine.interrupt(func).expect("interruptible");
            }
            Site::Alteration(Cell::Global(global)) => {
                let ty = self.machine.module().globals()[*global as usize].ty;
                assert!(self.machine.set_global(*global, Value::from_slot(ty, slot)));
            }
            Site::Alteration(Cell::Local { depth, local }) => {
                // All locals of the generated programs are of this type.
                let value = Value::I32(slot as i32);
                assert!(self.machine.set_local(*depth as usize, *local, value));
            }
            Site::Alteration(Cell::Memory { address, load }) => {
                let bytes = &slot.to_le_bytes()[..load.size() as usize];
                let memory = self.machine.memory_mut(0).expect("there");
                memory.write((*address).into(), bytes).expect("inside");
            }
            Site::Schedule(schedule) => panic!("one task has no turns to give: {schedule}"),
        }
    }

    /// The run that leads to a place, with the choices on the way there.
    pub fn to(fresh: Plain, session: &Session, place: mw_session::Place) -> Plain {
        let tree = session.multiverse();
        let mut nodes: Vec<_> = tree.ancestors(place.node).collect();
        nodes.reverse();
        let mut plain = fresh;
        for choice in nodes.into_iter().filter_map(|node| tree.choice(node)) {
            plain.advance(choice.count);
            plain.choose(choice);
        }
        plain.advance(place.count);
        plain
    }

    /// The instruction that comes next cannot be executed: the program fails.
    pub fn fail(&mut self) {
        match self.machine.step() {
            Stop::Trap(_) => {}
            Stop::Import(import) => assert!(!self.output(import), "should have failed"),
            stop => panic!("should have failed, but {stop:?}"),
        }
    }
}

/// What a plain run with such inputs reads: count, import, arguments and answer of each.
pub type Reads = Vec<(u64, u32, Vec<Value>, Answer)>;

/// Runs to the end with possible inputs, whatever the numbers.
pub fn plain_run(setup: &Setup, numbers: &[u64]) -> (Plain, Reads) {
    let mut plain = setup.plain();
    let mut reads = Reads::new();
    loop {
        match plain.machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe) {
            Stop::Import(import) if plain.world.kind(import) == Ok(Kind::Input) => {
                let (_, args) = plain.machine.import_call().unwrap();
                let number = numbers[reads.len() % numbers.len()];
                let answer = possible(&plain.world, Call { import, args: &args }, number);
                reads.push((plain.machine.count(), import, args, answer.clone()));
                plain.input(import, answer);
            }
            Stop::Import(import) => {
                if !plain.output(import) {
                    return (plain, reads);
                }
            }
            _ => return (plain, reads),
        }
    }
}
