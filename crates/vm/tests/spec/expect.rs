//! Values of scripts: what a call is given, and whether what it returns is as expected.

use mw_vm::Value;
use wast::core::{AbstractHeapType, HeapType, NanPattern, WastArgCore, WastRetCore};
use wast::{WastArg, WastRet};

use crate::script::Problem;

fn null(heap: &HeapType<'_>) -> Result<Value, Problem> {
    match heap {
        HeapType::Abstract { ty: AbstractHeapType::Func, .. } => Ok(Value::FuncRef(None)),
        HeapType::Abstract { ty: AbstractHeapType::Extern, .. } => Ok(Value::ExternRef(None)),
        _ => Err(Problem::out_of_scope("needs gc")),
    }
}

/// The value of an argument.
pub fn argument(arg: &WastArg<'_>) -> Result<Value, Problem> {
    let WastArg::Core(arg) = arg else {
        return Err(Problem::out_of_scope("needs component-model"));
    };
    Ok(match arg {
        WastArgCore::I32(v) => Value::I32(*v),
        WastArgCore::I64(v) => Value::I64(*v),
        WastArgCore::F32(v) => Value::F32(v.bits),
        WastArgCore::F64(v) => Value::F64(v.bits),
        WastArgCore::RefNull(heap) => null(heap)?,
        WastArgCore::RefExtern(v) => Value::ExternRef(Some(*v)),
        WastArgCore::V128(_) => return Err(Problem::out_of_scope("needs simd")),
        WastArgCore::RefHost(_) => {
            return Err(Problem::out_of_scope("needs gc"));
        }
    })
}

/// NaN results are canonical, always: so both patterns ask for the one positive canonical NaN,
/// which is more than the specification does.
fn is_canonical(value: Value) -> bool {
    matches!(value, Value::F32(0x7fc0_0000) | Value::F64(0x7ff8_0000_0000_0000))
}

fn matches(actual: Value, expected: &WastRetCore<'_>) -> Result<bool, Problem> {
    use NanPattern::{ArithmeticNan, CanonicalNan, Value as Exactly};
    Ok(match (expected, actual) {
        (WastRetCore::I32(e), Value::I32(a)) => *e == a,
        (WastRetCore::I64(e), Value::I64(a)) => *e == a,
        (WastRetCore::F32(Exactly(e)), Value::F32(a)) => e.bits == a,
        (WastRetCore::F64(Exactly(e)), Value::F64(a)) => e.bits == a,
        (WastRetCore::F32(CanonicalNan | ArithmeticNan), Value::F32(_)) => is_canonical(actual),
        (WastRetCore::F64(CanonicalNan | ArithmeticNan), Value::F64(_)) => is_canonical(actual),
        (WastRetCore::RefNull(None), Value::FuncRef(a) | Value::ExternRef(a)) => a.is_none(),
        (WastRetCore::RefNull(Some(heap)), _) => null(heap)? == actual,
        (WastRetCore::RefExtern(None), Value::ExternRef(a)) => a.is_some(),
        (WastRetCore::RefExtern(e), Value::ExternRef(a)) => *e == a,
        (WastRetCore::RefFunc(None), Value::FuncRef(a)) => a.is_some(),
        (WastRetCore::Either(cases), _) => {
            for case in cases {
                if matches(actual, case)? {
                    return Ok(true);
                }
            }
            false
        }
        _ => false,
    })
}

/// Compares all results of a call.
pub fn results(actual: &[Value], expected: &[WastRet<'_>]) -> Result<(), Problem> {
    let mut fits = actual.len() == expected.len();
    for (&actual, expected) in actual.iter().zip(expected) {
        let WastRet::Core(expected) = expected else {
            return Err(Problem::out_of_scope("needs component-model"));
        };
        fits &= matches(actual, expected)?;
    }
    match fits {
        true => Ok(()),
        false => Err(Problem::failed(format!("returned {actual:x?}, expected {expected:x?}"))),
    }
}

/// Messages are compared as the suite's own runners do: one may say more than the other.
pub fn message(actual: &str, expected: &str) -> Result<(), Problem> {
    match actual.starts_with(expected) || expected.starts_with(actual) {
        true => Ok(()),
        false => Err(Problem::failed(format!("says {actual:?}, expected {expected:?}"))),
    }
}
