//! Static evaluation.

use noughts_rules::State;

/// Estimates positions for [`AlphaBeta`](crate::AlphaBeta). Functions of a state and closures do.
///
/// ```
/// use noughts_engine::{AlphaBeta, Budget, Strategy};
/// use noughts_rules::{Cell, Position, Rules};
///
/// // Prefers to have the centre of the board.
/// let centre = |position: &Position| -> i32 {
///     let mark = "B2".parse().ok().and_then(|cell: Cell| position.mark_at(cell));
///     let owner = mark.and_then(|mark| position.owner(mark));
///     owner.map_or(0, |owner| if Some(owner) == position.turn() { 10 } else { -10 })
/// };
/// let mut player = AlphaBeta::new(centre);
/// let budget = Budget::unlimited().with_nodes(10);
/// let choice = player.choose(&Position::new(&Rules::classic()), &budget)?;
/// assert_eq!(choice.mv.to_string(), "B2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluate<S: State> {
    /// The score of a state that is not over, for the seat to move: 0 is even, a few hundred a clear
    /// advantage. Scores beyond ±100,000 are cut there.
    fn evaluate(&self, state: &S) -> i32;
}

impl<S: State, F: Fn(&S) -> i32> Evaluate<S> for F {
    fn evaluate(&self, state: &S) -> i32 {
        self(state)
    }
}

/// Finds every state even. A search with it sees only the ends of games.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoKnowledge;

impl<S: State> Evaluate<S> for NoKnowledge {
    fn evaluate(&self, _: &S) -> i32 {
        0
    }
}
