//! Functions, variables and instructions.

use std::io::{self, Write};

use mw_api::{
    CodeLine, Frame, SourceExcerpt, SourceFileView, SourceFrame, SourceVariable, Variable,
};

use crate::console::{FAINT, NOTE, TITLE, count_of};

/// The functions being executed, innermost first, with their locals.
pub fn backtrace(out: &mut dyn Write, frames: &[Frame]) -> io::Result<()> {
    if frames.is_empty() {
        return writeln!(out, "no function is being executed");
    }
    for frame in frames {
        let offset = frame.offset.map(|offset| format!(" {offset:#x}")).unwrap_or_default();
        let instruction = frame.instruction.as_deref().unwrap_or_default();
        let (depth, function) = (frame.depth, &frame.function);
        write!(out, "#{depth} {TITLE}{function}{TITLE:#}{FAINT}{offset}{FAINT:#}: {instruction}")?;
        let locals: Vec<String> = frame
            .locals
            .iter()
            .enumerate()
            .map(|(index, local)| {
                let name = local.name.clone().unwrap_or_else(|| format!("local {index}"));
                format!("{name} = {}", local.value.text)
            })
            .collect();
        match locals.is_empty() {
            true => writeln!(out)?,
            false => writeln!(out, "  {FAINT}({}){FAINT:#}", locals.join(", "))?,
        }
    }
    Ok(())
}

/// Variables, one in a line.
pub fn variables(out: &mut dyn Write, all: &[Variable], what: &str) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(out, "no {what} here");
    }
    all.iter().try_for_each(|one| variable(out, one))
}

/// A variable.
pub fn variable(out: &mut dyn Write, variable: &Variable) -> io::Result<()> {
    let Variable { term, name, value } = variable;
    let named = name.as_ref().map(|name| format!(" {TITLE}{name}{TITLE:#}")).unwrap_or_default();
    writeln!(out, "{term}{named} = {} {FAINT}{}{FAINT:#}", value.text, value.ty)
}

/// A variable of the source, or the value of an expression.
pub fn source_variable(out: &mut dyn Write, variable: &SourceVariable) -> io::Result<()> {
    let SourceVariable { name, value, ty, .. } = variable;
    writeln!(out, "{TITLE}{name}{TITLE:#} = {value} {FAINT}{ty}{FAINT:#}")
}

/// Variables of the source, one in a line.
pub fn source_variables(out: &mut dyn Write, all: &[SourceVariable]) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(out, "no locals here");
    }
    all.iter().try_for_each(|one| source_variable(out, one))
}

/// The files that the program was built from.
pub fn source_files<'a>(
    out: &mut dyn Write,
    files: impl IntoIterator<Item = &'a SourceFileView>,
) -> io::Result<()> {
    for file in files {
        let missing = if file.has_text { "" } else { ", whose text is not known" };
        let lines = count_of(file.lines.len() as u64, "line with code", "lines with code");
        writeln!(out, "  {}  {FAINT}{lines}{missing}{FAINT:#}", file.path)?;
    }
    Ok(())
}

/// Lines of the source; an arrow marks the one where the program is, a star a breakpoint.
pub fn excerpt(out: &mut dyn Write, excerpt: &SourceExcerpt) -> io::Result<()> {
    writeln!(out, "{TITLE}{}{TITLE:#}", excerpt.file)?;
    lines(out, excerpt)
}

/// The same, without the name of the file.
pub fn lines(out: &mut dyn Write, excerpt: &SourceExcerpt) -> io::Result<()> {
    for line in &excerpt.lines {
        let arrow = if line.current { "▸" } else { " " };
        let star = if line.breakpoints.is_empty() { " " } else { "*" };
        let numbered = format!("{:>5}  {}", line.number, line.text);
        writeln!(out, "{NOTE}{star}{arrow}{NOTE:#}{}", numbered.trim_end())?;
    }
    Ok(())
}

/// The functions under way as the source has them, innermost first.
pub fn source_frames(out: &mut dyn Write, frames: &[SourceFrame]) -> io::Result<()> {
    if frames.is_empty() {
        return writeln!(out, "no function is being executed");
    }
    frames.iter().enumerate().try_for_each(|(index, frame)| source_frame(out, index, frame))
}

/// One of them.
pub fn source_frame(out: &mut dyn Write, index: usize, frame: &SourceFrame) -> io::Result<()> {
    let inlined = if frame.inlined { " (inlined)" } else { "" };
    let place = match &frame.file {
        Some(file) => format!("{file}:{}", frame.line),
        None => "no source".into(),
    };
    writeln!(out, "#{index} {TITLE}{}{TITLE:#}{inlined} {FAINT}{place}{FAINT:#}", frame.function)
}

/// The operand stack of the innermost function.
pub fn operands(out: &mut dyn Write, frames: &[Frame]) -> io::Result<()> {
    let operands = frames.first().map(|frame| frame.operands.as_slice()).unwrap_or_default();
    if operands.is_empty() {
        return writeln!(out, "the operand stack is empty");
    }
    for (index, slot) in operands.iter().enumerate().rev() {
        writeln!(out, "{index:>4}  {slot:#018x}  {FAINT}{}{FAINT:#}", *slot as i64)?;
    }
    Ok(())
}

/// Instructions; an arrow marks the next one, a star a breakpoint.
pub fn listing(out: &mut dyn Write, lines: &[CodeLine]) -> io::Result<()> {
    if let Some(first) = lines.first() {
        writeln!(out, "{TITLE}{}{TITLE:#}", first.function)?;
    }
    for line in lines {
        let arrow = if line.current { "▸" } else { " " };
        let star = if line.breakpoints.is_empty() { " " } else { "*" };
        let offset = line.offset.map(|offset| format!("{offset:#x}")).unwrap_or_default();
        writeln!(out, "{NOTE}{star}{arrow}{NOTE:#} {FAINT}{offset:>7}{FAINT:#}  {}", line.text)?;
    }
    Ok(())
}
