//! How often a breakpoint is come to before it stops the program: `3`, `>= 3`, `== 3`, `% 10`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which of its hits stop the program. They are counted from 1, in both directions, from when the
/// breakpoint is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum HitRule {
    /// This one and all later ones.
    From(u64),
    /// This one only.
    Only(u64),
    /// All before this one.
    Before(u64),
    /// Each time that so many have come together.
    Every(u64),
}

/// A rule that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot understand `{0}` as a number of hits; write one like 3, >= 3, == 3, < 3 or % 3")]
pub struct HitRuleError(String);

impl HitRule {
    /// Whether the hit of this number stops the program.
    pub fn admits(self, hit: u64) -> bool {
        match self {
            HitRule::From(first) => hit >= first,
            HitRule::Only(only) => hit == only,
            HitRule::Before(end) => hit < end,
            HitRule::Every(number) => hit.is_multiple_of(number),
        }
    }
}

impl FromStr for HitRule {
    type Err = HitRuleError;

    fn from_str(text: &str) -> Result<HitRule, HitRuleError> {
        let wrong = || HitRuleError(text.trim().to_owned());
        let text = text.trim();
        let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
        let operator = text[..text.len() - digits.len()].trim();
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        match operator {
            "" | ">=" => Ok(HitRule::From(number)),
            ">" => Ok(HitRule::From(number.saturating_add(1))),
            "=" | "==" => Ok(HitRule::Only(number)),
            "<" => Ok(HitRule::Before(number)),
            "<=" => Ok(HitRule::Before(number.saturating_add(1))),
            "%" if number > 0 => Ok(HitRule::Every(number)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for HitRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HitRule::From(first) => write!(f, ">= {first}"),
            HitRule::Only(only) => write!(f, "== {only}"),
            HitRule::Before(end) => write!(f, "< {end}"),
            HitRule::Every(number) => write!(f, "% {number}"),
        }
    }
}

impl From<HitRule> for String {
    fn from(rule: HitRule) -> String {
        rule.to_string()
    }
}

impl TryFrom<String> for HitRule {
    type Error = HitRuleError;

    fn try_from(text: String) -> Result<HitRule, HitRuleError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_admit_hits() {
        let admitted = |text: &str| {
            let rule: HitRule = text.parse().unwrap();
            assert_eq!(rule.to_string().parse(), Ok(rule), "{text}");
            (1..=6).filter(|hit| rule.admits(*hit)).collect::<Vec<u64>>()
        };
        assert_eq!(admitted("3"), [3, 4, 5, 6]);
        assert_eq!(admitted(">=3"), [3, 4, 5, 6]);
        assert_eq!(admitted("> 3"), [4, 5, 6]);
        assert_eq!(admitted("= 3"), [3]);
        assert_eq!(admitted("==3"), [3]);
        assert_eq!(admitted("< 3"), [1, 2]);
        assert_eq!(admitted("<= 3"), [1, 2, 3]);
        assert_eq!(admitted("% 3"), [3, 6]);
        for wrong in ["", "x", "% 0", "3 4", "=> 3", "99999999999999999999", "-1"] {
            assert!(wrong.parse::<HitRule>().is_err(), "{wrong}");
        }
    }
}
