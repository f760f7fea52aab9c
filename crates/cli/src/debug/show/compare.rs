//! What differs between two places.

use std::io::{self, Write};

use mw_api::{DifferenceView, MemoryDifferenceView, VariableDifference};

use crate::console::{FAINT, INPUT, TITLE};

/// More bytes than this are not shown of a stretch.
const BYTES: usize = 16;

/// The differences: what is at the first place, then what is at the second.
pub fn show(out: &mut dyn Write, view: &DifferenceView) -> io::Result<()> {
    let (first, second) = (&view.first.text, &view.second.text);
    writeln!(out, "{TITLE}{first} → {second}{TITLE:#}")?;
    let choice = |choice: &Option<mw_api::ChoiceView>| match choice {
        Some(choice) => format!("{INPUT}{}{INPUT:#}", choice.text),
        None => "no choice".to_owned(),
    };
    match &view.parted {
        (None, None) => writeln!(out, "  no choice lies between them")?,
        (a, b) => {
            writeln!(out, "  parted after {}: {} → {}", view.common.text, choice(a), choice(b))?;
        }
    }
    let mut is_same = true;
    if let Some((a, b)) = &view.stacks {
        is_same = false;
        let told = |stack: &[String]| match stack {
            [] => "no function".to_owned(),
            stack => stack.join(" < "),
        };
        writeln!(out, "  in {} → {}", told(a), told(b))?;
    }
    let variables = view.variables.iter().chain(&view.locals).chain(&view.globals);
    for VariableDifference { term, name, function, first, second } in variables {
        is_same = false;
        let name = name.as_ref().unwrap_or(term);
        let of = function.as_ref().map(|name| format!(" {FAINT}of {name}{FAINT:#}"));
        writeln!(out, "  {name}{}: {} → {}", of.unwrap_or_default(), first.text, second.text)?;
    }
    for MemoryDifferenceView { address, first, second } in &view.memory {
        is_same = false;
        writeln!(out, "  memory {address:#x}: {} → {}", bytes(first), bytes(second))?;
    }
    for change in &view.world {
        is_same = false;
        writeln!(out, "  {FAINT}world{FAINT:#} {change}")?;
    }
    if is_same {
        writeln!(out, "  variables, memory, world and functions under way are the same")?;
    }
    Ok(())
}

fn bytes(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect();
    match bytes.len() > BYTES {
        true => format!("{} …", shown.join(" ")),
        false => shown.join(" "),
    }
}
