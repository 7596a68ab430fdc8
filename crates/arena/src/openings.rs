//! Random openings, so that deterministic players meet in different games and the stronger one can
//! show it.

use noughts_engine::{Budget, Perfect, Strategy, Value, Verdict};
use noughts_rules::{Move, Outcome, Position, State};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// No balanced opening of this length was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found no opening of {plies} moves on {game} that decides nothing: expected fewer moves")]
pub struct NoOpening {
    pub(crate) game: String,
    pub(crate) plies: usize,
}

/// How the games of a tournament begin. After an opening the game goes on and nobody can win at once.
pub struct Openings<S: State> {
    pub(crate) plies: usize,
    source: Source<S>,
}

enum Source<S: State> {
    /// Random openings.
    Random(Find<S, S::Move>),
    /// One after the other, and then from the first again.
    List(Vec<Vec<S::Move>>),
}

/// Finds an opening from the start, of this many moves, by this seed.
type Find<S, M> = fn(&S, usize, u64) -> Option<Vec<M>>;

impl<S: State> Openings<S> {
    /// All games begin from the start.
    #[must_use]
    pub fn none() -> Openings<S> {
        Openings::random(0)
    }

    /// This many random moves.
    #[must_use]
    pub fn random(plies: usize) -> Openings<S> {
        Openings { plies, source: Source::Random(random_opening) }
    }

    /// These openings, one in each round, and from the first again after the last.
    #[must_use]
    pub fn list(openings: Vec<Vec<S::Move>>) -> Openings<S> {
        let plies = openings.iter().map(Vec::len).max().unwrap_or(0);
        Openings { plies, source: Source::List(openings) }
    }

    /// The opening of a round; `None` if there is none. The same seed and round give the same one.
    pub(crate) fn find(&self, start: &S, seed: u64, round: u64) -> Option<Vec<S::Move>> {
        match &self.source {
            Source::Random(find) => find(start, self.plies, seed),
            Source::List(openings) => {
                let count = u64::try_from(openings.len()).ok().filter(|&count| count > 0)?;
                openings.get((round % count) as usize).cloned()
            }
        }
    }
}

impl Openings<Position> {
    /// This many random moves near the centre, after which a short search sees little advantage.
    #[must_use]
    pub fn balanced(plies: usize) -> Openings<Position> {
        Openings { plies, source: Source::Random(balanced_opening) }
    }
}

const MAX_ATTEMPTS: usize = 200;

fn random_opening<S: State>(start: &S, plies: usize, seed: u64) -> Option<Vec<S::Move>> {
    let mut rng = SmallRng::seed_from_u64(seed);
    (0..MAX_ATTEMPTS).find_map(|_| random_moves(start, plies, &mut rng, legal_moves))
}

fn balanced_opening(start: &Position, plies: usize, seed: u64) -> Option<Vec<Move>> {
    const CANDIDATES: usize = 12;

    let mut rng = SmallRng::seed_from_u64(seed);
    let mut candidates =
        (0..MAX_ATTEMPTS).filter_map(|_| random_moves(start, plies, &mut rng, near_centre));
    let first = candidates.next()?;
    if plies == 0 {
        return Some(first);
    }
    let others = candidates.take(CANDIDATES - 1);
    std::iter::once(first).chain(others).min_by_key(|moves| advantage(start, moves))
}

/// The advantage of either seat after these moves.
fn advantage(start: &Position, moves: &[Move]) -> u32 {
    const EVALUATION_NODES: u64 = 3000;

    let mut position = start.clone();
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

/// Random moves among the candidates of each state, after which nobody can win at once.
fn random_moves<S: State>(
    start: &S,
    plies: usize,
    rng: &mut SmallRng,
    candidates: fn(&S) -> Vec<S::Move>,
) -> Option<Vec<S::Move>> {
    let mut state = start.clone();
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        let mv = *candidates(&state).choose(rng)?;
        state.play(mv).ok()?;
        moves.push(mv);
    }
    is_quiet(&mut state).then_some(moves)
}

fn legal_moves<S: State>(state: &S) -> Vec<S::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
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
fn is_quiet<S: State>(state: &mut S) -> bool {
    state.outcome().is_none()
        && after_each_move(state, |state, outcome| match outcome {
            Some(outcome) => outcome == Outcome::Draw,
            None => after_each_move(state, |_, outcome| {
                outcome.is_none_or(|outcome| outcome == Outcome::Draw)
            }),
        })
}

/// Whether a condition holds after every legal move.
fn after_each_move<S: State>(
    state: &mut S,
    holds: impl Fn(&mut S, Option<Outcome>) -> bool,
) -> bool {
    legal_moves(state).into_iter().all(|mv| {
        let outcome = state.play(mv).expect("the move is legal");
        let held = holds(state, outcome);
        state.undo();
        held
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &str) -> Position {
        Position::new(&text.parse().unwrap())
    }

    fn opening(start: &Position, plies: usize, seed: u64) -> Option<Vec<Move>> {
        Openings::balanced(plies).find(start, seed, 0)
    }

    #[test]
    fn equal_seeds_give_equal_openings() {
        let gomoku = start("15x15:5");
        let moves = opening(&gomoku, 4, 1).unwrap();
        assert_eq!(moves.len(), 4);
        assert_eq!(opening(&gomoku, 4, 1).unwrap(), moves);
        assert_ne!(opening(&gomoku, 4, 2).unwrap(), moves);
        assert_eq!(opening(&gomoku, 0, 1).unwrap(), []);
    }

    #[test]
    fn listed_openings_take_turns() {
        let start = start("3x3");
        let moves = |text: &str| vec![start.rules().parse_move(text).unwrap()];
        let openings = Openings::list(vec![moves("A1"), moves("B2")]);
        let found = |round| openings.find(&start, 7, round).unwrap();
        assert_eq!((found(0), found(1), found(2)), (moves("A1"), moves("B2"), moves("A1")));
        assert_eq!(Openings::list(Vec::new()).find(&start, 7, 0), None);
    }

    #[test]
    fn openings_stay_near_the_centre() {
        for seed in 0..20 {
            for mv in opening(&start("15x15:5"), 4, seed).unwrap() {
                let cell = mv.cell().unwrap();
                assert!((4..=10).contains(&cell.row()) && (4..=10).contains(&cell.col()), "{cell}");
            }
        }
    }

    #[test]
    fn no_immediate_win_after_opening() {
        for (text, plies) in [("4x4:3", 3), ("6x7:4+gravity", 6), ("9x9:4", 8)] {
            for seed in 0..20 {
                let mut position = start(text);
                for cell in opening(&start(text), plies, seed).unwrap() {
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
    fn too_long_openings_are_not_found() {
        assert_eq!(opening(&start("3x3"), 20, 1), None);
    }

    #[test]
    fn random_openings_decide_nothing_in_any_game() {
        for text in ["ultimate", "3x3+fade3", "6x6:5+order", "connect6", "3x3+notakto+3b"] {
            let openings = Openings::random(4);
            let moves = openings.find(&start(text), 1, 0).unwrap();
            assert_eq!(openings.find(&start(text), 1, 0), Some(moves.clone()), "{text}");
            let mut position = start(text);
            for mv in moves {
                assert_eq!(position.play(mv), Ok(None), "{text}");
            }
            assert!(is_quiet(&mut position), "{text}");
        }
    }
}
