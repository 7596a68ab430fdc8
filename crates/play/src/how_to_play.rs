//! The rules of a game in words.

use noughts_rules::Rules;

/// Explains the rules to someone who has never played.
pub fn how_to_play(rules: &Rules) -> String {
    let k = rules.k();
    let line = match (k, rules.exact()) {
        (1, _) => "one box".to_string(),
        (_, false) => format!("{k} boxes in a row, across, down or diagonally,"),
        (_, true) => format!("exactly {k} boxes in a row, across, down or diagonally,"),
    };
    let goal = if rules.misere() { "loses" } else { "wins" };
    let mut help = format!(
        "Take turns to mark an empty box.\n\
         The first to get {line} {goal}.\n\
         A full board without that is a draw.\n\
         A box is a row letter and a column number: A1 is at the top left, B1 below it.\n"
    );
    if rules.gravity() {
        help += "Marks fall: a box must be in the last row or on top of a marked one.\n";
    }
    if rules.wrap() {
        help += "Edges join: a row may leave the board on one side and go on at the other.\n";
    }
    help
}
