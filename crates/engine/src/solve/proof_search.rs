//! What a search must answer to prove values.

use std::fmt::Debug;

use crate::board::Board;
use crate::budget::{Meter, OutOfBudget};
use crate::verdict::Value;

/// Proves the value of the position on its board, where two seats are left.
pub(super) trait ProofSearch: Debug {
    fn board(&self) -> &Board;

    /// To make moves and take them back.
    fn board_mut(&mut self) -> &mut Board;

    fn meter(&self) -> &Meter;

    fn meter_mut(&mut self) -> &mut Meter;

    /// The value for the seat to move, while the game is on.
    fn value(&mut self) -> Result<Value, OutOfBudget>;

    /// Whether the value for the seat to move is this or worse, while the game is on.
    fn is_at_most(&mut self, value: Value) -> Result<bool, OutOfBudget>;
}
