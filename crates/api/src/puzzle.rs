//! Puzzles: positions with exactly one right move.

use noughts_rules::{Cell, Mark, Move, Position, Seat, Status};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{BoardShape, TurnDetails};

/// A position, as much as clients need to draw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PositionView {
    /// What stands on the cells, level by level and row by row from the top: the mark, or null.
    #[schema(value_type = Vec<Vec<Vec<Option<u8>>>>)]
    pub board: Vec<Vec<Vec<Option<Mark>>>>,
    /// The legal moves of the seat to move.
    #[schema(value_type = Vec<String>)]
    pub legal: Vec<Move>,
    /// The seat to move.
    #[schema(value_type = Option<u8>)]
    pub turn: Option<Seat>,
    /// What else decides how the game goes on.
    pub details: TurnDetails,
    /// The cells of the line of a game that is won (in misère games the loser's).
    #[schema(value_type = Vec<String>)]
    pub winning: Vec<Cell>,
}

impl PositionView {
    /// The view of a position.
    #[must_use]
    pub fn of(position: &Position) -> PositionView {
        let rules = position.rules();
        let mark = |level, row, col| position.mark_at(Cell::in_space(level, row, col)?);
        let row = |level, row| (0..rules.cols()).map(|col| mark(level, row, col)).collect();
        let level = |level| (0..rules.rows()).map(|at| row(level, at)).collect();
        PositionView {
            board: (0..rules.levels()).map(level).collect(),
            legal: position.legal_moves().collect(),
            turn: position.turn(),
            details: TurnDetails::of(position),
            winning: match position.status() {
                Status::Won { cells, .. } => cells,
                _ => Vec::new(),
            },
        }
    }
}

/// What a puzzle asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleGoal {
    /// The fastest win.
    Win,
    /// The only move that does not lose.
    Draw,
}

/// A puzzle, without its solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleView {
    /// The id: 16 hexadecimal digits.
    #[schema(example = "91e8b1c0a2c4d3f7")]
    pub id: String,
    /// The rules.
    pub rules: String,
    /// The name of the game.
    pub title: String,
    /// The game in one sentence.
    pub summary: String,
    /// The shape of the board.
    pub shape: BoardShape,
    /// The position in text form.
    #[schema(example = "3x3 x2/3/3 o")]
    pub position: String,
    /// The position.
    pub view: PositionView,
    /// The seat to move, whose puzzle it is.
    #[schema(value_type = u8)]
    pub seat: Seat,
    /// What it asks for.
    pub kind: PuzzleGoal,
    /// How many moves of your own it takes.
    pub moves: usize,
    /// From 1, easy, to 5, hard.
    #[schema(minimum = 1, maximum = 5)]
    pub difficulty: u8,
    /// The rating of the puzzle as an opponent.
    pub rating: u16,
    /// Whether you have solved it.
    pub solved: bool,
}

/// A game that has puzzles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleGame {
    /// The rules.
    pub rules: String,
    /// The name of the game.
    pub title: String,
    /// How many puzzles it has.
    pub puzzles: usize,
}

/// The puzzle of the day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DailyPuzzle {
    /// The day in UTC, counted from 1 January 1970.
    pub day: u64,
    /// The puzzle.
    pub puzzle: PuzzleView,
    /// How many have solved it today.
    pub solvers: u64,
}

/// The moves of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttemptRequest {
    /// Your own moves so far, the one to check last.
    #[schema(value_type = Vec<String>, example = json!(["B2"]))]
    pub moves: Vec<Move>,
}

/// What the last move of an attempt did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptResult {
    /// Right; the puzzle goes on.
    Right,
    /// The puzzle is solved.
    Solved,
    /// Wrong.
    Wrong,
}

/// A move of an explanation, with the position after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleStep {
    /// The move.
    #[serde(rename = "move")]
    #[schema(value_type = String)]
    pub mv: Move,
    /// The position after it.
    pub view: PositionView,
}

/// What a wrong move leads to, with best play of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WrongBecause {
    /// It loses.
    Loses,
    /// It gives the win away: a draw.
    Draws,
    /// It does not win in the number of moves that are left.
    TooSlow,
}

/// The answer to an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AttemptView {
    /// What the last move did.
    pub result: AttemptResult,
    /// The last move and the defender's replies.
    pub steps: Vec<PuzzleStep>,
    /// After a wrong move, its best answers; after an only move, how the game may go on.
    pub continuation: Vec<PuzzleStep>,
    /// Why the move is wrong.
    pub because: Option<WrongBecause>,
    /// Moves of your own that are left to find.
    pub moves_left: usize,
    /// Your rating and streak, if you are signed in.
    pub progress: Option<PuzzleProgressView>,
}

/// The solution from the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleSolution {
    /// The moves of both sides.
    pub steps: Vec<PuzzleStep>,
    /// Your rating and streak, if you are signed in.
    pub progress: Option<PuzzleProgressView>,
}

/// A hint: some moves, including the right one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleHint {
    /// The moves.
    #[schema(value_type = Vec<String>)]
    pub moves: Vec<Move>,
}

/// How far you have come with puzzles.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct PuzzleProgressView {
    /// Your rating.
    pub rating: i64,
    /// What the last result did to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<i64>,
    /// Puzzles you have tried.
    pub tried: u64,
    /// Puzzles you have solved.
    pub solved: u64,
    /// Days in a row, up to today or yesterday, on which you solved the puzzle of the day.
    pub streak: u64,
    /// Today, counted from 1 January 1970 (UTC).
    pub today: u64,
    /// The days on which you solved the puzzle of the day, the last first, back to a week ago.
    pub days: Vec<u64>,
}
