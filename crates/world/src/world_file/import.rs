//! The `[import.<module>.<name>]` tables: what each import is.

use mw_vm::{FuncType, ValType, Value};

use super::reader::{Fields, Node};
use super::{Loader, WorldFileError, values};
use crate::answer::Brings;
use crate::description::Description;
use crate::domain::{Domain, Number};
use crate::primitive::{
    Act, Answers, Bearing, Compensation, Input, Operand, Output, Primitive, PrimitiveId,
    RegisterId, Role,
};
use crate::source::Source;
use crate::symbolic;

const KEYS: [&str; 11] = [
    "kind",
    "like",
    "params",
    "result",
    "domain",
    "source",
    "buffer",
    "sets",
    "returns",
    "says",
    "compensation",
];
const INPUT_KEYS: [&str; 3] = ["domain", "source", "buffer"];
const OUTPUT_KEYS: [&str; 4] = ["sets", "returns", "says", "compensation"];

/// Adds the imports to `description`, over those of the same name.
pub(super) fn read(
    node: Node<'_>,
    description: &mut Description,
    load: Loader<'_>,
) -> Result<(), WorldFileError> {
    let has_board = description.board.is_some();
    let mut base = description.primitives.clone();
    base.extend(symbolic::primitives(has_board));
    let mut declared = Vec::new();
    for (module, node) in node.entries("[import]")? {
        for (name, node) in node.entries(&format!("[import.{module}]"))? {
            let fields = node.fields(&format!("[import.{module}.{name}]"), &KEYS)?;
            let primitive = primitive(module, name, &fields, &base, description, load)?;
            declared.push((description.put(primitive), fields));
        }
    }
    // A compensation may call an import that is declared after it.
    for (id, fields) in declared {
        if let Some(node) = fields.get("compensation") {
            let compensation = compensation(node, id, description)?;
            if let Role::Output(output) = &mut description.primitives[id.0 as usize].role {
                output.compensation = compensation;
            }
        }
    }
    Ok(())
}

/// The primitive that `module.name` names in `primitives`; the module is `env` when left out.
pub(super) fn find(primitives: &[Primitive], full_name: &str) -> Option<PrimitiveId> {
    let (module, name) = full_name.rsplit_once('.').unwrap_or(("env", full_name));
    let found = primitives.iter().position(|p| p.module == module && p.name == name);
    found.map(|index| PrimitiveId(index as u32))
}

fn primitive(
    module: &str,
    name: &str,
    fields: &Fields<'_>,
    base: &[Primitive],
    description: &Description,
    load: Loader<'_>,
) -> Result<Primitive, WorldFileError> {
    let (module, name) = (module.to_owned(), name.to_owned());
    let named = |model: &Primitive| Primitive {
        module: module.clone(),
        name: name.clone(),
        ..model.clone()
    };
    let Some(kind) = fields.get("kind") else {
        let model = match fields.get("like") {
            Some(node) => {
                let like = node.string("like")?;
                let found = find(base, like).map(|id| &base[id.0 as usize]);
                found.ok_or_else(|| {
                    node.error(
                        format!("there is no {like:?} to be like"),
                        "name a primitive of the board, and extend the board",
                    )
                })?
            }
            None => {
                base.iter().find(|p| p.module == module && p.name == name).ok_or_else(|| {
                    let problem = format!("{module}.{name} has no kind");
                    fields.error(problem, "add kind = \"input\", \"output\" or \"abort\"")
                })?
            }
        };
        return adapted(named(model), fields, load);
    };
    fields.forbid(&["like"], "it has a kind of its own")?;
    let ty = values::func_type(fields)?;
    let role = match kind.string("kind")? {
        "input" => {
            fields.forbid(&OUTPUT_KEYS, "it is an input")?;
            Role::Input(input(fields, &ty, load)?)
        }
        "output" => {
            fields.forbid(&INPUT_KEYS, "it is an output")?;
            Role::Output(output(fields, &ty, description)?)
        }
        "abort" => {
            fields.forbid(&INPUT_KEYS, "it ends the program")?;
            fields.forbid(&OUTPUT_KEYS, "it ends the program")?;
            Role::Abort
        }
        other => {
            let problem = format!("{other:?} is not a kind of import");
            return Err(kind.error(problem, "write \"input\", \"output\" or \"abort\""));
        }
    };
    Ok(Primitive { module, name, types: vec![ty], role })
}

