//! The example programs on the board: they bind, they run, they act, and all of it is undone.

use std::path::Path;
use std::sync::Arc;

use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop, Value};
use mw_world::{Call, Description, Import, Kind, Outcome, Sample, Undo, World};

const BUDGET: u64 = 200_000;

/// Runs `main` of an example, whose inputs are sampled, except those that `choose` decides.
fn run(name: &str, choose: impl Fn(&str, u64) -> Option<i32>) -> (World, Vec<Undo>, Vec<String>) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let wasm = std::fs::read(examples.join(name).join(name).with_extension("wasm")).expect(name);
    let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).expect(name));
    let board = Arc::new(Description::board(Default::default()));
    let imports = module.imports().map(|(import, ty)| Import {
        module: &import.module,
        name: &import.field,
        ty,
    });
    let mut world = board.bind(imports).expect(name);
    let mut machine =
        Machine::new(module.clone(), Limits::default(), ImportValues::default()).expect(name);
    machine.call(module.exported_func("main").expect("main"), &[]).expect(name);

    let (mut undos, mut effects) = (Vec::new(), Vec::new());
    while machine.count() < BUDGET {
        match machine.run(BUDGET, &Breakpoints::default(), &mut NoProbe) {
            Stop::Import(_) => {}
            Stop::Budget => continue,
            Stop::Finished => break,
            other => panic!("{name} stopped: {other:?} after {effects:?}"),
        }
        let (import, args) = machine.import_call().expect("stopped at an import");
        let call = Call { import, args: &args };
        let reply = match world.kind(import).expect(name) {
            Kind::Input => {
                let value = match (choose(&world.show(call), machine.count()), world.sample(call)) {
                    (Some(value), _) => Value::I32(value),
                    (None, Ok(Sample::Answer(answer))) => answer.value,
                    (None, other) => panic!("{name}: {other:?}"),
                };
                let accepted = world.accept(call, value).expect(name);
                undos.push(accepted.undo);
                accepted.reply
            }
            Kind::Output { .. } | Kind::Abort => match world.perform(call, &machine).expect(name) {
                Outcome::Done { reply, undo, effect } => {
                    undos.push(undo);
                    effects.push(effect);
                    reply
                }
                Outcome::Abort { message } => panic!("{name}: {message}"),
            },
        };
        reply.write_to(&mut machine).expect(name);
        machine.resume(&reply.results).expect(name);
    }
    (world, undos, effects)
}

#[test]
fn every_example_acts_and_is_undone() {
    for (name, said) in [
        ("blink", "high"),
        ("breakout", "rectangle"),
        ("color-dial", "motor A"),
        ("led-counter", "pin"),
        ("light-sensor", "pin"),
        ("temperature-dashboard", "pin"),
    ] {
        // Every sensor wanders through values that all of them can return.
        let (mut world, undos, effects) = run(name, |call, count| {
            (call.starts_with("c") && !call.contains("digital")).then_some((count % 101) as i32)
        });
        assert!(effects.iter().any(|effect| effect.contains(said)), "{name}: {effects:?}");
        for undo in undos.into_iter().rev() {
            world.undo(undo);
        }
        let fresh = world.description().bind([]).expect(name);
        assert_eq!(world.state(), fresh.state(), "{name}");
    }
}

#[test]
fn breakout_draws_its_wall() {
    let (world, ..) = run("breakout", |_, _| None);
    let display = world.view().board.expect("a board").display;
    assert!(display.on);
    for color in [0xf800, 0xfd20, 0xffe0, 0x07e0] {
        assert!(display.pixels.contains(&color), "bricks of colour {color:#06x}");
    }
}
