//! Findings as a JUnit test suite: each is a test that fails, or that is skipped if it is nothing
//! to fail on, and one more says whether all paths have been explored.

use std::fmt::Write;

use mw_api::{Finding, InputView};

use super::Report;
use crate::explore::summary;

/// The suite, as XML.
pub fn suite(report: &Report<'_>) -> String {
    let suggested = report.suggested;
    let name = escaped(&report.program.display().to_string());
    let (tests, failures) = (report.findings.len() + 1, report.counted());
    let skipped = tests - 1 - failures + usize::from(!suggested.complete);
    let seconds = suggested.microseconds as f64 / 1e6;
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string does not fail.
    let _ = writeln!(
        xml,
        "<testsuites>\n  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\" time=\"{seconds:.3}\">",
    );
    for (finding, kept) in &report.findings {
        let place = finding.at.as_ref().map(|at| format!(" at {}", at.short()));
        let title = format!("{}{}", finding.text, place.unwrap_or_default());
        let function = finding.at.as_ref().map_or("program", |at| at.function.as_str());
        let details = format!("{}replay: {}", inputs(finding), kept.replay);
        let verdict = if report.counts(finding) { "failure" } else { "skipped" };
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{}\" name=\"{}\">\n      <{verdict} type=\"{}\" \
             message=\"{}\">{}</{verdict}>\n    </testcase>",
            escaped(function),
            escaped(&title),
            escaped(&finding.end),
            escaped(&title),
            escaped(&details),
        );
    }
    let within = escaped(&summary::within(suggested));
    let whole = format!("    <testcase classname=\"mw\" name=\"all paths explored{within}\"");
    let _ = match suggested.complete {
        true => writeln!(xml, "{whole}/>"),
        false => {
            let why = escaped(&summary::incomplete(suggested));
            writeln!(xml, "{whole}>\n      <skipped message=\"{why}\"/>\n    </testcase>")
        }
    };
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// The inputs that matter, one in a line.
pub fn inputs(finding: &Finding) -> String {
    let line = |input: &InputView| format!("{}\n", input.text());
    finding.inputs.iter().map(line).collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write the other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn xml_is_escaped() {
        assert_eq!(super::escaped("a<b & \"c\"\u{1}>"), "a&lt;b &amp; &quot;c&quot;\u{fffd}&gt;");
    }
}
