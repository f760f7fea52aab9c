//! The imports of programs that were written for tools of symbolic execution, one line each: they
//! are there in every world, so that such programs run, are debugged and explored unchanged.
//!
//! Names and types are those of [owi](https://github.com/OCamlPro/owi), whose module was called
//! `symbolic` and `summaries` before, and of WASP, whose symbols have a name as their argument. A
//! type is written as in the board's table.

use mw_vm::{FuncType, ValType, Value};

use crate::board;
use crate::domain::Domain;
use crate::primitive::{
    Act, Answers, Bearing, Compensation, Input, Output, Primitive, Role, Statement,
};
use crate::source::Source;

/// The modules under which programs import these.
const MODULES: [&str; 3] = ["owi", "symbolic", "summaries"];

/// What a line of the table says about an import.
enum Meaning {
    /// An input with any value of its type.
    Any,
    /// An input in this range.
    Between(i64, i64),
    /// An input from the first argument up to the second.
    Range,
    /// The program says something about itself.
    Says(Statement),
    /// A byte that is printed.
    Prints,
    /// Nothing happens; a result is 0.
    Nothing,
    /// The end of the program.
    Abort,
}
use Meaning::{Abort, Any, Between, Nothing, Prints, Range, Says};

const TABLE: &[(&str, &[&str], Meaning)] = &[
    ("i32_symbol", &[">i", "i>i"], Any),
    ("i64_symbol", &[">I", "i>I"], Any),
    ("f32_symbol", &[">f", "i>f"], Any),
    ("f64_symbol", &[">F", "i>F"], Any),
    ("i8_symbol", &[">i", "i>i"], Between(0, 0xff)),
    ("char_symbol", &[">i", "i>i"], Between(0, 0xff)),
    ("i16_symbol", &[">i", "i>i"], Between(0, 0xffff)),
    ("bool_symbol", &[">i", "i>i"], Between(0, 1)),
    ("invisible_bool_symbol", &[">i"], Between(0, 1)),
    ("range_symbol", &["ii>i"], Range),
    ("assume", &["i>"], Says(Statement::Assume)),
    ("assume_positive_i32", &["i>"], Says(Statement::AssumeNotNegative)),
    ("assert", &["i>"], Says(Statement::Assert)),
    ("alloc", &["ii>i"], Says(Statement::Allocate)),
    ("dealloc", &["i>i", "i>"], Says(Statement::Free)),
    ("exit", &["i>"], Says(Statement::Exit)),
    ("abort", &[">"], Abort),
    ("print_char", &["i>"], Prints),
    // What is known of a value cannot change what a program does: a run is a run.
    ("is_symbolic", &["ii>i"], Nothing),
    ("in_replay_mode", &[">i"], Nothing),
    ("cov_label_is_covered", &["i>i", "i>"], Nothing),
    ("cov_label_set", &["ii>"], Nothing),
    ("open_scope", &["i>"], Nothing),
    ("open_scope_null_terminated", &["i>"], Nothing),
    ("open_scope_of_length", &["ii>"], Nothing),
    ("close_scope", &[">"], Nothing),
];

fn role(meaning: &Meaning, types: &[FuncType], has_board: bool) -> Option<Role> {
    let ty = types.first()?.results.first().copied();
    let answers = match *meaning {
        Any => Answers::Values(Domain::all(ty?)?),
        Between(low, high) => Answers::Values(Domain::range(low, high)?),
        Range => Answers::Between,
        Says(statement) => return Some(output(Act::Says(statement))),
        Prints if has_board => return Some(output(Act::Board(board::print_char))),
        Prints | Nothing => {
            return Some(output(Act::Registers { sets: vec![], returns: None, says: None }));
        }
        Abort => return Some(Role::Abort),
    };
    let zero = Value::zero(ty.unwrap_or(ValType::I32));
    Some(Role::Input(Input { answers, source: Source::Constant(zero), brings: None }))
}

