//! The rules of a game for someone who has never played.

use super::{capitalised, number_word};
use crate::{Cell, Goal, Marks, Opening, Rules, Shape, Win};

/// Lists of more lines than this are not written out.
const MAX_WRITTEN_LINES: usize = 12;

/// How to play, sentence by sentence, and how to write a move.
///
/// ```
/// use noughts_rules::{Rules, describe::how_to_play};
///
/// let sentences = how_to_play(&Rules::classic());
/// assert_eq!(sentences[0], "Take turns to mark an empty box.");
/// ```
#[must_use]
pub fn how_to_play(rules: &Rules) -> Vec<String> {
    let mut sentences = Vec::new();
    turns(rules, &mut sentences);
    goal(rules, &mut sentences);
    end(rules, &mut sentences);
    restrictions(rules, &mut sentences);
    notation(rules, &mut sentences);
    sentences
}

/// What a turn is.
fn turns(rules: &Rules, out: &mut Vec<String>) {
    let parts = rules.parts();
    let players = match parts.players {
        2 => "Take turns".to_string(),
        n => format!("{} players take turns", capitalised(&number_word(n.into()))),
    };
    out.push(match parts.marks {
        Marks::Own => format!("{players} to mark an empty box."),
        Marks::Any => format!("{players} to put X or O in an empty box, whichever you like."),
        Marks::One => format!("{players} to put X in an empty box: everyone plays X."),
    });
    if parts.gravity {
        out.push(if rules.levels() > 1 {
            "Marks fall: each comes to rest on level 1 or right above a marked box.".into()
        } else {
            "Marks fall: each comes to rest in the last row or on top of a marked box.".into()
        });
    }
    if parts.stones_per_turn > 1 {
        let stones = number_word(parts.stones_per_turn.into());
        out.push(format!(
            "The very first turn is one mark; after that, every turn is {stones} marks."
        ));
    }
    if let Some(marks) = parts.fade {
        let (last, next) = match marks {
            1 => ("Only your last mark stays".to_string(), "it"),
            n => (format!("Only your last {n} marks stay"), "your oldest one"),
        };
        out.push(format!("{last}: the next mark that you make removes {next}."));
        out.push("The box that it leaves is free from the next move on, not for this one.".into());
    }
    if let Shape::Nested { rows, cols } = parts.shape {
        let example = Cell::on_board(0, rows - 1, cols - 1);
        out.push(
            "The box that you choose says on which small board the other player goes next.".into(),
        );
        out.push(format!(
            "The last box of any small board, say, sends them to the last small board, {example}."
        ));
        out.push("If that board is won or full, they may choose any other board.".into());
    }
}

/// What wins, or loses.
fn goal(rules: &Rules, out: &mut Vec<String>) {
    let parts = rules.parts();
    let line = line(rules);
    let wins = if parts.goal == Goal::Avoid { "loses" } else { "wins" };
    match (parts.shape, parts.goal) {
        (Shape::Nested { .. }, _) => {
            out.push(format!("You win a small board if you get {line} there."));
            let boards = row(rules.k(), "small board");
            out.push(format!("The first to get {boards} in the same way {wins} the game."));
        }
        (_, Goal::LastBoard) if rules.zones().len() > 1 => {
            out.push(format!("A board with {line} is closed: nobody plays there any more."));
            out.push("Whoever closes the last board loses.".into());
        }
        (_, Goal::LastBoard) => out.push(format!("Whoever completes {line} loses.")),
        (_, Goal::Maker) => {
            out.push(format!(
                "The first player, Order, wins as soon as {line} have the same mark, whoever made them."
            ));
            out.push("The second player, Chaos, wins if the board is full without that.".into());
        }
        _ if parts.marks == Marks::Any => {
            out.push(format!("Whoever completes {line} with the same mark {wins}."));
        }
        _ => out.push(format!("The first to get {line} {wins}.")),
    }
    if let Win::Lines(lines) = &parts.win
        && lines.len() <= MAX_WRITTEN_LINES
    {
        let line = |cells: &[Cell]| {
            let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
            names.join(" ")
        };
        let lines: Vec<String> = lines.iter().map(|cells| line(cells)).collect();
        out.push(format!("The lines are {}.", lines.join(", ")));
    }
    if parts.wrap {
        out.push(
            "Edges join: a row may leave the board on one side and go on at the other.".into(),
        );
    }
}

