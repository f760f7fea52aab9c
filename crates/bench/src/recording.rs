//! What recording costs: time against not recording, and bytes per choice.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mw_session::{Direction, Options, Session, Unattended, Unit};

use crate::program::Program;

/// Reads a sensor every 1,000 instructions.
const READER: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (memory 1)
  (func (export "main")
    (local $i i32) (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (local.get $sum) (call $read (i32.const 12))))
      (local.set $i (i32.const 110))
      (loop $work
        (i32.store (i32.and (local.get $sum) (i32.const 0xfffc)) (local.get $i))
        (br_if $work (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))
      (br $again))))
"#;

pub fn run(repeat: u32) -> Result<()> {
    println!("Recording against not recording; best of {repeat}. Lower is better.\n");
    println!(
        "| program                               | no recording | traces | traces+checkpoints | bytes/choice |"
    );
    println!(
        "|---------------------------------------|-------------:|-------:|-------------------:|-------------:|"
    );
    let reader = Program::from_text(READER)?;
    row("an input every 1,000 instructions", &reader, 50_000_000, repeat)?;
    row("50,000 instructions of breakout", &Program::example("breakout")?, 50_000, repeat)?;
    row("5,000,000 instructions of breakout", &Program::example("breakout")?, 5_000_000, repeat)?;
    println!();
    Ok(())
}

fn row(name: &str, program: &Program, count: u64, repeat: u32) -> Result<()> {
    let traces = Options { checkpoint_memory: 0, ..Options::default() };
    let mut best = [Duration::MAX; 3];
    let mut bytes = 0.0;
    for _ in 0..repeat {
        let start = Instant::now();
        ensure!(program.run_plain(count)?.count() == count, "{name} ended early");
        best[0] = best[0].min(start.elapsed());
        for (index, options) in [(1, traces), (2, Options::default())] {
            let mut session = program.session(options)?;
            let start = Instant::now();
            forward(&mut session, count)?;
            best[index] = best[index].min(start.elapsed());
            let tree = session.multiverse();
            bytes = tree.bytes_held() as f64 / tree.len() as f64;
        }
    }
    let times = best.map(|time| time.as_secs_f64() * 1e3);
    println!(
        "| {name:<37} | {:>9.2} ms | {:>5.2}x | {:>17.2}x | {bytes:>12.1} |",
        times[0],
        times[1] / times[0],
        times[2] / times[0],
    );
    Ok(())
}

/// Executes so many instructions.
pub fn forward(session: &mut Session, count: u64) -> Result<()> {
    session.step(Unit::Instruction, Direction::Forward, count, &mut Unattended)?;
    ensure!(session.here().count == count, "the program ended early");
    Ok(())
}
