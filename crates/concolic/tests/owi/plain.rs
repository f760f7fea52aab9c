//! Exploring programs that import `owi`, and running them plainly.

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_concolic::solver::sat::Sat;
use mw_concolic::{Class, End, Explorer, Leaf, Options, integer};
use mw_vm::{
    Breakpoints, ImportName, ImportValues, Limits, Machine, Module, NoProbe, Stop, ValType, Value,
};
use mw_world::{Call, Description, Import, Kind, Outcome, World};

/// The imports that programs may use.
const IMPORTS: &str = r#"
  (import "owi" "i32_symbol" (func $i32 (result i32)))
  (import "owi" "i64_symbol" (func $i64 (result i64)))
  (import "owi" "f32_symbol" (func $f32 (result f32)))
  (import "owi" "f64_symbol" (func $f64 (result f64)))
  (import "owi" "i8_symbol" (func $i8 (result i32)))
  (import "owi" "char_symbol" (func $char (result i32)))
  (import "owi" "bool_symbol" (func $bool (result i32)))
  (import "owi" "range_symbol" (func $range (param i32 i32) (result i32)))
  (import "owi" "assume" (func $assume (param i32)))
  (import "symbolic" "assume_positive_i32" (func $assume_positive (param i32)))
  (import "owi" "assert" (func $assert (param i32)))
  (import "owi" "alloc" (func $alloc (param i32 i32) (result i32)))
  (import "summaries" "dealloc" (func $free (param i32)))
  (import "owi" "dealloc" (func $dealloc (param i32) (result i32)))
  (import "owi" "exit" (func $exit (param i32)))
  (import "env" "print_int" (func $print (param i32)))
"#;

pub fn module(body: &str) -> String {
    format!("(module {IMPORTS}\n  (memory 1 1) (global $g (mut i32) (i32.const 0))\n{body})")
}

/// A program with nothing but `main`.
pub fn main_with(body: &str) -> String {
    module(&format!("(func (export \"main\") (local $p i32) (local $q i32) (local $i i32) {body})"))
}

pub fn begin(wat: &str) -> (Machine, World) {
    let wasm = wat::parse_str(wat).unwrap_or_else(|error| panic!("{error}\n{wat}"));
    let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap());
    let import = |(name, ty)| {
        let name: &ImportName = name;
        Import { module: &name.module, name: &name.field, ty }
    };
    let imports = module.imports().map(import);
    let world = Arc::new(Description::board(Default::default())).bind(imports).unwrap();
    let mut machine =
        Machine::new(module.clone(), Limits::default(), ImportValues::default()).unwrap();
    machine.call_next(module.exported_func("main").unwrap(), &[]).unwrap();
    (machine, world)
}

/// Explores all of a program.
#[track_caller]
pub fn explore(wat: &str) -> Vec<Leaf> {
    let leaves = explore_from(begin(wat));
    leaves.iter().for_each(|leaf| replay(wat, leaf));
    leaves
}

/// Explores all that comes after a state.
#[track_caller]
pub fn explore_from((machine, world): (Machine, World)) -> Vec<Leaf> {
    let options = Options { backends: vec![Box::new(Sat::new())], ..Options::default() };
    let mut explorer = Explorer::new(mw_ensemble::Moment::new(machine, world), options);
    explorer.run(&mw_concolic::Stop::default(), &mut |_| {});
    assert!(explorer.is_complete(), "{:#?}", explorer.all_leaves());
    explorer.leaves()
}

/// How each path ends, with the values that its first input can have, in order.
#[track_caller]
pub fn ends(wat: &str) -> Vec<(String, String)> {
    let mut ends: Vec<(String, String)> = explore(wat)
        .iter()
        .map(|leaf| {
            let class = match leaf.steps.first().map(|step| &step.class) {
                Some(Class::Exact(set)) => set.to_string().replace(['{', '}'], ""),
                Some(Class::Any(_)) => "any".into(),
                Some(class) => format!("{class:?}"),
                None => String::new(),
            };
            (end(&leaf.end), class)
        })
        .collect();
    ends.sort();
    ends
}

fn end(end: &End) -> String {
    match end {
        End::Heap(error) => error.to_string(),
        End::Trapped(kind) => kind.to_string(),
        End::Aborted(message) => message.clone(),
        end => format!("{end:?}"),
    }
}

/// Runs a program plainly with the inputs of a path: it has to get to where the path ended, as it
/// did.
#[track_caller]
fn replay(wat: &str, leaf: &Leaf) {
    let (machine, world) = begin(wat);
    let mut steps = leaf.steps.iter();
    use mw_concolic::HeapError::{Overflow, UseAfterFree};
    let is_call = !matches!(leaf.end, End::Heap(Overflow | UseAfterFree));
    let ended = run(machine, world, (leaf.count, is_call), &mut |machine, _| {
        let step = steps.next().unwrap_or_else(|| panic!("one more input in\n{wat}\n{leaf:#?}"));
        assert_eq!(step.count, machine.count(), "{wat}\n{leaf:#?}");
        step.value
    });
    let expected = match &leaf.end {
        End::Finished => "Finished",
        End::AssertionFailed => "an assertion of the program does not hold",
        End::Exited => "the program exits with code",
        End::Heap(mw_concolic::HeapError::DoubleFree) => "memory freed twice",
        End::Heap(mw_concolic::HeapError::InvalidFree) => "freed what was not allocated",
        // Nothing stops a plain run there; but it gets there.
        End::Heap(_) => "there",
        End::Trapped(_) => "trapped",
        other => panic!("{other:?} in\n{wat}"),
    };
    assert!(ended.contains(expected), "{ended}, not {expected}, in\n{wat}\n{leaf:#?}");
    assert_eq!(steps.next(), None, "{wat}\n{leaf:#?}");
}

