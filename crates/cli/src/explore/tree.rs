//! What was found as a text tree.
//!
//! A choice with one way on stands below the one before it; only choices between several options
//! are indented, and what may happen by itself before the next one. Inputs of which any value does, one after the other, are one line.

use std::io::{self, Write};

use mw_api::{ConditionView, LeafView, OptionView, Suggested};

use super::{readable, shape::Shape};
use crate::console::{ERROR, FAINT, INPUT, NOTE, SUCCESS, TITLE, count_of, grouped};

/// More different calls than this are not named in one line.
const CALLS_NAMED: usize = 4;

/// What cuts off a path that has read as many inputs as are explored.
const INPUT_BOUND: &str = "input bound";

/// How the tree is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Whether to name the nodes of the multiverse, for whoever can go there.
    pub nodes: bool,
    /// How many lines at most.
    pub lines: Option<usize>,
    /// How to see more of them.
    pub more: Option<&'static str>,
}

/// Writes the tree.
pub fn show(out: &mut dyn Write, suggested: &Suggested, look: &Look) -> io::Result<()> {
    let mut printer = Printer::new(suggested, *look);
    for leaf in suggested.leaves.iter().filter(|leaf| leaf.readings == 0) {
        printer.leaf(out, "", leaf)?;
    }
    printer.options(out)?;
    if printer.omitted > 0 {
        let more = look.more.map(|how| format!("; {how}")).unwrap_or_default();
        writeln!(out, "{NOTE}… {} more{more}{NOTE:#}", count_of(printer.omitted, "line", "lines"))?;
    }
    Ok(())
}

struct Printer<'a> {
    suggested: &'a Suggested,
    shape: Shape<'a>,
    look: Look,
    lines: usize,
    omitted: u64,
}

/// What is still to be written.
enum Open {
    /// What comes after an option, or first of all, behind a prefix.
    After(Option<usize>, String),
    /// The values of the input that is read next, if nothing happens before.
    Inputs(Vec<usize>, String),
    /// One of several options: what stands before it, and before what comes after it.
    Option(usize, String, String),
}

impl<'a> Printer<'a> {
    fn new(suggested: &'a Suggested, look: Look) -> Self {
        Printer { suggested, shape: Shape::new(suggested), look, lines: 0, omitted: 0 }
    }

    fn options(&mut self, out: &mut dyn Write) -> io::Result<()> {
        // A list instead of recursion: a tree may be as deep as a program reads inputs.
        let mut open = vec![Open::After(None, String::new())];
        while let Some(next) = open.pop() {
            match next {
                Open::Option(at, lead, prefix) => {
                    let option = &self.suggested.options[at];
                    let node = self.node(option);
                    let text = match option.happens {
                        true => format!("{TITLE}{}{TITLE:#}{node}", option.call),
                        false => format!("{INPUT}{}{INPUT:#}{node}", label(option)),
                    };
                    self.line(out, &lead, &text)?;
                    self.stretch(out, at, &prefix)?;
                    open.push(Open::After(Some(at), prefix));
                }
                Open::After(from, prefix) => {
                    let happens = |at: &usize| self.suggested.options[*at].happens;
                    let (events, inputs): (Vec<usize>, Vec<usize>) =
                        self.shape.after(from).iter().partition(|at| happens(at));
                    let goes_on = !inputs.is_empty();
                    open.push(Open::Inputs(inputs, prefix.clone()));
                    open.extend(branches(&events, &prefix, goes_on).rev());
                }
                Open::Inputs(options, prefix) => match options.as_slice() {
                    [] => {}
                    [only] => {
                        let last = self.only_way(out, *only, &prefix)?;
                        open.push(Open::After(Some(last), prefix));
                    }
                    [one, ..] => {
                        let call = &self.suggested.options[*one].call;
                        self.line(out, &prefix, &format!("{TITLE}{call}{TITLE:#}"))?;
                        open.extend(branches(&options, &prefix, false).rev());
                    }
                },
            }
        }
        Ok(())
    }

