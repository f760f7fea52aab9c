//! What functions are called, and which one is meant by a name: whatever is shown can be typed.

use mw_source::{function_names, functions_named};

use crate::error::ApiError;
use crate::notation::{did_you_mean, list};
use crate::program_code::ProgramCode;

impl ProgramCode<'_> {
    /// What a function is called in front of people.
    pub(crate) fn function_name(self, func: u32) -> String {
        self.module.func_name(func)
    }

    /// The functions of the program's own that a name may mean: by their names, the ends of their
    /// names, the name of an export, or an index.
    pub(crate) fn functions_named(self, name: &str) -> Vec<u32> {
        functions_named(self.module, self.sources, name)
    }

    /// A function of the program's own. See [`functions_named`](Self::functions_named).
    pub(crate) fn find_function(self, name: &str) -> Result<u32, ApiError> {
        let found = self.functions_named(name);
        match found.as_slice() {
            [index] => Ok(*index),
            [] => {
                let known: Vec<String> = function_names(self.module).collect();
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
