//! How to explore, as people write it: `inputs 6 paths 100 time 2.5 merge`.
//!
//! `towards` comes last: what is looked for may have spaces in it.

use crate::exploration::Exploration;
use crate::notation::{did_you_mean, list};

/// The words that it is written with, each with what may follow it. Times are in seconds, memory
/// is in MiB.
pub const EXPLORATION: [(&str, &str); 23] = [
    ("from", "1.3"),
    ("inputs", "6"),
    ("interrupts", "2"),
    ("paths", "100"),
    ("instructions", "1_000_000"),
    ("turns", "10"),
    ("schedule", "20"),
    ("values", "16"),
    ("time", "2.5"),
    ("solver-time", "1"),
    ("memory", "512"),
    ("strategy", "breadth"),
    ("jobs", "2"),
    ("seed", "7"),
    ("solver", "z3"),
    ("towards", "trap"),
    ("apart", ""),
    ("all", ""),
    ("coverage", ""),
    ("fork-select", ""),
    ("all-orders", ""),
    ("while-holds", ""),
    ("symbolic-params", ""),
];

/// Reads how to explore.
pub fn parse_exploration(text: &str) -> Result<Exploration, String> {
    let mut exploration = Exploration::default();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let Some((_, example)) = EXPLORATION.iter().find(|(known, _)| *known == word) else {
            let known = || EXPLORATION.iter().map(|(known, _)| *known);
            return Err(format!(
                "{word} says nothing about exploring{}\nwhat can be said: {}",
                did_you_mean(word, known()),
                list(known(), "nothing")
            ));
        };
        let given = match word {
            "towards" => {
                let rest: Vec<&str> = words.by_ref().collect();
                (!rest.is_empty()).then(|| rest.join(" "))
            }
            _ if example.is_empty() => Some(String::new()),
            _ => words.next().map(str::to_owned),
        };
        if given.and_then(|given| set(&mut exploration, word, &given)).is_none() {
            return Err(format!("{word} needs something else behind it: write {word} {example}"));
        }
    }
    Ok(exploration)
}

fn set(exploration: &mut Exploration, word: &str, given: &str) -> Option<()> {
    let whole = || given.replace('_', "").parse::<u64>().ok();
    let size = || usize::try_from(whole()?).ok();
    let milliseconds = || {
        let seconds = given.parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0)?;
        Some((seconds * 1000.0) as u64)
    };
    match word {
        "inputs" => exploration.inputs = Some(size()?),
        "interrupts" => exploration.interrupts = Some(u32::try_from(whole()?).ok()?),
        "paths" => exploration.paths = Some(size()?),
        "instructions" => exploration.instructions = Some(whole()?),
        "turns" => exploration.turns = Some(u32::try_from(whole()?).ok()?),
        "schedule" => exploration.schedule = Some(size()?),
        "values" => exploration.values = Some(size()?),
        "time" => exploration.milliseconds = Some(milliseconds()?),
        "solver-time" => exploration.solver_milliseconds = Some(milliseconds()?),
        "memory" => exploration.memory = Some(size()?.checked_mul(1 << 20)?),
        "strategy" => exploration.strategy = Some(given.to_owned()),
        "jobs" => exploration.jobs = Some(size()?),
        "seed" => exploration.seed = Some(whole()?),
        "solver" => exploration.solver = Some(given.to_owned()),
        "towards" => exploration.towards = Some(given.to_owned()),
        "from" => exploration.from = Some(given.into()),
        "apart" => exploration.apart = true,
        "all" => exploration.all = true,
        "coverage" => exploration.coverage = true,
        "all-orders" => exploration.all_orders = true,
        "while-holds" => exploration.while_holds = true,
        "fork-select" => exploration.forks_at_select = true,
        "symbolic-params" => exploration.symbolic_params = true,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_understood() {
        for (word, example) in EXPLORATION {
            let read = parse_exploration(&format!("{word} {example}"));
            assert_ne!(read, Ok(Exploration::default()), "{word}");
            assert!(read.is_ok(), "{word}: {read:?}");
        }
    }

    #[test]
    fn several_words_and_mistakes() {
        let read = parse_exploration("inputs 1_000 time 0.5 apart").unwrap();
        let expected = Exploration {
            inputs: Some(1000),
            milliseconds: Some(500),
            apart: true,
            ..Exploration::default()
        };
        assert_eq!(read, expected);
        let towards = parse_exploration("inputs 2 towards global 0 == 66").unwrap().towards;
        assert_eq!(towards.as_deref(), Some("global 0 == 66"));
        assert_eq!(parse_exploration("  "), Ok(Exploration::default()));
        for wrong in
            ["inputs", "inputs many", "time -1", "memory 18446744073709551615", "7", "mrege"]
        {
            assert!(parse_exploration(wrong).is_err(), "{wrong}");
        }
    }
}
