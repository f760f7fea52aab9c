//! Binding a module's imports to a world, once, so that a call needs an index and no name.

use std::fmt;
use std::sync::Arc;

use mw_vm::{FuncType, ValType};

use crate::description::Description;
use crate::primitive::Port;
use crate::world::World;

/// A function that a module imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import<'a> {
    /// The module name.
    pub module: &'a str,
    /// The field name.
    pub name: &'a str,
    /// The type.
    pub ty: &'a FuncType,
}

/// An import and the primitive behind it.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) port: Port,
    /// The type under which this module imports it.
    pub(crate) ty: FuncType,
}

/// Imports that the world cannot provide, all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindError {
    /// The name of the world.
    pub world: String,
    /// The imports.
    pub problems: Vec<Problem>,
}

/// An import that the world cannot provide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The module name.
    pub module: String,
    /// The field name.
    pub name: String,
    /// The type that the module wants.
    pub wanted: FuncType,
    /// The types that the world has under this name; none when it does not know the name.
    pub known: Vec<FuncType>,
}

pub(crate) fn bind<'a>(
    description: &Arc<Description>,
    imports: impl IntoIterator<Item = Import<'a>>,
) -> Result<World, BindError> {
    let (mut bound, mut problems) = (Vec::new(), Vec::new());
    for Import { module, name, ty } in imports {
        let found = description.find(module, name);
        let known = found.map(|id| &description.primitives[id.0 as usize].types);
        let which = known.and_then(|types| types.iter().position(|known| known == ty));
        match found.zip(which) {
            Some((primitive, which)) => {
                let port = Port { primitive, ty: which as u8 };
                bound.push(Bound { port, ty: ty.clone() });
            }
            None => problems.push(Problem {
                module: module.into(),
                name: name.into(),
                wanted: ty.clone(),
                known: known.cloned().unwrap_or_default(),
            }),
        }
    }
    if problems.is_empty() {
        return Ok(World::new(description.clone(), bound));
    }
    Err(BindError { world: description.name.clone(), problems })
}

impl std::error::Error for BindError {}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, world) = (self.problems.len(), &self.world);
        let imports = if count == 1 { "import" } else { "imports" };
        writeln!(f, "the world {world:?} cannot provide {count} {imports} of this module:")?;
        for problem in &self.problems {
            write!(f, "  {}.{} {}", problem.module, problem.name, problem.wanted)?;
            match problem.known.is_empty() {
                true => writeln!(f, ": no such primitive")?,
                false => {
                    let known: Vec<String> =
                        problem.known.iter().map(ToString::to_string).collect();
                    writeln!(f, ": this world has it as {}", known.join(" or "))?;
                }
            }
        }
        write!(f, "declare them in a world file (adapt kind, domain and compensation):\n\n")?;
        if self.world == "board" {
            writeln!(f, "extends = \"board\"\n")?;
        }
        let declarations: Vec<String> = self.problems.iter().map(Problem::declaration).collect();
        write!(f, "{}", declarations.join("\n"))
    }
}

impl Problem {
    /// A declaration that provides the import: the TOML to put into a world file.
    pub fn declaration(&self) -> String {
        let (module, name) = (toml_key(&self.module), toml_key(&self.name));
        let mut text = format!("[import.{module}.{name}]\n");
        let params: Vec<String> = self.wanted.params.iter().map(|ty| format!("\"{ty}\"")).collect();
        let declared = |ty: &ValType| !matches!(ty, ValType::FuncRef | ValType::ExternRef);
        let kind = match &self.wanted.results[..] {
            [] => "output",
            [ty] if declared(ty) => "input",
            _ => {
                return format!(
                    "# {module}.{name} {}: no world file can provide this type\n",
                    self.wanted
                );
            }
        };
        text += &format!("kind = \"{kind}\"\n");
        if !params.is_empty() {
            text += &format!("params = [{}]\n", params.join(", "));
        }
        match self.wanted.results.first() {
            None => text += "compensation = \"none\"    # or \"irreversible\"\n",
            Some(ty) => {
                let zero = if matches!(ty, ValType::F32 | ValType::F64) { "0.0" } else { "0" };
                let domain = if zero == "0" { "0..100" } else { "0.0..1.0" };
                text += &format!("result = \"{ty}\"\n");
                text += &format!("{:<25}# what it can return\n", format!("domain = \"{domain}\""));
                text += &format!("source = {{ constant = {zero} }}\n");
            }
        }
        text
    }
}

/// A key as TOML wants it: bare where it may be.
fn toml_key(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !key.is_empty() && key.chars().all(bare) {
        true => key.to_owned(),
        false => toml::Value::String(key.to_owned()).to_string(),
    }
}
