//! Processes are killed at random moments while they explore and save; the file is opened again.
//!
//! The test starts itself as a child that walks about at random. Before each save the child says
//! what it is about to save, and afterwards that it has. What is found in the file must be what was
//! acknowledged last, or what was being saved when the child died: nothing else, and not less.

use crate::common;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{READ, digest, plain, program, system};
use mw_session::{
    Breakpoint, BreakpointId, Direction, Mock, MockId, NodeId, Place, Session, Trigger, Unattended,
    Unit,
};
use mw_session_file::{FileError, SessionFile};
use mw_vm::{Cell, Value};

const ROUNDS: i32 = 40;

/// How often the child is killed, and after how many times a new file is begun.
const KILLS: u64 = 300;
const KILLS_PER_FILE: u64 = 50;
const KILLS_OF_SYSTEMS: u64 = 25;

/// A small generator of random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.below(2);
        random.below(2);
        random
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
    }
}

fn short(digest: &str) -> String {
    let mut hasher = DefaultHasher::new();
    digest.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Opens the file and makes its session; `None` if the creation never got that far.
fn recover(path: &Path) -> Option<(SessionFile, Session)> {
    match SessionFile::open(path) {
        Ok((file, recovered)) => {
            let mut session = recovered.program.session().unwrap();
            recovered.restore_into(&mut session, &mut Unattended).unwrap();
            Some((file, session))
        }
        Err(FileError::NotFound { .. } | FileError::Empty { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// One random command.
fn wander(session: &mut Session, random: &mut Random) {
    let control = &mut Unattended;
    let steps = 1 + random.below(60);
    let node = session.here().node;
    // Whatever is refused leaves the session at a place like any other.
    let _ = match random.below(12) {
        0..4 => session.step(Unit::Instruction, Direction::Forward, steps, control).map(drop),
        4 => session.step(Unit::Instruction, Direction::Back, steps, control).map(drop),
        5 => {
            let value = Value::I32([13, 14, 50, 500][random.below(4) as usize]);
            let args = (random.below(2) == 0).then(|| vec![Value::I32(random.below(4) as i32)]);
            session.mocks_mut().add(Mock {
                port: None,
                import: READ,
                args,
                answer: value.into(),
                once: true,
            });
            session.run(Direction::Forward, control).map(drop)
        }
        6 => {
            let (segment, _) = node.parts();
            let segment = random.below(u64::from(segment) + 3) as u32;
            let node = NodeId::from_parts(segment, 1 + random.below(40) as u32);
            match session.multiverse().contains(node) {
                true => {
                    let count = session.multiverse().start(node);
                    session.slide(Place { node, count }, false, control).map(drop)
                }
                false => Ok(()),
            }
        }
        7 => session.interrupt(3),
        8 => session.alter(Cell::Global(0), Value::I32(random.below(1000) as i32)),
        9 => {
            let (name, here) = (format!("mark {}", random.below(8)), session.here());
            match random.below(3) {
                0 => drop(session.bookmarks_mut().remove(&name)),
                _ => session.bookmarks_mut().set(&name, here),
            }
            Ok(())
        }
        10 => {
            // Off, so that it does not keep the walk in one place.
            let trigger = Trigger::Instruction(random.below(40) as u32);
            let breakpoint = Breakpoint { enabled: false, ..Breakpoint::new(trigger) };
            match random.below(2) {
                0 => drop(session.breakpoints_mut().add(breakpoint)),
                _ => drop(session.breakpoints_mut().remove(BreakpointId(random.below(9) as u32))),
            }
            session.mocks_mut().remove(MockId(random.below(20) as u32));
            Ok(())
        }
        _ => session.slide(Place::default(), false, control).map(drop),
    };
}

/// One random command to a system of actors.
fn wander_among_actors(session: &mut Session, random: &mut Random) {
    let control = &mut Unattended;
    let options = session.turn_options();
    let _ = match random.below(3) {
        0 if !options.is_empty() => {
            let next = options[random.below(options.len() as u64) as usize];
            session.give_turn(next, control).map(drop)
        }
        0 => session.step_turn(None, Direction::Forward, control).map(drop),
        1 => session.step_turn(None, Direction::Back, control).map(drop),
        _ => return wander(session, random),
    };
}

/// The child: walks about and saves until it is killed.
fn walk(path: &Path, seed: u64) {
    let is_system = std::env::var_os("MW_SYSTEM").is_some();
    let (mut file, mut session) = recover(path).unwrap_or_else(|| {
        let program = if is_system { system() } else { program(ROUNDS) };
        let mut session = program.session().unwrap();
        (SessionFile::create(path, &program, &mut session).unwrap(), session)
    });
    let mut random = Random::new(seed);
    let say = |what: &str, session: &Session| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{what} {}", short(&digest(session))).and_then(|()| out.flush()).unwrap();
    };
    say("saved", &session);
    loop {
        for _ in 0..1 + random.below(3) {
            match is_system {
                true => wander_among_actors(&mut session, &mut random),
                false => wander(&mut session, &mut random),
            }
        }
        say("saving", &session);
        file.save(&mut session).unwrap();
        say("saved", &session);
    }
}

/// Not a test by itself: what the child runs.
#[test]
fn walker() {
    let variable = |name| std::env::var(name).ok();
    if let (Some(path), Some(seed)) = (variable("MW_WALK"), variable("MW_SEED")) {
        walk(Path::new(&path), seed.parse().unwrap());
    }
}

/// Starts a child and kills it; returns what it said that it was saving, and had saved.
fn kill_a_walker(
    path: &Path,
    (seed, is_system): (u64, bool),
    random: &mut Random,
) -> (Option<String>, Option<String>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::walker", "--nocapture", "--test-threads=1"])
        .env("MW_WALK", path)
        .env("MW_SEED", seed.to_string())
        .envs(is_system.then_some(("MW_SYSTEM", "yes")))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let (mut saving, mut saved) = (None, None);
    let mut hear = |line: String| {
        match line.split_once(' ') {
            Some(("saving", digest)) => saving = Some(digest.to_owned()),
            Some(("saved", digest)) => saved = Some(digest.to_owned()),
            _ => {}
        };
        line.starts_with("sav")
    };
    // After so many words of it, or so soon that it may not have said any, and a moment later.
    if random.below(8) > 0 {
        let mut words = random.below(14);
        while words > 0 {
            words -= u64::from(hear(lines.next().unwrap()));
        }
    }
    std::thread::sleep(Duration::from_micros(random.below(5_000)));
    child.kill().unwrap();
    child.wait().unwrap();
    // What it said before it died, apart from a word that it did not finish.
    let rest: Vec<String> = lines.collect();
    for line in rest {
        if line.len() > 16 {
            hear(line);
        }
    }
    (saving, saved)
}

#[test]
fn killed_at_any_moment() {
    kill_walkers(KILLS, false);
}

/// The same of a system of actors; what is found is compared with what was saved, and where it is with
/// where its choices lead in a session of its own.
#[test]
fn a_system_is_killed_at_any_moment() {
    kill_walkers(KILLS_OF_SYSTEMS, true);
}

/// Whether a session of a system is where its trace leads.
fn check_system(session: &Session) {
    let mut other = system().session().unwrap();
    let trace = other.read_trace(&session.write_trace(&session.trace())).unwrap();
    other.replay_trace(&trace, &mut Unattended).unwrap();
    assert!(session.machine() == other.machine() && session.here().count == other.here().count);
    assert_eq!(session.world().state(), other.world().state());
}

fn kill_walkers(kills: u64, is_system: bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(42);
    let (mut during, mut after) = (0, 0);
    for file in 0..kills.div_ceil(KILLS_PER_FILE) {
        let path = folder.path().join(format!("{file}.mw"));
        let mut before = None;
        for kill in 0..KILLS_PER_FILE.min(kills) {
            let seed = file * KILLS_PER_FILE + kill;
            let (saving, saved) = kill_a_walker(&path, (seed, is_system), &mut random);
            let acknowledged = saved.clone().or(before.clone());
            let found = recover(&path).map(|(_file, session)| {
                match is_system {
                    true => check_system(&session),
                    false => plain::check(&session, ROUNDS),
                }
                short(&digest(&session))
            });
            // In the middle of creating it, a child may have created it without saying so.
            let is_new = acknowledged.is_none() && found.is_some();
            if found != acknowledged && !is_new {
                assert_eq!(found, saving, "seed {seed}: neither {acknowledged:?} nor this");
                after += 1;
            } else if saved != saving {
                during += 1;
            }
            before = found;
        }
        let (_file, session) = recover(&path).unwrap();
        println!("{}: {} nodes", path.display(), session.multiverse().len());
    }
    println!("of {kills}, {during} died in a save, {after} after one and before saying so");
}

#[test]
fn a_file_is_in_use_until_its_process_dies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mw");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::walker", "--nocapture", "--test-threads=1"])
        .env("MW_WALK", &path)
        .env("MW_SEED", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    // Created, or just opened: both lock it.
    assert!(lines.any(|line| line.starts_with("saved")));
    assert!(matches!(SessionFile::open(&path), Err(FileError::InUse { .. })));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(recover(&path).is_some());
}
