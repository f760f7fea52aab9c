//! Modules and values out of seeds and arbitrary bytes.

use arbitrary::Unstructured;
use mw_vm::{ValType, Value};

/// A small generator of numbers that look random (SplitMix64): the same for the same seed,
/// everywhere and always.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// A generator whose seed is made out of bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Rng(bytes.iter().fold(1, |seed: u64, &byte| seed.wrapping_mul(31) ^ u64::from(byte)))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// A value of a type: often one of those at which arithmetic changes its mind. References to
    /// functions are null, since only a program can make another.
    pub fn value(&mut self, ty: ValType) -> Value {
        let edge = self.below(3) == 0;
        let pick = self.next();
        let small = (pick as i64 >> 8) % 10;
        match ty {
            ValType::I32 if edge => Value::I32([0, 1, -1, i32::MIN, i32::MAX][pick as usize % 5]),
            ValType::I64 if edge => Value::I64([0, 1, -1, i64::MIN, i64::MAX][pick as usize % 5]),
            ValType::F32 if edge => {
                let edges = [0.0, -0.0, 1.5, f32::INFINITY, f32::MIN_POSITIVE, 3e9, -1e20];
                let bits = edges.map(f32::to_bits);
                Value::F32([&bits[..], &[0x7fc0_0000, 0xffa0_0001]].concat()[pick as usize % 9])
            }
            ValType::F64 if edge => {
                let edges = [0.0, -0.0, 1.5, f64::INFINITY, f64::MIN_POSITIVE, 3e9, -1e20];
                let bits = edges.map(f64::to_bits);
                let nans = [0x7ff8_0000_0000_0000, 0xfff4_0000_0000_0001];
                Value::F64([&bits[..], &nans].concat()[pick as usize % 9])
            }
            ValType::I32 if pick & 1 == 0 => Value::I32(small as i32),
            ValType::I64 if pick & 1 == 0 => Value::I64(small),
            ValType::F32 if pick & 1 == 0 => Value::F32((small as f32).to_bits()),
            ValType::F64 if pick & 1 == 0 => Value::F64((small as f64).to_bits()),
            ValType::I32 => Value::I32(pick as i32),
            ValType::I64 => Value::I64(pick as i64),
            ValType::F32 => Value::F32(pick as u32),
            ValType::F64 => Value::F64(pick),
            ValType::FuncRef => Value::FuncRef(None),
            ValType::ExternRef => Value::ExternRef((!edge).then_some(pick as u32 % 1000)),
        }
    }

    pub fn values(&mut self, types: &[ValType]) -> Vec<Value> {
        types.iter().map(|&ty| self.value(ty)).collect()
    }
}

/// How many loops and calls a generated program may make before it traps.
const FUEL: u32 = 2000;

/// Everything that the machine supports, in sizes that make programs end soon.
fn config() -> wasm_smith::Config {
    wasm_smith::Config {
        // What the machine has.
        bulk_memory_enabled: true,
        extended_const_enabled: true,
        multi_value_enabled: true,
        reference_types_enabled: true,
        saturating_float_to_int_enabled: true,
        sign_extension_ops_enabled: true,
        tail_call_enabled: true,
        max_memories: 3,
        max_tables: 3,
        // What it has not.
        compact_imports_enabled: false,
        custom_page_sizes_enabled: false,
        exceptions_enabled: false,
        gc_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        simd_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        // Two machines can only be compared if nothing depends on what NaN they make.
        canonicalize_nans: true,
        // Sizes.
        export_everything: true,
        max_data_segments: 6,
        max_element_segments: 6,
        max_elements: 20,
        max_funcs: 12,
        max_globals: 12,
        max_imports: 10,
        max_instructions: 200,
        max_memory32_bytes: 4 << 16,
        max_table_elements: 100,
        max_types: 12,
        memory_max_size_required: true,
        min_funcs: 5,
        min_memories: 1,
        table_max_size_required: true,
        ..wasm_smith::Config::default()
    }
}

/// A valid module whose functions all come to an end, if the bytes suffice for one. Every other
/// one avoids traps, or else few would come far.
pub fn module(bytes: &[u8]) -> Option<Vec<u8>> {
    let (first, bytes) = bytes.split_first()?;
    let config = wasm_smith::Config { disallow_traps: first % 2 == 0, ..config() };
    let mut module = wasm_smith::Module::new(config, &mut Unstructured::new(bytes)).ok()?;
    module.ensure_termination(FUEL).expect("all functions are wasm-smith's own");
    Some(module.to_bytes())
}