/// A primitive of the board with what the table mentions put in.
fn adapted(
    mut primitive: Primitive,
    fields: &Fields<'_>,
    load: Loader<'_>,
) -> Result<Primitive, WorldFileError> {
    let keep = "it keeps the board's; give it a kind to declare it anew";
    fields.forbid(&["params", "result", "sets", "returns", "says"], keep)?;
    let ty = primitive.types.first().and_then(|ty| ty.results.first().copied());
    match (&mut primitive.role, ty) {
        (Role::Input(input), Some(ty)) => {
            fields.forbid(&["compensation"], "it is an input")?;
            if let Some(node) = fields.get("domain") {
                input.answers = Answers::Values(values::domain(node, ty)?);
            }
            if let Some(node) = fields.get("source") {
                let all = Domain::all(ty);
                let domain = match &input.answers {
                    Answers::Values(domain) => Some(domain),
                    _ => all.as_ref(),
                };
                if let Some(domain) = domain {
                    input.source = values::source(node, domain, ty, load)?;
                }
            }
        }
        _ => fields.forbid(&INPUT_KEYS, "it is not an input")?,
    }
    Ok(primitive)
}

fn input(fields: &Fields<'_>, ty: &FuncType, load: Loader<'_>) -> Result<Input, WorldFileError> {
    fields.require("result")?;
    let Some(result) = ty.results.first().copied() else {
        return Err(fields.error("an input returns something", "add result = \"i32\""));
    };
    let domain = values::domain(fields.require("domain")?, result)?;
    let source = match fields.get("source") {
        Some(node) => values::source(node, &domain, result, load)?,
        None => Source::Constant(domain.nearest(Number::Integer(0).to_value(result))),
    };
    let brings = fields.get("buffer").map(|node| buffer(node, ty)).transpose()?;
    Ok(Input { answers: Answers::Values(domain), source, brings })
}

/// Where the bytes of an answer go: `{ address = "$1", size = "$2", counted = "yes" }`.
fn buffer(node: Node<'_>, ty: &FuncType) -> Result<Brings, WorldFileError> {
    let fields = node.fields("a buffer", &["address", "size", "counted"])?;
    let argument_of = |key| {
        let node = fields.require(key)?;
        let index = argument(node, node.string(key)?, ty)?;
        match ty.params[index] {
            ValType::I32 => Ok(index),
            other => Err(node.error(format!("${index} is of type {other}"), "use one of type i32")),
        }
    };
    let is_counted = match fields.get("counted").map(|node| (node, node.as_string())) {
        None | Some((_, Some("no"))) => false,
        Some((_, Some("yes"))) => true,
        Some((node, _)) => {
            let help = "write \"yes\" if it returns how many bytes it brings, else \"no\"";
            return Err(node.error("this is neither \"yes\" nor \"no\"", help));
        }
    };
    Ok(Brings { address: argument_of("address")?, room: argument_of("size")?, is_counted })
}

fn output(
    fields: &Fields<'_>,
    ty: &FuncType,
    description: &Description,
) -> Result<Output, WorldFileError> {
    let mut sets = Vec::new();
    if let Some(node) = fields.get("sets") {
        for (name, node) in node.entries("sets")? {
            let register = register(node, name, description)?;
            let operand = operand(node, ty, description)?;
            let into = description.registers[register.0 as usize].1;
            let from = match &operand {
                Operand::Argument(index) => Value::zero(ty.params[*index]),
                Operand::Register(from) => description.registers[from.0 as usize].1,
                Operand::Constant(value) => *value,
            };
            if let (Some(Number::Integer(_)), Some(Number::Float(_))) =
                (Number::of(into), Number::of(from))
            {
                return Err(node.error(
                    format!("{name} holds whole numbers and this is a float"),
                    format!("start it as a float: {name} = 0.0"),
                ));
            }
            sets.push((register, operand));
        }
    }
    let returns = match (fields.get("returns"), ty.results.first()) {
        (None, _) => None,
        (Some(node), Some(ty)) => match Domain::all(*ty) {
            Some(all) => Some(values::value(node, &all, *ty)?),
            None => None,
        },
        (Some(node), None) => {
            return Err(
                node.error("it returns something but has no result", "add result = \"i32\"")
            );
        }
    };
    let says = fields.get("says").map(|node| node.string("says")).transpose()?.map(str::to_owned);
    let compensation = if sets.is_empty() { Compensation::Nothing } else { Compensation::Restore };
    let act = Act::Registers { sets, returns, says };
    Ok(Output { act, bearing: &[Bearing::None], omits_buffer: false, compensation })
}

fn register(
    node: Node<'_>,
    name: &str,
    description: &Description,
) -> Result<RegisterId, WorldFileError> {
    description.find_register(name).ok_or_else(|| {
        node.error(
            format!("there is no register {name:?}"),
            format!("declare it under [registers]: {name} = 0"),
        )
    })
}

