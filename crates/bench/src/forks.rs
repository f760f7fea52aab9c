//! What a fork costs: time and memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::allocation;
use anyhow::{Context, Result, ensure};
use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, PAGE_SIZE, Stop, Value};

/// Fills `pages` pages of 4 KiB, then writes one word into ten pages between calls of `pause`.
const PROGRAM: &str = r#"
(module
  (import "env" "pause" (func $pause))
  (memory 256)
  (func (export "run") (param $rounds i32)
    (local $round i32) (local $page i32)
    (memory.fill (i32.const 0) (i32.const 1) (i32.const 0x1000000))
    (loop $again
      (call $pause)
      (local.set $page (i32.const 0))
      (loop $pages
        ;; Page (round * 10 + page) modulo 4096.
        (i32.store
          (i32.and
            (i32.shl
              (i32.add (i32.mul (local.get $round) (i32.const 10)) (local.get $page))
              (i32.const 12))
            (i32.const 0xfff000))
          (local.get $round))
        (local.set $page (i32.add (local.get $page) (i32.const 1)))
        (br_if $pages (i32.lt_u (local.get $page) (i32.const 10))))
      (local.set $round (i32.add (local.get $round) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $round) (local.get $rounds))))))
"#;

const FORKS: usize = 10_000;

pub fn run(repeat: u32) -> Result<()> {
    let (mut forking, mut running, mut bytes) = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..repeat {
        let (fork, run, held) = measure(true)?;
        (forking, bytes) = (forking.min(fork), held);
        running = running.min(run);
    }
    let (_, alone, _) = (0..repeat)
        .map(|_| measure(false))
        .try_fold((Duration::MAX, Duration::MAX, 0), |best, now| {
            now.map(|now| if now.1 < best.1 { now } else { best })
        })?;
    let per = |time: Duration| time.as_secs_f64() * 1e6 / FORKS as f64;
    println!("Forks of a machine with 16 MiB of memory, all of it in use, 10 pages of");
    println!("{PAGE_SIZE} bytes written between forks; {FORKS} forks kept; best of {repeat}.\n");
    println!("| what                                   | per fork    |");
    println!("|----------------------------------------|------------:|");
    println!("| the fork itself                        | {:>8.2} µs |", per(forking));
    println!("| running on: 10 pages copied and written| {:>8.2} µs |", per(running));
    println!("| the same without forks                 | {:>8.2} µs |", per(alone));
    println!("| memory, of which the pages are {}   | {:>6} B    |", 10 * PAGE_SIZE, bytes);
    println!();
    Ok(())
}

fn measure(fork: bool) -> Result<(Duration, Duration, usize)> {
    let module = Arc::new(Module::from_binary(&wat::parse_str(PROGRAM)?, &Limits::default())?);
    let func = module.exported_func("run").context("no `run`")?;
    let mut machine = Machine::new(module, Limits::default(), ImportValues::default())?;
    machine.call(func, &[Value::I32(FORKS as i32)])?;
    let mut forks = Vec::with_capacity(FORKS);
    let (mut forking, mut running) = (Duration::ZERO, Duration::ZERO);
    let none = Breakpoints::default();
    ensure!(machine.run(u64::MAX, &none, &mut NoProbe) == Stop::Import(0), "no first pause");
    let before = allocation::held();
    for round in 0..FORKS {
        let start = Instant::now();
        if fork {
            forks.push(machine.fork());
        }
        let forked = Instant::now();
        machine.resume(&[])?;
        let stop = machine.run(u64::MAX, &none, &mut NoProbe);
        running += forked.elapsed();
        forking += forked - start;
        let expected = if round + 1 == FORKS { Stop::Finished } else { Stop::Import(0) };
        ensure!(stop == expected, "stopped by {stop:?}");
    }
    let held = allocation::held().saturating_sub(before) / FORKS;
    Ok((forking, running, held))
}
