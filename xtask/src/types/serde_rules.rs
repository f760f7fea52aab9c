//! What serde is told about a type, a variant or a field.

use anyhow::{Result, bail};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The attributes that matter for how something is written.
#[derive(Default)]
pub struct Rules {
    pub tag: Option<String>,
    pub content: Option<String>,
    pub untagged: bool,
    pub rename: Option<String>,
    pub rename_all: Option<String>,
    pub default: bool,
    pub flatten: bool,
    pub skip: bool,
    pub may_be_missing: bool,
}

impl Rules {
    pub fn of(attributes: &[Attribute]) -> Result<Rules> {
        let mut rules = Rules::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                let text =
                    || Ok::<_, syn::Error>(Some(meta.value()?.parse::<syn::LitStr>()?.value()));
                match name.as_str() {
                    "tag" => rules.tag = text()?,
                    "content" => rules.content = text()?,
                    "rename" => rules.rename = text()?,
                    "rename_all" => rules.rename_all = text()?,
                    "untagged" => rules.untagged = true,
                    "flatten" => rules.flatten = true,
                    "skip" => rules.skip = true,
                    "deny_unknown_fields" => {}
                    "skip_serializing_if" => {
                        text()?;
                        rules.may_be_missing = true;
                    }
                    "default" => {
                        if meta.input.peek(syn::Token![=]) {
                            text()?;
                        }
                        rules.default = true;
                    }
                    other => return Err(meta.error(format!("the rule {other} is not known"))),
                }
                Ok(())
            })?;
        }
        Ok(rules)
    }

    /// How a name is written within something that has these rules.
    pub fn renamed(&self, name: &str, is_variant: bool) -> Result<String> {
        let words = if is_variant { words(name) } else { name.to_owned() };
        Ok(match self.rename_all.as_deref() {
            None => name.to_owned(),
            Some("kebab-case") => words.replace('_', "-"),
            Some("snake_case") => words,
            Some("lowercase") => words.replace('_', ""),
            Some(other) => bail!("the rule rename_all = {other} is not known"),
        })
    }
}

/// `OneWord` as `one_word`.
fn words(name: &str) -> String {
    let mut text = String::new();
    for (index, c) in name.chars().enumerate() {
        if c.is_uppercase() && index > 0 {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

/// The comment of something.
pub fn comment(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ").replace("*/", "* /").trim().to_owned()
}