/// `3 boxes in a row, across, down or diagonally,`
fn line(rules: &Rules) -> String {
    match &rules.parts().win {
        Win::Row(1) => "one box".into(),
        Win::Row(k) => {
            let exactly = if rules.exact() { "exactly " } else { "" };
            let directions = match rules.shape() {
                Shape::Grid { levels: 2.., .. } => {
                    "across, down or diagonally, on a level or through the levels"
                }
                _ => "across, down or diagonally",
            };
            format!("{exactly}{}, {directions},", row(*k, "box"))
        }
        Win::Lines(lines) if lines.len() == 1 => "all boxes of the line".into(),
        Win::Lines(lines) => format!("all boxes of one of the {} lines", lines.len()),
    }
}

fn row(k: u8, what: &str) -> String {
    match (k, what) {
        (1, _) => format!("one {what}"),
        (_, "box") => format!("{k} boxes in a row"),
        _ => format!("{k} {what}s in a row"),
    }
}

/// When nobody wins.
fn end(rules: &Rules, out: &mut Vec<String>) {
    let parts = rules.parts();
    if matches!(parts.shape, Shape::Nested { .. }) {
        out.push("If no small board is left to play on, the game is a draw.".into());
        return;
    }
    if matches!(parts.goal, Goal::Maker | Goal::LastBoard) {
        return;
    }
    let marks = parts.fade.map_or(usize::MAX, |marks| usize::from(marks) * rules.players());
    if marks >= rules.cell_count() {
        out.push("A full board without that is a draw.".into());
    }
    if rules.repeats() {
        out.push("If the same position comes up for the third time, the game is a draw.".into());
    }
}

/// What is not allowed, and how the game begins.
fn restrictions(rules: &Rules, out: &mut Vec<String>) {
    let parts = rules.parts();
    if parts.renju {
        out.push(
            "The first player may not make six or more in a row, two fours at once or two open threes at once."
                .into(),
        );
        out.push("Exactly five in a row wins even so.".into());
    }
    match parts.opening {
        Opening::Free => {}
        Opening::Swap => out.push(
            "After the first mark, the second player may swap: then the two exchange their marks."
                .into(),
        ),
        Opening::Swap2 => {
            out.push("The first player makes three marks: X, O and X.".into());
            out.push(
                "The second player then swaps the marks, keeps them, or makes two more and leaves that choice to the first."
                    .into(),
            );
        }
    }
}

