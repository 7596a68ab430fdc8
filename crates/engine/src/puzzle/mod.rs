//! Puzzles: positions in which exactly one move is right, proven by the solver.
//!
//! A puzzle asks for a win in the fewest moves, or for the only move that does not lose.
//! [`PuzzleGenerator`] finds them in games, [`PuzzleAttempt`] plays them, and [`PuzzleSet`] holds those
//! of a file.

mod attempt;
mod difficulty;
mod generator;
mod proof;
#[cfg(feature = "puzzle-file")]
mod record;
#[cfg(feature = "puzzle-file")]
mod set;

use std::fmt;
use std::str::FromStr;

use noughts_rules::{Move, Outcome, Position, PositionParts, Rules, Seat};

pub use attempt::{AttemptError, PuzzleAttempt, PuzzleFeedback};
pub use generator::PuzzleGenerator;
#[cfg(feature = "puzzle-file")]
pub use record::{PuzzleRecord, RecordError};
#[cfg(feature = "puzzle-file")]
pub use set::{PuzzleFileError, PuzzleSet, day_of};

use crate::zobrist::splitmix64;
use crate::{Budget, OutOfBudget, SolveError};
use proof::{Proof, prove};

/// The difficulties, from easy to hard.
pub const DIFFICULTIES: std::ops::RangeInclusive<u8> = 1..=5;

/// Nodes within which any puzzle of a generator with its own budget is verified and played.
pub const PUZZLE_NODES: u64 = 1_000_000;

/// What a puzzle asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum PuzzleKind {
    /// The fastest win, in up to five own moves. No other first move wins as fast. On boards with fewer
    /// than 64 cells no other first move wins at all; on larger ones, a search sees no other win.
    Win,
    /// The only move that does not lose, where the loss is not as near as the opponent's next move.
    Draw,
}

/// A position with one right move for the seat to move.
///
/// ```
/// use noughts_engine::{Budget, Puzzle, PuzzleKind};
/// use noughts_rules::Position;
///
/// let position: Position = "3x3 x2/1o1/2x o".parse()?;
/// let budget = Budget::unlimited().with_nodes(100_000);
/// assert_eq!(Puzzle::find(&position, &budget), None, "four moves draw");
///
/// let puzzle = Puzzle::find(&"3x3 x2/3/3 o".parse()?, &budget).expect("only the centre draws");
/// assert_eq!((puzzle.kind(), puzzle.solution()[0].to_string()), (PuzzleKind::Draw, "B2".into()));
/// puzzle.verify(&budget)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    position: Position,
    kind: PuzzleKind,
    plies: u16,
    solution: Vec<Move>,
    difficulty: u8,
}

