//! Help: all commands, those of a topic, or one of them.

use std::io::{self, Write};

use super::commands::{self, Command, TOPICS, Topic};
use crate::console::{FAINT, TITLE};

/// Explains a command or a topic, or says what there is.
pub fn write(out: &mut dyn Write, word: Option<&str>) -> Result<io::Result<()>, String> {
    let Some(word) = word else { return Ok(overview(out)) };
    if let Some(topic) = TOPICS.iter().find(|topic| topic.name == word) {
        return Ok(about_topic(out, topic));
    }
    let found = commands::find(word).map_err(|problem| {
        let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
        format!("{problem}; topics are {}", topics.join(", "))
    })?;
    Ok(about_command(out, found))
}

fn overview(out: &mut dyn Write) -> io::Result<()> {
    for topic in TOPICS {
        about_topic(out, topic)?;
    }
    writeln!(
        out,
        "Names may be abbreviated. {FAINT}help COMMAND{FAINT:#} says more; an empty line repeats \
         the last movement."
    )
}

fn about_topic(out: &mut dyn Write, topic: &Topic) -> io::Result<()> {
    writeln!(out, "{TITLE}{}{TITLE:#} {FAINT}(help {}){FAINT:#}", topic.title, topic.name)?;
    for command in topic.commands {
        let usage = format!("{} {}", command.name, command.usage);
        // There is room for a short one.
        let alias = command.aliases.iter().find(|alias| alias.len() <= 4).unwrap_or(&"");
        writeln!(out, "  {usage:32} {alias:4} {}", command.summary)?;
    }
    Ok(())
}

fn about_command(out: &mut dyn Write, command: &Command) -> io::Result<()> {
    writeln!(out, "{TITLE}{} {}{TITLE:#}", command.name, command.usage)?;
    writeln!(out, "  {}", command.summary)?;
    if !command.aliases.is_empty() {
        writeln!(out, "  also: {}", command.aliases.join(", "))?;
    }
    if !command.details.is_empty() {
        writeln!(out, "  {}", command.details)?;
    }
    Ok(())
}
