//! Proofs for Connect Four and its relatives.

mod alpha_beta;
mod book;
mod book_builder;
mod bounds_table;
mod columns;

use noughts_rules::{Goal, Position, Win};

use super::proof_search::ProofSearch;
use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::Value;
use alpha_beta::{AlphaBeta, Score, Stones};
use book::OpeningBook;
pub use book_builder::Connect4BookBuilder;
use columns::{Bitboard, Columns};

/// A search of this position, if it is on a board with gravity that fits into a bitboard.
pub(super) fn gravity_search(position: &Position, budget: &Budget) -> Option<Box<dyn ProofSearch>> {
    if !supports(position) {
        return None;
    }
    match position.rules().k() {
        3 => Some(Box::new(GravitySearch::<3>::new(position, budget))),
        4 => Some(Box::new(GravitySearch::<4>::new(position, budget))),
        5 => Some(Box::new(GravitySearch::<5>::new(position, budget))),
        6 => Some(Box::new(GravitySearch::<6>::new(position, budget))),
        _ => None,
    }
}

/// Whether two seats take turns to drop stones into columns, and rows win.
fn supports(position: &Position) -> bool {
    let rules = position.rules();
    let parts = rules.parts();
    let plain = !parts.wrap && !parts.exact && parts.stones_per_turn == 1;
    parts.gravity
        && plain
        && parts.goal == Goal::Line
        && matches!(parts.win, Win::Row(_))
        && Board::supports(position)
        && rules.players() == 2
        && Columns::fit(rules)
}

/// Proves values by alpha-beta on bitboards.
#[derive(Debug)]
struct GravitySearch<const K: usize> {
    board: Board,
    /// The bit of each cell.
    bits: Vec<Bitboard>,
    alpha_beta: AlphaBeta<K>,
}

impl<const K: usize> GravitySearch<K> {
    /// For a [supported](supports) position.
    fn new(position: &Position, budget: &Budget) -> GravitySearch<K> {
        let rules = position.rules();
        let columns = Columns::new(rules);
        let bits = rules.cells().map(|cell| columns.bit(cell)).collect();
        let book = OpeningBook::of(rules);
        let empty = rules.cell_count() - position.stone_count();
        let alpha_beta = AlphaBeta::new(columns, book, empty, budget);
        GravitySearch { board: Board::new(position), bits, alpha_beta }
    }

    /// The stones on the board.
    fn stones(&self) -> Stones {
        let mut stones = Stones { own: 0, occupied: 0 };
        for (cell, bit) in self.bits.iter().enumerate() {
            let owner = self.board.owner(cell);
            if owner.is_some() {
                stones.occupied |= bit;
            }
            if owner == Some(self.board.turn()) {
                stones.own |= bit;
            }
        }
        stones
    }
}

impl<const K: usize> ProofSearch for GravitySearch<K> {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }

    fn meter(&self) -> &Meter {
        &self.alpha_beta.meter
    }

    fn meter_mut(&mut self) -> &mut Meter {
        &mut self.alpha_beta.meter
    }

    fn value(&mut self) -> Result<Value, OutOfBudget> {
        let score = self.alpha_beta.score(self.stones())?;
        Ok(value(score, self.board.empty_count()))
    }

    fn is_at_most(&mut self, value: Value) -> Result<bool, OutOfBudget> {
        let limit = score(value, self.board.empty_count());
        self.alpha_beta.is_at_most(self.stones(), limit)
    }
}

/// The value of a position with this score and so many empty cells.
fn value(score: Score, empty: usize) -> Value {
    // The winner's moves from here on; the loser makes as many before.
    let moves = |score: Score, empty: usize| empty.div_ceil(2) + 1 - score.unsigned_abs() as usize;
    match score {
        0 => Value::Draw,
        1.. => Value::Win { plies: 2 * moves(score, empty) as u16 - 1 },
        _ => Value::Loss { plies: 2 * moves(score, empty - 1) as u16 },
    }
}

/// The inverse of [`value`].
fn score(value: Value, empty: usize) -> Score {
    let score = |moves: u16, empty: usize| empty.div_ceil(2) as Score + 1 - Score::from(moves);
    match value {
        Value::Draw => 0,
        Value::Win { plies } => score(plies.div_ceil(2), empty),
        Value::Loss { plies } => -score(plies / 2, empty - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::attack::AttackSearch;
    use noughts_rules::{Move, Rules, RulesParts};
    use proptest::prelude::*;

    #[test]
    fn scores_and_values_correspond() {
        for empty in 1..=64 {
            for plies in 1..=empty as u16 {
                let expected =
                    if plies % 2 == 1 { Value::Win { plies } } else { Value::Loss { plies } };
                assert_eq!(value(score(expected, empty), empty), expected, "{empty} empty");
            }
            assert_eq!(value(score(Value::Draw, empty), empty), Value::Draw);
        }
        assert_eq!(score(Value::Win { plies: 41 }, 42), 1);
        assert_eq!(score(Value::Loss { plies: 42 }, 42), -1);
    }

    /// Boards up to 64 bits, with few empty cells left.
    fn late_positions() -> impl Strategy<Value = Position> {
        let sizes = (1u8..=12, 2u8..=12, 3u8..=6, 4usize..=14);
        let sizes = sizes.prop_filter("too large", |(rows, cols, ..)| (rows + 1) * cols <= 64);
        let moves = proptest::collection::vec(any::<prop::sample::Index>(), 64);
        (sizes, moves).prop_map(|((rows, cols, k, empty), moves)| {
            let parts = RulesParts::grid(rows, cols).k(k.min(rows.max(cols))).gravity(true);
            let rules = parts.build().expect("valid parts");
            let mut position = Position::new(&rules);
            for choice in moves {
                let ends = |&mv: &Move| position.clone().play(mv) != Ok(None);
                let quiet: Vec<Move> = position.legal_moves().filter(|mv| !ends(mv)).collect();
                let left = rules.cell_count() - position.stone_count();
                if left <= empty || quiet.is_empty() {
                    break;
                }
                position.play(*choice.get(&quiet)).expect("legal");
            }
            position
        })
    }

    proptest! {
        /// Both searches agree on the value, and on every bound of it.
        #[test]
        fn agrees_with_the_attack_search(position in late_positions()) {
            let budget = Budget::unlimited();
            let empty = position.rules().cell_count() - position.stone_count();
            prop_assume!(empty <= 16);
            let Some(mut search) = gravity_search(&position, &budget) else { return Ok(()) };
            let expected = AttackSearch::new(Board::new(&position), &budget).value().unwrap();
            prop_assert_eq!(search.value().unwrap(), expected, "{}", position);
            for plies in 1..=empty as u16 {
                let bound =
                    if plies % 2 == 1 { Value::Win { plies } } else { Value::Loss { plies } };
                let mut fresh = gravity_search(&position, &budget).unwrap();
                prop_assert_eq!(fresh.is_at_most(bound).unwrap(), expected <= bound, "{}", position);
                prop_assert_eq!(search.is_at_most(bound).unwrap(), expected <= bound, "{}", position);
            }
        }
    }

    #[test]
    fn wide_and_long_boards_have_other_searches() {
        let supported = |rules: &str| supports(&Position::new(&rules.parse::<Rules>().unwrap()));
        assert!(supported("connect4"));
        assert!(supported("7x8:4+gravity"));
        assert!(!supported("8x8:4+gravity"));
        assert!(!supported("6x7:4+gravity+misere"));
        assert!(!supported("6x7:4+gravity+exact"));
        assert!(!supported("6x7:4"));
    }
}
