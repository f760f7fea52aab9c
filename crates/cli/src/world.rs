//! Choosing a world, binding it to a program, and setting its inputs from the command line.

use std::path::Path;
use std::sync::Arc;

use mw_api::Setup;
use mw_vm::{FuncType, Module, ValType, Value};
use mw_world::{Call, Description, Domain, Import, Kind, World};

use crate::failure::Failure;
use crate::files;
use crate::suggest::{did_you_mean, list};
use crate::values;

/// The name of the built-in world.
pub const BOARD: &str = "board";

/// The world that `--world` names: the built-in one or a file.
pub fn describe(name: &str) -> Result<Arc<Description>, Failure> {
    if name == BOARD {
        return Ok(Arc::new(Description::board(Default::default())));
    }
    let description = Description::parse(name, &read(name)?, &loader(name));
    description.map(Arc::new).map_err(|error| Failure::Unusable(error.to_string()))
}

/// What a debugging session begins with, in the world that `--world` names.
pub fn furnish(setup: Setup, name: &str) -> Result<Setup, Failure> {
    if name == BOARD {
        return Ok(setup);
    }
    let furnished = setup.world_file(name, &read(name)?, &loader(name));
    furnished.map_err(|error| Failure::Unusable(error.message))
}

fn read(name: &str) -> Result<String, Failure> {
    files::read_text(Path::new(name)).map_err(|error| {
        Failure::Unusable(format!(
            "the world file {name} cannot be read: {error}; the built-in world is {BOARD}"
        ))
    })
}

/// Reads the recordings that a world file names, from beside it.
fn loader(name: &str) -> impl Fn(&str) -> Result<String, String> {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    move |recording| files::read_text(&folder.join(recording)).map_err(|error| error.to_string())
}

/// The world with the program's imports bound to it.
pub fn bind(description: &Arc<Description>, module: &Module) -> Result<World, Failure> {
    let imports = module.imports().map(|(import, ty)| Import {
        module: &import.module,
        name: &import.field,
        ty,
    });
    description.bind(imports).map_err(|error| Failure::Unusable(error.to_string()))
}

/// Does what `--set` says: `chip_analog_read(12)=77` makes that input return 77 from now on.
pub fn set(world: &mut World, setting: &str) -> Result<(), Failure> {
    let wrong = |problem: String| Failure::Usage(format!("--set '{setting}': {problem}"));
    let help = "write a call and its value, such as chip_analog_read(12)=77";
    let (call, text) = setting.split_once('=').ok_or_else(|| wrong(help.into()))?;
    let call = call.trim();
    let (name, words) = match call.strip_suffix(')').map(|call| call.split_once('(')) {
        None => (call, ""),
        Some(Some((name, words))) => (name.trim(), words),
        Some(None) => return Err(wrong(help.into())),
    };
    let import = find_input(world, name).map_err(wrong)?;
    let ty = import_type(world, import);
    let words: Vec<&str> = match words.trim() {
        "" => Vec::new(),
        words => words.split(',').collect(),
    };
    if words.len() != ty.params.len() {
        return Err(wrong(format!(
            "{name} {ty} takes {} and gets {}; every combination of arguments has its own value",
            arguments(ty.params.len()),
            words.len()
        )));
    }
    let args = words.iter().zip(&ty.params).map(|(word, ty)| values::parse(word, *ty));
    let args: Vec<Value> = args.collect::<Result<_, _>>().map_err(wrong)?;
    let call = Call { import, args: &args };
    let result = ty.results.first().copied().unwrap_or(ValType::I32);
    let domain = world.domain(call).map_err(|error| wrong(error.to_string()))?.into_owned();
    let value = parse_answer(text, &domain, result).map_err(wrong)?;
    world.set_reading(call, Some(value)).map_err(|error| wrong(error.to_string()))?;
    Ok(())
}

/// A value for an input: a number, or a name that its domain gives to one.
pub fn parse_answer(text: &str, domain: &Domain, ty: ValType) -> Result<Value, String> {
    match (domain.named(text.trim()), ty) {
        (Some(number), ValType::I32) => Ok(Value::I32(number as i32)),
        (Some(number), ValType::I64) => Ok(Value::I64(number)),
        _ => values::parse(text, ty),
    }
}

/// The type under which the program imports a primitive.
pub fn import_type(world: &World, import: u32) -> FuncType {
    let found = world.imports().nth(import as usize).map(|(_, ty)| ty.clone());
    found.unwrap_or_else(|| FuncType::new([], []))
}

fn find_input(world: &World, name: &str) -> Result<u32, String> {
    let imports: Vec<(u32, String)> =
        (0..).zip(world.imports().map(|(primitive, _)| primitive.full_name())).collect();
    let is_input = |import: u32| matches!(world.kind(import), Ok(Kind::Input));
    match world.find(name) {
        Some(import) if is_input(import) => Ok(import),
        Some(_) => Err(format!("{name} is not an input: there is no value to set")),
        None => {
            let inputs = imports.iter().filter(|(import, _)| is_input(*import));
            let inputs = || inputs.clone().map(|(_, name)| name.as_str());
            Err(format!(
                "the program imports no {name}{}\nits inputs are: {}",
                did_you_mean(name, inputs()),
                list(inputs(), "none")
            ))
        }
    }
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".into() } else { format!("{count} arguments") }
}
