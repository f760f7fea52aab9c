//! A universe lived through without a debugger: the machine, the world, and a list of choices.

use mw_session::{NodeId, Session, Site};
use mw_vm::{Breakpoints, Cell, ImportValues, Machine, NoProbe, Stop, Value};
use mw_world::{Call, Event, Import, Kind, Outcome, State, World};

/// Checks that machine and world are what plain execution of `main(rounds)` leads to.
pub fn check(session: &Session, rounds: i32) {
    let (machine, world) = replay(session, rounds);
    assert_eq!(session.machine().count(), machine.count());
    assert!(*session.machine() == machine, "another machine at {:?}", session.here());
    assert_eq!(*session.world().state(), world);
}

fn replay(session: &Session, rounds: i32) -> (Machine, State) {
    let module = session.module().clone();
    let imports =
        module.imports().map(|(name, ty)| Import { module: &name.module, name: &name.field, ty });
    let mut world = session.world().description().bind(imports).unwrap();
    let limits = session.options().limits;
    let mut machine = Machine::new(module.clone(), limits, ImportValues::default()).unwrap();
    let main = module.exported_func("main").unwrap();
    machine.call_next(main, &[rounds.into()]).unwrap();

    let multiverse = session.multiverse();
    let mut path: Vec<NodeId> = multiverse.ancestors(session.here().node).collect();
    path.reverse();
    for node in path.into_iter().skip(1) {
        let choice = multiverse.choice(node).unwrap();
        run_to(&mut machine, &mut world, choice.count);
        match choice.site {
            Site::Input { port, args } => {
                let import = world.import_of(*port).unwrap();
                assert_eq!(run(&mut machine, 1), Stop::Import(import));
                let ty = module.func_type(&module.funcs()[import as usize]);
                let args =
                    args.iter().zip(&ty.params).map(|(slot, ty)| Value::from_slot(*ty, *slot));
                let args: Vec<Value> = args.collect();
                assert_eq!(machine.import_call(), Some((import, args.clone())));
                let call = Call { import, args: &args };
                let accepted = world.accept(call, choice.value(ty.results[0])).unwrap();
                machine.resume(&accepted.reply.results).unwrap();
            }
            Site::Event(Event::Interrupt { table_index, .. }) => {
                let func = machine.tables()[0].get(*table_index).unwrap() as u32 - 1;
                machine.interrupt(func).unwrap();
            }
            Site::Alteration(Cell::Global(global)) => {
                let value = choice.value(module.globals()[*global as usize].ty);
                assert!(machine.set_global(*global, value));
            }
            other => panic!("{other:?} is not in these tests"),
        }
    }
    run_to(&mut machine, &mut world, session.here().count);
    // At its last count, a program may or may not have noticed that it is at its end.
    if session.machine().status() != machine.status() {
        end(&mut machine, &mut world);
    }
    (machine, world.state().clone())
}

fn run(machine: &mut Machine, budget: u64) -> Stop {
    machine.run(budget, &Breakpoints::default(), &mut NoProbe)
}

/// Runs to a count; there is nothing but outputs on the way.
fn run_to(machine: &mut Machine, world: &mut World, count: u64) {
    while machine.count() < count {
        match run(machine, count - machine.count()) {
            Stop::Import(_) => assert!(output(machine, world), "an end before its count"),
            Stop::Budget => {}
            Stop::Finished if machine.count() == count => {}
            other => panic!("{other:?} after {} of {count} instructions", machine.count()),
        }
    }
}

/// Performs the output that the machine is stopped at; says whether the program goes on.
fn output(machine: &mut Machine, world: &mut World) -> bool {
    let (import, args) = machine.import_call().unwrap();
    let call = Call { import, args: &args };
    assert_ne!(world.kind(import), Ok(Kind::Input), "a choice that is not recorded");
    match world.perform(call, machine).unwrap() {
        Outcome::Done { reply, .. } => {
            machine.resume(&reply.results).unwrap();
            true
        }
        Outcome::Abort { .. } => {
            machine.refuse().unwrap();
            false
        }
    }
}

/// Lets a program that is at its end notice.
fn end(machine: &mut Machine, world: &mut World) {
    let count = machine.count();
    match run(machine, 1) {
        Stop::Import(_) if world.kind(machine.import_call().unwrap().0) == Ok(Kind::Abort) => {
            output(machine, world);
        }
        _ => {}
    }
    assert_eq!(machine.count(), count);
}
