//! Types, values, domains and sources as a world file writes them.

use mw_vm::{FuncType, ValType, Value};

use super::reader::{Fields, Node};
use super::{Loader, WorldFileError};
use crate::domain::{Domain, Floats, Integers, Number, Range};
use crate::source::Source;

const TYPES: [(&str, ValType); 4] =
    [("i32", ValType::I32), ("i64", ValType::I64), ("f32", ValType::F32), ("f64", ValType::F64)];

fn value_type(node: Node<'_>) -> Result<ValType, WorldFileError> {
    let name = node.string("a type")?;
    let found = TYPES.iter().find(|(known, _)| *known == name);
    found.map(|(_, ty)| *ty).ok_or_else(|| {
        node.error(format!("{name:?} is not a type"), "the types are i32, i64, f32 and f64")
    })
}

/// The type that `params` and `result` give.
pub(super) fn func_type(fields: &Fields<'_>) -> Result<FuncType, WorldFileError> {
    let params = match fields.get("params") {
        Some(node) => node.list("params")?.into_iter().map(value_type).collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    let results: Vec<ValType> =
        fields.get("result").map(value_type).transpose()?.into_iter().collect();
    Ok(FuncType::new(params, results))
}

fn is_float(ty: ValType) -> bool {
    matches!(ty, ValType::F32 | ValType::F64)
}

const DOMAIN_HELP: &str = "write a number, a range such as \"0..4095\", a list of these, \
                           names such as { low = 0, high = 1 }, or \"any\"";

/// A domain of values of type `ty`.
pub(super) fn domain(node: Node<'_>, ty: ValType) -> Result<Domain, WorldFileError> {
    let bad = |node: Node<'_>, problem: &str| node.error(problem, DOMAIN_HELP);
    let domain = if let Some(names) = node.as_entries() {
        let mut named = Vec::new();
        for (name, node) in names {
            named.push((node.integer("the value of a name")?, name.to_owned()));
        }
        let set = Integers::new(named.iter().map(|(v, _)| Range::new(*v, *v)));
        let set = set.ok_or_else(|| bad(node, "a domain without values"))?;
        Domain::Integers(set.with_names(named))
    } else if node.as_string() == Some("any") {
        Domain::all(ty).ok_or_else(|| bad(node, "no such domain"))?
    } else {
        let parts = node.as_list().unwrap_or_else(|| vec![node]);
        let parts: Vec<(Number, Number)> =
            parts.into_iter().map(range).collect::<Result<_, _>>()?;
        union(&parts, ty).ok_or_else(|| bad(node, "a domain without values, or of another type"))?
    };
    let narrowed = domain.narrowed(ty);
    match narrowed {
        Some(narrowed) if is_float(ty) || narrowed == domain => Ok(narrowed),
        _ => Err(node.error(
            format!("not all of {domain} is of type {ty}"),
            match Domain::all(ty) {
                Some(all) if !is_float(ty) => format!("{ty} is signed and holds {all}"),
                _ => DOMAIN_HELP.to_owned(),
            },
        )),
    }
}

/// The union of ranges; only one range for floats.
fn union(parts: &[(Number, Number)], ty: ValType) -> Option<Domain> {
    if is_float(ty) {
        let float = |n: Number| match n {
            Number::Integer(v) => v as f64,
            Number::Float(v) => v,
        };
        let [(low, high)] = parts else { return None };
        return Floats::new(float(*low), float(*high)).map(Domain::Floats);
    }
    let mut ranges = Vec::new();
    for part in parts {
        let (Number::Integer(low), Number::Integer(high)) = part else { return None };
        if low > high {
            return None;
        }
        ranges.push(Range::new(*low, *high));
    }
    Integers::new(ranges).map(Domain::Integers)
}

fn parse_number(text: &str) -> Option<Number> {
    let text = text.trim();
    let integer = text.parse().ok().map(Number::Integer);
    integer.or_else(|| text.parse().ok().map(Number::Float))
}

fn range(node: Node<'_>) -> Result<(Number, Number), WorldFileError> {
    if let Some(number) = node.number() {
        return Ok((number, number));
    }
    let text = node.as_string().unwrap_or_default();
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    match (parse_number(low), parse_number(high)) {
        (Some(low), Some(high)) => Ok((low, high)),
        _ => Err(node.error("this is not a domain", DOMAIN_HELP)),
    }
}

/// The text of a value in `domain`: a number or a name.
pub(super) fn parse_value(text: &str, domain: &Domain, ty: ValType) -> Result<Value, String> {
    let number = domain.named(text).map(Number::Integer).or_else(|| parse_number(text));
    let number = number.ok_or_else(|| format!("{text:?} is not a value"))?;
    if matches!(number, Number::Float(_)) && !is_float(ty) {
        return Err(format!("{text} is not a whole number"));
    }
    let wide = number.to_value(if is_float(ty) { ValType::F64 } else { ValType::I64 });
    domain.check(wide).map_err(|refusal| refusal.to_string())?;
    Ok(number.to_value(ty))
}

/// A value in `domain`: a number or a name.
pub(super) fn value(node: Node<'_>, domain: &Domain, ty: ValType) -> Result<Value, WorldFileError> {
    let text = match (node.as_string(), node.number()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(number)) => number
            .to_value(match number {
                Number::Integer(_) => ValType::I64,
                Number::Float(_) => ValType::F64,
            })
            .to_string(),
        (None, None) => return Err(node.error("this is not a value", "write a number or a name")),
    };
    parse_value(&text, domain, ty)
        .map_err(|problem| node.error(problem, format!("write a value of {domain}")))
}

/// A source of values in `domain`.
pub(super) fn source(
    node: Node<'_>,
    domain: &Domain,
    ty: ValType,
    load: Loader<'_>,
) -> Result<Source, WorldFileError> {
    if node.as_string() == Some("ask") {
        return Ok(Source::Ask);
    }
    let help = "write { constant = … }, { random = seed }, { recorded = \"file\" } or \"ask\"";
    let Some([(kind, node)]) = node.as_entries().and_then(|e| <[_; 1]>::try_from(e).ok()) else {
        return Err(node.error("this is not a source of values", help));
    };
    match kind {
        "constant" => Ok(Source::Constant(value(node, domain, ty)?)),
        "random" => Ok(Source::Random { seed: node.integer("a seed")? as u64 }),
        "recorded" => recorded(node, domain, ty, load),
        _ => Err(node.error(format!("{kind:?} is not a source of values"), help)),
    }
}

fn recorded(
    node: Node<'_>,
    domain: &Domain,
    ty: ValType,
    load: Loader<'_>,
) -> Result<Source, WorldFileError> {
    let path = node.string("the recording")?;
    let text = load(path).map_err(|reason| {
        node.error(format!("the recording {path:?} cannot be read: {reason}"), "check its name")
    })?;
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words = line.split(|c: char| c.is_whitespace() || c == ',');
        for word in words.filter(|word| !word.is_empty()) {
            values.push(parse_value(word, domain, ty).map_err(|problem| {
                let line = index + 1;
                node.error(
                    format!("{path}:{line}: {problem}"),
                    "correct the recording or the domain",
                )
            })?);
        }
    }
    Ok(Source::Recorded(values.into()))
}
