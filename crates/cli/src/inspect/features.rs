//! Which features of WebAssembly a module needs.

use wasmparser::{Validator, WasmFeatures};

/// What `wasmparser` counts as features but nobody proposed: ways of saying no to whole types.
const SWITCHES: WasmFeatures = WasmFeatures::FLOATS.union(WasmFeatures::GC_TYPES);

/// The features without which a module is not valid, by the names of their proposals; an error
/// says why it is not valid with all of them either.
///
/// Exact, since every feature is taken away once: what the module needs of it is found wherever it
/// may be.
pub fn needed(binary: &[u8]) -> Result<Vec<String>, String> {
    let validate = |features| Validator::new_with_features(features).validate_all(binary);
    let all = WasmFeatures::all();
    validate(all).map_err(|error| error.to_string())?;
    let proposals = all.difference(SWITCHES).difference(component_model());
    let is_needed = |(_, feature): &(_, WasmFeatures)| validate(all.difference(*feature)).is_err();
    let named = proposals.iter_names().filter(is_needed);
    Ok(named.map(|(name, _)| name.to_lowercase().replace('_', "-")).collect())
}

/// All that is only about components.
fn component_model() -> WasmFeatures {
    let names = WasmFeatures::all().iter_names();
    let of_components = names.filter(|(name, _)| name.starts_with("CM_"));
    of_components.fold(WasmFeatures::COMPONENT_MODEL, |set, (_, feature)| set.union(feature))
}

#[cfg(test)]
mod tests {
    use super::needed;

    #[test]
    fn every_feature_is_found_by_itself() {
        for (body, expected) in [
            ("", &[][..]),
            ("(func (drop (f32.add (f32.const 1) (f32.const 2))))", &[]),
            ("(global (export \"g\") (mut i32) (i32.const 0))", &["mutable-global"]),
            ("(func (drop (i32.extend8_s (i32.const 1))))", &["sign-extension"]),
            ("(func (drop (i32.trunc_sat_f32_s (f32.const 1))))", &["saturating-float-to-int"]),
            ("(func (result i32 i32) (i32.const 1) (i32.const 2))", &["multi-value"]),
            ("(func (param externref))", &["reference-types"]),
            (
                "(memory 1) (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 0)))",
                &["bulk-memory"],
            ),
            ("(func $f (return_call $f))", &["tail-call"]),
            ("(memory 1) (memory 1)", &["multi-memory"]),
            ("(global i32 (i32.add (i32.const 1) (i32.const 2)))", &["extended-const"]),
            ("(func (drop (i32x4.splat (i32.const 1))))", &["simd"]),
            ("(memory i64 1)", &["memory64"]),
            ("(memory 1 1 shared)", &["threads"]),
            ("(tag)", &["exceptions"]),
            (
                "(memory 1) (memory 1) (func (drop (i32.extend16_s (i32.const 1))))",
                &["sign-extension", "multi-memory"],
            ),
        ] {
            let binary = wat::parse_str(format!("(module {body})")).expect(body);
            assert_eq!(needed(&binary).expect(body), expected, "{body}");
        }
    }
}
