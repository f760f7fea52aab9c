//! The interpreter against `wasmi` on six kernels.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop, Value};
use serde::Deserialize;

#[derive(Deserialize)]
struct Kernels {
    kernel: Vec<Kernel>,
}

#[derive(Deserialize)]
struct Kernel {
    name: String,
    module: String,
    n: i32,
    expected: i64,
}

pub fn run(repeat: u32) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/kernels");
    let list = std::fs::read_to_string(folder.join("kernels.toml"))?;
    let kernels: Kernels = toml::from_str(&list)?;
    println!("Interpreter against wasmi, counting on; best of {repeat}. Higher is better.\n");
    println!(
        "| kernel      | instructions | ours, ms | wasmi, ms | ns/instruction | speed of wasmi's |"
    );
    println!(
        "|-------------|-------------:|---------:|----------:|---------------:|-----------------:|"
    );
    let mut product = 1.0;
    for kernel in &kernels.kernel {
        let wasm = std::fs::read(folder.join(&kernel.module)).context(kernel.module.clone())?;
        let (mut ours, mut theirs, mut count) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..repeat {
            let (time, instructions) = run_ours(&wasm, kernel)?;
            (ours, count) = (ours.min(time), instructions);
            theirs = theirs.min(run_wasmi(&wasm, kernel)?);
        }
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        product *= ratio;
        println!(
            "| {:<11} | {:>12} | {:>8.1} | {:>9.1} | {:>14.2} | {:>15.2}x |",
            kernel.name,
            count,
            ours.as_secs_f64() * 1e3,
            theirs.as_secs_f64() * 1e3,
            ours.as_secs_f64() * 1e9 / count as f64,
            ratio
        );
    }
    let mean = f64::powf(product, 1.0 / kernels.kernel.len() as f64);
    println!("\nGeometric mean: {mean:.2}x of wasmi's speed.\n");
    Ok(())
}

fn run_ours(wasm: &[u8], kernel: &Kernel) -> Result<(Duration, u64)> {
    let module = Arc::new(Module::from_binary(wasm, &Limits::default())?);
    let func = module.exported_func("run").context("the kernel exports no `run`")?;
    let mut machine = Machine::new(module, Limits::default(), ImportValues::default())?;
    machine.call(func, &[Value::I32(kernel.n)])?;
    let start = Instant::now();
    let stop = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe);
    let time = start.elapsed();
    ensure!(stop == Stop::Finished, "{}: {stop:?}", kernel.name);
    ensure!(machine.results() == [Value::I64(kernel.expected)], "{}: wrong result", kernel.name);
    Ok((time, machine.count()))
}

fn run_wasmi(wasm: &[u8], kernel: &Kernel) -> Result<Duration> {
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, wasm).map_err(|e| anyhow!("{e}"))?;
    let mut store = wasmi::Store::new(&engine, ());
    let instance = wasmi::Instance::new(&mut store, &module, &[]).map_err(|e| anyhow!("{e}"))?;
    let func = instance.get_typed_func::<i32, i64>(&store, "run").map_err(|e| anyhow!("{e}"))?;
    let start = Instant::now();
    let result = func.call(&mut store, kernel.n).map_err(|e| anyhow!("{e}"))?;
    let time = start.elapsed();
    ensure!(result == kernel.expected, "{}: wrong result from wasmi", kernel.name);
    Ok(time)
}
