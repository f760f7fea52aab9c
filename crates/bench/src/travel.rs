//! What going back costs, in a run of a thousand million instructions.

use std::time::{Duration, Instant};

use anyhow::Result;
use mw_session::{Direction, Options, Place, Session, Unattended, Unit};

use crate::program::Program;
use crate::recording::forward;

/// Reads a sensor every 100,000 instructions and writes all over 1 MiB.
const WALKER: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (memory 16)
  (func (export "main")
    (local $i i32) (local $at i32)
    (loop $again
      (local.set $at (i32.add (local.get $at) (call $read (i32.const 12))))
      (call $write (i32.const 13) (i32.and (local.get $at) (i32.const 1)))
      (local.set $i (i32.const 8000))
      (loop $work
        (local.set $at (i32.add (i32.mul (local.get $at) (i32.const 1103515245)) (i32.const 12345)))
        (i32.store (i32.and (i32.shr_u (local.get $at) (i32.const 4)) (i32.const 0xffffc)) (local.get $i))
        (br_if $work (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))
      (br $again))))
"#;

const LENGTHS: [u64; 3] = [10_000_000, 100_000_000, 1_000_000_000];
const TRIPS: u64 = 100;

pub fn run(_: u32) -> Result<()> {
    println!("Going back, against the length of the history; {TRIPS} trips each; checkpoints");
    println!("within {} MiB.\n", Options::default().checkpoint_memory >> 20);
    println!(
        "| instructions  | checkpoints |     held | slide: median |      95 % |       max | step back: median |      95 % |"
    );
    println!(
        "|--------------:|------------:|---------:|--------------:|----------:|----------:|------------------:|----------:|"
    );
    let program = Program::from_text(WALKER)?;
    for length in LENGTHS {
        let mut session = program.session(Options::default())?;
        forward(&mut session, length)?;
        let end = session.here();
        // The same sequence of places in every run.
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut places = (0..TRIPS).map(|_| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 16) % length
        });
        let mut slides = measure(&mut session, &mut places, |session, count| {
            let node = session.multiverse().node_at(end.node, count);
            session.slide(Place { node, count }, false, &mut Unattended)?;
            Ok(())
        })?;
        session.slide(end, false, &mut Unattended)?;
        let mut steps = measure(&mut session, &mut (0..TRIPS), |session, _| {
            session.step(Unit::Instruction, Direction::Back, 1, &mut Unattended)?;
            Ok(())
        })?;
        slides.sort();
        steps.sort();
        let at = |times: &[Duration], share: f64| {
            times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3
        };
        println!(
            "| {length:>13} | {:>11} | {:>4} MiB | {:>10.2} ms | {:>6.2} ms | {:>6.2} ms | {:>14.2} ms | {:>6.2} ms |",
            session.checkpoints().len(),
            session.checkpoints().bytes_held() >> 20,
            at(&slides, 0.5),
            at(&slides, 0.95),
            at(&slides, 1.0),
            at(&steps, 0.5),
            at(&steps, 0.95),
        );
    }
    println!();
    Ok(())
}

fn measure(
    session: &mut Session,
    trips: &mut dyn Iterator<Item = u64>,
    mut trip: impl FnMut(&mut Session, u64) -> Result<()>,
) -> Result<Vec<Duration>> {
    trips
        .map(|count| {
            let start = Instant::now();
            trip(session, count)?;
            Ok(start.elapsed())
        })
        .collect()
}
