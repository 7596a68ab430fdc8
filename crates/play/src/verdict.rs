//! Verdicts of the engine as people read them.

use noughts_engine::{Value, Verdict};
use noughts_rules::{Position, Seat};

/// The winner's own moves until the end, if the value is a win or a loss for the seat to move.
pub fn winner_moves(position: &Position, value: Value) -> Option<u16> {
    let plies = value.plies()?;
    let rules = position.rules();
    let (players, stones) = (rules.players(), rules.parts().stones_per_turn.max(1));
    let mover = position.turn().map_or(0, Seat::index);
    if players == 2 && stones == 1 {
        return value.winner_moves();
    }
    let (mut turn, mut left, mut turns) = (mover, position.stones_left().max(1), Vec::new());
    for _ in 0..plies {
        turns.push(turn);
        left -= 1;
        if left == 0 {
            (turn, left) = ((turn + 1) % players, stones);
        }
    }
    let winner = match value {
        Value::Win { .. } => mover,
        _ if players == 2 => 1 - mover,
        // Of several opponents, the one who makes the last move.
        _ => turns.last().copied()?,
    };
    u16::try_from(turns.iter().filter(|&&turn| turn == winner).count()).ok()
}

/// A value in words: `win in 3`, in the winner's own moves.
pub fn value_words(position: &Position, value: Value) -> String {
    match (value, winner_moves(position, value)) {
        (Value::Win { .. }, Some(moves)) => format!("win in {moves}"),
        (Value::Loss { .. }, Some(moves)) => format!("loss in {moves}"),
        _ => "draw".to_string(),
    }
}

/// A verdict in words. Wins and losses that are not proven begin with `~`.
pub fn verdict_words(position: &Position, verdict: Verdict) -> String {
    match (verdict.proven(), verdict.estimated_value()) {
        (Some(value), _) => value_words(position, value),
        (None, Some(value)) => format!("~{}", value_words(position, value)),
        (None, None) => verdict.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_count_the_winners_own_moves() {
        let check = |rules: &str, value: Value, expected: &str| {
            let position = Position::new(&rules.parse().unwrap());
            assert_eq!(value_words(&position, value), expected, "{rules}");
        };
        check("3x3", Value::Win { plies: 5 }, "win in 3");
        check("3x3", Value::Loss { plies: 4 }, "loss in 2");
        check("3x3", Value::Draw, "draw");
        // One stone, two of the other player, then two.
        check("connect6", Value::Win { plies: 5 }, "win in 3");
        check("connect6", Value::Win { plies: 9 }, "win in 5");
        check("connect6", Value::Loss { plies: 3 }, "loss in 2");
        check("5x5:4+3p", Value::Win { plies: 7 }, "win in 3");
        check("5x5:4+3p", Value::Loss { plies: 3 }, "loss in 1");
        check("5x5:4+3p", Value::Loss { plies: 6 }, "loss in 2");
        let position = Position::new(&"3x3".parse().unwrap());
        assert_eq!(verdict_words(&position, Verdict::Estimate(120)), "estimate +120");
        assert_eq!(verdict_words(&position, Verdict::Estimate(-999_996)), "~loss in 2");
    }
}
