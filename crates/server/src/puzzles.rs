//! The puzzles that a server serves: the shipped ones, or the operator's.

use std::ops::Deref;
use std::path::Path;

use noughts_engine::{Budget, PUZZLE_NODES, PuzzleSet};

/// A set of puzzles.
pub(crate) enum Puzzles {
    Shipped(&'static PuzzleSet),
    Own(PuzzleSet),
}

impl Default for Puzzles {
    fn default() -> Puzzles {
        Puzzles::Shipped(PuzzleSet::shipped())
    }
}

impl Puzzles {
    /// Reads a file. An error says what is wrong with it.
    pub(crate) fn read(path: &Path) -> Result<Puzzles, String> {
        let in_file = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| in_file(&error))?;
        PuzzleSet::from_json(&text).map(Puzzles::Own).map_err(|error| in_file(&error))
    }

    /// Leaves out puzzles of a file that the solver does not confirm. The shipped ones are proven by
    /// tests.
    pub(crate) fn verified(self) -> Puzzles {
        let Puzzles::Own(puzzles) = self else { return self };
        match puzzles.verified(&Budget::unlimited().with_nodes(PUZZLE_NODES)) {
            Ok((proven, others)) => {
                for (puzzle, error) in others {
                    let position = puzzle.position();
                    tracing::warn!(%position, %error, "left out a puzzle");
                }
                Puzzles::Own(proven)
            }
            Err(error) => {
                tracing::warn!(%error, "serving the built-in puzzles instead");
                Puzzles::default()
            }
        }
    }
}

impl Deref for Puzzles {
    type Target = PuzzleSet;

    fn deref(&self) -> &PuzzleSet {
        match self {
            Puzzles::Shipped(puzzles) => puzzles,
            Puzzles::Own(puzzles) => puzzles,
        }
    }
}
