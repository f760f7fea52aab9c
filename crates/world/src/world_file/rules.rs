//! The `[[rules]]`: what the program has put out restricts what it can read.

use mw_vm::{ValType, Value};

use super::import::find;
use super::reader::{Fields, Node};
use super::{WorldFileError, values};
use crate::description::Description;
use crate::domain::Domain;
use crate::primitive::{Answers, PrimitiveId, Role};
use crate::rule::{Condition, Rule, Subject};

/// The rules, in the order of the file.
pub(super) fn read(node: Node<'_>, description: &Description) -> Result<Vec<Rule>, WorldFileError> {
    let rules = node.list("rules (written [[rules]])")?;
    rules.into_iter().map(|node| rule(node, description)).collect()
}

fn rule(node: Node<'_>, description: &Description) -> Result<Rule, WorldFileError> {
    let fields = node.fields("a rule", &["when", "input", "domain"])?;
    let (input, args, result) = call(&fields, description)?;
    let domain_node = fields.require("domain")?;
    let domain = values::domain(domain_node, result)?;
    if let Role::Input(found) = &description.primitives[input.0 as usize].role
        && let Answers::Values(possible) = &found.answers
        && possible.intersect(&domain).is_none()
    {
        return Err(domain_node.error(
            format!("the rule leaves nothing: the input returns {possible}"),
            "give it a part of that",
        ));
    }
    let when_node = fields.require("when")?;
    let (mut when, mut said) = (Vec::new(), Vec::new());
    for (name, node) in when_node.entries("when")? {
        let (subject, ty) = subject(node, name, description)?;
        let domain = values::domain(node, ty)?;
        said.push(format!("{name} is {domain}"));
        when.push(Condition { subject, domain });
    }
    if when.is_empty() {
        return Err(when_node
            .error("the rule has no condition", "add one, or make it the domain of the import"));
    }
    let text = format!(
        "at {}: when {}, {} returns {domain}",
        node.origin(),
        said.join(" and "),
        fields.require("input")?.string("input")?,
    );
    Ok(Rule { when, input, args, domain, text })
}

/// `name(0, _)`: the input, its arguments, and the type that it returns.
fn call(
    fields: &Fields<'_>,
    description: &Description,
) -> Result<(PrimitiveId, Vec<Option<Value>>, ValType), WorldFileError> {
    let node = fields.require("input")?;
    let text = node.string("input")?;
    let (name, args) = match text.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')')),
        None => (text, Some("")),
    };
    let unknown = || {
        node.error(
            format!("{text:?} is not a call of an input of this world"),
            "write an import such as \"color_sensor(0)\" or \"env.color_sensor\"",
        )
    };
    let (id, args) = find(&description.primitives, name.trim()).zip(args).ok_or_else(unknown)?;
    let primitive = &description.primitives[id.0 as usize];
    let (Role::Input(_), Some(ty)) = (&primitive.role, primitive.types.first()) else {
        return Err(unknown());
    };
    let result = ty.results.first().ok_or_else(unknown)?;
    let words: Vec<&str> = args.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
    if !words.is_empty() && words.len() != ty.params.len() {
        return Err(node.error(
            format!("{name} takes {} arguments and gets {}", ty.params.len(), words.len()),
            "write one for each, _ for any, or leave out the parentheses",
        ));
    }
    let parse = |(word, ty): (&&str, &ValType)| {
        if *word == "_" {
            return Ok(None);
        }
        let all = Domain::all(*ty).ok_or_else(unknown)?;
        let value = values::parse_value(word, &all, *ty);
        value.map(Some).map_err(|problem| node.error(problem, "write a number, or _ for any"))
    };
    let args = words.iter().zip(ty.params.iter()).map(parse).collect::<Result<_, _>>()?;
    Ok((id, args, *result))
}

/// `pin 45`, `pwm 9`, `servo 3`, `motor 0`, or a register; and the type of its values.
fn subject(
    node: Node<'_>,
    name: &str,
    description: &Description,
) -> Result<(Subject, ValType), WorldFileError> {
    if let Some(register) = description.find_register(name) {
        let ty = description.registers[register.0 as usize].1.ty();
        return Ok((Subject::Register(register), ty));
    }
    let part = name.split_once(' ').and_then(|(part, number)| {
        let number = number.trim().parse().ok()?;
        match part {
            "pin" => Some(Subject::Pin(number)),
            "pwm" => Some(Subject::Pwm(number)),
            "servo" => Some(Subject::Servo(number)),
            "motor" => Some(Subject::Motor(number)),
            _ => None,
        }
    });
    match (part, &description.board) {
        (Some(subject), Some(_)) => Ok((subject, ValType::I64)),
        (Some(_), None) => Err(node.error(
            format!("{name:?} is a part of a board and this world has none"),
            "add extends = \"board\" at the top",
        )),
        (None, _) => Err(node.error(
            format!("{name:?} is nothing that a rule can look at"),
            "name a register, or \"pin 45\", \"pwm 9\", \"servo 3\" or \"motor 0\" of a board",
        )),
    }
}
