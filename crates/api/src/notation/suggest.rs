//! Names in messages.

pub use mw_source::did_you_mean;

/// The names in a sentence, or what to say when there are none.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>, none: &str) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed() {
        assert_eq!(list(["main", "setup"], "none"), "main, setup");
        assert_eq!(list([], "none"), "none");
    }
}
