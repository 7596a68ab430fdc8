//! Plain minimax, to compare with.

use std::collections::HashMap;

use noughts_engine::Value;
use noughts_rules::{Move, Outcome, Position, Seat};

/// The value by minimax with memoisation; for games without repetition.
pub(crate) fn minimax(position: &mut Position, memo: &mut HashMap<u64, Value>) -> Value {
    if let Some(&value) = memo.get(&position.key()) {
        return value;
    }
    let moves: Vec<_> = position.legal_moves().collect();
    let values = moves.into_iter().map(|mv| minimax_of_move(position, mv, memo));
    let value = values.max().expect("an ongoing game has a move");
    memo.insert(position.key(), value);
    value
}

/// The value of a move for the seat that makes it.
pub(crate) fn minimax_of_move(
    position: &mut Position,
    mv: Move,
    memo: &mut HashMap<u64, Value>,
) -> Value {
    let mover = position.turn().expect("an ongoing game");
    let outcome = position.play(mv).expect("a legal move");
    let value = value_after(position, mover, outcome, |position| minimax(position, memo));
    position.undo().expect("a move was made");
    value
}

/// The value of a move that was made, for the seat that made it.
fn value_after(
    position: &mut Position,
    mover: Seat,
    outcome: Option<Outcome>,
    mut value: impl FnMut(&mut Position) -> Value,
) -> Value {
    match outcome {
        Some(Outcome::Draw) => Value::Draw,
        Some(Outcome::Win(seat)) if seat == mover => Value::Win { plies: 1 },
        Some(Outcome::Win(_)) => Value::Loss { plies: 1 },
        None => match value(position) {
            value if position.turn() != Some(mover) => value.before_move(),
            Value::Win { plies } => Value::Win { plies: plies + 1 },
            Value::Draw => Value::Draw,
            Value::Loss { plies } => Value::Loss { plies: plies + 1 },
        },
    }
}

/// The values of all positions that can be reached, by text, found by asking again and again who can
/// win in one more ply. Play that never ends is a draw.
pub(crate) fn values_with_repetition(start: &Position) -> HashMap<String, Value> {
    /// A move: the end of the game, or the position that follows.
    type Target = Result<Value, String>;

    let mut edges: HashMap<String, Vec<Target>> = HashMap::new();
    let mut unvisited = vec![start.to_string()];
    while let Some(text) = unvisited.pop() {
        if edges.contains_key(&text) {
            continue;
        }
        // Read from text, a position has no history.
        let position: Position = text.parse().unwrap();
        let mover = position.turn().unwrap();
        let targets = position.legal_moves().map(|mv| {
            let mut next = position.clone();
            match next.play(mv).unwrap() {
                None => Err(next.to_string()),
                outcome => Ok(value_after(&mut next, mover, outcome, |_| Value::Draw)),
            }
        });
        let targets: Vec<Target> = targets.collect();
        unvisited.extend(targets.iter().filter_map(|target| target.clone().err()));
        edges.insert(text, targets);
    }
    let mut values: HashMap<String, Value> =
        edges.keys().map(|text| (text.clone(), Value::Draw)).collect();
    loop {
        let value = |target: &Target| match target {
            Ok(value) => *value,
            Err(text) => values[text].before_move(),
        };
        let next: HashMap<String, Value> = edges
            .iter()
            .map(|(text, targets)| (text.clone(), targets.iter().map(value).max().unwrap()))
            .collect();
        if next == values {
            return values;
        }
        values = next;
    }
}