/// Runs up to a number of instructions. An input that nobody answers ends it.
fn run(
    mut machine: Machine,
    mut world: World,
    (count, is_call): (u64, bool),
    answer: &mut dyn FnMut(&Machine, Call<'_>) -> Option<Value>,
) -> String {
    loop {
        // A call is reached by one instruction more, which is not executed.
        let left = (count + u64::from(is_call)).saturating_sub(machine.count());
        match machine.run(left, &Breakpoints::default(), &mut NoProbe) {
            Stop::Import(import) => {
                let (_, args) = machine.import_call().unwrap();
                let call = Call { import, args: &args };
                if world.kind(import) == Ok(Kind::Input) {
                    let Some(value) = answer(&machine, call) else { return "asks".into() };
                    let accepted = world.accept(call, value).unwrap();
                    machine.resume(&accepted.reply.results).unwrap();
                    continue;
                }
                match world.perform(call, &machine).unwrap() {
                    Outcome::Done { reply, .. } => machine.resume(&reply.results).unwrap(),
                    Outcome::Abort { message } => {
                        assert_eq!(machine.count(), count);
                        return message;
                    }
                }
            }
            Stop::Finished => return "Finished".into(),
            Stop::Trap(_) => return "trapped".into(),
            _ => {
                assert_eq!(machine.count(), count);
                return "there".into();
            }
        }
    }
}

/// All runs, with all inputs: how they end, by the inputs. What does not fulfil an assumption is
/// none.
fn all_runs(wat: &str) -> BTreeMap<Vec<i64>, String> {
    let mut runs = BTreeMap::new();
    let mut waiting = vec![Vec::<Value>::new()];
    while let Some(inputs) = waiting.pop() {
        let (mut machine, mut world) = begin(wat);
        let mut left = inputs.iter();
        let ended = loop {
            match machine.run(1_000_000, &Breakpoints::default(), &mut NoProbe) {
                Stop::Import(import) => {
                    let (_, args) = machine.import_call().unwrap();
                    let call = Call { import, args: &args };
                    if world.kind(import) != Ok(Kind::Input) {
                        match world.perform(call, &machine).unwrap() {
                            Outcome::Done { reply, .. } => machine.resume(&reply.results).unwrap(),
                            Outcome::Abort { message } => break message,
                        }
                        continue;
                    }
                    if let Some(value) = left.next() {
                        let accepted = world.accept(call, *value).unwrap();
                        machine.resume(&accepted.reply.results).unwrap();
                        continue;
                    }
                    let module = machine.module();
                    let ty = module.func_type(&module.funcs()[import as usize]).results[0];
                    let Ok(domain) = world.domain(call) else {
                        break "an assumption of the program does not hold".into();
                    };
                    for value in domain.integers().unwrap().values() {
                        let value = match ty {
                            ValType::I64 => Value::I64(value),
                            _ => Value::I32(value as i32),
                        };
                        waiting.push(inputs.iter().copied().chain([value]).collect());
                    }
                    break "asks".into();
                }
                Stop::Finished => break "Finished".into(),
                Stop::Trap(kind) => break kind.to_string(),
                stop => panic!("{stop:?}"),
            }
        };
        if ended != "asks" && ended != "an assumption of the program does not hold" {
            runs.insert(inputs.iter().map(|value| integer(*value)).collect(), ended);
        }
    }
    runs
}

/// Explores a program whose inputs have few values and compares with running it with all of them.
/// Returns how many paths it has.
#[track_caller]
pub fn check(wat: &str) -> usize {
    let leaves = explore(wat);
    let runs = all_runs(wat);
    let mut inputs = 0;
    for leaf in &leaves {
        let example: Vec<i64> =
            leaf.steps.iter().map(|step| integer(step.value.unwrap())).collect();
        let Some(ended) = runs.get(&example) else {
            panic!("{example:?} is no run of\n{wat}\n{leaf:#?}");
        };
        let expected = match &leaf.end {
            End::AssertionFailed => "an assertion of the program does not hold".into(),
            End::Exited => "the program exits with code 0".into(),
            other => end(other),
        };
        assert_eq!(*ended, expected, "{wat}\n{leaf:#?}");
        inputs += leaf.inputs.unwrap_or(0);
        // With the first inputs as they are, all values of a class go the same way.
        for (at, step) in leaf.steps.iter().enumerate() {
            let with = |value: i64| {
                let begins = |run: &&Vec<i64>| run[..at] == example[..at] && run[at] == value;
                runs.keys().any(|run| begins(&run))
            };
            let class: Vec<i64> = match &step.class {
                Class::Exact(set) => set.values().collect(),
                Class::Any(domain) => domain.integers().unwrap().values().collect(),
                class => panic!("{class:?} in\n{wat}"),
            };
            assert!(class.iter().all(|value| with(*value)), "{class:?} in\n{wat}\n{leaf:#?}");
        }
    }
    // The classes are disjoint, so that they are all runs if there are as many.
    assert_eq!(inputs, runs.len() as u128, "{wat}\n{leaves:#?}");
    leaves.len()
}