    /// An option that has no alternative, and those after it of which any value does, too. Returns
    /// the last.
    fn only_way(&mut self, out: &mut dyn Write, at: usize, prefix: &str) -> io::Result<usize> {
        let suggested = self.suggested;
        let option = &suggested.options[at];
        let mut chain = vec![at];
        if option.any {
            let mut last = at;
            while suggested.options[last].leaves.is_empty()
                && self.shape.conditions(last).is_empty()
                && let [next] = self.shape.after(Some(last))
                && suggested.options[*next].any
            {
                last = *next;
                chain.push(last);
            }
        }
        let last = chain[chain.len() - 1];
        let node = self.node(&suggested.options[last]);
        let mut calls: Vec<&str> = Vec::new();
        for at in &chain {
            let call = suggested.options[*at].call.as_str();
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
        let times = match (chain.len() as u64, calls.len()) {
            (1, _) => String::new(),
            (times, 1) => format!(", {} times", grouped(times)),
            (times, _) => format!(", {} readings", grouped(times)),
        };
        let named = calls.len().min(CALLS_NAMED);
        let more = match calls.len() - named {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let calls = calls[..named].join(", ");
        let label = label(option);
        let text = format!(
            "{TITLE}{calls}{TITLE:#}{more}: {INPUT}{label}{INPUT:#}{FAINT}{times}{FAINT:#}{node}"
        );
        self.line(out, prefix, &text)?;
        self.stretch(out, last, prefix)?;
        Ok(last)
    }

    /// What the program decides between an option and the next choice, and how paths end there.
    fn stretch(&mut self, out: &mut dyn Write, at: usize, prefix: &str) -> io::Result<()> {
        let conditions = self.shape.conditions(at);
        let texts: Vec<String> = conditions.iter().map(condition).collect();
        for same in texts.chunk_by(|a, b| a == b) {
            let times = match same.len() {
                1 => String::new(),
                times => format!(", {times} times"),
            };
            self.line(out, prefix, &format!("{FAINT}{}{times}{FAINT:#}", same[0]))?;
        }
        let suggested = self.suggested;
        for leaf in &suggested.options[at].leaves {
            self.leaf(out, prefix, &suggested.leaves[*leaf])?;
        }
        Ok(())
    }

    fn leaf(&mut self, out: &mut dyn Write, prefix: &str, leaf: &LeafView) -> io::Result<()> {
        let place = match (&leaf.at, leaf.is_failure()) {
            (Some(at), true) => format!(" at {}", at.short()),
            _ => String::new(),
        };
        let node = match self.look.nodes {
            true => format!("  {FAINT}{}{FAINT:#}", leaf.place.text),
            false => String::new(),
        };
        let (style, mark) = match leaf.end.as_str() {
            "finished" | "exited" => (SUCCESS, "■"),
            "reached" => (SUCCESS, "★"),
            "cut" => (NOTE, "…"),
            _ => (ERROR, "■"),
        };
        // Whoever can go there can also look further from there.
        let text = match self.look.nodes && leaf.kind == INPUT_BOUND {
            true => format!(
                "{style}{mark} more inputs here{style:#}: `suggest from {}`",
                leaf.place.text
            ),
            false => format!("{style}{mark} {}{style:#}{place}{node}", leaf.text),
        };
        self.line(out, prefix, &text)
    }

    fn node(&self, option: &OptionView) -> String {
        match (&option.node, self.look.nodes) {
            (Some(node), true) => format!("  {FAINT}{node}{FAINT:#}"),
            _ => String::new(),
        }
    }

    fn line(&mut self, out: &mut dyn Write, lead: &str, text: &str) -> io::Result<()> {
        if self.look.lines.is_some_and(|most| self.lines >= most) {
            self.omitted += 1;
            return Ok(());
        }
        self.lines += 1;
        writeln!(out, "{FAINT}{lead}{FAINT:#}{text}")
    }
}

/// Options below each other, behind a prefix; whether the line at their side goes on after them.
fn branches(
    options: &[usize],
    prefix: &str,
    goes_on: bool,
) -> impl DoubleEndedIterator<Item = Open> {
    let last = options.len() - usize::from(!goes_on && !options.is_empty());
    (0..options.len()).map(move |index| {
        let (lead, rest) = match index == last {
            true => ("└─ ", "   "),
            false => ("├─ ", "│  "),
        };
        Open::Option(options[index], format!("{prefix}{lead}"), format!("{prefix}{rest}"))
    })
}

/// The values of an option: `0..223 (224 values, e.g. 0)`.
fn label(option: &OptionView) -> String {
    let OptionView { value, values, number, any, mocked, .. } = option;
    match (values, number.as_deref()) {
        _ if *mocked => format!("{value} (mocked)"),
        (Some(values), _) if *any => values.clone(),
        (Some(values), Some("1")) => if value.is_empty() { values } else { value }.clone(),
        (Some(values), Some(number)) => {
            let number = number.parse().map_or(number.to_owned(), grouped);
            format!("{} ({number} values, e.g. {value})", readable(values))
        }
        _ => format!("{value} (an example)"),
    }
}

/// What the program decided, and where.
pub fn condition(condition: &ConditionView) -> String {
    format!("{}: {}", condition.at.short(), condition.sentence())
}
