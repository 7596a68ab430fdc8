//! What is known about the games of the family.

use noughts_rules::{Goal, Marks, Position, Rules};

use super::line_tallies::LineTallies;
use super::ultimate::UltimateEvaluation;
use super::{AlphaBeta, Evaluate};
use crate::{Budget, Choice, Strategy, StrategyError};

/// The evaluation for any game of the family: won boards and lines of boards in ultimate, lines that
/// can still be completed in the other games. Wild and notakto, in which every line is everyone's,
/// are always even.
///
/// ```
/// use noughts_engine::{AlphaBeta, Budget, PositionEvaluation};
/// use noughts_rules::{Position, Rules};
///
/// let rules: Rules = "3x3+fade3".parse()?;
/// let player = AlphaBeta::new(PositionEvaluation::new(&rules));
/// let found = player.search(&Position::new(&rules), &Budget::unlimited().with_nodes(10_000))?;
/// assert!(found.depth > 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PositionEvaluation(Kind);

enum Kind {
    Even,
    Lines(LineTallies),
    Ultimate(UltimateEvaluation),
}

impl PositionEvaluation {
    /// The evaluation for these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> PositionEvaluation {
        let ultimate = UltimateEvaluation::new(rules).map(Kind::Ultimate);
        PositionEvaluation(ultimate.unwrap_or_else(|| {
            match (rules.parts().marks, rules.parts().goal) {
                (Marks::Own, _) | (_, Goal::Maker) => Kind::Lines(LineTallies::new(rules)),
                _ => Kind::Even,
            }
        }))
    }
}

impl PositionEvaluation {
    /// Whether every position is even to this evaluation.
    pub(crate) fn is_blind(&self) -> bool {
        matches!(self.0, Kind::Even)
    }
}

impl Evaluate<Position> for PositionEvaluation {
    fn evaluate(&self, position: &Position) -> i32 {
        match &self.0 {
            Kind::Even => 0,
            Kind::Lines(lines) => lines.evaluate(position),
            Kind::Ultimate(ultimate) => ultimate.evaluate(position),
        }
    }
}

/// [`AlphaBeta`] with the [`PositionEvaluation`] of each position's rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct PositionAlphaBeta;

impl Strategy for PositionAlphaBeta {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        AlphaBeta::new(PositionEvaluation::new(position.rules())).choose(position, budget)
    }
}
