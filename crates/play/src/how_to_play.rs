//! The rules of a game in words.

use noughts_rules::{Rules, describe};

/// Explains the rules to someone who has never played, a sentence per line.
pub fn how_to_play(rules: &Rules) -> String {
    describe::how_to_play(rules).join("\n") + "\n"
}
