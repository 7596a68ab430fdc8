//! What the evaluation of a position is learned from.

use noughts_rules::Position;

use super::board::PatternBoard;
use super::threat::Threat;
use crate::search::threat_search::ThreatBoard;

/// The inputs of the evaluation of a position and of the order of its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalInputs {
    /// For each empty cell, the class of the shapes that the seat to move would make there, and of
    /// those of the other seat. Row by row.
    pub classes: Vec<[u16; 2]>,
    /// The pattern evaluation for the seat to move.
    pub eval: i32,
}

impl EvalInputs {
    /// `None` for rules that are not evaluated by shapes, when the game is over, and when a win is in
    /// sight without a search: a line or a double four for the seat to move, or a line for the other.
    #[must_use]
    pub fn new(position: &Position) -> Option<EvalInputs> {
        position.turn()?;
        let board = PatternBoard::new(position)?;
        let (me, other) = (board.turn(), board.opponent());
        let lines = board.count(me, Threat::Line) + board.count(other, Threat::Line);
        if lines + board.count(me, Threat::DoubleFour) > 0 {
            return None;
        }
        let class = |cell, seat| board.shape_class(seat, cell);
        let classes = board.empty_cells().map(|cell| [class(cell, me), class(cell, other)]);
        Some(EvalInputs { classes: classes.collect(), eval: board.pattern_eval() })
    }
}
