//! What the seat to move is asked, and how its answer is read.

use std::fmt::Display;

use noughts_play::takes_columns;
use noughts_rules::describe::how_to_play;
use noughts_rules::{
    Cell, Game, Goal, Mark, Marks, Move, Opening, OpeningStage, Position, Rules, Seat, Shape,
};

use crate::board;
use crate::text::wrap;

/// Explanations are wrapped to this width.
const TEXT_WIDTH: usize = 79;

/// The longest part of an answer that is quoted.
const MAX_QUOTED_CHARS: usize = 20;

/// How to play, in lines.
pub(crate) fn explain_rules(rules: &Rules) -> String {
    let blocked = "On the board, a point marks an empty box that can't be taken now.";
    let blocked = board::has_blocked_boxes(rules).then(|| blocked.to_string());
    let column = "The number of the column is enough: 4 drops a mark into column 4.";
    let column = takes_columns(rules).then(|| column.to_string());
    let sentences = how_to_play(rules).into_iter().chain(column).chain(blocked);
    sentences.flat_map(|sentence| wrap(&sentence, TEXT_WIDTH)).collect::<Vec<_>>().join("\n")
}

/// What the seat to move is asked, as the player with this number.
pub(crate) fn question(game: &Game, number: impl Display) -> String {
    let asked = match is_choice_due(game.position()) {
        true => opening_choices(game),
        false => box_to_enter(game),
    };
    format!("Player {number}: Enter {asked}:")
}

/// Reads the answer to [`question`]. An error is a sentence.
pub(crate) fn read_move(game: &Game, text: &str) -> Result<Move, String> {
    let rules = game.rules();
    if rules.parts().marks == Marks::Any
        && let Some((cell, symbol)) = text.split_once('=')
        && let Some(mark) = mark_named(game, symbol.trim())
        && let Ok(Move::Place(cell)) = rules.parse_move(cell)
    {
        return Ok(Move::Mark(cell, mark));
    }
    noughts_play::read_move(game.position(), text).map_err(|_| {
        // Box names are short; control characters would garble the line.
        let shown = text.chars().filter(|c| !c.is_control()).take(MAX_QUOTED_CHARS);
        format!("\"{}\" is not {}, or help.", shown.collect::<String>(), expected(game))
    })
}

/// What an answer is not, and what was expected instead.
fn expected(game: &Game) -> String {
    let rules = game.rules();
    let last = Cell::in_space(rules.levels() - 1, rules.rows() - 1, rules.cols() - 1);
    let last = last.expect("the last cell of the board");
    match (is_choice_due(game.position()), rules.parts().marks) {
        (true, _) if game.position().is_legal(Move::More) => {
            "a choice: expected swap, keep, more".to_string()
        }
        (true, _) => "a choice: expected swap, keep".to_string(),
        (false, Marks::Any) => {
            format!("a box and mark: expected {}, up to {last}", examples(game))
        }
        (false, _) if takes_columns(rules) => {
            format!("a column: expected a number from 1 to {}", rules.cols())
        }
        (false, _) => format!("a box: expected one from A1 to {last}"),
    }
}

/// `A1=x or A1=o`.
fn examples(game: &Game) -> String {
    let examples = game.rules().marks().map(|mark| format!("A1={}", mark_name(game, mark)));
    examples.collect::<Vec<_>>().join(" or ")
}

fn is_choice_due(position: &Position) -> bool {
    matches!(position.opening_stage(), OpeningStage::Choose | OpeningStage::ChooseLast)
}

fn opening_choices(game: &Game) -> String {
    let turn = game.turn();
    let symbol = |seat: Option<Seat>| {
        seat.and_then(|seat| game.seat_symbol(seat)).map_or("", |symbol| symbol.as_str())
    };
    let other = game.rules().seats().find(|&seat| Some(seat) != turn);
    let (swap, keep) = (symbol(other), symbol(turn));
    match game.position().is_legal(Move::More) {
        true => format!(
            "swap to play {swap}, keep to play {keep}, \
             or more to place two more stones and let the other player choose"
        ),
        false => format!("swap to play {swap}, or keep to play {keep}"),
    }
}