/// `"$0"` is an argument, another string a register, a number itself.
fn operand(
    node: Node<'_>,
    ty: &FuncType,
    description: &Description,
) -> Result<Operand, WorldFileError> {
    let Some(text) = node.as_string() else {
        return match node.number() {
            Some(Number::Integer(v)) => Ok(Operand::Constant(Value::I64(v))),
            Some(Number::Float(v)) => Ok(Operand::Constant(Value::from(v))),
            None => Err(node.error(
                "this is not a value",
                "write a number, a register, or \"$0\" for the first argument",
            )),
        };
    };
    match text.starts_with('$') {
        true => argument(node, text, ty).map(Operand::Argument),
        false => register(node, text, description).map(Operand::Register),
    }
}

/// The argument that `"$0"` is the first of.
fn argument(node: Node<'_>, text: &str, ty: &FuncType) -> Result<usize, WorldFileError> {
    let index = text.strip_prefix('$').and_then(|index| index.parse().ok());
    index.filter(|index| *index < ty.params.len()).ok_or_else(|| {
        node.error(
            format!("there is no argument {text}"),
            format!("it has {} parameters, counted from $0", ty.params.len()),
        )
    })
}

fn compensation(
    node: Node<'_>,
    id: PrimitiveId,
    description: &Description,
) -> Result<Compensation, WorldFileError> {
    let primitive = &description.primitives[id.0 as usize];
    let Role::Output(output) = &primitive.role else {
        return Err(node.error("only an output has a compensation", "remove it"));
    };
    let (sets, on_board) = match &output.act {
        Act::Registers { sets, .. } => (sets.as_slice(), false),
        Act::Board(_) | Act::Behaviour(_) | Act::Says(_) | Act::Task(_) => (&[][..], true),
    };
    let set_names = || {
        let name = |(register, _): &(RegisterId, _)| {
            format!("{:?}", description.registers[register.0 as usize].0)
        };
        sets.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let lasting = "what it changes would stay changed";
    match node.as_string() {
        Some("irreversible") => return Ok(Compensation::Irreversible),
        Some("restore") => return Ok(Compensation::Restore),
        Some("none") if sets.is_empty() && !on_board => return Ok(Compensation::Nothing),
        Some("none") => {
            return Err(node.error(lasting, "write compensation = \"restore\""));
        }
        _ => {}
    }
    let fields = node.fields("a compensation", &["restore", "call", "args"])?;
    match (fields.get("restore"), fields.get("call")) {
        (Some(node), None) => {
            fields.forbid(&["args"], "it restores")?;
            let names = node.as_list().unwrap_or_else(|| vec![node]);
            let mut restored = Vec::new();
            for node in names {
                restored.push(register(node, node.string("a register")?, description)?);
            }
            match sets.iter().all(|(register, _)| restored.contains(register)) {
                true => Ok(Compensation::Restore),
                false => Err(node.error(
                    format!("it does not restore all that it sets: {lasting}"),
                    format!("write restore = [{}]", set_names()),
                )),
            }
        }
        (None, Some(node)) => call(node, fields.get("args"), primitive, description),
        _ => Err(node.error(
            "this is not a compensation",
            "write \"restore\", \"none\", \"irreversible\" or { call = \"env.name\", args = [] }",
        )),
    }
}

fn call(
    node: Node<'_>,
    args: Option<Node<'_>>,
    caller: &Primitive,
    description: &Description,
) -> Result<Compensation, WorldFileError> {
    let name = node.string("call")?;
    let found = find(&description.primitives, name);
    let called = found.map(|id| (id, &description.primitives[id.0 as usize]));
    let Some((id, Primitive { types, role: Role::Output(_), .. })) = called else {
        return Err(node.error(
            format!("{name:?} is not an output of this world"),
            "call an output that is declared here or is the board's",
        ));
    };
    let (Some(ty), Some(own)) = (types.first(), caller.types.first()) else {
        return Err(node.error(format!("{name:?} has no type"), "declare its params"));
    };
    let list = args.map(|args| args.list("args")).transpose()?.unwrap_or_default();
    if list.len() != ty.params.len() {
        return Err(args.unwrap_or(node).error(
            format!("{name} takes {} arguments and gets {}", ty.params.len(), list.len()),
            "write args = [ … ] with one for each",
        ));
    }
    let args =
        list.into_iter().map(|node| operand(node, own, description)).collect::<Result<_, _>>()?;
    Ok(Compensation::Call { primitive: id, args })
}
