//! Properties: what exploring says of all universes is what plain monitors say of each run.

use std::sync::Arc;

use mw_concolic::{Cut, End, Explorer, Goal, Leaf, Options, PropertyGoal, Stop, integer};
use mw_ensemble::{Answered, Moment, answer};
use mw_monitor::{Automaton, Bindings, Property, Verdict};
use mw_source::Sources;
use mw_vm::{Breakpoints, NoProbe, Stop as Halt, ValType, Value};
use mw_world::{Answer, Call};

use crate::world::{begin, module};

/// A moment before `main`, watched by these properties.
fn watched(wat: &str, properties: &[&str]) -> Moment {
    let wasm = wat::parse_str(wat).unwrap();
    let (machine, world) = begin(wat);
    let sources = Arc::new(Sources::disassembled(machine.module(), &wasm, "program.wat"));
    let programs = [(machine.module().clone(), sources)];
    let bind = |text: &&str| {
        let property = Property::parse("property", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let automaton = Automaton::bind(property, &Bindings { programs: &programs });
        Arc::new(automaton.unwrap_or_else(|e| panic!("{e}\n{text}")))
    };
    let mut now = Moment::new(machine, world);
    now.watch_for(properties.iter().map(bind).collect());
    now
}

/// What plain monitors say: of each property, whether it was violated on the way, or what is open.
type Said = Vec<(bool, bool)>;

/// Runs with all inputs.
fn run_all(mut now: Moment, inputs: &mut Vec<i64>, said: &mut Vec<(Vec<i64>, Said)>, bad: Said) {
    let mut bad = bad;
    loop {
        let halt = now.run(1, &Breakpoints::default(), &mut NoProbe);
        judge(&now, &mut bad);
        match halt {
            Halt::Budget => {}
            Halt::Import(import) => {
                let (_, args) = now.machine.import_call().unwrap();
                let call = Call { import, args: &args };
                let domain = now.world.domain(call).map(|domain| domain.into_owned());
                let Ok(domain) = domain else {
                    let none = |_: &mut Moment| Ok::<_, mw_ensemble::AnswerError>(None);
                    match answer(&mut now, call, none).unwrap() {
                        Answered::Aborted(_) => break,
                        _ => judge(&now, &mut bad),
                    }
                    continue;
                };
                let ty = now.machine.module().result_type(import).unwrap();
                for value in domain.integers().unwrap().values() {
                    let mut now = now.fork();
                    let value = match ty {
                        ValType::I64 => Value::I64(value),
                        _ => Value::I32(value as i32),
                    };
                    now.read(call, Answer::from(value)).unwrap();
                    let mut bad = bad.clone();
                    judge(&now, &mut bad);
                    inputs.push(integer(value));
                    run_all(now, inputs, said, bad);
                    inputs.pop();
                }
                return;
            }
            Halt::Trap(_) | Halt::Finished => break,
            halt => panic!("{halt:?}"),
        }
    }
    let monitors = now.monitors.as_deref().unwrap();
    let open = monitors.iter().map(|(automaton, state)| {
        let mut state = state.clone();
        state.end(automaton);
        state.verdict() == Verdict::Inconclusive
    });
    said.push((inputs.clone(), bad.into_iter().zip(open).map(|((b, _), o)| (b, o)).collect()));
}

fn judge(now: &Moment, bad: &mut Said) {
    for ((_, state), bad) in now.monitors.as_deref().unwrap().iter().zip(bad) {
        bad.0 |= state.verdict() == Verdict::Violated;
    }
}

/// Explores a program with properties, and compares with plain runs. Returns on how many of how many
/// runs the first property is violated.
#[track_caller]
fn check(wat: &str, properties: &[&str]) -> (usize, usize) {
    let mut explorer = Explorer::new(watched(wat, properties), Options::default());
    explorer.run(&Stop::default(), &mut |_| {});
    assert!(explorer.is_complete(), "{wat}\n{:#?}", explorer.all_leaves());
    let leaves = explorer.all_leaves();
    let mut said = Vec::new();
    let nothing = vec![(false, false); properties.len()];
    run_all(watched(wat, properties), &mut vec![], &mut said, nothing);
    let told = |leaf: &Leaf, which: usize| {
        let verdict = leaf.judged[which].verdict;
        (verdict == Verdict::Violated, verdict == Verdict::Inconclusive)
    };
    for which in 0..properties.len() {
        for leaf in &leaves {
            let example: Vec<i64> =
                leaf.steps.iter().map(|step| integer(step.value.unwrap())).collect();
            let (_, plain) = said.iter().find(|(inputs, _)| *inputs == example).unwrap();
            let expected = (plain[which].0, plain[which].1 && !plain[which].0);
            assert_eq!(told(leaf, which), expected, "{example:?} in\n{wat}\n{leaf:#?}");
            assert_eq!(leaf.judged[which].fault, None, "{wat}");
            if let [step] = &leaf.steps[..] {
                for (inputs, plain) in &said {
                    let value = step.value.unwrap();
                    let own = Value::from_slot(value.ty(), inputs[0] as u64);
                    if step.class.contains(own) {
                        assert_eq!(plain[which].0, expected.0, "{inputs:?} in\n{wat}\n{leaf:#?}");
                    }
                }
            }
        }
        let of = |leaf: &Leaf| leaf.inputs.unwrap() as usize;
        let violating: usize = leaves.iter().filter(|l| told(l, which).0).map(of).sum();
        let plain = said.iter().filter(|(_, plain)| plain[which].0).count();
        assert_eq!(violating, plain, "{wat}\n{}\n{leaves:#?}", properties[which]);
        assert_eq!(leaves.iter().map(of).sum::<usize>(), said.len(), "{wat}\n{leaves:#?}");
    }
    (said.iter().filter(|(_, plain)| plain[0].0).count(), said.len())
}

const SMALL: &str = "state init accepting {
  transition { before event f(number) { return number < 5 } success init failure large } }
