//! Published game-theoretic values of rules that take too long to solve during a request.

use noughts_rules::Rules;

/// A published result.
pub(super) struct Published {
    /// For the first player.
    pub(super) value: &'static str,
    /// The publication.
    pub(super) source: &'static str,
}

const PUBLISHED: [(&str, Published); 2] = [
    ("6x7:4+gravity", Published { value: "win", source: "J. D. Allen and V. Allis, 1988" }),
    ("15x15:5", Published { value: "win", source: "V. Allis, 1994" }),
];

/// The published value of rules.
pub(super) fn published(rules: &Rules) -> Option<&'static Published> {
    let text = rules.to_string();
    PUBLISHED.iter().find(|(rules, _)| *rules == text).map(|(_, published)| published)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_published_rules_have_values() {
        for (text, is_known) in
            [("connect4", true), ("gomoku", true), ("gomoku-standard", false), ("3x3", false)]
        {
            let rules: Rules = text.parse().unwrap();
            assert_eq!(published(&rules).is_some(), is_known, "{text}");
        }
        for (text, _) in &PUBLISHED {
            let rules: Rules = text.parse().unwrap();
            assert_eq!(rules.to_string(), *text);
        }
    }
}
