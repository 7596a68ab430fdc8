//! Proven values of a position and of its moves.

use noughts_rules::{Cell, Position};

use super::SolveError;
use super::attack::AttackSearch;
use super::gravity::gravity_search;
use super::proof_search::ProofSearch;
use crate::board::Board;
use crate::budget::{Budget, OutOfBudget};
use crate::threats::urgency;
use crate::verdict::Value;

/// Proves the values of a position and of its successors, with one table for all of them.
#[derive(Debug)]
pub(crate) struct Prover {
    search: Box<dyn ProofSearch>,
}

impl Prover {
    /// Whether proofs are possible from the position on, if two seats are left.
    pub(crate) fn supports(position: &Position) -> bool {
        Board::supports(position) && position.rules().parts().stones_per_turn == 1
    }

    /// For a [supported](Prover::supports) position.
    pub(crate) fn new(position: &Position, budget: &Budget) -> Result<Prover, SolveError> {
        if position.outcome().is_some() {
            return Err(SolveError::GameOver);
        }
        let board = Board::new(position);
        let seats = board.active_seats().len();
        if seats != 2 {
            return Err(SolveError::ManySeats { seats });
        }
        let search = gravity_search(position, budget)
            .unwrap_or_else(|| Box::new(AttackSearch::new(board, budget)));
        Ok(Prover { search })
    }

    /// The number by which the other methods know a cell.
    pub(crate) fn index(&self, cell: Cell) -> usize {
        self.board().tables().index(cell)
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.search.meter().nodes()
    }

    /// Runs an action with one of `parts` equal parts of the remaining budget.
    pub(crate) fn within_part<T>(
        &mut self,
        parts: usize,
        action: impl FnOnce(&mut Prover) -> T,
    ) -> T {
        let part = self.search.meter_mut().begin_part(parts);
        let result = action(self);
        self.search.meter_mut().end_part(part);
        result
    }

    /// The value for the seat to move.
    pub(crate) fn value(&mut self) -> Result<Value, OutOfBudget> {
        self.search.value()
    }

    /// The value of a legal move for the seat that makes it.
    pub(crate) fn value_of(&mut self, cell: usize) -> Result<Value, OutOfBudget> {
        let completed = self.board_mut().play(cell);
        let misere = self.board().tables().misere;
        let value = if completed {
            Ok(if misere { Value::Loss { plies: 1 } } else { Value::Win { plies: 1 } })
        } else if self.board().empty_count() == 0 {
            Ok(Value::Draw)
        } else {
            self.value().map(Value::before_move)
        };
        self.board_mut().undo();
        value
    }

    /// Whether the seat to move wins within this many plies.
    pub(crate) fn wins_within(&mut self, plies: u16) -> Result<bool, OutOfBudget> {
        Ok(!self.search.is_at_most(Value::Win { plies: plies + 1 })?)
    }

    /// Whether a legal move wins within this many plies, for the seat that makes it.
    pub(crate) fn move_wins_within(
        &mut self,
        cell: usize,
        plies: u16,
    ) -> Result<bool, OutOfBudget> {
        let completed = self.board_mut().play(cell);
        let misere = self.board().tables().misere;
        let wins = match plies.checked_sub(1) {
            _ if completed => Ok(!misere && plies > 0),
            None | Some(0) => Ok(false),
            _ if self.board().empty_count() == 0 => Ok(false),
            Some(left) => self.search.is_at_most(Value::Loss { plies: left }),
        };
        self.board_mut().undo();
        wins
    }

    /// The principal variation of a position of this value, as far as the budget goes.
    pub(crate) fn pv(&mut self, value: Value) -> Vec<Cell> {
        match self.move_keeping(value) {
            Ok(Some(cell)) => self.pv_from(cell, value),
            _ => Vec::new(),
        }
    }

    /// The principal variation from a move of this value on, as far as the budget goes.
    pub(crate) fn pv_from(&mut self, cell: usize, value: Value) -> Vec<Cell> {
        let ply = self.board().ply();
        let (mut next, mut value) = (Some(cell), value);
        let mut pv = Vec::new();
        while let Some(cell) = next {
            pv.push(self.board().cell(cell));
            let completed = self.board_mut().play(cell);
            if completed || self.board().empty_count() == 0 {
                break;
            }
            value = value.after_move();
            next = self.move_keeping(value).ok().flatten();
        }
        self.board_mut().undo_to(ply);
        pv
    }

    /// Of the moves that keep the value of the position, those that leave the opponent the most
    /// mistakes. Empty if the budget runs out first.
    pub(crate) fn most_testing_moves(&mut self, value: Value) -> Vec<Cell> {
        let mut best = Vec::new();
        let mut most_mistakes = 0;
        for cell in self.moves_by_urgency() {
            let Ok(kept) = self.keeps(value, cell) else { break };
            if !kept {
                continue;
            }
            let mistakes = self.mistakes_after(cell, value);
            if mistakes > most_mistakes {
                best.clear();
                most_mistakes = mistakes;
            }
            if mistakes == most_mistakes {
                best.push(self.board().cell(cell));
            }
        }
        best
    }

    /// The number of replies that give away value after a move that keeps `value`; 0 if counting
    /// them is expensive or there is nothing to give away.
    fn mistakes_after(&mut self, cell: usize, value: Value) -> usize {
        const MAX_EMPTY_CELLS: usize = 16;
        let few = (2..=MAX_EMPTY_CELLS).contains(&self.board().empty_count());
        if !few || matches!(value, Value::Win { .. } | Value::Loss { plies: 1 }) {
            return 0;
        }
        self.board_mut().play(cell);
        let replies = self.moves_by_urgency();
        let kept = value.after_move();
        let is_mistake = |prover: &mut Prover, reply: usize| prover.keeps(kept, reply) == Ok(false);
        let mistakes = replies.into_iter().filter(|&reply| is_mistake(self, reply)).count();
        self.board_mut().undo();
        mistakes
    }

    /// A move that keeps the value of the position.
    fn move_keeping(&mut self, value: Value) -> Result<Option<usize>, OutOfBudget> {
        for cell in self.moves_by_urgency() {
            if self.keeps(value, cell)? {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// The legal moves, the most promising first.
    fn moves_by_urgency(&self) -> Vec<usize> {
        let board = self.board();
        let mut moves: Vec<usize> = board.legal_moves().collect();
        moves.sort_by_key(|&cell| std::cmp::Reverse(urgency(board, cell)));
        moves
    }

    /// Whether a move keeps the value of the position.
    fn keeps(&mut self, value: Value, cell: usize) -> Result<bool, OutOfBudget> {
        let completed = self.board_mut().play(cell);
        let misere = self.board().tables().misere;
        let kept = match value {
            Value::Win { plies } if completed => Ok(!misere && plies == 1),
            Value::Loss { plies } if completed => Ok(misere && plies == 1),
            Value::Draw if completed => Ok(false),
            _ if self.board().empty_count() == 0 => Ok(value == Value::Draw),
            _ => self.search.is_at_most(value.after_move()),
        };
        self.board_mut().undo();
        kept
    }

    fn board(&self) -> &Board {
        self.search.board()
    }

    fn board_mut(&mut self) -> &mut Board {
        self.search.board_mut()
    }
}
