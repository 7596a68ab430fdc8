//! Puzzles as JSON has them.

use noughts_rules::{Move, ParsePositionError, Position, Rules};
use serde::{Deserialize, Serialize};

use super::{Puzzle, PuzzleError, PuzzleKind};

/// A puzzle in a file, not checked yet:
/// `{"rules","position","kind":"win|draw","plies","solution":["B2",…],"difficulty"}`.
///
/// ```
/// use noughts_engine::{Puzzle, PuzzleRecord};
///
/// let text = r#"{"rules":"3x3","position":"3x3 x2/3/3 o","kind":"draw","plies":1,"solution":["B2"],"difficulty":1}"#;
/// let record: PuzzleRecord = serde_json::from_str(text)?;
/// let puzzle = Puzzle::try_from(record)?;
/// assert_eq!(serde_json::to_string(&PuzzleRecord::from(&puzzle))?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRecord {
    /// The rules.
    pub rules: String,
    /// The position, with its rules.
    pub position: String,
    /// What the puzzle asks for.
    pub kind: PuzzleKind,
    /// Moves of both seats.
    pub plies: u16,
    /// The principal variation.
    pub solution: Vec<Move>,
    /// From 1 to 5.
    pub difficulty: u8,
}

/// Why a record is no puzzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The position does not parse.
    #[error("position: {0}")]
    Position(#[from] ParsePositionError),
    /// The position has other rules.
    #[error("rules: expected those of the position, {0}")]
    Rules(String),
    /// The values do not fit together.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
}

impl From<&Puzzle> for PuzzleRecord {
    fn from(puzzle: &Puzzle) -> PuzzleRecord {
        PuzzleRecord {
            rules: puzzle.rules().to_string(),
            position: puzzle.position().to_string(),
            kind: puzzle.kind(),
            plies: puzzle.plies(),
            solution: puzzle.solution().to_vec(),
            difficulty: puzzle.difficulty(),
        }
    }
}

impl TryFrom<PuzzleRecord> for Puzzle {
    type Error = RecordError;

    fn try_from(record: PuzzleRecord) -> Result<Puzzle, RecordError> {
        let position: Position = record.position.parse()?;
        if record.rules.parse::<Rules>().as_ref() != Ok(position.rules()) {
            return Err(RecordError::Rules(position.rules().to_string()));
        }
        let PuzzleRecord { kind, plies, solution, difficulty, .. } = record;
        Ok(Puzzle::new(position, kind, plies, solution, difficulty)?)
    }
}
