//! Numbers in terms of inputs against the debugger's own arithmetic.

use mw_world::Domain;
use proptest::prelude::*;

use super::*;
use crate::evaluate::Evaluation;
use crate::expr::Input;

const OPERATORS: [Operator; 16] = [
    Operator::BitOr,
    Operator::BitXor,
    Operator::BitAnd,
    Operator::Equal,
    Operator::NotEqual,
    Operator::LessEqual,
    Operator::GreaterEqual,
    Operator::Less,
    Operator::Greater,
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Remainder,
];

fn types() -> impl Strategy<Value = NumberType> {
    let integer = (prop::sample::select(vec![8, 16, 32, 64]), any::<bool>());
    prop_oneof![
        6 => integer.prop_map(|(width, signed)| NumberType::Integer { width, signed }),
        1 => Just(NumberType::Bool),
        1 => prop::sample::select(vec![32, 64]).prop_map(NumberType::Float),
    ]
}

fn slots() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => prop::sample::select(vec![0, 1, 2, 7, 31, 200, u64::MAX, 1 << 31, 1 << 63, !0 << 31]),
        1 => any::<u64>(),
    ]
}

/// What a computation comes to with inputs left open, once they have these slots: what it says
/// has to be found out is found out.
fn opened(
    types: [NumberType; 2],
    values: [u64; 2],
    compute: impl Fn(&mut Computing<'_>, [Symbolic; 2]) -> Computed,
) -> Result<Number, String> {
    let mut exprs = Exprs::default();
    let any = || Domain::range(i64::MIN, i64::MAX).unwrap();
    let vars =
        [0, 1].map(|position| exprs.var(Input { position, ty: ValType::I64, domain: any() }));
    let inputs = vars.map(|var| exprs.input_expr(var));
    let mut decided = Vec::new();
    loop {
        let mut computing = Computing { exprs: &mut exprs, decided: &decided, undecided: None };
        let wide = NumberType::Integer { width: 64, signed: true };
        let opens = [0, 1].map(|at| {
            let of = Symbolic::Open(inputs[at], wide);
            computing.convert(&of, types[at])
        });
        let result = compute(&mut computing, opens);
        let undecided = match (&result, computing.undecided) {
            (_, Some(undecided)) => undecided,
            (Err(Interrupted::Undecided(undecided)), None) => *undecided,
            (Err(Interrupted::Fault(message)), None) => return Err(message.clone()),
            (Ok(Symbolic::Known(number)), None) => return Ok(*number),
            (Ok(Symbolic::Open(expr, ty)), None) => {
                let assignment = |var: crate::expr::Var| values[var.0 as usize];
                return Ok(number(*ty, Evaluation::new(&exprs, assignment).slot(*expr)));
            }
        };
        let (Undecided::Truth(expr) | Undecided::Number(expr)) = undecided;
        let assignment = |var: crate::expr::Var| values[var.0 as usize];
        let slot = Evaluation::new(&exprs, assignment).slot(expr);
        assert!(!decided.contains(&(expr, slot)), "it is asked twice");
        decided.push((expr, slot));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever inputs are, what is computed with them open is what the debugger computes.
    #[test]
    fn open_numbers_are_computed_like_others(
        types in [types(), types()],
        to in types(),
        values in [slots(), slots()],
        operator in prop::sample::select(OPERATORS.to_vec()),
        language in prop::sample::select(vec![Language::C, Language::Rust, Language::AssemblyScript]),
    ) {
        let wide = |slot| Number::Integer { value: i128::from(slot as i64), width: 64, signed: true };
        let known = [0, 1].map(|at| wide(values[at]).to(types[at]));
        let same = |found: Result<Number, String>, expected: Result<Number, String>| {
            // There are many ways not to be a number.
            let text = |number: Result<Number, String>| format!("{number:?}").replace("-NaN", "NaN");
            (text(found), text(expected))
        };
        let binary = opened(types, values, |c, [a, b]| c.binary(operator, &a, &b, language));
        let plain = known[0].binary(operator, known[1], language).map_err(|e| e.to_string());
        let (found, expected) = same(binary, plain);
        prop_assert_eq!(found, expected);
        let converted = opened(types, values, |c, [a, _]| Ok(c.convert(&a, to)));
        let (found, expected) = same(converted, Ok(known[0].to(to)));
        prop_assert_eq!(found, expected);
        for unary in [Unary::Negate, Unary::Invert] {
            let found = opened(types, values, |c, [a, _]| c.unary(unary, &a, language));
            let plain = match unary {
                Unary::Negate => known[0].negated(language),
                Unary::Invert => known[0].inverted(language),
            };
            let (found, expected) = same(found, plain.map_err(|e| e.to_string()));
            prop_assert_eq!(found, expected);
        }
    }
}