/// The box to enter, with what is special about it.
fn box_to_enter(game: &Game) -> String {
    let (rules, position) = (game.rules(), game.position());
    let parts = rules.parts();
    let mut asked = if takes_columns(rules) { "column" } else { "box" }.to_string();
    let mut remarks = Vec::new();
    if parts.marks == Marks::Any {
        asked += &format!(" and mark, such as {}", examples(game));
    }
    let is_opening =
        matches!(position.opening_stage(), OpeningStage::Place | OpeningStage::PlaceMore);
    if is_opening
        && parts.opening == Opening::Swap2
        && let Some(mark) = position.mark_to_place()
    {
        let stones = if position.opening_stage() == OpeningStage::Place { 3 } else { 5 };
        let stone = position.stone_count() + 1;
        asked += &format!(" for {}", game.mark_symbol(mark));
        remarks.push(format!("opening stone {stone} of {stones}"));
    }
    if let Some(board) = position.board_to_play() {
        let cells: Vec<Cell> = rules.zone_cells(board).collect();
        asked += &format!(" in board {}", rules.zone_name(board));
        if let [first, .., last] = cells[..] {
            remarks.push(format!("{first} to {last}"));
        }
    } else if matches!(rules.shape(), Shape::Nested { .. }) && position.stone_count() > 0 {
        asked += " in any open board";
    }
    if parts.goal == Goal::Maker {
        let is_order = game.turn() == Some(Seat::FIRST);
        remarks.push(format!("you are {}", if is_order { "Order" } else { "Chaos" }));
    }
    if parts.stones_per_turn > 1 {
        remarks.push(match position.stones_left() {
            1 => "1 stone to place".to_string(),
            stones => format!("{stones} stones to place"),
        });
    }
    if let Some(cell) = position.fading_cell() {
        remarks.push(format!("your mark on {cell} disappears"));
    }
    match remarks.is_empty() {
        true => asked,
        false => format!("{asked} ({})", remarks.join(", ")),
    }
}

/// How an answer names a mark: by its letter, or by the symbol if another symbol is that letter.
fn mark_name(game: &Game, mark: Mark) -> String {
    let letter = mark.letter().to_string();
    match mark_named(game, &letter) {
        Some(named) if named == mark => letter,
        _ => game.mark_symbol(mark).to_string(),
    }
}

/// The mark that an answer names by its symbol or letter; symbols come first.
fn mark_named(game: &Game, text: &str) -> Option<Mark> {
    let is_named = |mark: &Mark| {
        let symbol = game.mark_symbol(*mark).as_str();
        symbol == text || symbol.to_lowercase() == text.to_lowercase()
    };
    let letter = || {
        let mut letters = text.chars();
        letters.next().and_then(Mark::from_letter).filter(|_| letters.next().is_none())
    };
    let marks = || game.rules().marks();
    marks().find(is_named).or_else(|| letter().filter(|letter| marks().any(|mark| mark == *letter)))
}

#[cfg(test)]
mod tests {
    use noughts_rules::Player;

    use super::*;

    /// A game with these symbols after these moves.
    fn game(rules: &str, symbols: [&str; 2], moves: &str) -> Game {
        let player = |symbol: &str| Player::new("A", symbol.parse().unwrap()).unwrap();
        let mut game = Game::new(&rules.parse().unwrap(), symbols.map(player)).unwrap();
        for text in moves.split_whitespace() {
            let mv = game.rules().parse_move(text).unwrap();
            game.play(game.turn().unwrap(), mv).unwrap();
        }
        game
    }

