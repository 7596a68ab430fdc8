//! Players, moves and endings of a game in words.

use noughts_rules::{DrawReason, Game, Goal, MAX_MOVES, Marks, Move, Seat, Status};

/// A player's name with the symbol of the marks it plays; without one where marks belong to nobody.
pub fn player_label(game: &Game, seat: Seat) -> String {
    let name = game.player(seat).map_or_else(|| format!("Player {seat}"), |p| p.name().to_string());
    match game.seat_symbol(seat).filter(|_| game.rules().parts().marks == Marks::Own) {
        Some(symbol) => format!("{name} ({symbol})"),
        None => name,
    }
}

/// What a move does, as the rest of a sentence about the player: `takes B2`.
pub fn describe_move(game: &Game, mv: Move) -> String {
    match mv {
        Move::Place(cell) => format!("takes {cell}"),
        Move::Mark(cell, mark) => format!("takes {cell} with {}", game.mark_symbol(mark)),
        Move::Swap => "swaps".to_string(),
        Move::Keep => "does not swap".to_string(),
        Move::More => "chooses to place two more stones".to_string(),
        mv => format!("plays {mv}"),
    }
}

/// The result of a finished game; `None` if it is not over.
pub fn describe_result(game: &Game) -> Option<String> {
    match game.status() {
        Status::InProgress { .. } => None,
        Status::Won { seat, .. } => Some(format!("{} wins!", player_label(game, seat))),
        Status::Draw { .. } => Some("It's a draw!".to_string()),
    }
}

/// Why a game is over, if neither a line nor a full board shows it.
pub fn describe_reason(game: &Game) -> Option<String> {
    match game.status() {
        Status::Won { seat, cells } => {
            let order = game.rules().parts().goal == Goal::Maker && seat != Seat::FIRST;
            let is_full = game.position().stone_count() == game.rules().cell_count();
            (order && is_full && cells.is_empty())
                .then(|| "The board is full without a line.".to_string())
        }
        Status::Draw { reason: DrawReason::Repetition } => {
            Some("The position occurred for the third time.".to_string())
        }
        Status::Draw { reason: DrawReason::Length } => {
            Some(format!("The game reached {MAX_MOVES} moves."))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The game of Player 1 and Player 2 after these moves.
    fn game(rules: &str, moves: &str) -> Game {
        let mut game = Game::with_default_players(&rules.parse().unwrap());
        for text in moves.split_whitespace() {
            let mv = game.rules().parse_move(text).unwrap();
            game.play(game.turn().expect(text), mv).unwrap();
        }
        game
    }

    #[test]
    fn labels_name_the_marks_played() {
        let label = |rules: &str, moves: &str| player_label(&game(rules, moves), Seat::FIRST);
        assert_eq!(label("3x3", ""), "Player 1 (X)");
        assert_eq!(label("3x3+swap", "B2 swap"), "Player 1 (O)");
        assert_eq!(label("wild", ""), "Player 1");
        assert_eq!(label("notakto", ""), "Player 1");
    }

    #[test]
    fn moves_are_described() {
        let game = game("wild", "");
        let check = |mv: &str, expected: &str| {
            assert_eq!(describe_move(&game, mv.parse().unwrap()), expected);
        };
        check("2B3", "takes 2B3");
        check("B3=o", "takes B3 with O");
        check("swap", "swaps");
        check("keep", "does not swap");
        check("more", "chooses to place two more stones");
    }

    #[test]
    fn results_are_described_with_reasons() {
        let check = |rules: &str, moves: &str, expected: &[&str]| {
            let game = game(rules, moves);
            let sentences = describe_result(&game).into_iter().chain(describe_reason(&game));
            assert_eq!(sentences.collect::<Vec<_>>(), expected, "{rules}");
        };
        check("3x3", "A1", &[]);
        check("3x3", "A1 B1 A2 B2 A3", &["Player 1 (X) wins!"]);
        check("1x3:3", "A1 A2 A3", &["It's a draw!"]);
        check("wild", "A1=x A2=x A3=x", &["Player 1 wins!"]);
        check("2x2:2+order", "A1=x A2=x", &["Player 1 wins!"]);
        check("1x2:2+order", "A1=x A2=o", &["Player 2 wins!", "The board is full without a line."]);
        let round = "A1 A3 A2 B1 B3 C2 C1 C3 ";
        let dance = round.repeat(2) + "A1 A3 A2 B1 B3 C2";
        check("fade", &dance, &["It's a draw!", "The position occurred for the third time."]);
    }
}
