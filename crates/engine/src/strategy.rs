//! What every computer player is.

use noughts_rules::{Cell, Position};

use crate::gomocup::EngineError;
use crate::{Budget, Verdict};

/// Someone who chooses moves.
///
/// A strategy sees a position and a budget and answers with a cell; it never touches the game.
/// Whoever plays the cell checks it, so a strategy that misbehaves can lose a game but not
/// corrupt it.
///
/// ```
/// use noughts_engine::{Budget, PlayerKind};
/// use noughts_rules::{Position, Rules};
///
/// let kind: PlayerKind = "perfect".parse()?;
/// let mut player = kind.strategy(7).expect("not a person");
/// let position: Position = "3x3 xx1/oo1/3 x".parse()?;
/// let choice = player.choose(&position, &Budget::unlimited())?;
/// assert_eq!(choice.cell.to_string(), "A3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Strategy: Send {
    /// Makes ready to choose in a position. It is not the time of the turn, and most need none.
    ///
    /// Whoever chooses without it has been made ready all the same, only later.
    fn prepare(&mut self, _position: &Position, _budget: &Budget) -> Result<(), StrategyError> {
        Ok(())
    }

    /// Chooses a legal cell for the seat to move.
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError>;
}

/// A chosen cell, and what the strategy thinks of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Where to move.
    pub cell: Cell,
    /// What the seat to move gets by it, if the strategy thought about that.
    pub verdict: Option<Verdict>,
}

impl Choice {
    /// A choice about which nothing was thought.
    #[must_use]
    pub fn unjudged(cell: Cell) -> Choice {
        Choice { cell, verdict: None }
    }
}

/// Why a strategy did not choose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// There is nothing to choose.
    #[error("the game is over")]
    GameOver,
    /// An external engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
