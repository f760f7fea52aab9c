//! Since when a property was going to be violated, whatever came.
//!
//! Between two readings a program goes one way. So it becomes inevitable right after a reading: the
//! first one after which every path that was explored and goes on from there violates the property.
//! Another path goes on from there if its inputs can have the values of the witness up to that
//! reading, which is asked of the solver and not guessed from classes of values.

use mw_monitor::Verdict;
use mw_vm::Value;

use crate::asked::Asked;
use crate::explore::{Explorer, PathId};
use crate::path::{Got, Reading};
use crate::solver::Answer;
use crate::stop::Stop;

/// Since when a violation could not be avoided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inevitable {
    /// After so many of the readings of the path on which it was violated.
    pub readings: usize,
    /// How many paths that were explored go on from there. All of them violate the property.
    pub paths: usize,
    /// A path on which the last of these readings went otherwise, and the property is not violated.
    pub avoided: Option<PathId>,
    /// Whether every path that there is was looked at.
    pub is_exact: bool,
}

/// Among more paths than this it is not looked for.
const MOST_PATHS: usize = 10_000;

/// A reading of the path on which the property was violated.
struct Fixed {
    count: u64,
    asked: Asked,
    value: Option<Value>,
}

/// How far a path goes along with another.
struct Along {
    readings: usize,
    /// Whether that is not known, and this is the most that it may be.
    is_unknown: bool,
}

impl Explorer {
    /// Since when a violation of a property on a path could not be avoided; nothing if that has not
    /// been found out, or if it is not violated.
    pub fn inevitable(&mut self, of: PathId, which: usize, stop: &Stop) -> Option<Inevitable> {
        let witness = self.leaf_of(of)?;
        let violation = witness.judged.get(which)?.violation.clone()?;
        let steps = witness.steps.iter().take(violation.readings);
        let way: Vec<Fixed> = steps
            .map(|step| Fixed { count: step.count, asked: step.asked.clone(), value: step.value })
            .collect();
        let paths = self.paths();
        if paths.len() > MOST_PATHS {
            return None;
        }
        let (mut violating, mut last, mut is_exact) = (Vec::new(), None, self.is_whole());
        for path in paths {
            if stop.is_over() {
                return None;
            }
            let (judged, is_told) = self.judged_on(path, which)?;
            let along = self.along(path, &way, stop)?;
            is_exact &= !along.is_unknown;
            match judged {
                Verdict::Violated => violating.push(along.readings),
                _ => {
                    // Of those that go along as far, one that came to its end.
                    let found = (along.readings, is_told, path);
                    let is_later = |(readings, told, _): (usize, bool, PathId)| {
                        (found.0, found.1) > (readings, told)
                    };
                    if last.is_none_or(is_later) {
                        last = Some(found);
                    }
                }
            }
        }
        let readings = last.map_or(0, |(readings, ..)| readings + 1);
        // One that was cut off may have been as far.
        if readings > way.len() {
            return None;
        }
        let paths = violating.iter().filter(|along| **along >= readings).count();
        let avoided = last.filter(|(_, is_told, _)| *is_told).map(|(.., path)| path);
        Some(Inevitable { readings, paths, avoided, is_exact })
    }

    /// Whether all that there is was followed, each as itself and not as one of those like it.
    fn is_whole(&self) -> bool {
        let stands_for_others = self.turns() > 0 && self.reduces;
        self.is_complete() && !stands_for_others && self.most_interrupts().is_none()
    }
}

impl Explorer {
    /// What is said of a property on a path, and whether that came to its end.
    fn judged_on(&self, path: PathId, which: usize) -> Option<(Verdict, bool)> {
        let (part, index) = self.part_of(path)?;
        let known = part.known_path(index)?;
        Some((known.judged.get(which)?.verdict, known.end.is_whole()))
    }

    /// How far a path can go along with the readings of another one.
    fn along(&mut self, path: PathId, way: &[Fixed], stop: &Stop) -> Option<Along> {
        let (part, index) = self.part_of_mut(path)?;
        let known = part.known_path(index)?;
        let readings = known.readings.last(usize::MAX).into_iter().take(way.len());
        let readings: Vec<Reading> = readings.cloned().collect();
        let constraints = known.constraints.clone();
        let alike = readings.iter().zip(way).take_while(|(reading, fixed)| {
            (reading.count, &reading.asked) == (fixed.count, &fixed.asked)
        });
        let most = alike.count();
        // Which of its inputs have to have which values.
        let mut conditions = Vec::new();
        for (reading, fixed) in readings.iter().zip(way).take(most) {
            let condition = match (&reading.got, fixed.value) {
                (Got::Open(var), Some(value)) => {
                    let input = part.exprs.input_expr(*var);
                    part.exprs.equals(input, value.to_slot())
                }
                (Got::Mocked(answer), Some(value)) if answer.value != value => part.exprs.i32(0),
                _ => part.exprs.i32(1),
            };
            conditions.push(condition);
        }
        let (mut least, mut beyond) = (0, most + 1);
        let mut is_unknown = false;
        while least + 1 < beyond {
            let middle = (least + beyond) / 2;
            let mut all = part.exprs.i32(1);
            for condition in &conditions[..middle] {
                all = part.exprs.and(all, *condition);
            }
            match part.exprs.as_const(all) {
                Some(0) => beyond = middle,
                Some(_) => least = middle,
                None => match part.solver.find(&mut part.exprs, &constraints, all, stop) {
                    Answer::Values(_) => least = middle,
                    Answer::Impossible => beyond = middle,
                    Answer::Unknown => (least, is_unknown) = (middle, true),
                },
            }
        }
        Some(Along { readings: least, is_unknown })
    }
}
