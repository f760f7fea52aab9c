//! Which function is meant by a name: whatever is shown can be typed.

use mw_vm::{Module, readable_name};

use crate::sources::Sources;

/// What stands between the parts of a name.
const BETWEEN: [&str; 3] = ["/", "::", "#"];

/// What the source calls a function, if that is known.
fn source_name(module: &Module, sources: Option<&Sources>, func: u32) -> Option<String> {
    let offset = module.offset_of(module.func_code(func).start)?;
    sources?.frames(offset).pop()?.function
}

/// The functions of a program's own that a person may mean by a name: an index, a name, the end of
/// a name, the name of an export. More than one, if that does not tell them apart.
pub fn functions_named(module: &Module, sources: Option<&Sources>, name: &str) -> Vec<u32> {
    let is_own =
        |index: &u32| module.funcs().get(*index as usize).is_some_and(|func| func.import.is_none());
    let own = || (0..module.funcs().len() as u32).filter(is_own);
    let index = name.strip_prefix("func").map(|rest| rest.trim_matches(['[', ']', ' ']));
    let by_index = index.and_then(|index| index.parse().ok());
    if let Some(index) = by_index.or(module.exported_func(name)).filter(is_own) {
        return vec![index];
    }
    // A name may be given as compilers write it, too.
    let wanted = readable_name(name);
    let is_exact = |known: &str| known == wanted;
    let is_end = |known: &str| {
        known.strip_suffix(&wanted).is_some_and(|rest| BETWEEN.iter().any(|b| rest.ends_with(b)))
    };
    let named = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
        own().filter(|index| fits(&module.func_name(*index))).collect()
    };
    let in_source = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
        own()
            .filter(|index| source_name(module, sources, *index).is_some_and(|name| fits(&name)))
            .collect()
    };
    let mut found = named(&is_exact);
    if found.is_empty() {
        found = in_source(&is_exact);
    }
    if found.is_empty() {
        found = named(&is_end);
        found.extend(in_source(&is_end));
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// What the functions of a program's own are called, without the path to them.
pub fn function_names(module: &Module) -> impl Iterator<Item = String> {
    let own = (0..).zip(module.funcs()).filter(|(_, func)| func.import.is_none());
    own.map(|(index, _)| {
        let name = module.func_name(index);
        let parts = BETWEEN.iter().filter_map(|b| name.rfind(b).map(|at| at + b.len()));
        name[parts.max().unwrap_or(0)..].to_owned()
    })
}
