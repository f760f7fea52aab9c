//! The interpreter against `wasmi` on six kernels.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use mw_vm::{
    Breakpoints, Frame, ImportValues, Limits, Machine, Module, NoProbe, Op, Probe, Stop, Value,
};
use serde::Deserialize;

use crate::allocation;

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
    probes(repeat)?;
    breakpoint(repeat)
}

/// Counts the calls of a function.
#[derive(Default)]
struct Calls(u64);

impl Probe for Calls {
    fn instruction(&mut self, _: u32, _: Op, _: Frame<'_>) {
        self.0 += 1;
    }
}

/// Calls one function a thousand times, and works in between.
const WORKER: &str = r#"
(module
  (func $rare (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func (export "run") (result i32) (local $i i32) (local $j i32) (local $sum i32)
    (loop $again
      (local.set $sum (call $rare (local.get $sum)))
      (local.set $j (i32.const 10000))
      (loop $work
        (local.set $sum (i32.xor (local.get $j) (i32.mul (local.get $sum) (i32.const 31))))
        (br_if $work (local.tee $j (i32.sub (local.get $j) (i32.const 1)))))
      (br_if $again (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000))))
    (local.get $sum)))
"#;

fn probes(repeat: u32) -> Result<()> {
    let module = Arc::new(Module::from_binary(&wat::parse_str(WORKER)?, &Limits::default())?);
    let everything = Breakpoints::none();
    let is_rare = |pc, _| module.func_at(pc) == Some(0);
    let one_function = Breakpoints::none().within(&module, is_rare);
    let time = |run: &mut dyn FnMut(&mut Machine) -> Stop| -> Result<Duration> {
        let mut best = Duration::MAX;
        for _ in 0..repeat {
            let mut machine =
                Machine::new(module.clone(), Limits::default(), ImportValues::default())?;
            machine.call(1, &[])?;
            let start = Instant::now();
            ensure!(run(&mut machine) == Stop::Finished, "the program ends");
            best = best.min(start.elapsed());
        }
        Ok(best)
    };
    let none = time(&mut |machine| machine.run(u64::MAX, &everything, &mut NoProbe))?;
    let one = time(&mut |machine| machine.run(u64::MAX, &one_function, &mut Calls::default()))?;
    let all = time(&mut |machine| machine.run(u64::MAX, &everything, &mut Calls::default()))?;
    let times = |time: Duration| time.as_secs_f64() / none.as_secs_f64();
    println!(
        "With a probe on a function that is called rarely: {:.2}x of the time without; with one on \
         everything: {:.2}x.",
        times(one),
        times(all)
    );
    Ok(())
}

/// What it costs to set a breakpoint in a module of a million instructions.
fn breakpoint(repeat: u32) -> Result<()> {
    let body = "(local.set 0 (i32.add (local.get 0) (i32.const 1)))".repeat(25);
    let text = format!("(module {})", format!("(func (param i32) {body})").repeat(10_000));
    let module = Module::from_binary(&wat::parse_str(text)?, &Limits::default())?;
    let middle = module.code().len() as u32 / 2;
    let (mut best, mut bytes) = (Duration::MAX, 0);
    for _ in 0..repeat {
        let before = allocation::held();
        let start = Instant::now();
        let breakpoints = Breakpoints::new(&module, [middle]);
        best = best.min(start.elapsed());
        bytes = allocation::held() - before;
        drop(breakpoints);
    }
    println!(
        "A breakpoint in a module of {} instructions: {:.2} ms, {} KiB.\n",
        module.code().len(),
        best.as_secs_f64() * 1e3,
        bytes >> 10
    );
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