fn output(act: Act) -> Role {
    let (compensation, bearing) = match act {
        Act::Says(Statement::Allocate | Statement::Free) => {
            (Compensation::Restore, &[Bearing::Exact])
        }
        Act::Board(_) => (Compensation::Restore, &[Bearing::None]),
        _ => (Compensation::Nothing, &[Bearing::None]),
    };
    Role::Output(Output { act, bearing, omits_buffer: false, compensation })
}

/// The primitives of every world, with or without a board.
pub(crate) fn primitives(has_board: bool) -> impl Iterator<Item = Primitive> {
    MODULES.into_iter().flat_map(move |module| {
        TABLE.iter().filter_map(move |(name, signatures, meaning)| {
            let types: Vec<FuncType> =
                signatures.iter().map(|text| FuncType::of_letters(text)).collect();
            let role = role(meaning, &types, has_board)?;
            let (module, name) = (module.into(), (*name).into());
            Some(Primitive { module, name, types, role })
        })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{Bench, world_file};
    use crate::{BindError, Description, Import, Statement};

    /// Every name as `module.name type`, under each of its types.
    fn all() -> Vec<(String, String, FuncType)> {
        let lines = primitives(true).flat_map(|primitive| {
            let Primitive { module, name, types, .. } = primitive;
            types.into_iter().map(move |ty| (module.clone(), name.clone(), ty))
        });
        lines.collect()
    }

    fn bind(
        description: Description,
        wanted: &[(String, String, FuncType)],
    ) -> Result<(), BindError> {
        let import =
            |(module, name, ty): &'static (String, String, FuncType)| Import { module, name, ty };
        let wanted: &'static [_] = wanted.to_vec().leak();
        Arc::new(description).bind(wanted.iter().map(import)).map(|_| ())
    }

    #[test]
    fn every_line_is_in_every_world() {
        let all = all();
        assert_eq!(primitives(false).count(), MODULES.len() * TABLE.len());
        let file =
            |text: &str| Description::parse("w.toml", text, &|file| Err(file.into())).unwrap();
        let worlds = [
            Description::board(Default::default()),
            Description::new("empty"),
            file(""),
            file("extends = \"board\""),
            (*world_file("greenhouse")).clone(),
        ];
        for world in worlds {
            let name = world.name().to_owned();
            assert_eq!(bind(world, &all), Ok(()), "{name}");
        }
        // Signatures decide: another one is refused.
        let other = [("owi".to_owned(), "assume".to_owned(), FuncType::new([ValType::I64], []))];
        assert!(bind(Description::new("empty"), &other).is_err());
    }

    #[test]
    fn symbols_have_the_domains_of_their_types() {
        let bench = Bench::new(Arc::new(Description::new("empty")));
        for module in MODULES {
            for (call, domain, sample) in [
                ("i32_symbol()", "-2147483648..2147483647", "0"),
                ("i64_symbol()", "-9223372036854775808..9223372036854775807", "0"),
                ("f32_symbol()", "any", "0.0"),
                ("f64_symbol()", "any", "0.0"),
                ("i8_symbol()", "0..255", "0"),
                ("char_symbol()", "0..255", "0"),
                ("i16_symbol()", "0..65535", "0"),
                ("bool_symbol()", "{0, 1}", "0"),
                ("invisible_bool_symbol()", "{0, 1}", "0"),
                ("range_symbol(10, 20)", "10..19", "10"),
                ("range_symbol(-5, 1)", "-5..0", "0"),
                ("range_symbol(-2147483648, 2147483647)", "-2147483648..2147483646", "0"),
            ] {
                let call = format!("{module}.{call}");
                assert_eq!(bench.domain(&call), domain, "{call}");
                assert_eq!(bench.sample(&call), sample, "{call}");
            }
        }
        assert_eq!(
            bench.domain("owi.range_symbol(7, 7)"),
            "no value is left for owi.range_symbol(7, 7): it asks for a number from its first \
             argument up to its second, which is not included"
        );
    }

    #[test]
    fn statements() {
        let mut bench = Bench::board();
        let start = bench.world.state().clone();
        for (call, effect) in [
            ("owi.assume(1)", "an assumption holds"),
            ("owi.assume(0)", "abort: an assumption of the program does not hold"),
            ("owi.assume_positive_i32(0)", "an assumption holds"),
            ("owi.assume_positive_i32(-1)", "abort: an assumption of the program does not hold"),
            ("owi.assert(-7)", "an assertion holds"),
            ("symbolic.assert(0)", "abort: an assertion of the program does not hold"),
            ("owi.exit(3)", "abort: the program exits with code 3"),
            ("summaries.abort()", "abort: the program called abort"),
            ("owi.print_char(111)", "printed \"o\""),
            ("summaries.is_symbolic(8, 4)", "summaries.is_symbolic(8, 4)"),
        ] {
            assert_eq!(bench.effect(call), effect, "{call}");
        }
        let imports = bench.world.imports().map(|(primitive, _)| primitive.full_name());
        let imports: Vec<String> = imports.collect();
        let statement = |name: &str| {
            let import = imports.iter().position(|known| known == name)?;
            bench.world.statement(import as u32)
        };
        assert_eq!(statement("owi.assert"), Some(Statement::Assert));
        assert_eq!(statement("owi.i32_symbol"), None);
        assert_eq!(start.heap(), bench.world.state().heap());
    }

    #[test]
    fn blocks_are_kept_and_taken_back() {
        let mut bench = Bench::new(Arc::new(Description::new("empty")));
        let start = bench.world.state().clone();
        let mut undos = Vec::new();
        for call in ["owi.alloc(16, 8)", "owi.alloc(24, 8)", "owi.dealloc(16)", "owi.alloc(20, 8)"]
        {
            undos.push(bench.done(call));
        }
        let heap = bench.world.state().heap();
        // The last one took the memory of the first two.
        assert_eq!((heap.block(16), heap.block(24)), (None, None));
        assert!(heap.block(20).is_some_and(|block| block.size == 8 && !block.freed));
        let freed = |bench: &mut Bench, call: &str| bench.effect(call);
        assert_eq!(
            freed(&mut bench, "owi.dealloc(24)"),
            "abort: owi.dealloc(24): freed what was not allocated"
        );
        assert_eq!(freed(&mut bench, "owi.dealloc(0)"), "freed nothing");
        undos.push(bench.done("summaries.dealloc(20)"));
        assert_eq!(
            freed(&mut bench, "owi.dealloc(20)"),
            "abort: owi.dealloc(20): memory freed twice"
        );
        for undo in undos.into_iter().rev() {
            bench.world.undo(undo);
        }
        assert_eq!(*bench.world.state(), start);
    }

    #[test]
    fn a_world_file_can_say_more() {
        let text = r#"
            [registers]
            door = 0
            [import.owi.i32_symbol]
            domain = "0..9"
            source = { constant = 4 }
            [import.env.close]
            kind = "output"
            sets = { door = 1 }
            [[rules]]
            when = { door = 1 }
            input = "owi.bool_symbol"
            domain = 1
        "#;
        let file = Description::parse("w.toml", text, &|file| Err(file.into())).unwrap();
        let mut bench = Bench::new(Arc::new(file.clone()));
        assert_eq!(
            (bench.domain("owi.i32_symbol()"), bench.sample("owi.i32_symbol()")),
            ("0..9".into(), "4".into())
        );
        assert_eq!(bench.domain("owi.bool_symbol()"), "{0, 1}");
        bench.done("close()");
        assert_eq!(bench.domain("owi.bool_symbol()"), "{1}");
        // What is declared tells worlds apart, what every world has does not.
        let plain = Description::parse("w.toml", "", &|file| Err(file.into())).unwrap();
        assert_eq!(plain.fingerprint(), Description::new("w").fingerprint());
        assert_ne!(plain.fingerprint(), file.fingerprint());
    }
}
