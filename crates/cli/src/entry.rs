//! Which function of a program is called, and with what.

use mw_vm::{Extern, FuncType, Module, Value};

use crate::failure::Failure;
use crate::suggest::{did_you_mean, list};
use crate::values;

/// The exports that are called when none is named, the first that there is.
const USUAL: [&str; 2] = ["_start", "main"];

/// A call to begin with.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function.
    pub func: u32,
    /// Its arguments.
    pub args: Vec<Value>,
}

/// The function to call after the start function; `None` if the start function is all there is.
pub fn find(
    module: &Module,
    named: Option<&str>,
    words: &[String],
) -> Result<Option<Entry>, Failure> {
    let usual = || USUAL.into_iter().find(|name| module.exported_func(name).is_some());
    let Some(name) = named.or_else(usual) else {
        if module.start().is_some() && words.is_empty() {
            return Ok(None);
        }
        return Err(Failure::Usage(format!(
            "there is nothing to call: the program exports neither {}; name an export with \
             --entry\nits exported functions are: {}",
            USUAL.join(" nor "),
            list(exported(module), "none")
        )));
    };
    let func = module.exported_func(name).ok_or_else(|| {
        let problem = match module.exports().get(name) {
            Some(_) => format!("the export {name} is not a function"),
            None => {
                let hint = did_you_mean(name, exported(module));
                format!("the program exports no {name}{hint}")
            }
        };
        let functions = list(exported(module), "none");
        Failure::Usage(format!("{problem}\nits exported functions are: {functions}"))
    })?;
    let decl = &module.funcs()[func as usize];
    if decl.import.is_some() {
        return Err(Failure::Usage(format!(
            "{name} is a function that the program imports itself: there is nothing to run"
        )));
    }
    let args = parse_args(name, module.func_type(decl), words)?;
    Ok(Some(Entry { func, args }))
}

fn exported(module: &Module) -> impl Iterator<Item = &str> + Clone {
    let functions = module.exports().iter().filter(|(_, item)| matches!(item, Extern::Func(_)));
    functions.map(|(name, _)| name.as_str())
}

fn parse_args(name: &str, ty: &FuncType, words: &[String]) -> Result<Vec<Value>, Failure> {
    let wrong = |problem: String| Failure::Usage(format!("{problem}\nits type is {name} {ty}"));
    if words.len() != ty.params.len() {
        let (wanted, given) = (ty.params.len(), words.len());
        let plural = if wanted == 1 { "" } else { "s" };
        return Err(wrong(format!(
            "{name} takes {wanted} argument{plural} and gets {given}; write them after --"
        )));
    }
    let values = words.iter().zip(&ty.params).enumerate().map(|(index, (word, ty))| {
        values::parse(word, *ty)
            .map_err(|problem| wrong(format!("argument {} of {name}: {problem}", index + 1)))
    });
    values.collect()
}
