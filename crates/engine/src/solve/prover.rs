//! From answers about attacks to values of positions.

use noughts_rules::{Cell, Position};

use super::SolveError;
use super::attack::{Answer, Attack};
use super::table::FOREVER;
use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::Value;

/// Finds the values of a position and of those after it, remembering what it has proven.
#[derive(Debug)]
pub(crate) struct Prover {
    attack: Attack,
}

/// Before an unlimited attack, shorter ones are tried: wins are often short, and then found
/// much faster.
const SHORT_ATTACKS: std::ops::RangeInclusive<u16> = 1..=14;

impl Prover {
    pub(crate) fn new(position: &Position, budget: &Budget) -> Result<Prover, SolveError> {
        if position.outcome().is_some() {
            return Err(SolveError::GameOver);
        }
        let board = Board::new(position);
        match board.order().len() {
            2 => Ok(Prover { attack: Attack::new(board, Meter::new(budget)) }),
            seats => Err(SolveError::ManySeats { seats }),
        }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.attack.meter.nodes()
    }

    /// The value for the seat to move.
    pub(crate) fn value(&mut self) -> Result<Value, OutOfBudget> {
        let (mover, other) = (self.attack.board.turn(), self.attack.board.opponent());
        if let Some(plies) = self.shortest_win(mover)? {
            return Ok(Value::Win { plies });
        }
        if self.other_cannot_win() {
            return Ok(Value::Draw);
        }
        Ok(match self.shortest_win(other)? {
            Some(plies) => Value::Loss { plies },
            None => Value::Draw,
        })
    }

    /// The value of a legal move for who makes it.
    pub(crate) fn value_of(&mut self, cell: usize) -> Result<Value, OutOfBudget> {
        let completed = self.attack.board.play(cell);
        let misere = self.attack.board.geometry().rules.misere();
        let value = if completed {
            Ok(if misere { Value::Loss { plies: 1 } } else { Value::Win { plies: 1 } })
        } else if self.attack.board.empty() == 0 {
            Ok(Value::Draw)
        } else {
            self.value().map(Value::before_move)
        };
        self.attack.board.undo();
        value
    }

    /// Best play from here, whose value is given, as far as the budget goes.
    pub(crate) fn line(&mut self, value: Value) -> Vec<Cell> {
        let depth = self.attack.board.depth();
        let mut line = Vec::new();
        let mut value = Some(value);
        while let Some(now) = value {
            let Ok(Some(cell)) = self.move_with(now) else { break };
            line.push(self.attack.board.cell(cell));
            let completed = self.attack.board.play(cell);
            value = match now {
                _ if completed || self.attack.board.empty() == 0 => None,
                Value::Win { plies } => Some(Value::Loss { plies: plies - 1 }),
                Value::Loss { plies } => Some(Value::Win { plies: plies - 1 }),
                Value::Draw => Some(Value::Draw),
            };
        }
        self.attack.board.undo_to(depth);
        line
    }

    /// A move that keeps the value of the position, which is given.
    fn move_with(&mut self, value: Value) -> Result<Option<usize>, OutOfBudget> {
        let moves: Vec<usize> = self.attack.board.legal_moves().collect();
        for cell in moves {
            if self.keeps(value, cell)? {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// Whether a move keeps the value of the position: one question, not a value.
    fn keeps(&mut self, value: Value, cell: usize) -> Result<bool, OutOfBudget> {
        let attack = &mut self.attack;
        let (mover, other) = (attack.board.turn(), attack.board.opponent());
        let misere = attack.board.geometry().rules.misere();
        let completed = attack.board.play(cell);
        let full = attack.board.empty() == 0;
        let kept = match value {
            Value::Win { plies } if completed => Ok(!misere && plies == 1),
            Value::Loss { plies } if completed => Ok(misere && plies == 1),
            Value::Draw if completed => Ok(false),
            _ if full => Ok(value == Value::Draw),
            Value::Win { plies } => {
                attack.ask(mover, plies - 1).map(|answer| matches!(answer, Answer::Wins(_)))
            }
            // Lasts no shorter than the best, so it is one of the best.
            Value::Loss { plies } => match plies.checked_sub(2) {
                None => Ok(true),
                Some(less) => {
                    attack.ask(other, less).map(|answer| matches!(answer, Answer::Holds(_)))
                }
            },
            Value::Draw => {
                attack.ask(other, FOREVER - 1).map(|answer| matches!(answer, Answer::Holds(_)))
            }
        };
        attack.board.undo();
        kept
    }

    /// In how many plies the attacker wins, if it can.
    fn shortest_win(&mut self, attacker: usize) -> Result<Option<u16>, OutOfBudget> {
        let mut plies = FOREVER;
        for limit in SHORT_ATTACKS.chain([FOREVER - 1]) {
            match self.attack.ask(attacker, limit)? {
                Answer::Wins(found) => {
                    plies = found;
                    break;
                }
                Answer::Holds(FOREVER) => return Ok(None),
                Answer::Holds(_) => {}
            }
        }
        while plies > 1 {
            match self.attack.ask(attacker, plies - 1)? {
                Answer::Wins(shorter) => plies = shorter,
                Answer::Holds(_) => break,
            }
        }
        Ok((plies < FOREVER).then_some(plies))
    }

    /// Strategy stealing: where a stone can only help its seat, who moves first on an empty board
    /// need not lose.
    fn other_cannot_win(&self) -> bool {
        let board = &self.attack.board;
        let rules = &board.geometry().rules;
        let stones_help = !rules.misere() && !rules.gravity() && !rules.exact();
        stones_help && board.empty() == board.geometry().cells
    }
}
