//! The interface of every computer player.

use noughts_rules::{Move, Position, State};

use crate::gomocup::EngineError;
use crate::{Budget, Verdict};

/// A computer player, of positions unless another game is named.
///
/// A strategy maps a position and a budget to a move and never touches the game. The caller checks
/// the move, so a faulty strategy can lose a game but not corrupt it.
///
/// ```
/// use noughts_engine::{Budget, PlayerKind};
/// use noughts_rules::{Position, Rules};
///
/// let kind: PlayerKind = "perfect".parse()?;
/// let mut player = kind.strategy(7).expect("not a person");
/// let position: Position = "3x3 xx1/oo1/3 x".parse()?;
/// let choice = player.choose(&position, &Budget::unlimited())?;
/// assert_eq!(choice.mv.to_string(), "A3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Strategy<S: State = Position>: Send {
    /// Optional set-up before [`choose`](Strategy::choose), such as starting a process. It does
    /// not count as thinking time.
    fn prepare(&mut self, _state: &S, _budget: &Budget) -> Result<(), StrategyError> {
        Ok(())
    }

    /// Chooses a legal move for the seat to move.
    fn choose(&mut self, state: &S, budget: &Budget) -> Result<Choice<S::Move>, StrategyError>;

    /// The search behind the last choice, for people who follow an engine; `None` from strategies that
    /// don't tell.
    fn last_search(&self) -> Option<&SearchLine<S::Move>> {
        None
    }
}

/// How deep a search was, and what it expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchLine<M = Move> {
    /// The depth in plies: that of the last complete iteration, or the length of a proof.
    pub depth: u32,
    /// The principal variation, from the chosen move on.
    pub pv: Vec<M>,
}

/// A chosen move and the strategy's verdict on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Choice<M = Move> {
    /// The move to make.
    pub mv: M,
    /// The value of the move for the seat to move, if the strategy evaluated it.
    pub verdict: Option<Verdict>,
}

impl<M> Choice<M> {
    /// A choice that was not evaluated.
    #[must_use]
    pub fn without_verdict(mv: impl Into<M>) -> Choice<M> {
        Choice { mv: mv.into(), verdict: None }
    }
}

/// Why a strategy did not choose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// The position has no legal move.
    #[error("the game is over")]
    GameOver,
    /// An external engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The strategy failed in its own way.
    #[error("{0}")]
    Other(String),
}
