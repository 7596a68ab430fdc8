#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod analysis;
mod best_line;
mod board;
mod board_tables;
mod budget;
mod game_loop;
mod generic;
pub mod gomocup;
mod line_counts;
mod losing_move;
mod method;
mod opening;
mod players;
mod puzzle;
mod search;
mod solve;
mod strategy;
mod tactics;
mod threats;
mod verdict;
mod zobrist;

pub use analysis::{Analysis, MoveVerdict, analyse};
pub use budget::{Budget, OutOfBudget};
pub use game_loop::{
    Computer, Decision, Forfeit, ForfeitReason, GameHost, GameObserver, LoopExit, apply_decision,
    run_game, undo_to_person,
};
pub use generic::{
    AlphaBeta, Evaluate, GameSolver, Mcts, MctsMove, MctsResult, NoKnowledge, PositionAlphaBeta,
    PositionEvaluation, SearchResult, solve_game,
};
pub use losing_move::{LosingMove, LosingMoveError, losing_move};
pub use players::{
    NamedPlayer, ParsePlayerKindError, Perfect, PlayerKind, Players, Random, RegisterError, Skilled,
};
pub use puzzle::{
    AttemptError, DIFFICULTIES, PUZZLE_NODES, ParsePuzzleIdError, Puzzle, PuzzleAttempt,
    PuzzleError, PuzzleFeedback, PuzzleGenerator, PuzzleId, PuzzleKind,
};
#[cfg(feature = "puzzle-file")]
pub use puzzle::{PuzzleFileError, PuzzleRecord, PuzzleSet, RecordError, day_of};
#[cfg(feature = "training")]
pub use search::EvalInputs;
pub use solve::{Connect4BookBuilder, Solution, SolveError, solve};
pub use strategy::{Choice, SearchLine, Strategy, StrategyError};
pub use verdict::{Value, Verdict};
