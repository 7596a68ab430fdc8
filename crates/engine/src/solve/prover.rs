//! Proven values, from attack searches of both seats.

use noughts_rules::{Cell, Position};

use super::SolveError;
use super::attack::{AttackResult, AttackSearch};
use super::proof_table::NEVER;
use crate::board::Board;
use crate::budget::{Budget, OutOfBudget};
use crate::threats::urgency;
use crate::verdict::Value;

/// Proves the values of a position and of its successors, with a shared proof table.
#[derive(Debug)]
pub(crate) struct Prover {
    attack: AttackSearch,
}

/// The limits tried before an unlimited attack: most wins are short and found much faster so.
const SHORT_ATTACK_PLIES: std::ops::RangeInclusive<u16> = 1..=14;

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
        match board.active_seats().len() {
            2 => Ok(Prover { attack: AttackSearch::new(board, budget) }),
            seats => Err(SolveError::ManySeats { seats }),
        }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.attack.meter.nodes()
    }

    /// Runs an action with one of `parts` equal parts of the remaining budget.
    pub(crate) fn within_part<T>(
        &mut self,
        parts: usize,
        action: impl FnOnce(&mut Prover) -> T,
    ) -> T {
        let part = self.attack.meter.begin_part(parts);
        let result = action(self);
        self.attack.meter.end_part(part);
        result
    }

    /// The value for the seat to move.
    pub(crate) fn value(&mut self) -> Result<Value, OutOfBudget> {
        let (mover, other) = (self.attack.board.turn(), self.attack.board.opponent());
        if let Some(plies) = self.shortest_win(mover)? {
            return Ok(Value::Win { plies });
        }
        if self.opponent_cannot_win() {
            return Ok(Value::Draw);
        }
        Ok(match self.shortest_win(other)? {
            Some(plies) => Value::Loss { plies },
            None => Value::Draw,
        })
    }

    /// The value of a legal move for the seat that makes it.
    pub(crate) fn value_of(&mut self, cell: usize) -> Result<Value, OutOfBudget> {
        let completed = self.attack.board.play(cell);
        let misere = self.attack.board.tables().misere;
        let value = if completed {
            Ok(if misere { Value::Loss { plies: 1 } } else { Value::Win { plies: 1 } })
        } else if self.attack.board.empty_count() == 0 {
            Ok(Value::Draw)
        } else {
            self.value().map(Value::before_move)
        };
        self.attack.board.undo();
        value
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
        let ply = self.attack.board.ply();
        let (mut next, mut value) = (Some(cell), value);
        let mut pv = Vec::new();
        while let Some(cell) = next {
            pv.push(self.attack.board.cell(cell));
            let completed = self.attack.board.play(cell);
            if completed || self.attack.board.empty_count() == 0 {
                break;
            }
            value = value.after_move();
            next = self.move_keeping(value).ok().flatten();
        }
        self.attack.board.undo_to(ply);
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
                best.push(self.attack.board.cell(cell));
            }
        }
        best
    }

    /// The number of replies that give away value after a move that keeps `value`; 0 if counting
    /// them is expensive or there is nothing to give away.
    fn mistakes_after(&mut self, cell: usize, value: Value) -> usize {
        const MAX_EMPTY_CELLS: usize = 16;
        let few = (2..=MAX_EMPTY_CELLS).contains(&self.attack.board.empty_count());
        if !few || matches!(value, Value::Win { .. } | Value::Loss { plies: 1 }) {
            return 0;
        }
        self.attack.board.play(cell);
        let replies = self.moves_by_urgency();
        let kept = value.after_move();
        let is_mistake = |prover: &mut Prover, reply: usize| prover.keeps(kept, reply) == Ok(false);
        let mistakes = replies.into_iter().filter(|&reply| is_mistake(self, reply)).count();
        self.attack.board.undo();
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
        let board = &self.attack.board;
        let mut moves: Vec<usize> = board.legal_moves().collect();
        moves.sort_by_key(|&cell| std::cmp::Reverse(urgency(board, cell)));
        moves
    }

    /// Whether a move keeps the value of the position, by a single attack search.
    fn keeps(&mut self, value: Value, cell: usize) -> Result<bool, OutOfBudget> {
        let attack = &mut self.attack;
        let (mover, other) = (attack.board.turn(), attack.board.opponent());
        let misere = attack.board.tables().misere;
        let completed = attack.board.play(cell);
        let full = attack.board.empty_count() == 0;
        let kept = match value {
            Value::Win { plies } if completed => Ok(!misere && plies == 1),
            Value::Loss { plies } if completed => Ok(misere && plies == 1),
            Value::Draw if completed => Ok(false),
            _ if full => Ok(value == Value::Draw),
            Value::Win { plies } => {
                attack.run(mover, plies - 1).map(|result| matches!(result, AttackResult::Wins(_)))
            }
            // It lasts as long as the best move, so it is one of the best.
            Value::Loss { plies } => match plies.checked_sub(2) {
                None => Ok(true),
                Some(less) => {
                    attack.run(other, less).map(|result| matches!(result, AttackResult::Holds(_)))
                }
            },
            Value::Draw => {
                attack.run(other, NEVER - 1).map(|result| matches!(result, AttackResult::Holds(_)))
            }
        };
        attack.board.undo();
        kept
    }

    /// The plies of the attacker's shortest win, if it has one.
    fn shortest_win(&mut self, attacker: usize) -> Result<Option<u16>, OutOfBudget> {
        let mut plies = NEVER;
        // All wins of the attacker have the same parity. In misère games the defender completes the
        // line.
        let own_move = self.attack.board.turn() == attacker;
        let odd = own_move != self.attack.board.tables().misere;
        let short = SHORT_ATTACK_PLIES.filter(|plies| (plies % 2 == 1) == odd);
        for limit in short.chain([NEVER - 1]) {
            match self.attack.run(attacker, limit)? {
                AttackResult::Wins(found) => {
                    plies = found;
                    break;
                }
                AttackResult::Holds(NEVER) => return Ok(None),
                AttackResult::Holds(_) => {}
            }
        }
        while plies > 2 && plies < NEVER {
            match self.attack.run(attacker, plies - 2)? {
                AttackResult::Wins(shorter) => plies = shorter,
                AttackResult::Holds(_) => break,
            }
        }
        Ok((plies < NEVER).then_some(plies))
    }

    /// Strategy stealing: if an extra stone never hurts, the first player cannot lose from the empty
    /// board.
    fn opponent_cannot_win(&self) -> bool {
        let board = &self.attack.board;
        let tables = board.tables();
        let stones_help = !tables.misere && !tables.gravity && !tables.exact;
        stones_help && board.empty_count() == board.tables().cell_count
    }
}
