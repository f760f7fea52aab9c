//! Which function of a program is called first, and with what: the same for every command.

use mw_vm::{Extern, FuncType, Module, Op, ValType, Value};

use crate::error::ApiError;
use crate::notation::{did_you_mean, list, parse_value};

/// The exports that are called when none is named, the first that there is. The last two are
/// what clang calls `main`, where all that a program has is exported.
const USUAL: [&str; 4] = ["_start", "main", "__main_void", "__main_argc_argv"];

/// The names of a `main` that may want to be told of its arguments.
const MAIN: [&str; 2] = ["main", "__main_argc_argv"];

/// The `main` of a C program that wants no arguments. clang exports a wrapper around it that has
/// no source and takes two.
const PLAIN_MAIN: &str = "__original_main";

/// A call to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function.
    pub func: u32,
    /// Its arguments.
    pub args: Vec<Value>,
}

impl Entry {
    /// The function to call after the start function, by its name or as is usual, with arguments
    /// as people write them; `None` if the start function is all there is.
    pub fn find(
        module: &Module,
        named: Option<&str>,
        words: &[String],
    ) -> Result<Option<Entry>, ApiError> {
        let Some(name) = named.or_else(|| usual(module)) else {
            if module.start().is_some() && words.is_empty() {
                return Ok(None);
            }
            return Err(ApiError::unknown(format!(
                "there is nothing to call: the program exports neither _start nor main; name an \
                 export with --entry\nits exported functions are: {}",
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
            ApiError::unknown(format!("{problem}\nits exported functions are: {functions}"))
        })?;
        let decl = &module.funcs()[func as usize];
        if decl.import.is_some() {
            return Err(ApiError::unknown(format!(
                "{name} is a function that the program imports itself: there is nothing to run"
            )));
        }
        let ty = module.func_type(decl);
        if words.is_empty() && MAIN.contains(&name) && *ty.params == [ValType::I32; 2] {
            return Ok(Some(without_arguments(module, func)));
        }
        Ok(Some(Entry { func, args: parse_args(name, ty, words)? }))
    }
}

/// The export that is called when none is named. A `_start` that does nothing is there because
/// some tool wanted one.
fn usual(module: &Module) -> Option<&'static str> {
    let mut known = USUAL.into_iter().filter(|name| module.exported_func(name).is_some());
    let first = known.next()?;
    let is_empty = first == "_start"
        && module.exported_func(first).is_some_and(|func| does_nothing(module, func, 2));
    Some(known.next().filter(|_| is_empty).unwrap_or(first))
}

/// Whether a function only returns, or calls others that do, down to so many calls.
fn does_nothing(module: &Module, func: u32, depth: u32) -> bool {
    let nothing = |op: &Op| match *op {
        Op::Nop {} | Op::Return { .. } => true,
        Op::Call { func, .. } => depth > 0 && does_nothing(module, func, depth - 1),
        _ => false,
    };
    code(module, func).iter().all(nothing)
}

/// The call of a C program's `main(argc, argv)` without arguments: there are 0, and the list of
/// them begins with the null that ends it, since linkers leave address 0 empty. Where `main` is
/// nothing but a way to one that wants none, that one.
fn without_arguments(module: &Module, main: u32) -> Entry {
    let mut calls = code(module, main).iter().filter_map(|op| match *op {
        Op::Call { func, .. } | Op::ReturnCall { func, .. } => Some(func),
        Op::Nop {} | Op::Copy { .. } | Op::Return { .. } => None,
        // Something else is done there.
        _ => Some(main),
    });
    match (calls.next(), calls.next()) {
        (Some(func), None) if is_plain_main(module, func) => Entry { func, args: Vec::new() },
        _ => Entry { func: main, args: vec![Value::I32(0); 2] },
    }
}

fn is_plain_main(module: &Module, func: u32) -> bool {
    module.func_name(func) == PLAIN_MAIN || module.exported_func("__main_void") == Some(func)
}

/// The instructions of a function.
fn code(module: &Module, func: u32) -> &[Op] {
    let code = module.func_code(func);
    &module.code()[code.start as usize..(code.start + code.len) as usize]
}

fn exported(module: &Module) -> impl Iterator<Item = &str> + Clone {
    let functions = module.exports().iter().filter(|(_, item)| matches!(item, Extern::Func(_)));
    functions.map(|(name, _)| name.as_str())
}

fn parse_args(name: &str, ty: &FuncType, words: &[String]) -> Result<Vec<Value>, ApiError> {
    let wrong = |problem: String| ApiError::notation(format!("{problem}\nits type is {name} {ty}"));
    if words.len() != ty.params.len() {
        let (wanted, given) = (ty.params.len(), words.len());
        let plural = if wanted == 1 { "" } else { "s" };
        return Err(wrong(format!(
            "{name} takes {wanted} argument{plural} and gets {given}{}",
            if given < wanted { "; write them after --" } else { "" }
        )));
    }
    let values = words.iter().zip(&ty.params).enumerate().map(|(index, (word, ty))| {
        parse_value(word, *ty)
            .map_err(|problem| wrong(format!("argument {} of {name}: {problem}", index + 1)))
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use mw_vm::Limits;

    use super::*;

    fn find(wat: &str, named: Option<&str>, words: &[&str]) -> Result<String, String> {
        let binary = wat::parse_str(wat).expect("a correct module");
        let module = Module::from_binary(&binary, &Limits::default()).expect("a module");
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let entry = Entry::find(&module, named, &words).map_err(|error| error.message)?;
        let show = |Entry { func, args }: Entry| {
            let args: Vec<String> = args.iter().map(ToString::to_string).collect();
            format!("{}({})", module.func_name(func), args.join(", "))
        };
        Ok(entry.map_or("nothing".into(), show))
    }

    #[test]
    fn a_start_that_does_nothing_gives_way_to_main() {
        let with_start = |start: &str| {
            format!(
                r#"(module
                  (import "env" "print_int" (func $print_int (param i32)))
                  (global $g (mut i32) (i32.const 0))
                  (func $ctors) (func $again (call $again))
                  (func $start (export "_start") {start})
                  (func $main (export "main") (call $print_int (i32.const 1))))"#
            )
        };
        for start in ["", "nop", "return", "(call $ctors)"] {
            assert_eq!(find(&with_start(start), None, &[]).unwrap(), "main()", "{start}");
            assert_eq!(find(&with_start(start), Some("_start"), &[]).unwrap(), "start()");
        }
        for start in [
            "(call $print_int (i32.const 2))",
            "(global.set $g (i32.const 1))",
            "unreachable",
            "(call $again)",
            "(loop (br 0))",
        ] {
            assert_eq!(find(&with_start(start), None, &[]).unwrap(), "start()", "{start}");
        }
        let alone = r#"(module (func $start (export "_start")))"#;
        assert_eq!(find(alone, None, &[]).unwrap(), "start()");
    }

    #[test]
    fn main_is_told_that_it_has_no_arguments() {
        let main = |name: &str, body: &str| {
            format!(
                r#"(module
                  (func $__original_main (result i32) (i32.const 7))
                  (func $other (result i32) (i32.const 8))
                  (global $g (mut i32) (i32.const 0))
                  (func $main (export "{name}") (param i32 i32) (result i32) (local i32) {body}))"#
            )
        };
        for (body, expected) in [
            // As clang -O2 and -O0 have it.
            ("(call $__original_main)", "__original_main()"),
            ("(local.set 2 (call $__original_main)) (return (local.get 2))", "__original_main()"),
            ("(return_call $__original_main)", "__original_main()"),
            // What does something else is called itself.
            ("(local.get 0)", "main(0, 0)"),
            ("(call $other)", "main(0, 0)"),
            ("(drop (call $other)) (call $__original_main)", "main(0, 0)"),
            ("(global.set $g (i32.const 1)) (call $__original_main)", "main(0, 0)"),
        ] {
            for name in ["main", "__main_argc_argv"] {
                assert_eq!(find(&main(name, body), None, &[]).unwrap(), expected, "{name} {body}");
                assert_eq!(find(&main(name, body), Some(name), &[]).unwrap(), expected);
                assert_eq!(find(&main(name, body), None, &["1", "64"]).unwrap(), "main(1, 64)");
            }
        }
        let one = find(&main("main", "(local.get 0)"), None, &["1"]).unwrap_err();
        assert!(one.starts_with("main takes 2 arguments and gets 1"), "{one}");
        // Other functions are not asked to go without.
        let other = find(&main("add", "(local.get 0)"), Some("add"), &[]).unwrap_err();
        assert!(other.starts_with("add takes 2 arguments and gets 0"), "{other}");
    }
}