/// How to write a move.
fn notation(rules: &Rules, out: &mut Vec<String>) {
    let parts = rules.parts();
    out.push(
        "A box is a row letter and a column number: A1 is at the top left, B1 below it.".into(),
    );
    match parts.shape {
        Shape::Grid { levels: 2.., .. } => {
            out.push("The level comes first: 2A1 is on level 2. Level 1 needs no number.".into());
        }
        Shape::Boards { boards: 2.., .. } => {
            out.push("The board comes first: 2A1 is on board 2. Board 1 needs no number.".into());
        }
        Shape::Nested { .. } => {
            let last = Cell::on_board(0, rules.rows() - 1, rules.cols() - 1);
            out.push(format!(
                "The letters and numbers run through all boards, up to {last}; A2.B1 is box B1 of small board A2."
            ));
        }
        _ => {}
    }
    if parts.marks == Marks::Any {
        out.push("Add the mark: A1=x puts an X there, A1=o an O.".into());
    }
    match parts.opening {
        Opening::Free => {}
        Opening::Swap => out.push("To choose, write swap or keep.".into()),
        Opening::Swap2 => out.push("To choose, write swap, keep or more.".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::PRESETS;

    fn check(rules: &str, expected: &[&str]) {
        let sentences = how_to_play(&rules.parse().unwrap());
        for sentence in expected {
            assert!(sentences.iter().any(|s| s == sentence), "{rules}: {sentence}\n{sentences:#?}");
        }
    }

    #[test]
    fn classic_is_explained_in_full() {
        assert_eq!(
            how_to_play(&Rules::classic()),
            [
                "Take turns to mark an empty box.",
                "The first to get 3 boxes in a row, across, down or diagonally, wins.",
                "A full board without that is a draw.",
                "A box is a row letter and a column number: A1 is at the top left, B1 below it.",
            ]
        );
    }

    #[test]
    fn every_option_is_explained() {
        check("3x3+3p", &["Three players take turns to mark an empty box."]);
        check(
            "misere+wrap",
            &[
                "The first to get 3 boxes in a row, across, down or diagonally, loses.",
                "Edges join: a row may leave the board on one side and go on at the other.",
            ],
        );
        check(
            "connect4",
            &["Marks fall: each comes to rest in the last row or on top of a marked box."],
        );
        check(
            "4x4x4+gravity",
            &[
                "Marks fall: each comes to rest on level 1 or right above a marked box.",
                "The first to get 4 boxes in a row, across, down or diagonally, on a level or through the levels, wins.",
                "The level comes first: 2A1 is on level 2. Level 1 needs no number.",
            ],
        );
        check(
            "gomoku-standard",
            &["The first to get exactly 5 boxes in a row, across, down or diagonally, wins."],
        );
        check(
            "wild",
            &[
                "Whoever completes 3 boxes in a row, across, down or diagonally, with the same mark wins.",
                "Add the mark: A1=x puts an X there, A1=o an O.",
            ],
        );
        check(
            "notakto",
            &[
                "Whoever closes the last board loses.",
                "Take turns to put X in an empty box: everyone plays X.",
            ],
        );
        check(
            "order-and-chaos",
            &["The second player, Chaos, wins if the board is full without that."],
        );
        check(
            "fade",
            &[
                "Only your last 3 marks stay: the next mark that you make removes your oldest one.",
                "If the same position comes up for the third time, the game is a draw.",
            ],
        );
        check(
            "connect6",
            &["The very first turn is one mark; after that, every turn is two marks."],
        );
        check(
            "renju+swap",
            &["Exactly five in a row wins even so.", "To choose, write swap or keep."],
        );
        check("swap2", &["To choose, write swap, keep or more."]);
        check(
            "ultimate",
            &[
                "The first to get 3 small boards in a row in the same way wins the game.",
                "The last box of any small board, say, sends them to the last small board, C3.",
            ],
        );
        check(
            "3x3:[A1-A2,B1-C1]+misere",
            &[
                "The first to get all boxes of one of the 2 lines loses.",
                "The lines are A1 A2, B1 C1.",
            ],
        );
    }

    #[test]
    fn games_without_draws_mention_none() {
        for (text, draws) in [("3x3", true), ("notakto", false), ("order-and-chaos", false)] {
            let text = how_to_play(&text.parse().unwrap()).join(" ");
            assert_eq!(text.contains("draw"), draws, "{text}");
        }
        let fading = how_to_play(&"fade".parse().unwrap()).join(" ");
        assert!(!fading.contains("full board"), "six marks never fill nine boxes");
    }

    #[test]
    fn sentences_end_with_full_stops() {
        for (_, text) in PRESETS {
            for sentence in how_to_play(&text.parse().unwrap()) {
                assert!(sentence.ends_with('.') && !sentence.contains("  "), "{sentence}");
                assert!(sentence.starts_with(char::is_uppercase), "{sentence}");
            }
        }
    }
}
