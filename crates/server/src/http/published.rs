//! What others have proven of rules that take too long to solve while someone waits.

use noughts_rules::Rules;

/// A published result.
pub(super) struct Published {
    /// For whoever begins.
    pub(super) value: &'static str,
    /// Who found it.
    pub(super) source: &'static str,
}

const RESULTS: [(&str, Published); 2] = [
    ("6x7:4+gravity", Published { value: "win", source: "J. D. Allen and V. Allis, 1988" }),
    ("15x15:5", Published { value: "win", source: "V. Allis, 1994" }),
];

/// What is published of rules, if anything is.
pub(super) fn published(rules: &Rules) -> Option<&'static Published> {
    let text = rules.to_string();
    RESULTS.iter().find(|(rules, _)| *rules == text).map(|(_, published)| published)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_found_and_other_rules_are_not() {
        for (text, is_known) in
            [("connect4", true), ("gomoku", true), ("gomoku-standard", false), ("3x3", false)]
        {
            let rules: Rules = text.parse().unwrap();
            assert_eq!(published(&rules).is_some(), is_known, "{text}");
        }
        for (text, _) in &RESULTS {
            let rules: Rules = text.parse().unwrap();
            assert_eq!(rules.to_string(), *text);
        }
    }
}
