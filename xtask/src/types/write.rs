//! From Rust types to TypeScript.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use syn::{Fields, GenericArgument, Item, PathArguments};

use super::read::{TypeId, Types};
use super::serde_rules::{Rules, comment};

/// Lines longer than this are broken.
const WIDTH: usize = 100;

/// Everything that is reachable from some types of crates: those first, then by name.
pub fn reachable(types: &Types, roots: &[(&str, &str)]) -> Result<String> {
    let mut writer = Writer { types, written: BTreeMap::new(), waiting: Vec::new() };
    let mut first = Vec::new();
    for (krate, root) in roots {
        let id = types.in_crate(krate, root).with_context(|| format!("there is no type {root}"))?;
        writer.waiting.push(id);
        first.push(name_of(types, id));
    }
    while let Some(id) = writer.waiting.pop() {
        let name = name_of(types, id);
        if !writer.written.contains_key(&name) {
            writer.written.insert(name.clone(), (id, String::new()));
            let text = writer.definition(id).with_context(|| format!("the type {name}"))?;
            writer.written.insert(name, (id, text));
        } else if writer.written[&name].0 != id {
            bail!("two types are called {name}: rename one of them in xtask/src/types.rs");
        }
    }
    let mut text = String::new();
    let is_first = |name: &&String| first.contains(name);
    let ordered = first.iter().chain(writer.written.keys().filter(|name| !is_first(name)));
    for name in ordered {
        text += "\n";
        text += &writer.written[name].1;
    }
    Ok(text)
}

/// What a type is called in TypeScript.
fn name_of(types: &Types, id: TypeId) -> String {
    let found = types.get(id);
    let is_it =
        |(krate, name, _): &&(&str, &str, &str)| *krate == found.krate && *name == found.name;
    let renamed = super::RENAMED.iter().find(is_it);
    renamed.map_or_else(|| found.name.clone(), |(_, _, name)| (*name).to_owned())
}

struct Writer<'a> {
    types: &'a Types,
    /// Definitions by name.
    written: BTreeMap<String, (TypeId, String)>,
    /// Types that have been mentioned.
    waiting: Vec<TypeId>,
}

