//! Random walks through systems of actors: what must hold after each command, as for one program.
//!
//! Soundness and compensation soundness (tasks and world are those of a run that knows nothing of a
//! debugger), snapshot soundness (checkpoints make no difference), and traces that lead to the same
//! elsewhere, bit for bit.

use mw_ensemble::{Ensemble, Moment};
use mw_session::{Direction, Options, Place, Session, Site, Unattended, Unit};
use mw_vm::{Breakpoints, Cell, NoProbe, Stop, Value};
use mw_world::{Call, Description, Kind};
use proptest::prelude::*;

use crate::common::system::{Actors, With, actors};
use crate::common::{Setup, cases};

/// Something a person may do. Numbers stand for whatever there is to choose from at the time.
#[derive(Clone, Debug)]
enum Command {
    Step(Direction, u8),
    Run(Direction),
    Turn(Direction),
    GiveTurn(u8),
    Pause(u8, bool),
    /// To a place visited before.
    Slide(u8),
    Alter(i32),
    /// Out as text, and in elsewhere.
    Trace,
}

fn command() -> impl Strategy<Value = Command> {
    use Command::*;
    let direction = || prop_oneof![3 => Just(Direction::Forward), 2 => Just(Direction::Back)];
    prop_oneof![
        4 => (direction(), 1..30u8).prop_map(|(direction, count)| Step(direction, count)),
        1 => direction().prop_map(Run),
        4 => direction().prop_map(Turn),
        6 => any::<u8>().prop_map(GiveTurn),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(of, waits)| Pause(of, waits)),
        4 => any::<u8>().prop_map(Slide),
        1 => (0..10).prop_map(Alter),
        2 => Just(Trace),
    ]
}

/// The moment that a plain run comes to with the choices on the way to where a session stands.
fn plain(setup: &Setup, session: &Session) -> Moment {
    let begun = setup.plain();
    let mut now = Moment::new(begun.machine, begun.world);
    let (tree, here) = (session.multiverse(), session.here());
    let mut nodes: Vec<_> = tree.ancestors(here.node).collect();
    nodes.reverse();
    for choice in nodes.into_iter().filter_map(|node| tree.choice(node)) {
        advance(&mut now, choice.count);
        match choice.site {
            Site::Schedule(schedule) => now.take(schedule.next).unwrap(),
            Site::Alteration(cell) => assert!(now.machine.write(*cell, choice.slot)),
            Site::Event(event) => now.happen(*event).unwrap(),
            Site::Input { .. } => {
                let Stop::Import(import) = now.machine.step() else { panic!("no input here") };
                let (_, args) = now.machine.import_call().unwrap();
                assert_eq!(now.world.kind(import), Ok(Kind::Input));
                let ty = now.machine.module().result_type(import).unwrap();
                now.read(Call { import, args: &args }, choice.answer(ty)).unwrap();
            }
        }
    }
    advance(&mut now, here.count);
    now
}

/// Executes to a count; only outputs come on the way.
fn advance(now: &mut Moment, count: u64) {
    while now.machine.count() < count {
        let budget = count - now.machine.count();
        if let Stop::Import(import) = now.run(budget, &Breakpoints::default(), &mut NoProbe) {
            let (_, args) = now.machine.import_call().unwrap();
            now.perform(Call { import, args: &args }).unwrap();
        }
    }
}

/// All that there is of the tasks, apart from what the machine of the one that runs is.
fn seen(ensemble: &Ensemble) -> Vec<String> {
    let task = |(id, task): (mw_ensemble::TaskId, &mw_ensemble::Task)| {
        let parked = task.machine().map(|machine| (machine.status(), machine.pc()));
        let memory = task.machine().and_then(|machine| machine.global(0));
        let (inbox, message) = (&task.inbox, &task.message);
        let waits: Vec<_> = task.awaits().collect();
        format!(
            "{id} {:?} {} {parked:?} {memory:?} {inbox:?} {message:?} {waits:?}",
            task.standing, task.turns
        )
    };
    ensemble.tasks().map(task).collect()
}

struct Walk<'a> {
    setup: &'a Setup,
    session: Session,
    visited: Vec<Place>,
}

impl Walk<'_> {
    fn same(&self, machine: &mw_vm::Machine, world: &mw_world::World, ensemble: &Ensemble) {
        let (session, here) = (&self.session, self.session.here());
        assert!(session.machine() == machine, "another machine at {here:?}");
        assert_eq!(session.world().state(), world.state(), "another world at {here:?}");
        assert_eq!(seen(session.ensemble().unwrap()), seen(ensemble), "other tasks at {here:?}");
    }

    fn check(&mut self) {
        let now = plain(self.setup, &self.session);
        self.same(&now.machine, &now.world, now.ensemble.as_deref().unwrap());
        if !self.visited.contains(&self.session.here()) {
            self.visited.push(self.session.here());
        }
    }

    /// Does it, checks what must hold, and tells what happened.
    fn perform(&mut self, command: &Command) -> String {
        let (session, control) = (&mut self.session, &mut Unattended);
        let told = match *command {
            Command::Step(direction, count) => {
                format!("{:?}", session.step(Unit::Instruction, direction, count.into(), control))
            }
            Command::Run(direction) => format!("{:?}", session.run(direction, control)),
            Command::Turn(direction) => {
                format!("{:?}", session.step_turn(None, direction, control))
            }
            Command::GiveTurn(number) => {
                let options = session.turn_options();
                let next = options.get(usize::from(number) % options.len().max(1)).copied();
                format!("{:?}", next.map(|next| session.give_turn(next, control)))
            }
            Command::Pause(number, waits) => {
                let ids: Vec<_> = session.ensemble().unwrap().tasks().map(|(id, _)| id).collect();
                session.turns_mut().pause(ids[usize::from(number) % ids.len()], waits);
                String::new()
            }
            Command::Slide(index) => {
                let place = self.visited[usize::from(index) % self.visited.len()];
                session.slide(place, true, control).unwrap();
                assert_eq!(session.here(), place);
                String::new()
            }
            Command::Alter(value) => {
                format!("{:?}", session.alter(Cell::Global(0), Value::I32(value)))
            }
            Command::Trace => {
                let text = session.write_trace(&session.trace());
                let mut other = self.setup.session(Options::default());
                let trace = other.read_trace(&text).unwrap();
                other.replay_trace(&trace, control).unwrap();
                assert_eq!(other.write_trace(&other.trace()), text);
                self.same(other.machine(), other.world(), other.ensemble().unwrap());
                text
            }
        };
        self.check();
        format!("{command:?}: {told}; {:?}", self.session.here())
    }
}

fn walk(actors: &Actors, options: Options, commands: &[Command]) -> Vec<String> {
    let setup = Setup::of(&actors.to_wat(), Description::board(Default::default()));
    let session = setup.session(options);
    let mut walk = Walk { setup: &setup, visited: vec![session.start()], session };
    commands.iter().map(|command| walk.perform(command)).collect()
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn every_walk_through_a_system_is_sound_whatever_the_checkpoints(
        actors in actors(With { inputs: true, ..With::default() }),
        commands in prop::collection::vec(command(), 1..20),
        interval in 1..50u64,
    ) {
        let options = |checkpoint_memory| {
            Options { checkpoint_interval: interval, checkpoint_memory, ..Options::default() }
        };
        let without = walk(&actors, options(0), &commands);
        prop_assert_eq!(&without, &walk(&actors, options(256 << 20), &commands));
        prop_assert_eq!(&without, &walk(&actors, Options::default(), &commands));
    }
}
