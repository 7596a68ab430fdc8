//! Playing a puzzle against the solver.

use noughts_rules::{Move, Outcome, Position, Refusal, Seat};

use super::proof::{solved_line, winning_line, wins_within};
use super::{Puzzle, PuzzleKind};
use crate::best_line::search_best_line;
use crate::search::SearchLimits;
use crate::{Budget, OutOfBudget, Value};

/// An attempt at a puzzle: the solver answers for the defender with the longest resistance.
///
/// The first move must be the right one. After it, every move counts that keeps the win in the moves
/// that are left.
///
/// ```
/// use noughts_engine::{Budget, Puzzle, PuzzleAttempt, PuzzleFeedback};
///
/// let budget = Budget::unlimited().with_nodes(100_000);
/// let puzzle = Puzzle::find(&"3x3 xo1/3/2x o".parse()?, &budget);
/// assert_eq!(puzzle, None);
/// let puzzle = Puzzle::find(&"3x3 x2/3/3 o".parse()?, &budget).expect("one move draws");
/// let mut attempt = PuzzleAttempt::new(&puzzle);
/// let wrong = attempt.play("A2".parse()?, &budget)?;
/// assert!(matches!(wrong, PuzzleFeedback::Wrong { .. }), "the attempt is where it was");
/// let right = attempt.play("B2".parse()?, &budget)?;
/// assert!(matches!(right, PuzzleFeedback::Solved { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PuzzleAttempt {
    puzzle: Puzzle,
    position: Position,
    /// The principal variation from here on.
    line: Vec<Move>,
}

/// What a move in a puzzle did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", tag = "result"))]
pub enum PuzzleFeedback {
    /// Right; the defender made these moves, and the puzzle goes on.
    Right {
        /// The defender's moves.
        replies: Vec<Move>,
    },
    /// The puzzle is solved.
    Solved {
        /// The defender's last moves, where it had to complete a line (misère).
        replies: Vec<Move>,
        /// After an only move: how the game may go on.
        continuation: Vec<Move>,
    },
    /// Wrong; the position is as before the move.
    Wrong {
        /// The value of the move for the seat that made it, if it is proven.
        value: Option<Value>,
        /// The best answers to the move, both seats' moves.
        refutation: Vec<Move>,
    },
}

/// Why a move in a puzzle has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AttemptError {
    /// The rules refuse the move.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Neither that the move is right nor that it is wrong was proven within the budget.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// The longest refutation that is shown.
const MAX_REFUTATION_MOVES: usize = 7;

impl PuzzleAttempt {
    /// The beginning of an attempt.
    #[must_use]
    pub fn new(puzzle: &Puzzle) -> PuzzleAttempt {
        PuzzleAttempt {
            puzzle: puzzle.clone(),
            position: puzzle.position().clone(),
            line: puzzle.solution().to_vec(),
        }
    }

    /// The puzzle.
    #[must_use]
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The position as it stands.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The best moves from here on, for those who give up.
    #[must_use]
    pub fn solution(&self) -> &[Move] {
        &self.line
    }

    /// Whether the puzzle is solved.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.line.is_empty()
    }

    /// Own moves that are left to find.
    #[must_use]
    pub fn own_moves_left(&self) -> usize {
        super::own_moves(&self.position, &self.line)
    }

    /// Makes a move and the defender's reply. A wrong move is taken back.
    ///
    /// # Errors
    ///
    /// If the move is illegal, the puzzle is solved, or the budget is too small.
    pub fn play(&mut self, mv: Move, budget: &Budget) -> Result<PuzzleFeedback, AttemptError> {
        let Some(&expected) = self.line.first() else { return Err(Refusal::GameOver.into()) };
        self.position.check(mv)?;
        if mv != expected {
            let plies = self.line.len() as u16;
            let is_first = self.position.history().len() == 0;
            if is_first || !wins_within(&self.position, mv, plies, budget)? {
                return Ok(self.refute(mv, budget));
            }
            self.line = winning_line(&self.position, mv, plies, budget)?;
        }
        self.position.play(mv)?;
        self.line.remove(0);
        let seat = self.puzzle.seat();
        let mut replies = Vec::new();
        while self.position.turn().is_some_and(|turn| turn != seat)
            && let Some(&reply) = self.line.first()
        {
            self.position.play(reply)?;
            self.line.remove(0);
            replies.push(reply);
        }
        if !self.is_solved() {
            return Ok(PuzzleFeedback::Right { replies });
        }
        let continuation = match self.puzzle.kind() {
            PuzzleKind::Draw => best_moves(&self.position, budget).1,
            PuzzleKind::Win => Vec::new(),
        };
        Ok(PuzzleFeedback::Solved { replies, continuation })
    }

    fn refute(&self, mv: Move, budget: &Budget) -> PuzzleFeedback {
        let seat = self.puzzle.seat();
        let mut after = self.position.clone();
        match after.play(mv) {
            Ok(None) => {}
            Ok(Some(outcome)) => {
                let value = Some(value_for(seat, outcome));
                return PuzzleFeedback::Wrong { value, refutation: Vec::new() };
            }
            Err(_) => return PuzzleFeedback::Wrong { value: None, refutation: Vec::new() },
        }
        let (value, refutation) = best_moves(&after, budget);
        let value = value.map(|value| match value {
            value if after.turn() != Some(seat) => value.before_move(),
            Value::Win { plies } => Value::Win { plies: plies + 1 },
            Value::Loss { plies } => Value::Loss { plies: plies + 1 },
            Value::Draw => Value::Draw,
        });
        PuzzleFeedback::Wrong { value, refutation }
    }
}

fn value_for(seat: Seat, outcome: Outcome) -> Value {
    match outcome {
        Outcome::Win(winner) if winner == seat => Value::Win { plies: 1 },
        Outcome::Win(_) => Value::Loss { plies: 1 },
        Outcome::Draw => Value::Draw,
    }
}

/// The value of a position, if it is proven, and the best moves: the whole way to a win, else the first
/// few.
fn best_moves(position: &Position, budget: &Budget) -> (Option<Value>, Vec<Move>) {
    if position.outcome().is_some() {
        return (None, Vec::new());
    }
    let (value, mut line) = match solved_line(position, &budget.share(0.5)) {
        Some((value, line)) => (Some(value), line),
        None => match search_best_line(position, &budget.share(0.5), SearchLimits::FULL, 1) {
            Ok(found) => (found.verdict.proven(), found.pv),
            Err(_) => (None, Vec::new()),
        },
    };
    if value.is_none_or(|value| value == Value::Draw) {
        line.truncate(MAX_REFUTATION_MOVES);
    }
    (value, line)
}
