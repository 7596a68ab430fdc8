//! A sentence about a game, for choosers.

use super::{capitalised, number_word};
use crate::{Goal, Marks, Opening, Rules, Shape, Win};

/// The game in one sentence.
///
/// ```
/// use noughts_rules::{Rules, describe::summary};
///
/// assert_eq!(summary(&Rules::classic()), "Three in a row wins.");
/// assert_eq!(summary(&"3x3+misere+wrap".parse()?), "Three in a row loses; the edges are joined.");
/// # Ok::<(), noughts_rules::ParseRulesError>(())
/// ```
#[must_use]
pub fn summary(rules: &Rules) -> String {
    let parts = rules.parts();
    let mut clauses = Vec::new();
    if parts.gravity {
        clauses.push("pieces fall".into());
    }
    if parts.stones_per_turn > 1 {
        clauses.push(format!("{} stones a turn", number_word(parts.stones_per_turn.into())));
    }
    if let Some(marks) = parts.fade {
        clauses.push(format!("only your last {} marks stay", number_word(marks.into())));
    }
    clauses.push(goal(rules));
    if parts.wrap {
        clauses.push("the edges are joined".into());
    }
    if parts.renju {
        clauses.push("the first player may not make two threes, two fours or six in a row".into());
    }
    match parts.opening {
        Opening::Free => {}
        Opening::Swap => clauses.push("the second player may swap after the first move".into()),
        Opening::Swap2 => {
            clauses.push("one player places three stones and the other picks a side".into());
        }
    }
    if parts.players > 2 {
        clauses.push(format!("for {} players", number_word(parts.players.into())));
    }
    capitalised(&clauses.join("; ")) + "."
}

/// What wins or loses.
fn goal(rules: &Rules) -> String {
    let parts = rules.parts();
    let line = line(rules);
    let wins = if parts.goal == Goal::Avoid { "loses" } else { "wins" };
    match (parts.shape, parts.goal) {
        (Shape::Nested { .. }, _) => format!(
            "{} small boards in one big board: each move decides where the other player goes next{}",
            number_word(rules.zones().len()),
            if parts.goal == Goal::Avoid { ", and a row of small boards loses" } else { "" },
        ),
        (_, Goal::LastBoard) => match rules.zones().len() {
            0 | 1 => format!("everyone plays X, and whoever makes {line} loses"),
            boards => format!(
                "everyone plays X: {line} closes a board, and closing the last of {} loses",
                number_word(boards)
            ),
        },
        (_, Goal::Maker) => format!(
            "both players place X or O: one wants {line} of the same mark, the other a full board without it"
        ),
        _ if parts.marks == Marks::Any => {
            format!("place X or O, as you like: {line} of the same mark {wins}")
        }
        (Shape::Grid { levels: 2.., .. }, _) => {
            format!("{line} {wins}, on a level or through the levels")
        }
        _ => format!("{line} {wins}"),
    }
}

fn line(rules: &Rules) -> String {
    match &rules.parts().win {
        Win::Row(k) => {
            let exactly = if rules.exact() { "exactly " } else { "" };
            format!("{exactly}{} in a row", number_word((*k).into()))
        }
        Win::Lines(lines) if lines.len() == 1 => "the one listed line".into(),
        Win::Lines(lines) => format!("any of {} listed lines", number_word(lines.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &str, expected: &str) {
        assert_eq!(summary(&rules.parse().unwrap()), expected, "{rules}");
    }

    #[test]
    fn every_option_is_in_the_summary() {
        check("3x3", "Three in a row wins.");
        check("gomoku-standard", "Exactly five in a row wins.");
        check("connect4", "Pieces fall; four in a row wins.");
        check("misere", "Three in a row loses.");
        check("7x7:4+3p", "Four in a row wins; for three players.");
        check("qubic", "Four in a row wins, on a level or through the levels.");
        check("connect6", "Two stones a turn; six in a row wins.");
        check("fade", "Only your last three marks stay; three in a row wins.");
        check("wild", "Place X or O, as you like: three in a row of the same mark wins.");
        check(
            "ultimate",
            "Nine small boards in one big board: each move decides where the other player goes next.",
        );
        check(
            "notakto",
            "Everyone plays X: three in a row closes a board, and closing the last of three loses.",
        );
        check("3x3+notakto", "Everyone plays X, and whoever makes three in a row loses.");
        check(
            "order-and-chaos",
            "Both players place X or O: one wants five in a row of the same mark, the other a full board without it.",
        );
        check(
            "renju",
            "Five in a row wins; the first player may not make two threes, two fours or six in a row.",
        );
        check("3x3+swap", "Three in a row wins; the second player may swap after the first move.");
        check(
            "3x3:[A1-A2,B1-C1]+wild+misere",
            "Place X or O, as you like: any of two listed lines of the same mark loses.",
        );
    }
}
