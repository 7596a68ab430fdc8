//! Names of games.

use crate::{Goal, Marks, Opening, Rules, RulesParts, Shape, Win};

/// The names of games by the text form of their rules.
const NAMES: [(&str, &str); 18] = [
    ("3x3", "Tic-tac-toe"),
    ("3x3+misere", "Misère tic-tac-toe"),
    ("15x15:5", "Gomoku"),
    ("15x15:5+exact", "Standard gomoku"),
    ("6x7:4+gravity", "Connect Four"),
    ("3x3+ultimate", "Ultimate tic-tac-toe"),
    ("3x3x3", "3D tic-tac-toe, 3x3x3"),
    ("4x4x4", "3D tic-tac-toe, 4x4x4"),
    ("4x4x4+gravity", "Score Four"),
    ("3x3+wild", "Wild tic-tac-toe"),
    ("3x3+wild+misere", "Wild misère tic-tac-toe"),
    ("3x3+notakto", "Notakto"),
    ("3x3+notakto+2b", "Notakto on 2 boards"),
    ("3x3+notakto+3b", "Notakto on 3 boards"),
    ("6x6:5+order", "Order and Chaos"),
    ("3x3+fade3", "Fading tic-tac-toe"),
    ("19x19:6+2s", "Connect6"),
    ("15x15:5+renju", "Renju"),
];

/// The name of the game, such as `Gomoku`; a description of the board and the variants if it has
/// none.
///
/// ```
/// use noughts_rules::describe::title;
///
/// assert_eq!(title(&"15x15:5+swap2".parse()?), "Gomoku, swap2");
/// assert_eq!(title(&"3x4+wrap".parse()?), "3x4, 3 in a row, joined edges");
/// # Ok::<(), noughts_rules::ParseRulesError>(())
/// ```
#[must_use]
pub fn title(rules: &Rules) -> String {
    let parts = rules.parts();
    // An opening or more players leave the name as it is.
    let base = RulesParts { opening: Opening::Free, players: 2, ..parts.clone() };
    let base = base.build().map_or_else(|_| rules.to_string(), |rules| rules.to_string());
    let mut words = match NAMES.iter().find(|(text, _)| *text == base) {
        Some((_, name)) => vec![(*name).to_string()],
        None => variant_words(rules),
    };
    match parts.opening {
        Opening::Free => {}
        Opening::Swap => words.push("swap".into()),
        Opening::Swap2 => words.push("swap2".into()),
    }
    if parts.players > 2 {
        words.push(format!("{} players", parts.players));
    }
    words.join(", ")
}

/// The board and the variants, but for the opening and the number of players.
fn variant_words(rules: &Rules) -> Vec<String> {
    let parts = rules.parts();
    let mut words = Vec::new();
    let game = match (parts.shape, parts.goal, parts.marks) {
        (Shape::Nested { .. }, ..) => Some("Ultimate"),
        (_, Goal::LastBoard, _) => Some("Notakto"),
        (_, Goal::Maker, _) => Some("Order and Chaos"),
        (_, _, Marks::Any) => Some("Wild"),
        _ => None,
    };
    words.extend(game.map(str::to_string));
    let (rows, cols) = parts.shape.board_size();
    words.push(match parts.shape {
        Shape::Grid { levels: 2.., .. } => format!("{rows}x{cols}x{}", rules.levels()),
        _ => format!("{rows}x{cols}"),
    });
    if let Shape::Boards { boards: 2.., .. } = parts.shape {
        words.push(format!("{} boards", rules.levels()));
    }
    words.push(match &parts.win {
        Win::Row(k) if parts.exact => format!("exactly {k} in a row"),
        Win::Row(k) => format!("{k} in a row"),
        Win::Lines(lines) if lines.len() == 1 => "1 line".into(),
        Win::Lines(lines) => format!("{} lines", lines.len()),
    });
    let flags = [
        (parts.goal == Goal::Avoid, "misère"),
        (parts.gravity, "gravity"),
        (parts.wrap, "joined edges"),
        (parts.renju, "renju"),
    ];
    words.extend(flags.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).into()));
    words.extend(parts.fade.map(|marks| format!("last {marks} marks stay")));
    if parts.stones_per_turn > 1 {
        words.push(format!("{} stones a turn", parts.stones_per_turn));
    }
    words
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::notation::PRESETS;

    fn check(rules: &str, expected: &str) {
        assert_eq!(title(&rules.parse().unwrap()), expected, "{rules}");
    }

    #[test]
    fn known_games_have_names() {
        check("3x3", "Tic-tac-toe");
        check("gomoku", "Gomoku");
        check("gomoku+3p", "Gomoku, 3 players");
        check("renju+swap2", "Renju, swap2");
        check("score-four+swap", "Score Four, swap");
        check("qubic", "3D tic-tac-toe, 4x4x4");
        check("notakto", "Notakto on 3 boards");
    }

    #[test]
    fn other_games_are_described() {
        check("5x7:4+gravity", "5x7, 4 in a row, gravity");
        check("4x4", "4x4, 4 in a row");
        check("3x3+ultimate+misere", "Ultimate, 3x3, 3 in a row, misère");
        check("4x4:3+notakto+2b+wrap", "Notakto, 4x4, 2 boards, 3 in a row, joined edges");
        check("4x4+order+exact", "Order and Chaos, 4x4, exactly 4 in a row");
        check("4x4x2:3+wild", "Wild, 4x4x2, 3 in a row");
        check("3x3:[A1-A2,C1-C2]+fade2", "3x3, 2 lines, last 2 marks stay");
        check("9x9:5+2s+3p", "9x9, 5 in a row, 2 stones a turn, 3 players");
        check("9x9:5+renju", "9x9, 5 in a row, renju");
    }

    #[test]
    fn names_belong_to_canonical_rules() {
        for (text, _) in NAMES {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn presets_have_distinct_titles() {
        let titles = PRESETS.map(|(_, text)| title(&text.parse().unwrap()));
        assert_eq!(titles.iter().collect::<HashSet<_>>().len(), PRESETS.len(), "{titles:?}");
        for title in titles {
            assert!(!title.starts_with(|c: char| c.is_ascii_digit()) || title.starts_with("3D"));
        }
    }
}