impl Writer<'_> {
    fn definition(&mut self, id: TypeId) -> Result<String> {
        let name = name_of(self.types, id);
        let (attributes, body) = match &self.types.get(id).item {
            Item::Struct(item) => {
                let rules = Rules::of(&item.attrs)?;
                (&item.attrs, format!(" {};", self.structure(id, &item.fields, &rules)?))
            }
            Item::Enum(item) if item.variants.iter().any(|v| self.is_request(id, v)) => {
                (&item.attrs, self.requests(id, item)?)
            }
            Item::Enum(item) => {
                let rules = Rules::of(&item.attrs)?;
                let mut variants = Vec::new();
                for variant in &item.variants {
                    let text = self.variant(id, variant, &rules)?;
                    variants.push((comment(&variant.attrs), text));
                }
                (&item.attrs, union(&name, &variants))
            }
            Item::Type(item) => (&item.attrs, format!(" {};", self.of(id, &item.ty)?)),
            _ => bail!("it is neither a struct nor an enum"),
        };
        Ok(format!("{}export type {name} ={body}\n", commented("", &comment(attributes))))
    }

    /// The value of a struct, over several lines.
    fn structure(&mut self, id: TypeId, fields: &Fields, rules: &Rules) -> Result<String> {
        let Fields::Named(named) = fields else {
            return self.unnamed(id, fields);
        };
        let mut text = String::from("{\n");
        let mut flattened = String::new();
        for field in &named.named {
            let own = Rules::of(&field.attrs)?;
            if own.skip {
                continue;
            }
            if own.flatten {
                flattened += &format!(" & {}", self.of(id, &field.ty)?);
                continue;
            }
            text += &commented("  ", &comment(&field.attrs));
            text += &format!("  {};\n", self.field(id, field, rules)?);
        }
        Ok(text + "}" + &flattened)
    }

    /// `name: type`.
    fn field(&mut self, id: TypeId, field: &syn::Field, rules: &Rules) -> Result<String> {
        let own = Rules::of(&field.attrs)?;
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let name = match own.rename {
            Some(name) => name,
            None => rules.renamed(name.trim_start_matches("r#"), false)?,
        };
        let is_optional = own.default || own.may_be_missing || rules.default;
        let mark = if is_optional { "?" } else { "" };
        Ok(format!("{}{mark}: {}", key(&name), self.of(id, &field.ty)?))
    }

    /// An enum of requests: what each takes and is answered with, by its name.
    fn requests(&mut self, id: TypeId, item: &syn::ItemEnum) -> Result<String> {
        let rules = Rules::of(&item.attrs)?;
        let mut text = String::from(" {\n");
        for variant in &item.variants {
            let name = rules.renamed(&variant.ident.to_string(), true)?;
            let asked = self.payload(id, variant).with_context(|| format!("the request {name}"))?;
            let Item::Struct(found) = &self.types.get(asked).item else {
                bail!("the request {name} is no struct");
            };
            let (types, own) = (self.types, Rules::of(&found.attrs)?);
            let reply = types.reply_to(asked).with_context(|| format!("{name} has no reply"))?;
            let told = |field: &&syn::Field| !Rules::of(&field.attrs).is_ok_and(|own| own.skip);
            let fields = found.fields.iter().filter(told);
            let fields = fields.map(|field| self.field(asked, field, &own));
            let takes = match fields.collect::<Result<Vec<_>>>()?.join("; ").as_str() {
                // What has a name of its own is called by it.
                _ if variant.ident != found.ident => {
                    self.named(id, &found.ident.to_string(), &[])?
                }
                "" => "{}".into(),
                fields => format!("{{ {fields} }}"),
            };
            let reply = self.of(asked, reply)?;
            text += &commented("  ", &comment(&found.attrs));
            text += &format!("  {}: [{takes}, {reply}];\n", key(&name));
        }
        Ok(text + "};")
    }

    fn is_request(&self, id: TypeId, variant: &syn::Variant) -> bool {
        self.payload(id, variant).is_some_and(|asked| self.types.reply_to(asked).is_some())
    }

    /// The type of the only field of a variant.
    fn payload(&self, id: TypeId, variant: &syn::Variant) -> Option<TypeId> {
        let syn::Type::Path(path) = &variant.fields.iter().next()?.ty else { return None };
        self.types.seen_from(id, &path.path.get_ident()?.to_string())
    }

    fn variant(&mut self, id: TypeId, variant: &syn::Variant, rules: &Rules) -> Result<String> {
        let own = Rules::of(&variant.attrs)?;
        let name = variant.ident.to_string();
        let name = match own.rename {
            Some(name) => name,
            None => rules.renamed(&name, true)?,
        };
        let value = match &variant.fields {
            Fields::Unit => None,
            Fields::Named(named) => {
                // Fields are not touched by what is said about variants.
                let fields = named.named.iter().map(|f| self.field(id, f, &Rules::default()));
                Some(format!("{{ {} }}", fields.collect::<Result<Vec<_>>>()?.join("; ")))
            }
            fields => Some(self.unnamed(id, fields)?),
        };
        Ok(match (&rules.tag, &rules.content, value) {
            (_, _, value) if rules.untagged => value.unwrap_or_else(|| "null".into()),
            (None, _, None) => format!("{name:?}"),
            (None, _, Some(value)) => format!("{{ {}: {value} }}", key(&name)),
            (Some(tag), _, None) => format!("{{ {}: {name:?} }}", key(tag)),
            (Some(tag), Some(content), Some(value)) => {
                format!("{{ {}: {name:?}; {}: {value} }}", key(tag), key(content))
            }
            (Some(tag), None, Some(value)) => match value.strip_prefix("{ ") {
                Some(fields) => format!("{{ {}: {name:?}; {fields}", key(tag)),
                None => format!("({{ {}: {name:?} }} & {value})", key(tag)),
            },
        })
    }

    fn unnamed(&mut self, id: TypeId, fields: &Fields) -> Result<String> {
        let all = fields.iter().map(|field| self.of(id, &field.ty)).collect::<Result<Vec<_>>>()?;
        Ok(match all.as_slice() {
            [] => "null".into(),
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        })
    }

    /// A type where it is used.
    fn of(&mut self, from: TypeId, ty: &syn::Type) -> Result<String> {
        match ty {
            syn::Type::Path(path) => {
                let Some(last) = path.path.segments.last() else { bail!("an empty path") };
                let mut arguments = Vec::new();
                if let PathArguments::AngleBracketed(given) = &last.arguments {
                    for argument in &given.args {
                        if let GenericArgument::Type(ty) = argument {
                            arguments.push(self.of(from, ty)?);
                        }
                    }
                }
                self.named(from, &last.ident.to_string(), &arguments)
            }
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Ok("null".into()),
            syn::Type::Tuple(tuple) => {
                let all = tuple.elems.iter().map(|ty| self.of(from, ty));
                Ok(format!("[{}]", all.collect::<Result<Vec<_>>>()?.join(", ")))
            }
            syn::Type::Array(array) => {
                Ok(format!("{}[]", in_brackets(&self.of(from, &array.elem)?)))
            }
            _ => bail!("this kind of type is not known"),
        }
    }

    fn named(&mut self, from: TypeId, name: &str, arguments: &[String]) -> Result<String> {
        Ok(match (name, arguments) {
            ("String" | "str" | "char", []) => "string".into(),
            ("bool", []) => "boolean".into(),
            (
                "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "f32"
                | "f64",
                [],
            ) => "number".into(),
            ("Option", [one]) => format!("{one} | null"),
            ("Box" | "Arc" | "Rc", [one]) => one.clone(),
            ("Vec" | "BTreeSet", [one]) => format!("{}[]", in_brackets(one)),
            ("BTreeMap" | "HashMap", [_, value]) => format!("{{ [key: string]: {value} }}"),
            _ => {
                let known = self.types.seen_from(from, name);
                let id = known.with_context(|| format!("{name} is not a type that is known"))?;
                self.waiting.push(id);
                name_of(self.types, id)
            }
        })
    }
}

/// The variants of an enum, on one line if they fit and nothing is said about them.
fn union(name: &str, variants: &[(String, String)]) -> String {
    let texts: Vec<&str> = variants.iter().map(|(_, text)| text.as_str()).collect();
    let line = texts.join(" | ");
    let has_comments = variants.iter().any(|(comment, _)| !comment.is_empty());
    if !has_comments && name.len() + line.len() + 16 <= WIDTH {
        return format!(" {line};");
    }
    let mut body = String::new();
    for (comment, text) in variants {
        body += &format!("\n{}  | {text}", commented("  ", comment));
    }
    body + ";"
}

fn commented(indent: &str, comment: &str) -> String {
    if comment.is_empty() { String::new() } else { format!("{indent}/** {comment} */\n") }
}

/// A name as a key.
fn key(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { name.to_owned() } else { format!("{name:?}") }
}

fn in_brackets(ty: &str) -> String {
    if ty.contains(" | ") && !ty.starts_with('[') && !ty.starts_with('{') {
        format!("({ty})")
    } else {
        ty.to_owned()
    }
}
