//! Plain minimax, to compare the solver with.

use std::collections::HashMap;

use noughts_engine::Value;
use noughts_rules::{Outcome, Position};

/// Minimax with memoisation on the rules' own position; for games without repetition.
pub(crate) fn minimax(position: &mut Position, memo: &mut HashMap<Position, Value>) -> Value {
    if let Some(&value) = memo.get(position) {
        return value;
    }
    let turn = position.turn().expect("an ongoing game");
    let mut best = None;
    let mut moves = position.move_cursor();
    while let Some(mv) = moves.next(position) {
        let value = match position.play(mv).expect("a legal move") {
            Some(Outcome::Win(seat)) if seat == turn => Value::Win { plies: 1 },
            Some(Outcome::Win(_)) => Value::Loss { plies: 1 },
            Some(Outcome::Draw) => Value::Draw,
            None => match (minimax(position, memo), position.turn() == Some(turn)) {
                (Value::Win { plies }, true) => Value::Win { plies: plies + 1 },
                (Value::Loss { plies }, true) => Value::Loss { plies: plies + 1 },
                (value, true) => value,
                (value, false) => value.before_move(),
            },
        };
        position.undo().expect("a move was made");
        best = best.max(Some(value));
    }
    let value = best.expect("an ongoing game has a move");
    memo.insert(position.clone(), value);
    value
}