    #[test]
    fn questions_say_what_is_special() {
        let check = |rules: &str, moves: &str, expected: &str| {
            let game = game(rules, ["X", "O"], moves);
            assert_eq!(question(&game, 1), format!("Player 1: Enter {expected}:"), "{rules}");
        };
        check("3x3", "A1", "box");
        check("renju", "", "box");
        check("connect4", "", "column");
        check("qubic", "", "box");
        check("notakto", "", "box");
        check("ultimate", "", "box");
        check("ultimate", "B2", "box in board B2 (D4 to F6)");
        check("wild", "", "box and mark, such as A1=x or A1=o");
        let order = "box and mark, such as A1=x or A1=o";
        check("order-and-chaos", "", &format!("{order} (you are Order)"));
        check("order-and-chaos", "A1=x", &format!("{order} (you are Chaos)"));
        check("fade", "A1 A2 A3 B1 B2", "box");
        check("fade", "A1 A2 A3 B1 B2 C3", "box (your mark on A1 disappears)");
        check("connect6", "", "box (1 stone to place)");
        check("connect6", "J10", "box (2 stones to place)");
        check("connect6", "J10 A1", "box (1 stone to place)");
        check("swap2", "", "box for X (opening stone 1 of 3)");
        check("swap2", "A1", "box for O (opening stone 2 of 3)");
        let more = ", or more to place two more stones and let the other player choose";
        check("swap2", "A1 A2 A3", &format!("swap to play X, keep to play O{more}"));
        check("swap2", "A1 A2 A3 more", "box for O (opening stone 4 of 5)");
        check("swap2", "A1 A2 A3 more A4 A5", "swap to play O, or keep to play X");
        check("3x3+swap", "B2", "swap to play X, or keep to play O");
        check("3x3+swap", "B2 swap", "box");
    }

    #[test]
    fn marks_are_named_by_symbol_or_letter() {
        let check = |symbols: [&str; 2], answer: &str, expected: &str| {
            let game = game("wild", symbols, "");
            assert_eq!(read_move(&game, answer), Ok(expected.parse().unwrap()), "{answer}");
        };
        check(["X", "O"], "b3=O", "B3=o");
        check(["❎", "🛑"], "B3=🛑", "B3=o");
        check(["❎", "🛑"], "B3 = x", "B3=x");
        check(["O", "X"], "B3=o", "B3=x");
        check(["O", "❎"], "B3=x", "B3=x");
        let asked = |symbols: [&str; 2]| question(&game("wild", symbols, ""), 2);
        let names =
            |x: &str, o: &str| format!("Player 2: Enter box and mark, such as A1={x} or A1={o}:");
        assert_eq!(asked(["❎", "🛑"]), names("x", "o"));
        assert_eq!(asked(["O", "X"]), names("O", "X"));
        assert_eq!(asked(["O", "❎"]), names("x", "❎"));
    }

    #[test]
    fn columns_name_the_box_where_marks_land() {
        let check = |answer: &str, expected: &str| {
            let game = game("connect4", ["X", "O"], "F4 E4");
            assert_eq!(read_move(&game, answer), Ok(expected.parse().unwrap()), "{answer}");
        };
        check("4", "D4");
        check("a4", "D4");
        check("7", "F7");
        check("F1", "F1");
        let game = game("connect4", ["X", "O"], "");
        let error = "\"8\" is not a column: expected a number from 1 to 7, or help.";
        assert_eq!(read_move(&game, "8"), Err(error.into()));
    }

    #[test]
    fn unreadable_answers_are_explained() {
        let check = |rules: &str, moves: &str, answer: &str, expected: &str| {
            let game = game(rules, ["X", "O"], moves);
            assert_eq!(read_move(&game, answer), Err(expected.to_string()), "{rules}");
        };
        check("3x3", "", "middle", "\"middle\" is not a box: expected one from A1 to C3, or help.");
        check("qubic", "", "5", "\"5\" is not a box: expected one from A1 to 4D4, or help.");
        let expected = "a box and mark: expected A1=x or A1=o, up to C3, or help.";
        check("wild", "", "A1=q", &format!("\"A1=q\" is not {expected}"));
        let expected = "\"yes\" is not a choice: expected swap, keep, more, or help.";
        check("swap2", "A1 A2 A3", "yes", expected);
        check("3x3+swap", "A1", "\u{1b}x", "\"x\" is not a choice: expected swap, keep, or help.");
    }
}
