//! Sets of puzzles, and the puzzle of the day.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::record::RecordError;
use super::{Puzzle, PuzzleError, PuzzleId, PuzzleRecord};
use crate::Budget;
use crate::zobrist::splitmix64;

/// The puzzles of a file, without duplicates, at least one.
///
/// ```
/// use noughts_engine::PuzzleSet;
///
/// let shipped = PuzzleSet::shipped();
/// // The same puzzle on 1 January 2026 (UTC) for everyone.
/// let daily = shipped.daily(20_454);
/// assert_eq!(shipped.get(daily.id()), Some(daily));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PuzzleSet {
    puzzles: Vec<Puzzle>,
    by_id: HashMap<PuzzleId, usize>,
}

/// Why a text is no set of puzzles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleFileError {
    /// The text is not a JSON array of puzzles.
    #[error("expected a JSON array of puzzles as `noughts puzzle make --json` writes it: {0}")]
    Json(#[from] serde_json::Error),
    /// An element is no puzzle.
    #[error("puzzle {number}: {error}")]
    Record {
        /// Its place, from 1.
        number: usize,
        /// Why.
        error: RecordError,
    },
    /// The array is empty.
    #[error("the file has no puzzles, or none that holds")]
    Empty,
}

static SHIPPED: LazyLock<PuzzleSet> = LazyLock::new(|| {
    PuzzleSet::from_json(include_str!("shipped.json")).expect("tests read the shipped file")
});

impl PuzzleSet {
    /// The puzzles that are part of this library, of many games.
    #[must_use]
    pub fn shipped() -> &'static PuzzleSet {
        &SHIPPED
    }

    /// The puzzles of a JSON array of [`PuzzleRecord`]s. They are checked, but not proven: see
    /// [`Puzzle::verify`].
    ///
    /// # Errors
    ///
    /// If the text is no such array, or a record in it is no puzzle.
    pub fn from_json(text: &str) -> Result<PuzzleSet, PuzzleFileError> {
        let records: Vec<PuzzleRecord> = serde_json::from_str(text)?;
        let read = |(number, record)| {
            Puzzle::try_from(record).map_err(|error| PuzzleFileError::Record { number, error })
        };
        let puzzles: Result<Vec<Puzzle>, _> = (1..).zip(records).map(read).collect();
        PuzzleSet::new(puzzles?)
    }

    fn new(all: Vec<Puzzle>) -> Result<PuzzleSet, PuzzleFileError> {
        let (mut puzzles, mut by_id) = (Vec::new(), HashMap::new());
        for puzzle in all {
            by_id.entry(puzzle.id()).or_insert_with(|| {
                puzzles.push(puzzle);
                puzzles.len() - 1
            });
        }
        if puzzles.is_empty() {
            return Err(PuzzleFileError::Empty);
        }
        Ok(PuzzleSet { puzzles, by_id })
    }

    /// The puzzles that the solver confirms, each within the budget, and the others.
    ///
    /// # Errors
    ///
    /// If it confirms none.
    pub fn verified(
        self,
        budget: &Budget,
    ) -> Result<(PuzzleSet, Vec<(Puzzle, PuzzleError)>), PuzzleFileError> {
        let (mut proven, mut others) = (Vec::new(), Vec::new());
        for puzzle in self.puzzles {
            match puzzle.verify(budget) {
                Ok(()) => proven.push(puzzle),
                Err(error) => others.push((puzzle, error)),
            }
        }
        Ok((PuzzleSet::new(proven)?, others))
    }

    /// The puzzle with this id.
    #[must_use]
    pub fn get(&self, id: PuzzleId) -> Option<&Puzzle> {
        self.by_id.get(&id).map(|&index| &self.puzzles[index])
    }

    /// All puzzles in the order of the file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Puzzle> {
        self.puzzles.iter()
    }

    /// The puzzle of a day, counted from 1 January 1970 (UTC). Each puzzle is due once before one comes
    /// again, in an order that looks random.
    #[must_use]
    pub fn daily(&self, day: u64) -> &Puzzle {
        let (round, due) = (day / self.puzzles.len() as u64, day % self.puzzles.len() as u64);
        let mut order: Vec<(u64, usize)> = self
            .puzzles
            .iter()
            .map(Puzzle::id)
            .zip(0..)
            .map(|(id, index)| (splitmix64(id.0 ^ splitmix64(round)), index))
            .collect();
        order.sort_unstable();
        &self.puzzles[order[due as usize].1]
    }
}

/// The day of a time in milliseconds since 1970, for [`PuzzleSet::daily`].
#[must_use]
pub fn day_of(unix_ms: i64) -> u64 {
    u64::try_from(unix_ms).unwrap_or(0) / 86_400_000
}