state large non-accepting";

#[test]
fn a_guard_over_an_argument() {
    let program = module(
        r#"(func $f (param $number i32))
           (func (export "main") (call $f (call $four)))"#,
    );
    assert_eq!(check(&program, &[SMALL]), (11, 16));
}

#[test]
fn variables_of_a_monitor_are_in_terms_of_inputs() {
    let sum = "initialization { sum = 0 }
state init accepting {
  transition { before event f(number) { return sum + number * 2 != 20 }
    success { sum = sum + number } init
    failure twenty } }
state twenty non-accepting";
    let program = module(
        r#"(func $f (param $number i32))
           (func (export "main")
             (call $f (call $four))
             (if (i32.lt_s (call $odd) (i32.const 6)) (then (call $f (call $four))))
             (call $f (call $odd)))"#,
    );
    let (violated, all) = check(&program, &[sum, SMALL]);
    assert!(violated > 0 && violated < all, "{violated} of {all}");
}

#[test]
fn what_is_returned_and_what_was_passed() {
    let doubles = "state init accepting {
  transition { after event f(number, ret) { return ret == number * 2 } success init failure wrong } }
state wrong non-accepting";
    // The parameter is overwritten before the function returns.
    let program = module(
        r#"(func $f (param $number i32) (result i32)
             (local.set $number (i32.add (local.get $number) (local.get $number)))
             (if (i32.eq (local.get $number) (i32.const 14)) (then (return (i32.const 15))))
             (local.get $number))
           (func (export "main") (drop (call $f (call $four))) (drop (call $f (call $odd))))"#,
    );
    assert_eq!(check(&program, &[doubles]), (16 + 6 - 1, 16 * 6));
}

#[test]
fn slices_are_told_apart_by_values_of_inputs() {
    let once = "slice on number
state init accepting { transition { before event f(number) success seen } }
state seen accepting { transition { before event f(number) success twice } }
state twice non-accepting";
    let program = module(
        r#"(func $f (param $number i32))
           (func (export "main") (call $f (call $odd)) (call $f (call $odd)))"#,
    );
    assert_eq!(check(&program, &[once]), (6, 36));
}

#[test]
fn primitives_and_their_results() {
    let dark = "initialization { last = 0 }
state init accepting {
  transition { after event primitive four(ret) success { last = ret } init }
  transition { before event primitive chip_digital_write(pin, value)
    { if (pin != 13) { return 1 == 1 } return value == 0 || last < 3 }
    success init failure late } }
state late non-accepting";
    let program = module(
        r#"(func (export "main") (local $a i32)
             (local.set $a (call $four))
             (call $digital_write (i32.const 13) (i32.gt_u (local.get $a) (i32.const 9)))
             (call $digital_write (i32.const 12) (i32.const 1))
             (call $digital_write (i32.const 13) (i32.and (call $four) (i32.const 1))))"#,
    );
    let (violated, all) = check(&program, &[dark]);
    assert!(violated > 0 && violated < all, "{violated} of {all}");
}

