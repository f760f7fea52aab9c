//! The list of what is out of scope.

use std::collections::BTreeMap;

/// How many directives are out of scope, by file and reason.
pub type Counts = BTreeMap<(String, String), usize>;

/// What `out-of-scope.txt` says. Its lines are `count | file | reason`.
pub fn listed() -> Counts {
    let lines = include_str!("out-of-scope.txt").lines();
    let mut counts = Counts::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[count, file, reason] = fields.as_slice() else { panic!("three fields: {line}") };
        let count = count.parse().unwrap_or_else(|_| panic!("a count: {line}"));
        let before = counts.insert((file.to_owned(), reason.to_owned()), count);
        assert!(before.is_none(), "listed twice: {line}");
    }
    counts
}

/// The lines in which a set's counts differ from the list, ready to be pasted into it.
pub fn compare(set: &str, actual: &Counts) -> Vec<String> {
    let mut listed = listed();
    listed.retain(|(file, _), _| file.rsplit_once('/').is_some_and(|(of, _)| of == set));
    let mut differences = Vec::new();
    for (key, count) in actual {
        let before = listed.remove(key);
        if before != Some(*count) {
            let was = before.map_or("not listed".to_owned(), |n| format!("listed as {n}"));
            differences.push(format!("{count:6} | {} | {}    ({was})", key.0, key.1));
        }
    }
    for ((file, reason), count) in listed {
        differences.push(format!("{file} does not leave out {count} any more: {reason}"));
    }
    differences
}
