//! Finding commands and links in a Markdown text. No parser: code fences, code
//! spans and inline links are all that is looked at.

/// The commands in code fences and code spans, split into words. A comment ends a command.
pub fn commands(text: &str) -> Vec<Vec<&str>> {
    let mut snippets = Vec::new();
    let mut in_fence = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
        } else if in_fence {
            snippets.push(line.trim().trim_start_matches("$ "));
        } else {
            snippets.extend(line.split('`').skip(1).step_by(2));
        }
    }
    snippets.into_iter().map(words).filter(|words| !words.is_empty()).collect()
}

fn words(snippet: &str) -> Vec<&str> {
    snippet.split_whitespace().take_while(|word| !word.starts_with('#')).collect()
}

/// The targets of inline links that are files of the repository.
pub fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets
        .filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
        .map(|target| target.split('#').next().unwrap_or(target))
        .filter(|target| !target.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_fences_and_spans() {
        let text = "Type `cargo xtask demo` or\n```sh\n$ mw run a.wasm # runs\n\n```\nnot `this";
        let expected: Vec<Vec<&str>> =
            vec![vec!["cargo", "xtask", "demo"], vec!["mw", "run", "a.wasm"], vec!["this"]];
        assert_eq!(commands(text), expected);
    }

    #[test]
    fn links_to_files_are_found() {
        let text = "[a](b.md#part) ![c](d/e.png) [f](https://example.org) [g](#here)";
        assert_eq!(links(text), ["b.md", "d/e.png"]);
    }
}