/// Why values are not a puzzle, or not one that holds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The game is over, or more than two seats play.
    #[error(transparent)]
    Unsolvable(#[from] SolveError),
    /// The solution is not a line of legal moves of the right length, or does not win.
    #[error("the solution must be legal moves that end as the puzzle says, {plies} in all")]
    Solution {
        /// Moves of both seats.
        plies: u16,
    },
    /// The difficulty is none of [`DIFFICULTIES`].
    #[error("difficulty {0}: expected 1 to 5")]
    Difficulty(u8),
    /// The solver found another value, another solution or a second one.
    #[error("the solver does not confirm the puzzle")]
    Refuted,
    /// The budget ran out before the puzzle was proven.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl Puzzle {
    /// A puzzle from values of any origin, checked but not proven: see [`verify`](Puzzle::verify).
    ///
    /// # Errors
    ///
    /// If the solution can't be played, has another length or another end, or the difficulty is out of
    /// range.
    pub fn new(
        position: Position,
        kind: PuzzleKind,
        plies: u16,
        solution: Vec<Move>,
        difficulty: u8,
    ) -> Result<Puzzle, PuzzleError> {
        if !DIFFICULTIES.contains(&difficulty) {
            return Err(PuzzleError::Difficulty(difficulty));
        }
        let mover = position.turn().ok_or(SolveError::GameOver)?;
        let wrong = PuzzleError::Solution { plies };
        let position = without_history(&position);
        let mut end = position.clone();
        for &mv in &solution {
            end.play(mv).map_err(|_| wrong.clone())?;
        }
        let ends_right = match kind {
            PuzzleKind::Win => end.outcome() == Some(Outcome::Win(mover)),
            PuzzleKind::Draw => solution.len() == 1,
        };
        if !ends_right || solution.len() != usize::from(plies) {
            return Err(wrong);
        }
        Ok(Puzzle { position, kind, plies, solution, difficulty })
    }

    /// The puzzle of a position, if it is one that can be proven within the budget.
    #[must_use]
    pub fn find(position: &Position, budget: &Budget) -> Option<Puzzle> {
        Puzzle::try_find(position, budget).ok()?
    }

    /// [`find`](Puzzle::find), or why nothing was proven.
    fn try_find(position: &Position, budget: &Budget) -> Result<Option<Puzzle>, PuzzleError> {
        let Some(proof) = prove(position, budget)? else { return Ok(None) };
        let difficulty = difficulty::difficulty(position, &proof);
        let Proof { kind, plies, solution } = proof;
        Puzzle::new(position.clone(), kind, plies, solution, difficulty).map(Some)
    }

    /// Proves the puzzle again.
    ///
    /// # Errors
    ///
    /// If the solver does not confirm it, or the budget is too small.
    pub fn verify(&self, budget: &Budget) -> Result<(), PuzzleError> {
        let proof = prove(&self.position, budget)?.ok_or(PuzzleError::Refuted)?;
        let same = (proof.kind, proof.plies) == (self.kind, self.plies)
            && proof.solution.first() == self.solution.first();
        // A line of that length against the fastest win is the longest resistance.
        if same && self.keeps_the_win(budget)? { Ok(()) } else { Err(PuzzleError::Refuted) }
    }

    /// Whether each own move of the solution after the first keeps the win in the moves that are left.
    fn keeps_the_win(&self, budget: &Budget) -> Result<bool, OutOfBudget> {
        let mut position = self.position.clone();
        let mut left = self.plies;
        for &mv in &self.solution {
            if self.kind == PuzzleKind::Win
                && position.turn() == self.position.turn()
                && left < self.plies
                && !proof::wins_within(&position, mv, left, budget)?
            {
                return Ok(false);
            }
            if position.play(mv).is_err() {
                return Ok(false);
            }
            left -= 1;
        }
        Ok(true)
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.position.rules()
    }

    /// The position, without a history.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The seat to move, whose puzzle it is.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.position.turn().unwrap_or(Seat::FIRST)
    }

    /// What it asks for.
    #[must_use]
    pub fn kind(&self) -> PuzzleKind {
        self.kind
    }

    /// Moves of both seats: until the win against the longest resistance, or the one move that draws.
    #[must_use]
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// The moves that the solver of the puzzle has to find: `3` in "X to move and win in 3".
    #[must_use]
    pub fn own_moves(&self) -> usize {
        own_moves(&self.position, &self.solution)
    }

    /// The principal variation. Its first move is the only right one.
    #[must_use]
    pub fn solution(&self) -> &[Move] {
        &self.solution
    }

    /// From 1, easy, to 5, hard. It adds up one point for each own move after the second, one each for
    /// two and for five tempting wrong moves, and one if the right move makes no threat. A wrong move is
    /// tempting if it threatens to win at once, or if it looks as good as the right one without
    /// searching: by its open lines, or by the evaluation after it.
    #[must_use]
    pub fn difficulty(&self) -> u8 {
        self.difficulty
    }

    /// The rating of the puzzle as an opponent: 1000 to 2000, 1500 for the middle difficulty.
    #[must_use]
    pub fn rating(&self) -> u16 {
        750 + 250 * u16::from(self.difficulty)
    }

    /// The same for the same position, on every machine.
    #[must_use]
    pub fn id(&self) -> PuzzleId {
        let text = self.position.to_string();
        PuzzleId(text.bytes().fold(0, |hash, byte| splitmix64(hash ^ u64::from(byte))))
    }

    /// A hint: the right first move among two wrong ones that look as good, in the order of the cells.
    #[must_use]
    pub fn hint(&self) -> Vec<Move> {
        let mut moves = difficulty::tempting_moves(&self.position, self.solution[0]);
        moves.truncate(2);
        moves.push(self.solution[0]);
        let legal = self.position.legal_moves();
        legal.filter(|mv| moves.contains(mv)).collect()
    }
}

/// A position that forgets how it came about.
fn without_history(position: &Position) -> Position {
    PositionParts::of(position).build().unwrap_or_else(|_| position.clone())
}

/// The moves of the seat to move in a line.
fn own_moves(position: &Position, line: &[Move]) -> usize {
    let mut position = position.clone();
    let mover = position.turn();
    let is_own = |&&mv: &&Move| {
        let own = position.turn() == mover;
        _ = position.play(mv);
        own
    };
    line.iter().filter(is_own).count()
}

/// Names a puzzle: 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PuzzleId(pub u64);

/// The text is not 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the id of a puzzle: 16 hexadecimal digits")]
pub struct ParsePuzzleIdError;

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for PuzzleId {
    type Err = ParsePuzzleIdError;

    fn from_str(text: &str) -> Result<PuzzleId, ParsePuzzleIdError> {
        let is_hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u64::from_str_radix(text, 16).ok().filter(|_| is_hex);
        number.map(PuzzleId).ok_or(ParsePuzzleIdError)
    }
}
