//! Random, balanced openings, so that deterministic players meet in different games and the
//! stronger one can show it.

use noughts_engine::{Budget, Perfect, Strategy, Value, Verdict};
use noughts_rules::{Move, Outcome, Position, Rules};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// No balanced opening of this length was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found no opening of {plies} moves on {rules} that decides nothing: expected fewer moves")]
pub struct NoOpening {
    rules: String,
    plies: usize,
}

/// Random moves near the centre after which the game goes on, nobody can win at once, and a short
/// search sees little advantage.
pub(crate) fn opening(rules: &Rules, plies: usize, seed: u64) -> Result<Vec<Move>, NoOpening> {
    const MAX_ATTEMPTS: usize = 200;
    const CANDIDATES: usize = 12;

    let mut rng = SmallRng::seed_from_u64(seed);
    let mut candidates = (0..MAX_ATTEMPTS).filter_map(|_| random_moves(rules, plies, &mut rng));
    let first = candidates.next();
    let first = first.ok_or_else(|| NoOpening { rules: rules.to_string(), plies })?;
    if plies == 0 {
        return Ok(first);
    }
    let others = candidates.take(CANDIDATES - 1);
    let even =
        std::iter::once(first.clone()).chain(others).min_by_key(|moves| advantage(rules, moves));
    Ok(even.unwrap_or(first))
}

/// The advantage of either seat after these moves.
fn advantage(rules: &Rules, moves: &[Move]) -> u32 {
    const EVALUATION_NODES: u64 = 3000;

    let mut position = Position::new(rules);
    if moves.iter().any(|&mv| position.play(mv).is_err()) {
        return u32::MAX;
    }
    let choice =
        Perfect::new(0).choose(&position, &Budget::unlimited().with_nodes(EVALUATION_NODES));
    match choice.ok().and_then(|choice| choice.verdict) {
        Some(Verdict::Proven(Value::Draw)) => 0,
        Some(Verdict::Estimate(score)) => score.unsigned_abs(),
        Some(Verdict::Proven(Value::Win { .. } | Value::Loss { .. })) | None => u32::MAX,
    }
}

fn random_moves(rules: &Rules, plies: usize, rng: &mut SmallRng) -> Option<Vec<Move>> {
    let mut position = Position::new(rules);
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        let mv = *near_centre(&position).choose(rng)?;
        position.play(mv).ok()?;
        moves.push(mv);
    }
    is_quiet(&mut position).then_some(moves)
}

/// The legal moves nearest to the centre: on a large empty board, a disc of about 5 by 5 cells.
/// Cells at equal distance are all in or all out, to keep the choice symmetric. Opening choices are
/// always in.
fn near_centre(position: &Position) -> Vec<Move> {
    const MIN_CANDIDATES: usize = 25;

    // Doubled, so that the centre of an even side is an integer.
    let off = |place: u8, side: u8| (i32::from(2 * place + 1) - i32::from(side)).pow(2);
    let rules = position.rules();
    let distance = |mv: &Move| {
        mv.cell().map_or(0, |cell| {
            off(cell.row(), rules.rows())
                + off(cell.col(), rules.cols())
                + off(cell.level(), rules.levels())
        })
    };
    let mut moves: Vec<Move> = position.legal_moves().collect();
    moves.sort_by_key(distance);
    if let Some(farthest) = moves.get(MIN_CANDIDATES - 1).map(distance) {
        moves.retain(|mv| distance(mv) <= farthest);
    }
    moves
}

/// Whether the game goes on and nobody can win with their next move.
fn is_quiet(position: &mut Position) -> bool {
    position.outcome().is_none()
        && after_each_move(position, |position, outcome| match outcome {
            Some(outcome) => outcome == Outcome::Draw,
            None => after_each_move(position, |_, outcome| {
                outcome.is_none_or(|outcome| outcome == Outcome::Draw)
            }),
        })
}

/// Whether a condition holds after every legal move.
fn after_each_move(
    position: &mut Position,
    holds: impl Fn(&mut Position, Option<Outcome>) -> bool,
) -> bool {
    let mut walk = position.move_cursor();
    while let Some(cell) = walk.next(position) {
        let outcome = position.play(cell).expect("the move is legal");
        let held = holds(position, outcome);
        position.undo().expect("a move was made");
        if !held {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    #[test]
    fn equal_seeds_give_equal_openings() {
        let gomoku = rules("15x15:5");
        let moves = opening(&gomoku, 4, 1).unwrap();
        assert_eq!(moves.len(), 4);
        assert_eq!(opening(&gomoku, 4, 1).unwrap(), moves);
        assert_ne!(opening(&gomoku, 4, 2).unwrap(), moves);
        assert_eq!(opening(&gomoku, 0, 1).unwrap(), []);
    }

    #[test]
    fn openings_stay_near_the_centre() {
        for seed in 0..20 {
            for mv in opening(&rules("15x15:5"), 4, seed).unwrap() {
                let cell = mv.cell().unwrap();
                assert!((4..=10).contains(&cell.row()) && (4..=10).contains(&cell.col()), "{cell}");
            }
        }
    }

    #[test]
    fn no_immediate_win_after_opening() {
        for (text, plies) in [("4x4:3", 3), ("6x7:4+gravity", 6), ("9x9:4", 8)] {
            for seed in 0..20 {
                let mut position = Position::new(&rules(text));
                for cell in opening(&rules(text), plies, seed).unwrap() {
                    assert_eq!(position.play(cell), Ok(None));
                }
                let moves: Vec<Move> = position.legal_moves().collect();
                for cell in moves {
                    assert!(!matches!(position.play(cell), Ok(Some(Outcome::Win(_)))));
                    position.undo().unwrap();
                }
            }
        }
    }

    #[test]
    fn impossible_opening_is_an_error() {
        let error = opening(&rules("3x3"), 20, 1).unwrap_err().to_string();
        assert_eq!(
            error,
            "found no opening of 20 moves on 3x3 that decides nothing: expected fewer moves"
        );
    }
}