#[test]
fn since_when_it_could_not_be_avoided() {
    let program = module(
        r#"(func $f (param $number i32))
           (func (export "main") (local $a i32)
             (local.set $a (call $four))
             (drop (call $odd))
             (if (i32.lt_s (local.get $a) (i32.const 3)) (then (call $f (i32.const 9))))
             (call $f (call $four)))"#,
    );
    let mut explorer = Explorer::new(watched(&program, &[SMALL]), Options::default());
    explorer.run(&Stop::default(), &mut |_| {});
    let mut found = Vec::new();
    for path in explorer.paths() {
        let Some(since) = explorer.inevitable(path, 0, &Stop::default()) else { continue };
        let (leaf, other) = (explorer.leaf_of(path).unwrap(), since.avoided.unwrap());
        let other = explorer.leaf_of(other).unwrap();
        let class = |leaf: &Leaf| leaf.steps[since.readings - 1].class.show().unwrap();
        found.push((since.readings, since.paths, class(&leaf), class(&other)));
        assert!(since.is_exact);
    }
    let expected = [(1, 1, "0..2".into(), "3..15".into()), (3, 1, "5..15".into(), "0..4".into())];
    assert_eq!(found, expected);
}

#[test]
fn one_universe_is_looked_for_and_what_cannot_lead_there_is_left() {
    let program = module(
        r#"(func $f (param $number i32)) (func $g)
           (func (export "main")
             (if (i32.eq (call $four) (i32.const 7)) (then (call $f (i32.const 1))))
             (drop (call $odd)) (if (call $odd) (then (call $g))))"#,
    );
    let property = "state init accepting {
  transition { before event f(number) success ruled_out }
  transition { before event g() success wrong } }
state ruled_out accepting
state wrong non-accepting";
    let looked_for = |which: usize, to: &str| {
        let now = watched(&program, &[property]);
        let (automaton, _) = now.monitors.as_deref().unwrap().get(which).unwrap();
        let states = vec![automaton.state_named(to).unwrap()];
        let goal = Some(Goal::Property(PropertyGoal { which, states }));
        let options = Options { goal, jobs: 1, ..Options::default() };
        let mut explorer = Explorer::new(now, options);
        explorer.run(&Stop::default(), &mut |_| {});
        explorer.all_leaves().into_iter().map(|leaf| leaf.end).collect::<Vec<_>>()
    };
    assert!(looked_for(0, "wrong").contains(&End::Reached));
    assert!(looked_for(0, "ruled_out").contains(&End::Reached));
    let violated = looked_for(0, "wrong");
    assert!(violated.contains(&End::OutOfReach) || violated.contains(&End::Cut(Cut::Found)));
}

#[test]
fn what_is_open_at_the_end() {
    let answered = "state init accepting { transition { before event f(number) success asked } }
state asked { transition { before event g() success init } }";
    let program = module(
        r#"(func $f (param $number i32)) (func $g)
           (func (export "main") (local $a i32)
             (local.set $a (call $four))
             (call $f (local.get $a))
             (if (i32.div_s (i32.const 100) (i32.sub (local.get $a) (i32.const 7)))
               (then (if (i32.lt_s (local.get $a) (i32.const 12)) (then (call $g))))))"#,
    );
    assert_eq!(check(&program, &[answered]).0, 0);
}

#[test]
fn the_end_and_a_trap_are_events() {
    let ended = "initialization { calls = 0 }
state init accepting {
  transition { before event f(number) success { calls = calls + number } init }
  transition { event end { return calls < 9 } success init failure many }
  transition { event trap { return calls > 3 } success init failure early } }
state many non-accepting
state early non-accepting";
    let program = module(
        r#"(func $f (param $number i32))
           (func (export "main") (local $a i32)
             (local.set $a (call $four))
             (call $f (local.get $a))
             (drop (i32.div_s (i32.const 100) (i32.and (local.get $a) (i32.const 2))))
             (call $f (call $odd)))"#,
    );
    let (violated, all) = check(&program, &[ended]);
    assert!(violated > 0 && violated < all, "{violated} of {all}");
}
