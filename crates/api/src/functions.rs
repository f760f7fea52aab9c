//! What functions are called, and which one is meant by a name: whatever is shown can be typed.

use mw_vm::readable_name;

use crate::error::ApiError;
use crate::notation::{did_you_mean, list};
use crate::program_code::ProgramCode;

/// What stands between the parts of a name.
const BETWEEN: [&str; 3] = ["/", "::", "#"];

impl ProgramCode<'_> {
    /// What a function is called in front of people.
    pub(crate) fn function_name(self, func: u32) -> String {
        self.module.func_name(func)
    }

    /// What the source calls a function, if that is known.
    fn source_name(self, func: u32) -> Option<String> {
        let module = self.module;
        let offset = module.offset_of(module.func_code(func).start)?;
        self.sources?.frames(offset).pop()?.function
    }

    /// The functions of the program's own that a name may mean: by their names, the ends of their
    /// names, the name of an export, or an index.
    pub(crate) fn functions_named(self, name: &str) -> Vec<u32> {
        let module = self.module;
        let is_own = |index: &u32| self.own_functions().any(|own| own == *index);
        let index = name.strip_prefix("func").map(|rest| rest.trim_matches(['[', ']', ' ']));
        let by_index = index.and_then(|index| index.parse().ok());
        if let Some(index) = by_index.or(module.exported_func(name)).filter(is_own) {
            return vec![index];
        }
        // A name may be given as compilers write it, too.
        let wanted = readable_name(name);
        let is_exact = |known: &str| known == wanted;
        let is_end = |known: &str| {
            known
                .strip_suffix(&wanted)
                .is_some_and(|rest| BETWEEN.iter().any(|b| rest.ends_with(b)))
        };
        let named = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
            self.own_functions().filter(|index| fits(&self.function_name(*index))).collect()
        };
        let in_source = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
            self.own_functions()
                .filter(|index| self.source_name(*index).is_some_and(|name| fits(&name)))
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

    /// Those that are no imports.
    fn own_functions(self) -> impl Iterator<Item = u32> {
        let funcs = self.module.funcs();
        let is_own =
            move |index: &u32| funcs.get(*index as usize).is_some_and(|func| func.import.is_none());
        (0..funcs.len() as u32).filter(is_own)
    }

    /// A function of the program's own. See [`functions_named`](Self::functions_named).
    pub(crate) fn find_function(self, name: &str) -> Result<u32, ApiError> {
        let found = self.functions_named(name);
        match found.as_slice() {
            [index] => Ok(*index),
            [] => {
                let short = |name: String| {
                    let parts = BETWEEN.iter().filter_map(|b| name.rfind(b).map(|at| at + b.len()));
                    name[parts.max().unwrap_or(0)..].to_owned()
                };
                let known: Vec<String> =
                    self.own_functions().map(|index| short(self.function_name(index))).collect();
                let hint = did_you_mean(name, known.iter().map(String::as_str));
                Err(ApiError::unknown(format!(
                    "there is no function or primitive {name}{hint}; `info functions` and `info \
                     primitives` list them"
                )))
            }
            several => {
                let full: Vec<String> =
                    several.iter().map(|index| self.function_name(*index)).collect();
                let is_unique =
                    |name: &String| full.iter().filter(|other| *other == name).count() < 2;
                let all_differ = full.iter().all(is_unique);
                let shown = several.iter().zip(&full).map(|(index, name)| match all_differ {
                    true => name.clone(),
                    false => format!("{name} (func[{index}])"),
                });
                let shown: Vec<String> = shown.collect();
                Err(ApiError::unknown(format!(
                    "several functions are called {name}: {}; write one of them in full{}",
                    list(shown.iter().map(String::as_str), ""),
                    if all_differ { "" } else { ", or by its number: func[3]" }
                )))
            }
        }
    }
}
