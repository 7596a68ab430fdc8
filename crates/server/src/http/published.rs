//! Published values of rules that take too long to solve on request.

use noughts_api::{RulesValue, ValueKind};
use noughts_rules::Rules;

/// Rules that the first player wins, and who proved it.
const FIRST_PLAYER_WINS: [(&str, &str); 2] =
    [("6x7:4+gravity", "J. D. Allen and V. Allis, 1988"), ("15x15:5", "V. Allis, 1994")];

pub(super) fn published(rules: &Rules) -> Option<RulesValue> {
    let text = rules.to_string();
    let (_, source) = FIRST_PLAYER_WINS.iter().find(|(rules, _)| *rules == text)?;
    Some(RulesValue { result: ValueKind::Win, plies: None, source: Some((*source).into()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solved_presets_have_sources() {
        for (text, source) in [
            ("connect4", Some("J. D. Allen and V. Allis, 1988")),
            ("gomoku", Some("V. Allis, 1994")),
            ("gomoku-standard", None),
            ("3x3", None),
        ] {
            let found = published(&text.parse().unwrap());
            assert_eq!(found.and_then(|value| value.source).as_deref(), source, "{text}");
        }
    }

    #[test]
    fn rules_are_written_canonically() {
        for (text, _) in FIRST_PLAYER_WINS {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), text);
        }
    }
}
