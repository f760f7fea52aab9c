//! What graph to draw, as people write it: `from start limit 500`, `breakpoints resume`.

use crate::graph::Graph;
use crate::notation::{did_you_mean, list};

/// The words that it is written with, each with what may follow it. Times are in seconds.
pub const GRAPH: [(&str, &str); 7] = [
    ("from", "start"),
    ("limit", "500"),
    ("depth", "3"),
    ("time", "2.5"),
    ("breakpoints", ""),
    ("turn-of", "math"),
    ("resume", ""),
];

/// Reads what graph to draw.
pub fn parse_graph(text: &str) -> Result<Graph, String> {
    let mut graph = Graph::default();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let Some((_, example)) = GRAPH.iter().find(|(known, _)| *known == word) else {
            let known = || GRAPH.iter().map(|(known, _)| *known);
            return Err(format!(
                "{word} says nothing about a graph{}\nwhat can be said: {}",
                did_you_mean(word, known()),
                list(known(), "nothing")
            ));
        };
        let given = if example.is_empty() { Some("") } else { words.next() };
        if given.and_then(|given| set(&mut graph, word, given)).is_none() {
            return Err(format!("{word} needs something else behind it: write {word} {example}"));
        }
    }
    if graph.resume && !graph.breakpoints && graph.turn_of.is_none() {
        return Err("there is nothing to resume from: add breakpoints, or turn-of ACTOR".into());
    }
    Ok(graph)
}

fn set(graph: &mut Graph, word: &str, given: &str) -> Option<()> {
    match word {
        "from" => graph.from = Some(given.into()),
        "limit" => graph.limit = Some(given.replace('_', "").parse().ok()?),
        "depth" => graph.depth = Some(given.parse().ok()?),
        "time" => {
            let seconds = given.parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0)?;
            graph.milliseconds = Some((seconds * 1000.0) as u64);
        }
        "breakpoints" => graph.breakpoints = true,
        "turn-of" => graph.turn_of = Some(given.to_owned()),
        _ => graph.resume = true,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_meant() {
        let meant = Graph {
            from: Some("start".into()),
            limit: Some(1000),
            depth: Some(3),
            milliseconds: Some(2500),
            breakpoints: true,
            turn_of: Some("math".into()),
            resume: true,
        };
        let text = "from start limit 1_000 depth 3 time 2.5 breakpoints turn-of math resume";
        assert_eq!(parse_graph(text), Ok(meant));
        assert_eq!(parse_graph(""), Ok(Graph::default()));
        for wrong in ["limit", "limit many", "time -1", "turn-of", "form start", "resume"] {
            assert!(parse_graph(wrong).is_err(), "{wrong}");
        }
    }
}
