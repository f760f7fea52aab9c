//! Help for whoever mistyped a name.

/// How alike two names must be for one to be offered for the other, from 0 to 1.
const ALIKE: f64 = 0.75;

/// ` (did you mean …?)` if one of the known names is like the one given, else nothing.
pub fn did_you_mean<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let scored = known.into_iter().map(|name| (strsim::jaro_winkler(given, name), name));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((score, name)) if score >= ALIKE => format!(" (did you mean {name}?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_alike_is_offered() {
        let known = ["main", "setup", "chip_analog_read"];
        for (given, expected) in [
            ("mian", " (did you mean main?)"),
            ("analog_read", " (did you mean chip_analog_read?)"),
            ("xyzzy", ""),
        ] {
            assert_eq!(did_you_mean(given, known), expected, "{given}");
        }
        assert_eq!(did_you_mean("main", []), "");
    }
}
